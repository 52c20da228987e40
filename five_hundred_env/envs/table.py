"""What the environments share: one table in a packed block, its options, spaces and pictures.

A block holds the state row, the mover's observation and mask, and the last reward, so that a step is one compiled call
(`core.drive.step_block`). Nothing here knows whose turn it is in the sense of a library.

Rules: R2.2, R10.4, R11.
"""

from __future__ import annotations

import operator
import secrets
import time
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle

from five_hundred_env import notation
from five_hundred_env.core import engine
from five_hundred_env.core.constants import MAX_DEALS, N_ACTIONS, SEATS
from five_hundred_env.core.deal import clear_deal, deal_cards
from five_hundred_env.core.drive import (
    BLOCK_EPISODE,
    BLOCK_MASK,
    BLOCK_MAX_DEALS,
    BLOCK_OBSERVATION,
    BLOCK_REWARD,
    BLOCK_REWARD_KIND,
    BLOCK_SIZE,
    EPISODES,
    REWARDS,
    least_reward,
    observe_block,
)
from five_hundred_env.core.observe import OBSERVATION_FIELDS, OBSERVATION_SIZE, STATE_SIZE, STATE_WORDS, write_state
from five_hundred_env.core.philox import next_seed
from five_hundred_env.core.rules import Rules, as_rules
from five_hundred_env.core.state import DEALER, N_COLUMNS, N_RULES, SCORES, SEAT, SEED
from five_hundred_env.errors import IllegalActionError, OptionError
from five_hundred_env.tables import AnyRules, check_choice, check_count

ILLEGAL = ("raise", "lose")
MASK_PLACES = ("obs", "info")
RENDER_MODES = ("ansi", "rgb_array", "human")
FRAMES_A_SECOND = 4
MOVER_BITS = 3  # low bits of what `step_block` returns: the seat to move plus one

Array = npt.NDArray[np.int8]


def observation_box() -> spaces.Box:
    """Return the space of observations, `[O] int8`, each place with the bounds of its field."""
    low = np.zeros(OBSERVATION_SIZE, np.int8)
    high = np.ones(OBSERVATION_SIZE, np.int8)
    for field in OBSERVATION_FIELDS:
        low[field.start : field.stop] = field.low
        high[field.start : field.stop] = max(field.high, field.low + 1)  # checkers dislike a place without freedom
    return spaces.Box(low, high, dtype=np.int8)


def mask_box() -> spaces.Box:
    """Return the space of action masks, `[A] int8`."""
    return spaces.Box(0, 1, (N_ACTIONS,), np.int8)


def state_box() -> spaces.Box:
    """Return the space of states, `[T] int8`: an observation, then the hands of seats 1 to 3."""
    hands = STATE_SIZE - OBSERVATION_SIZE
    box = observation_box()
    low = np.concatenate([box.low, np.zeros(hands, np.int8)])
    high = np.concatenate([box.high, np.ones(hands, np.int8)])
    return spaces.Box(low, high, dtype=np.int8)


def action_id(action: Any) -> int | None:
    """Return an action given as a whole number of any library as an int; None for anything else, truth values too."""
    if isinstance(action, bool | np.bool_):
        return None
    try:
        return operator.index(action)
    except TypeError:
        return None


def fresh_row(rules: Rules, seed: Any, options: Mapping[str, Any] | None) -> npt.NDArray[np.int64]:
    """Return the state row that a reset asks for, `[N_COLUMNS] int64`.

    Args:
        rules: The rules of the table.
        seed: Where dealer and cards come from.
        options: ``deal``, ``dealer`` and ``scores``; others are ignored.

    Raises:
        NotationError: The deal is no deal of the pack.
        OptionError: The options are no mapping, or seed, dealer or scores are out of range.
    """
    if options is None:
        options = {}
    elif not isinstance(options, Mapping):
        raise OptionError(f"options of a reset are a mapping such as {{'dealer': 2}}, not {options!r}")
    seed = notation.check_seed(seed)
    deal, dealer, scores = (options.get(name) for name in ("deal", "dealer", "scores"))
    if deal is not None:
        return notation.deal_row(
            rules, deal, 0 if dealer is None else dealer, (0, 0) if scores is None else scores, seed
        )
    row = np.zeros(N_COLUMNS, np.int64)
    row[:N_RULES] = rules.row
    engine.new_game(row, notation.signed(seed))
    if dealer is not None:
        row[DEALER] = notation.check_seat(dealer, "dealer")
    if scores is not None:
        row[SCORES : SCORES + 2] = notation.check_scores(scores, rules)
    if dealer is not None or scores is not None:
        clear_deal(row)
        deal_cards(row)
    return row


def seed_after(seed: int) -> int:
    """Return the seed of the game that follows the game of a seed."""
    return int(next_seed(notation.signed(seed))) % notation.SEED_LIMIT


def draw(row: npt.NDArray[np.int64], seat: int | None, mode: str) -> str | npt.NDArray[np.uint8]:
    """Return a table as text (``"ansi"``) or picture, `[H, W, 3] uint8`; the drawing code is loaded on demand.

    Raises:
        MissingExtraError: The library for pictures is not installed.
    """
    from five_hundred_env import render

    if mode == "ansi":
        return render.render_text(row, seat)
    return render.render_image(row, seat)


class Table(EzPickle):
    """One table: options, block, reset, what can be seen of it. Environments derive from it.

    Args:
        rules: A `Rules`, the name of a profile, or a mapping of options.
        episode: ``"game"`` or ``"deal"``.
        reward: ``"points"``, ``"win"`` or ``"tricks"``.
        max_deals: A game is truncated after so many deals.
        illegal: ``"raise"`` or ``"lose"``.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.

    Raises:
        OptionError: An argument is none of its values.
        RulesError: The rules are unknown.
    """

    KEPT: ClassVar[tuple[str, ...]] = ("_forfeited", "_begun", "_block")
    """Attributes that pickles and copies take along; the rest is made anew from the arguments."""

    def __init__(
        self, rules: AnyRules, episode: str, reward: str, max_deals: int, illegal: str, render_mode: str | None
    ) -> None:
        self.rules: Rules = as_rules(rules)
        self.episode = check_choice(episode, "episode", EPISODES)
        self.reward = check_choice(reward, "reward", REWARDS)
        self.max_deals = check_count(max_deals, "max_deals", "deals", MAX_DEALS)
        self.illegal = check_choice(illegal, "illegal", ILLEGAL)
        self.render_mode = None if render_mode is None else check_choice(render_mode, "render_mode", RENDER_MODES)
        self._window: Any = None
        self._next_frame = 0.0
        self._forfeited = False
        self._begun = False
        self._block = np.zeros(BLOCK_SIZE, np.int64)
        self._block[BLOCK_REWARD_KIND] = REWARDS.index(reward)
        self._block[BLOCK_EPISODE] = EPISODES.index(episode)
        self._block[BLOCK_MAX_DEALS] = self.max_deals
        self._row = self._block[:N_COLUMNS]
        self._row[:N_RULES] = self.rules.row
        self._observation = self._block[BLOCK_OBSERVATION:BLOCK_MASK].view(np.int8)
        self._mask = self._block[BLOCK_MASK:BLOCK_REWARD].view(np.int8)
        # Looking through another seat's eyes must not disturb what the block holds for the mover.
        self._aside = self._block.copy()
        self._aside_row = self._aside[:N_COLUMNS]
        self._aside_observation = self._aside[BLOCK_OBSERVATION:BLOCK_MASK].view(np.int8)
        self._aside_mask = self._aside[BLOCK_MASK:BLOCK_REWARD].view(np.int8)

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> int:
        """Begin an episode and return the seat to move.

        Raises:
            NotationError: The deal of the options is no deal.
            OptionError: The seed or an option is out of range. Nothing has changed then.
        """
        following = self._following_seed() if seed is None else notation.check_seed(seed)
        if options is None or options == {}:
            engine.new_game(self._row, notation.signed(following))
        else:
            self._row[:] = fresh_row(self.rules, following, options)
        self._forfeited = False
        self._begun = True
        seat = int(self._row[SEAT])
        observe_block(self._block, seat)
        return seat

    def _following_seed(self) -> int:
        """Return the seed that follows the last one, a fresh one at first."""
        return seed_after(int(self._row[SEED])) if self._begun else secrets.randbits(64)

    def see(self, seat: int) -> tuple[Array, Array]:
        """Return observation and mask of any seat, the caller's to keep; the mask is empty unless it is to move."""
        mover = self._row.item(SEAT)
        if seat == mover:
            return self._observation.copy(), np.zeros_like(self._mask) if self._forfeited else self._mask.copy()
        if mover < 0:
            observe_block(self._block, seat)
            return self._observation.copy(), self._mask.copy()
        self._aside_row[:] = self._row
        observe_block(self._aside, seat)
        return self._aside_observation.copy(), self._aside_mask.copy()

    def see_all(self) -> list[Array]:
        """Return the observations of all seats, the caller's to keep."""
        self._aside_row[:] = self._row
        seen = []
        for seat in range(SEATS):
            observe_block(self._aside, seat)
            seen.append(self._aside_observation.copy())
        return seen

    def state(self) -> Array:
        """Return the whole deal, hidden cards included, `[T] int8`: for critics, not for agents.

        It is the observation of seat 0 with kitty and discards open, then the hands of seats 1 to 3.

        Raises:
            OrderError: `reset` has not been called.
        """
        self._check_begun("state")
        words = np.zeros(STATE_WORDS, np.int64)
        out = words.view(np.int8)
        write_state(self._row, out, words)
        return out

    def _check_begun(self, what: str) -> None:
        """Refuse a call that needs a reset first."""
        raise NotImplementedError

    def _forfeit_reward(self) -> float:
        """Return what the side of an illegal action gets."""
        return least_reward(self.reward, self._row) / 1000

    def _refused(self, action: Any) -> IllegalActionError:
        """Return the error for an action that is not legal, or is none at all."""
        number = action_id(action)
        return notation.illegal_action(self._row, action if number is None else number)

    def _show(self, seat: int | None) -> str | npt.NDArray[np.uint8] | None:
        """Draw the table in the chosen mode, as a seat knows it.

        Raises:
            MissingExtraError: The library for pictures is not installed.
        """
        if self.render_mode is None:
            return None
        if self.render_mode != "human":
            return draw(self._row, seat, self.render_mode)
        if self._window is None:
            from five_hundred_env.render.window import Window

            self._window = Window()
        self._window.show(draw(self._row, seat, "rgb_array"))
        time.sleep(max(0.0, self._next_frame - time.monotonic()))
        self._next_frame = time.monotonic() + 1 / FRAMES_A_SECOND
        return None

    def __getstate__(self) -> dict[str, Any]:
        position = {name: self.__dict__[name] for name in self.KEPT if name in self.__dict__}
        return {**super().__getstate__(), "position": deepcopy(position)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        position = dict(state["position"])
        self._block[:] = position.pop("_block")
        self.__dict__.update(position)

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None

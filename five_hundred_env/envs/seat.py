"""One seat as a Gymnasium environment: a learner among three agents.

The others choose with keys that are a pure function of the game's seed and the number of the decision in its episode.

Rules: R2.1, R10.4, R11.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from five_hundred_env import notation
from five_hundred_env.agents import Agent, load_agent
from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.constants import N_ACTIONS, SEATS
from five_hundred_env.core.drive import BLOCK_REWARD, REWARDED, TERMINATED, TRUNCATED, step_block
from five_hundred_env.core.philox import decision_key
from five_hundred_env.core.state import SEAT, SEED
from five_hundred_env.envs.seat_drive import KEY_OF_ACTIONS, seat_of_game
from five_hundred_env.envs.table import (
    FRAMES_A_SECOND,
    MOVER_BITS,
    RENDER_MODES,
    Array,
    Table,
    action_id,
    observation_box,
)
from five_hundred_env.errors import AgentError, OrderError
from five_hundred_env.tables import AnyRules

AnyAgent = str | Path | Agent


class Others(NamedTuple):
    """Who plays the seats that do not learn."""

    partner: Agent
    opponents: Agent

    def of(self, relative: int) -> Agent:
        """Return the agent of a seat counted from the learner's: 1 left, 2 partner, 3 right."""
        return self.partner if relative == 2 else self.opponents


def load_others(partner: AnyAgent, opponents: AnyAgent) -> Others:
    """Return the agents that names, files or agents stand for.

    Raises:
        AgentError: Nothing has that name, or it is no agent.
    """
    return Others(load_agent(partner), load_agent(opponents))


def bad_answer(agent: Agent, answer: Any, row: npt.NDArray[np.int64]) -> AgentError:
    """Return the error for an agent that answered with no legal action."""
    number = action_id(answer)
    name = ACTION_NAMES[number] if number is not None and 0 <= number < N_ACTIONS else repr(answer)
    return AgentError(
        f"agent {agent.name!r} answered {name} for seat {int(row[SEAT])} in {notation.format_position(row)}; "
        f"legal: {' '.join(notation.legal_names(row))}"
    )


class SeatEnv(Table, gymnasium.Env[Any, Any]):
    """One learner's seat at a table of agents, ``gymnasium.make("FiveHundred/Seat-v0")``.

    A step is an action of the learner and everything until its next decision; the reward is all that arrives for its
    seat meanwhile. The mask is in ``info["action_mask"]`` and in `action_masks()`; ``info["seat"]`` is the learner's.

    Args:
        seat: The learner's seat, 0 to 3; None draws one for each episode.
        partner: Agent of the seat opposite: a name, a file, or an `Agent`.
        opponents: Agent of the seats to the left and to the right.
        illegal: ``"lose"``: an illegal action ends the episode with the least that a deal can bring. ``"raise"``:
            IllegalActionError, and nothing has changed.
        rules: A `Rules`, the name of a profile, or a mapping of options.
        episode: ``"game"`` or ``"deal"``, as in `five_hundred_v0.env`.
        reward: ``"points"``, ``"win"`` or ``"tricks"``, as in `five_hundred_v0.env`.
        max_deals: A game is truncated after so many deals.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.

    Raises:
        AgentError: An agent can not be found.
        OptionError: An argument is none of its values.
        RulesError: The rules are unknown.

    Attributes:
        learner: The learner's seat in this episode.
        others: The agents of the other seats.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by the library)
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
    }
    KEPT: ClassVar[tuple[str, ...]] = (
        *Table.KEPT,
        "others",
        "learner",
        "_decision",
        "_over",
        "_np_random",
        "_np_random_seed",
    )

    def __init__(
        self,
        seat: int | None = None,
        partner: AnyAgent = "rule",
        opponents: AnyAgent = "rule",
        illegal: str = "lose",
        rules: AnyRules = "australian",
        episode: str = "game",
        reward: str = "points",
        max_deals: int = 100,
        render_mode: str | None = None,
    ) -> None:
        gymnasium.utils.EzPickle.__init__(
            self, seat, partner, opponents, illegal, rules, episode, reward, max_deals, render_mode
        )
        Table.__init__(self, rules, episode, reward, max_deals, illegal, render_mode)
        self.fixed_seat = None if seat is None else notation.check_seat(seat, "seat")
        self.others = load_others(partner, opponents)
        self.observation_space = observation_box()
        self.action_space = spaces.Discrete(N_ACTIONS)
        self.learner = self.fixed_seat or 0
        self._decision = 0
        self._over = True

    def set_agents(self, partner: AnyAgent | None = None, opponents: AnyAgent | None = None) -> None:
        """Exchange agents, for self-play; None keeps the present one. It counts from their next decision on.

        Raises:
            AgentError: An agent can not be found.
        """
        self.others = load_others(partner or self.others.partner, opponents or self.others.opponents)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode and play until the learner is to move.

        Args:
            seed: Where dealer, cards, the learner's seat and the agents' random bits come from; None goes on with the
                generator that the last seed made.
            options: ``deal``, ``dealer``, ``scores``, as in `five_hundred_v0.env`.

        Returns:
            Observation and info.

        Raises:
            AgentError: An agent answered with an illegal action.
            NotationError: The deal is no deal of the pack; nothing has changed.
            OptionError: Seed, dealer or scores are out of range; nothing has changed.
        """
        self._begin(seed, options)
        super().reset(seed=seed)
        self.learner = int(seat_of_game(int(self._row[SEED]))) if self.fixed_seat is None else self.fixed_seat
        self._decision = 0
        self._over = True  # until the other seats have played: an agent may fail
        self._play_others()
        self._over = False
        if self.render_mode == "human":
            self.render()
        return self._answer()

    def _following_seed(self) -> int:
        if not self._begun:
            return int(self.np_random.integers(2**63))
        return super()._following_seed()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Do an action of the learner, then play until it is to move again or the episode ends.

        Args:
            action: An integer of any library.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            AgentError: An agent answered with an illegal action.
            IllegalActionError: The action is no integer, or with ``illegal="raise"`` the rules forbid it; nothing has
                changed.
            OrderError: `reset` has not been called, or the episode is over.
        """
        if self._over:
            raise OrderError("step was called before reset, after the end or after an agent failed; call reset() first")
        number = action_id(action)
        code = step_block(self._block, number) if number is not None and 0 <= number < N_ACTIONS else -1
        if code < 0:
            if number is None or self.illegal == "raise":
                raise self._refused(action)
            self._forfeited = True
            bits, reward = TERMINATED, self._forfeit_reward()
        else:
            bits, gain = self._account(code)
            self._over = True
            more, extra = self._play_others()
            bits, reward = bits | more, (gain + extra) / 1000
        self._over = bits & (TERMINATED | TRUNCATED) != 0
        observation, info = self._answer()
        if self.render_mode == "human":
            self.render()
        return observation, reward, bits & TERMINATED != 0, bits & TRUNCATED != 0, info

    def _play_others(self) -> tuple[int, int]:
        """Let the agents act until the learner is to move or the episode ends; return what `_account` adds up to."""
        bits, gain = 0, 0
        while int(self._row[SEAT]) not in (-1, self.learner):
            agent = self.others.of((int(self._row[SEAT]) - self.learner) % SEATS)
            key = decision_key(int(self._row[SEED]), KEY_OF_ACTIONS, self._decision)
            answers = agent.act(
                self._observation[np.newaxis].copy(), self._mask[np.newaxis].copy(), np.array([key]).view(np.uint64)
            )
            number = action_id(answers[0])
            code = step_block(self._block, number) if number is not None and 0 <= number < N_ACTIONS else -1
            if code < 0:
                raise bad_answer(agent, answers[0], self._row)
            more, extra = self._account(code)
            bits, gain = bits | more, gain + extra
        return bits, gain

    def _account(self, code: int) -> tuple[int, int]:
        """Count a decision; return its bits and the learner's reward of it in thousandths."""
        self._decision += 1
        bits = code >> MOVER_BITS
        if not bits & REWARDED:
            return bits, 0
        gain = int(self._block[BLOCK_REWARD])
        return bits, gain if self.learner % 2 == 0 else -gain

    def _answer(self) -> tuple[Array, dict[str, Any]]:
        """Return the learner's observation and info."""
        observation, mask = self.see(self.learner)
        return observation, {"action_mask": mask, "seat": self.learner}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the learner's legal actions, `[A] bool`; none once the episode is over.

        Raises:
            OrderError: `reset` has not been called.
        """
        self._check_begun("action_masks")
        return self.see(self.learner)[1].astype(np.bool_)

    def render(self) -> Any:
        """Draw the table as the learner knows it; None without a render mode.

        Returns:
            Text for ``"ansi"``, `[H, W, 3] uint8` for ``"rgb_array"``, None for ``"human"``.

        Raises:
            MissingExtraError: Drawing takes a library that is not installed.
            OrderError: `reset` has not been called.
        """
        self._check_begun("render")
        return self._show(self.learner)

    def close(self) -> None:
        """Close the window, if one is open."""
        Table.close(self)

    def _check_begun(self, what: str) -> None:
        if not self._begun:
            raise OrderError(f"{what} was called before reset; call reset() first")

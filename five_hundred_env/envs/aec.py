"""Five Hundred as a PettingZoo AEC environment: seats act one at a time.

`raw_env` trusts its caller; `env` checks order, type and range of what it is given. Both leave legality to the compiled
step, which knows it anyway, so neither needs PettingZoo's stack of wrappers, each of which costs more than the game.

Rules: R2.1, R3.1, R4.2, R6.1, R10.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv

from five_hundred_env.core.constants import N_ACTIONS, SEATS
from five_hundred_env.core.drive import BLOCK_REWARD, REWARDED, TERMINATED, TRUNCATED, step_block
from five_hundred_env.envs.table import (
    FRAMES_A_SECOND,
    MASK_PLACES,
    MOVER_BITS,
    RENDER_MODES,
    Table,
    action_id,
    mask_box,
    observation_box,
    state_box,
)
from five_hundred_env.errors import OptionError, OrderError
from five_hundred_env.tables import AnyRules, check_choice

AGENTS = tuple(f"player_{seat}" for seat in range(SEATS))
"""Names of the seats, clockwise; 0 and 2 are partners."""
SEAT_OF = {name: seat for seat, name in enumerate(AGENTS)}

MOVER = (1 << MOVER_BITS) - 1
BEFORE_RESET, AT_THE_END = -2, -1

Observation = Any
"""``{"observation": [O] int8, "action_mask": [A] int8}``, or `[O] int8` with ``mask_in="info"``."""


class DeadStepError(OrderError, ValueError):
    """An action for a seat whose episode is over; PettingZoo raises ValueError for it."""


class FiveHundred(Table, AECEnv):
    """The AEC environment itself, which trusts its caller (`five_hundred_v0.raw_env`).

    Observations are ``{"observation": [O] int8, "action_mask": [A] int8}``, or the first alone with
    ``mask_in="info"``; an action is an integer from 0 to 79 (`five_hundred_env.actions`). Rewards are floats. Pickling
    and copying keep the position.

    Args:
        rules: A `Rules`, the name of a profile, or a mapping of options.
        episode: ``"game"`` ends when a side has won (R10), ``"deal"`` after one deal.
        reward: ``"points"``: at the end of a deal the points of the own side less those of the other, by 100.
            ``"win"``: +1 or -1 at the end of the game; with ``episode="deal"`` the sign of the difference.
            ``"tricks"``: as points, plus 0.1 for each trick of the own side and less 0.1 for each of the other; in
            misères 1 for the trick that breaks them instead.
        max_deals: A game is truncated after so many deals (R10.4).
        illegal: ``"raise"``: IllegalActionError, and nothing has changed. ``"lose"``: the episode ends; the side gets
            the least that a deal can bring, the other its negative.
        mask_in: ``"obs"`` or ``"info"``, where the action mask is found.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.

    Raises:
        OptionError: An argument is none of its values.
        RulesError: The rules are unknown.

    Attributes:
        agent_selection: The seat to move, `player_0` to `player_3`.
        possible_agents: All four names.
        state_space: Space of `state()`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "five_hundred_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": FRAMES_A_SECOND,
    }

    KEPT: ClassVar[tuple[str, ...]] = (
        *Table.KEPT,
        "agents",
        "agent_selection",
        "rewards",
        "_cumulative_rewards",
        "terminations",
        "truncations",
        "infos",
        "_seat",
        "_rewarded",
        "_unusual",
    )

    def __init__(
        self,
        rules: AnyRules = "australian",
        episode: str = "game",
        reward: str = "points",
        max_deals: int = 100,
        illegal: str = "raise",
        mask_in: str = "obs",
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, rules, episode, reward, max_deals, illegal, mask_in, render_mode)
        AECEnv.__init__(self)
        Table.__init__(self, rules, episode, reward, max_deals, illegal, render_mode)
        self.mask_in = check_choice(mask_in, "mask_in", MASK_PLACES)
        self._mask_in_info = mask_in == "info"
        self._attended = self._mask_in_info or render_mode == "human"
        self.possible_agents = list(AGENTS)
        self.action_spaces = {name: spaces.Discrete(N_ACTIONS) for name in AGENTS}
        self.observation_spaces = {name: self._observation_space() for name in AGENTS}
        self.state_space = state_box()
        self._seat = BEFORE_RESET

    def _observation_space(self) -> spaces.Space[Any]:
        if self._mask_in_info:
            return observation_box()
        return spaces.Dict({"observation": observation_box(), "action_mask": mask_box()})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a seat's observations, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a seat's actions, the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: Where dealer and cards come from: ``Game(rules, seed=seed)`` deals the same. None goes on with the
                generator that the last seed made.
            options: ``deal``, as `Game.from_deal` reads it; ``dealer``, a seat (0 where only a deal is given);
                ``scores``, the totals of both sides. Others are ignored.

        Raises:
            NotationError: The deal is no deal of the pack.
            OptionError: Seed, dealer or scores are out of range. In both cases nothing has changed.
        """
        self._seat = self._begin(seed, options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in AGENTS}
        self.agent_selection = AGENTS[self._seat]
        self._rewarded = False
        self._unusual = self._attended
        if self._attended:
            self._attend()

    def step(self, action: Any) -> None:
        """Do an action of `agent_selection`; None for a seat whose episode is over.

        Args:
            action: An integer, or what `int` makes one of.

        Raises:
            IllegalActionError: The rules forbid it, with ``illegal="raise"``; nothing has changed.
            OrderError: There is no seat to act.
        """
        seat = self._seat
        if seat < 0:
            self._step_dead(action)
            return
        code = step_block(self._block, action if type(action) is int else int(action))
        if self._unusual or not 0 < code <= MOVER:
            self._go_on(seat, code, action)
            return
        self._cumulative_rewards[AGENTS[seat]] = 0.0
        self._seat = mover = code - 1
        self.agent_selection = AGENTS[mover]

    def _go_on(self, seat: int, code: int, action: Any) -> None:
        """Take over what an action has brought about: rewards, the end, a refusal; `step` does the usual case itself.

        Args:
            seat: Who acted.
            code: What `step_block` answered.
            action: The action, for the error.
        """
        if code < 0:
            self._answer_illegal(action)
            return
        self._cumulative_rewards[AGENTS[seat]] = 0.0
        if self._rewarded:
            self.rewards = dict.fromkeys(AGENTS, 0.0)
            self._rewarded = False
        if code > MOVER:
            self._note(code >> MOVER_BITS)
        self._seat = mover = (code & MOVER) - 1
        if mover >= 0:
            self.agent_selection = AGENTS[mover]
        self._unusual = self._rewarded or self._attended
        if self._attended:
            self._attend(seat)

    def _attend(self, seat: int | None = None) -> None:
        """Renew masks in infos, of all seats or of one and the mover, and the picture, where they are wanted."""
        if self._mask_in_info:
            self._renew_infos(AGENTS if seat is None else (AGENTS[seat],))
        if self.render_mode == "human":
            self.render()

    def _note(self, bits: int) -> None:
        """Write rewards and the end of the episode, from the bits of a step."""
        if bits & REWARDED:
            self._pay(self._block.item(BLOCK_REWARD) / 1000)
        if bits & TERMINATED:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif bits & TRUNCATED:
            self.truncations = dict.fromkeys(AGENTS, True)
        if bits & (TERMINATED | TRUNCATED):
            self.agent_selection = AGENTS[0]

    def _pay(self, gain: float) -> None:
        """Give side 0 a reward and side 1 its negative."""
        loss = 0.0 - gain
        self.rewards = dict(zip(AGENTS, (gain, loss, gain, loss), strict=True))
        for name, reward in self.rewards.items():
            self._cumulative_rewards[name] += reward
        self._rewarded = True

    def _step_dead(self, action: Any) -> None:
        """Take a seat whose episode is over out of the environment."""
        if self._seat == BEFORE_RESET:
            raise OrderError("step was called before reset; call reset() first")
        if not self.agents:
            raise OrderError("the episode is over and every seat has left; call reset() first")
        if action is not None:
            raise DeadStepError(
                f"the episode of {self.agent_selection} is over: its only action is None, not {action!r}"
            )
        name = self.agent_selection
        self.agents.remove(name)
        for table in (self.terminations, self.truncations, self._cumulative_rewards, self.infos):
            del table[name]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def _answer_illegal(self, action: Any) -> None:
        """Refuse an illegal action, or let its side lose the episode.

        Raises:
            IllegalActionError: With ``illegal="raise"``, or when it is no integer.
        """
        if self.illegal == "raise" or action_id(action) is None:
            raise self._refused(action)
        seat = self._seat
        self._forfeited = True
        self._cumulative_rewards[AGENTS[seat]] = 0.0
        self._pay(self._forfeit_reward() * (1 if seat % 2 == 0 else -1))
        self.terminations = dict.fromkeys(AGENTS, True)
        self._seat = AT_THE_END
        self.agent_selection = AGENTS[0]
        if self._attended:
            self._attend(seat)

    def _renew_infos(self, names: tuple[str, ...]) -> None:
        """Empty the masks of some seats and write the mover's; new arrays, so that a caller may keep the old ones."""
        for name in names:
            self.infos[name] = {"action_mask": np.zeros(N_ACTIONS, np.int8)}
        if self._seat >= 0:
            self.infos[self.agent_selection] = {"action_mask": self._mask.copy()}

    def observe(self, agent: str) -> Observation:
        """Return what a seat knows, whoever is to move; nothing changes, and the arrays are the caller's to keep.

        Raises:
            OptionError: No seat is called that.
            OrderError: `reset` has not been called.

        Rules: R11.
        """
        self._check_begun("observe")
        if agent not in SEAT_OF:
            raise OptionError(f"no seat is called {agent!r}; seats are {', '.join(AGENTS)}")
        observation, mask = self.see(SEAT_OF[agent])
        return observation if self._mask_in_info else {"observation": observation, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last action, terminated, truncated and info of `agent_selection`.

        Raises:
            OrderError: `reset` has not been called.
        """
        seen = None
        if self._seat < 0:
            self._check_begun("last")
            name = self.agent_selection
            if observe:
                observation, mask = self.see(SEAT_OF[name])
                seen = observation if self._mask_in_info else {"observation": observation, "action_mask": mask}
            over, cut = self.terminations[name], self.truncations[name]
            return seen, self._cumulative_rewards[name], over, cut, self.infos[name]
        name = self.agent_selection
        if observe:
            seen = self._observation.copy()
            if not self._mask_in_info:
                seen = {"observation": seen, "action_mask": self._mask.copy()}
        return seen, self._cumulative_rewards[name], False, False, self.infos[name]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Return an iterator over `agent_selection`, to be followed by a `step` each time.

        Raises:
            OrderError: `reset` has not been called.
        """
        self._check_begun("agent_iter")
        return self._turns(max_iter)

    def _turns(self, count: int) -> Iterator[str]:
        while count > 0 and self.agents:
            yield self.agent_selection
            count -= 1

    def render(self) -> Any:
        """Draw the table as the seat to move knows it, after the end with open cards; None without a render mode.

        Returns:
            Text for ``"ansi"``, `[H, W, 3] uint8` for ``"rgb_array"``, None for ``"human"``.

        Raises:
            MissingExtraError: Drawing takes a library that is not installed.
            OrderError: `reset` has not been called.
        """
        self._check_begun("render")
        return self._show(self._seat if self._seat >= 0 else None)

    def close(self) -> None:
        """Close the window, if one is open."""
        Table.close(self)

    @property
    def is_playing(self) -> bool:
        """Whether a seat is to move."""
        return self._seat >= 0

    def _check_begun(self, what: str) -> None:
        if self._seat == BEFORE_RESET:
            raise OrderError(f"{what} was called before reset; call reset() first")


class CheckedFiveHundred(FiveHundred):
    """`FiveHundred` that checks what its caller does (`five_hundred_v0.env`).

    On top of legality: the type of an action, so that 3.7, NaN, True or text are no actions; its range; and that
    `agent_iter` is followed by a `step`.
    """

    _stepped = True

    def step(self, action: Any) -> None:
        """Do an action of `agent_selection`; None for a seat whose episode is over.

        Args:
            action: An integer of any library.

        Raises:
            IllegalActionError: It is no integer, or with ``illegal="raise"`` the rules forbid it; nothing has changed.
            OrderError: There is no seat to act.
        """
        seat = self._seat
        if seat < 0:
            self._step_dead(action)
            self._stepped = True
            return
        if type(action) is int:
            number = action
        else:
            whole = action_id(action)
            if whole is None:
                raise self._refused(action)
            number = whole
        self._stepped = True
        # Integers of more than 64 bits do not fit the compiled step.
        code = step_block(self._block, number) if 0 <= number < N_ACTIONS else -1
        if self._unusual or not 0 < code <= MOVER:
            self._go_on(seat, code, number)
            return
        self._cumulative_rewards[AGENTS[seat]] = 0.0
        self._seat = mover = code - 1
        self.agent_selection = AGENTS[mover]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode, as `FiveHundred.reset` does."""
        super().reset(seed, options)
        self._stepped = True

    def _turns(self, count: int) -> Iterator[str]:
        self._stepped = True
        while count > 0 and self.agents:
            if not self._stepped:
                raise OrderError("agent_iter went on without step() or reset(); step with None once a seat is done")
            self._stepped = False
            yield self.agent_selection
            count -= 1


def env(
    rules: AnyRules = "australian",
    episode: str = "game",
    reward: str = "points",
    max_deals: int = 100,
    illegal: str = "raise",
    mask_in: str = "obs",
    render_mode: str | None = None,
) -> CheckedFiveHundred:
    """Return the AEC environment with all checks; arguments and errors as `FiveHundred` has them."""
    return CheckedFiveHundred(rules, episode, reward, max_deals, illegal, mask_in, render_mode)


raw_env = FiveHundred

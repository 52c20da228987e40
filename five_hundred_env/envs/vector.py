"""The seat environment in batches: a native Gymnasium `VectorEnv` whose other seats act together.

Rules: R2.1, R10.4, R11.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from five_hundred_env import notation
from five_hundred_env.core import observe
from five_hundred_env.core.constants import MAX_DEALS, N_ACTIONS, SEATS
from five_hundred_env.core.drive import EPISODES, REWARDS, least_reward
from five_hundred_env.core.rules import as_rules
from five_hundred_env.core.state import N_COLUMNS, SEED
from five_hundred_env.envs import seat_drive
from five_hundred_env.envs.seat import AnyAgent, bad_answer, load_others
from five_hundred_env.envs.seat_drive import GAIN, LAST_LEARNER, LEARNER, MOVER, N_NOTES
from five_hundred_env.envs.table import FRAMES_A_SECOND, ILLEGAL, Array, draw, fresh_row, observation_box, seed_after
from five_hundred_env.errors import IllegalActionError, OptionError, OrderError
from five_hundred_env.tables import AnyRules, check_choice, check_count

PICTURES = ("ansi", "rgb_array")
Numbers = npt.NDArray[np.int64]
Answer = tuple[Array, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """Many learners' seats at once, ``gymnasium.make_vec("FiveHundred/Seat-v0", num_envs=1024)``.

    Table i plays what `SeatEnv` plays that was reset with the i-th seed. A finished episode is followed by the next
    within the same step (``AutoresetMode.SAME_STEP``): the observation is the next episode's first one, and
    ``info["final_obs"]``, ``info["final_info"]`` hold what the learner saw at the end.

    Args:
        num_envs: How many tables, B.
        seat: The learner's seat, 0 to 3; None draws one for each episode.
        partner: Agent of the seat opposite.
        opponents: Agent of the seats to the left and to the right.
        illegal: ``"lose"`` or ``"raise"``; an error names the table, and no table has moved.
        rules: A `Rules`, the name of a profile, or a mapping of options.
        episode: ``"game"`` or ``"deal"``.
        reward: ``"points"``, ``"win"`` or ``"tricks"``.
        max_deals: A game is truncated after so many deals.
        render_mode: ``"ansi"``, ``"rgb_array"`` or None.

    Raises:
        AgentError: An agent can not be found.
        OptionError: An argument is none of its values.
        RulesError: The rules are unknown.

    Attributes:
        others: The agents of the other seats.
        rows: `[B, N_COLUMNS] int64` state rows; read them, do not write to them.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by the library)
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(PICTURES),
        "render_fps": FRAMES_A_SECOND,
    }

    def __init__(
        self,
        num_envs: int = 1,
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
        super().__init__()
        self.num_envs = check_count(num_envs, "num_envs", "environments")
        self.rules = as_rules(rules)
        self.illegal = check_choice(illegal, "illegal", ILLEGAL)
        self.episode = check_choice(episode, "episode", EPISODES)
        self.reward = check_choice(reward, "reward", REWARDS)
        self.max_deals = check_count(max_deals, "max_deals", "deals", MAX_DEALS)
        self.render_mode = None if render_mode is None else check_choice(render_mode, "render_mode", PICTURES)
        self.fixed_seat = None if seat is None else notation.check_seat(seat, "seat")
        self.others = load_others(partner, opponents)
        self.single_observation_space = observation_box()
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._allocate()
        self._begun = False
        self._ready = False

    def _allocate(self) -> None:
        """Make the buffers that kernels write."""
        n = self.num_envs
        fixed = -1 if self.fixed_seat is None else self.fixed_seat
        kinds = (REWARDS.index(self.reward), EPISODES.index(self.episode), self.max_deals, fixed)
        self._control = np.array([*kinds, least_reward(self.reward, self.rules.row)], np.int64)
        self._rules = self.rules.row[np.newaxis].copy()
        self.rows = np.zeros((n, N_COLUMNS), np.int64)
        self._notes = np.zeros((n, N_NOTES), np.int64)
        self._words = np.zeros((n, observe.OBSERVATION_WORDS), np.int64)
        self._mask_words = np.zeros((n, observe.MASK_WORDS), np.int64)
        self._final_words = np.zeros((n, observe.OBSERVATION_WORDS), np.int64)
        self._flags = np.zeros((2, n), np.bool_)
        self._observation = self._words.view(np.int8)
        self._mask = self._mask_words.view(np.int8)
        self._final = self._final_words.view(np.int8)
        self._all = np.arange(n)

    def set_agents(self, partner: AnyAgent | None = None, opponents: AnyAgent | None = None) -> None:
        """Exchange agents, for self-play; None keeps the present one. It counts from their next decision on.

        Raises:
            AgentError: An agent can not be found.
        """
        self.others = load_others(partner or self.others.partner, opponents or self.others.opponents)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode at every table and play until the learners are to move.

        Args:
            seed: Table i gets ``seed + i``, or the i-th of a sequence; None goes on with the table's own generator.
            options: ``deal``, ``dealer``, ``scores`` for every table, as in `five_hundred_v0.env`.

        Returns:
            Observations `[B, O] int8` and infos.

        Raises:
            AgentError: An agent answered with an illegal action.
            NotationError: The deal is no deal of the pack; nothing has changed.
            OptionError: Seeds, dealer or scores are out of range; nothing has changed.
        """
        seeds = self._seeds_of_reset(seed)
        rows = np.stack([fresh_row(self.rules, table_seed, options) for table_seed in seeds])
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.rows[:] = rows
        self._begun = True
        self._ready = False  # until the other seats have played: an agent may fail
        fixed = int(self._control[3])
        seat_drive.begin_seats(self.rows, self._notes, fixed, self._observation, self._words, self._mask_words)
        self._flags[:] = False
        self._play_others()
        return self._observation.copy(), self._infos()

    def _seeds_of_reset(self, seed: Any) -> list[Any]:
        """Return the seed of each table."""
        if seed is None:
            seed = [None] * self.num_envs
        elif not isinstance(seed, Sequence | np.ndarray):
            first = notation.check_seed(seed)
            seed = [(first + n) % notation.SEED_LIMIT for n in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"{self.num_envs} environments take as many seeds, not {len(seed)}")
        return [self._following_seed(n) if own is None else own for n, own in enumerate(seed)]

    def _following_seed(self, table: int) -> int:
        return seed_after(int(self.rows[table, SEED])) if self._begun else secrets.randbits(64)

    def step(self, actions: npt.ArrayLike) -> Answer:
        """Do an action of every learner, then play until all of them are to move again.

        Args:
            actions: `[B]` integers.

        Returns:
            Observations `[B, O] int8`, rewards `[B] float64`, terminated and truncated `[B] bool`, infos. All arrays
            are the caller's to keep.

        Raises:
            AgentError: An agent answered with an illegal action.
            IllegalActionError: With ``illegal="raise"``, an action is illegal; no table has moved.
            OptionError: `actions` has another shape or another type.
            OrderError: `reset` has not been called.
        """
        self._check_begun("step")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise OptionError(
                f"actions are integers of shape ({self.num_envs},), not {given.dtype} of shape {given.shape}"
            )
        chosen = given.astype(np.int64)
        wrong = np.zeros(self.num_envs, np.bool_)
        illegal = seat_drive.mark_illegal(self.rows, self._all, chosen, wrong)
        if illegal and self.illegal == "raise":
            raise self._refused(int(np.flatnonzero(wrong)[0]), chosen)
        self._notes[:, GAIN] = 0
        self._flags[:] = False
        self._ready = False
        self._apply(np.flatnonzero(~wrong) if illegal else self._all, chosen[~wrong] if illegal else chosen)
        if illegal:
            seat_drive.forfeit_seats(self.rows, self._notes, np.flatnonzero(wrong), *self._shared())
        self._play_others()
        terminated, truncated = self._flags.copy()
        return self._observation.copy(), self._notes[:, GAIN] / 1000, terminated, truncated, self._infos()

    def _shared(self) -> tuple[Any, ...]:
        """Return what the kernels that step take as their last arguments."""
        buffers = (self._observation, self._words, self._mask_words, self._final, self._final_words, self._flags)
        return self._control, self._rules, *buffers

    def _apply(self, acting: Numbers, actions: Numbers) -> None:
        seat_drive.step_seats(self.rows, self._notes, acting, actions, *self._shared())

    def _refused(self, table: int, actions: Numbers) -> IllegalActionError:
        error = notation.illegal_action(self.rows[table], int(actions[table]))
        error.args = (f"environment {table}: {error}",)
        return error

    def _play_others(self) -> None:
        """Let the other seats act, all tables together, until every learner is to move."""
        while True:
            relative = (self._notes[:, MOVER] - self._notes[:, LEARNER]) % SEATS
            acting = np.flatnonzero(relative)
            if not acting.size:
                self._ready = True
                return
            self._apply(acting, self._choose(acting, relative[acting]))

    def _choose(self, acting: Numbers, relative: Numbers) -> Numbers:
        """Return what the agents do at some tables, `[K] int64`.

        Raises:
            AgentError: An agent answered with an illegal action.
        """
        keys = np.empty(acting.size, np.int64)
        seat_drive.decision_keys(self.rows, self._notes, acting, keys)
        actions = np.empty(acting.size, np.int64)
        if self.others.partner is self.others.opponents:
            groups = [(self.others.partner, np.arange(acting.size))]
        else:
            partners = relative == 2
            groups = [
                (self.others.partner, np.flatnonzero(partners)),
                (self.others.opponents, np.flatnonzero(~partners)),
            ]
        for agent, group in groups:
            if not group.size:
                continue
            tables = acting[group]
            answers = agent.act(self._observation[tables], self._mask[tables], keys[group].view(np.uint64))
            actions[group] = answers
            wrong = np.zeros(group.size, np.bool_)
            if seat_drive.mark_illegal(self.rows, tables, actions[group], wrong):
                first = int(np.flatnonzero(wrong)[0])
                raise bad_answer(agent, answers[first], self.rows[tables[first]])
        return actions

    def _infos(self) -> dict[str, Any]:
        """Return masks and seats of the learners, and of those whose episode has ended what they saw last."""
        every = np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {
            "action_mask": self._mask.copy(),
            "_action_mask": every,
            "seat": self._notes[:, LEARNER].copy(),
            "_seat": every.copy(),
        }
        done = self._flags.any(axis=0)
        if done.any():
            last = np.full(self.num_envs, None, object)
            for table in np.flatnonzero(done):
                last[table] = self._final[table].copy()
            infos["final_obs"], infos["_final_obs"] = last, done
            infos["final_info"] = {
                "action_mask": np.zeros_like(self._mask),
                "_action_mask": done.copy(),
                "seat": np.where(done, self._notes[:, LAST_LEARNER], 0),
                "_seat": done.copy(),
            }
            infos["_final_info"] = done.copy()
        return infos

    def _check_begun(self, what: str) -> None:
        if not self._ready:
            raise OrderError(f"{what} was called before reset, or after an agent failed; call reset() first")

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the learners' legal actions, `[B, A] bool`.

        Raises:
            OrderError: `reset` has not been called.
        """
        self._check_begun("action_masks")
        return self._mask.astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Draw every table as its learner knows it; None without a render mode.

        Raises:
            MissingExtraError: The library for pictures is not installed.
            OrderError: `reset` has not been called.
        """
        self._check_begun("render")
        if self.render_mode is None:
            return None
        learners = self._notes[:, LEARNER].tolist()
        return tuple(draw(row, seat, self.render_mode) for row, seat in zip(self.rows, learners, strict=True))

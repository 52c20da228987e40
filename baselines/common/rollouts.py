"""Where transitions come from: one interface, two sources.

`TablesSource` steps many tables in compiled code. `PettingZooSource` plays the loop that PettingZoo documents
(`agent_iter`, `last`, `step`), one environment a table; it is slow, and shows that nothing here hangs on the fast way.
Both give the same transitions for the same seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from baselines.common.networks import HIDDEN_SIZE, Inputs
from five_hundred_env import Tables, five_hundred_v0
from five_hundred_env.agents.suits import ACTION_ORDER, CARD_ORDER, turn_actions
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.constants import N_ACTIONS, SEATS
from five_hundred_env.core.observe import (
    AT_HAND,
    AT_KITTY,
    CARD_PLACES,
    OBSERVATION_SIZE,
    OBSERVATION_WORDS,
    Bytes,
    write_observation,
)
from five_hundred_env.core.philox import next_seed, table_seed

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Source(Protocol):
    """B tables that wait for a decision each and begin anew by themselves; all of a run, or a part of them.

    Attributes:
        n: B.
        part: Which tables of the run they are.
        observation: `[B, O] int8` what the movers may know.
        mask: `[B, A] int8` their legal actions.
        seat: `[B] int64` the movers.
        reward: `[B, S] float32` what each seat was told it got, of the last step.
        done: `[B] bool` whether the last step ended what rewards are about, the episode as a rule.
        ended: `[B] bool` whether it ended the episode.
        final_observation: `[B, O] int8` where `ended`: the end, as a seat saw it.
    """

    n: int
    part: slice
    observation: Bytes
    mask: Bytes
    seat: Integers
    reward: Floats
    done: Flags
    ended: Flags
    final_observation: Bytes

    def step(self, actions: Integers) -> None:
        """Take a decision `[B]` at each table."""

    def state(self) -> Bytes:
        """Return `[B, T] int8`, the whole deals."""

    def observe_seats(self) -> Bytes:
        """Return `[B, S, O] int8`, what each seat may know now."""

    def save(self) -> bytes:
        """Return everything that the next steps depend on."""

    def load(self, data: bytes) -> None:
        """Go on from what `save` returned, or `join` of all parts of the run."""

    def join(self, parts: Sequence[bytes]) -> bytes:
        """Return what `save` would of all tables of a run, from what it returned of each part in their order."""


@kernel
def _observe_all(rows: npt.NDArray[np.int64], out: npt.NDArray[np.int8], words: npt.NDArray[np.int64]) -> None:
    """Write what every seat of every table may know."""
    for table in range(rows.shape[0]):
        for seat in range(SEATS):
            write_observation(rows[table], seat, out[table, seat], words[table, seat])


class TablesSource:
    """Transitions from `five_hundred_env.Tables`."""

    def __init__(
        self,
        n: int,
        seed: int,
        rules: str = "australian",
        episode: str = "deal",
        reward: str = "points",
        threads: int = 1,
        skip_forced: bool = True,
        part: slice | None = None,
    ) -> None:
        """Begin the games.

        Args:
            n: Tables of the run.
            seed: As for `Tables`, and so the others.
            rules: Profile of the rules.
            episode: `deal` or `game`.
            reward: What seats are told.
            threads: Threads of a step.
            skip_forced: Whether decisions with one legal action are taken without asking.
            part: The tables of the run that are played here; none: all.
        """
        self.part = slice(0, n) if part is None else part
        self.n = self.part.stop - self.part.start
        self._use(
            Tables(
                n,
                rules=rules,
                seed=seed,
                episode=episode,
                reward=reward,
                threads=threads,
                skip_forced=skip_forced,
            )
        )

    def _use(self, tables: Tables) -> None:
        """Play at these tables, or at the part of them that is played here."""
        if tables.n != self.n:
            tables = tables.part(self.part.start, self.n)
        self.tables = tables
        self.observation, self.mask, self.seat = tables.observation, tables.mask, tables.seat
        self.reward, self.final_observation = tables.reward, tables.final_observation
        self.done = self.ended = tables.done

    def step(self, actions: Integers) -> None:
        """Take a decision `[B]` at each table."""
        self.tables.step(actions)

    def state(self) -> Bytes:
        """Return `[B, T] int8`, the whole deals."""
        return self.tables.state

    def observe_seats(self) -> Bytes:
        """Return `[B, S, O] int8`, what each seat may know now."""
        words = np.zeros((self.n, SEATS, OBSERVATION_WORDS), np.int64)
        out = words.view(np.int8)
        _observe_all(self.tables.rows, out, words)
        return out

    def save(self) -> bytes:
        """Return everything that the next steps depend on."""
        return self.tables.save()

    def load(self, data: bytes) -> None:
        """Go on from what `save` returned, or `join` of all parts of the run."""
        self._use(Tables.load(data))

    def join(self, parts: Sequence[bytes]) -> bytes:
        """Return what `save` would of all tables of a run, from what it returned of each part in their order."""
        return parts[0] if len(parts) == 1 else Tables.join([Tables.load(data) for data in parts]).save()


class PettingZooSource:
    """Transitions from `five_hundred_v0.env`, played in the loop that PettingZoo documents, one environment a table.

    A seat is told its reward when it is asked next, or when the episode is over: later than `TablesSource` tells it,
    and within the same decision of its own.
    """

    def __init__(
        self,
        n: int,
        seed: int,
        rules: str = "australian",
        episode: str = "deal",
        reward: str = "points",
        skip_forced: bool = True,
        part: slice | None = None,
    ) -> None:
        """Begin the games; arguments as of `TablesSource`."""
        self.part = slice(0, n) if part is None else part
        self.n = n = self.part.stop - self.part.start
        self.skip_forced = skip_forced
        self.observation = np.zeros((n, OBSERVATION_SIZE), np.int8)
        self.mask = np.zeros((n, N_ACTIONS), np.int8)
        self.seat = np.zeros(n, np.int64)
        self.reward = np.zeros((n, SEATS), np.float32)
        self.done = self.ended = np.zeros(n, np.bool_)
        self.final_observation = np.zeros((n, OBSERVATION_SIZE), np.int8)
        self._environments = [five_hundred_v0.env(rules=rules, episode=episode, reward=reward) for _ in range(n)]
        self._seeds = [table_seed(_signed(seed), table) for table in range(self.part.start, self.part.stop)]
        self._taken: list[list[int]] = [[] for _ in range(n)]
        self._begin()

    def _begin(self) -> None:
        """Play each table up to its first decision."""
        self._loops = [self._play(table) for table in range(self.n)]
        for loop in self._loops:
            next(loop)

    def _play(self, table: int) -> Generator[None, int, None]:
        """Play episode after episode at one table, with a pause at each decision."""
        environment = self._environments[table]
        while True:
            environment.reset(seed=self._seeds[table] % 2**64)
            for name in environment.agent_iter():
                observation, reward, terminated, truncated, _ = environment.last()
                seat = environment.possible_agents.index(name)
                self.reward[table, seat] += reward
                action = None
                if not (terminated or truncated):
                    action = yield from self._choose(table, seat, observation)
                elif not self.done[table]:
                    self._end(table, environment)
                environment.step(action)

    def _choose(self, table: int, seat: int, seen: dict[str, Bytes]) -> Generator[None, int, int]:
        """Show a decision, wait for the answer, and forget what the step before brought about."""
        legal = np.flatnonzero(seen["action_mask"])
        if self.skip_forced and len(legal) == 1:
            return int(legal[0])
        self.observation[table], self.mask[table], self.seat[table] = seen["observation"], seen["action_mask"], seat
        action = yield
        self._taken[table].append(action)
        self.reward[table] = 0
        self.done[table] = False
        return action

    def _end(self, table: int, environment: Any) -> None:
        """Note the end of an episode, as seat 0 sees it, and the seed of the next one."""
        self.done[table] = True
        self.final_observation[table] = environment.observe(environment.possible_agents[0])["observation"]
        self._seeds[table] = next_seed(self._seeds[table])
        self._taken[table] = []

    def step(self, actions: Integers) -> None:
        """Take a decision `[B]` at each table."""
        for loop, action in zip(self._loops, actions.tolist(), strict=True):
            loop.send(action)

    def state(self) -> Bytes:
        """Return `[B, T] int8`, the whole deals."""
        return np.stack([environment.state() for environment in self._environments])

    def observe_seats(self) -> Bytes:
        """Return `[B, S, O] int8`, what each seat may know now."""
        return np.array(
            [
                [environment.observe(name)["observation"] for name in environment.possible_agents]
                for environment in self._environments
            ]
        )

    def save(self) -> bytes:
        """Return everything that the next steps depend on: the deals, and what was done in them."""
        return json.dumps({"seeds": self._seeds, "taken": self._taken}).encode()

    def load(self, data: bytes) -> None:
        """Go on from what `save` returned, or `join` of all parts: deal again, and do again what was done."""
        saved = json.loads(data)
        part = self.part if len(saved["seeds"]) != self.n else slice(None)
        self._seeds, self._taken = saved["seeds"][part], [[] for _ in range(self.n)]
        self._begin()
        for loop, actions in zip(self._loops, saved["taken"][part], strict=True):
            for action in actions:
                loop.send(action)

    def join(self, parts: Sequence[bytes]) -> bytes:
        """Return what `save` would of all tables of a run, from what it returned of each part in their order."""
        saved = [json.loads(data) for data in parts]
        return json.dumps(
            {name: [entry for each in saved for entry in each[name]] for name in ("seeds", "taken")}
        ).encode()


def _signed(seed: int) -> int:
    """Return 64 bits as a signed integer."""
    return seed - 2**64 if seed >= 2**63 else seed


def hidden_cards(state: Bytes, seat: Integers, turns: Integers) -> Bytes:
    """Return the cards that a seat may not know, as a centralised critic sees them.

    Args:
        state: `[B, T] int8`.
        seat: `[B]` observing seats.
        turns: `[B]` how suits are turned (`five_hundred_env.agents.suits`).

    Returns:
        `[B, HIDDEN_SIZE] int8`: hands of the seat's left, partner and right, then the kitty.
    """
    hands = np.concatenate([state[:, AT_HAND : AT_HAND + CARD_PLACES], state[:, OBSERVATION_SIZE:]], axis=1)
    hands = hands.reshape(len(state), SEATS, CARD_PLACES)
    others = (seat[:, None] + np.arange(1, SEATS)) % SEATS
    out = np.empty((len(state), SEATS, CARD_PLACES), np.int8)
    out[:, : SEATS - 1] = hands[np.arange(len(state))[:, None], others]
    out[:, SEATS - 1] = state[:, AT_KITTY : AT_KITTY + CARD_PLACES]
    turned = np.flatnonzero(turns)
    out[turned] = np.take_along_axis(out[turned], CARD_ORDER[turns[turned], None], axis=2)
    return out.reshape(len(state), HIDDEN_SIZE)


@dataclass
class Rollout:
    """T decisions at each of B tables, in the order they were taken."""

    places: Bytes  # [T, B, I] what the network looks at of the observations
    mask: Bytes  # [T, B, A], turned as the places are
    hidden: Bytes  # [T, B, HIDDEN_SIZE], or [T, B, 0] when no critic looks
    seat: Integers  # [T, B]
    action: Integers  # [T, B], turned as the places are
    log_probability: Floats  # [T, B] of the action when it was taken
    learner: Flags  # [T, B] whether the policy in training took it
    best: Bytes  # [T, B, A] the best actions where a teacher took it, turned as the places are; else zeros
    reward: Floats  # [T, B, S]
    done: Flags  # [T, B]
    last_places: Bytes  # [B, S, I] of what each seat may know after the last step
    last_hidden: Bytes  # [B, S, HIDDEN_SIZE] or [B, S, 0]
    ends: Bytes  # [E, O] final observations of the episodes that ended


class Decisions(NamedTuple):
    """B decisions."""

    action: Integers  # [B]
    log_probability: Floats  # [B]; 0 where no learner decided
    learner: Flags  # [B]
    best: Bytes | None = None  # [B, A] where a teacher decided, its best actions, turned; else zeros


class Seen(NamedTuple):
    """What a network looks at: B decisions, turned (`five_hundred_env.agents.suits`) or not."""

    places: Bytes  # [B, I]
    mask: Bytes  # [B, A]
    turns: Integers  # [B]


Act = Callable[[Source, Seen], Decisions]
"""What chooses at each table; its actions are those of the table, not turned."""


def collect(source: Source, act: Act, steps: int, inputs: Inputs, central: bool = True) -> Rollout:
    """Take T decisions at each table.

    Args:
        source: The tables; they go on where they stand.
        act: Chooses.
        steps: T.
        inputs: Which places of the observations to write down.
        central: Whether to write down the hidden cards.
    """
    rollout, ends = _empty(steps, source.n, len(inputs), HIDDEN_SIZE if central else 0), []
    for t in range(steps):
        turns = inputs.turns(source.observation)
        seen = Seen(inputs.pack(source.observation, turns), turn_actions(source.mask, turns), turns)
        rollout.places[t], rollout.mask[t], rollout.seat[t] = seen.places, seen.mask, source.seat
        if central:
            rollout.hidden[t] = hidden_cards(source.state(), source.seat, turns)
        decisions = act(source, seen)
        rollout.action[t] = ACTION_ORDER[turns, decisions.action]
        rollout.log_probability[t], rollout.learner[t] = decisions.log_probability, decisions.learner
        rollout.best[t] = 0 if decisions.best is None else decisions.best
        source.step(decisions.action)
        rollout.reward[t], rollout.done[t] = source.reward, source.done
        ends.append(source.final_observation[source.ended])  # a copy
    rollout.ends = np.concatenate(ends)
    seats = source.observe_seats()
    rollout.last_places[:] = inputs.pack(seats)
    if central:
        state = source.state()
        for seat in range(SEATS):
            turns = inputs.turns(seats[:, seat])
            rollout.last_hidden[:, seat] = hidden_cards(state, np.full(source.n, seat), turns)
    return rollout


def _empty(steps: int, tables: int, places: int, hidden: int) -> Rollout:
    """Return a rollout to be filled."""
    shape = (steps, tables)
    return Rollout(
        places=np.empty((*shape, places), np.int8),
        mask=np.empty((*shape, N_ACTIONS), np.int8),
        hidden=np.empty((*shape, hidden), np.int8),
        seat=np.empty(shape, np.int64),
        action=np.empty(shape, np.int64),
        log_probability=np.empty(shape, np.float32),
        learner=np.empty(shape, np.bool_),
        best=np.empty((*shape, N_ACTIONS), np.int8),
        reward=np.empty((*shape, SEATS), np.float32),
        done=np.empty(shape, np.bool_),
        last_places=np.empty((tables, SEATS, places), np.int8),
        last_hidden=np.empty((tables, SEATS, hidden), np.int8),
        ends=np.empty((0, OBSERVATION_SIZE), np.int8),
    )

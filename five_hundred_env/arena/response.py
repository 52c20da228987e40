"""A best response by search: an agent that knows whom it plays against and improves on `rule` by rollouts.

At each decision it draws worlds that fit what its seat has seen, the calls included; takes each candidate action in
each world; and lets the deal be played to its end with the frozen agent at the seats of the other side and `rule` at
its own. It takes the action whose points are best, if they beat those of what `rule` would do by more than chance
explains. That is one step of policy iteration against a fixed opponent. What it wins is a lower bound on how far the
opponent can be exploited: a better search would win more.

Source: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", NIPS 1996.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from five_hundred_env.agents import Agent, load_agent
from five_hundred_env.agents.base import Actions, Keys, check_batch, read_position
from five_hundred_env.agents.pimc.memory import Memory, Options, make_memory
from five_hundred_env.agents.pimc.worlds import sample_worlds
from five_hundred_env.arena.boards import AT, PARTS, Room, Rows, Setting
from five_hundred_env.arena.identity import identify
from five_hundred_env.arena.statistics import Floats
from five_hundred_env.core import engine
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.actions import bid_level, first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, FIRST_BID, LAST_BID, NOOP, SEATS
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.philox import WORD
from five_hundred_env.core.rules import as_rules
from five_hundred_env.core.state import N_COLUMNS, PHASE
from five_hundred_env.search.sampling import prepare_worlds
from five_hundred_env.tables import check_count

WORLDS = 16
DRAWN = 10
"""Worlds drawn for each that is played out; those that fit the calls better are more likely kept."""
STRANGE = 0.05
"""How likely a call is held to be that `rule` would not have made with the hand behind it."""
DOUBT = 1.0
"""Standard errors by which an action has to beat that of `rule`."""
TOGETHER = 8192
"""Tables that are played out together."""
NO_MORE_LEVELS = 1
"""How far above the lowest bid in a strain candidates go, levels."""

SETTING = Setting(as_rules("australian"), 0, (0, 0), 1)
"""Of the rollouts; rules and totals stand in the rows."""


@kernel
def worlds_of(view: Row, m: Memory, key: int, worlds: Rows, weights: Floats) -> int:
    """Draw worlds for a view; return how many.

    Args:
        view: The view row.
        m: Working memory.
        key: 64 random bits.
        worlds: `[W, N_COLUMNS] int64` to be filled.
        weights: `[W] float64` to be filled; they sum up to 1.
    """
    count = sample_worlds(view, m, key)
    for n in range(count):
        world = int(m.chosen[n])
        weights[n] = m.weights[world]
        for column in range(N_COLUMNS):
            worlds[n, column] = m.worlds[world, column]
    return count


@kernel
def lay_out(worlds: Rows, candidates: Row, rows: Rows) -> None:
    """Write each world once for each candidate, the candidate taken.

    Args:
        worlds: `[W, N_COLUMNS] int64`.
        candidates: `[C] int64` action ids.
        rows: `[C W, N_COLUMNS] int64` to be filled, candidate by candidate.
    """
    count = len(worlds)
    for candidate in range(len(candidates)):
        for world in range(count):
            row = rows[candidate * count + world]
            for column in range(N_COLUMNS):
                row[column] = worlds[world, column]
            engine.apply(row, int(candidates[candidate]))


class Asked:
    """An agent without the checks of the arena, as a room asks it."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def answer(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Return its actions."""
        return np.asarray(self._agent.act(observation.copy(), mask.copy(), keys.copy()), np.int64)


@dataclass
class Question:
    """One decision, laid out.

    Attributes:
        place: Which decision of the batch.
        candidates: `[C]` action ids, that of `rule` first.
        weights: `[W]` of the worlds.
        rows: `[C W, N_COLUMNS]` tables to be played out.
        numbers: `[C W]` where their random bits come from: alike for all candidates of a world.
    """

    place: int
    candidates: Row
    weights: Floats
    rows: Rows
    numbers: Row


class BestResponse:
    """An agent that improves on `rule` against a frozen agent.

    Attributes:
        name: ``response:`` and the frozen agent's.
        version: Of this search, and the frozen agent's hash.
    """

    def __init__(self, frozen: str, worlds: int = WORLDS, doubt: float = DOUBT) -> None:
        """Make an agent.

        Args:
            frozen: Whom it plays against: what `load_agent` takes.
            worlds: Worlds a decision.
            doubt: Standard errors by which an action has to beat that of `rule`.

        Raises:
            AgentError: There is no such agent.
            OptionError: The number of worlds is out of range.
        """
        self.worlds = check_count(worlds, "worlds", "worlds", 256)
        self.doubt = doubt
        opponent = load_agent(frozen)
        self._base = load_agent("rule")
        self._asked = (Asked(self._base), Asked(opponent))
        self._memory: Memory = make_memory(Options(worlds=worlds, candidates=DRAWN, doubt=STRANGE))
        own = identify("rule", self._base), identify(frozen, opponent)
        told = "" if worlds == WORLDS else f"/{worlds}"
        self.name = f"response{told}:{opponent.name}"
        self.version = f"1 ({worlds} worlds, {doubt:g} errors, {own[0].hash} against {own[1].hash})"

    def __repr__(self) -> str:
        return f"<agent {self.name}>"

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision, `Agent.act`."""
        observation, mask = check_batch(observation, mask, len(keys))
        actions = np.array(self._base.act(observation, mask, keys), np.int64)
        waiting: list[Question] = []
        held = 0
        for place in range(len(keys)):
            question = self._ask(place, observation[place], mask[place], int(keys[place]), int(actions[place]))
            if question is not None:
                waiting.append(question)
                held += len(question.rows)
            if held >= TOGETHER or (waiting and place == len(keys) - 1):
                self._decide(waiting, actions)
                waiting, held = [], 0
        return actions

    def _ask(self, place: int, observation: Bytes, mask: Bytes, key: int, base: int) -> Question | None:
        """Return a decision laid out, None for one without a choice."""
        view = np.zeros(N_COLUMNS, np.int64)
        if base == NOOP or read_position(observation, mask, view) == 0:
            return None
        legal = np.flatnonzero(mask)
        candidates = candidates_of(legal, int(view[PHASE]), base)
        if len(candidates) < 2:
            return None
        worlds = np.zeros((self.worlds, N_COLUMNS), np.int64)
        weights = np.zeros(self.worlds)
        signed = int(np.uint64(key).astype(np.int64))
        count = worlds_of(view, self._memory, signed, worlds, weights)
        if count == 1 and prepare_worlds(view, self._memory.groups, self._memory.ways) > 1:
            return None  # the calls left one world of many, which says nothing about doubt
        rows = np.zeros((len(candidates) * count, N_COLUMNS), np.int64)
        lay_out(worlds[:count], candidates, rows)
        numbers = np.array([key + 0x9E3779B1 * world & WORD for world in range(count)], np.int64)
        return Question(place, candidates, weights[:count], rows, np.tile(numbers, len(candidates)))

    def _decide(self, questions: list[Question], actions: Actions) -> None:
        """Play out what was laid out, and put the better actions in their places."""
        rows = np.concatenate([question.rows for question in questions])
        numbers = np.concatenate([question.numbers for question in questions])
        lineup = np.zeros((len(rows), len(PARTS), SEATS), np.int64)
        lineup[:, :, 1::2] = 1
        room = Room(SETTING, numbers, lineup, len(self._asked), rows)
        while room.step(self._asked):
            pass
        points = (room.outcomes[:, AT.points] - room.outcomes[:, AT.points + 1]).astype(np.float64)
        start = 0
        for question in questions:
            stop = start + len(question.rows)
            values = points[start:stop].reshape(len(question.candidates), -1)
            actions[question.place] = question.candidates[best_of(values, question.weights, self.doubt)]
            start = stop


def candidates_of(legal: npt.NDArray[np.int64], phase: int, base: int) -> Row:
    """Return the actions worth a rollout, that of `rule` first: in the auction the lower bids of each strain.

    Args:
        legal: Legal action ids.
        phase: The phase.
        base: What `rule` would do.
    """
    chosen = [base]
    lowest: dict[int, int] = {}
    start = first_action(phase)
    for action in legal.tolist():
        call = action - start
        if phase == AUCTION and FIRST_BID <= call <= LAST_BID:
            strain = (call - FIRST_BID) % 5
            if bid_level(call) > lowest.setdefault(strain, bid_level(call)) + NO_MORE_LEVELS:
                continue
        if action != base:
            chosen.append(action)
    return np.array(chosen, np.int64)


def best_of(values: Floats, weights: Floats, doubt: float) -> int:
    """Return which candidate to take: the one whose gain less its doubt is largest, the first where that is no gain.

    Args:
        values: `[C, W]` points by candidate and world, the first candidate to be kept unless another is better.
        weights: `[W]` of the worlds, summing up to 1; one world alone counts as certain.
        doubt: Standard errors by which another has to be better.
    """
    gains = values - values[0]
    means = gains @ weights
    worlds = 1 / float(weights @ weights)
    errors = np.sqrt((gains - means[:, None]) ** 2 @ weights**2 * (worlds / max(worlds - 1, 1e-9)))
    return int(np.argmax(means - doubt * errors))

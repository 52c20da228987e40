"""Spread the boards of a match over this process or several spawned ones; the outcomes are the same.

A chunk of boards is the unit of work. Workers load the agents by name, so nothing but numbers and text passes between
the processes.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np

from five_hundred_env import notation
from five_hundred_env.arena.boards import PARTS, Rows, Setting, exchange, play_tables
from five_hundred_env.arena.entrants import AgentSpec, Conduct, Entrant, Pair
from five_hundred_env.arena.identity import Identity
from five_hundred_env.arena.isolation import Isolated
from five_hundred_env.core.constants import SEATS
from five_hundred_env.core.philox import next_seed
from five_hundred_env.core.rules import Rules
from five_hundred_env.errors import OptionError
from five_hundred_env.tables import check_count

KINDS = ("board", "game")
CONTESTED = {"all": PARTS, "bidding": ("auction",), "kitty": ("kitty",), "play": ("play",)}
"""What the two pairs of a match contest, and the parts of a deal that they then play themselves."""


@dataclass(frozen=True)
class Task:
    """What a worker has to know to play boards (or games) of a match.

    Attributes:
        kind: ``board`` or ``game``.
        pairs: The agents of the two pairs, each a pair of specs.
        common: Who plays the parts that are not contested, at every seat.
        common_identity: Who that is; None where all is contested.
        part: What is contested, a key of `CONTESTED`.
        rules: The rules.
        seed: 64 bits of the match.
        scores: Totals at the start by side, points; None draws them for each board.
        max_deals: Deals after which a game is broken off.
        limit: Seconds a decision, or None.
        isolate: Whether each agent plays in a process of its own.
    """

    kind: str
    pairs: tuple[Pair, Pair]
    common: AgentSpec
    common_identity: Identity | None
    part: str
    rules: Rules
    seed: int
    scores: tuple[int, int] | None
    max_deals: int
    limit: float | None
    isolate: bool = False

    @property
    def setting(self) -> Setting:
        """What the tables share; games take their deals from another stream than boards."""
        seed = notation.signed(self.seed)
        if self.kind == "board":
            return Setting(self.rules, seed, self.scores, 1)
        return Setting(self.rules, next_seed(seed), (0, 0), self.max_deals)

    @property
    def agents(self) -> list[AgentSpec]:
        """Every agent that is asked, each once."""
        return [spec for spec, _ in self._introduced]

    @property
    def identities(self) -> list[Identity]:
        """Who the `agents` are."""
        return [identity for _, identity in self._introduced]

    @property
    def _introduced(self) -> list[tuple[AgentSpec, Identity]]:
        """Every agent that is asked, each once, and who it is."""
        met = [both for pair in self.pairs for both in zip(pair.specs, pair.identities, strict=True)]
        if self.common_identity is not None:
            met.append((self.common, self.common_identity))
        distinct: list[tuple[AgentSpec, Identity]] = []
        for spec, identity in met:
            if all(spec != known for known, _ in distinct):
                distinct.append((spec, identity))
        return distinct


@dataclass(frozen=True)
class Played:
    """What came of some boards (or games) of a match.

    Attributes:
        numbers: `[N]` which ones.
        outcomes: `[N, 2, OUTCOME_COLUMNS]` table 1 with the first pair at seats 0 and 2, table 2 with the second.
        conduct: By agent, in the order of `Task.agents`.
    """

    numbers: Rows
    outcomes: Rows
    conduct: list[Conduct]


def lineup_of(task: Task, numbers: Rows) -> Rows:
    """Return who plays what: `[2 N, 3, S]`, the first tables of all boards, then the second ones.

    The partners of a mixed pair change seats from board to board.
    """
    agents = task.agents
    (first, second), (third, fourth) = ([agents.index(spec) for spec in pair.specs] for pair in task.pairs)
    even = np.array([first, third, second, fourth])
    odd = np.array([second, fourth, first, third])
    contested = np.where((numbers % 2 == 0)[:, None], even, odd)
    lineup = np.zeros((len(numbers), len(PARTS), SEATS), np.int64)
    for part, name in enumerate(PARTS):
        lineup[:, part] = contested if name in CONTESTED[task.part] else agents.index(task.common)
    return np.concatenate([lineup, exchange(lineup)])


def play_chunk(task: Task, numbers: Rows, entrants: Sequence[Entrant]) -> Played:
    """Play some boards (or games) of a match here.

    Args:
        task: The match.
        numbers: `[N]` which ones.
        entrants: The agents, in the order of `Task.agents`.
    """
    outcomes = play_tables(task.setting, np.tile(numbers, 2), lineup_of(task, numbers), entrants)
    both = outcomes.reshape(2, len(numbers), -1).transpose(1, 0, 2)
    return Played(numbers, np.ascontiguousarray(both), [entrant.take_conduct() for entrant in entrants])


class Workers(Protocol):
    """Whatever plays chunks of boards."""

    def play(self, task: Task, chunks: Iterable[Rows]) -> Iterator[Played]:
        """Play chunks of a match and yield each as it is done, in any order; chunks are taken when they are needed."""

    def close(self) -> None:
        """Give back processes."""


class Here:
    """Plays in this process."""

    def __init__(self) -> None:
        self._entrants: list[Entrant] = []

    def _entrant(self, spec: AgentSpec, task: Task) -> Entrant:
        """Return the checked agent of a spec, loaded once."""
        kind = Isolated if task.isolate else Entrant
        for entrant in self._entrants:
            if type(entrant) is kind and entrant.spec == spec and entrant.limit == task.limit:
                return entrant
        self._entrants.append(kind(spec, task.limit))
        return self._entrants[-1]

    def play(self, task: Task, chunks: Iterable[Rows]) -> Iterator[Played]:
        """Play chunks of a match and yield each as it is done."""
        entrants = [self._entrant(spec, task) for spec in task.agents]
        for numbers in chunks:
            yield play_chunk(task, numbers, entrants)

    def close(self) -> None:
        """End the processes of isolated agents."""
        for entrant in self._entrants:
            entrant.close()
        self._entrants.clear()


_here = Here()


def play_in_worker(task: Task, numbers: Rows) -> Played:
    """Play one chunk in a worker, whose agents stay loaded."""
    return next(_here.play(task, [numbers]))


def check_by_name(task: Task) -> None:
    """Refuse agents that another process can not load.

    Raises:
        OptionError: An agent was given as an object.
    """
    for spec in task.agents:
        if not isinstance(spec, str):
            raise OptionError(
                f"agent {spec!r} can not go to a worker process; give its name, file or module:attribute, or workers=1"
            )


def end_with_parent() -> None:
    """Let this worker end when the process that started it is gone, even if that one was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Processes:
    """Plays in spawned processes.

    Args:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(count, mp_context=context, initializer=end_with_parent)

    def play(self, task: Task, chunks: Iterable[Rows]) -> Iterator[Played]:
        """Play chunks of a match and yield each as it is done, in any order.

        Raises:
            OptionError: An agent was given as an object, which another process can not load.
        """
        check_by_name(task)
        # No more than a few chunks wait, so that an interrupted run has little to give up.
        waiting: set[Future[Any]] = set()
        rest = iter(chunks)
        try:
            while True:
                for numbers in islice(rest, 2 * self.count - len(waiting)):
                    waiting.add(self._pool.submit(play_in_worker, task, numbers))
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


def make_workers(count: int) -> Workers:
    """Return what plays chunks with a number of processes; one is this process.

    Raises:
        OptionError: `count` is no positive integer.
    """
    return Here() if check_count(count, "workers", "processes") == 1 else Processes(count)


def fresh_seed(seed: int) -> int:
    """Return the seed of a match that shares no deal with the boards or the games of another match.

    Args:
        seed: Of the other match; its games take their deals from `next_seed` of it.
    """
    return int(next_seed(next_seed(notation.signed(seed)))) % notation.SEED_LIMIT


class Pace:
    """Cuts boards into chunks that take about as long as one would wait for a sign of progress.

    What a chunk holds changes no figure: an agent that thinks long gets chunks of a few boards, so that workers share
    them evenly and a run that is killed loses little.

    Args:
        most: Boards a chunk, at the most.
    """

    SECONDS = 2.0
    FIRST = 8

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = min(self.FIRST, most)

    def chunks(self, numbers: Rows) -> Iterator[Rows]:
        """Yield numbers in chunks, each of the size that is right when it is asked for."""
        start = 0
        while start < len(numbers):
            chunk = numbers[start : start + self.size]
            start += len(chunk)
            yield chunk

    def learn(self, played: Played) -> None:
        """Set the size by how long a chunk has taken."""
        a_board = sum(conduct.seconds for conduct in played.conduct) / len(played.numbers)
        fitting = int(self.SECONDS / a_board) if a_board > 0 else self.most
        self.size = max(1, min(self.most, fitting))

"""What `pimc` works in, and what it can be told."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import N_ACTIONS, SEATS
from five_hundred_env.core.state import N_COLUMNS
from five_hundred_env.errors import OptionError
from five_hundred_env.search.sampling import Floats, make_sampler
from five_hundred_env.search.workspace import Workspace, make_workspace

Rows = npt.NDArray[np.int64]

MOST_WORLDS = 1000
MOST_SHARE = 20
MOST_SECONDS = 86_400
KINDS = 7
"""Strains of a contract, then misère and open misère."""
TRICK_COUNTS = 11


@dataclass(frozen=True)
class Options:
    """The parameters of `pimc`.

    Attributes:
        worlds: Worlds that a decision is searched in.
        budget: Nodes after which a decision goes without the rest of its worlds (of its sets of discards); 0 for no
            bound. Nodes are counted, not seconds, so that a decision does not depend on the machine.
        seconds: Wall-clock time after which a decision goes without the rest of its worlds, 0 for no bound. With one,
            decisions depend on the machine and on what else it does, and can not be reproduced.
        depth: Tricks left from which on cards, names and nominations are searched; before that `rule` plays.
        candidates: Worlds drawn for each that is searched; those that fit the calls better are more likely kept. 1
            leaves the calls out.
        doubt: How likely a call is held to be that `rule` would not have made with the hand behind it, 0 to 1.
        spread: Standard deviation of the tricks around those of perfect play, with ten tricks still to be played.
        tie: Points by which another card must be better than the one that `rule` plays.
        bids: Whether calls are searched; otherwise `rule` makes them.
        bid_near: Points by which a call may look worse than the best, by the hand alone, and still be searched.
        bid_trust: Weight of the searched worth of a call; the rest is what the hand alone says.
        edge: Tricks that its side is held to take more than two that play as `rule` does.
        bid_gain: Points by which another call must be better than the one that `rule` makes.
        sets: How many sets of discards are compared; 1 leaves the discards to `rule`.
        set_gain: Points by which another set must be better than the one that `rule` puts away.
    """

    worlds: int = 20
    budget: int = 0
    candidates: int = 4
    doubt: float = 0.1
    spread: float = 0.7
    tie: float = 1.0
    bids: int = 1
    bid_near: float = 60.0
    bid_trust: float = 0.5
    edge: float = 0.3
    bid_gain: float = 5.0
    sets: int = 4
    set_gain: float = 5.0
    depth: int = 10
    seconds: float = 0.0

    def __post_init__(self) -> None:
        bounds = {
            "worlds": (1, MOST_WORLDS),
            "candidates": (1, MOST_SHARE),
            "sets": (1, 13),
            "bids": (0, 1),
            "depth": (0, 10),
            "seconds": (0, MOST_SECONDS),
        }
        for entry in fields(self):
            value = getattr(self, entry.name)
            low, high = bounds.get(entry.name, (0, 1 if entry.name == "doubt" else 1 << 40))
            if not low <= value <= high:
                raise OptionError(f"pimc takes {entry.name} from {low} to {high}, not {value!r}")

    def numbers(self) -> Floats:
        """Return the options as kernels read them, `[len(fields)] float64`."""
        return np.array([getattr(self, entry.name) for entry in fields(self)], np.float64)


(
    O_WORLDS,
    O_BUDGET,
    O_CANDIDATES,
    O_DOUBT,
    O_SPREAD,
    O_TIE,
    O_BIDS,
    O_BID_NEAR,
    O_BID_TRUST,
    O_EDGE,
    O_BID_GAIN,
    O_SETS,
    O_SET_GAIN,
    O_DEPTH,
    O_SECONDS,
) = range(len(fields(Options)))


class Memory(NamedTuple):
    """The working memory of `pimc`, one for each thread; W worlds, each chosen out of so many candidates."""

    options: Floats
    """`[options] float64`."""
    rows: Rows
    """`[4, N_COLUMNS] int64` to work in: a rollout, a view of it, the auction replayed, a view of that."""
    worlds: Rows
    """`[W * candidates, N_COLUMNS] int64` drawn worlds."""
    weights: Floats
    """`[W * candidates] float64` their weights."""
    chosen: Row
    """`[W * candidates] int64` which of them are searched."""
    solver: Workspace
    groups: Row
    ways: Floats
    values: Row
    """`[N_ACTIONS] int64` tricks of each action in one world."""
    worth: Floats
    """`[2, N_ACTIONS] float64` points of each action over the worlds, and by the hand alone."""
    points: Floats
    """`[TRICK_COUNTS] float64` what the tricks of a contract are worth."""
    stop: Row
    """`[1] int64`, not 0 once a decision has to end; another thread may write it."""
    tricks: Rows
    """`[W * candidates, SEATS * KINDS] int64` tricks of a contract in a world, -1 before it is solved."""


def make_memory(options: Options) -> Memory:
    """Return empty working memory."""
    count = options.worlds * options.candidates
    sampler = make_sampler()
    return Memory(
        options=options.numbers(),
        rows=np.zeros((4, N_COLUMNS), np.int64),
        worlds=np.zeros((count, N_COLUMNS), np.int64),
        weights=np.zeros(count, np.float64),
        chosen=np.zeros(count, np.int64),
        solver=make_workspace(),
        groups=sampler.groups,
        ways=sampler.ways,
        values=np.zeros(N_ACTIONS, np.int64),
        worth=np.zeros((2, N_ACTIONS), np.float64),
        points=np.zeros(TRICK_COUNTS, np.float64),
        stop=np.zeros(1, np.int64),
        tricks=np.zeros((count, SEATS * KINDS), np.int64),
    )

"""Tricks and points against double-dummy play: what a pair's card play gains or loses, as contractor and in defence.

Every contract that was played is solved with all hands open from the first lead on, after the discards and nomination
that were made. What the contractor's side took beyond that value its play has gained, or the defence has lost. Nobody
sees all hands, so even the best play loses something here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from five_hundred_env import notation
from five_hundred_env.arena.boards import AT, Rows, begin_rows
from five_hundred_env.arena.match import MatchResult, Progress
from five_hundred_env.arena.statistics import Estimate, estimate
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.actions import bid_strain
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, PLAY
from five_hundred_env.core.kitty import take_kitty
from five_hundred_env.core.play import begin_play
from five_hundred_env.core.scoring import score_deal
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    DISCARDS,
    DISCARDS_LEFT,
    HAND,
    N_COLUMNS,
    NOMINATED,
    PHASE,
    POINTS,
    RULE_HAND,
    STRAIN,
    TAKEN,
)

AT_BID, AT_CONTRACTOR, AT_DISCARDS, AT_NOMINATED = AT.bid, AT.contractor, AT.discards, AT.nominated


@dataclass(frozen=True)
class PlayQuality:
    """How a pair's card play compares with double-dummy play.

    Each is a mean over the boards where the pair had that role.

    Attributes:
        contractor_tricks: Tricks a contract that its side took beyond the double-dummy value; None without contracts.
        contractor_points: Points a contract by which the deal went better for it.
        defence_tricks: Tricks a contract of the others that it held them below the value; None without such contracts.
        defence_points: Points by which the deal went better for it.
    """

    contractor_tricks: Estimate | None
    contractor_points: Estimate | None
    defence_tricks: Estimate | None
    defence_points: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {name: None if value is None else value.to_dict() for name, value in vars(self).items()}


@kernel
def lay_out(row: Row, outcome: Row) -> None:
    """Bring a row from the deal to the first lead of the contract that was played.

    Args:
        row: The row before the first call; filled.
        outcome: How the table ended; it had a contract.
    """
    contractor = int(outcome[AT_CONTRACTOR])
    row[BID] = outcome[AT_BID]
    row[BIDDER] = contractor
    row[STRAIN] = bid_strain(int(row[BID]))
    take_kitty(row)
    row[HAND + contractor] ^= int(outcome[AT_DISCARDS])
    row[DISCARDS] = outcome[AT_DISCARDS]
    row[DISCARDS_LEFT] = 0
    for joker in range(2):
        row[NOMINATED + joker] = outcome[AT_NOMINATED + joker]
    row[PHASE] = PLAY
    begin_play(row, contractor)


def compare_play(
    result: MatchResult, boards: int | None = None, threads: int = 1, progress: Progress | None = None
) -> tuple[PlayQuality, PlayQuality]:
    """Solve the contracts of a match and return how each pair played, as contractor and in defence.

    Args:
        result: The match.
        boards: Take the first boards only; None takes all.
        threads: Threads of the solver; they change no figure.
        progress: Called with the number of tables just solved.
    """
    outcomes = result.outcomes[:boards]
    count = len(outcomes)
    starts = np.zeros((count, N_COLUMNS), np.int64)
    scores = np.array(result.scores or (0, 0), np.int64)
    seed = notation.signed(result.seed)
    begin_rows(starts, result.rules.row, seed, result.board_numbers[:count], scores, result.scores is None)
    rows, places = [], []
    for board in range(count):
        for table in range(2):
            if outcomes[board, table, AT.contractor] >= 0:
                row = starts[board].copy()
                lay_out(row, outcomes[board, table])
                rows.append(row)
                places.append((board, table))
    return _qualities(outcomes, places, rows, threads, progress)


def _qualities(
    outcomes: Rows, places: list[tuple[int, int]], rows: list[Row], threads: int, progress: Progress | None
) -> tuple[PlayQuality, PlayQuality]:
    """Solve the rows and sort what was gained by pair and role."""
    from five_hundred_env.search import solve_many

    gained: dict[tuple[int, str, str], dict[int, list[float]]] = {}
    values = solve_many(np.stack(rows), threads, progress or False) if rows else np.zeros(0, np.int64)
    for (board, table), row, value in zip(places, rows, values.tolist(), strict=True):
        outcome = outcomes[board, table]
        side = int(outcome[AT.contractor]) % 2
        tricks, points = against_value(outcome, row, value, side)
        own = side ^ table
        for pair, role, sign in ((own, "contractor", 1), (1 - own, "defence", -1)):
            gained.setdefault((pair, role, "tricks"), {}).setdefault(board, []).append(sign * tricks)
            gained.setdefault((pair, role, "points"), {}).setdefault(board, []).append(sign * points)
    first, second = (
        PlayQuality(
            *(
                _mean(gained.get((pair, role, what)))
                for role in ("contractor", "defence")
                for what in ("tricks", "points")
            )
        )
        for pair in (0, 1)
    )
    return first, second


def _mean(by_board: dict[int, list[float]] | None) -> Estimate | None:
    """Return the mean over boards; two contracts of one board share its luck and are averaged first."""
    if by_board is None:
        return None
    return estimate([sum(values) / len(values) for values in by_board.values()], bca=False)


def against_value(outcome: Row, row: Row, value: int, side: int) -> tuple[int, int]:
    """Return tricks and points by which a contract went better for its side than its double-dummy value.

    In a misère the tricks are those that the contractor did not have to take.

    Args:
        outcome: How the table ended.
        row: The row at the first lead.
        value: Its value, as `search.solve` counts it.
        side: The contractor's.
    """
    scored = row.copy()
    misere = int(row[BID]) >= MIS
    scored[TAKEN + side] = value
    if not misere:
        scored[TAKEN + 1 - side] = int(row[RULE_HAND]) - value
    score_deal(scored)
    points = outcome[AT.points : AT.points + 2] - scored[POINTS : POINTS + 2]
    tricks = int(outcome[AT.tricks + side]) - value
    return -tricks if misere else tricks, int(points[side] - points[1 - side])

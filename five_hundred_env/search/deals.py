"""What a whole deal holds: the value of every contract for every contractor, and par."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from five_hundred_env import notation
from five_hundred_env.core import engine
from five_hundred_env.core.actions import ACTION_NAMES, bid_strain
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import (
    AUCTION,
    DISCARD,
    FIRST_BID,
    LAST_BID,
    MIS,
    OVER,
    SEATS,
    STRAIN_NAMES,
    STRAINS,
)
from five_hundred_env.core.deal import clear_deal
from five_hundred_env.core.kitty import take_kitty
from five_hundred_env.core.rules import ONE_ROUND
from five_hundred_env.core.scoring import score_deal
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    CALLS_MADE,
    HAND,
    KITTY,
    PASSED,
    PHASE,
    POINTS,
    RULE_AUCTION,
    RULE_HAND,
    SEAT,
    STRAIN,
    TAKEN,
)
from five_hundred_env.game import Game
from five_hundred_env.search.arguments import game_row
from five_hundred_env.search.discards import best_discards
from five_hundred_env.search.solver import Values, solve_row, solve_table_row
from five_hundred_env.search.workspace import Workspace, own_workspace

KINDS = (*STRAIN_NAMES, "MIS", "OMIS")

Table = dict[str, tuple[int, int, int, int]]


def solve_table(game: Game, kitty: bool = False) -> Table:
    """Return the value of every strain and both misères for each of the four contractors of a deal.

    ``solve_table(game)["H"][2]`` is the number of tricks that seat 2 and its partner take with hearts as trumps when
    seat 2 leads first, as `solve` counts them; under ``"MIS"`` and ``"OMIS"`` stand the values of misères, which are
    equal, since all hands are open to the solver anyway.

    Args:
        game: Any position of the deal: what counts are the hands as they were dealt.
        kitty: Whether each contractor first takes the kitty and makes the best discards, which takes about a hundred
            times as long. Otherwise the four hands of ten cards are played as dealt, and the kitty stays out of play.

    Raises:
        OptionError: `game` is no `Game`.
    """
    return as_table(table_values(dealt_row(game_row("solve_table", game)), own_workspace(), kitty))


def as_table(values: Values) -> Table:
    """Return a line of `solve_tables`, `[7, 4] int64`, as `solve_table` does."""
    return {name: (a, b, c, d) for name, (a, b, c, d) in zip(KINDS, values.tolist(), strict=True)}


def table_values(start: Row, workspace: Workspace, kitty: bool) -> Values:
    """Return the table of a deal by contract and contractor, `[7, 4] int64`.

    Args:
        start: A row before the first call.
        workspace: The thread's.
        kitty: As for `solve_table`.
    """
    if kitty:
        values = _table_with_kitty(start)
    else:
        values = np.zeros(SEATS * (STRAINS + 1), np.int64)
        solve_table_row(start, workspace, values)
    table = values.reshape(STRAINS + 1, SEATS)
    return np.concatenate((table, table[-1:]))


def dealt_row(row: Row) -> Row:
    """Return the row of a deal before the first call, out of a row of any of its positions."""
    masks = notation.dealt_masks(row)
    row = row.copy()
    clear_deal(row)
    row[HAND : HAND + SEATS] = masks[:SEATS]
    row[KITTY] = masks[SEATS]
    return row


def _table_with_kitty(start: Row) -> Values:
    """Return the table, `[24] int64`, after the best discards of each contractor."""
    values = np.zeros(SEATS * (STRAINS + 1), np.int64)
    for kind in range(STRAINS + 1):
        for contractor in range(SEATS):
            row = start.copy()
            row[BID] = MIS if kind == STRAINS else FIRST_BID + kind
            row[BIDDER] = contractor
            row[STRAIN] = bid_strain(int(row[BID]))
            row[PHASE] = DISCARD
            take_kitty(row)
            values[SEATS * kind + contractor] = best_discards(row, 1)[0][1]
    return values


@dataclass(frozen=True)
class Par:
    """What a deal is worth when every seat bids and plays perfectly with all cards in sight."""

    contract: str | None
    """The contract, None when all pass."""
    contractor: int | None
    """Its contractor's seat."""
    tricks: int
    """The value of the contract, as `solve` counts it; 0 when the deal is thrown in."""
    points: tuple[int, int]
    """Points of the deal by side (R9)."""
    calls: list[tuple[int, str]]
    """An auction that leads there, as (seat, call)."""


def par(game: Game, kitty: bool = False, table: Table | None = None) -> Par:
    """Return the par of a deal: the outcome of an auction in which every seat knows the values of all contracts.

    Each call is the best for its side in points of the deal (own minus the other side's) against best answers, under
    the auction of the rules, dealer and order of seats included; totals of the game do not count. Among equal calls a
    pass comes first, then the lowest bid.

    Args:
        game: Any position of the deal.
        kitty: As for `solve_table`, which gives the values.
        table: The answer of `solve_table` where it is known already.

    Raises:
        OptionError: `game` is no `Game`.
    """
    start = dealt_row(game_row("par", game))
    outcomes = _Auction(solve_table(game, kitty) if table is None else table)
    row = start
    calls = []
    while int(row[PHASE]) == AUCTION:
        call = outcomes.best(row)[1]
        calls.append((int(row[SEAT]), ACTION_NAMES[call]))
        row = outcomes.after(row, call)
    tricks, points = outcomes.result(row)
    bid = int(row[BID])
    contractor = int(row[BIDDER]) if bid else None
    return Par(ACTION_NAMES[bid] if bid else None, contractor, tricks, points, calls)


class _Auction:
    """The auction as a game of perfect information, solved backwards once for each state."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: dict[tuple[int, ...], tuple[int, int]] = {}
        self._results: dict[tuple[int, int], tuple[int, tuple[int, int]]] = {}

    def after(self, row: Row, call: int) -> Row:
        """Return the row after a call."""
        row = row.copy()
        engine.apply(row, call)
        return row

    def best(self, row: Row) -> tuple[int, int]:
        """Return the points of side 0 minus those of side 1 under best calls, and the call."""
        calls = int(row[CALLS_MADE]) if int(row[RULE_AUCTION]) == ONE_ROUND else 0
        key = (int(row[BID]), int(row[BIDDER]), int(row[PASSED]), int(row[SEAT]), calls)
        if key not in self._known:
            sign = -1 if int(row[SEAT]) & 1 else 1
            found = [(sign * self._difference(self.after(row, call)), -call) for call in notation.legal_ids(row)]
            worth, call = max(found)
            self._known[key] = (sign * worth, -call)
        return self._known[key]

    def _difference(self, row: Row) -> int:
        """Return the points of side 0 minus those of side 1 from a row on."""
        if int(row[PHASE]) == AUCTION:
            return self.best(row)[0]
        points = self.result(row)[1]
        return points[0] - points[1]

    def result(self, row: Row) -> tuple[int, tuple[int, int]]:
        """Return the value and the points by side of the contract that an auction ended with."""
        key = (int(row[BID]), int(row[BIDDER]))
        if key not in self._results:
            self._results[key] = self._score(row, *key)
        return self._results[key]

    def _score(self, row: Row, bid: int, contractor: int) -> tuple[int, tuple[int, int]]:
        """Score a contract by its value in the table."""
        if bid == 0 and int(row[PHASE]) == OVER:
            return 0, (0, 0)
        row = row.copy()
        if bid == 0:
            value = int(solve_row(row, own_workspace()))
            row[TAKEN] = value
            row[TAKEN + 1] = int(row[RULE_HAND]) - value
        else:
            kind = STRAIN_NAMES[bid_strain(bid)] if bid <= LAST_BID else ("MIS", "OMIS")[bid - MIS]
            value = self._table[kind][contractor]
            row[TAKEN + contractor] = value
        score_deal(row)
        return value, (int(row[POINTS]), int(row[POINTS + 1]))

"""Deals against perfect play, as tables and as data: what `analyse` and `solve` show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from five_hundred_env.core.constants import SEATS
from five_hundred_env.core.rules import Rules
from five_hundred_env.errors import NotationError
from five_hundred_env.game import Game
from five_hundred_env.records import Record
from five_hundred_env.search import par, solve_table, solve_tables
from five_hundred_env.search.analysis import Analysis, analyse_deal
from five_hundred_env.search.deals import Table, as_table


def analyse_record(record: Record, deal: int | None = None) -> Iterator[tuple[int, Analysis]]:
    """Yield the number of each deal of a game and its analysis.

    Args:
        record: The game.
        deal: This deal only, from 1.

    Raises:
        OptionError: The game has no such deal.
    """
    for number in range(1, len(record.deals) + 1) if deal is None else [deal]:
        record.at_deal(number)
        played = record.deals[number - 1]
        start = Game.from_deal(played.deal, played.dealer, played.scores, record.rules, record.game.seed)
        yield number, analyse_deal(start, played.actions)


def analysis_text(number: int, analysis: Analysis, everything: bool = False) -> Iterator[str]:
    """Yield the lines that show the analysis of a deal.

    Args:
        number: Which deal.
        analysis: Its analysis.
        everything: Show decisions that cost nothing, too.
    """
    outcome = analysis.par
    yield f"deal {number}"
    yield f"  par       {par_text(outcome.contract, outcome.contractor, outcome.points)}"
    if analysis.contract is None:
        yield "  contract  none"
    else:
        worth = "" if analysis.value_points is None else f", perfectly played {points_text(analysis.value_points)}"
        yield f"  contract  {analysis.contract} by {analysis.contractor}, value {analysis.value}{worth}"
    if analysis.points is not None:
        yield f"  result    {points_text(analysis.points)}"
    shown = [cost for cost in analysis.costs if everything or cost.tricks]
    if shown:
        yield "  action trick seat  phase    played tricks points  better"
    for cost in shown:
        yield (
            f"  {cost.number:>6} {cost.trick or '':>5} {cost.seat:>4}  {cost.phase:<8} {cost.action:<6} "
            f"{-cost.tricks:>6} {-cost.points:>6}  {' '.join(cost.better)}"
        ).rstrip()
    for seat in range(SEATS):
        tricks, points = analysis.lost(seat)
        decisions = sum(cost.seat == seat for cost in analysis.costs)
        yield f"  seat {seat}: {decisions} decisions, {tricks} tricks and {points} points lost"


def par_text(contract: str | None, contractor: int | None, points: tuple[int, int]) -> str:
    """Return a par in words."""
    who = "all pass" if contract is None else f"{contract} by {contractor}"
    return f"{who}, {points_text(points)}"


def points_text(points: tuple[int, int]) -> str:
    """Return points of both sides."""
    return f"{points[0]:+d} {points[1]:+d}"


def solve_data(game: Game, kitty: bool, table: Table | None = None) -> dict[str, Any]:
    """Return what a deal holds: the value of every contract for every contractor, and par.

    Args:
        game: The deal.
        kitty: Whether contractors take the kitty first.
        table: The values, where they are known already.
    """
    table = solve_table(game, kitty) if table is None else table
    outcome = par(game, kitty, table)
    return {
        "kitty": kitty,
        "misere_played_out": game.rules.misere_defence > 0,
        "table": {name: list(values) for name, values in table.items()},
        "par": {**vars(outcome), "calls": [list(call) for call in outcome.calls]},
    }


def read_deals(lines: Iterable[str], dealer: int, rules: Rules) -> list[Game]:
    """Return the deals of a text, one a line; empty lines and those that begin with # are left out.

    Raises:
        NotationError: A line is no deal; the message says which.
        OptionError: There is no such dealer.
    """
    games = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                games.append(Game.from_deal(line, dealer, rules=rules))
            except NotationError as error:
                raise NotationError(f"line {number}: {error}") from None
    return games


def solve_games(
    games: list[Game], kitty: bool, threads: int, progress: Callable[[int], object]
) -> list[dict[str, Any]]:
    """Return what each of many deals holds, solved on several threads."""
    rows = np.array([game.row for game in games], np.int64)
    tables = solve_tables(rows, threads, progress, kitty)
    return [solve_data(game, kitty, as_table(table)) for game, table in zip(games, tables, strict=True)]


def solve_text(data: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that show what `solve_data` says."""
    misere = "the tricks it is made to take" if data["misere_played_out"] else "1 where it is made to take a trick"
    yield f"tricks of the contractor's side, by contractor; in a misère {misere}"
    yield f"{'':6}" + "".join(f"{f'seat {seat}':>8}" for seat in range(SEATS))
    for name, values in data["table"].items():
        yield f"{name:6}" + "".join(f"{value:>8}" for value in values)
    outcome = data["par"]
    yield f"par: {par_text(outcome['contract'], outcome['contractor'], outcome['points'])}"
    yield "     " + " ".join(f"{seat}:{call}" for seat, call in outcome["calls"])

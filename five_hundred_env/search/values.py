"""Values of a position with all hands open: `solve` and `solve_moves`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, DISCARD, N_ACTIONS, OVER, PHASES
from five_hundred_env.core.state import BID, N_COLUMNS, PHASE, TRICK_NUMBER
from five_hundred_env.errors import OptionError, OrderError
from five_hundred_env.game import Game
from five_hundred_env.search.discards import solve_discards
from five_hundred_env.search.solver import NO_VALUE, Rows, Values, solve_row, solve_row_moves, solve_rows
from five_hundred_env.search.workspace import Workspace, make_workspace, own_workspace

CHUNK = 16
"""Positions that a thread of `solve_many` takes at a time."""

Progress = Callable[[int], object]


def solve(game: Game) -> int:
    """Return the value of a position: what perfect play by all leads to, all hands open.

    That is the number of tricks that the contractor's side takes in this deal, tricks already taken included. In a
    misère it is 1 if the contractor can be made to take a trick, else 0; where a misère is played out
    (``misere_defence=10``) it is the number of tricks that the contractor can be made to take. In a deal without
    contractor (``all_pass=no_trumps``) it is the number of tricks of side 0.

    Choices before the play belong to the contractor, who makes the best of them: the value of a position in the discard
    phase is that after the best discards, in the nominate phase that after the best nomination.

    Raises:
        OrderError: There is no contract: the auction is not over, or the deal was thrown in.
    """
    row = game.row
    _check_contract(row)
    if int(row[PHASE]) == DISCARD:
        return solve_discards(game, best=1)[0][1]
    return int(solve_row(row, own_workspace()))


def solve_moves(game: Game) -> dict[str, int]:
    """Return the value after each legal action of the seat to move, in the nominate, play and name phases.

    Values are those of `solve`. In the play the value of a suitless joker that is led is that of the best name.

    Raises:
        OrderError: The position has no such action: it is in the auction or the discard phase, or the deal is over.
    """
    row = game.row
    phase = int(row[PHASE])
    if phase == OVER:
        raise OrderError("solve_moves: the deal is over, nobody is to move; solve gives its value")
    if phase == DISCARD:
        raise OrderError("solve_moves: in the discard phase ask solve_discards, which values whole discards")
    _check_contract(row)
    values = np.empty(N_ACTIONS, np.int64)
    solve_row_moves(row, own_workspace(), values)
    return {ACTION_NAMES[action]: int(values[action]) for action in range(N_ACTIONS) if values[action] != NO_VALUE}


def solve_many(rows: Rows, threads: int = 1, progress: bool | Progress = False) -> Values:
    """Return the values of many positions.

    Args:
        rows: `[N, N_COLUMNS] int64` state rows in the nominate, play or name phase, or at the end of a played deal.
        threads: Threads that work at once; the result does not depend on it.
        progress: A function that is called with the number of positions just finished; or True for a bar of rich,
            where it is installed.

    Returns:
        `[N] int64`, as `solve`.

    Raises:
        OptionError: `rows` has another shape or holds a position of another phase; `threads` is not positive.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise OptionError(f"solve_many: threads is a positive integer, not {threads!r}")
    rows = _checked_rows(rows)
    values = np.empty(len(rows), np.int64)
    if callable(progress):
        _solve_parts(rows, values, threads, progress)
    elif progress:
        for report in _rich_bar(len(rows)):
            _solve_parts(rows, values, threads, report)
    else:
        _solve_parts(rows, values, threads, None)
    return values


def _solve_parts(rows: Rows, values: Values, threads: int, progress: Progress | None) -> None:
    """Solve rows in chunks; each thread has a workspace of its own."""
    local = threading.local()

    def part(start: int) -> int:
        if not hasattr(local, "workspace"):
            local.workspace = make_workspace()
        workspace: Workspace = local.workspace
        end = min(start + CHUNK, len(rows))
        solve_rows(rows[start:end], workspace, values[start:end])
        return end - start

    starts = range(0, len(rows), CHUNK)
    if threads == 1:
        for start in starts:
            _report(progress, part(start))
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in pool.map(part, starts):
            _report(progress, done)


def _report(progress: Progress | None, done: int) -> None:
    """Tell how many positions were just finished."""
    if progress is not None:
        progress(done)


def _rich_bar(total: int) -> Iterator[Progress | None]:
    """Yield once what moves a bar of rich, None where rich is not installed."""
    try:
        from rich.progress import Progress as Bar
    except ImportError:
        yield None
        return
    with Bar(transient=True) as bar:
        task = bar.add_task("positions", total=total)
        yield lambda done: bar.advance(task, done)


def _checked_rows(rows: Rows) -> Rows:
    """Return rows as an array that kernels take.

    Raises:
        OptionError: They have another shape, or a position has no contract or waits for discards.
    """
    rows = np.ascontiguousarray(rows, np.int64)
    if rows.ndim != 2 or rows.shape[1] != N_COLUMNS:
        raise OptionError(f"solve_many: rows are of shape (N, {N_COLUMNS}), not {rows.shape}")
    phases = rows[:, PHASE]
    unfit = (phases == AUCTION) | (phases == DISCARD) | ((phases == OVER) & (rows[:, TRICK_NUMBER] == 0))
    if unfit.any():
        first = int(unfit.argmax())
        raise OptionError(
            f"solve_many: position {first} is in phase {PHASES[int(phases[first])]!r} without a card to be played; "
            "solve rows of the nominate, play and name phases"
        )
    return rows


def _check_contract(row: Row) -> None:
    """Make sure that a position has something to solve.

    Raises:
        OrderError: It is in the auction, or the deal was thrown in.
    """
    phase = int(row[PHASE])
    if phase == AUCTION:
        raise OrderError(
            "this deal has no contract yet (phase 'auction'): finish the auction, or use solve_table, "
            "which values every contract of a deal"
        )
    if phase == OVER and int(row[BID]) == 0 and int(row[TRICK_NUMBER]) == 0:
        raise OrderError("this deal was thrown in: it has no contract; use solve_table for what it held")

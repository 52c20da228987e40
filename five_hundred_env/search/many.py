"""Many positions or deals at once, over threads: `solve_many`, `solve_many_moves`, `solve_tables`."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from five_hundred_env.core.constants import AUCTION, DISCARD, N_ACTIONS, OVER, PHASES, SEATS
from five_hundred_env.core.state import N_COLUMNS, PHASE, TRICK_NUMBER
from five_hundred_env.errors import OptionError
from five_hundred_env.search.deals import KINDS, dealt_row, table_values
from five_hundred_env.search.solver import Rows, Values, solve_row_moves, solve_rows
from five_hundred_env.search.workspace import Workspace, make_workspace

CHUNK = 16
"""Positions that a thread takes at a time."""
AHEAD = 4
"""Chunks for each thread that wait at a time."""

Progress = Callable[[int], object]
Work = Callable[[int, int, Workspace], None]


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
    rows = _checked_rows("solve_many", rows, threads)
    _check_phases("solve_many", rows, over=True)
    values = np.empty(len(rows), np.int64)

    def work(start: int, end: int, workspace: Workspace) -> None:
        solve_rows(rows[start:end], workspace, values[start:end])

    _share_out(len(rows), work, threads, progress)
    return values


def solve_many_moves(rows: Rows, threads: int = 1, progress: bool | Progress = False) -> Values:
    """Return the value of every legal action of many positions.

    Args:
        rows: `[N, N_COLUMNS] int64` state rows in the nominate, play or name phase.
        threads: As for `solve_many`.
        progress: As for `solve_many`.

    Returns:
        `[N, N_ACTIONS] int64`, as `solve_moves`; -1 for what is not legal.

    Raises:
        OptionError: As for `solve_many`.
    """
    rows = _checked_rows("solve_many_moves", rows, threads)
    _check_phases("solve_many_moves", rows, over=False)
    values = np.empty((len(rows), N_ACTIONS), np.int64)

    def work(start: int, end: int, workspace: Workspace) -> None:
        for n in range(start, end):
            solve_row_moves(rows[n], workspace, values[n])

    _share_out(len(rows), work, threads, progress)
    return values


def solve_tables(rows: Rows, threads: int = 1, progress: bool | Progress = False, kitty: bool = False) -> Values:
    """Return the tables of many deals.

    Args:
        rows: `[N, N_COLUMNS] int64` state rows of any phase: what counts are the hands as they were dealt.
        threads: As for `solve_many`.
        progress: As for `solve_many`; deals are counted.
        kitty: As for `solve_table`.

    Returns:
        `[N, 7, 4] int64`: by contract (spades, clubs, diamonds, hearts, no trumps, misère, open misère) and
        contractor, as `solve_table`.

    Raises:
        OptionError: As for `solve_many`.
    """
    rows = _checked_rows("solve_tables", rows, threads)
    tables = np.empty((len(rows), len(KINDS), SEATS), np.int64)

    def work(start: int, end: int, workspace: Workspace) -> None:
        for n in range(start, end):
            tables[n] = table_values(dealt_row(rows[n]), workspace, kitty)

    _share_out(len(rows), work, threads, progress, chunk=1)
    return tables


def _share_out(total: int, work: Work, threads: int, progress: bool | Progress, chunk: int = CHUNK) -> None:
    """Do a piece of work on `total` positions, in chunks."""
    if progress is True:
        for report in _rich_bar(total):
            _work_through(total, work, threads, chunk, report)
    else:
        _work_through(total, work, threads, chunk, progress or None)


def _work_through(total: int, work: Work, threads: int, chunk: int, report: Progress | None) -> None:
    """Do the work; each thread has a workspace of its own, and few chunks wait at a time."""
    local = threading.local()

    def part(start: int) -> int:
        if not hasattr(local, "workspace"):
            local.workspace = make_workspace()
        end = min(start + chunk, total)
        work(start, end, local.workspace)
        return end - start

    def tell(done: int) -> None:
        if report is not None:
            report(done)

    if threads == 1:
        for start in range(0, total, chunk):
            tell(part(start))
        return
    waiting: deque[Future[int]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for start in range(0, total, chunk):
            if len(waiting) == AHEAD * threads:
                tell(waiting.popleft().result())
            waiting.append(pool.submit(part, start))
        while waiting:
            tell(waiting.popleft().result())
    finally:
        pool.shutdown(cancel_futures=True)


def _rich_bar(total: int) -> Iterator[Progress | None]:
    """Yield once what moves a bar of rich on standard error, None where rich is not installed."""
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
    except ImportError:
        yield None
        return
    with Bar(transient=True, console=Console(stderr=True)) as bar:
        task = bar.add_task("positions", total=total)
        yield lambda done: bar.advance(task, done)


def _checked_rows(name: str, rows: Rows, threads: int) -> Rows:
    """Return rows as an array that kernels take.

    Raises:
        OptionError: They are no array of state rows; `threads` is not positive.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise OptionError(f"{name}: threads is a positive integer, not {threads!r}")
    try:
        rows = np.ascontiguousarray(rows, np.int64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"{name}: rows are an array of state rows, not {type(rows).__name__} ({error})") from None
    if rows.size == 0 and rows.ndim == 1:
        return rows.reshape(0, N_COLUMNS)
    if rows.ndim != 2 or rows.shape[1] != N_COLUMNS:
        raise OptionError(f"{name}: rows are of shape (N, {N_COLUMNS}), not {rows.shape}")
    unknown = (rows[:, PHASE] < 0) | (rows[:, PHASE] >= len(PHASES))
    if unknown.any():
        raise OptionError(f"{name}: row {int(unknown.argmax())} is no state row, it has no phase")
    return rows


def _check_phases(name: str, rows: Rows, over: bool) -> None:
    """Make sure that every position has something to solve.

    Args:
        name: Who asks.
        rows: State rows.
        over: Whether played deals have.

    Raises:
        OptionError: A position has no contract, waits for discards, or is over where that is not wanted.
    """
    phases = rows[:, PHASE]
    unplayed = (rows[:, TRICK_NUMBER] == 0) if over else True
    unfit = (phases == AUCTION) | (phases == DISCARD) | ((phases == OVER) & unplayed)
    if unfit.any():
        first = int(unfit.argmax())
        raise OptionError(
            f"{name}: position {first} is in phase {PHASES[int(phases[first])]!r} without a card to be played; "
            "solve rows of the nominate, play and name phases"
        )

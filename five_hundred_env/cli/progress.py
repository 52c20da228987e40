"""A progress bar that appears when something takes longer than two seconds."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PATIENCE = 2.0  # seconds


class Bar:
    """Counts what is done, and shows it on standard error, if that is a terminal, once it has taken a while.

    Args:
        total: How much there is to do.
        what: What it is.
    """

    def __init__(self, total: int, what: str) -> None:
        self.total = total
        self.what = what
        self.done = 0
        self._begun = time.monotonic()
        self._console = Console(stderr=True)
        self._shown: Progress | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.stop()

    def advance(self, count: int = 1) -> None:
        """Count something done."""
        self.done += count
        if self._shown is None and self._console.is_terminal and time.monotonic() - self._begun > PATIENCE:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._shown = Progress(*columns, console=self._console, transient=True)
            self._shown.start()
            self._shown.add_task(self.what, total=self.total, completed=self.done)
        elif self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=self.done)

"""Counts of calls from Python into compiled code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from five_hundred_env.core._jit import COMPILED

needs_compiler = pytest.mark.skipif(not COMPILED, reason="counts what compiled code does")


class _Counted:
    """A kernel that counts how often Python calls it; what compiled code calls it does not see."""

    def __init__(self, kernel: Dispatcher, calls: Counter[str]) -> None:
        self.kernel = kernel
        self.calls = calls

    def __call__(self, *arguments: Any) -> Any:
        self.calls[self.kernel.py_func.__name__] += 1
        return self.kernel(*arguments)


@contextmanager
def compiled_calls() -> Iterator[Counter[str]]:
    """Count calls of every kernel that a loaded module of the package knows, by name.

    Compile what is to be counted before: a kernel that is being compiled does not understand its counted neighbours.
    """
    calls: Counter[str] = Counter()
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if not name.startswith("five_hundred_env"):
                continue
            for attribute, value in list(vars(module).items()):
                if isinstance(value, Dispatcher):
                    patch.setattr(module, attribute, _Counted(value, calls))
        yield calls

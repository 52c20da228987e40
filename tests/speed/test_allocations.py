"""A step of tables works in the buffers that were made for it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from five_hundred_env import Tables
from five_hundred_env.core import drive
from tests.speed.counting import needs_compiler

pytestmark = needs_compiler

TABLES = 2048
SMALLEST_ARRAY = TABLES  # bytes of the smallest array that holds something of each table, flags


def most_held(work: Callable[[], None]) -> int:
    """Return the most bytes held at once by what `work` makes, NumPy's arrays among them."""
    work()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        work()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak - before


def choose(tables: Tables, actions: npt.NDArray[np.int64]) -> None:
    np.argmax(tables.mask, axis=1, out=actions)


def test_the_measure_sees_an_array_of_flags() -> None:
    assert most_held(lambda: np.zeros(TABLES, np.bool_).sort()) >= SMALLEST_ARRAY


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("skip_forced", [False, True])
def test_steps_make_no_array(threads: int, skip_forced: bool) -> None:
    """Three hundred steps, ends of episodes among them, never hold as much as one flag a table: only small objects."""
    tables = Tables(TABLES, seed=1, threads=threads, skip_forced=skip_forced)
    actions = np.zeros(TABLES, np.int64)
    choose(tables, actions)
    ended = 0

    def steps() -> None:
        nonlocal ended
        for _ in range(150):
            tables.step(actions)
            ended += int(np.count_nonzero(tables.done))
            choose(tables, actions)

    assert most_held(steps) < SMALLEST_ARRAY
    assert ended > TABLES


def test_a_step_keeps_its_buffers() -> None:
    """The arrays that a user holds, and those that torch shares, are the ones that the next step writes."""
    tables = Tables(4, seed=1)
    names = (
        "observation",
        "mask",
        "reward",
        "terminated",
        "truncated",
        "done",
        "deal_over",
        "final_observation",
        "seat",
    )
    before = {name: getattr(tables, name).__array_interface__["data"] for name in names}
    for _ in range(5):
        tables.step(tables.mask.argmax(axis=1))
    tables.rollout(5)
    assert {name: getattr(tables, name).__array_interface__["data"] for name in names} == before


@pytest.mark.parametrize("name", ["advance", "step_block", "play_block", "step_run", "rollout_run", "observe_tables"])
def test_kernels_of_a_step_can_not_allocate(name: str) -> None:
    """Compiled without Numba's runtime, a kernel that made an array would not compile at all."""
    assert getattr(drive, name).targetoptions["_nrt"] is False

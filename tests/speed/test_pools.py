"""Process pools beside threads: a forked child of a process that used OpenMP is killed, so pools spawn."""

from __future__ import annotations

from functools import partial

import gymnasium
import numpy as np

from five_hundred_env import Tables
from tests.speed.counting import needs_compiler

pytestmark = needs_compiler


def test_a_spawned_pool_of_environments_runs_beside_tables_on_two_threads() -> None:
    """Tables have used their threads before the pool starts, and go on while it plays; both play as they do alone."""
    beside, alone = (Tables(64, seed=3, threads=threads) for threads in (2, 1))
    beside.rollout(20)
    alone.rollout(20)
    make = partial(gymnasium.make, "five_hundred_env:FiveHundred/Seat-v0", partner="random", opponents="random")
    pool = gymnasium.vector.AsyncVectorEnv([make, make], context="spawn")
    single = gymnasium.vector.SyncVectorEnv([make, make])
    try:
        _, told = pool.reset(seed=5)
        _, expected = single.reset(seed=5)
        for _ in range(12):
            actions = np.asarray(told["action_mask"]).argmax(axis=1)
            assert actions.tolist() == np.asarray(expected["action_mask"]).argmax(axis=1).tolist()
            seen, *_, told = pool.step(actions)
            wanted, *_, expected = single.step(actions)
            assert (np.asarray(seen) == np.asarray(wanted)).all()
            for tables in (beside, alone):
                tables.step(tables.mask.argmax(axis=1))
    finally:
        pool.close()
        single.close()
    assert (beside.observation == alone.observation).all()

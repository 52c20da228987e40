"""Measurements that need a fresh process; each prints one line of JSON.

``python -m benchmarks.probes start tables`` · ``scale 100000`` · ``training``
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

Figures = dict[str, Any]

USES = ("nothing", "Game", "env()", "Tables", "Tables, two threads")


def start(use: str) -> Figures:
    """Measure importing Numba, importing this package, and its first use, CPU seconds and seconds on the clock."""
    marks = [(time.process_time(), time.perf_counter())]

    def mark() -> None:
        marks.append((time.process_time(), time.perf_counter()))

    import numba  # noqa: F401

    mark()
    import five_hundred_env

    mark()
    _use(five_hundred_env, use)
    mark()
    names = ("numba", "package", "use")
    pairs = zip(names, pairwise(marks), strict=True)
    return {name: {"cpu": b[0] - a[0], "wall": b[1] - a[1]} for name, (a, b) in pairs}


def _use(package: Any, use: str) -> None:
    """Play one decision."""
    if use == "Game":
        game = package.Game(seed=1)
        game.observe(game.seat)
        game.apply(int(game.legal_actions()[0]))
    elif use == "env()":
        env = package.five_hundred_v0.env()
        env.reset(seed=1)
        observation, *_ = env.last()
        env.step(int(observation["action_mask"].argmax()))
    elif use != "nothing":
        tables = package.Tables(16, seed=1, threads=2 if "two" in use else 1)
        tables.step(tables.mask.argmax(axis=1))


def resident() -> int | None:
    """Return the bytes of memory that this process holds; None where unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def scale(count: str) -> Figures:
    """Measure making n tables and stepping them, on one thread and on two, and the memory they take."""
    import numpy as np

    from benchmarks.ours import CompiledChoice
    from five_hundred_env import Tables

    n = int(count)
    small = Tables(16, seed=1, threads=2)
    choices = {threads: CompiledChoice(threads) for threads in (1, 2)}
    actions = np.zeros(16, np.int64)
    for threads, choose in choices.items():  # compiled and loaded before memory is looked at
        small.threads = threads
        choose(small, actions)
        small.step(actions)
    before = resident()
    begun = time.perf_counter()
    tables = Tables(n, seed=1)
    made = time.perf_counter() - begun
    actions = np.zeros(n, np.int64)
    figures: Figures = {"n": n, "make_seconds": made, "arrays": array_bytes(tables)}
    for threads, choose in choices.items():
        tables.threads = threads
        figures[f"step_seconds_{threads}"] = _step_seconds(tables, choose, actions)
    after = resident()
    figures["resident"] = None if before is None or after is None else after - before
    return figures


def _step_seconds(tables: Any, choose: Callable[[Any, Any], None], actions: Any) -> dict[str, float]:
    """Return the median seconds of a step, choice excluded, over steps that visit all phases of a deal."""
    cpu, wall = [], []
    for _ in range(12):
        choose(tables, actions)
        a, b = time.process_time(), time.perf_counter()
        tables.step(actions)
        cpu.append(time.process_time() - a)
        wall.append(time.perf_counter() - b)
    return {"cpu": median(cpu), "wall": median(wall)}


def array_bytes(tables: Any) -> dict[str, float]:
    """Return the bytes a table of each buffer that a batch owns."""
    import numpy as np

    owned: dict[int, tuple[str, int]] = {}
    for name, value in vars(tables).items():
        if not isinstance(value, np.ndarray) or tables.n not in value.shape:
            continue
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        known = owned.get(id(base))
        if known is None or (known[0].startswith("_") and not name.startswith("_")):
            owned[id(base)] = (name, base.nbytes)
    return {name: size / tables.n for name, size in owned.values()}


def training(iterations: int = 2) -> Figures:
    """Measure what PPO self-play of baselines/ppo.py, networks 256 wide, spends in `Tables`; one iteration warms up."""
    import importlib

    from five_hundred_env import Tables

    ppo: Any = importlib.import_module("baselines.ppo")
    spent = {"cpu": 0.0, "wall": 0.0}
    state: Any = vars(Tables)["state"]
    Tables.step = timed(Tables.step, spent)  # type: ignore[method-assign]
    Tables.state = property(timed(state.fget, spent))  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder:
        config = ppo.Config(run_dir=folder, layers=(256, 256), critic_layers=(256, 256), practice=0.0, device="cpu")
        trainer = ppo.Trainer(config)
        trainer.learn(trainer.play())
        spent.update(cpu=0.0, wall=0.0)
        a, b = time.process_time(), time.perf_counter()
        for _ in range(iterations):
            trainer.learn(trainer.play())
        total = {"cpu": time.process_time() - a, "wall": time.perf_counter() - b}
    decisions = iterations * config.tables * config.steps
    return {"decisions": decisions, "environment": spent, "total": total, "threads": config.threads}


def timed(function: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    """Return the function, its time added up."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        a, b = time.process_time(), time.perf_counter()
        try:
            return function(*arguments, **keywords)
        finally:
            spent["cpu"] += time.process_time() - a
            spent["wall"] += time.perf_counter() - b

    return call


def main() -> None:
    """Run the probe that the command names."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    probe, *arguments = sys.argv[1:]
    probes: dict[str, Callable[..., Figures]] = {"start": start, "scale": scale, "training": training}
    figures = probes[probe](*arguments)
    answers.write(json.dumps(figures) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()

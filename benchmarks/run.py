"""Measure everything and write docs/benchmarks.md: ``make bench``.

::

    python -m benchmarks.run --peers .venv-bench/bin/python    what `make bench` runs
    python -m benchmarks.run --quick                           about a minute, writes nothing
    python -m benchmarks.run --report                          write the page again from results.json
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.catalogue import PEERS
from benchmarks.harness import ROOT, Worker, busy_seconds, interleave
from benchmarks.probes import USES
from benchmarks.report import RESULTS, write_page

COMMAND = "make bench"
OUR_PACKAGES = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "torch")
PEER_PACKAGES = (*dict.fromkeys(peer.package for peer in PEERS), "jax", "jaxlib", "numpy")
VERSIONS_OF = """
import importlib.metadata as m, json, platform, sys
found = {"python": platform.python_version()}
for name in sys.argv[1:]:
    try: found[name] = m.version(name)
    except m.PackageNotFoundError: pass
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Plan:
    """How long everything is measured."""

    rounds: int
    seconds: float
    """Of a slice."""
    warm_starts: int
    sizes: tuple[int, ...]
    """Tables of the scale measurements."""
    groups: tuple[str, ...]
    """Groups of peers."""
    uses: tuple[str, ...]
    """First uses whose start is measured."""
    training: bool


FULL = Plan(9, 0.4, 5, (1_000, 10_000, 100_000, 1_000_000), ("pettingzoo", "rlcard", "openspiel", "pgx"), USES, True)
QUICK = Plan(3, 0.1, 1, (1_000, 10_000), ("pettingzoo", "rlcard", "openspiel"), USES[:1], False)


def machine() -> dict[str, Any]:
    """Return what the machine is called."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {"processor": processor, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}"}


def our_versions() -> dict[str, str]:
    """Return the versions that this package ran with."""
    found = {"python": platform.python_version(), "five_hundred_env": version("five_hundred_env")}
    for name in OUR_PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def peer_versions(python: str) -> dict[str, str]:
    """Return the versions that the peers ran with; nothing where their environment is missing."""
    if not Path(python).exists():
        return {}
    command = [python, "-c", VERSIONS_OF, *PEER_PACKAGES]
    found: dict[str, str] = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return found


@contextmanager
def workers(peers: str, groups: tuple[str, ...]) -> Iterator[list[tuple[str, Worker]]]:
    """Start every process at once, since some compile for a minute, and give names and workers in order of play."""
    from benchmarks.ours import batches, single

    started: list[Worker] = []
    for group in groups:
        names = [peer.name for peer in PEERS if peer.group == group]
        started.append(Worker(peers, f"benchmarks.peers:{group}", names))
    for target, builders in (("single", single()), ("batches", batches())):
        started.append(Worker(sys.executable, f"benchmarks.ours:{target}", builders))
    try:
        for worker in started:
            worker.wait()
        yield [(name, worker) for worker in started for name in worker.names]
    finally:
        for worker in started:
            worker.close()


def compare(peers: str, plan: Plan, console: Console) -> dict[str, Any]:
    """Measure all contenders in turn."""
    console.print("starting the contenders; the slowest compiles for a minute or two")
    with workers(peers, plan.groups) as entrants:
        busy = busy_seconds()
        begun = time.perf_counter()
        series = interleave(entrants, plan.rounds, plan.seconds, console.print)
        elapsed = time.perf_counter() - begun
        busy_after = busy_seconds()
    slices = {name: [[turn.decisions, turn.cpu, turn.wall] for turn in entry.slices] for name, entry in series.items()}
    missing = {name: worker.missing[name] for name, worker in entrants if name in worker.missing}
    others = None
    if busy is not None and busy_after is not None:
        own = sum(worker.cpu for worker in {id(worker): worker for _, worker in entrants}.values())
        others = max(0.0, (busy_after - busy - own) / elapsed)
    return {"slices": slices, "missing": missing, "other_load": others}


def probe(*arguments: str, environment: dict[str, str] | None = None) -> dict[str, Any]:
    """Run a probe in a fresh process; on failure return its last words under ``missing``."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.probes", *arguments],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return {"missing": (done.stderr.strip().splitlines() or ["it failed"])[-1]}
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def starts(plan: Plan, console: Console) -> dict[str, Any]:
    """Measure the first use with an empty cache of kernels, and later ones."""
    found = {}
    for use in plan.uses:
        console.print(f"start: {use}")
        with tempfile.TemporaryDirectory() as folder:
            environment = {"NUMBA_CACHE_DIR": folder}
            cold = probe("start", use, environment=environment)
            warm = [probe("start", use, environment=environment) for _ in range(plan.warm_starts)]
        found[use] = {"cold": cold, "warm": warm}
    return found


def measure(peers: str, plan: Plan, console: Console) -> dict[str, Any]:
    """Measure everything."""
    begun = time.perf_counter()
    results: dict[str, Any] = {
        "command": COMMAND,
        "machine": machine(),
        "versions": {"ours": our_versions(), "peers": peer_versions(peers)},
        "rounds": plan.rounds,
        "slice_seconds": plan.seconds,
    }
    results.update(compare(peers, plan, console))
    results["start"] = starts(plan, console)
    results["scale"] = []
    for size in plan.sizes:
        console.print(f"scale: {size:,} tables")
        results["scale"].append({"n": size, **probe("scale", str(size))})
    if plan.training:
        console.print("training")
        results["training"] = probe("training")
    results["elapsed_seconds"] = time.perf_counter() - begun
    return results


def dump(results: dict[str, Any]) -> str:
    """Return the results as JSON that changes line by line, a line for each contender."""
    results = {**results, "slices": {name: rounded(turns) for name, turns in results["slices"].items()}}
    lines = []
    for key, value in results.items():
        if key == "slices":
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(turns)}" for name, turns in value.items())
            lines.append(f' "slices": {{\n{inner}\n }}')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(rounded(value), ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def rounded(value: Any) -> Any:
    """Return the same with numbers of six significant digits."""
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def main() -> None:
    """Parse the command line and do what it asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Measure speed, side by side.")
    parser.add_argument("--peers", default=str(ROOT / ".venv-bench/bin/python"), help="Python that has the peers")
    parser.add_argument("--quick", action="store_true", help="a minute; show the page, write nothing")
    parser.add_argument("--report", action="store_true", help="measure nothing; write the page from the last results")
    options = parser.parse_args()
    console = Console(stderr=True, highlight=False)
    if options.report:
        write_page(json.loads(RESULTS.read_text(encoding="utf-8")))
        return
    results = measure(options.peers, QUICK if options.quick else FULL, console)
    if options.quick:
        from benchmarks.report import page

        Console(highlight=False, soft_wrap=True).print(page(results), markup=False)
        return
    RESULTS.write_text(dump(results), encoding="utf-8")
    write_page(json.loads(RESULTS.read_text(encoding="utf-8")))  # of the rounded figures, as with --report
    console.print(f"docs/benchmarks.md written, after {results['elapsed_seconds'] / 60:.1f} minutes")


if __name__ == "__main__":
    main()

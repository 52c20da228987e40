"""Two processes, started by torchrun, learn what one does; what goes wrong in one ends both, and is told once."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from safetensors.torch import load_file

from baselines.common.options import write_yaml
from baselines.common.practice import Callers, Practice
from baselines.common.processes import Processes, part
from baselines.common.rollouts import PettingZooSource, Source, TablesSource
from baselines.common.runs import CHECKPOINT
from baselines.ppo import Config, Trainer, train
from five_hundred_env.errors import OptionError

ROOT = Path(__file__).parents[2]
SMALL = Config(
    tables=7,
    steps=24,
    total_decisions=4 * 7 * 24,
    minibatch=40,
    layers=(16,),
    critic_layers=(16,),
    threads=1,
    device="cpu",
    practice=0.3,
    callers="greedy",
    callers_until=0.9,
    call_entropy_floor=2.0,
    opponents=("greedy", "snapshots"),
    opponent_share=0.3,
    snapshot_every=1,
    checkpoint_every=2,
)


def torchrun(*arguments: str) -> subprocess.Popen[str]:
    """Start two processes."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "GLOO_SOCKET_IFNAME": "lo"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, env=environment
    )


def finish(process: subprocess.Popen[str]) -> str:
    """Return what was shown."""
    with process:
        shown, _ = process.communicate(timeout=300)
    return shown


# --- parts of the tables --------------------------------------------------------------------------------------


def test_parts_cover_the_tables_once() -> None:
    """Seven tables: 7 // 2 = 3 and the other 4; for three processes the bounds are 7 // 3 = 2 and 14 // 3 = 4."""
    assert [part(7, rank, 2) for rank in range(2)] == [slice(0, 3), slice(3, 7)]
    assert [part(7, rank, 3) for rank in range(3)] == [slice(0, 2), slice(2, 4), slice(4, 7)]
    assert [part(4, rank, 1) for rank in range(1)] == [slice(0, 4)]


def step(source: Source, actions: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    for _ in range(30):
        source.step((source.mask * actions[source.part, None]).argmax(axis=1))


@pytest.mark.parametrize("kind", [TablesSource, PettingZooSource])
def test_parts_of_a_source_play_what_the_whole_plays(kind: type[TablesSource] | type[PettingZooSource]) -> None:
    """Also after all have been saved and joined, and read by parts that are cut elsewhere."""
    numbers = np.arange(1, 6)
    whole = kind(5, 3)
    parts: list[Source] = [kind(5, 3, part=slice(0, 2)), kind(5, 3, part=slice(2, 5))]
    for source in (whole, *parts):
        step(source, numbers)
    joined = whole.join([source.save() for source in parts])
    assert whole.join([joined]) == joined
    others: list[Source] = [kind(5, 9, part=slice(0, 4)), kind(5, 9, part=slice(4, 5)), kind(5, 9)]
    for source in others:
        source.load(joined)
    for some in (parts, others[:2], others[2:]):
        assert (np.concatenate([source.observation for source in some]) == whole.observation).all()
        assert (np.concatenate([source.state() for source in some]) == whole.state()).all()
    for source in (whole, *others):
        step(source, numbers)
    assert (np.concatenate([source.observation for source in others[:2]]) == whole.observation).all()
    assert (others[2].observation == whole.observation).all()


def test_parts_draw_what_the_whole_draws() -> None:
    """Six practice tables of eight, and an agent that calls at the other two, whole and in halves."""
    whole, parts = TablesSource(8, 5), [TablesSource(8, 5, part=slice(0, 4)), TablesSource(8, 5, part=slice(4, 8))]
    calls = np.full(8, -1)
    tables, theirs = Practice(1).decide(whole, 6)
    calls[tables] = theirs
    tables, theirs = Callers("random", 8, 1).decide(whole, 6, 8)
    calls[tables] = theirs
    assert (calls >= 0).all()
    for source in parts:
        own = np.full(4, -1)
        tables, theirs = Practice(1).decide(source, 6)
        own[tables] = theirs
        tables, theirs = Callers("random", 8, 1).decide(source, 6, 8)
        own[tables] = theirs
        assert (own == calls[source.part]).all()


def test_more_processes_than_tables_are_an_error() -> None:
    processes = Processes()
    processes.size = 8
    with pytest.raises(OptionError, match="8 processes need a table each, and tables is 7"):
        Trainer(SMALL, processes)


# --- torchrun -------------------------------------------------------------------------------------------------


def difference(one: Path, other: Path) -> float:
    """Return the largest difference of any weight; tables and generators have to be the same."""
    left, right = load_file(one / CHECKPOINT), load_file(other / CHECKPOINT)
    assert left.keys() == right.keys()
    for name in ("dice", "shuffler"):
        assert torch.equal(left[name], right[name])
    sources = [TablesSource(SMALL.tables, 1) for _ in range(2)]
    for source, tensors in zip(sources, (left, right), strict=True):
        source.load(tensors["source"].numpy().tobytes())
    assert (sources[0].tables.rows == sources[1].tables.rows).all()
    weights = [name for name in left if name.startswith(("policy.", "critic."))]
    return max(float((left[name] - right[name]).abs().max()) for name in weights)


def test_two_processes_learn_what_one_learns_and_one_goes_on_from_there(tmp_path: Path) -> None:
    """Two iterations, 3 tables in one process and 4 in the other, opponents, practice and callers included.

    Weights move by up to 0.001 in each of about 20 steps; rounding leaves the two runs 1000 times closer. The run of
    two is then gone on with in one process, and still agrees with the one that was never split.
    """
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    start = Trainer(SMALL).policy.head.weight.detach().clone()
    train(replace(SMALL, run_dir=str(whole), stop_after=2), Console(quiet=True))
    write_yaml(replace(SMALL, run_dir=str(parts), stop_after=2), tmp_path / "run.yaml")
    process = torchrun("-m", "baselines.ppo", "--config", str(tmp_path / "run.yaml"))
    shown = finish(process)
    assert process.returncode == 0, shown
    assert shown.count("iteration 1/4") == 1
    assert float((load_file(whole / CHECKPOINT)["policy.head.weight"] - start).abs().max()) > 1e-3
    assert difference(whole, parts) < 1e-5
    for folder in (whole, parts):
        train(replace(SMALL, run_dir=str(folder)), Console(quiet=True))
    assert difference(whole, parts) < 1e-5


FAILING = """
import os, signal, sys
from baselines.common.processes import join_processes, run_together
from five_hundred_env.errors import OptionError

processes = join_processes()

def run():
    assert processes.gather_bytes(bytes([processes.rank])) == [b"\\0", b"\\1"]
    if processes.rank == 1:
        {what}
    processes.wait()

sys.exit(run_together(processes, run, lambda text: print("error:", text, flush=True)))
"""


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("raise OptionError('the well is dry')", "error: the well is dry"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "lost another process of the run"),
    ],
    ids=["error", "killed"],
)
def test_what_goes_wrong_in_one_process_ends_both_and_is_told_once(tmp_path: Path, what: str, message: str) -> None:
    """One raises an error, or is killed, while the other waits for it."""
    (tmp_path / "failing.py").write_text(FAILING.format(what=what))
    process = torchrun(str(tmp_path / "failing.py"))
    shown = finish(process)
    assert process.returncode != 0
    assert shown.count("error: ") == 1, shown
    assert message in shown
    assert "run_together" not in shown, shown  # no traceback but torchrun's own

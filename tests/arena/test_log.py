"""A tournament that was stopped goes on where it was, to the same figures."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from five_hundred_env.arena import play_tournament
from five_hundred_env.errors import RecordError
from tests.architecture.rulebook import ROOT

PLAY = {"agents": ["random", "greedy", "passer"], "boards": 40, "games": 3, "seed": 9, "batch": 8}


def figures(**options: object) -> str:
    return json.dumps(play_tournament(**{**PLAY, **options}).to_dict())  # type: ignore[arg-type]


def test_a_log_changes_no_figure(tmp_path: Path) -> None:
    assert figures(out=tmp_path) == figures()
    assert figures(out=tmp_path) == figures(), "and neither does reading it again"


def test_each_board_stands_there_once(tmp_path: Path) -> None:
    figures(out=tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "boards.jsonl").read_text(encoding="utf-8").splitlines()]
    keys = [(line["kind"], *line["match"], line["number"]) for line in lines[1:]]
    assert len(keys) == len(set(keys)) == 3 * (40 + 3)
    head = lines[0]
    assert [pair[0]["name"] for pair in head["agents"]] == PLAY["agents"]
    assert {"rules_hash", "seed", "package", "environment"} <= set(head)
    boards = {line["number"]: line["seed"] for line in lines[1:] if line["kind"] == "board"}
    assert len(set(boards.values())) == 40


@pytest.mark.parametrize("kept", [0.0, 0.001, 0.3, 0.77, 0.999])
def test_a_run_cut_anywhere_goes_on(tmp_path: Path, kept: float) -> None:
    figures(out=tmp_path)
    path = tmp_path / "boards.jsonl"
    data = path.read_bytes()
    path.write_bytes(data[: int(kept * len(data))])
    assert figures(out=tmp_path) == figures()
    assert sorted(path.read_bytes().splitlines()) == sorted(data.splitlines())


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """The process is killed without warning as soon as it has written boards."""
    code = f"""
from five_hundred_env.arena import play_tournament
play_tournament(["greedy", "random"], boards=1_000_000, seed=9, batch=64, bca=False, out={str(tmp_path)!r})
"""
    path = tmp_path / "boards.jsonl"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) as process:
        while process.poll() is None and not (path.is_file() and path.stat().st_size > 200_000):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    # The head does not say how many boards: a shorter run of the same tournament takes up what is there.
    play = {"agents": ["greedy", "random"], "boards": 500, "games": 0, "batch": 512}
    assert figures(out=tmp_path, **play) == figures(**play)


WORKERS = """
if __name__ == "__main__":
    from five_hundred_env.arena import play_tournament
    play_tournament(["greedy", "random"], boards=1_000_000, seed=9, batch=64, bca=False, out={out!r}, workers=2)
"""


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, Linux only."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError, IndexError):
                if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                    found.append(int(folder.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_killed_run_leaves_no_worker_behind_and_goes_on(tmp_path: Path) -> None:
    """The parent of two workers is killed; both notice and end, and the run goes on with one or two of them."""
    script, path = tmp_path / "run.py", tmp_path / "boards.jsonl"
    script.write_text(WORKERS.format(out=str(tmp_path)))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, str(script)], cwd=ROOT, env=environment) as process:
        while process.poll() is None and not (path.is_file() and path.stat().st_size > 200_000):
            time.sleep(0.02)
        workers = children(process.pid)
        process.send_signal(signal.SIGKILL)
    assert len(workers) >= 2
    waited = 0
    while any((Path("/proc") / str(pid)).exists() for pid in workers) and waited < 3000:
        time.sleep(0.02)
        waited += 1
    assert not any((Path("/proc") / str(pid)).exists() for pid in workers)
    play = {"agents": ["greedy", "random"], "boards": 300, "games": 0, "batch": 512}
    assert figures(out=tmp_path, **play, workers=2) == figures(**play)


def test_another_tournament_is_refused(tmp_path: Path) -> None:
    figures(out=tmp_path)
    with pytest.raises(RecordError, match=r"boards.jsonl holds another run: its seed is 9, not 10"):
        figures(out=tmp_path, seed=10)
    with pytest.raises(RecordError, match="its agents is"):
        figures(out=tmp_path, agents=["random", "greedy", "rule"])
    with pytest.raises(RecordError, match="its rules is"):
        figures(out=tmp_path, rules="american")


def test_more_boards_take_up_a_finished_run(tmp_path: Path) -> None:
    figures(out=tmp_path)
    assert figures(out=tmp_path, boards=60) == figures(boards=60)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json}", "line 2: this is no JSON"),
        ("[]", "line 2: this is no board"),
        ('{"kind": "board", "match": [0, 1], "number": 0}', "line 2: this is no board: KeyError"),
    ],
)
def test_damage_in_the_middle_is_an_error(tmp_path: Path, line: str, message: str) -> None:
    figures(out=tmp_path)
    path = tmp_path / "boards.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = line
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=message):
        figures(out=tmp_path)


def test_a_board_twice_is_an_error(tmp_path: Path) -> None:
    figures(out=tmp_path)
    path = tmp_path / "boards.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[-1]]) + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match="stands there twice"):
        figures(out=tmp_path)

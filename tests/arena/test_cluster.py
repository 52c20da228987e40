"""A Ray cluster plays the same figures, also when one of its workers is killed in mid-run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from five_hundred_env.arena import play_match
from five_hundred_env.arena.cluster import RayWorkers
from five_hundred_env.errors import MissingExtraError, OptionError
from tests.architecture.rulebook import ROOT
from tests.arena import agents


class Killed(agents.Scripted):
    """Kills its process, once for all of them: whoever makes the mark dies."""

    def answer(self, actions: Any) -> Any:
        mark = os.environ.get("FIVE_HUNDRED_TEST_MARK")
        if mark and (self.keys % 16 == 0).any():
            try:
                Path(mark).touch(exist_ok=False)
            except FileExistsError:
                return actions
            os.kill(os.getpid(), signal.SIGKILL)
        return actions


@pytest.mark.slow
def test_a_killed_worker_changes_no_figure(tmp_path: Path) -> None:
    """Two workers and sixteen chunks; the first worker that reaches a certain key is killed there and then."""
    pytest.importorskip("ray")
    mark = tmp_path / "killed"
    code = """
import json
from five_hundred_env.arena import play_match
from five_hundred_env.arena.cluster import RayWorkers
workers = RayWorkers("local", cpus=2)
result = play_match("tests.arena.test_cluster:Killed", "greedy", boards=64, games=4, batch=4, workers=workers)
workers.close()
print(json.dumps(result.to_dict()))
"""
    environment = {**os.environ, "FIVE_HUNDRED_TEST_MARK": str(mark), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert mark.exists(), "a worker was killed"
    here = play_match("tests.arena.test_cluster:Killed", "greedy", boards=64, games=4)
    assert json.loads(done.stdout.splitlines()[-1]) == json.loads(json.dumps(here.to_dict()))


def test_without_ray_the_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"five_hundred_env\[ray\]"):
        RayWorkers("local")


class NoRay:
    """Stands for Ray where nothing is started."""

    @staticmethod
    def is_initialized() -> bool:
        return True

    @staticmethod
    def remote(**_: Any) -> Any:
        return lambda function: function


def test_objects_can_not_go_to_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", NoRay)
    with pytest.raises(OptionError, match="can not go to a worker process"):
        play_match(agents.Opener(), "passer", boards=2, workers=RayWorkers("local"))

"""Curves of a run, also of one that was killed and went on."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from baselines import curves
from baselines.ppo import Config, train


def test_curves_of_a_run_that_was_killed_have_each_iteration_once(tmp_path: Path) -> None:
    """Checkpoints at 2 and 4: the run that stopped after 3 plays the third again, and its first try is forgotten."""
    small = {"tables": 4, "steps": 16, "total_decisions": 4 * 4 * 16, "layers": (8,), "critic_layers": (8,)}
    for stop in (3, 0):
        config = Config(run_dir=str(tmp_path), checkpoint_every=2, threads=1, stop_after=stop, **small)  # type: ignore[arg-type]
        train(config, Console(quiet=True))
    found = curves.read_curves(tmp_path)
    assert [step for step, _ in found["learn/entropy"]] == [1, 2, 3, 4]
    assert curves.main([str(tmp_path)]) == 0
    assert (tmp_path / "curves.png").read_bytes()[:4] == b"\x89PNG"


def test_a_folder_without_metrics_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert curves.main([str(tmp_path)]) == 2
    assert "holds no metrics" in capsys.readouterr().err
    assert curves.main([]) == 2

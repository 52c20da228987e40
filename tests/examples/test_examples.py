"""Every example runs, and does what its docstring says."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
INTEGRATIONS = EXAMPLES.parent / "tests" / "integrations"


def load(name: str) -> dict[str, Any]:
    """Return what an example defines."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_each_example_is_tested() -> None:
    """A new example needs a test of its own, here or with its library in tests/integrations."""
    own = {"pettingzoo_aec", "pettingzoo_parallel", "gymnasium_seat", "batched_tables", "own_agent"}
    tests = "".join(path.read_text(encoding="utf-8") for path in INTEGRATIONS.glob("test_*.py"))
    untested = [
        name
        for name in sorted({path.stem for path in EXAMPLES.glob("*.py")} - own)
        if f'"{name}' not in tests and f"from examples.{name} import" not in tests
    ]
    assert not untested


@pytest.mark.parametrize("name", ["pettingzoo_aec", "pettingzoo_parallel"])
def test_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Partners get the same, the sides the negative of each other."""
    totals = load(name)["main"]()
    assert totals["player_0"] == totals["player_2"] == -totals["player_1"] == -totals["player_3"]
    assert "player_0" in capsys.readouterr().out


def test_gymnasium_seat() -> None:
    """A random learner with random bids loses points on the whole."""
    example = load("gymnasium_seat")
    assert example["one_table"](deals=20) < 0
    assert example["many_tables"](tables=16, steps=40) < 0


def test_batched_tables(capsys: pytest.CaptureFixture[str]) -> None:
    """A deal has at least four actions, so 64 tables end some deals in 100 steps, and at most 1,600."""
    assert 0 < load("batched_tables")["main"](n=64, steps=100) <= 1600
    assert "decisions a second" in capsys.readouterr().out


def test_own_agent(capsys: pytest.CaptureFixture[str]) -> None:
    """Against a side that never bids its contracts are all there is; the figure printed is the one returned."""
    points = load("own_agent")["main"](boards=20)
    assert f"{points:+.1f} points a deal" in capsys.readouterr().out

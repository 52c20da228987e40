"""Floors, public names, and what an import brings along."""

from __future__ import annotations

import subprocess
import sys

from importlinter.cli import lint_imports

from tests.architecture.rulebook import ROOT

PUBLIC_NAMES = [
    "Game",
    "Rules",
    "Tables",
    "__version__",
    "actions",
    "errors",
    "five_hundred_v0",
]

OPTIONAL = [
    "torch",
    "tyro",
    "tensorboard",
    "yaml",
    "rich",
    "typer",
    "msgspec",
    "scipy",
    "matplotlib",
    "onnx",
    "onnxruntime",
    "PIL",
    "pygame",
    "ray",
    "sb3_contrib",
    "stable_baselines3",
    "tianshou",
    "torchrl",
    "pyspiel",
    "open_spiel",
]


def test_every_floor_stands_on_those_below_it() -> None:
    """The contracts are in pyproject.toml; the report is on this test's output."""
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_public_names_are_those_of_the_design() -> None:
    import five_hundred_env

    assert sorted(five_hundred_env.__all__) == PUBLIC_NAMES
    for name in PUBLIC_NAMES:
        assert getattr(five_hundred_env, name) is not None, name


def test_a_bare_install_imports_and_plays() -> None:
    """Without the extras, whose modules are blocked here, the first call of a game is still a pass or a bid."""
    code = f"""
import sys
sys.modules.update(dict.fromkeys({OPTIONAL!r}))
from five_hundred_env import Game, Rules
print(Game(Rules(), seed=1).legal()[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout) == (0, "PASS\n"), done.stderr


def test_an_import_does_not_load_the_extras() -> None:
    """Numba may load some of them by itself; whatever comes on top of the core requirements is ours."""
    code = f"""
import sys, gymnasium, numba, numpy, pettingzoo
before = set(sys.modules)
import five_hundred_env
print(*set({OPTIONAL!r}) & (set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []

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
    "safetensors",
    "PIL",
    "pygame",
]


def test_every_floor_stands_on_those_below_it() -> None:
    """The contracts are in pyproject.toml; the report is on this test's output."""
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_public_names_are_those_of_the_design() -> None:
    import five_hundred_env

    assert sorted(five_hundred_env.__all__) == PUBLIC_NAMES
    for name in PUBLIC_NAMES:
        assert getattr(five_hundred_env, name) is not None, name


def test_an_import_needs_the_core_requirements_only() -> None:
    """A bare `pip install` has none of the extras; importing them late also keeps imports fast."""
    code = f"import sys, five_hundred_env; print(*set({OPTIONAL!r}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []

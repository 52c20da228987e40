"""Metadata, constraint files and the wheel agree with each other and with the checkout."""

from __future__ import annotations

import re
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.architecture.rulebook import ROOT

with (ROOT / "pyproject.toml").open("rb") as stream:
    PROJECT: dict[str, Any] = tomllib.load(stream)["project"]

EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
LIBRARIES = ("sb3", "tianshou", "rllib", "torchrl", "openspiel", "benchmarl")
"""Extras whose sets are pinned in constraints/integrations/, each for an environment of its own."""
PINNED = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+")


def pins(name: str) -> dict[str, Version]:
    """Read a constraints file as package name to version."""
    lines = (ROOT / "constraints" / name).read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    for line in lines:
        assert PINNED.fullmatch(line), f"{name}: {line!r} is not NAME==VERSION"
    return {canonicalize_name(package): Version(version) for package, version in (line.split("==") for line in lines)}


def requirements(*extras: str) -> list[Requirement]:
    """Return the core requirements and those of some extras, without the project itself."""
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]
    found = [Requirement(text) for text in texts]
    return [requirement for requirement in found if requirement.name != PROJECT["name"]]


def lower_bound(requirement: Requirement) -> Version:
    """Return the version after `>=`."""
    (bound,) = [part.version for part in requirement.specifier if part.operator == ">="]
    return Version(bound)


def check_pins(name: str, *extras: str) -> None:
    """Assert that a constraints file holds a version within the range of each requirement."""
    pinned = pins(name)
    for requirement in requirements(*extras):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"constraints/{name} lacks {requirement.name}"
        assert version in requirement.specifier, f"{requirement} against {version}"


@pytest.mark.parametrize("extra", [extra for extra in EXTRAS if extra not in LIBRARIES])
def test_the_tested_set_satisfies_every_extra(extra: str) -> None:
    check_pins("tested.txt", extra)


@pytest.mark.parametrize("path", sorted((ROOT / "constraints" / "integrations").glob("*.txt")), ids=lambda p: p.stem)
def test_the_set_of_a_library_satisfies_its_extra(path: Path) -> None:
    """Each set has a test file that its environment is for, and what that file imports."""
    extras = [path.stem] if path.stem in LIBRARIES else []
    check_pins(f"integrations/{path.name}", "arena", *extras)
    assert (ROOT / "tests" / "integrations" / f"test_{path.stem}.py").is_file()


def test_every_library_has_an_extra() -> None:
    assert set(LIBRARIES) <= set(EXTRAS)


def test_the_lowest_set_is_the_lower_bounds() -> None:
    lowest = pins("lowest.txt")
    for requirement in requirements("render", "test"):
        version = lowest.get(canonicalize_name(requirement.name))
        assert version == lower_bound(requirement), f"lowest.txt, {requirement}: {version}"


def test_old_library_pins_are_allowed() -> None:
    """Large libraries hold Gymnasium at 1.2 and PettingZoo at 1.26 or below."""
    bounds = {requirement.name: lower_bound(requirement) for requirement in requirements()}
    assert bounds["gymnasium"] <= Version("1.2")
    assert bounds["pettingzoo"] <= Version("1.26")


def test_the_package_requires_five_libraries() -> None:
    assert {requirement.name for requirement in requirements()} == {
        "numpy",
        "numba",
        "gymnasium",
        "pettingzoo",
        "safetensors",
    }


def test_the_version_is_one() -> None:
    import five_hundred_env

    assert five_hundred_env.__version__ == PROJECT["version"]


def test_console_scripts_exist() -> None:
    for target in PROJECT["scripts"].values():
        module, _, function = target.partition(":")
        assert callable(getattr(import_module(module), function))


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {
        "five_hundred_env",
        f"five_hundred_env-{PROJECT['version']}.dist-info",
    }
    sources = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "five_hundred_env").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sources <= set(names)
    assert "five_hundred_env/py.typed" in names

"""What an import loads and compiles, and where compiled kernels are kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import five_hundred_env
from tests.speed.counting import needs_compiler

PACKAGE = Path(five_hundred_env.__file__).resolve().parent
NOTICE = "compiling its kernels"

# One light kernel, whose file takes the numbers of the phases from another file of the core.
ONE_KERNEL = """
from five_hundred_env.core._jit import cache_folder
from five_hundred_env.core.actions import first_action
print(first_action(2), cache_folder("core"))
"""
FIRST_NAME, FIRST_CARD = 74, 28  # ids that nominations and cards begin with


def run(program: str, source: Path = PACKAGE.parent, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process that imports the package from `source`."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "XDG_"))}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**inherited, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package in it."""
    folder = tmp_path / "site"
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_an_import_loads_nothing_heavy_and_compiles_nothing(tmp_path: Path) -> None:
    """Pictures, training, the command line and search load when they are used; kernels compile when they are."""
    program = "import sys, five_hundred_env; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = run(program, NUMBA_CACHE_DIR=str(tmp_path))
    loaded = set(done.stdout.split())
    assert {"five_hundred_env", "numba", "numpy"} <= loaded
    heavy = {"torch", "matplotlib", "pygame", "PIL", "onnxruntime", "rich", "typer", "msgspec", "pytest"}
    assert not heavy & loaded
    assert NOTICE not in done.stderr
    assert not list(tmp_path.rglob("*.nb*"))


def test_an_import_loads_no_test_tools_and_no_search() -> None:
    program = "import sys, five_hundred_env; print(*sorted(sys.modules))"
    loaded = set(run(program).stdout.split())
    own = {name for name in loaded if name.startswith("five_hundred_env.")}
    floors = {name.split(".")[1] for name in own}
    assert "core" in floors
    assert not floors & {"search", "arena", "render", "cli", "integrations"}
    assert not [name for name in loaded if name.startswith("pettingzoo.test")]


@needs_compiler
def test_the_first_compilation_is_announced_once_and_kept(tmp_path: Path) -> None:
    """Three lines of notice in one process would mean one a kernel; a second process finds the kernel and is silent."""
    twice = ONE_KERNEL + "from five_hundred_env.core.actions import bid_level\nprint(bid_level(25))\n"
    first, second = (run(twice, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert first.stderr.count(NOTICE) == 1
    assert NOTICE not in first.stdout
    assert NOTICE not in second.stderr
    assert first.stdout == second.stdout == f"{FIRST_NAME} {next(tmp_path.iterdir())}\n10\n"


@needs_compiler
def test_an_edited_core_file_never_runs_stale_code(copy: Path, tmp_path: Path) -> None:
    """The kernel's own file has not changed, so Numba alone would not notice.

    Phase 2 is `nominate`, whose first id is =S, 74. With the numbers of `nominate` and `play` exchanged it is `play`,
    whose first id is the first card, 28.
    """
    kept = str(tmp_path / "kept")
    before = run(ONE_KERNEL, copy, NUMBA_CACHE_DIR=kept)
    constants = copy / PACKAGE.name / "core" / "constants.py"
    text = constants.read_text()
    edited = text.replace(
        "AUCTION, DISCARD, NOMINATE, PLAY, NAME, OVER = range(6)",
        "AUCTION, DISCARD, PLAY, NOMINATE, NAME, OVER = range(6)",
    )
    assert edited != text
    constants.write_text(edited)
    after = run(ONE_KERNEL, copy, NUMBA_CACHE_DIR=kept)
    assert before.stdout.split()[0] == str(FIRST_NAME)
    assert after.stdout.split()[0] == str(FIRST_CARD)
    assert before.stdout.split()[1] != after.stdout.split()[1]
    assert NOTICE in after.stderr


@needs_compiler
def test_a_read_only_install_keeps_its_kernels_elsewhere(copy: Path, tmp_path: Path) -> None:
    """Neither package nor home can be written to: kernels go to the folder for temporary files and are found again."""
    for path in [*copy.rglob("*"), copy]:
        path.chmod(path.stat().st_mode & ~0o222)
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": f"{os.devnull}/cache", "LOCALAPPDATA": os.devnull}
    spare = tmp_path / "spare"
    spare.mkdir()
    try:
        first, second = (run(ONE_KERNEL, copy, TMPDIR=str(spare), TEMP=str(spare), **nowhere) for _ in range(2))
    finally:
        for path in [copy, *copy.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
    assert NOTICE in first.stderr
    assert NOTICE not in second.stderr
    assert first.stdout == second.stdout
    assert first.stdout.split()[0] == str(FIRST_NAME)
    assert Path(first.stdout.split()[1]).is_relative_to(spare)
    assert not list(copy.rglob("*.nb*"))


@needs_compiler
def test_where_nothing_can_be_written_kernels_are_compiled_each_time() -> None:
    for _ in range(2):
        done = run(ONE_KERNEL, NUMBA_CACHE_DIR=f"{os.devnull}/cache")
        assert done.stdout == f"{FIRST_NAME} None\n"
        assert "no folder to keep them in is writable" in done.stderr

"""The tables of the documentation are those of the code, and the code of the documentation runs."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.rulebook import ROOT

PAGE = ROOT / "docs" / "environment.md"
README = ROOT / "README.md"
EXAMPLES = [
    (page.name, number, code)
    for page in (README, PAGE)
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )
]
LINKS = [
    (page, target)
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
]


def generator() -> ModuleType:
    """Return docs/generate.py as a module."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_are_up_to_date() -> None:
    """`python docs/generate.py` would change nothing."""
    generate = generator()
    assert PAGE in generate.pages()
    stale = [path.name for path in generate.pages() if generate.fill(path.read_text()) != path.read_text()]
    assert not stale, "out of date, run `python docs/generate.py`: " + ", ".join(stale)


def test_the_generator_replaces_its_own_blocks_alone() -> None:
    """Text around a block and blocks of other names stay; what stood in a block of its own is gone."""
    generate = generator()
    page = "before\n<!-- actions -->\nold\n<!-- /actions -->\n<!-- other -->\nkept\n<!-- /other -->\nafter\n"
    filled = generate.fill(page)
    assert filled.startswith("before\n<!-- actions -->\n\n| id | action |")
    assert filled.endswith("<!-- /actions -->\n<!-- other -->\nkept\n<!-- /other -->\nafter\n")
    assert "old" not in filled
    assert generate.fill(filled) == filled


def test_the_table_of_actions_says_what_decode_says() -> None:
    """The ids and names that the page lists one by one are all there are between the first call and the last joker."""
    listed = re.findall(r"(\d+) `([^`]+)`", PAGE.read_text(encoding="utf-8").split("One by one:")[1].split("<!--")[0])
    from five_hundred_env import actions

    assert [(int(number), name) for number, name in listed] == [(n, actions.decode(n)) for n in range(74)]


def test_the_table_of_observations_covers_every_place() -> None:
    """The first column counts from 0 to the last place without a gap."""
    from five_hundred_env.core.observe import OBSERVATION_SIZE

    block = PAGE.read_text(encoding="utf-8").split("<!-- observation -->")[1].split("<!-- /observation -->")[0]
    at = 0
    for first, last in re.findall(r"^\| (\d+)(?:–(\d+))? \| `", block, re.MULTILINE):
        assert int(first) == at
        at = int(last or first) + 1
    assert at == OBSERVATION_SIZE


@pytest.mark.parametrize(("page", "number", "code"), EXAMPLES, ids=[f"{page}-{n}" for page, n, _ in EXAMPLES])
def test_examples_run(page: str, number: int, code: str, tmp_path: Path) -> None:
    """Every block of Python in the README and on the page of the environment runs by itself."""
    path = tmp_path / "example.py"
    path.write_text(code, encoding="utf-8")
    names = runpy.run_path(str(path))
    assert {"env", "envs", "game", "tables"} & set(names), f"block {number} of {page} made nothing"


def test_links_lead_somewhere() -> None:
    """Every relative link of a page names a file of the project."""
    assert LINKS
    broken = [f"{page.name}: {target}" for page, target in LINKS if not (page.parent / target).exists()]
    assert not broken, "\n".join(broken)


def test_the_readme_opens_with_the_two_commands() -> None:
    """The first block of code is `make train` and `make test`."""
    first = README.read_text(encoding="utf-8").split("```")[1]
    assert [line.split("#")[0].strip() for line in first.splitlines()[1:]] == ["make train", "make test"]


def test_every_library_has_a_row() -> None:
    """Each pinned environment and each adapter is named on the page of libraries."""
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    adapters = [path.stem for path in (ROOT / "five_hundred_env" / "integrations").glob("[!_]*.py")]
    missing = [name for name in adapters if f"five_hundred_env.integrations.{name}`" not in page]
    assert not missing, f"docs/integrations.md has no section for {', '.join(missing)}"
    left = re.findall(r"examples/(\w+\.py)", page)
    assert left
    assert not [name for name in left if not (ROOT / "examples" / name).exists()]

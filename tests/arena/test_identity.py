"""The hash of an agent changes with what it decides by, and with nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from five_hundred_env.agents import load_agent
from five_hundred_env.arena import play_tournament
from five_hundred_env.arena.entrants import introduce
from five_hundred_env.arena.identity import code_hash, identify
from five_hundred_env.errors import RecordError
from tests.arena import agents

ADDS = '''"""Adds."""

from made_up.other import three  # a number


def add(x):
    """Add three."""
    return x + three
'''


@pytest.fixture(name="package")
def made_up_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a package of three modules of which `adds` imports one."""
    folder = tmp_path / "made_up"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "adds.py").write_text(ADDS)
    (folder / "other.py").write_text("three = 3\n")
    (folder / "alone.py").write_text("seven = 7\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "same"),
    [
        ("adds.py", "  # a number", "", True),
        ("adds.py", '    """Add three."""\n', "", True),
        ("adds.py", "\n\n\ndef", "\n\ndef", True),
        ("adds.py", "x + three", "x - three", False),
        ("adds.py", "x + three", "x + three if x else 0", False),
        ("other.py", "3", "4", False),
        ("alone.py", "7", "8", True),
    ],
)
def test_code_counts_and_what_it_imports(package: Path, file: str, old: str, new: str, same: bool) -> None:
    before = code_hash("made_up.adds")
    path = package / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert (code_hash("made_up.adds") == before) == same
    assert "made_up" not in sys.modules, "nothing of it was run"


def test_a_block_is_more_than_its_words(package: Path) -> None:
    """The same words with the second line inside the `if` or behind it."""
    (package / "adds.py").write_text("if x:\n    a()\n    b()\n")
    inside = code_hash("made_up.adds")
    (package / "adds.py").write_text("if x:\n    a()\nb()\n")
    assert code_hash("made_up.adds") != inside


def test_built_in_agents_differ_and_do_not_depend_on_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of `pimc` leaves `rule` alone; `pimc` plays by `rule`, and all by the core."""
    from five_hundred_env.arena import identity

    names = ("random", "passer", "greedy", "rule", "pimc")
    before = {name: introduce(name).hash for name in names}
    assert len(set(before.values())) == len(names)
    source_of = identity._code_of

    def changed(needle: str) -> set[str]:
        monkeypatch.setattr(
            identity, "_code_of", lambda data: source_of(data) + ("!" if needle.encode() in data else "")
        )
        return {name for name in names if introduce(name).hash != before[name]}

    assert changed("def decide_pimc(") == {"pimc"}
    assert changed("def decide_rule(") == {"rule", "pimc"}
    assert changed("def read_observation(") == set(names)


def test_options_and_objects_have_their_own_hash() -> None:
    assert introduce("pimc:worlds=5").hash != introduce("pimc").hash
    opener = introduce(agents.Opener())
    assert opener.spec == "tests.arena.agents:Opener"
    assert opener.hash != introduce(agents.Short()).hash


def test_files_that_an_agent_names_count(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.write_bytes(b"1")
    agent = agents.Opener()
    agent.sources = (weights,)  # type: ignore[attr-defined]
    before = identify(agent, agent).hash
    weights.write_bytes(b"2")
    assert identify(agent, agent).hash != before


AGENT = "from five_hundred_env.agents import load_agent\n\nagent = load_agent('passer')\n"


def test_an_edited_agent_can_not_go_on_in_an_old_run(tmp_path: Path) -> None:
    """The version is the same, so nothing but the hash tells that the boards would be those of two agents."""
    path = tmp_path / "mine.py"
    path.write_text(AGENT)
    play_tournament([str(path), "random"], boards=4, out=tmp_path / "run")
    play_tournament([str(path), "random"], boards=6, out=tmp_path / "run")
    path.write_text(AGENT + "x = 1\n")
    with pytest.raises(
        RecordError, match="agent passer has changed since its boards were played: its version is still 1"
    ):
        play_tournament([str(path), "random"], boards=8, out=tmp_path / "run")


def test_what_is_loaded_is_what_is_named() -> None:
    assert introduce("rule").to_dict()["version"] == str(load_agent("rule").version)  # type: ignore[attr-defined]

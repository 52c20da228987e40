"""What the documentation shows is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from five_hundred_env.cli import main
from tests.architecture.rulebook import ROOT

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"
"""A line of the documentation that stands for one line that differs from run to run."""


def shown(page: str) -> list[tuple[str, list[str]]]:
    """Return each command of a page with the lines printed below it."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


COMMANDS = [
    pytest.param(command, lines, id=command[:40]) for page in ("cli.md", "arena.md") for command, lines in shown(page)
]


@pytest.mark.parametrize(("command", "lines"), COMMANDS)
def test_a_command_prints_what_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, lines: list[str]
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = command.split()
    if program == "cat":
        printed = Path(arguments[0]).read_text(encoding="utf-8")
    else:
        assert program == "five-hundred"
        assert main(arguments) in (0, 1)
        printed = capsys.readouterr().out
    got = [line.rstrip() for line in printed.rstrip("\n").splitlines()]
    assert len(got) == len(lines)
    assert [line if shown_line != ANYTHING else ANYTHING for line, shown_line in zip(got, lines, strict=True)] == lines

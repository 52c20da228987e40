"""The commands `analyse` and `solve`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from five_hundred_env import Game
from five_hundred_env.cli import FAILED, main
from five_hundred_env.records import write_record
from tests.search.test_analysis import DEAL


@pytest.fixture
def broken_contract(tmp_path: Path) -> Path:
    """10S by seat 0, who keeps J♦ and leads it last; seat 1 keeps A♦ for it."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["10S", "PASS", "PASS", "PASS", "5S", "6S", "7S", "JS", "5D", "5C", "5H"]:
        game.apply(action)
    while game.phase != "over":
        others = [card for card in game.legal() if card not in ("JD", "AD")]
        game.apply((others or game.legal())[0])
    assert game.deal_result is not None
    assert not game.deal_result.made
    file = tmp_path / "game.jsonl"
    write_record(file, game)
    return file


def test_analyse_shows_what_was_lost(broken_contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(broken_contract)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "deal 1",
        "  par       10NT by 2, +520 +0",
        "  contract  10S by 0, value 10, perfectly played +440 +0",
        "  result    -440 +10",
    ]
    assert lines[5].split() == ["7", "0", "discard", "7S", "-1", "-890"]
    assert "  seat 0: 12 decisions, 1 tricks and 890 points lost" in lines


def test_analyse_as_json(broken_contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(broken_contract), "--deal", "1", "--json"]) == 0
    (deal,) = json.loads(capsys.readouterr().out)["deals"]
    assert (deal["number"], deal["contract"], deal["value"], deal["points"]) == (1, "10S", 10, [-440, 10])
    assert [cost["points"] for cost in deal["costs"] if cost["points"]] == [890]


def test_analyse_has_no_such_deal(broken_contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(broken_contract), "--deal", "2"]) == FAILED
    assert "deals 1 to 1, not 2" in capsys.readouterr().err


def test_solve_shows_the_table_and_par(capsys: pytest.CaptureFixture[str]) -> None:
    """Seat 0 holds every spade that is in play: with spades as trumps nobody else takes a trick, whoever leads."""
    assert main(["solve", *DEAL.split()]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["seat", "0", "seat", "1", "seat", "2", "seat", "3"]
    assert lines[2].split() == ["S", "10", "0", "10", "0"]
    assert lines[-2] == "par: 10NT by 2, +520 +0"


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("australian", "1 where it is made to take a trick"),
        ("australian,misere_defence=10", "the tricks it is made to take"),
    ],
)
def test_solve_says_what_the_figure_of_a_misere_is(rules: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", DEAL, "--rules", rules]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(f"in a misère {told}")


def test_solve_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", DEAL, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["table"]["S"][0] == 10
    assert data["par"]["points"] == [520, 0]


def test_a_deal_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "ASKS"]) == FAILED
    assert capsys.readouterr().err.startswith("five-hundred: ")


def test_solve_many_deals_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seats turned by one: the table turns with them. Comments and empty lines are none."""
    groups = DEAL.split()
    turned = " ".join([groups[3], *groups[:3], groups[4]])
    file = tmp_path / "deals.txt"
    file.write_text(f"# two deals\n{DEAL}\n\n{turned}\n", encoding="utf-8")
    assert main(["solve", "--file", str(file), "--threads", "2", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["deals"]
    assert (first["number"], second["number"]) == (1, 2)
    for name, values in first["table"].items():
        assert second["table"][name] == [values[3], *values[:3]]
    assert main(["solve", "--file", str(file)]) == 0
    assert capsys.readouterr().out.startswith("deal 1\n")


def test_the_line_that_is_no_deal_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"{DEAL}\nASKS\n", encoding="utf-8")
    assert main(["solve", "--file", str(file)]) == FAILED
    assert "line 2: " in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["solve"], ["solve", DEAL, "--file", "deals.txt"]])
def test_one_deal_or_a_file(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == FAILED
    assert "--file" in capsys.readouterr().err

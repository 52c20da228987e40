"""The score keeper: points worked out by hand from R9 and R10, and lines that can not have been."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from five_hundred_env import Rules
from five_hundred_env.cli import main
from five_hundred_env.cli.score import Sheet, parse_entry, score_entry
from five_hundred_env.errors import NotationError


def sheet(*lines: str, rules: str = "australian", scores: tuple[int, int] = (0, 0)) -> Sheet:
    kept = Sheet(Rules.from_text(rules), scores)
    list(kept.read(lines))
    return kept


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("7H us 8", (200, 20)),  # 7H is 40 + 100 + 60; the others take two tricks
        ("7H us 6", (-200, 40)),
        ("7H them 8", (20, 200)),
        ("6S 0 10", (250, 0)),  # slam: 40 becomes 250 (R9.3)
        ("8S 2 10", (250, 0)),  # 240 becomes 250
        ("8C 1 10", (0, 260)),  # worth 250 or more already
        ("10NT 3 10", (0, 520)),
        ("10NT 3 9", (10, -520)),
        ("MIS us 0", (250, 0)),
        ("MIS us 1", (-250, 0)),
        ("OMIS them 0", (0, 500)),
        ("PASS", (0, 0)),
    ],
)
def test_points_of_a_deal(line: str, points: tuple[int, int]) -> None:
    kept = sheet(line, rules="australian,target=1000")
    assert kept.wrong == 0
    assert kept.scores == points


@pytest.mark.parametrize(
    ("line", "rules", "points"),
    [
        ("MIS us 3", "american", (-250, 30)),  # ten for each of the contractor's tricks
        ("6S us 10", "australian,slam=none", (40, 0)),
        ("PASS us 6", "australian,all_pass=no_trumps", (60, 40)),
    ],
)
def test_points_follow_the_rules(line: str, rules: str, points: tuple[int, int]) -> None:
    scored = score_entry(parse_entry(line, Rules.from_text(rules)), (0, 0), Rules.from_text(rules))
    assert scored.points == points
    assert scored.scores == points


def test_a_cap_on_defence_acts_on_totals_only() -> None:
    """At 480 the two tricks of defence bring 490 at most, though the deal is worth 20."""
    kept = sheet("7H us 8", rules="australian,defence_cap=490", scores=(0, 480))
    assert kept.lines[0].scored is not None
    assert kept.lines[0].scored.points == (200, 20)
    assert kept.scores == (200, 490)


@pytest.mark.parametrize(
    ("line", "scores", "rules", "winner"),
    [
        ("7H us 8", (300, 490), "australian", 0),  # us 500 by an own contract; them 510 through defence only
        ("7H us 6", (300, 470), "australian", None),  # them 510 through defence: goes on
        ("7H us 6", (-300, 0), "australian", 1),  # us -500: out backwards
        ("7H us 6", (300, 470), "american", 1),  # first to the target
        ("7H us 8", (300, 490), "american", 0),  # both reach it: the contractor's side
        ("7H us 6", (-300, 0), "australian,lose=none", None),
        ("6S us 6", (0, 0), "australian,target=40", 0),
    ],
)
def test_the_winner_of_the_game(line: str, scores: tuple[int, int], rules: str, winner: int | None) -> None:
    assert sheet(line, rules=rules, scores=scores).winner == winner


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("8S them 11", "11 tricks are impossible: a deal has 10 (R6.4)"),
        ("8S them -1", "-1 tricks are impossible"),
        ("8S them many", "MANY tricks are impossible"),
        ("MIS us 2", "a misère ends with the contractor's first one (R8.4)"),
        ("MIS>8S us 0", "MIS over 8S is impossible: it does not rank above the last bid 8S (R3.2)"),
        ("MIS>6NT us 0", "MIS over 6NT is impossible: no bid at the seven level stands"),
        ("MIS>- us 0", "MIS as the first bid is impossible"),
        ("7H>7S>7C us 7", "7S over 7C is impossible: it does not rank above the last bid 7C (R3.2)"),
        ("7H>7H us 7", "7H over 7H is impossible"),
        ("OMIS>10H us 0", "OMIS over 10H is impossible"),
        ("7X us 7", "no bid is called '7X'"),
        ("7H>PASS us 7", "no bid is called 'PASS'"),
        ("5H us 7", "no bid is called '5H'"),
        ("7H we 7", "who plays is us, them or a seat 0 to 3, not 'we'"),
        ("7H 4 7", "who plays is us, them or a seat 0 to 3, not '4'"),
        ("7H", "7H needs who played it and the tricks"),
        ("7H us", "has 2 words"),
        ("7H us 7 made", "has 4 words"),
        ("PASS us 6", "thrown in, no tricks are taken (R3.7)"),
    ],
)
def test_impossible_lines_are_named(line: str, message: str) -> None:
    kept = sheet("# first", line, "6S us 6")
    assert kept.wrong == 1
    assert kept.lines[0].number == 2
    assert message in (kept.lines[0].error or "")
    assert kept.scores == (40, 40), "the next line goes on from where the sheet stood"


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("MIS>7NT us 0", "australian"),
        ("MIS>7S>6H us 0", "australian"),
        ("OMIS>10D us 0", "australian"),
        ("OMIS>- us 0", "australian"),
        ("MIS>8S us 0", "american"),  # by value: 250 stands above 240
        ("MIS>- us 0", "casual"),
        ("OMIS>10NT us 0", "australian,open_misere_rank=top"),
        ("mis>7s US 0  # small letters", "australian"),
    ],
)
def test_possible_auctions_are_taken(line: str, rules: str) -> None:
    assert sheet(line, rules=rules).wrong == 0


@pytest.mark.parametrize(
    ("line", "rules", "message"),
    [
        ("MIS us 0", "australian,misere_rank=none", "MIS here is impossible: the rules have misere_rank=none"),
        ("MIS>8C us 0", "american", "MIS over 8C is impossible"),
        ("PASS", "australian,all_pass=no_trumps", "write who took how many tricks: PASS us 6"),
    ],
)
def test_what_is_impossible_follows_the_rules(line: str, rules: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_entry(line, Rules.from_text(rules))


def test_lines_after_the_end_are_impossible() -> None:
    kept = sheet("10NT us 10", "6S us 6")
    assert kept.winner == 0
    assert kept.lines[1].error == "the game is over, us had won before '6S us 6' (R10.1)"
    assert kept.scores == (520, 0)


EVENING = """# Friday
7H us 8        # made with one over
PASS

8S them 11
8S them 7
MIS>7S 1 0
OMIS 2 0
"""

# 7H: +200 +20. 8S fails with 7: us 3 x 10, them -240. MIS by seat 1: them +250. OMIS by seat 2: us +500, 730.
SHEET = """\
line  deal                      us          them
   2  7H us 8          +200    200    +20     20 made
   3  PASS                -    200      -     20
   5  impossible: 11 tricks are impossible: a deal has 10 (R6.4)
   6  8S them 7         +30    230   -240   -220 failed
   7  MIS 1 0             -    230   +250     30 made
   8  OMIS 2 0         +500    730      -     30 made
us won: us 730, them 30; 1 impossible line not counted
"""


def test_the_running_sheet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "evening.txt").write_text(EVENING, encoding="utf-8")
    assert main(["score", str(tmp_path / "evening.txt")]) == 1
    assert capsys.readouterr().out == SHEET


def test_the_sheet_from_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(EVENING))
    assert main(["score"]) == 1
    assert capsys.readouterr().out == SHEET


def test_a_single_deal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score", "--contract", "7H", "--contractor", "1", "--tricks", "10", "--scores", "490/260", "--json"]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["scores"] == [490, 510]
    assert data["winner"] == "them"
    (deal,) = data["deals"]
    assert (deal["points"], deal["made"], deal["contractor"]) == ([0, 250], True, "them")


def test_a_single_impossible_deal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--contract", "MIS>8S", "--contractor", "us", "--tricks", "0", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["impossible"][0]["line"] == 1
    assert data["deals"] == []

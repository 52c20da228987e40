"""The command line: what the commands print, and that errors are one line and exit status 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from five_hundred_env.cli import main
from five_hundred_env.core.rules import PROFILES
from tests.architecture.rulebook import ROOT

GOLDEN = ROOT / "tests" / "golden"
COMPILING = "five_hundred_env: compiling"  # said once a version, whoever is first


def run(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run a command in this process and return what it printed."""
    assert main(arguments) == status
    out, error = capsys.readouterr()
    error = "".join(line for line in error.splitlines(keepends=True) if not line.startswith(COMPILING))
    if status == 2:
        assert out == ""
        return error
    assert error == ""
    return out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "version") == "five_hundred_env 0.1.0, environment version 0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay", "nowhere.jsonl"], "nowhere.jsonl can not be read"),
        (["replay", str(GOLDEN / "australian.jsonl"), "--deal", "99"], "the game has deals 1 to 10, not 99"),
        (["replay", str(GOLDEN / "australian.jsonl"), "--game", "0"], "the file has games 1 to 1, not 0"),
        (["bids", "--rules", "austrian"], "no rules profile is called 'austrian'; profiles are australian"),
        (["bids", "--rules", "american,slam=3"], "option slam has no value '3'"),
        (["score", "nowhere.txt"], "nowhere.txt"),
        (["score", "--contract", "7H", "--scores", "x"], "scores are two numbers such as 120/-40"),
        (["score", "--contract", "7H", "--scores", "-500/0"], "side 0 has already lost at -500"),
        (["score", "x.txt", "--contract", "7H"], "give a file of deals or one --contract, not both"),
        (["score", "--tricks", "7"], "belong to a --contract"),
        (["tournament", "random"], "a tournament has two agents or more, not 1"),
        (["tournament", "random", "randm"], "no agent is called 'randm'"),
        (["tournament", "random", "passer", "--boards", "0"], "boards is a number"),
        (["tournament", "--config", "nowhere.yaml"], "nowhere.yaml can not be read"),
        (["tournament", "random", "passer", "--cap", "random"], "a cap is AGENT=BOARDS or AGENT=BOARDS/GAMES"),
        (["tournament", "random", "passer", "--anchors", "v0"], "no list of anchors is called 'v0'"),
        (["record", "random", "--out", "x.jsonl"], "a game has two agents, one a side, or four, not 1"),
    ],
)
def test_errors_are_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    error = run(capsys, *arguments, status=2)
    assert error.startswith("five-hundred: ")
    assert message in error
    assert error.count("\n") == 1


def test_wrong_options_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bids", "--colour", "red"]) == 2
    assert main(["sing"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_without_typer_the_extra_is_named() -> None:
    code = "import sys; sys.modules['typer'] = None\nfrom five_hundred_env.cli import main\nsys.exit(main(['version']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert "pip install 'five_hundred_env[arena]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("profile", PROFILES)
def test_replay_checks_and_shows(capsys: pytest.CaptureFixture[str], profile: str) -> None:
    text = run(capsys, "replay", str(GOLDEN / f"{profile}.jsonl"))
    assert text.startswith(f"game 1: game of line 1, rules {profile}, seed ")
    assert "seats: 0 rule  1 greedy  2 rule  3 greedy" in text
    assert text.endswith("1 game checked, every action legal\n")


def test_replay_shows_a_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """The fifth deal of the record, read off its line: 6NT by seat 2, the joker nominated in diamonds."""
    text = run(capsys, "replay", str(GOLDEN / "australian.jsonl"), "--deal", "5")
    lines = text.splitlines()
    record = [json.loads(line) for line in (GOLDEN / "australian.jsonl").read_text(encoding="utf-8").splitlines()]
    deal = record[5]
    assert "deal 5, dealer " + str(deal["dealer"]) + ", totals -300 +350" in lines
    kitty = deal["deal"].split()[4]
    assert f"  kitty:   {kitty[:2]} {kitty[2:4]} {kitty[4:]}" in lines
    assert "  nomination: JK =D" in lines
    (discards,) = [line for line in lines if "discards by 2: " in line]
    discarded = deal["actions"][deal["actions"].index("PASS", 1) :]
    assert set(discards.split(": ")[1].split()) <= set(discarded)
    assert "  6NT by 2 made, tricks 9 to 1; points +120 +10; totals -180 +360" in lines
    assert sum(line.strip().split(" ")[0].isdecimal() and "[" in line for line in lines) == 10
    assert "deal 4" not in text


def test_replay_shows_auction_by_seat_and_tricks_with_winners(capsys: pytest.CaptureFixture[str]) -> None:
    """The last deal is OMIS by 0: a trick has three cards, seat 2's column stays empty."""
    data = json.loads(run(capsys, "replay", str(GOLDEN / "australian.jsonl"), "--deal", "10", "--json"))
    (deal,) = data["games"][0]["deals"]
    assert deal["result"]["contract"] == "OMIS"
    assert len(deal["tricks"]) == 10
    assert all(len(trick["cards"]) == 3 for trick in deal["tricks"])
    assert all(2 not in dict(map(tuple, trick["cards"])) for trick in deal["tricks"])
    leaders = [trick["leader"] for trick in deal["tricks"]]
    assert leaders[0] == 0
    assert leaders[1:] == [trick["winner"] for trick in deal["tricks"]][:-1]
    assert all(trick["winner"] != 0 for trick in deal["tricks"])
    assert data["games"][0]["winner"] == 0


def test_replay_refuses_an_illegal_action(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (GOLDEN / "american.jsonl").read_text(encoding="utf-8")
    (tmp_path / "x.jsonl").write_text(text.replace('"PASS"', '"10NT"', 1), encoding="utf-8")
    error = run(capsys, "replay", str(tmp_path / "x.jsonl"), status=2)
    assert "x.jsonl, line 2, deal 1, action " in error


def test_record_writes_games_that_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "x.jsonl")
    run(capsys, "record", "random", "passer", "--games", "2", "--rules", "casual", "--out", path)
    assert "2 games checked" in run(capsys, "replay", path)
    data = json.loads(run(capsys, "replay", path, "--json"))
    assert [game["seed"] for game in data["games"]] == [1, 2]
    assert data["games"][0]["agents"] == ["random", "passer", "random", "passer"]


def test_bids_of_the_default_profile(capsys: pytest.CaptureFixture[str]) -> None:
    """R3.2 and R9.1: MIS (250) stands between 7NT (220) and 8S (240), OMIS (500) between 10D (480) and 10H (500)."""
    bids = json.loads(run(capsys, "bids", "--json"))["bids"]
    order = [(bid["bid"], bid["value"]) for bid in bids]
    assert order[:6] == [("6S", 40), ("6C", 60), ("6D", 80), ("6H", 100), ("6NT", 120), ("7S", 140)]
    assert order[9:12] == [("7NT", 220), ("MIS", 250), ("8S", 240)]
    assert order[-4:] == [("10D", 480), ("OMIS", 500), ("10H", 500), ("10NT", 520)]
    assert len(order) == 27


@pytest.mark.parametrize(
    ("rules", "misere", "open_misere"),
    [
        ("australian", ("7NT", "8S"), ("10D", "10H")),
        ("american", ("8S", "8C"), ("10D", "10H")),
        ("casual", ("7NT", "8S"), ("10D", "10H")),
        ("australian,open_misere_rank=top", ("7NT", "8S"), ("10NT", None)),
        ("australian,misere_rank=none", None, ("10D", "10H")),
        ("australian,pack=17", ("7NT", "8S"), ("10D", "10H")),
        ("australian,pack=13", None, ("10D", "10H")),  # no bid at the seven level, so no misère (D12)
    ],
)
def test_bids_follow_the_rules(
    capsys: pytest.CaptureFixture[str],
    rules: str,
    misere: tuple[str, str] | None,
    open_misere: tuple[str, str | None],
) -> None:
    bids = [bid["bid"] for bid in json.loads(run(capsys, "bids", "--rules", rules, "--json"))["bids"]] + [None]
    for name, neighbours in (("MIS", misere), ("OMIS", open_misere)):
        if neighbours is None:
            assert name not in bids
        else:
            place = bids.index(name)
            assert (bids[place - 1], bids[place + 1]) == neighbours


def test_bids_of_a_short_pack(capsys: pytest.CaptureFixture[str]) -> None:
    """Three cards a hand: level 8 is the lowest and promises one trick; three of three are a slam."""
    lines = run(capsys, "bids", "--rules", "australian,pack=13").splitlines()
    assert lines[2] == "    1  8S      240  1 of 3 tricks (D12); 250 with all of them (R9.3)"
    assert lines[3] == "    2  8C      260  1 of 3 tricks (D12)"
    assert lines[-1] == "   16  10NT    520  3 of 3 tricks (D12)"


def test_bids_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "bids").splitlines()
    assert lines[0] == "bids in rising order, rules australian"
    assert lines[2] == "    1  6S       40  250 with all ten tricks (R9.3)"
    assert lines[12] == "   11  MIS     250  misère: no trick, partner out; only over a bid at the seven level (R3.3)"
    assert lines[13] == "   12  8S      240  250 with all ten tricks (R9.3)"
    assert lines[14] == "   13  8C      260"


def test_a_tournament_as_json_is_the_same_each_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["tournament", "random", "passer", "greedy", "--boards", "60", "--games", "2", "--seed", "3", "--json"]
    first = run(capsys, *words)
    assert run(capsys, *words, "--plot", str(tmp_path / "x.png")) == first
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    data = json.loads(first)
    assert data["names"] == ["random", "passer", "greedy"]
    assert len(data["matches"]) == 3
    assert data["matches"][0]["points_per_deal"]["mean"] < -300


def test_a_tournament_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "tournament", "random", "passer", "--boards", "50")
    assert "50 boards a match, rules australian, seed 1" in text
    assert "Ratings: least squares, the mean at zero." in text


def test_a_tournament_on_anchors_with_caps(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["overbidder", "--anchors", "v1", "--boards", "30", "--games", "2", "--cap", "overbidder=10/1"]
    data = json.loads(run(capsys, "tournament", *words, "--json"))
    assert data["names"] == ["overbidder", "random", "passer", "greedy", "rule"]
    assert data["anchors"] == "v1"
    assert data["ratings"]["rule"]["mean"] == 0
    assert data["elo"]["rule"] == {"rating": 0, "ci95": [0, 0]}
    assert [match["boards"] for match in data["matches"]] == [10] * 4 + [30] * 6
    assert [match["games"] for match in data["matches"]] == [1] * 4 + [2] * 6


def test_a_probe_tells_what_it_gained(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "probe", "passer", "random", "greedy", "--boards", "20", "--json"))
    assert data["best"] == "greedy"
    assert data["budget"].startswith("2 probes of 20 boards each on seed 1")
    assert data["confirmed"]["points_per_deal"]["mean"] > 0
    text = run(capsys, "probe", "passer", "random", "greedy", "--boards", "20")
    assert "So passer can be exploited by " in text


def test_bench_prints_figures(capsys: pytest.CaptureFixture[str]) -> None:
    figures = json.loads(run(capsys, "bench", "--seconds", "0.05", "--json"))
    assert all(figure > 0 for figure in figures.values())
    assert len(figures) == 4

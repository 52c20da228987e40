"""Records: round trip, and an error that says where for everything that can be wrong."""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from five_hundred_env import Game
from five_hundred_env.core.rules import PROFILES
from five_hundred_env.errors import OptionError, RecordError
from five_hundred_env.records import read_records, write_record
from tests.architecture.rulebook import ROOT


def play(game: Game, deals: int) -> Game:
    """Play some deals with the highest legal action each time; every auction is then OMIS, 10NT and three passes."""
    for number in range(deals):
        if number:
            game.next_deal()
        while game.seat is not None:
            game.apply(game.legal()[-1])
        if game.is_over:
            break
    return game


def lines_of(game: Game) -> list[str]:
    file = io.StringIO()
    write_record(file, game, ["a", "b", "c", "d"])
    return file.getvalue().splitlines(keepends=True)


@pytest.fixture(name="path")
def record_file(tmp_path: Path) -> Path:
    """One finished deal of a game that is then broken off in its second, after the call 6S."""
    game = play(Game("australian,lose=none", seed=3), 1).next_deal().apply("6S")
    path = tmp_path / "game.jsonl"
    write_record(path, game, ["a", "b", "c", "d"])
    return path


@pytest.mark.parametrize("profile", [*PROFILES, "australian,pack=5", "casual,pack=13"])
@pytest.mark.parametrize("deals", [1, 3])
def test_what_is_written_is_read_back(tmp_path: Path, profile: str, deals: int) -> None:
    game = play(Game(profile, seed=11), deals)
    write_record(tmp_path / "x.jsonl", game)
    (record,) = read_records(tmp_path / "x.jsonl")
    assert record.game == game
    assert record.game.history == game.history
    assert record.agents is None
    assert record.line == 1


def test_many_games_stand_in_one_file(tmp_path: Path) -> None:
    games = [play(Game(seed=seed), 2) for seed in range(4)]
    path = tmp_path / "many.jsonl"
    for game in games:
        write_record(path, game)
    assert [record.game for record in read_records(path)] == games


def test_streams_are_read_and_written() -> None:
    game = play(Game(seed=1), 1)
    file = io.StringIO()
    write_record(file, game)
    file.seek(0)
    (record,) = read_records(file)
    assert record.game == game


def test_a_game_may_be_broken_off_within_a_deal(path: Path) -> None:
    (record,) = read_records(path)
    assert record.deals[-1].result is None
    assert record.game.calls[-1][1] == "6S"
    assert record.at_deal(1).deal_result == record.deals[0].result
    with pytest.raises(OptionError, match="deals 1 to 2, not 3"):
        record.at_deal(3)


def test_a_deal_from_elsewhere_is_recorded_as_it_was_dealt(tmp_path: Path) -> None:
    """`next_from` lays out a deal that no seed gave."""
    other = Game(seed=99).history[0].deal
    game = play(Game("australian,lose=none", seed=3), 1).next_from(other)
    write_record(tmp_path / "x.jsonl", game)
    (record,) = read_records(tmp_path / "x.jsonl")
    assert record.deals[1].deal == other


def test_a_position_in_the_middle_of_a_game_is_no_record() -> None:
    game = Game.from_text(play(Game("australian,lose=none", seed=3), 1).next_deal().to_text())
    with pytest.raises(RecordError, match="stands in deal 2 but knows only 1"):
        write_record(io.StringIO(), game)


def test_agents_are_four_names() -> None:
    with pytest.raises(OptionError, match="seats 0 to 3"):
        write_record(io.StringIO(), Game(seed=1), ["a", "b"])


def change(line: int, **fields: Any) -> Callable[[list[Any]], None]:
    """Return a change of some fields of a line of the record, counted from 1."""

    def apply(lines: list[Any]) -> None:
        lines[line - 1].update(fields)

    return apply


def change_result(**fields: Any) -> Callable[[list[Any]], None]:
    def apply(lines: list[Any]) -> None:
        lines[1]["result"].update(fields)

    return apply


def act(deal: int, at: int, name: str) -> Callable[[list[Any]], None]:
    def apply(lines: list[Any]) -> None:
        lines[deal]["actions"][at - 1] = name

    return apply


def drop(line: int) -> Callable[[list[Any]], None]:
    def apply(lines: list[Any]) -> None:
        del lines[line - 1]

    return apply


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change(1, version=2), r"line 1: its version is 2; this package reads version 1"),
        (change(1, version=True), r"line 1: its version is True"),
        (change(1, environment=9), r"line 1: its environment is 9; this package reads environment 0"),
        (change(1, format="pbn"), r"line 1: its format is 'pbn'"),
        (change(1, rules={"slam": 99}), r"line 1: option slam has no value 99"),
        (change(1, rules={"jokers": 1}), r"line 1: no option of the rules is called 'jokers'"),
        (change(1, seed=-1), r"line 1: a seed is an integer from 0"),
        (change(1, seed="3"), r"line 1: Expected `int`, got `str`"),
        (change(1, agents=["a"]), r"line 1: agents are 4 names, not 1"),
        (change(1, colour="red"), r"line 1: Object contains unknown field `colour`"),
        (change(1, type="match"), r"line 1: a line has a type, game, deal, end, not 'match'"),
        (change(2, type="end"), r"line 2: the game of line 1 has not ended"),
        (change(2, actions=[7]), r"line 2: Expected `str`, got `int` - at `\$.actions\[0\]`"),
        (change(2, scores=[0, 10]), r"line 3, deal 2: dealer and totals before the deal are 1 and -520/30"),
        (change(2, scores=[0]), r"line 2: Expected `array` of length 2"),
        (change(2, dealer=7), r"line 2, deal 1: dealer is a seat from 0 to 3, not 7"),
        (change(2, deal="AS"), r"line 2, deal 1: deal 'AS' has 1 groups"),
        (act(1, 1, "6X"), r"line 2, deal 1, action 1: seat \d may not call '6X'"),
        (act(1, 6, "6S"), r"line 2, deal 1, action 6: seat \d may not discard 6S: .* in five_hundred/0 rules="),
        (change_result(points=[0, 0]), r"line 2, deal 1: the result is .*, not .*points=\(0, 0\)"),
        (change_result(made=None), r"line 2, deal 1: the result is"),
        (change_result(tricks=[5, 5]), r"line 2, deal 1: the result is"),
        (change_result(contractor=None), r"line 2, deal 1: the result is"),
        (change(2, result=None), r"line 2, deal 1: the result is .*, not None"),
        (change(3, dealer=0), r"line 3, deal 2: dealer and totals before the deal are \d and .*, not 0 and"),
        (change(3, scores=[0, 0]), r"line 3, deal 2: dealer and totals before the deal are .*, not \d and 0/0"),
        (change(3, actions=["6S", "6S"]), r"line 3, deal 2, action 2: seat \d may not call 6S"),
        (change(4, winner=0), r"line 4: the winner of the game: None, not 0"),
        (change(4, deals=3), r"line 4: the number of deals of the game: 2, not 3"),
        (change(4, scores=[0, 0]), r"line 4: the totals of the game: \("),
        (drop(1), r"line 1: a game begins with a line of type game, not deal"),
        (drop(2), r"line 2, deal 1: the result is|line 3: the"),
        (drop(4), r"line 3: the file is cut: the game of line 1 has no line of type end"),
    ],
)
def test_a_false_record_is_refused_where_it_is_false(
    path: Path, edit: Callable[[list[Any]], None], message: str
) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    edit(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(RecordError, match=message) as caught:
        list(read_records(path))
    assert str(caught.value).startswith(f"{path}, line ")


def test_a_deal_after_the_end_of_the_game_is_refused(tmp_path: Path) -> None:
    """A 10NT, made or failed, decides a game at once; the second copy of the last deal is one too many."""
    lines = lines_of(play(Game(seed=3), 9))
    lines.insert(-1, lines[-2])
    (tmp_path / "x.jsonl").write_text("".join(lines), encoding="utf-8")
    with pytest.raises(RecordError, match=rf"line {len(lines) - 1}, deal \d+: side \d has won the game"):
        list(read_records(tmp_path / "x.jsonl"))


def test_every_cut_is_noticed(path: Path) -> None:
    """Cut after any byte but the last one, the file is refused; without its last newline it is still whole."""
    data = path.read_bytes()
    for length in range(1, len(data) - 1, 41):
        path.write_bytes(data[:length])
        with pytest.raises(RecordError, match="the file is cut"):
            list(read_records(path))
    path.write_bytes(data[:-1])
    assert len(list(read_records(path))) == 1


def test_games_before_a_damaged_one_are_read(path: Path) -> None:
    data = path.read_text(encoding="utf-8")
    path.write_text(data + data[:200], encoding="utf-8")
    records = read_records(path)
    assert next(records).line == 1
    with pytest.raises(RecordError, match=r"line 5: .*the file is cut there"):
        next(records)


@pytest.mark.parametrize(
    "data", [pickle.dumps({"type": "game"}), b"\xff\xfe", b"[1, 2]\n", b"7H us 8\n", b'{"type": 3}\n', b"null\n"]
)
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.jsonl").write_bytes(data)
    with pytest.raises(RecordError, match="line 1: "):
        list(read_records(tmp_path / "x.jsonl"))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"x\.jsonl can not be read"):
        list(read_records(tmp_path / "x.jsonl"))


def test_an_empty_file_holds_no_game(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"\n\n")
    assert list(read_records(tmp_path / "x.jsonl")) == []


def test_without_msgspec_the_extra_is_named() -> None:
    code = "import sys; sys.modules['msgspec'] = None\nimport five_hundred_env.records"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert "MissingExtraError: records need msgspec: pip install 'five_hundred_env[arena]'" in done.stderr

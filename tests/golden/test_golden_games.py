"""A recorded game under each profile replays, in the core and in the slow second writing of the rules."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from five_hundred_env.core.rules import PROFILES
from five_hundred_env.notation import mask_cards, parse_deal
from five_hundred_env.records import Record, read_records, write_record
from tests.reference import ReferenceGame

FOLDER = Path(__file__).parent


def golden(profile: str) -> Record:
    (record,) = read_records(FOLDER / f"{profile}.jsonl")
    return record


@pytest.mark.parametrize("profile", PROFILES)
def test_a_game_of_each_profile_replays(profile: str) -> None:
    record = golden(profile)
    assert record.rules.to_text() == profile
    assert record.game.is_over
    assert record.agents == ("rule", "greedy", "rule", "greedy")


@pytest.mark.parametrize("profile", PROFILES)
def test_writing_a_game_again_gives_the_same_bytes(profile: str) -> None:
    record = golden(profile)
    file = io.StringIO()
    write_record(file, record.game, record.agents)
    assert file.getvalue() == (FOLDER / f"{profile}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("profile", PROFILES)
def test_the_reference_plays_the_same_game(profile: str) -> None:
    """Every action of the record is legal in the reference, and every result and total is the same."""
    lines = [json.loads(line) for line in (FOLDER / f"{profile}.jsonl").read_text(encoding="utf-8").splitlines()]
    rules = golden(profile).rules
    game: ReferenceGame | None = None
    for line in lines[1:-1]:
        hands = [mask_cards(mask) for mask in parse_deal(line["deal"], rules)]
        if game is None:
            game = ReferenceGame(hands[:4], hands[4], line["dealer"], line["scores"], rules.to_dict())
        else:
            game.next_deal(hands[:4], hands[4])
        assert (game.dealer, list(game.scores)) == (line["dealer"], line["scores"])
        for action in line["actions"]:
            game.apply(action)
        assert game.result is not None
        assert (game.result["contract"], game.result["contractor"], game.result["made"]) == (
            line["result"]["contract"],
            line["result"]["contractor"],
            line["result"]["made"],
        )
        assert list(game.result["points"]) == line["result"]["points"]
    assert game is not None
    assert (game.winner, list(game.scores)) == (lines[-1]["winner"], lines[-1]["scores"])


# Worked out from R9: contract, who, tricks of side 0 -> points of sides 0 and 1, totals.
AUSTRALIAN = """
7D    0  2   -180 +80    -180  80
7H    2  4   -200 +60    -380 140
6C    2  7    +60 +30    -320 170
7D    1  2    +20 +180   -300 350
6NT   2  9   +120 +10    -180 360
7D    2  8   +180 +20       0 380
6H    0  8   +100 +20     100 400
7H    0  7   +200 +30     300 430
6NT   0  6   +120 +40     420 470
OMIS  0  0   +500 0       920 470
"""

# One round, misère defence 10: the failed MIS gives 2 x 10 to the others; 7S with ten tricks is a slam of 250;
# 8S by 2 brings 560, and the game is won at once.
AMERICAN = """
7H    1  3    +30 +200     30 200
7S    0 10   +250 0       280 200
7H    0  7   +200 +30     480 230
MIS   2  2   -250 +20     230 250
6H    3  1    +10 +100    240 350
6D    0  8    +80 +20     320 370
8S    2  8   +240 +20     560 390
"""


@pytest.mark.parametrize(("profile", "table"), [("australian", AUSTRALIAN), ("american", AMERICAN)])
def test_points_are_those_worked_out_by_hand(profile: str, table: str) -> None:
    record = golden(profile)
    rows = [line.split() for line in table.strip().splitlines()]
    assert len(record.deals) == len(rows)
    for number, (contract, contractor, tricks, *figures) in enumerate(rows, 1):
        result = record.deals[number - 1].result
        assert result is not None
        assert (result.contract, result.contractor, result.tricks[0]) == (contract, int(contractor), int(tricks))
        assert [*result.points, *record.at_deal(number).scores] == [int(figure) for figure in figures]

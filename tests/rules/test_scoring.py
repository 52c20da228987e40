"""R9: what a deal earns."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env import Game, actions
from tests.rules.helpers import SIX_FOUR, SIX_FOUR_PLAY, SUITED, declare, play_out

VALUES = {
    "6S": 40, "6C": 60, "6D": 80, "6H": 100, "6NT": 120,
    "7S": 140, "7C": 160, "7D": 180, "7H": 200, "7NT": 220,
    "8S": 240, "8C": 260, "8D": 280, "8H": 300, "8NT": 320,
    "9S": 340, "9C": 360, "9D": 380, "9H": 400, "9NT": 420,
    "10S": 440, "10C": 460, "10D": 480, "10H": 500, "10NT": 520,
}  # fmt: skip


def points(game: Game) -> tuple[bool | None, tuple[int, int], tuple[int, int]]:
    """Return whether the contract was made, the tricks and the points by side."""
    result = game.deal_result
    assert result is not None
    return result.made, result.tricks, result.points


def all_ten(bid: str, **options: Any) -> Game:
    """Let the seat with the ten cards of the bid's suit take all tricks; in no trumps seat 0 does with spades.

    Its right bower goes first: the left bower, in the hand of the other suit of the colour, falls under it.
    """
    seat = "SCDH".find(bid[-1])
    game = declare(SUITED, bid, "JK 4D 4H", seat=max(seat, 0), **options)
    return play_out(game, "=-", "J" + bid[-1], *(rank + suit for rank in "AKQJT98765" for suit in "SCDH"))


@pytest.mark.rule("R9.1")
@pytest.mark.rule("O.slam.none")
@pytest.mark.parametrize("bid", VALUES)
def test_a_made_contract_is_worth_its_value(bid: str) -> None:
    """All ten tricks, without the slam: 6S is 40, each strain adds 20, each level 100."""
    side = 1 if bid[-1] in "CH" else 0
    game = all_ten(bid, slam="none")
    value = (VALUES[bid], 0) if side == 0 else (0, VALUES[bid])
    assert points(game) == (True, (10, 0) if side == 0 else (0, 10), value)
    assert actions.CALL_VALUES[actions.encode(bid)] == VALUES[bid]


@pytest.mark.rule("R9.1")
def test_miseres_are_worth_250_and_500() -> None:
    assert [actions.CALL_VALUES[actions.encode(bid)] for bid in ("MIS", "OMIS", "PASS")] == [250, 500, 0]


@pytest.mark.rule("R9.2")
@pytest.mark.rule("R9.4")
@pytest.mark.parametrize(
    ("bid", "made", "own"), [("6NT", True, 120), ("7NT", False, -220), ("8NT", False, -320), ("10NT", False, -520)]
)
def test_a_contract_is_made_with_at_least_the_tricks_bid(bid: str, made: bool, own: int) -> None:
    """Six tricks to four: six bid is made, seven fails; the defenders' four tricks are worth 40 either way."""
    game = declare(SIX_FOUR, bid, f"JK 5H 4H =- {SIX_FOUR_PLAY}")
    assert points(game) == (made, (6, 4), (own, 40))
    assert game.scores == (own, 40)


@pytest.mark.rule("R9.2")
def test_overtricks_earn_nothing() -> None:
    """6S with nine tricks is worth 40, as with six; the one trick lost is worth 10.

    Seat 0 of SUITED puts JK 4D 5S away: nine spades with the right bower first, then 4H, which a heart of seat 3 beats.
    """
    game = play_out(declare(SUITED, "6S", "JK 4D 5S"), *(rank + "S" for rank in "JAKQT9876"))
    assert points(game) == (True, (9, 1), (40, 10))


@pytest.mark.rule("R9.3")
@pytest.mark.rule("O.slam.250")
@pytest.mark.parametrize("bid", ["6S", "7NT", "8S"])
def test_all_ten_tricks_lift_a_cheap_contract_to_250(bid: str) -> None:
    """40, 220 and 240 become 250."""
    assert points(all_ten(bid)) == (True, (10, 0), (250, 0))


@pytest.mark.rule("R9.3")
@pytest.mark.parametrize(("bid", "value"), [("8D", 280), ("9S", 340), ("10NT", 520)])
def test_a_contract_worth_more_than_250_keeps_its_value(bid: str, value: int) -> None:
    assert points(all_ten(bid)) == (True, (10, 0), (value, 0))


@pytest.mark.rule("R9.3")
def test_the_other_sides_ten_tricks_are_no_slam() -> None:
    """Seat 0 fails 6H with no trick at all: -100, and 100 for ten tricks of defence.

    Seat 0 has clubs and no trump; seats 1 and 3 have all hearts, diamonds' jack and every high card.
    """
    deal = "5C6C7C8C5S6S7S4D5D6D AHKHQHJHTHACASADKDKS 8STSJSQS9CTCJCQCKC9S 9H8H7H6H5HJDQDTD9D8D JK7D4H"
    game = declare(deal, "6H", "JK 4H 7D")
    play_out(game, "AC", "AS", "AD", "KD", "KS", "AH", "KH", "QH", "JH", "TH")
    assert points(game) == (False, (0, 10), (-100, 100))


@pytest.mark.rule("R9.4")
def test_the_defenders_score_ten_a_trick_whether_made_or_not() -> None:
    made = declare(SIX_FOUR, "6NT", f"JK 5H 4H =- {SIX_FOUR_PLAY}", scores=(-40, 90))
    failed = declare(SIX_FOUR, "7NT", f"JK 5H 4H =- {SIX_FOUR_PLAY}", scores=(-40, 90))
    assert made.scores == (80, 130)
    assert failed.scores == (-260, 130)

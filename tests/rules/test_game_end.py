"""R10: who wins the game, and when."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env import Game, Tables
from five_hundred_env.errors import OrderError
from tests.rules.helpers import SIX_FOUR, SIX_FOUR_PLAY, declare, start, take


def six_four(bid: str, scores: tuple[int, int], **options: Any) -> Game:
    """Play the deal in which seat 0 takes six tricks: 6NT is +120, 7NT -220, and side 1 gets 40."""
    return declare(SIX_FOUR, bid, f"JK 5H 4H =- {SIX_FOUR_PLAY}", scores=scores, **options)


@pytest.mark.rule("R10.1")
@pytest.mark.rule("R10.3")
@pytest.mark.rule("O.win.own_contract")
@pytest.mark.rule("O.target.500")
@pytest.mark.parametrize(
    ("before", "after", "winner"),
    [
        ((380, 0), (500, 40), 0),  # exactly 500
        ((370, 0), (490, 40), None),
        ((390, 900), (510, 940), 0),  # the other side has more
        ((400, -490), (520, -450), 0),
        ((700, 0), (820, 40), 0),  # stood there through defence, now makes a contract
    ],
)
def test_a_side_that_makes_its_contract_and_stands_at_500_wins(
    before: tuple[int, int], after: tuple[int, int], winner: int | None
) -> None:
    game = six_four("6NT", before)
    assert (game.scores, game.winner, game.is_over) == (after, winner, winner is not None)


@pytest.mark.rule("R10.2")
@pytest.mark.rule("O.lose.backwards")
@pytest.mark.parametrize(
    ("before", "after", "winner"),
    [
        ((-280, 0), (-500, 40), 1),  # exactly -500
        ((-270, 0), (-490, 40), None),
        ((-480, -490), (-700, -450), 1),
        ((-290, 480), (-510, 520), 1),
    ],
)
def test_a_side_at_minus_500_loses_at_once(before: tuple[int, int], after: tuple[int, int], winner: int | None) -> None:
    game = six_four("7NT", before)
    assert (game.scores, game.winner) == (after, winner)


@pytest.mark.rule("R10.3")
def test_defence_alone_does_not_win() -> None:
    """Side 1 goes from 470 to 510 by four tricks of defence, and to 550 by four more; then play goes on."""
    game = six_four("6NT", (0, 470))
    assert (game.scores, game.winner) == ((120, 510), None)
    game.next_from(SIX_FOUR)
    take(game, f"PASS PASS PASS 7NT JK 5H 4H =- {SIX_FOUR_PLAY}")
    assert (game.scores, game.winner) == ((-100, 550), None)


@pytest.mark.rule("R10.3")
def test_a_failed_contract_that_leaves_a_side_above_500_does_not_win() -> None:
    """Side 0 stands at 800 through defence and fails 7NT: 580, no winner."""
    game = six_four("7NT", (800, 0))
    assert (game.scores, game.winner) == ((580, 40), None)


@pytest.mark.rule("R10.1")
def test_the_game_is_over_and_stays_over() -> None:
    game = six_four("6NT", (380, 0))
    with pytest.raises(OrderError, match="side 0 has won"):
        game.next_deal()
    with pytest.raises(OrderError, match="the game is over"):
        game.apply("PASS")


@pytest.mark.rule("R10.4")
def test_the_rules_know_no_limit_of_deals() -> None:
    """150 deals thrown in: the 151st is dealt as any other."""
    game = start(actions="PASS PASS PASS PASS")
    for _ in range(150):
        take(game.next_deal(), "PASS PASS PASS PASS")
    assert (game.deal_number, game.is_over, game.scores) == (151, False, (0, 0))
    assert game.next_deal().phase == "auction"


@pytest.mark.rule("R10.4")
def test_an_environment_truncates_after_max_deals_and_never_terminates_then() -> None:
    """Everybody passes; the eighth call ends the second deal of at most two."""
    tables = Tables(n=3, seed=1, episode="game", max_deals=2)
    for call in range(1, 9):
        tables.step([0, 0, 0])
        assert tables.truncated.tolist() == [call == 8] * 3
        assert tables.deal_over.tolist() == [call in (4, 8)] * 3
        assert not tables.terminated.any()

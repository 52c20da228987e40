"""R6: leading, following, taking."""

from __future__ import annotations

import pytest

from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import LAYERED, SIX_FOUR, SIX_FOUR_PLAY, SUITED, cards, declare, fill, legal, take


@pytest.mark.rule("R6.1")
@pytest.mark.parametrize("contractor", [0, 1, 2, 3])
def test_the_contractor_leads_to_the_first_trick(contractor: int) -> None:
    """Whoever dealt: seat 0 calls first here, and passes up to the contractor are not counted."""
    game = declare(SUITED, "6D", "JK 4D 4H", seat=contractor)
    assert (game.phase, game.seat, game.trick) == ("play", contractor, [])


@pytest.mark.rule("R6.1")
def test_the_winner_of_a_trick_leads_to_the_next_and_turns_go_clockwise() -> None:
    """Seat 3 wins the seventh trick with AD and leads the eighth; 0, 1, 2 follow in this order."""
    game = declare(SIX_FOUR, "6NT", f"JK 5H 4H =- {SIX_FOUR_PLAY}")
    tricks = game.trick_history
    assert [trick.leader for trick in tricks] == [0, 0, 0, 0, 0, 0, 0, 3, 3, 3]
    assert [seat for seat, _ in tricks[6].plays] == [0, 1, 2, 3]
    assert [seat for seat, _ in tricks[7].plays] == [3, 0, 1, 2]


@pytest.mark.rule("R6.2")
def test_a_seat_that_holds_the_led_suit_must_follow() -> None:
    game = declare(LAYERED, "6NT", "JK 5D 4D =- AC")
    assert (game.seat, legal(game)) == (1, {"JC", "TC"})
    with pytest.raises(IllegalActionError, match="TC JC") as caught:
        game.apply("JS")
    assert caught.value.rule == "R6.2"


@pytest.mark.rule("R6.2")
def test_the_joker_is_a_trump_and_must_follow_trumps() -> None:
    """Seat 1's only trump is the joker: it falls on 5S. On a club led it may not be played while clubs are held."""
    deal = "ASKSQSJSTS9S8S7S6S5S JKACKCQCTC9C8C7C6C4D ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JC5C4H"
    assert legal(declare(deal, "6S", "JC 5C 4H 5S")) == {"JK"}
    assert legal(declare(deal, "6S", "JC 4H 5S 5C")) == set(cards("6C7C8C9CTCQCKCAC"))


@pytest.mark.rule("R6.2")
def test_a_seat_that_cannot_follow_may_play_anything_and_need_not_trump() -> None:
    """Hearts are trumps, seat 0 leads a spade: seat 3, with ten trumps, and seats 1 and 2 may play every card."""
    game = declare(SUITED, "6H", "JK 4D 4H AS")
    assert legal(game) == set(game.hands[1])
    take(game, "5C 5D")
    assert len(legal(game)) == 10


@pytest.mark.rule("R6.2")
def test_nobody_has_to_trump_or_to_beat() -> None:
    """Seat 1 can beat JC with AC or play 5C; seat 2, void, can trump with a diamond (diamonds are trumps) or throw."""
    deal = fill("JCKSQSJSTS9S8S7S6S5S", "AC5C6CKHQHJHTH9H8H7H", "ADKDQDAS6H5H4H9D8D7D")
    game = declare(deal, "6D", "JK " + " ".join(cards("KSQS")) + " JC")
    assert legal(game) == {"AC", "5C", "6C"}
    take(game, "5C")
    assert legal(game) == set(game.hands[2])


@pytest.mark.rule("R6.3")
def test_the_highest_trump_wins() -> None:
    """Spades led, hearts trumps: seat 1 trumps with 5H, seat 2 over it with 7H, seat 3 follows with the ace."""
    deal = fill("KSQSJSTS9S8S6DAC5C6C", "5H6H4H7C8C9CTCJCQCKC", "7H8H9HTHJHQHKHAH5D7D", "AS7S6S5S", kitty="JK4D8D")
    game = declare(deal, "6H", "JK 4D 8D KS")
    take(game, "5H 7H AS")
    assert game.tricks == [0, 0, 1, 0]


@pytest.mark.rule("R6.3")
def test_without_a_trump_the_highest_card_of_the_led_suit_wins() -> None:
    """Seat 0 leads 5S in 6NT; 6S of seat 3 beats it, the aces thrown by seats 1 and 2 count for nothing."""
    deal = fill(
        "5SKCQCJCTC9C8C7C6C5C", "ACADKDQDJDTD9D8D7D6D", "AHKHQHJHTH9H8H7H6H5H", "6S7S8S9STSJSQSKSAS4D", kitty="JK4H5D"
    )
    game = declare(deal, "6NT", "JK 4H 5D =- 5S AC AH 6S")
    assert game.tricks == [0, 0, 0, 1]


@pytest.mark.rule("R6.4")
def test_a_deal_has_ten_tricks_even_when_it_is_decided() -> None:
    """10NT is lost with seat 3's first trick, the seventh; the other three are played all the same."""
    play = SIX_FOUR_PLAY.split(" / ")
    game = declare(SIX_FOUR, "10NT", f"JK 5H 4H =- {' '.join(play[:7])}")
    assert (game.phase, game.tricks) == ("play", [6, 0, 0, 1])
    take(game, " ".join(play[7:9]))
    assert game.phase == "play"
    take(game, play[9])
    assert (game.phase, game.tricks) == ("over", [6, 0, 0, 4])

"""R8: misère and open misère."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env import Game
from five_hundred_env.agents.view import View
from tests.rules.helpers import LOWEST, cards, declare, fill, legal, play_out, take


def misere(bid: str = "MIS", actions: str = "JK 7H 6H =-", deal: str = LOWEST, **options: Any) -> Game:
    return declare(deal, bid, actions, misere_rank="above_sevens", **options)


@pytest.mark.rule("R8.1")
@pytest.mark.parametrize("bid", ["MIS", "OMIS"])
def test_there_are_no_trumps(bid: str) -> None:
    """Seat 0 leads 5C; seat 3, without clubs, throws the jack of spades, which is no bower: AC of seat 1 wins."""
    deal = fill("5C6C7C4D5D6D4H5H6H5S", "AC8CKCQCJCTC9C6S7S8S", "ASKSQS", "JSTSAHKHQHJHTH9H8H7H", kitty="JK8D9D")
    game = misere(bid, "JK 8D 9D =- 5C AC JS", deal)
    assert game.tricks == [0, 1, 0, 0]


@pytest.mark.rule("R8.1")
@pytest.mark.rule("R9.5")
@pytest.mark.parametrize(("bid", "value"), [("MIS", 250), ("OMIS", 500)])
def test_it_is_made_without_a_trick(bid: str, value: int) -> None:
    """Seat 0 has the lowest cards of each suit and leads 5S: it never wins, ten tricks are played, defenders get 0."""
    game = play_out(take(misere(bid), "5S"), "AS", "AC", "AD", "AH", "KS")
    assert sum(game.tricks) == 10
    result = game.deal_result
    assert result is not None
    assert (result.made, result.tricks, result.points) == (True, (0, 10), (value, 0))


@pytest.mark.rule("R8.2")
def test_the_partner_takes_no_part() -> None:
    """Tricks have three cards, of seats 0, 1 and 3; seat 2 keeps ten cards and sees no more than before."""
    game = take(misere(), "5S AS")
    assert game.seat == 3
    game.apply(game.legal()[0])
    assert (game.tricks, game.seat, game.trick) == ([0, 1, 0, 0], 1, [])
    assert len(game.hands[2]) == 10
    play_out(game)
    assert all(seat != 2 for trick in game.trick_history for seat, _ in trick.plays)
    assert all(len(trick.plays) == 3 for trick in game.trick_history)


@pytest.mark.rule("R8.2")
def test_the_partners_hand_stays_unseen() -> None:
    """Seat 1's view names no card of seat 2's hand, in open misère either."""
    game = take(misere("OMIS"), "5S AS TS")
    view = View.from_observation(game.observe(1)["observation"])
    seen = {*view.hand, *(view.exposed or ()), *(card for trick in view.history for _, card in trick.cards)}
    assert not seen & set(game.hands[2])


@pytest.mark.rule("R8.3")
@pytest.mark.rule("O.open_misere_shown.after_first_trick")
def test_in_open_misere_the_hand_is_public_from_the_end_of_the_first_trick() -> None:
    """Before the lead and within the first trick nobody sees it; then all four do, as it shrinks."""
    game = misere("OMIS")
    for action in ("5S", "AS"):
        assert game.exposed is None
        game.apply(action)
    assert View.from_observation(game.observe(1)["observation"]).exposed is None
    take(game, "TS")
    rest = cards("6S7S5C6C7C4D5D4H5H")
    assert game.exposed == rest
    for seat in range(4):
        assert View.from_observation(game.observe(seat)["observation"]).exposed == tuple(rest)
    take(game, "9S TD 7S")
    assert game.exposed == cards("6S5C6C7C4D5D4H5H")


@pytest.mark.rule("R8.3")
def test_the_contractor_still_chooses_the_cards_and_a_closed_misere_shows_nothing() -> None:
    game = take(misere("OMIS"), "5S AS TS 9S TD")
    assert (game.seat, legal(game)) == (0, {"6S", "7S"})
    game = take(misere("MIS"), "5S AS TS")
    assert game.exposed is None


@pytest.mark.rule("R8.4")
@pytest.mark.rule("R6.4")
@pytest.mark.rule("R9.5")
@pytest.mark.rule("O.misere_defence.0")
@pytest.mark.parametrize(("bid", "value"), [("MIS", 250), ("OMIS", 500)])
def test_the_deal_ends_when_the_contractor_takes_a_trick(bid: str, value: int) -> None:
    """Seat 0 declines with the joker and leads 5C to seat 1's ace; on AS, having no spade, it must throw the joker.

    That second trick is its first, and the last of the deal.
    """
    deal = fill("JK5C6C7C4D5D6D4H5H6H", "ACASKSQSJSTS9S8S7S6S", "KCQCJCTC9C8C", "KD", kitty="7H8D9D")
    game = misere(bid, "7H 8D 9D =- 5C AC", deal)
    game.apply(game.legal()[0])
    take(game, "AS")
    game.apply(game.legal()[0])
    assert (game.seat, game.phase) == (0, "play")
    take(game, "JK")
    assert (game.phase, game.tricks) == ("over", [1, 1, 0, 0])
    result = game.deal_result
    assert result is not None
    assert (result.made, result.points) == (False, (-value, 0))


@pytest.mark.rule("R8.4")
def test_a_trick_of_a_defender_does_not_end_it() -> None:
    assert take(misere(), "5S AS TS").phase == "play"

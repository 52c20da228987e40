"""R11: who knows what. The exchange of hidden cards (R11.3) over whole deals is in tests/laws."""

from __future__ import annotations

import pytest

from five_hundred_env import Game, Rules
from five_hundred_env.agents.view import View
from tests.rules.helpers import SUITED, cards, declare, start, take


def view(game: Game, seat: int) -> View:
    seen = game.observe(seat)
    return View.from_observation(seen["observation"], seen["action_mask"])


@pytest.mark.rule("R11.1")
def test_the_auction_is_public() -> None:
    """Seat 2 looks: seat 0 is its partner (2), 1 its right neighbour (3), the dealer, seat 3, its left (1)."""
    told = view(start(actions="6S PASS", scores=(30, -120)), 2)
    assert told.rules == Rules.profile("australian")
    assert (told.phase, told.seat, told.dealer, told.deal_number) == ("auction", 0, 1, 1)
    assert told.calls == ((2, "6S"), (3, "PASS"))
    assert told.passed == (3,)
    assert (told.contract, told.contractor) == ("6S", 2)
    assert told.scores == (30, -120)
    assert view(start(scores=(30, -120)), 1).scores == (-120, 30)
    assert "6C" in told.legal
    assert "6S" not in told.legal


@pytest.mark.rule("R11.1")
def test_the_play_is_public() -> None:
    """6NT by seat 0, joker kept back: it leads AS, wins, leads the joker and names hearts; seat 1 threw 5C.

    Seat 3 (left neighbour of 2, right one of 0) sees every card with its seat and trick, names, voids and tricks.
    """
    game = declare(SUITED, "6NT", "4D 4H 5S =- AS 5C 5D 5H / JK =H 6C")
    told = view(game, 3)
    assert (told.phase, told.seat) == ("play", 3)
    assert (told.contract, told.contractor) == ("6NT", 1)
    assert told.nominations == (("JK", "=-"),)
    ((leader, plays, named, winner),) = told.history
    assert (leader, plays, named, winner) == (1, ((1, "AS"), (2, "5C"), (3, "5D"), (0, "5H")), None, 1)
    assert told.trick == ((1, "JK"), (2, "6C"))
    assert (told.leader, told.led, told.named) == (1, "H", ("=S", "=H"))
    assert told.tricks == (0, 1, 0, 0)
    assert told.voids == ("S", "", "SH", "S")
    assert told.exposed is None


@pytest.mark.rule("R11.1")
def test_the_result_is_public() -> None:
    told = view(start(actions="PASS PASS PASS PASS"), 1)
    assert (told.phase, told.seat, told.points, told.made, told.winner) == ("over", None, (0, 0), None, None)


@pytest.mark.rule("R11.2")
def test_a_seat_knows_its_own_hand_and_the_contractor_kitty_and_discards() -> None:
    game = declare(SUITED, "7S", "JK 4D")
    own, partner, other = view(game, 0), view(game, 2), view(game, 1)
    assert own.hand == (*cards("5S6S7S8S9STSJSQSKSAS"), "4H")
    assert (own.kitty, own.discards, own.discards_left) == (("4D", "4H", "JK"), ("4D", "JK"), 1)
    assert partner.hand == tuple(cards("5D6D7D8D9DTDJDQDKDAD"))
    assert (partner.kitty, partner.discards) == ((), ())
    assert (other.kitty, other.discards, other.discards_left) == ((), (), 0)


@pytest.mark.rule("R11.2")
def test_a_bidder_does_not_see_the_kitty_before_the_auction_has_ended() -> None:
    assert view(start(actions="7S PASS PASS"), 0).kitty == ()
    assert view(start(actions="7S PASS PASS PASS"), 0).kitty == ("4D", "4H", "JK")


@pytest.mark.rule("R11.3")
def test_an_observation_does_not_depend_on_hidden_cards() -> None:
    """The hands of seats 1 and 3, their clubs and hearts exchanged: seats 0 and 2 see the same, in auction and play."""
    one, other = SUITED.split(), SUITED.split()
    other[1], other[3] = other[3], other[1]
    for actions in ("", "6S", "6S PASS PASS PASS JK 4D 4H", "6S PASS PASS PASS JK 4D 4H AS"):
        games = [start(" ".join(deal), actions) for deal in (one, other)]
        for seat in (0, 2):
            first, second = (game.observe(seat) for game in games)
            assert (first["observation"] == second["observation"]).all()
            assert (first["action_mask"] == second["action_mask"]).all()
    differ = [take(start(" ".join(deal)), "6S").observe(1)["observation"] for deal in (one, other)]
    assert (differ[0] != differ[1]).any()

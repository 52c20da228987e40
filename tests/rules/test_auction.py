"""R3: the auction."""

from __future__ import annotations

import pytest

from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import SUITED, legal, start, take

ORDER = "6S 6C 6D 6H 6NT 7S 7C 7D 7H 7NT MIS 8S 8C 8D 8H 8NT 9S 9C 9D 9H 9NT 10S 10C 10D OMIS 10H 10NT".split()  # noqa: SIM905


@pytest.mark.rule("R3.1")
def test_dealers_left_speaks_first() -> None:
    assert [start(dealer=dealer).seat for dealer in range(4)] == [1, 2, 3, 0]


@pytest.mark.rule("R3.1")
@pytest.mark.rule("R3.5")
def test_the_turn_skips_seats_that_have_passed() -> None:
    """Seats 1 and 3 pass, so 0 and 2 bid on alone."""
    game = start(actions="6S PASS 6C PASS")
    assert game.seat == 0
    assert take(game, "6D").seat == 2
    assert take(game, "7D").seat == 0
    assert game.calls == [(0, "6S"), (1, "PASS"), (2, "6C"), (3, "PASS"), (0, "6D"), (2, "7D")]


@pytest.mark.rule("R3.2")
def test_a_bid_must_outrank_the_last_one() -> None:
    """Over every bid exactly the bids behind it are legal, and PASS; MIS only over a seven (R3.3)."""
    assert legal(start()) == {"PASS", *ORDER} - {"MIS"}
    for place, bid in enumerate(ORDER):
        game = start(actions="7S MIS" if bid == "MIS" else bid)
        above = set(ORDER[place + 1 :])
        if bid not in ("7S", "7C", "7D", "7H", "7NT"):
            above -= {"MIS"}
        assert legal(game) == {"PASS"} | above, bid


@pytest.mark.rule("R3.2")
def test_rank_is_not_value() -> None:
    """8S (240) goes over MIS (250), and 10H (500) over OMIS (500); neither the other way round."""
    assert "8S" in legal(start(actions="7S MIS"))
    assert "MIS" not in legal(start(actions="7S 8S"))
    assert "10H" in legal(start(actions="OMIS"))
    assert "10D" not in legal(start(actions="OMIS"))
    assert "OMIS" not in legal(start(actions="10H"))


@pytest.mark.rule("R3.2")
def test_an_illegal_bid_is_refused_with_its_rule() -> None:
    with pytest.raises(IllegalActionError, match=r"R3\.2") as caught:
        start(actions="7S 7S")
    assert caught.value.rule == "R3.2"


@pytest.mark.rule("R3.3")
def test_misere_needs_a_bid_at_the_seven_level() -> None:
    """As the first bid and over a six it is illegal, over each seven legal."""
    assert "MIS" not in legal(start())
    for six in ORDER[:5]:
        assert "MIS" not in legal(start(actions=six))
    for seven in ORDER[5:10]:
        assert "MIS" in legal(start(actions=seven))
    with pytest.raises(IllegalActionError) as caught:
        start(actions="6S MIS")
    assert caught.value.rule == "R3.3"


@pytest.mark.rule("R3.3")
def test_any_seat_may_have_bid_the_seven() -> None:
    """Its own partner (seat 2 over seat 0), an opponent, or the seat itself, raised by another seven since."""
    assert "MIS" in legal(start(actions="7S PASS"))
    assert "MIS" in legal(start(actions="7S 7C PASS PASS"))
    game = start(actions="7S MIS PASS PASS PASS")
    assert (game.contract, game.contractor) == ("MIS", 1)


@pytest.mark.rule("R3.3")
def test_misere_cannot_follow_an_eight_though_a_seven_was_bid() -> None:
    assert "MIS" not in legal(start(actions="7S 8S"))


@pytest.mark.rule("R3.4")
def test_open_misere_may_open_and_go_over_any_lower_bid() -> None:
    assert start(actions="OMIS PASS PASS PASS").contract == "OMIS"
    for bid in ORDER[: ORDER.index("OMIS")]:
        assert "OMIS" in legal(start(actions="7S MIS" if bid == "MIS" else bid)), bid


@pytest.mark.rule("R3.5")
def test_a_seat_that_has_passed_is_not_asked_again() -> None:
    """Seat 0 passes first; the others bid two rounds more and it is never its turn."""
    game = start(actions="PASS 6S 6C 6D")
    seats = []
    for call in ("6H", "6NT", "7S", "7C"):
        seats.append(game.seat)
        game.apply(call)
    assert seats == [1, 2, 3, 1]


@pytest.mark.rule("R3.6")
@pytest.mark.rule("O.auction.continuous")
def test_the_auction_ends_when_all_but_the_last_bidder_have_passed() -> None:
    game = start(actions="6S PASS 7H PASS")
    assert game.phase == "auction"
    take(game, "PASS")
    assert (game.phase, game.contract, game.contractor, game.seat) == ("discard", "7H", 2, 2)


@pytest.mark.rule("R3.6")
def test_after_three_passes_the_fourth_seat_may_bid_and_has_the_contract() -> None:
    game = start(actions="PASS PASS PASS")
    assert (game.phase, game.seat) == ("auction", 3)
    assert legal(game) == {"PASS", *ORDER} - {"MIS"}
    take(game, "6S")
    assert (game.phase, game.contract, game.contractor) == ("discard", "6S", 3)


@pytest.mark.rule("R3.6")
@pytest.mark.rule("O.own_raise.no")
def test_nobody_raises_the_own_last_bid() -> None:
    """When the third seat passes behind 6S, seat 0 has the contract and is asked for a discard, not for a call."""
    game = start(actions="6S PASS PASS PASS")
    assert (game.phase, game.seat, game.contract) == ("discard", 0, "6S")


@pytest.mark.rule("R3.6")
def test_after_10nt_the_others_still_pass_in_turn() -> None:
    game = start(actions="10NT")
    for seat in (1, 2, 3):
        assert (game.phase, game.seat, legal(game)) == ("auction", seat, {"PASS"})
        game.apply("PASS")
    assert game.phase == "discard"


@pytest.mark.rule("R3.7")
@pytest.mark.rule("R3.6")
@pytest.mark.rule("O.all_pass.throw_in")
def test_four_passes_throw_the_deal_in() -> None:
    """Nobody scores, the kitty stays where it is, hands are as dealt, and seat 0 deals next."""
    game = start(actions="PASS PASS PASS PASS", scores=(120, -60))
    assert (game.phase, game.seat, game.legal()) == ("over", None, [])
    assert dict(game.deal_result or {}) == {
        "contract": None,
        "contractor": None,
        "made": None,
        "tricks": (0, 0),
        "points": (0, 0),
    }
    assert game.scores == (120, -60)
    assert not game.is_over
    assert [len(hand) for hand in game.hands] == [10, 10, 10, 10]
    assert game.kitty == ["4D", "4H", "JK"]
    assert game.next_deal().dealer == 0


@pytest.mark.rule("R3.7")
def test_the_kitty_of_a_thrown_in_deal_stays_unseen() -> None:
    """Exchange the joker of the kitty for a hidden card of seat 3: seats 0 to 2 see no difference."""
    one = start(SUITED, "PASS PASS PASS PASS")
    other = start(SUITED.replace("AH", "xx").replace("JK", "AH").replace("xx", "JK"), "PASS PASS PASS PASS")
    for seat in range(3):
        assert (one.observe(seat)["observation"] == other.observe(seat)["observation"]).all()

"""The options `auction`, `own_raise`, `misere_rank` and `open_misere_rank`."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import legal, start, take

SIXES, SEVENS = ["6S", "6C", "6D", "6H", "6NT"], ["7S", "7C", "7D", "7H", "7NT"]
HIGHER = ["8S", "8C", "8D", "8H", "8NT", "9S", "9C", "9D", "9H", "9NT", "10S", "10C", "10D", "10H", "10NT"]


@pytest.mark.rule("O.auction.one_round")
def test_in_one_round_each_seat_calls_once() -> None:
    """After four calls the last bid stands, also where it is the third call or the last."""
    game = start(actions="6S PASS 7S", auction="one_round")
    assert (game.phase, game.seat) == ("auction", 3)
    take(game, "PASS")
    assert (game.phase, game.contract, game.contractor) == ("discard", "7S", 2)
    game = start(actions="6S 6C 6D 6H", auction="one_round")
    assert (game.phase, game.contract, game.contractor) == ("discard", "6H", 3)
    game = start(actions="6S PASS PASS PASS", auction="one_round")
    assert (game.contract, game.contractor) == ("6S", 0)


@pytest.mark.rule("O.auction.one_round")
def test_one_round_all_pass_and_three_passes_first() -> None:
    game = start(actions="PASS PASS PASS", auction="one_round")
    assert (game.phase, game.seat) == ("auction", 3)
    assert game.copy().apply("PASS").phase == "over"
    take(game, "6S")
    assert (game.phase, game.contract, game.contractor) == ("discard", "6S", 3)


@pytest.mark.rule("O.auction.one_round")
def test_one_round_misere_over_a_seven() -> None:
    """Seat 1 bids it over seat 0's 7S; seats 2 and 3 may still go higher, seat 0 may not."""
    game = start(actions="7S MIS", auction="one_round")
    assert game.seat == 2
    assert "8S" in legal(game)
    take(game, "PASS 8S")
    assert (game.phase, game.contract, game.contractor) == ("discard", "8S", 3)
    assert start(actions="7S MIS PASS PASS", auction="one_round").contract == "MIS"
    assert "MIS" not in legal(start(actions="6S PASS PASS", auction="one_round"))


@pytest.mark.rule("O.auction.reenter")
def test_reenter_lets_a_seat_that_has_passed_call_again() -> None:
    """Seat 0 passes, comes back with 6C, and is asked a third time after 6D."""
    game = start(actions="PASS 6S PASS PASS", auction="reenter")
    assert (game.phase, game.seat) == ("auction", 0)
    take(game, "6C PASS PASS 6D")
    assert game.seat == 0
    take(game, "PASS PASS")
    assert (game.phase, game.seat) == ("auction", 2)
    take(game, "PASS")
    assert (game.phase, game.contract, game.contractor) == ("discard", "6D", 3)


@pytest.mark.rule("O.auction.reenter")
def test_reenter_all_pass_and_three_passes_first() -> None:
    """Four opening passes end it; a bid behind three makes a new round of three passes."""
    game = start(actions="PASS PASS PASS", auction="reenter")
    assert (game.phase, game.seat) == ("auction", 3)
    assert game.copy().apply("PASS").phase == "over"
    take(game, "6S")
    assert (game.phase, game.seat) == ("auction", 0)
    take(game, "PASS PASS")
    assert game.phase == "auction"
    take(game, "PASS")
    assert (game.contract, game.contractor) == ("6S", 3)


@pytest.mark.rule("O.auction.reenter")
def test_reenter_misere_over_a_seven() -> None:
    """Seat 0 passes first and bids misère over 7S; then seats 1, 2, 3 have to pass."""
    game = start(actions="PASS 7S PASS PASS", auction="reenter")
    assert "MIS" in legal(game)
    take(game, "MIS PASS PASS")
    assert (game.phase, game.seat) == ("auction", 3)
    assert (take(game, "PASS").contract, game.contractor) == ("MIS", 0)


@pytest.mark.rule("O.own_raise.yes")
def test_the_last_bidder_alone_may_raise_or_pass() -> None:
    """6S, three passes: seat 0 may bid anything above, again and again, until it passes."""
    game = start(actions="6S PASS PASS PASS", own_raise="yes")
    assert (game.phase, game.seat) == ("auction", 0)
    assert legal(game) == {"PASS", "OMIS", *SIXES[1:], *SEVENS, *HIGHER}
    take(game, "7D")
    assert (game.phase, game.seat) == ("auction", 0)
    take(game, "PASS")
    assert (game.phase, game.contract, game.contractor) == ("discard", "7D", 0)
    assert game.calls == [(0, "6S"), (1, "PASS"), (2, "PASS"), (3, "PASS"), (0, "7D"), (0, "PASS")]


@pytest.mark.rule("O.own_raise.yes")
def test_own_raise_all_pass_three_passes_first_and_the_highest_bid() -> None:
    assert start(actions="PASS PASS PASS PASS", own_raise="yes").phase == "over"
    game = start(actions="PASS PASS PASS 6S", own_raise="yes")
    assert (game.phase, game.seat) == ("auction", 3)
    assert take(game, "PASS").contract == "6S"
    assert legal(start(actions="10NT PASS PASS PASS", own_raise="yes")) == {"PASS"}


@pytest.mark.rule("O.own_raise.yes")
def test_own_raise_to_a_misere_over_the_own_seven() -> None:
    game = start(actions="7S PASS PASS PASS MIS PASS", own_raise="yes")
    assert (game.phase, game.contract, game.contractor) == ("discard", "MIS", 0)


@pytest.mark.rule("O.own_raise.yes")
def test_a_bidder_that_is_not_alone_waits_for_its_turn() -> None:
    """Seats 0 and 2 are left: behind 6C of seat 2 it is seat 0's turn."""
    assert start(actions="6S PASS 6C PASS", own_raise="yes").seat == 0


@pytest.mark.rule("D3")
def test_own_raise_in_a_reenter_auction_ends_with_the_bidders_own_pass() -> None:
    """Three passes behind 6S ask seat 0; after its raise the others may come back; four passes end it."""
    rules: dict[str, Any] = {"auction": "reenter", "own_raise": "yes"}
    game = start(actions="6S PASS PASS PASS", **rules)
    assert (game.phase, game.seat) == ("auction", 0)
    assert (game.copy().apply("PASS").contract, game.copy().apply("PASS").phase) == ("6S", "discard")
    take(game, "7S")
    assert (game.phase, game.seat) == ("auction", 1)
    take(game, "7C PASS PASS PASS")
    assert (game.phase, game.seat) == ("auction", 1)
    assert (take(game, "PASS").contract, game.contractor) == ("7C", 1)


@pytest.mark.rule("D3")
def test_own_raise_in_a_reenter_auction_all_pass_is_four_passes() -> None:
    assert start(actions="PASS PASS PASS PASS", auction="reenter", own_raise="yes").phase == "over"


def over(bid: str, **options: Any) -> set[str]:
    return legal(start(actions=bid, **options))


@pytest.mark.rule("O.misere_rank.after_seven")
def test_after_seven_misere_stands_over_a_seven_and_only_there() -> None:
    allowed = [bid for bid in ["", *SIXES, *SEVENS, *HIGHER] if "MIS" in over(bid, misere_rank="after_seven")]
    assert allowed == SEVENS


@pytest.mark.rule("O.misere_rank.above_sevens")
def test_above_sevens_misere_may_open_and_ranks_between_7nt_and_8s() -> None:
    allowed = [bid for bid in ["", *SIXES, *SEVENS, *HIGHER] if "MIS" in over(bid, misere_rank="above_sevens")]
    assert allowed == ["", *SIXES, *SEVENS]
    assert over("MIS", misere_rank="above_sevens") == {"PASS", "OMIS", *HIGHER}


@pytest.mark.rule("O.misere_rank.by_value")
def test_by_value_misere_ranks_between_8s_and_8c() -> None:
    allowed = [bid for bid in ["", *SIXES, *SEVENS, *HIGHER] if "MIS" in over(bid, misere_rank="by_value")]
    assert allowed == ["", *SIXES, *SEVENS, "8S"]
    assert over("MIS", misere_rank="by_value") == {"PASS", "OMIS", *HIGHER[1:]}


@pytest.mark.rule("O.misere_rank.none")
def test_without_misere_it_cannot_be_bid() -> None:
    assert not any("MIS" in over(bid, misere_rank="none") for bid in ["", *SIXES, *SEVENS, *HIGHER])
    assert "OMIS" in over("7S", misere_rank="none")
    with pytest.raises(IllegalActionError) as caught:
        start(actions="7S MIS", misere_rank="none")
    assert caught.value.rule == "O.misere_rank.none"


@pytest.mark.rule("O.open_misere_rank.below_10h")
def test_below_10h_open_misere_ranks_between_10d_and_10h() -> None:
    assert over("OMIS", open_misere_rank="below_10h") == {"PASS", "10H", "10NT"}
    assert "OMIS" in over("10D", open_misere_rank="below_10h")
    assert "OMIS" not in over("10H", open_misere_rank="below_10h")


@pytest.mark.rule("O.open_misere_rank.top")
def test_on_top_open_misere_outranks_10nt() -> None:
    assert over("10NT", open_misere_rank="top") == {"PASS", "OMIS"}
    assert over("OMIS", open_misere_rank="top") == {"PASS"}
    assert "OMIS" in over("", open_misere_rank="top")


@pytest.mark.rule("O.open_misere_rank.none")
def test_without_open_misere_it_cannot_be_bid() -> None:
    assert not any("OMIS" in over(bid, open_misere_rank="none") for bid in ["", *SIXES, *SEVENS, *HIGHER])
    assert "MIS" in over("7S", open_misere_rank="none")
    with pytest.raises(IllegalActionError) as caught:
        start(actions="OMIS", open_misere_rank="none")
    assert caught.value.rule == "O.open_misere_rank.none"

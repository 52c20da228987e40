"""Judgement of `rule`: what a person at the table would call obvious, in positions worked out by hand."""

from __future__ import annotations

import pytest

from five_hundred_env.agents.rule.hand import expected_tricks, misere_danger
from five_hundred_env.core.cards import CARD_IDS, PACK_CARDS
from five_hundred_env.core.constants import HEARTS, NO_TRUMPS, SPADES
from tests.agents.helpers import ask
from tests.rules.helpers import cards, declare, fill, start, take


def mask(text: str) -> int:
    return sum(1 << CARD_IDS[card] for card in cards(text))


# --- the value of a hand ----------------------------------------------------------------------------------


def test_the_value_of_a_hand_with_trumps() -> None:
    """Hearts: 3.37 + 6 trumps 3.00 + right 0.76 + left 0.46 + king 0.12 + queen 0.08 + AS 0.68 + singletons S, C 0.24.

    That is 8.71. The diamonds 6D 8D are worth nothing; the left bower is a trump and no diamond.
    """
    assert expected_tricks(mask("JHJDKHQH9H7HAS5C6D8D"), HEARTS, 0) == pytest.approx(8.71)


def test_a_void_and_guarded_honours_count() -> None:
    """Spades: 3.37 + 4 trumps 2.00 + joker 1.06 + ace 0.31 + KC guarded 0.17 + QD guarded by two 0.09 + singleton 0.12.

    KH alone is a singleton and no guarded king. With KH exchanged for 8D hearts are void: 0.27 in place of 0.12.
    """
    assert expected_tricks(mask("JKAS7S6SKC5CQD7D6DKH"), SPADES, 0) == pytest.approx(7.12)
    assert expected_tricks(mask("JKAS7S6SKC5CQD7D6D8D"), SPADES, 0) == pytest.approx(7.27)


def test_the_value_of_a_hand_without_trumps() -> None:
    """3.46 + joker 2.27 + aces 2.20 + KD 0.48 + QH 0.25 + longest suit of three 0.24 + singleton AS 0.12 = 9.02."""
    assert expected_tricks(mask("JKASAC5CKD6D7DQH8H7H"), NO_TRUMPS, 0) == pytest.approx(9.02)


def test_low_cards_are_safe_in_a_misere_and_high_ones_are_not() -> None:
    pack = PACK_CARDS[0]
    assert misere_danger(mask("5S6S7S8S5C6C7C4D5D4H"), pack) == pytest.approx(0.0)
    assert misere_danger(mask("5S6S7S8S5C6C7C4D5DAH"), pack) > 4.0
    assert misere_danger(mask("5S6S7S8S5C6C7C4D5DJK"), pack) >= 3.0


# --- the auction ------------------------------------------------------------------------------------------


def test_a_strong_suit_is_bid_as_high_as_it_pays() -> None:
    """8.71 means 5.0 + 1.1 * 2.71 = 7.98 tricks, give or take 1.36.

    Seven are made with chance 0.86 (1.09 deviations), eight with 0.64 (0.35): 7H (200) is worth some
    0.72 * 200 - 30 = 115, 8H (300) some 0.28 * 300 - 30 = 50, 6H (100) some 0.93 * 100 - 20 = 75.
    """
    assert ask("rule", start(fill("JHJDKHQH9H7HAS5C6D8D"))) == "7H"


def test_five_trumps_with_joker_and_right_bower_are_bid() -> None:
    """3.37 + 2.5 + 1.06 + 0.76 + 0.31 + AS 0.68 + singleton C 0.12 = 8.80: seven hearts."""
    assert ask("rule", start(fill("JKJHAH9H7HAS6S5C8D6D"))) == "7H"


def test_a_flat_hand_without_a_card_above_the_nine_passes() -> None:
    """Not low enough for a misère either: 8S 9S, 8C 9C, 8D 9D, 8H 9H lie above most of their suits' low cards."""
    assert ask("rule", start(fill("8S9S7S8C9C8D9D7D8H9H"))) == "PASS"


def test_the_lowest_cards_of_all_suits_open_with_an_open_misere() -> None:
    """5S to 8S, 5C to 7C, 4D 5D and 4H can not take a trick in which somebody follows."""
    assert ask("rule", start(fill("5S6S7S8S5C6C7C4D5D4H"))) == "OMIS"


def test_where_open_misere_is_not_played_the_same_hand_waits_for_a_seven() -> None:
    low = fill("5S6S7S8S5C6C7C4D5D4H")
    assert ask("rule", start(low, open_misere_rank="none")) == "PASS"
    assert ask("rule", start(low, open_misere_rank="none", misere_rank="by_value")) == "MIS"
    assert ask("rule", start(low, "PASS PASS 7H", dealer=0, open_misere_rank="none")) == "MIS"


def test_partner_who_bid_the_suit_is_raised_and_an_opponent_who_bid_it_is_not() -> None:
    """Spades: 3.37 + 5 trumps 2.50 + right 0.76 + A K Q 0.51 + two aces 1.36 + singleton 0.12 = 8.62, 7.88 tricks.

    Partner's 6S makes that 8.7, seven are made with chance 0.9; an opponent's makes it 6.3, seven with 0.4.
    """
    strong = "JSASKSQS9SAC6CAD7D5H"
    assert ask("rule", start(fill("", "", strong), "6S PASS")) in ("7S", "8S")
    assert ask("rule", start(fill("", "", strong), "PASS 6S")) == "PASS"


def test_a_side_near_its_end_does_not_gamble() -> None:
    """3.37 + 5 trumps 2.50 + right 0.76 + left 0.46 + king 0.12 + AC 0.68 + singleton 0.12 = 8.01, 7.2 tricks.

    Seven are made with chance 0.70. At -480 a failed contract also loses the game.
    """
    hand = fill("JSJCKS8S7SAC6C9D7D5H")
    assert ask("rule", start(hand, scores=(0, 0))) == "7S"
    assert ask("rule", start(hand, scores=(-480, 0))) == "PASS"


def test_a_side_that_needs_one_contract_bids_no_more_than_that() -> None:
    """At 460 every contract wins the game, 6S (40) as well as 8S, and 6S is made most often."""
    hand = fill("JKJSASKS9SAC6C7D5D4H")
    assert ask("rule", start(hand, scores=(0, 0)))[0] in "78"
    assert ask("rule", start(hand, scores=(460, 0))) == "6S"


# --- the kitty and the nomination -------------------------------------------------------------------------


def discard(deal: str, bid: str, count: int = 3) -> list[str]:
    """Let `rule` put its cards away."""
    game = declare(deal, bid)
    away = []
    for _ in range(count):
        away.append(ask("rule", game))
        game.apply(away[-1])
    return away


def test_it_discards_to_a_void_and_keeps_joker_trumps_and_aces() -> None:
    """Hearts: JK JH AH KH QH 9H are trumps, AS AC aces, KS is guarded; 7D 6D 5D make a void, 8C a singleton beside."""
    deal = fill("JKJHAHKHQH9HASACKS7D", kitty="6D5D8C")
    assert sorted(discard(deal, "7H")) == ["5D", "6D", "7D"]


def test_it_never_puts_the_joker_away_where_tricks_are_wanted() -> None:
    deal = fill("ASKSQSJSTS9S8S7S6S5S", kitty="JKAC4H")
    assert "JK" not in discard(deal, "7S")
    assert "JK" not in discard(deal, "7NT")


def test_it_puts_the_joker_and_the_aces_away_in_a_misere() -> None:
    deal = fill("5S6S7S5C6C7C4D5D4H5H", kitty="JKASAC")
    assert sorted(discard(deal, "OMIS")) == ["AC", "AS", "JK"]


def test_a_kitty_of_six_is_put_away_without_its_jokers() -> None:
    deal = fill("ASKSQSJSTS9S8S7S6S5S", kitty="JKJ2ACAD4C4D", pack="46")
    game = declare(deal, "8S", pack="46")
    away = []
    for _ in range(6):
        away.append(ask("rule", game))
        game.apply(away[-1])
    assert {"4C", "4D"} <= set(away)
    assert not {"JK", "J2", "AS", "KS", "QS", "JS"} & set(away)


def test_the_joker_is_given_to_the_longest_suit_without_its_ace() -> None:
    """Spades and hearts are five long; the hearts lack the ace, which the joker makes good."""
    deal = fill("JKASKSQS8S7SKHQH9H8H", kitty="7H5C5D")
    assert ask("rule", declare(deal, "7NT", "5C 5D 7S")) == "=H"


# --- the play ---------------------------------------------------------------------------------------------

HEARTS_ARE_TRUMPS = "JKJHAHKHQH9HASACKS7D"


def test_the_contractor_draws_trumps_from_the_top() -> None:
    deal = fill(HEARTS_ARE_TRUMPS, kitty="6D5D8C")
    assert ask("rule", declare(deal, "7H", "5D 6D 8C")) == "JK"


def test_it_stops_drawing_trumps_when_the_opponents_have_shown_out() -> None:
    """JK draws from partner alone: seats 1 and 3 throw side cards, so the trumps stay and an ace is cashed."""
    left = "5S6S7S8S9STSJSQS5C6C"
    right = "7C8C9CTCJCQCKC4D8D9D"
    deal = fill("JKJHAHKHQH9HASACKS7D", left, "JD8H7H6H5H4HTHTDQDKD", right, kitty="6D5DAD")
    game = declare(deal, "7H", "5D 6D AD JK 5S 4H 7C")
    assert ask("rule", game) in ("AS", "AC")


def test_it_plays_low_when_partner_holds_the_trick() -> None:
    """Seat 1 leads AC, which no club beats: seat 3, its partner, keeps KC and plays 5C."""
    deal = fill("", "ACASKSADKDAHKHQHQDQS", "7C", "KC5C5S6S7S5D6D7D5H6H", kitty="JK4D4H")
    game = declare(deal, "6NT", "JK 4D 4H =- AC 7C", seat=1)
    assert ask("rule", game) == "5C"


def test_it_takes_with_the_lowest_card_that_holds_the_trick() -> None:
    """Seat 1 leads 9C; seat 2 has AC and QC: KC is out, so QC might be beaten by seat 3, and AC is played."""
    deal = fill("", "9CASKSADKDAHKHQHQDQS", "ACQC5S6S7S5D6D7D5H6H", "KC", kitty="JK4D4H")
    assert ask("rule", declare(deal, "6NT", "JK 4D 4H =- 9C", seat=1)) == "AC"


@pytest.mark.parametrize(("seat_3", "answer"), [("JC", "TC"), ("7C", "QC")])
def test_it_counts_what_is_gone(seat_3: str, answer: str) -> None:
    """Seat 2 holds QC TC over seat 1's 9C, seat 3 still to play; AC and KC have gone in the first trick.

    If JC went with them, nothing beats TC and it is enough; if JC is still out, only QC is sure to hold the trick.
    """
    deal = fill("AC5C8S9S8D9D8H9H7H7D", "KC9CASKSADKDAHKHQHQD", "QCTC8C5S6S5D6D5H6HJH", "JC7C", kitty="JK4D4H")
    game = declare(deal, "6NT", f"JK 4D 4H =- KC 8C {seat_3} AC 5C 9C", seat=1)
    assert ask("rule", game) == answer


def test_it_ruffs_an_ace_with_its_lowest_trump() -> None:
    """Diamonds are trumps, seat 1 leads AS; seat 2 has no spade and ruffs with 5D rather than QD."""
    deal = fill("", "ASKSQSADKDJDJHACKCQC", "5DQD7C8C9C5H6H7H8H9H", kitty="JK4D4H")
    assert ask("rule", declare(deal, "6D", "JK 4D 4H AS", seat=1)) == "5D"


def test_it_forces_the_misere_contractor_with_the_lowest_card_of_a_suit() -> None:
    """The open hand shows TH as its only heart; seat 1 holds 4H and 5H, seat 3 the 6H: a low heart makes TH win."""
    deal = fill("5S6S7S8S5C6C7C4D6DTH", "4H5HKHAHASKSACKCADKD", "7H8H9HJHQHQCJCTC9C8C", "6H5D7D8D9DTDJDQDQSJS")
    game = start(deal, "OMIS PASS PASS PASS")
    while game.phase == "discard":
        game.apply(next(card for card in ("JK", "TS", "9S") if card in game.legal()))
    game.apply("=-")
    take(game, "4D AD 5D")
    assert (game.seat, game.phase) == (1, "play")
    assert ask("rule", game) in ("4H", "5H")


def test_the_misere_contractor_goes_under_with_its_highest() -> None:
    """Seat 1 leads KS: of 5S 8S JS and AS the contractor can go under with JS at most."""
    deal = fill("5S8SJSAS5C6C7C4D5D4H", "KS6H7H8HACKCQCADKDQD", kitty="JKTSQS")
    game = declare(deal, "OMIS", "JK TS QS =- 4D AD")
    while game.seat != 1:
        game.apply(ask("rule", game))
    take(game, "KS")
    while game.seat != 0:
        game.apply(game.legal()[0])
    assert ask("rule", game) == "JS"

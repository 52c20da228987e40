"""Hand-worked positions for the reference itself, part A and every option of part B."""

import re
from itertools import pairwise
from typing import Any

import pytest

from tests.reference import (
    DEFAULT_OPTIONS,
    OPTION_VALUES,
    PROFILES,
    ReferenceGame,
    call_order,
    call_value,
    kitty_size,
    pack_cards,
)

# Four hands, then the kitty. Each seat has a suit of its own.
SUITED = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H"
# As SUITED, but seat 1 has the joker and 5C lies in the kitty.
JOKER_LEFT = "ASKSQSJSTS9S8S7S6S5S JKACKCQCJCTC9C8C7C6C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H 5C4D4H"
# Seat 0 has the top of every suit and seat 3 the bottom.
LAYERED = "ASKSACKCQCADKDAHKHQS JSTS9SJCTCQDJDQHJHTH 8S7S9C8CTD9D8D9H8H7H 6S5S7C6C5C7D6D6H5H4H JK5D4D"
# Seat 0 has five tricks in spades, then seat 3 has five in diamonds.
FIVE_EACH = "ASKSQSJSTS8D7D6D5D4D 9S8S7S6S5S9C8C7C6C5C ACKCQCJCTC8H7H6H5H4H ADKDQDJDTDAHKHQHJHTH JK9D9H"
# The pack of 45, suit by suit.
SUITED_45 = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4S4C4D4H"
# The pack of 46: seat 1 has both jokers, seat 3 can win a club and lead a spade.
TWO_JOKERS = "ASKSQSJSTS9S8S7S6S7H JKJ2KCQCJCTC9C8C7C6C ADKDQDJDTD9D8D7D6D5D ACAHKHQHJHTH9H8H5S4S 5C4C4D6H5H4H"
# The pack of 46, suit by suit.
SUITED_46 = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JKJ24S4C4D4H"
# The pack 43-low-four: 4C is with the clubs, 5C in the kitty.
LOW_FOUR = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C4C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK5C4H"


def cards(text: str) -> list[str]:
    """Split cards that are run together."""
    return [text[start : start + 2] for start in range(0, len(text), 2)]


def start(
    deal: str,
    actions: str = "",
    dealer: int = 3,
    scores: tuple[int, int] = (0, 0),
    **options: Any,
) -> ReferenceGame:
    """Deal, then take actions that are separated by blanks; seat 0 calls first by default."""
    *hands, kitty = [cards(group) for group in deal.split()]
    game = ReferenceGame(hands, kitty, dealer, scores, options)
    take(game, actions)
    return game


def take(game: ReferenceGame, actions: str) -> None:
    for action in actions.split():
        game.apply(action)


def play_lowest(game: ReferenceGame) -> None:
    """Play the deal to its end, always the first legal action in the order of text."""
    while game.phase != "over":
        game.apply(min(game.legal()))


# R1, R2 and the pack


def test_pack_of_43_has_no_black_fours_and_leaves_three_cards() -> None:
    pack = pack_cards()
    assert len(pack) == len(set(pack)) == 43
    assert {card for card in pack if card[0] == "4"} == {"4D", "4H"}
    assert "JK" in pack
    assert kitty_size() == 3


@pytest.mark.parametrize(
    ("pack", "size", "fours", "jokers", "kitty"),
    [
        ("43-low-four", 43, {"4C", "4H"}, {"JK"}, 3),
        ("45", 45, {"4S", "4C", "4D", "4H"}, {"JK"}, 5),
        ("46", 46, {"4S", "4C", "4D", "4H"}, {"JK", "J2"}, 6),
    ],
)
def test_other_packs(pack: str, size: int, fours: set[str], jokers: set[str], kitty: int) -> None:
    found = pack_cards({"pack": pack})
    assert len(found) == len(set(found)) == size
    assert {card for card in found if card[0] == "4"} == fours
    assert {"JK", "J2"} & set(found) == jokers
    assert kitty_size({"pack": pack}) == kitty


@pytest.mark.parametrize(
    "deal",
    [
        SUITED.replace("JK4D", "JK4S"),  # a foreign card
        SUITED.replace("JK4D", "JKAS"),  # a double one
        SUITED.replace("5S ", "5SJK ").replace(" JK4D", " 4D"),  # eleven cards in a hand
        SUITED.replace(" JK4D4H", " JK4D"),  # a missing one
    ],
)
def test_a_deal_that_is_not_the_pack_is_refused(deal: str) -> None:
    with pytest.raises(ValueError, match="not"):
        start(deal)


def test_a_new_deal_passes_to_the_left_and_keeps_the_totals() -> None:
    game = start(SUITED, "PASS PASS PASS PASS", dealer=3, scores=(120, -40))
    *hands, kitty = [cards(group) for group in LAYERED.split()]
    game.next_deal(hands, kitty)
    assert (game.dealer, game.deal_number, game.seat) == (0, 2, 1)
    assert (game.phase, game.calls, game.scores) == ("auction", [], [120, -40])
    with pytest.raises(ValueError, match="not over"):
        game.next_deal(hands, kitty)


# Options


def test_defaults_and_profiles_are_those_of_part_b() -> None:
    known = """
        pack auction own_raise misere_rank open_misere_rank open_misere_shown misere_defence
        joker_no_trumps slam win defence_cap target lose all_pass
    """
    assert list(OPTION_VALUES) == known.split()
    assert PROFILES["australian"] == DEFAULT_OPTIONS
    changed = {
        name: {key: value for key, value in full.items() if value != DEFAULT_OPTIONS[key]}
        for name, full in PROFILES.items()
    }
    assert changed == {
        "australian": {},
        "american": {
            "auction": "one_round",
            "misere_rank": "by_value",
            "win": "first_to_target",
            "misere_defence": 10,
        },
        "wikipedia": {
            "misere_rank": "by_value",
            "win": "first_to_target",
            "joker_no_trumps": "free",
        },
        "casual": {
            "misere_rank": "above_sevens",
            "win": "first_to_target",
            "joker_no_trumps": "free",
        },
    }


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"colour": "red"}, ["colour"]),
        ({"pack": "44"}, ["pack", "44"]),
        ({"pack": 43}, ["pack"]),
        ({"misere_defence": "10"}, ["misere_defence"]),
        ({"misere_defence": False}, ["misere_defence"]),
        ({"slam": "250"}, ["slam"]),
        ({"target": 0}, ["target"]),
        ({"target": -500}, ["target"]),
        ({"target": 505}, ["target"]),
        ({"target": "500"}, ["target"]),
        ({"own_raise": "yes", "auction": "one_round"}, ["own_raise", "auction"]),
        ({"defence_cap": 490, "win": "first_to_target"}, ["defence_cap", "win"]),
        ({"defence_cap": 460, "target": 460}, ["defence_cap", "target"]),
    ],
)
def test_wrong_options_are_refused_by_name(options: dict[str, Any], named: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        start(SUITED, **options)
    for word in named:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("scores", "options"),
    [
        ((5, 0), {}),
        ((0, -500), {}),
        ((-250, 0), {"target": 250}),
        ((500, 0), {"win": "first_to_target"}),
        ((0, 250), {"win": "first_to_target", "target": 250}),
    ],
)
def test_scores_of_a_decided_game_are_refused(scores: tuple[int, int], options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(scores))):
        start(SUITED, scores=scores, **options)


def test_scores_of_an_undecided_game_are_taken() -> None:
    """500 through defence is no win under own_contract; without R10.2 no total is too low."""
    assert start(SUITED, scores=(730, -490)).scores == [730, -490]
    assert start(SUITED, scores=(0, -900), lose="none").scores == [0, -900]


# R3 The auction


def test_order_of_calls() -> None:
    default = "6S 6C 6D 6H 6NT 7S 7C 7D 7H 7NT MIS 8S 8C 8D 8H 8NT 9S 9C 9D 9H 9NT 10S 10C 10D OMIS 10H 10NT"
    assert call_order() == default.split()
    assert call_order({"misere_rank": "above_sevens"}) == default.split()
    by_value = default.replace("MIS 8S", "8S MIS", 1)
    assert call_order({"misere_rank": "by_value"}) == by_value.split()
    none = default.replace("MIS 8S", "8S", 1)
    assert call_order({"misere_rank": "none"}) == none.split()
    top = default.replace("OMIS ", "") + " OMIS"
    assert call_order({"open_misere_rank": "top"}) == top.split()
    no_open = default.replace("OMIS ", "")
    assert call_order({"open_misere_rank": "none"}) == no_open.split()


def test_values_of_calls() -> None:
    known = "6S 40 6C 60 6D 80 6H 100 6NT 120 7S 140 7NT 220 8S 240 8C 260 8NT 320 9D 380 10S 440 "
    known += "10C 460 10D 480 10H 500 10NT 520 MIS 250 OMIS 500 PASS 0"
    words = known.split()
    for call, value in zip(words[::2], words[1::2], strict=True):
        assert call_value(call) == int(value)
    with pytest.raises(ValueError, match="5S"):
        call_value("5S")


def test_auction_skips_seats_that_have_passed() -> None:
    """Seat 1 passes, so after 7C (2), PASS (3), 7D (0) the turn is seat 2's; its PASS ends it."""
    game = start(SUITED, "6S PASS 7C PASS 7D")
    assert game.seat == 2
    assert "7C" not in game.legal()
    assert "7D" not in game.legal()
    assert "7H" in game.legal()
    take(game, "PASS")
    assert (game.contract, game.contractor, game.phase, game.seat) == ("7D", 0, "discard", 0)


def test_fourth_seat_may_bid_after_three_passes_and_then_has_the_contract() -> None:
    game = start(SUITED, "PASS PASS PASS")
    assert game.seat == 3
    take(game, "6NT")
    assert (game.contract, game.contractor, game.phase) == ("6NT", 3, "discard")


def test_all_pass_throws_the_deal_in() -> None:
    game = start(SUITED, "PASS PASS PASS PASS")
    assert (game.phase, game.seat, game.legal(), game.is_over) == ("over", None, set(), False)
    assert game.result == {
        "contract": None,
        "contractor": None,
        "made": None,
        "tricks": (0, 0),
        "points": (0, 0),
    }


def test_the_others_still_pass_after_10nt() -> None:
    game = start(SUITED, "10NT")
    assert (game.seat, game.legal()) == (1, {"PASS"})


def test_misere_needs_a_seven_as_the_standing_bid() -> None:
    assert "MIS" not in start(SUITED).legal()
    assert "MIS" not in start(SUITED, "6NT").legal()
    assert "MIS" in start(SUITED, "7S").legal()
    assert "MIS" in start(SUITED, "7S 7NT").legal()
    assert "MIS" not in start(SUITED, "7S 8S").legal()
    assert "MIS" not in start(SUITED, "7S MIS").legal()


def test_open_misere_may_open_and_goes_under_10h() -> None:
    assert "OMIS" in start(SUITED).legal()
    assert "OMIS" in start(SUITED, "10D").legal()
    assert "OMIS" not in start(SUITED, "10H").legal()
    assert start(SUITED, "OMIS").legal() == {"PASS", "10H", "10NT"}


def test_misere_above_sevens_needs_no_seven() -> None:
    assert "MIS" in start(SUITED, misere_rank="above_sevens").legal()
    assert "MIS" in start(SUITED, "6H", misere_rank="above_sevens").legal()
    assert "MIS" not in start(SUITED, "8S", misere_rank="above_sevens").legal()


def test_misere_by_value_stands_between_8s_and_8c() -> None:
    assert "MIS" in start(SUITED, misere_rank="by_value").legal()
    assert "MIS" in start(SUITED, "8S", misere_rank="by_value").legal()
    assert "MIS" not in start(SUITED, "8C", misere_rank="by_value").legal()
    assert "8S" not in start(SUITED, "MIS", misere_rank="by_value").legal()


def test_miseres_may_be_missing() -> None:
    game = start(SUITED, "7S", misere_rank="none", open_misere_rank="none")
    assert not {"MIS", "OMIS"} & game.legal()


def test_open_misere_may_top_10nt() -> None:
    assert start(SUITED, "10NT", open_misere_rank="top").legal() == {"PASS", "OMIS"}


def test_one_round_ends_after_four_calls() -> None:
    game = start(SUITED, "6S PASS 7S", auction="one_round")
    assert (game.phase, game.seat) == ("auction", 3)
    take(game, "7C")
    assert (game.contract, game.contractor) == ("7C", 3)
    assert start(SUITED, "PASS 6S PASS PASS", auction="one_round").contractor == 1
    assert start(SUITED, "PASS PASS PASS PASS", auction="one_round").phase == "over"


def test_reenter_lets_a_seat_call_again() -> None:
    """Only the third pass in a row behind a bid ends it; a seat's own pass does not bind it."""
    game = start(SUITED, "PASS 6S PASS PASS", auction="reenter")
    assert (game.phase, game.seat) == ("auction", 0)
    take(game, "6C PASS PASS 6D PASS PASS")
    assert (game.phase, game.seat) == ("auction", 2)
    take(game, "PASS")
    assert (game.contract, game.contractor, game.phase) == ("6D", 3, "discard")


def test_reenter_ends_after_four_opening_passes() -> None:
    game = start(SUITED, "PASS PASS PASS", auction="reenter")
    assert (game.phase, game.seat) == ("auction", 3)
    take(game, "PASS")
    assert game.phase == "over"


def test_own_raise_in_the_continuous_auction() -> None:
    """After the raise all others are out, so it is the bidder's turn again until it passes."""
    game = start(SUITED, "6S PASS PASS PASS", own_raise="yes")
    assert (game.phase, game.seat) == ("auction", 0)
    take(game, "7S")
    assert (game.phase, game.seat) == ("auction", 0)
    assert "MIS" in game.legal()
    take(game, "PASS")
    assert (game.contract, game.contractor, game.phase) == ("7S", 0, "discard")


def test_own_raise_after_three_opening_passes_and_all_pass() -> None:
    game = start(SUITED, "PASS PASS PASS 6S", own_raise="yes")
    assert (game.phase, game.seat) == ("auction", 3)
    take(game, "PASS")
    assert (game.contract, game.contractor) == ("6S", 3)
    assert start(SUITED, "PASS PASS PASS PASS", own_raise="yes").phase == "over"


def test_own_raise_with_nothing_left_to_bid_is_a_pass() -> None:
    game = start(SUITED, "10NT PASS PASS PASS", own_raise="yes")
    assert (game.phase, game.seat, game.legal()) == ("auction", 0, {"PASS"})


def test_own_raise_with_reenter_goes_on_clockwise() -> None:
    game = start(SUITED, "6S PASS PASS PASS", auction="reenter", own_raise="yes")
    assert (game.phase, game.seat) == ("auction", 0)
    take(game, "6C")
    assert (game.phase, game.seat) == ("auction", 1)
    take(game, "PASS PASS 6D PASS PASS PASS PASS")
    assert (game.contract, game.contractor, game.phase) == ("6D", 3, "discard")


def test_all_pass_may_be_played_without_trumps_and_without_contractor() -> None:
    """Dealer 0, so seat 1 leads: its ten clubs win, 100 for side 1; no kitty, no contractor."""
    game = start(SUITED, "PASS PASS PASS PASS", dealer=0, all_pass="no_trumps")
    assert (game.phase, game.seat, game.contractor) == ("play", 1, None)
    assert game.legal() == set(game.hands[1])
    play_lowest(game)
    assert game.result == {
        "contract": None,
        "contractor": None,
        "made": None,
        "tricks": (0, 10),
        "points": (0, 100),
    }
    assert game.tricks == [0, 10, 0, 0]


# R4, R5 Kitty and nomination


def test_contractor_discards_any_three_of_thirteen() -> None:
    game = start(SUITED, "6S PASS PASS PASS")
    assert game.legal() == set(cards("ASKSQSJSTS9S8S7S6S5SJK4D4H"))
    take(game, "JK 4D")
    assert (game.phase, game.seat) == ("discard", 0)
    assert "JK" not in game.legal()
    take(game, "AS")
    assert (game.phase, game.seat) == ("play", 0)
    assert game.discards == ["JK", "4D", "AS"]
    assert game.kitty == ["JK", "4D", "4H"]
    assert game.hands[0] == set(cards("KSQSJSTS9S8S7S6S5S4H"))


def test_larger_kitties_mean_more_discards() -> None:
    game = start(SUITED_45, "6S PASS PASS PASS JK 4S 4C 4D", pack="45")
    assert game.phase == "discard"
    take(game, "4H")
    assert (game.phase, len(game.hands[0])) == ("play", 10)
    game = start(SUITED_46, "6S PASS PASS PASS JK J2 4S 4C 4D", pack="46")
    assert game.phase == "discard"
    take(game, "4H")
    assert (game.phase, len(game.hands[0])) == ("play", 10)


def test_nomination_is_offered_to_the_holder_only() -> None:
    game = start(SUITED, "6NT PASS PASS PASS 4D 4H 5S")
    assert (game.phase, game.seat) == ("nominate", 0)
    assert game.legal() == {"=S", "=C", "=D", "=H", "=-"}
    take(game, "=D")
    assert game.nominated == {"JK": "=D"}
    assert (game.phase, game.seat) == ("play", 0)
    laid_away = start(SUITED, "OMIS PASS PASS PASS JK 4D 4H")
    assert (laid_away.phase, laid_away.legal()) == ("nominate", {"=-"})
    held_by_another = start(JOKER_LEFT, "7S PASS MIS PASS PASS 5C 4D 4H")
    assert (held_by_another.phase, held_by_another.legal()) == ("nominate", {"=-"})


@pytest.mark.parametrize("rule", ["no_nomination", "free", "not_shown_void"])
def test_no_step_to_nominate(rule: str) -> None:
    game = start(SUITED, "6NT PASS PASS PASS 4D 4H 5S", joker_no_trumps=rule)
    assert (game.phase, game.seat, game.nominated) == ("play", 0, {})


def test_last_trick_lead_keeps_the_step_and_suit_contracts_have_none() -> None:
    game = start(SUITED, "6NT PASS PASS PASS 4D 4H 5S", joker_no_trumps="last_trick_lead")
    assert game.phase == "nominate"
    assert start(SUITED, "6H PASS PASS PASS 4D 4H 5S").phase == "play"


def test_two_jokers_are_nominated_one_after_the_other() -> None:
    game = start(SUITED_46, "6NT PASS PASS PASS JK 4S 4C 4D 4H 5S", pack="46")
    assert (game.phase, game.legal()) == ("nominate", {"=-"})
    take(game, "=-")
    assert (game.phase, game.legal()) == ("nominate", {"=S", "=C", "=D", "=H", "=-"})
    take(game, "=H")
    assert game.nominated == {"JK": "=-", "J2": "=H"}
    assert game.phase == "play"


# R6 Play with trumps


def test_left_bower_follows_trumps_and_beats_the_ace() -> None:
    """Hearts are trumps: on AH seat 2 holds one trump, JD; seats 0 and 1 are void."""
    game = start(SUITED, "6H PASS PASS PASS JK 4D 4H", dealer=2)
    take(game, "AH AS AC")
    assert (game.seat, game.legal()) == (2, {"JD"})
    take(game, "JD")
    assert (game.last_trick_winner, game.seat, game.tricks) == (2, 2, [0, 0, 1, 0])
    assert game.named == ["H"]


def test_left_bower_does_not_follow_its_printed_suit() -> None:
    """Spades are trumps: of seat 1's JS TS 9S JC TC, JC follows the spade and not the club."""
    game = start(LAYERED, "6S PASS PASS PASS JK 5D 4D AC")
    assert (game.seat, game.legal()) == (1, {"TC"})
    take(game, "TC 8C 5C KC")
    assert game.legal() == set(cards("JSTS9SJCQDJDQHJHTH"))  # without TC it is void in clubs
    game = start(LAYERED, "6S PASS PASS PASS JK 5D 4D AS")
    assert (game.seat, game.legal()) == (1, {"JS", "TS", "9S", "JC"})


def test_a_trump_wins_over_the_led_suit_and_nobody_has_to_trump() -> None:
    """Spades are trumps: 5S beats the led AD; seat 1 may throw a club though it holds JC."""
    game = start(SUITED, "PASS PASS 6S PASS JK 4D 4H AD AH 5S AC")
    assert (game.last_trick_winner, game.seat) == (0, 0)


def test_rank_of_trumps() -> None:
    """Diamonds: joker, JD, JH, AD, KD, QD, TD … 4D."""
    game = start(SUITED, "6D PASS PASS PASS JK 4D 4H")
    trumps = cards("JKJDJHADKDQDTD9D8D7D6D5D4D")
    for higher, lower in pairwise(trumps):
        assert game.trick_winner([(0, lower), (1, higher)], "D") == 1
        assert game.trick_winner([(0, higher), (1, lower)], "D") == 0
    assert game.trick_winner([(0, "AC"), (1, "4D")], "C") == 1


def test_rank_without_trumps() -> None:
    """No bowers: A K Q J T 9 …, and a higher card of another suit wins nothing."""
    game = start(SUITED, "6NT PASS PASS PASS 4D 4H JK =-")
    ranks = cards("ADKDQDJDTD9D8D7D6D5D4D")
    for higher, lower in pairwise(ranks):
        assert game.trick_winner([(0, lower), (1, higher)], "D") == 1
    assert game.trick_winner([(0, "4D"), (1, "JH"), (2, "AS")], "D") == 0


def test_two_jokers_are_the_two_highest_trumps() -> None:
    game = start(SUITED_46, "6C PASS PASS PASS 4S 4C 4D 4H 5S 6S", pack="46")
    trumps = cards("JKJ2JCJSACKCQCTC9C8C7C6C5C4C")
    for higher, lower in pairwise(trumps):
        assert game.trick_winner([(0, lower), (1, higher)], "C") == 1
    take(game, "J2")
    assert game.legal() == set(cards("ACKCQCJCTC9C8C7C6C5C"))


def test_low_four_of_the_colour_is_the_lowest_trump() -> None:
    """Spades are trumps: on 5S seat 1 has JC and 4C, and 4C loses to the five."""
    game = start(LOW_FOUR, "6S PASS PASS PASS JK 5C 4H 5S", pack="43-low-four")
    assert game.legal() == {"JC", "4C"}
    take(game, "4C AD AH")
    assert game.last_trick_winner == 0
    assert game.trick_winner([(2, "AD"), (3, "AH"), (0, "AC"), (1, "4C")], "D") == 1
    assert game.effective_suit("4H") == "H"


def test_low_four_of_the_trumps_own_suit_changes_nothing() -> None:
    game = start(LOW_FOUR, "6C PASS PASS PASS JK 5C 4H", pack="43-low-four")
    assert game.effective_suit("4C") == "C"
    assert game.effective_suit("4H") == "H"
    red = start(LOW_FOUR, "6D PASS PASS PASS JK 5C 4H", pack="43-low-four")
    assert red.effective_suit("4H") == "D"
    assert red.effective_suit("4C") == "C"
    no_trumps = start(LOW_FOUR, "6NT PASS PASS PASS JK 5C 4H =-", pack="43-low-four")
    assert no_trumps.effective_suit("4C") == "C"
    full_pack = start(SUITED_45, "6D PASS PASS PASS JK 4S 4C 4D 5S", pack="45")
    assert full_pack.effective_suit("4H") == "H"


# R5.2 The nominated joker


def test_nominated_joker_follows_when_nothing_else_does() -> None:
    """Seat 2 leads its only heart to seat 3's 5H; on AH the joker, named for hearts, must follow.

    It beats the ace.
    """
    game = start(SUITED, "PASS PASS 6NT PASS 4D 5D 6D =H 4H 5H AS AC")
    assert (game.last_trick_winner, game.named) == (3, ["H"])
    take(game, "AH KS KC")
    assert (game.seat, game.legal()) == (2, {"JK"})
    take(game, "JK")
    assert game.last_trick_winner == 2


def test_nominated_joker_may_be_held_back() -> None:
    """Seat 1 names hearts and leads TS to seat 0's ace; on AH its hearts follow, joker or not."""
    game = start(LAYERED, "PASS 6NT PASS PASS 5D 4D JS =H TS 7S 5S AS AH")
    assert (game.seat, game.legal()) == (1, {"QH", "JH", "TH", "JK"})


def test_nominated_joker_may_not_be_played_while_another_led_suit_can_be_followed() -> None:
    """As before, but seat 0 goes on with AC: seat 1 follows with JC or TC."""
    game = start(LAYERED, "PASS 6NT PASS PASS 5D 4D JS =H TS 7S 5S AS AC")
    assert (game.seat, game.legal()) == (1, {"JC", "TC"})


def test_nominated_joker_is_led_as_its_suit() -> None:
    """Seat 3 leads the joker named for hearts: no suit is asked for, and it wins."""
    game = start(SUITED, "PASS PASS PASS 6NT 4D 4H 5H =H JK")
    assert (game.phase, game.led_suit, game.named, game.seat) == ("play", "H", ["H"], 0)
    take(game, "KS KC KD")
    assert game.last_trick_winner == 3


def test_nominated_joker_wins_nothing_off_its_suit() -> None:
    """Seat 0 names diamonds and gives 4H away; on KH it may throw the joker, and KH wins."""
    game = start(SUITED, "6NT PASS PASS PASS 4D 5S 6S =D 4H AC AD AH KH")
    assert game.legal() == set(cards("ASKSQSJSTS9S8S7SJK"))
    take(game, "JK KC KD")
    assert game.last_trick_winner == 3


def test_nominated_joker_is_led_after_all_suits_without_limit() -> None:
    """JK named for spades; after AS AC AD AH all suits are led and JK may still be led."""
    game = start(LAYERED, "6NT PASS PASS PASS 5D 4D QC =S")
    take(game, "AS JS 7S 5S AC TC 8C 5C AD JD 8D 6D AH TH 7H 4H")
    assert game.named == ["S", "C", "D", "H"]
    assert "JK" in game.legal()
    take(game, "JK")
    assert (game.phase, game.led_suit, game.legal()) == ("play", "S", {"TS", "9S"})


# R7 The suitless joker


def test_suitless_joker_leads_by_naming_a_suit_not_yet_led() -> None:
    game = start(SUITED, "6NT PASS PASS PASS 4D 4H 5S =- AS AC AD AH JK")
    assert (game.phase, game.seat) == ("name", 0)
    assert game.legal() == {"=C", "=D", "=H"}
    assert game.trick == [(0, "JK")]
    take(game, "=C")
    assert game.named == ["S", "C"]
    assert (game.phase, game.seat) == ("play", 1)
    assert game.legal() == set(cards("KCQCJCTC9C8C7C6C5C"))
    take(game, "KC KD KH")
    assert game.last_trick_winner == 0


def test_suitless_joker_waits_for_the_last_trick_once_all_suits_are_led() -> None:
    game = start(LAYERED, "6NT PASS PASS PASS 5D 4D QC =-")
    take(game, "AS JS 7S 5S AC TC 8C 5C AD JD 8D 6D")
    assert "JK" in game.legal()
    take(game, "AH TH 7H 4H")
    assert game.legal() == set(cards("KSKCKDKHQS"))
    take(game, "KS TS 8S 6S KC JC 9C 6C KD QD 9D 7D KH JH 8H 5H")
    assert game.legal() == {"QS"}
    take(game, "QS 9S 9H 7C JK")
    assert game.legal() == {"=S", "=C", "=D", "=H"}
    take(game, "=H QH TD 6H")
    assert (game.phase, game.tricks) == ("over", [10, 0, 0, 0])


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("nominate", {"=C", "=D", "=H"}),
        ("no_nomination", {"=C", "=D", "=H"}),
        ("last_trick_lead", {"=C", "=D", "=H"}),
        ("free", {"=S", "=C", "=D", "=H"}),
        ("not_shown_void", {"=S", "=C", "=D", "=H"}),
    ],
)
def test_names_in_the_last_trick_when_only_spades_were_led(rule: str, names: set[str]) -> None:
    game = start(SUITED, "6NT PASS PASS PASS 4D 4H 5S", joker_no_trumps=rule)
    if game.phase == "nominate":
        take(game, "=-")
    for rank in "AKQJT9876":
        assert ("JK" in game.legal()) == (rule != "last_trick_lead")
        take(game, f"{rank}S {rank}C {rank}D {rank}H")
    take(game, "JK")
    assert game.legal() == names


def test_free_joker_is_led_at_any_time_naming_any_suit() -> None:
    game = start(LAYERED, "6NT PASS PASS PASS 5D 4D QC", joker_no_trumps="free")
    take(game, "AS JS 7S 5S AC TC 8C 5C AD JD 8D 6D AH TH 7H 4H")
    assert "JK" in game.legal()
    take(game, "JK")
    assert game.legal() == {"=S", "=C", "=D", "=H"}


def test_suitless_joker_is_optional_in_no_trumps_and_wins() -> None:
    """Seat 1 is void in spades on AS: ten legal cards; the joker takes the trick."""
    game = start(JOKER_LEFT, "6NT PASS PASS PASS 5C 4D 4H =- AS")
    assert game.legal() == set(cards("JKACKCQCJCTC9C8C7C6C"))
    take(game, "JK")
    assert game.seat == 2  # later seats still follow spades, which they cannot
    take(game, "AD AH")
    assert game.last_trick_winner == 1


@pytest.mark.parametrize("rule", ["nominate", "no_nomination", "last_trick_lead", "free"])
def test_suitless_joker_is_compulsory_in_miseres(rule: str) -> None:
    """Seat 0 plays open misère; its AS finds seat 1 without spades."""
    game = start(JOKER_LEFT, "OMIS PASS PASS PASS 5C 4D 4H", joker_no_trumps=rule)
    take(game, "=- AS" if game.phase == "nominate" else "AS")
    assert (game.seat, game.legal()) == (1, {"JK"})
    held = start(JOKER_LEFT, "OMIS PASS PASS PASS 5C 4D AS", joker_no_trumps=rule)
    take(held, "=- 4H" if held.phase == "nominate" else "4H")
    assert (held.seat, held.legal()) == (1, {"JK"})


def test_suitless_joker_is_not_playable_while_the_hand_follows() -> None:
    """Seat 0 leads 5C, which it kept: seat 1 follows clubs, joker excluded."""
    game = start(JOKER_LEFT, "6NT PASS PASS PASS 5S 4D 4H =- 5C")
    assert game.legal() == set(cards("ACKCQCJCTC9C8C7C6C"))


def test_compulsion_binds_the_contractor_too() -> None:
    """Seat 3 keeps the joker without a suit and one diamond: on the second diamond it must fall.

    It wins the trick, so the open misère is lost.
    """
    game = start(LAYERED, "PASS PASS PASS OMIS 5D 4D 7D =- 5S AS 7S AD 8D")
    assert (game.seat, game.legal()) == (3, {"6D"})
    take(game, "6D KD 9D")
    assert (game.seat, game.legal()) == (3, {"JK"})
    take(game, "JK")
    assert (game.phase, game.tricks, game.scores) == ("over", [2, 0, 0, 1], [0, -500])


def test_not_shown_void_bars_suits_that_were_not_followed() -> None:
    """Seat 1 throws 6C on AS, so its joker may no longer fall on spades nor name them."""
    game = start(JOKER_LEFT, "6NT PASS PASS PASS 5S 4D 4H AS 6C AD AH KS", joker_no_trumps="not_shown_void")
    assert game.legal() == set(cards("ACKCQCJCTC9C8C7C"))
    take(game, "7C KD KH 5C AC QD QH")
    assert game.seat == 1
    take(game, "JK")
    assert game.legal() == {"=C", "=D", "=H"}


def test_without_that_option_the_joker_may_still_fall_on_spades() -> None:
    game = start(JOKER_LEFT, "6NT PASS PASS PASS 5S 4D 4H =- AS 6C AD AH KS")
    assert "JK" in game.legal()
    take(game, "7C KD KH 5C AC QD QH JK")
    assert game.legal() == {"=D", "=H"}


def test_not_shown_void_lets_a_last_joker_fall() -> None:
    """Seat 1 throws nine clubs on nine spades; on the tenth trick only the joker is left."""
    game = start(JOKER_LEFT, "6NT PASS PASS PASS 5C 4D 4H", joker_no_trumps="not_shown_void")
    for spade, club in zip("AKQJT9876", "6789TJQKA", strict=True):
        take(game, f"{spade}S {club}C {spade}D {spade}H")
    take(game, "5S")
    assert game.legal() == {"JK"}


def test_not_shown_void_lets_a_last_joker_name_any_suit() -> None:
    """Seat 1 throws eight clubs on eight spades and wins the ninth trick with AC."""
    game = start(JOKER_LEFT, "6NT PASS PASS PASS 5S 4D 4H", joker_no_trumps="not_shown_void")
    for spade, club in zip("AKQJT987", "6789TJQK", strict=True):
        take(game, f"{spade}S {club}C {spade}D {spade}H")
    take(game, "5C AC 6D 6H JK")
    assert (game.seat, game.legal()) == (1, {"=S", "=C", "=D", "=H"})


def two_jokers_after_a_spade(rule: str) -> ReferenceGame:
    """Seat 1 puts JK on 6S, leads a club to seat 3's ace, and is led a second spade."""
    game = start(
        TWO_JOKERS,
        "OMIS PASS PASS PASS 5C 4C 4D 6H 5H 4H",
        pack="46",
        misere_defence=10,
        joker_no_trumps=rule,
    )
    if game.phase == "nominate":
        take(game, "=- =-")
    take(game, "6S")
    assert game.legal() == {"JK", "J2"}  # one of them, either
    take(game, "JK 4S 6C AC 7H 5S AS")
    assert (game.seat, game.led_suit, game.named) == (1, "S", ["S", "C"])
    return game


def test_a_second_joker_is_compulsory_as_well() -> None:
    assert two_jokers_after_a_spade("nominate").legal() == {"J2"}
    assert two_jokers_after_a_spade("free").legal() == {"J2"}


def test_a_barred_joker_is_not_compulsory() -> None:
    """The joker on 6S did not follow spades: not_shown_void bars the second one."""
    legal = two_jokers_after_a_spade("not_shown_void").legal()
    assert legal == set(cards("KCQCJCTC9C8C7C"))


def test_a_hand_of_jokers_may_lead_one_at_any_time() -> None:
    """Seat 0 keeps both jokers and eight spades; after eight spades two tricks are left."""
    actions = "6NT PASS PASS PASS 4S 4C 4D 4H 5S 6S"
    for rule in ("nominate", "no_nomination", "last_trick_lead", "free", "not_shown_void"):
        game = start(SUITED_46, actions, pack="46", joker_no_trumps=rule)
        if game.phase == "nominate":
            take(game, "=- =-")
        for rank in "AKQJT987":
            take(game, f"{rank}S {rank}C {rank}D {rank}H")
        assert game.legal() == {"JK", "J2"}
    take(game, "J2 =C 6C 6D 6H")
    assert (game.seat, game.legal()) == (0, {"JK"})


def test_of_two_jokers_the_one_that_counts_wins_and_jk_if_both_do() -> None:
    suitless = start(SUITED_46, "6NT PASS PASS PASS 4S 4C 4D 4H 5S 6S =- =-", pack="46")
    assert suitless.trick_winner([(0, "AS"), (1, "J2"), (2, "AD"), (3, "JK")], "S") == 3
    assert suitless.trick_winner([(0, "J2"), (1, "AC"), (2, "JK"), (3, "AH")], "C") == 2
    nominated = start(SUITED_46, "6NT PASS PASS PASS 4S 4C 4D 4H 5S 6S =H =-", pack="46")
    off_its_suit = [(0, "JK"), (1, "AC"), (2, "J2"), (3, "AH")]
    assert nominated.trick_winner(off_its_suit, "C") == 2
    assert nominated.trick_winner(off_its_suit, "H") == 0
    lower = start(SUITED_46, "6NT PASS PASS PASS 4S 4C 4D 4H 5S 6S =- =H", pack="46")
    assert lower.trick_winner([(3, "AH"), (0, "J2"), (1, "JK"), (2, "AD")], "H") == 1
    both = start(SUITED_46, "6NT PASS PASS PASS 4S 4C 4D 4H 5S 6S =H =H", pack="46")
    assert both.trick_winner([(3, "AH"), (0, "J2"), (1, "JK"), (2, "AD")], "H") == 1
    assert both.trick_winner([(0, "J2"), (3, "AH")], "H") == 0


# R8 Misères


def open_misere_by_seat_3(**options: Any) -> ReferenceGame:
    """Seat 3 has ten cards below everything that seats 0 and 2 can follow with; seat 1 is out."""
    return start(LAYERED, "OMIS PASS PASS PASS JK 7C 7D =-", dealer=2, **options)


def test_the_partner_sits_out() -> None:
    game = open_misere_by_seat_3()
    assert game.seat == 3
    take(game, "5S AS")
    assert game.seat == 2  # not 1
    take(game, "7S")
    assert (game.last_trick_winner, game.seat, game.exposed) == (0, 0, True)
    assert len(game.hands[1]) == 10
    assert len(game.past_tricks[0][1]) == 3


def test_open_misere_is_shown_after_the_first_trick() -> None:
    game = open_misere_by_seat_3()
    shown = [game.exposed]
    for card in ("5S", "AS", "7S"):
        take(game, card)
        shown.append(game.exposed)
    assert shown == [False, False, False, True]
    actions = "MIS PASS PASS PASS JK 7C 7D =- 5S AS 7S"
    misere = start(LAYERED, actions, dealer=2, misere_rank="above_sevens")
    assert (misere.phase, misere.exposed) == ("play", False)


def test_open_misere_may_be_shown_before_the_first_lead() -> None:
    options: dict[str, Any] = {"open_misere_shown": "before_first_lead"}
    assert open_misere_by_seat_3(**options).exposed
    before = start(LAYERED, "OMIS PASS PASS PASS JK 7C 7D", dealer=2, **options)
    assert (before.phase, before.exposed) == ("nominate", False)
    assert not start(LAYERED, "6NT PASS PASS PASS JK 5D 4D =-", **options).exposed


def test_a_misere_without_a_trick_is_made() -> None:
    """Every lead is covered by seat 0 or seat 2, so seat 3 takes nothing: 500 wins the game."""
    game = open_misere_by_seat_3()
    play_lowest(game)
    assert game.result == {
        "contract": "OMIS",
        "contractor": 3,
        "made": True,
        "tricks": (10, 0),
        "points": (0, 500),
    }
    assert (game.scores, game.winner, game.is_over) == ([0, 500], 1, True)
    assert len(game.hands[1]) == 10


def test_a_misere_ends_with_the_contractors_first_trick() -> None:
    """Seat 0 leads AS and nobody has spades: 500 lost, the other side scores nothing."""
    game = start(SUITED, "OMIS PASS PASS PASS JK 4D 4H =- AS AC AH")
    assert game.result == {
        "contract": "OMIS",
        "contractor": 0,
        "made": False,
        "tricks": (1, 0),
        "points": (-500, 0),
    }
    assert (game.scores, game.winner) == ([-500, 0], 1)


def test_misere_defence_plays_the_deal_out() -> None:
    """All ten spades win: the contract is lost and the other side gets 10 a trick."""
    game = start(SUITED, "7S PASS PASS 7C MIS PASS JK 4D 4H =- AS AC AH", misere_defence=10)
    assert (game.phase, game.tricks) == ("play", [1, 0, 0, 0])
    play_lowest(game)
    assert game.result == {
        "contract": "MIS",
        "contractor": 0,
        "made": False,
        "tricks": (10, 0),
        "points": (-250, 100),
    }


def test_misere_defence_pays_nothing_for_a_made_misere() -> None:
    game = open_misere_by_seat_3(misere_defence=10)
    play_lowest(game)
    assert game.result is not None
    assert game.result["points"] == (0, 500)


# R9, R10 Points and the end of the game


def six_clubs_lost(**kwargs: Any) -> ReferenceGame:
    """Seat 0 plays 6C and wins one trick, with the joker; JC and nine clubs win the rest.

    Points: −60 for side 0, 9 × 10 for side 1.
    """
    game = start(SUITED, "6C PASS PASS PASS 4D 4H 5S JK 5C AD AH", **kwargs)
    take(game, "JS JC KD KH")
    play_lowest(game)
    assert game.result is not None
    assert game.result["tricks"] == (1, 9)
    assert game.result["points"] == (-60, 90)
    assert game.result["made"] is False
    return game


def six_spades_with_nine_tricks(**kwargs: Any) -> ReferenceGame:
    """Seat 0 draws JC with the joker and gives up 4H; trumps win the rest: 40 and 10."""
    game = start(SUITED, "6S PASS PASS PASS 4D 5S 6S JK JC AD KH 4H AC KD AH", **kwargs)
    assert game.last_trick_winner == 3
    play_lowest(game)
    assert game.result is not None
    assert game.result["tricks"] == (9, 1)
    assert game.result["points"] == (40, 10)
    return game


def all_spades(bid: str, **kwargs: Any) -> ReferenceGame:
    """Seat 0 bids and takes ten tricks with spades as trumps, or without trumps."""
    game = start(SUITED, f"{bid} PASS PASS PASS JK 4D 4H", **kwargs)
    if game.phase == "nominate":
        take(game, "=-")
    take(game, "JS")  # with spades as trumps this draws JC
    play_lowest(game)
    assert game.result is not None
    assert game.result["tricks"] == (10, 0)
    return game


def test_a_lost_contract_and_points_of_defence() -> None:
    assert six_clubs_lost().scores == [-60, 90]


def test_overtricks_earn_nothing_and_defence_is_paid_for_a_made_contract() -> None:
    assert six_spades_with_nine_tricks().scores == [40, 10]


@pytest.mark.parametrize(
    ("bid", "options", "points"),
    [
        ("6S", {}, 250),
        ("7NT", {}, 250),  # worth 220
        ("8S", {}, 250),  # worth 240
        ("8NT", {}, 320),  # 250 or more: no slam
        ("10S", {}, 440),
        ("6S", {"slam": "none"}, 40),
    ],
)
def test_slam(bid: str, options: dict[str, Any], points: int) -> None:
    game = all_spades(bid, **options)
    assert game.result is not None
    assert game.result["points"] == (points, 0)


def test_a_contract_worth_more_than_the_slam_keeps_its_value() -> None:
    """Seat 1 plays 8C, worth 260: the joker draws JS, the left bower, and ten trumps win."""
    game = start(SUITED, "PASS 8C PASS PASS 5C 4D 4H JK AD AH JS")
    play_lowest(game)
    assert game.result is not None
    assert game.result["tricks"] == (0, 10)
    assert game.result["points"] == (0, 260)


def test_ten_tricks_of_the_defenders_are_no_slam() -> None:
    """Seat 1 bids 6S and lays JK and JC away: seat 0's ten spades are all the trumps there are."""
    game = start(SUITED, "PASS 6S PASS PASS JK JC 4D AC AD AH AS")
    play_lowest(game)
    assert game.result is not None
    assert game.result["points"] == (100, -40)


def test_a_made_contract_at_the_target_wins() -> None:
    assert six_spades_with_nine_tricks(scores=(460, 0)).winner == 0
    assert six_spades_with_nine_tricks(scores=(450, 0)).winner is None
    assert six_spades_with_nine_tricks(scores=(460, 700)).winner == 0


def test_defence_alone_does_not_win() -> None:
    """Side 1 goes from 450 to 540 by defence; later it stands there without having won."""
    game = six_clubs_lost(scores=(0, 450))
    assert (game.scores, game.winner) == ([-60, 540], None)
    assert six_spades_with_nine_tricks(scores=(0, 540)).winner is None


def test_a_lost_contract_does_not_win() -> None:
    """600 − 60 = 540 is above the target, but the contract was not made."""
    game = six_clubs_lost(scores=(600, 0))
    assert (game.scores, game.winner) == ([540, 90], None)


def test_going_out_backwards() -> None:
    """−440 − 60 = −500 is out; −430 − 60 = −490 is not; without the rule nobody is."""
    assert six_clubs_lost(scores=(-440, 0)).winner == 1
    assert six_clubs_lost(scores=(-430, 0)).winner is None
    assert six_clubs_lost(scores=(-440, 0), lose="none").winner is None


def test_a_game_that_is_over_deals_no_more() -> None:
    game = six_clubs_lost(scores=(-440, 0))
    *hands, kitty = [cards(group) for group in SUITED.split()]
    with pytest.raises(ValueError, match="won"):
        game.next_deal(hands, kitty)


def test_first_to_target_wins_by_defence_too() -> None:
    assert six_clubs_lost(scores=(0, 420), win="first_to_target").winner == 1
    assert six_clubs_lost(scores=(0, 400), win="first_to_target").winner is None


def test_first_to_target_prefers_the_contractors_side() -> None:
    """460 + 40 = 490 + 10 = 500: both are there. With 40 and 50 of 50 only the defenders are."""
    game = six_spades_with_nine_tricks(scores=(460, 490), win="first_to_target")
    assert (game.scores, game.winner) == ([500, 500], 0)
    game = six_spades_with_nine_tricks(scores=(10, 40), win="first_to_target", target=50)
    assert (game.scores, game.winner) == ([50, 50], 0)
    lower = six_spades_with_nine_tricks(scores=(0, 40), win="first_to_target", target=50)
    assert (lower.scores, lower.winner) == ([40, 50], 1)


def five_tricks_each(**kwargs: Any) -> ReferenceGame:
    """All pass: seat 0 takes five spades, then gives 8D to seat 3's diamonds; 50 points each."""
    game = start(FIVE_EACH, "PASS PASS PASS PASS", all_pass="no_trumps", **kwargs)
    for spade, low, thrown, high in zip("AKQJT", "98765", "87654", "AKQJT", strict=True):
        take(game, f"{spade}S {low}S {thrown}H {high}H")
    take(game, "8D 9C AC AD")
    assert game.last_trick_winner == 3
    play_lowest(game)
    assert game.result is not None
    assert game.result["points"] == (50, 50)
    return game


def test_without_a_contractor_the_higher_total_wins_and_equal_totals_go_on() -> None:
    options = {"win": "first_to_target", "target": 50}
    assert five_tricks_each(scores=(10, 0), **options).winner == 0
    assert five_tricks_each(scores=(0, 10), **options).winner == 1
    game = five_tricks_each(scores=(0, 0), **options)
    assert (game.scores, game.winner) == ([50, 50], None)
    *hands, kitty = [cards(group) for group in SUITED.split()]
    game.next_deal(hands, kitty)
    assert (game.phase, game.scores) == ("auction", [50, 50])


def test_without_a_contractor_nobody_has_made_a_contract() -> None:
    game = five_tricks_each(scores=(490, 600))
    assert (game.scores, game.winner) == ([540, 650], None)


@pytest.mark.parametrize(
    ("cap", "before", "after"),
    [
        (490, 400, 490),  # 400 + 90 = 490
        (490, 450, 490),
        (490, 500, 500),  # above the cap already: kept, not lowered
        (460, 450, 460),
        (460, 300, 390),
        ("none", 450, 540),
    ],
)
def test_defence_cap(cap: object, before: int, after: int) -> None:
    assert six_clubs_lost(scores=(0, before), defence_cap=cap).scores == [-60, after]


def test_defence_cap_does_not_hold_for_the_contractors_own_points() -> None:
    """480 + 250 for the slam."""
    game = all_spades("6S", scores=(480, 0), defence_cap=490)
    assert (game.scores, game.winner) == ([730, 0], 0)


def test_defence_cap_holds_without_a_contractor() -> None:
    game = five_tricks_each(scores=(440, 0), defence_cap=460)
    assert game.scores == [460, 50]


def test_defence_cap_holds_in_miseres() -> None:
    actions = "7S PASS PASS 7C MIS PASS JK 4D 4H =-"
    game = start(SUITED, actions, scores=(0, 420), misere_defence=10, defence_cap=490)
    play_lowest(game)
    assert game.scores == [-250, 490]


def test_another_target_moves_both_marks() -> None:
    assert six_spades_with_nine_tricks(scores=(210, 0), target=250).winner == 0
    assert six_spades_with_nine_tricks(scores=(460, 0), target=510).winner is None
    assert six_clubs_lost(scores=(-190, 0), target=250).winner == 1
    assert six_clubs_lost(scores=(-440, 0), target=510).winner is None


# Errors and R11


@pytest.mark.parametrize(
    ("actions", "wrong"),
    [
        ("", "5S"),
        ("", "MIS"),
        ("7S", "6S"),
        ("6S PASS PASS PASS", "AC"),
        ("6NT PASS PASS PASS 4D 4H JK", "=S"),
        ("6S PASS PASS PASS 4D 4H JK", "PASS"),
        ("6NT PASS PASS PASS 4D 4H 5S =- JK", "AC"),
        ("6NT PASS PASS PASS 4D 4H 5S =- AS AC AD AH JK", "=S"),
        ("PASS PASS PASS PASS", "6S"),
        ("", None),
        ("", ["6S"]),
    ],
)
def test_an_illegal_action_is_refused_and_changes_nothing(actions: str, wrong: Any) -> None:
    game = start(SUITED, actions)
    before = [game.observation_key(seat) for seat in range(4)]
    with pytest.raises(ValueError, match="may not"):
        game.apply(wrong)
    assert [game.observation_key(seat) for seat in range(4)] == before


def test_declining_looks_like_not_holding_the_joker() -> None:
    """Seat 0 discards 4D 4H and either JK or 5S; the others see the same, seat 0 does not."""
    with_joker = start(SUITED, "6NT PASS PASS PASS 4D 4H 5S =- AS")
    without = start(SUITED, "6NT PASS PASS PASS 4D 4H JK =- AS")
    for seat in (1, 2, 3):
        assert with_joker.observation_key(seat) == without.observation_key(seat)
    assert with_joker.observation_key(0) != without.observation_key(0)


def test_the_exposed_hand_and_only_that_is_public() -> None:
    """Two open misères that differ in the discards: equal for seat 0 until the hand is shown."""
    first = start(LAYERED, "OMIS PASS PASS PASS JK 7C 7D =- 5S AS", dealer=2)
    second = start(LAYERED, "OMIS PASS PASS PASS JK 7C 6D =- 5S AS", dealer=2)
    assert first.observation_key(0) == second.observation_key(0)
    take(first, "7S")
    take(second, "7S")
    assert first.observation_key(0) != second.observation_key(0)

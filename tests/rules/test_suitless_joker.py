"""R7: the joker without a suit, in no trumps and in the misères."""

from __future__ import annotations

import pytest

from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import LAYERED, cards, declare, fill, legal, take

# LAYERED, no trumps: seat 0 keeps the joker and leads one ace of each suit.
FOUR_SUITS = "4D 5D QS =- AS 9S 7S 5S / AC TC 8C 5C / AD JD 8D 6D / AH TH 7H 4H"
# Seat 0 leads 5C; seat 3 has the joker and no club, seat 1 the top clubs.
VOID = fill(
    "5C6C7C4D5D6D4H5H6H5S", "ACKCQCJCTC9C8C6S7S8S", "ASKSQSJSTS9SKDQDJDTD", "JKADAHKHQHJHTH9H8H7D", kitty="7H8D9D"
)


@pytest.mark.rule("R7.1")
@pytest.mark.parametrize("bid", ["6NT", "MIS", "OMIS"])
def test_it_wins_every_trick_it_is_played_to(bid: str) -> None:
    """Thrown by seat 3 on a club led by seat 0: it beats the ace of clubs of seat 1."""
    game = declare(VOID, bid, "7H 8D 9D =- 5C AC", misere_rank="above_sevens")
    if bid == "6NT":
        take(game, "KD")
    take(game, "JK")
    assert game.tricks == [0, 0, 0, 1]


@pytest.mark.rule("R7.1")
def test_later_seats_still_follow_the_led_suit() -> None:
    """Seat 3 leads a spade, seat 0 throws the joker, seat 1 has spades: nothing but a spade is legal."""
    deal = fill("JKACKCQCJCADKDQDJDAH", "5S6S7S5C6C7C4D5D4H5H", "8S9S", "ASKSQSJSTS")
    game = declare(deal, "6NT", seat=3)
    for card in game.kitty:
        game.apply(card)
    take(game, "=- AS JK")
    assert (game.seat, legal(game)) == (1, {"5S", "6S", "7S"})


@pytest.mark.rule("R7.2")
def test_on_anothers_lead_it_may_not_be_played_while_the_hand_can_follow() -> None:
    """Seat 3 has a diamond and the joker, a diamond is led: only the diamond is legal, in no trumps and misère."""
    for bid in ("6NT", "MIS"):
        game = declare(VOID, bid, "7H 8D 9D =- 4D", misere_rank="above_sevens")
        while game.seat != 3:
            game.apply(game.legal()[0])
        assert legal(game) == {"7D", "AD"}
        with pytest.raises(IllegalActionError) as caught:
            game.apply("JK")
        assert caught.value.rule == "R7.2"


@pytest.mark.rule("R7.3")
def test_in_no_trumps_it_is_optional() -> None:
    game = declare(VOID, "6NT", "7H 8D 9D =- 5C AC KD")
    assert (game.seat, legal(game)) == (3, set(cards("JKADAHKHQHJHTH9H8H7D")))


@pytest.mark.rule("R7.3")
@pytest.mark.parametrize("bid", ["MIS", "OMIS"])
def test_in_a_misere_a_defender_must_play_it(bid: str) -> None:
    game = declare(VOID, bid, "7H 8D 9D =- 5C AC", misere_rank="above_sevens")
    assert (game.seat, legal(game)) == (3, {"JK"})
    with pytest.raises(IllegalActionError) as caught:
        game.apply("7D")
    assert caught.value.rule == "R7.3"


@pytest.mark.rule("R7.3")
@pytest.mark.parametrize("bid", ["MIS", "OMIS"])
def test_in_a_misere_the_contractor_must_play_it(bid: str) -> None:
    """Seat 0 keeps the joker and leads 5C; seat 1 wins and leads a spade, of which seat 0 has none."""
    deal = fill("JK5C6C7C4D5D6D4H5H6H", "ACASKSQSJSTS9S8S7S6S", "KCQCJCTC9C8C", "KD", kitty="7H8D9D")
    game = declare(deal, bid, "7H 8D 9D =- 5C AC", misere_rank="above_sevens")
    game.apply(game.legal()[0])
    take(game, "AS")
    while game.seat != 0:
        game.apply(game.legal()[0])
    assert legal(game) == {"JK"}
    take(game, "JK")
    assert dict(game.deal_result or {})["made"] is False


@pytest.mark.rule("R7.4")
def test_leading_it_means_naming_a_suit_not_yet_led() -> None:
    """A spade and a club have been led: diamonds and hearts may be named, and the named suit counts as led."""
    game = declare(LAYERED, "6NT", "4D 5D QS =- AS 9S 7S 5S / AC TC 8C 5C / JK")
    assert (game.phase, game.seat, legal(game)) == ("name", 0, {"=D", "=H"})
    with pytest.raises(IllegalActionError) as caught:
        game.apply("=S")
    assert caught.value.rule == "R7.4"
    take(game, "=H")
    assert game.named == ["S", "C", "H"]


@pytest.mark.rule("R7.4")
def test_the_others_must_follow_the_named_suit() -> None:
    game = declare(LAYERED, "6NT", "4D 5D QS =- JK =C")
    for seat, clubs in ((1, {"JC", "TC"}), (2, {"8C", "9C"}), (3, {"5C", "6C", "7C"})):
        assert (game.seat, legal(game)) == (seat, clubs)
        game.apply(min(clubs))
    assert game.tricks == [1, 0, 0, 0]


@pytest.mark.rule("R7.4")
def test_a_suit_named_counts_as_led() -> None:
    """Named in the first trick, spades are among the suits led; so the joker of another hand could not name them.

    With two jokers the same hand shows it: JK names spades, then J2 may name the other three only.
    """
    deal = fill("JKJ2ASKSQSACKCADKDAH", pack="46")
    game = declare(deal, "6NT", " ".join(cards(deal.split()[4])) + " =- =- JK =S", pack="46")
    for _ in range(3):
        game.apply(game.legal()[0])
    take(game, "J2")
    assert legal(game) == {"=C", "=D", "=H"}


@pytest.mark.rule("R7.4")
def test_the_leader_need_not_hold_the_named_suit() -> None:
    """Seat 0 has spades and the joker only, and names hearts."""
    deal = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H"
    game = declare(deal, "6NT", "4D 4H 5S =- JK")
    assert legal(game) == {"=S", "=C", "=D", "=H"}
    take(game, "=H 5C 5D")
    assert legal(game) == set(cards("AHKHQHJHTH9H8H7H6H5H"))


@pytest.mark.rule("R7.5")
def test_after_all_four_suits_it_is_led_only_to_the_last_trick_and_names_any() -> None:
    """Four aces lead the four suits; at trick five the joker is not among the leads.

    Seat 0 goes on with KS KC KD KH QC, all winners, and leads the joker to the tenth trick with any name.
    """
    game = declare(LAYERED, "6NT", FOUR_SUITS)
    assert legal(game) == {"KS", "KC", "QC", "KD", "KH"}
    with pytest.raises(IllegalActionError) as caught:
        game.apply("JK")
    assert caught.value.rule == "R7.5"
    for card in ("KS", "KC", "KD", "KH", "QC"):
        take(game, card)
        while game.seat != 0:
            game.apply(game.legal()[0])
    assert legal(game) == {"JK"}
    assert legal(take(game, "JK")) == {"=S", "=C", "=D", "=H"}


@pytest.mark.rule("R7.5")
def test_before_the_fourth_suit_it_may_still_be_led() -> None:
    game = declare(LAYERED, "6NT", FOUR_SUITS.rsplit(" / ", 1)[0])
    assert "JK" in legal(game)
    assert legal(take(game, "JK")) == {"=H"}


@pytest.mark.rule("D8")
def test_the_last_trick_too_names_only_a_suit_not_yet_led() -> None:
    """Seat 0 puts AH KH 4D away and leads spades, clubs, diamonds; no heart is ever led.

    The others' diamonds are gone after AD KD and seat 2's 8D on the third spade, so 5D takes the ninth trick.
    """
    game = declare(LAYERED, "6NT", "AH KH 4D =- AS 9S 7S 5S / KS TS 8S 6S / QS JS 8D 4H / AC TC 8C 5C / KC JC 9C 6C")
    take(game, "QC TH 7H 7C / AD JD 9D 6D / KD QD TD 7D / 5D JH 9H 5H / JK")
    assert (game.phase, legal(game)) == ("name", {"=H"})


@pytest.mark.rule("R7.6")
def test_playing_it_and_naming_the_suit_are_two_actions_of_one_seat() -> None:
    game = declare(LAYERED, "6NT", "4D 5D QS =-")
    take(game, "JK")
    assert (game.phase, game.seat, game.trick) == ("name", 0, [(0, "JK")])
    take(game, "=D")
    assert (game.phase, game.seat) == ("play", 1)

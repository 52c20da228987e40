"""The option `joker_no_trumps`."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env import Game
from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import LAYERED, cards, declare, fill, legal, take

FOUR_ACES = "AS 9S 7S 5S / AC TC 8C 5C / AD JD 8D 6D / AH TH 7H 4H"
EVERY_NAME = {"=S", "=C", "=D", "=H"}
# Seat 3 has the joker and no club; seat 1 the clubs, which it leads once it has taken 5C.
VOID = fill(
    "5C6C7C4D5D6D4H5H6H5S", "ACKCQCJCTC9C8CAS7S8S", "KSQSJSTS9SKDQDJDTD6S", "JKADAHKHQHJHTH9H8H7D", kitty="7H8D9D"
)


def without_step(option: str, actions: str, deal: str = LAYERED, bid: str = "6NT") -> Game:
    """Discard 4D 5D QS of LAYERED (7H 8D 9D of VOID), no nomination, then act."""
    discards = "4D 5D QS" if deal is LAYERED else "7H 8D 9D"
    return declare(deal, bid, f"{discards} {actions}", misere_rank="above_sevens", joker_no_trumps=option)


@pytest.mark.rule("O.joker_no_trumps.nominate")
def test_nominate_has_the_step_and_the_limits_on_leading() -> None:
    game = without_step("nominate", "")
    assert (game.phase, legal(game)) == ("nominate", {*EVERY_NAME, "=-"})
    assert "JK" not in legal(take(game, f"=- {FOUR_ACES}"))


@pytest.mark.rule("O.joker_no_trumps.no_nomination")
def test_no_nomination_has_no_step_in_any_contract_without_trumps() -> None:
    for bid in ("6NT", "MIS", "OMIS"):
        game = without_step("no_nomination", "", bid=bid)
        assert (game.phase, game.seat, game.nominated) == ("play", 0, None)


@pytest.mark.rule("O.joker_no_trumps.no_nomination")
def test_no_nomination_keeps_the_rules_of_the_suitless_joker() -> None:
    """R7.4: after a spade three names are left. R7.5: after four suits it is not led. R7.3: misère compels."""
    assert legal(without_step("no_nomination", "AS 9S 7S 5S / JK")) == EVERY_NAME - {"=S"}
    assert "JK" not in legal(without_step("no_nomination", FOUR_ACES))
    assert legal(without_step("no_nomination", "5C AC", VOID, "MIS")) == {"JK"}


@pytest.mark.rule("O.joker_no_trumps.last_trick_lead")
def test_last_trick_lead_keeps_a_suitless_joker_from_every_earlier_lead() -> None:
    """Declined, it is no first lead and no later one; KS KC KD KH QC follow, and the tenth trick may be led with it."""
    game = without_step("last_trick_lead", "=-")
    assert legal(game) == set(game.hands[0]) - {"JK"}
    with pytest.raises(IllegalActionError) as caught:
        game.apply("JK")
    assert caught.value.rule == "O.joker_no_trumps.last_trick_lead"
    take(game, FOUR_ACES)
    for card in ("KS", "KC", "KD", "KH", "QC"):
        assert "JK" not in legal(game)
        take(game, card)
        while game.seat != 0:
            game.apply(game.legal()[0])
    assert legal(game) == {"JK"}
    assert legal(take(game, "JK")) == EVERY_NAME


@pytest.mark.rule("O.joker_no_trumps.last_trick_lead")
def test_last_trick_lead_still_nominates_and_throws() -> None:
    """Nominated it is led as its suit at once; suitless it may be thrown on another's lead."""
    game = without_step("last_trick_lead", "=S JK")
    assert (game.phase, game.named) == ("play", ["S"])
    game = without_step("last_trick_lead", "=- 5C AC KD", VOID)
    assert "JK" in legal(game)


@pytest.mark.rule("O.joker_no_trumps.free")
def test_free_has_no_step_and_leads_at_any_time_with_any_name() -> None:
    """At the first lead, and after four suits have been led, naming one that was led."""
    game = without_step("free", "")
    assert (game.phase, game.seat) == ("play", 0)
    assert "JK" in legal(game)
    game = without_step("free", FOUR_ACES)
    assert "JK" in legal(game)
    assert legal(take(game, "JK")) == EVERY_NAME
    take(game, "=S")
    assert legal(game) == {"TS", "JS"}


@pytest.mark.rule("O.joker_no_trumps.free")
@pytest.mark.rule("O.profile.wikipedia")
def test_free_changes_nothing_on_anothers_lead() -> None:
    """R7.1: it wins. R7.2: not while the hand can follow. R7.3: optional in no trumps, compulsory in misère."""
    thrown = without_step("free", "5C AC KD JK", VOID)
    assert thrown.tricks == [0, 0, 0, 1]
    assert legal(without_step("free", "4D AS KD", VOID)) == {"7D", "AD"}
    assert legal(without_step("free", "5C AC KD", VOID)) == set(cards("JKADAHKHQHJHTH9H8H7D"))
    assert legal(without_step("free", "5C AC", VOID, "MIS")) == {"JK"}


@pytest.mark.rule("O.joker_no_trumps.not_shown_void")
def test_not_shown_void_is_free_until_a_suit_is_missed() -> None:
    game = without_step("not_shown_void", FOUR_ACES)
    assert legal(take(game, "JK")) == EVERY_NAME
    assert "JK" in legal(without_step("not_shown_void", "5C AC KD", VOID))
    assert legal(without_step("not_shown_void", "5C AC", VOID, "MIS")) == {"JK"}


@pytest.mark.rule("O.joker_no_trumps.not_shown_void")
def test_not_shown_void_keeps_the_joker_from_a_suit_once_missed() -> None:
    """Seat 3 throws 7D on the first club; on the second it may throw anything but the joker."""
    game = without_step("not_shown_void", "5C AC KD 7D / KC QD", VOID)
    assert (game.seat, legal(game)) == (3, set(cards("ADAHKHQHJHTH9H8H")))
    with pytest.raises(IllegalActionError) as caught:
        game.apply("JK")
    assert caught.value.rule == "O.joker_no_trumps.not_shown_void"


@pytest.mark.rule("O.joker_no_trumps.not_shown_void")
def test_not_shown_void_lets_it_be_thrown_on_another_suit() -> None:
    """Seat 3, without spades too, threw 7D on a club; a spade led by seat 1 may take the joker."""
    game = without_step("not_shown_void", "5C AC KD 7D / AS 6S", VOID)
    assert "JK" in legal(game)


@pytest.mark.rule("O.joker_no_trumps.not_shown_void")
def test_not_shown_void_names_no_suit_once_missed() -> None:
    """Seat 3 misses a club and two spades, then takes a diamond with its ace: its joker may name red suits only."""
    game = without_step("not_shown_void", "5C AC KD 7D / AS 6S 8H 5S / 7S KS 9H 4D / QD AD 5D 9C", VOID)
    assert game.seat == 3
    take(game, "JK")
    assert legal(game) == {"=D", "=H"}
    with pytest.raises(IllegalActionError) as caught:
        game.apply("=C")
    assert caught.value.rule == "O.joker_no_trumps.not_shown_void"


@pytest.mark.rule("O.joker_no_trumps.not_shown_void")
def test_not_shown_void_frees_the_last_card_of_the_hand() -> None:
    """Seat 3 keeps the joker to the tenth trick, to which seat 1 leads its last club: it has to play it, and wins.

    Seat 1 takes 5C and leads its ten cards; seat 3 throws all but the joker on clubs and spades.
    """
    game = without_step("not_shown_void", "5C AC KD 7D", VOID)
    while len(game.hands[3]) > 1 or game.seat != 3:
        prefer = ["KC", "QC", "JC", "TC", "9C", "AS", "8S", "7S", "8C"] if game.seat == 1 else []
        playable = [card for card in game.legal() if card != "JK"]
        low = min(playable, key=lambda card: "456789TJQKA".index(card[0]))
        game.apply(next((card for card in prefer if card in playable), low))
    assert legal(game) == {"JK"}


TWO_VOID = fill(
    "5C6C7C4D5D6D4H5H6H7H", "ACKCQCJCTC9C8C4CAS7S", "KSQSJSTS9SKDQDJDTD6S", "JKJ2AHKHQHJHTH9H8HAD", pack="46"
)


def two_void(bid: str, actions: str) -> Game:
    """Give seat 3 both jokers and no club; seat 1 has eight clubs, with the ace of which it takes 5C."""
    rules: dict[str, Any] = {"pack": "46", "joker_no_trumps": "not_shown_void", "misere_rank": "above_sevens"}
    return declare(TWO_VOID, bid, f"{' '.join(cards(TWO_VOID.split()[4]))} {actions}", **rules)


@pytest.mark.rule("D9")
def test_not_shown_void_frees_a_hand_of_nothing_but_jokers() -> None:
    """Seat 1 leads AS and clubs from the king down; at the ninth trick seat 3 holds the jokers alone.

    4C is led, a suit that it has missed seven times: it may throw either.
    """
    game = two_void("6NT", "5C AC KD AD")
    for lead in ("AS", "KC", "QC", "JC", "TC", "9C", "8C", "4C"):
        take(game, lead)
        while game.seat != 3:
            game.apply(game.legal()[0])
        if lead == "4C":
            break
        while game.seat != 1 or game.trick:
            game.apply(next(card for card in game.legal() if card not in ("JK", "J2")))
    assert (game.seat, len(game.trick_history), legal(game)) == (3, 9, {"JK", "J2"})


@pytest.mark.rule("D9")
def test_throwing_a_joker_is_failing_to_follow() -> None:
    """Seat 3 throws J2 on a club and takes it; leading JK it may name anything but clubs."""
    assert legal(two_void("6NT", "5C AC KD J2 / JK")) == EVERY_NAME - {"=C"}
    assert legal(two_void("MIS", "5C AC")) == {"JK", "J2"}
    assert legal(two_void("MIS", "5C AC J2 / JK")) == EVERY_NAME - {"=C"}

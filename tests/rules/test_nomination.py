"""R5: the joker's suit, named before the first lead."""

from __future__ import annotations

import pytest

from five_hundred_env.agents.view import View
from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import SUITED, cards, declare, fill, legal, take

# Seat 0 has the joker and spades without the ace, seat 1 clubs and the ace of spades, seat 3 a void in spades.
HOLDER = "JKKSQS5C6C5D6D5H6HTH ASJSACKCQCAD9D8D7D4D TS9S8SJCTCKDQDAHKHQH 7C8C9CJDTDJH9H8H7H4H 7S6S5S"


@pytest.mark.rule("R5.1")
@pytest.mark.parametrize("bid", ["6NT", "10NT", "MIS", "OMIS"])
@pytest.mark.parametrize("name", ["=S", "=C", "=D", "=H", "=-"])
def test_a_contractor_with_the_joker_may_name_any_suit_or_none(bid: str, name: str) -> None:
    """In no trumps and both misères; a hand of spades and the joker may name any of the four suits."""
    game = declare(SUITED, bid, "4D 4H 5S", misere_rank="above_sevens")
    assert (game.phase, game.seat) == ("nominate", 0)
    assert legal(game) == {"=S", "=C", "=D", "=H", "=-"}
    take(game, name)
    assert (game.nominated, game.phase, game.seat) == (name, "play", 0)


@pytest.mark.rule("R5.1")
def test_a_suit_contract_has_no_nomination() -> None:
    game = declare(SUITED, "6S", "4D 4H 5S")
    assert (game.phase, game.nominated) == ("play", None)


@pytest.mark.rule("R5.1")
def test_the_nomination_comes_after_the_discard_and_before_the_first_lead() -> None:
    """A joker put away cannot be nominated any more."""
    game = declare(SUITED, "6NT", "JK 4D")
    assert game.phase == "discard"
    take(game, "4H")
    assert (game.phase, legal(game)) == ("nominate", {"=-"})
    assert take(game, "=-").trick == []


@pytest.mark.rule("R5.1")
@pytest.mark.rule("R11.1")
def test_a_nomination_is_public() -> None:
    game = declare(SUITED, "6NT", "4D 4H 5S =D")
    for seat in range(4):
        assert View.from_observation(game.observe(seat)["observation"]).nominations == (("JK", "=D"),)


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_is_the_highest_card_of_its_suit() -> None:
    """Seat 0 leads the joker as a spade: the ace of spades must follow and loses."""
    game = declare(HOLDER, "6NT", "7S 6S 5S =S JK")
    assert (game.phase, game.seat) == ("play", 1)
    assert legal(game) == {"AS", "JS"}
    take(game, "AS TS 7C")
    assert game.tricks == [1, 0, 0, 0]


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_must_follow_when_nothing_else_does() -> None:
    """Clubs are named; 5C and 6C are gone when seat 1 leads a third club: only the joker follows, and it wins.

    Seat 0 leads 5C to seat 1's ace; 6C falls on the king; the queen is led to the joker.
    """
    game = declare(HOLDER, "6NT", "7S 6S 5S =C 5C AC TC 7C / KC JC 8C 6C / QC TS 9C")
    assert (game.seat, legal(game)) == (0, {"JK"})
    take(game, "JK")
    assert game.tricks == [1, 2, 0, 0]


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_may_be_held_back_while_another_card_follows() -> None:
    """Seat 1 leads the king of clubs: seat 0 may follow with 6C or with the joker, a club."""
    game = declare(HOLDER, "6NT", "7S 6S 5S =C 5C AC TC 7C / KC JC 8C")
    assert (game.seat, legal(game)) == (0, {"6C", "JK"})


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_may_not_be_played_while_the_hand_can_follow_another_suit() -> None:
    """Hearts are named, seat 1 leads a diamond: seat 0 must follow with a diamond."""
    game = declare(HOLDER, "6NT", "7S 6S 5S =H 5C AC TC 7C / AD KD JD")
    assert (game.seat, legal(game)) == (0, {"5D", "6D"})
    with pytest.raises(IllegalActionError):
        game.apply("JK")


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_wins_nothing_off_its_suit() -> None:
    """Hearts are named; seat 0, out of clubs, throws the joker on seat 1's queen of clubs, which wins."""
    game = declare(HOLDER, "6NT", "7S 6S 5S =H 5C AC TC 7C / KC JC 8C 6C / QC TS 9C")
    assert legal(game) == {"JK", "KS", "QS", "5D", "6D", "5H", "6H", "TH"}
    take(game, "JK")
    assert game.tricks == [0, 3, 0, 0]


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_is_led_as_its_suit_at_any_time() -> None:
    """All four suits have been led, and it is not the last trick: a suitless joker could not be led (R7.5).

    Nominated, it is led as a spade though spades were led before, asks for no name, and draws spades.
    """
    deal = fill("JKASKSACKCADKDAHKH5S", "6S7S5C6C4D5D4H5HQCQD", "8S9S7C8C6D7D6H7HJCJD", "TSJS9CTC8D9D8H9HTDTH")
    game = declare(deal, "6NT", f"{' '.join(cards(deal.split()[4]))} =S")
    take(game, "AS 6S 8S TS / AC 5C 7C 9C / AD 4D 6D 8D / AH 4H 6H 8H")
    assert {"S", "C", "D", "H"} == set(game.named)
    assert legal(game) == {"JK", "KS", "KC", "KD", "KH", "5S"}
    take(game, "JK")
    assert (game.phase, game.seat, legal(game)) == ("play", 1, {"7S"})


@pytest.mark.rule("R5.3")
def test_a_joker_that_is_not_nominated_has_no_suit() -> None:
    """Declined, it may be thrown on seat 1's queen of clubs by a hand without clubs, and takes the trick."""
    game = declare(HOLDER, "6NT", "7S 6S 5S =- 5C AC TC 7C / KC JC 8C 6C / QC TS 9C")
    assert "JK" in legal(game)
    take(game, "JK")
    assert game.tricks == [1, 2, 0, 0]


@pytest.mark.rule("R5.3")
@pytest.mark.parametrize("contractor", [1, 2, 3])
def test_a_joker_in_another_hand_has_no_suit_the_partners_included(contractor: int) -> None:
    """Seat 0 has the joker and no hearts; whoever else is contractor, it wins on a heart led by the ace.

    The contractor has no joker, so the step offers nothing but `=-`.
    """
    hands = ["JKASKSACKCADKDQSQCQD"] + [""] * 3
    hands[contractor] = "AHKHQH5S6S5C6C5D6D4D"
    game = declare(fill(*hands), "6NT", seat=contractor)
    for card in game.kitty:
        game.apply(card)
    assert legal(game) == {"=-"}
    take(game, "=- AH")
    while game.seat != 0:
        game.apply(game.legal()[0])
    assert "JK" in legal(game)
    take(game, "JK")
    while len(game.trick_history) == 1 and game.trick:
        game.apply(game.legal()[0])
    assert game.tricks == [1, 0, 0, 0]


@pytest.mark.rule("R5.4")
@pytest.mark.parametrize("bid", ["6NT", "MIS", "OMIS"])
def test_without_the_joker_the_step_is_taken_all_the_same(bid: str) -> None:
    """Seat 0 has spades, the joker is with seat 1 (and 5C in the kitty): `=-` is the only legal action."""
    deal = SUITED.replace("5C", "xx").replace("JK", "5C").replace("xx", "JK")
    game = declare(deal, bid, "5C 4D 4H", misere_rank="above_sevens")
    assert (game.phase, legal(game)) == ("nominate", {"=-"})
    with pytest.raises(IllegalActionError) as caught:
        game.apply("=S")
    assert caught.value.rule == "R5.4"


@pytest.mark.rule("R5.4")
def test_declining_with_the_joker_looks_like_not_having_it() -> None:
    """Two deals in which seats 1 to 3 hold the same cards; seat 0 keeps the joker in one and puts it away in the other.

    Observations and masks of the other three are equal at each step until the joker is played.
    """
    keeps, lacks = declare(SUITED, "6NT", "4D 4H 5S"), declare(SUITED, "6NT", "4D 4H JK")
    for action in ["", "=-", "AS", "AC", "AD", "AH"]:
        if action:
            take(keeps, action)
            take(lacks, action)
        for seat in (1, 2, 3):
            one, other = keeps.observe(seat), lacks.observe(seat)
            assert (one["observation"] == other["observation"]).all()
            assert (one["action_mask"] == other["action_mask"]).all()

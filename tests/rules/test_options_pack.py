"""The option `pack`: a low four, all fours, two jokers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from five_hundred_env import Game
from tests.rules.helpers import cards, declare, duel, fill, legal, take

LOW_FOUR_TRUMPS = {
    "S": "JK JS JC AS KS QS TS 9S 8S 7S 6S 5S 4C",
    "C": "JK JC JS AC KC QC TC 9C 8C 7C 6C 5C 4C",
    "D": "JK JD JH AD KD QD TD 9D 8D 7D 6D 5D 4H",
    "H": "JK JH JD AH KH QH TH 9H 8H 7H 6H 5H 4H",
}
TWO_JOKER_TRUMPS = {
    "S": "JK J2 JS JC AS KS QS TS 9S 8S 7S 6S 5S 4S",
    "H": "JK J2 JH JD AH KH QH TH 9H 8H 7H 6H 5H 4H",
}


def pack(name: str) -> Counter[str]:
    """Count the ranks and suits of a dealt pack."""
    game = Game({"pack": name}, seed=3)
    dealt = [card for hand in game.hands for card in hand] + game.kitty
    assert len(set(dealt)) == len(dealt)
    return Counter({"cards": len(dealt), "kitty": len(game.kitty)}) + Counter(card[1] for card in dealt)


@pytest.mark.rule("O.pack.43-low-four")
def test_the_low_fours_are_one_black_and_one_red() -> None:
    """43 cards: eleven clubs and hearts, ten spades and diamonds, K of JK counted with the letter K."""
    assert pack("43-low-four") == {"cards": 43, "kitty": 3, "S": 10, "C": 11, "D": 10, "H": 11, "K": 1}
    game = Game({"pack": "43-low-four"}, seed=3)
    fours = {card for hand in [*game.hands, game.kitty] for card in hand if card[0] == "4"}
    assert fours == {"4C", "4H"}


@pytest.mark.rule("O.pack.43-low-four")
@pytest.mark.rule("D4")
@pytest.mark.parametrize("trumps", LOW_FOUR_TRUMPS)
def test_the_four_of_the_trumps_colour_is_the_lowest_trump(trumps: str) -> None:
    """4C below 5S in spades, 4H below 5D in diamonds; whichever of two neighbours is led, the higher one wins."""
    ladder = LOW_FOUR_TRUMPS[trumps]
    for higher, lower in pairwise(ladder.split()):
        assert duel(f"6{trumps}", ladder, led=lower, answer=higher, pack="43-low-four") == 1, (higher, lower)
        assert duel(f"6{trumps}", ladder, led=higher, answer=lower, pack="43-low-four") == 0, (higher, lower)


@pytest.mark.rule("O.pack.43-low-four")
def test_a_low_four_follows_trumps_and_takes_a_plain_trick() -> None:
    """Spades are trumps, seat 1 has 4C as its only trump: it must fall on 5S; as a club it need not be played.

    Where clubs are led by seat 0 and seat 1 has no other club, 4C trumps the ace.
    """
    own = "ASKSQSTS9S8S7S5SAC5C"
    with_club = fill(own, "4C6CADKDQDTDAHKHQHTH", kitty="JKJSJC", pack="43-low-four")
    assert legal(declare(with_club, "6S", "JK JS JC 5S", pack="43-low-four")) == {"4C"}
    assert legal(declare(with_club, "6S", "JK JS JC AC", pack="43-low-four")) == {"6C"}
    without = fill(own, "4CADKDQDTDAHKHQHTH9H", kitty="JKJSJC", pack="43-low-four")
    game = declare(without, "6S", "JK JS JC AC 4C", pack="43-low-four")
    take(game, next(card for card in game.legal() if card[1] == "C"))
    take(game, next(card for card in game.legal() if card[1] != "S"))
    assert game.tricks == [0, 1, 0, 0]


@pytest.mark.rule("O.pack.43-low-four")
def test_under_the_other_colour_or_without_trumps_a_low_four_is_a_plain_four() -> None:
    """In 6H and 6NT 4C is a club, below 5C."""
    ladder = "AC KC QC JC TC 9C 8C 7C 6C 5C 4C"
    for bid in ("6H", "6NT"):
        assert duel(bid, ladder, led="4C", answer="5C", pack="43-low-four") == 1
        assert duel(bid, ladder, led="5C", answer="4C", pack="43-low-four") == 0


@pytest.mark.rule("O.pack.45")
def test_the_pack_of_45_has_all_fours_and_five_discards() -> None:
    assert pack("45") == {"cards": 45, "kitty": 5, "S": 11, "C": 11, "D": 11, "H": 11, "K": 1}
    game = declare(fill("ASKSQSJSTS9S8S7S6S5S", kitty="JK4S4C4D4H", pack="45"), "7S", pack="45")
    assert len(legal(game)) == 15
    for card in ("4S", "4C", "4D", "4H"):
        assert game.phase == "discard"
        game.apply(card)
    assert game.phase == "discard"
    take(game, "JK")
    assert (game.phase, len(game.hands[0])) == ("play", 10)


@pytest.mark.rule("O.pack.45")
def test_a_black_four_of_the_pack_of_45_is_the_lowest_of_its_suit() -> None:
    ladder = "JK JS JC AS KS QS TS 9S 8S 7S 6S 5S 4S"
    assert duel("6S", ladder, led="4S", answer="5S", pack="45") == 1
    assert duel("6S", ladder, led="5S", answer="4S", pack="45") == 0


@pytest.mark.rule("O.pack.46")
def test_the_pack_of_46_has_two_jokers_and_six_discards() -> None:
    assert pack("46") == {"cards": 46, "kitty": 6, "S": 11, "C": 11, "D": 11, "H": 11, "K": 1, "2": 1}
    deal = fill("ASKSQSJSTS9S8S7S6S5S", kitty="JKJ24S4C4D4H", pack="46")
    game = declare(deal, "7S", "4S 4C 4D 4H 5S", pack="46")
    assert game.phase == "discard"
    take(game, "6S")
    assert (game.phase, len(game.hands[0])) == ("play", 10)


@pytest.mark.rule("O.pack.46-rank")
@pytest.mark.parametrize("trumps", TWO_JOKER_TRUMPS)
def test_with_trumps_the_jokers_are_the_two_highest(trumps: str) -> None:
    """JK beats J2, J2 beats the right bower, and so on down to the four."""
    ladder = TWO_JOKER_TRUMPS[trumps]
    for higher, lower in pairwise(ladder.split()):
        assert duel(f"6{trumps}", ladder, led=lower, answer=higher, pack="46") == 1, (higher, lower)
        assert duel(f"6{trumps}", ladder, led=higher, answer=lower, pack="46") == 0, (higher, lower)


def two_jokers(own: str, other: str, actions: str) -> Game:
    """Give seat 0 one joker and a single club, seat 2 the other joker and neither clubs nor spades; seat 0 has 6NT.

    Seat 1 has the high clubs and spades: it takes 5C with AC and leads what the actions say.
    """
    deal = fill(
        f"{own}5C5S6S7S5D6D7D5H6H",
        "ACKCQCJCASKSQSJSTC9C",
        f"{other}ADKDQDJDTDAHKHQHJH",
        kitty="8H9S9D9HTSTH",
        pack="46",
    )
    return declare(deal, "6NT", f"8H 9S 9D 9H TS TH {actions}", pack="46")


@pytest.mark.rule("D6")
@pytest.mark.rule("O.pack.46-rank")
@pytest.mark.parametrize(
    ("own", "other", "names", "trick", "winner"),
    [
        # Clubs are led and both jokers thrown, without a suit.
        ("JK", "J2", "=- =-", "KC J2 6C JK", 0),
        ("J2", "JK", "=- =-", "KC JK 6C J2", 2),
        # Seat 0's joker is a spade: thrown on a club it counts for nothing, and the other one wins.
        ("JK", "J2", "=S =-", "KC J2 6C JK", 2),
        ("J2", "JK", "=- =S", "KC JK 6C J2", 2),
        # On a spade it counts; J2 can not beat JK, nor JK fail to beat J2.
        ("JK", "J2", "=S =-", "AS J2 4S JK", 0),
        ("J2", "JK", "=- =S", "AS JK 4S J2", 2),
        # As a club it must follow the second club.
        ("JK", "J2", "=C =-", "KC J2 6C JK", 0),
        ("J2", "JK", "=- =C", "KC JK 6C J2", 2),
        # Where only one of them falls, J2 as well takes the trick.
        ("J2", "JK", "=- =-", "KC AD 6C J2", 0),
        ("JK", "J2", "=- =-", "KC J2 6C 5S", 2),
    ],
)
def test_of_two_jokers_on_one_trick_jk_wins_where_both_count(
    own: str, other: str, names: str, trick: str, winner: int
) -> None:
    game = two_jokers(own, other, f"{names} 5C AC QD 4C {trick}")
    expected = [0, 1, 0, 0]
    expected[winner] += 1
    assert game.tricks == expected


@pytest.mark.rule("D6")
@pytest.mark.parametrize(("own", "other", "winner"), [("JK", "J2", 0), ("J2", "JK", 2)])
def test_a_suitless_joker_that_is_led_may_be_met_by_the_other(own: str, other: str, winner: int) -> None:
    """Seat 0 leads its joker and names clubs; seat 2, void, throws the other one."""
    game = two_jokers(own, other, f"=- =- {own} =C AC {other} 4C")
    assert [seat for seat in range(4) if game.tricks[seat]] == [winner]


@pytest.mark.rule("O.pack.46-nominate")
@pytest.mark.rule("D5")
def test_the_jokers_are_nominated_one_after_the_other() -> None:
    """JK first; the suit it took is open to J2 as well, and then both are spades: only they follow a spade."""
    deal = fill("JKJ2AC5C5D6D7D5H6H7H", "ASKS", kitty="4S4C4D4H5S6S", pack="46")
    game = declare(deal, "6NT", "4S 4C 4D 4H 5S 6S", pack="46")
    every = {"=S", "=C", "=D", "=H", "=-"}
    assert (game.phase, game.seat, legal(game)) == ("nominate", 0, every)
    take(game, "=S")
    assert (game.phase, game.seat, legal(game)) == ("nominate", 0, every)
    take(game, "=S")
    assert game.nominations == {"JK": "=S", "J2": "=S"}
    take(game, "J2")
    assert (game.phase, game.named, game.seat) == ("play", ["S"], 1)
    assert all(card[1] == "S" for card in game.legal())


@pytest.mark.rule("O.pack.46-nominate")
def test_each_joker_has_a_step_of_its_own_held_or_not() -> None:
    """Seat 0 holds J2 only: the first step offers `=-`, the second every suit. The other way round likewise."""
    game = two_jokers("J2", "JK", "")
    assert legal(game) == {"=-"}
    assert legal(take(game, "=-")) == {"=S", "=C", "=D", "=H", "=-"}
    game = two_jokers("JK", "J2", "=H")
    assert (game.phase, legal(game)) == ("nominate", {"=-"})
    assert take(game, "=-").nominations == {"JK": "=H", "J2": "=-"}


TOPS = fill("JKJ2ASKSACKCADKDAHKH", pack="46")
ALL_SUITS_LED = ("AS", "AC", "AD", "AH")


def lead_out(game: Game, leads: tuple[str, ...]) -> Game:
    """Lead winners from seat 0, the others playing their first legal card."""
    for card in leads:
        game.apply(card)
        while game.seat != 0:
            game.apply(game.legal()[0])
    return game


@pytest.mark.rule("O.pack.46-last")
@pytest.mark.rule("D7")
@pytest.mark.parametrize("option", ["nominate", "no_nomination", "last_trick_lead"])
def test_a_hand_of_nothing_but_jokers_may_lead_one(option: str) -> None:
    """All suits are led by four aces; beside KH the jokers stay in hand, at the ninth trick they are all there is."""
    names = "" if option == "no_nomination" else " =- =-"
    game = declare(TOPS, "6NT", " ".join(cards(TOPS.split()[4])) + names, pack="46", joker_no_trumps=option)
    lead_out(game, (*ALL_SUITS_LED, "KS", "KC", "KD"))
    assert legal(game) == {"KH"}
    lead_out(game, ("KH",))
    assert legal(game) == {"JK", "J2"}
    assert legal(take(game, "J2")) == {"=S", "=C", "=D", "=H"}
    take(game, "=C")
    while game.seat != 0:
        game.apply(game.legal()[0])
    assert legal(take(game, "JK")) == {"=S", "=C", "=D", "=H"}

"""R1: which cards there are and how they rank."""

from __future__ import annotations

from itertools import pairwise

import pytest

from five_hundred_env import Game
from five_hundred_env.errors import NotationError
from tests.rules.helpers import SUITED, cards, declare, duel, fill, legal, start, take

TRUMPS = {
    "S": "JK JS JC AS KS QS TS 9S 8S 7S 6S 5S",
    "C": "JK JC JS AC KC QC TC 9C 8C 7C 6C 5C",
    "D": "JK JD JH AD KD QD TD 9D 8D 7D 6D 5D 4D",
    "H": "JK JH JD AH KH QH TH 9H 8H 7H 6H 5H 4H",
}
PLAIN = {
    # Trumps of the other colour leave all eleven or ten cards in a suit, those of the same colour take its jack.
    ("6H", "S"): "AS KS QS JS TS 9S 8S 7S 6S 5S",
    ("6D", "C"): "AC KC QC JC TC 9C 8C 7C 6C 5C",
    ("6S", "D"): "AD KD QD JD TD 9D 8D 7D 6D 5D 4D",
    ("6C", "H"): "AH KH QH JH TH 9H 8H 7H 6H 5H 4H",
    ("6C", "S"): "AS KS QS TS 9S 8S 7S 6S 5S",
    ("6S", "C"): "AC KC QC TC 9C 8C 7C 6C 5C",
    ("6H", "D"): "AD KD QD TD 9D 8D 7D 6D 5D 4D",
    ("6D", "H"): "AH KH QH TH 9H 8H 7H 6H 5H 4H",
    ("6NT", "S"): "AS KS QS JS TS 9S 8S 7S 6S 5S",
    ("6NT", "C"): "AC KC QC JC TC 9C 8C 7C 6C 5C",
    ("6NT", "D"): "AD KD QD JD TD 9D 8D 7D 6D 5D 4D",
    ("6NT", "H"): "AH KH QH JH TH 9H 8H 7H 6H 5H 4H",
}


@pytest.mark.rule("R1.1")
@pytest.mark.rule("O.pack.43")
def test_the_pack_has_43_cards() -> None:
    """Ten spades, ten clubs, eleven diamonds, eleven hearts and the joker; no black four."""
    game = Game(seed=5)
    dealt = [card for hand in game.hands for card in hand] + game.kitty
    red = [rank + suit for rank in "AKQJT987654" for suit in "DH"]
    black = [rank + suit for rank in "AKQJT98765" for suit in "SC"]
    assert sorted(dealt) == sorted([*red, *black, "JK"])
    assert len(dealt) == 43


@pytest.mark.rule("R1.1")
@pytest.mark.parametrize("foreign", ["4S", "4C", "J2"])
def test_black_fours_and_a_second_joker_are_not_in_the_pack(foreign: str) -> None:
    with pytest.raises(NotationError, match=rf"{foreign}.*R1\.1"):
        start(SUITED.replace("4H", foreign))


@pytest.mark.rule("R1.2")
@pytest.mark.parametrize("trumps", TRUMPS)
def test_trumps_rank_joker_right_bower_left_bower_ace_and_down(trumps: str) -> None:
    """Each card of the ladder beats the next one, whichever of the two was led."""
    for higher, lower in pairwise(TRUMPS[trumps].split()):
        assert duel(f"6{trumps}", TRUMPS[trumps], led=lower, answer=higher) == 1, (higher, lower)
        assert duel(f"6{trumps}", TRUMPS[trumps], led=higher, answer=lower) == 0, (higher, lower)


@pytest.mark.rule("R1.4")
@pytest.mark.parametrize(("bid", "suit"), PLAIN)
def test_a_plain_suit_ranks_ace_king_queen_jack_and_down(bid: str, suit: str) -> None:
    """Without trumps every suit is plain; the jack is above the ten, no bower."""
    for higher, lower in pairwise(PLAIN[bid, suit].split()):
        assert duel(bid, PLAIN[bid, suit], led=lower, answer=higher) == 1, (higher, lower)
        assert duel(bid, PLAIN[bid, suit], led=higher, answer=lower) == 0, (higher, lower)


# Seat 0 has JD and KD beside hearts; seat 1 one heart, JC and diamonds.
BOWERS = fill("AHKHQHJHTH9HKDJDAS5S", "8H4DQDJCACKC5C6C7C8C", "7H6HADTD9D8D7D6D5DKS", kitty="5H4HJK")


@pytest.mark.rule("R1.3")
def test_the_left_bower_must_follow_trumps() -> None:
    """Hearts are trumps, seat 0 leads 4H: seat 1 has no heart but the jack of diamonds, so it must play that."""
    deal = fill("AHKHQHTH9H8HKDAS5S6S", "JDADQDJCACKC5C6C7C8C", "7H6H5HTD9D8D7D6D5DKS", "JH", kitty="JK4D4H")
    game = declare(deal, "6H", "JK 4D 5S 4H")
    assert legal(game) == {"JD"}


@pytest.mark.rule("R1.3")
def test_the_left_bower_does_not_follow_its_printed_suit() -> None:
    """Hearts are trumps, seat 0 leads 5D: JD may not be played beside 9D, and need not be played without it."""
    own = "AHKHQHJHTH9H8H7H5D6D"
    beside = fill(own, "JD9DACKCQC5C6C7C8C9C", kitty="JK4D4H")
    assert legal(declare(beside, "6H", "JK 4D 4H 5D")) == {"9D"}
    alone = fill(own, "JDACKCQC5C6C7C8C9CTC", kitty="JK4D4H")
    assert legal(declare(alone, "6H", "JK 4D 4H 5D")) == set(cards("JDACKCQC5C6C7C8C9CTC"))


@pytest.mark.rule("R1.3")
def test_leading_the_left_bower_is_leading_trumps() -> None:
    """Seat 0 leads JD under hearts: seat 1 has diamonds and one heart, and the heart is what follows."""
    game = declare(BOWERS, "6H", "JK 5H 4H JD")
    assert legal(game) == {"8H"}
    assert legal(take(game, "8H")) == {"7H", "6H"}


@pytest.mark.rule("R1.3")
@pytest.mark.rule("R1.4")
def test_without_trumps_there_are_no_bowers() -> None:
    """In 6NT the same JD is a diamond: seat 1 follows with diamonds, and the queen beats it."""
    game = declare(BOWERS, "6NT", "JK 5H 4H =- JD")
    assert legal(game) == {"4D", "QD"}
    take(game, "QD 5D")
    game.apply(game.legal()[0])
    assert game.tricks == [0, 1, 0, 0]


@pytest.mark.rule("R1.4")
def test_bowers_exist_only_in_suit_contracts_misere_included() -> None:
    """In misère the jack of spades lies between ten and queen: QS takes it."""
    deal = fill("JSTS5C6C7C4D5D6D4H5H", "QS", "AS", "5S", kitty="6H7HJK")
    game = declare(deal, "MIS", "6H 7H JK =- JS QS 5S", misere_rank="above_sevens")
    assert game.tricks == [0, 1, 0, 0]

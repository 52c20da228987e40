"""Cards: their ids, the suit they belong to under a contract, and how high they rank.

Ids run 4 5 6 7 8 9 T J Q K A in each of S C D H, then JK and J2: `id = 11 * suit + rank`.

Rules: R1.1, R1.2, R1.3, R1.4, O.pack.*, D12.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import small_kernel
from five_hundred_env.core.constants import (
    CARDS,
    FOUR,
    J2,
    JACK,
    JK,
    NO_TRUMPS,
    RANK_LETTERS,
    RANKS,
    SEATS,
    STRAINS,
    SUIT_LETTERS,
    SUITS,
    TRICKS,
)
from five_hundred_env.core.state import LED, NOMINATED, RULE_PACK, STRAIN

Row = npt.NDArray[np.int64]

CARD_NAMES = (*(r + s for s in SUIT_LETTERS for r in RANK_LETTERS), "JK", "J2")
CARD_IDS = {name: card for card, name in enumerate(CARD_NAMES)}

SAME_COLOUR = (1, 0, 3, 2)
"""The other suit of a suit's colour: ♠ and ♣ are black, ♦ and ♥ red."""

LOW_FOUR = 1
"""Code of the pack whose single four of a colour is a trump of both its suits."""

JOKERS = 3 << JK
ALL_CARDS = (1 << CARDS) - 1

# Trick power: a plain card 1-11, a trump 21-31, left bower 32, right bower 33, J2 34, JK 35.
TRUMP_POWER, LEFT_POWER, RIGHT_POWER, J2_POWER, JK_POWER = 21, 32, 33, 34, 35


def _place(card: int, strain: int, low_four: bool) -> tuple[int, int]:
    """Return the effective suit (-1 for a joker without trumps) and the trick power of a card."""
    if card >= JK:
        return (strain if strain < SUITS else -1), (JK_POWER if card == JK else J2_POWER)
    suit, rank = divmod(card, RANKS)
    if strain == NO_TRUMPS:
        return suit, rank + 1
    if suit == SAME_COLOUR[strain]:
        if rank == JACK:
            return strain, LEFT_POWER
        if low_four and rank == FOUR:
            return strain, TRUMP_POWER
    if suit == strain:
        return suit, RIGHT_POWER if rank == JACK else TRUMP_POWER + rank
    return suit, rank + 1


def _tables() -> tuple[Row, Row, Row]:
    """Build the effective suits, the powers and the cards of a suit, by low four and strain."""
    effective = np.full((2, STRAINS, CARDS), -1, np.int64)
    power = np.zeros((2, STRAINS, CARDS), np.int64)
    members = np.zeros((2, STRAINS, SUITS), np.int64)
    for low in range(2):
        for strain in range(STRAINS):
            for card in range(CARDS):
                suit, height = _place(card, strain, bool(low))
                effective[low, strain, card] = suit
                power[low, strain, card] = height
                if suit >= 0:
                    members[low, strain, suit] |= 1 << card
    return effective, power, members


EFFECTIVE, POWER, MEMBERS = _tables()
"""`[2, strain, card]` effective suit and trick power; `[2, strain, suit]` mask of the cards that follow."""

_MISSING = {"43": ("4S", "4C"), "43-low-four": ("4S", "4D"), "45": (), "46": ()}
SHORT_RANKS = {"5": "J", "9": "JA", "13": "JKA", "17": "JQKA"}
"""The ranks that each suit of a short pack keeps; a hand has as many cards as there are ranks (D12)."""
PACK_NAMES = (*_MISSING, *SHORT_RANKS)


def _pack_cards(name: str) -> int:
    """Return the cards of a pack, a mask."""
    if name in SHORT_RANKS:
        return sum(1 << CARD_IDS[rank + suit] for suit in SUIT_LETTERS for rank in SHORT_RANKS[name]) | 1 << JK
    return (ALL_CARDS & ~(0 if name == "46" else 1 << J2)) & ~sum(1 << CARD_IDS[card] for card in _MISSING[name])


PACK_CARDS = tuple(_pack_cards(name) for name in PACK_NAMES)
HAND_SIZES = tuple(len(SHORT_RANKS[name]) if name in SHORT_RANKS else TRICKS for name in PACK_NAMES)
KITTY_SIZES = tuple(cards.bit_count() - size * SEATS for cards, size in zip(PACK_CARDS, HAND_SIZES, strict=True))


@small_kernel
def suit_cards(row: Row, suit: int) -> int:
    """Return the mask of all cards that belong to `suit` under the contract of `row`.

    Rules: R1.2, R1.3, R5.2.
    """
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    mask = int(MEMBERS[low, int(row[STRAIN]), suit])
    if int(row[NOMINATED]) == suit:
        mask |= 1 << JK
    if int(row[NOMINATED + 1]) == suit:
        mask |= 1 << J2
    return mask


@small_kernel
def effective_suit(row: Row, card: int) -> int:
    """Return the suit that a card belongs to under the contract of `row`, -1 for a suitless joker.

    Rules: R1.3, R5.2, R5.3.
    """
    strain = int(row[STRAIN])
    if card >= JK and strain == NO_TRUMPS:
        suit = int(row[NOMINATED + card - JK])
        return suit if suit < SUITS else -1
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    return int(EFFECTIVE[low, strain, card])


@small_kernel
def trick_power(row: Row, card: int) -> int:
    """Return how high a card stands in the running trick; 0 when it can not take it.

    Rules: R1.2, R1.4, R5.2, R6.3, R7.1, O.pack.46.
    """
    strain = int(row[STRAIN])
    led = int(row[LED])
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    power = int(POWER[low, strain, card])
    suit = effective_suit(row, card)
    if suit < 0 or suit == led or suit == strain:
        return power
    return 0


@small_kernel
def suitless_jokers(row: Row) -> int:
    """Return the mask of the jokers that belong to no suit under the contract of `row`.

    Rules: R5.3.
    """
    if int(row[STRAIN]) != NO_TRUMPS:
        return 0
    mask = 0
    for joker in range(2):
        suit = int(row[NOMINATED + joker])
        if suit < 0 or suit >= SUITS:
            mask |= 1 << (JK + joker)
    return mask

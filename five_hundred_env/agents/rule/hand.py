"""What a hand is worth: expected tricks in a strain, and how dangerous it is in a misère.

The values of `expected_tricks` were fitted on 25,000 deals solved with open cards: they predict the tricks of the
holder's side when the holder is the contractor, from the ten cards before the kitty is seen.
"""

from __future__ import annotations

import numpy as np

from five_hundred_env.core._jit import highest, kernel, popcount
from five_hundred_env.core.cards import JOKERS, LEFT_POWER, MEMBERS, POWER, RIGHT_POWER, TRUMP_POWER
from five_hundred_env.core.constants import ACE, KING, NO_TRUMPS, QUEEN, RANKS, SUITS

SUIT_BASE, SUIT_TRUMP, SUIT_JOKER, SUIT_RIGHT, SUIT_LEFT = 3.37, 0.50, 1.06, 0.76, 0.46
SUIT_TRUMP_ACE, SUIT_TRUMP_KING, SUIT_TRUMP_QUEEN = 0.31, 0.12, 0.08
SUIT_ACE, SUIT_KING, SUIT_QUEEN, SUIT_VOID, SUIT_SINGLETON = 0.68, 0.17, 0.09, 0.27, 0.12

NT_BASE, NT_JOKER, NT_ACE, NT_KING, NT_QUEEN = 3.46, 2.27, 1.10, 0.48, 0.25
NT_VOID, NT_SINGLETON, NT_LONGEST = 0.19, 0.12, 0.08


@kernel
def _suit_tricks(hand: int, trump: int, low_four: int) -> float:
    """Return the tricks expected with trumps."""
    trumps = hand & int(MEMBERS[low_four, trump, trump])
    value = SUIT_BASE + SUIT_TRUMP * popcount(trumps) + SUIT_JOKER * popcount(hand & JOKERS)
    rest = trumps & ~JOKERS
    while rest:
        card = highest(rest)
        rest ^= 1 << card
        power = int(POWER[low_four, trump, card])
        if power == RIGHT_POWER:
            value += SUIT_RIGHT
        elif power == LEFT_POWER:
            value += SUIT_LEFT
        elif power == TRUMP_POWER + ACE:
            value += SUIT_TRUMP_ACE
        elif power == TRUMP_POWER + KING:
            value += SUIT_TRUMP_KING
        elif power == TRUMP_POWER + QUEEN:
            value += SUIT_TRUMP_QUEEN
    for suit in range(SUITS):
        if suit != trump:
            cards = (hand & int(MEMBERS[low_four, trump, suit])) >> (RANKS * suit)
            count = popcount(cards)
            if count == 0:
                value += SUIT_VOID
            elif count == 1:
                value += SUIT_SINGLETON
            value += SUIT_ACE * (cards >> ACE & 1)
            if count > 1:
                value += SUIT_KING * (cards >> KING & 1)
            if count > 2:
                value += SUIT_QUEEN * (cards >> QUEEN & 1)
    return value


@kernel
def _no_trump_tricks(hand: int) -> float:
    """Return the tricks expected without trumps."""
    value = NT_BASE + NT_JOKER * popcount(hand & JOKERS)
    longest = 0
    for suit in range(SUITS):
        cards = (hand & int(MEMBERS[0, NO_TRUMPS, suit])) >> (RANKS * suit)
        count = popcount(cards)
        longest = max(longest, count)
        if count == 0:
            value += NT_VOID
        elif count == 1:
            value += NT_SINGLETON
        value += NT_ACE * (cards >> ACE & 1)
        if count > 1:
            value += NT_KING * (cards >> KING & 1)
        if count > 2:
            value += NT_QUEEN * (cards >> QUEEN & 1)
    return value + NT_LONGEST * longest


@kernel
def expected_tricks(hand: int, strain: int, low_four: int) -> float:
    """Return the tricks that the holder's side may expect as contractor, the kitty not counted.

    Args:
        hand: Mask of the cards held.
        strain: Suit of trumps, or `NO_TRUMPS`.
        low_four: 1 with the pack whose fours are trumps of both suits of a colour.
    """
    if strain == NO_TRUMPS:
        return _no_trump_tricks(hand)
    return _suit_tricks(hand, strain, low_four)


# By how many own cards of the suit are lower (0, 1, 2, 3 or more), and how many of the others' are.
MISERE_RISK = np.array(
    [
        [0.0, 0.05, 0.70, 1.35, 2.05, 2.85, 3.20, 3.50, 3.80, 4.10, 4.40],
        [0.0, 0.15, 0.35, 0.58, 0.95, 2.15, 2.80, 3.10, 3.40, 3.70, 4.00],
        [0.0, 0.10, 0.20, 0.30, 0.44, 0.58, 0.75, 1.00, 1.50, 1.80, 2.00],
        [0.0, 0.04, 0.07, 0.09, 0.11, 0.15, 0.22, 0.32, 0.40, 0.50, 0.60],
    ]
)
"""Fitted on misères played by this agent, in units of log odds of failing."""
MISERE_JOKER = 3.0


@kernel
def suit_danger(cards: int, others: int) -> float:
    """Return how likely one suit of a misère hand is to take a trick, in units of log odds.

    Args:
        cards: Mask of the ranks held.
        others: Mask of the ranks that others may hold.
    """
    danger = 0.0
    n = 0
    while cards:
        bit = cards & -cards
        cards ^= bit
        danger += float(MISERE_RISK[n, popcount(others & (bit - 1))])
        if n < 3:
            n += 1
    return danger


@kernel
def suit_pressure(cards: int, others: int) -> float:
    """Return how promising it is to attack a suit of a misère hand that lies open.

    The n-th lowest card has to go under in the n-th round: it is in danger when the defenders hold enough lower
    cards to go below it once more than before.

    Args:
        cards: Mask of the ranks held.
        others: Mask of the ranks that others may hold.
    """
    pressure = 0.0
    n = 0
    while cards:
        bit = cards & -cards
        cards ^= bit
        below = popcount(others & (bit - 1))
        above = popcount(others) - below
        excess = below - 2 * n
        if below > 0 and excess > 0:
            pressure += excess * excess / (1.0 + above)
        elif below > 0 and above == 0:
            pressure += 0.5
        n += 1
    return pressure


@kernel
def misere_danger(hand: int, pack: int) -> float:
    """Return how dangerous a hand is in a misère, in units of log odds; 0 for one that can not take a trick.

    Args:
        hand: Mask of the cards held.
        pack: Mask of the cards that may be in play.
    """
    danger = MISERE_JOKER * popcount(hand & JOKERS)
    for suit in range(SUITS):
        members = int(MEMBERS[0, NO_TRUMPS, suit])
        cards = (hand & members) >> (RANKS * suit)
        danger += suit_danger(cards, (pack & members & ~hand) >> (RANKS * suit))
    return danger

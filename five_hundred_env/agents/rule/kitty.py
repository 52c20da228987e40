"""What `rule` puts away, and which suit it gives its joker."""

from __future__ import annotations

from five_hundred_env.agents.rule.hand import expected_tricks, misere_danger
from five_hundred_env.agents.rule.knowledge import height, low_fours
from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.cards import MEMBERS, Row
from five_hundred_env.core.constants import ACE, NO_TRUMPS, RANKS, SUITS
from five_hundred_env.core.play import is_misere
from five_hundred_env.core.state import DISCARDS, DISCARDS_LEFT, HAND, RULE_CARDS, STRAIN

CANDIDATES, CANDIDATES_OF_MORE = 13, 10
"""Cards among which sets of up to three, and of more, are compared: at most 286 sets."""
HEIGHT = 0.004
"""Tricks that a step of a card's height is worth, to choose between hands of equal value."""


@kernel
def _worth(view: Row, hand: int) -> float:
    """Return what a hand is worth under the contract, higher is better."""
    pack = int(view[RULE_CARDS])
    if is_misere(view):
        return -misere_danger(hand, pack & ~int(view[DISCARDS]))
    value = expected_tricks(hand, int(view[STRAIN]), low_fours(view))
    # Small change that breaks ties: keep what is higher.
    rest = hand
    heights = 0
    while rest:
        heights += int(height(view, lowest(rest)))
        rest &= rest - 1
    return value + HEIGHT * heights


@kernel
def _candidates(view: Row, legal: int, left: int) -> int:
    """Return the cards to choose from: all, or the lowest where there would be too many ways."""
    most = CANDIDATES if left <= 3 else CANDIDATES_OF_MORE
    while popcount(legal) > most:
        best = -1
        rest = legal
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if best < 0 or _rank(view, card) > _rank(view, best):
                best = card
        legal ^= 1 << best
    return legal


@kernel
def _rank(view: Row, card: int) -> int:
    """Return how high a card stands; in a misère its low cards count as high."""
    value = height(view, card)
    return -value if is_misere(view) else value


@kernel
def choose_discard(view: Row, legal: int) -> int:
    """Return the first card of the best set to put away, all sets compared."""
    left = int(view[DISCARDS_LEFT])
    cards = _candidates(view, legal, left)
    hand = int(view[HAND])
    best = -1.0e9
    best_set = 0
    # Every subset of `cards` of the wanted size: masks over the candidates, by Gosper's rule.
    count = popcount(cards)
    chosen = (1 << left) - 1
    while chosen < 1 << count:
        away = _spread(cards, chosen)
        value = _worth(view, hand & ~away)
        if value > best:
            best = value
            best_set = away
        low = chosen & -chosen
        ripple = chosen + low
        chosen = ripple | ((chosen ^ ripple) >> 2) // low
    return lowest(best_set)


@kernel
def _spread(cards: int, chosen: int) -> int:
    """Return those of some cards whose position, from the lowest, is chosen."""
    away = 0
    while chosen:
        bit = cards & -cards
        cards ^= bit
        if chosen & 1:
            away |= bit
        chosen >>= 1
    return away


@kernel
def choose_nomination(view: Row, legal: int) -> int:
    """Return the suit that the joker is given, as a bit of `legal`.

    Where tricks are wanted the longest suit, better without its ace; in a misère the one with the lowest cards.
    """
    best = SUITS
    worth = -1.0e9
    for suit in range(SUITS):
        if legal >> suit & 1:
            members = int(MEMBERS[0, NO_TRUMPS, suit])
            cards = (int(view[HAND]) & members) >> (RANKS * suit)
            count = popcount(cards)
            if is_misere(view):
                value = 0.0
                while cards:
                    value += 6.0 - lowest(cards)
                    cards &= cards - 1
            else:
                value = count + (0.0 if cards >> ACE & 1 else 0.7)
            if value > worth:
                worth = value
                best = suit
    return best


@kernel
def choose_name(view: Row, legal: int) -> int:
    """Return the suit that a suitless joker just led names, as a bit of `legal`: the longest, with the ace."""
    best = lowest(legal)
    worth = -1.0e9
    for suit in range(SUITS):
        if legal >> suit & 1:
            members = int(MEMBERS[0, NO_TRUMPS, suit])
            cards = (int(view[HAND]) & members) >> (RANKS * suit)
            value = 1.0 * popcount(cards) + (0.0 if cards >> ACE & 1 else 0.5)
            if value > worth:
                worth = value
                best = suit
    return best

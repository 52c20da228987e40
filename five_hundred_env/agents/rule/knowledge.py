"""What a seat can work out from what it has seen: cards still out, who may hold them, which cards beat which.

All of it is sets of cards, masks with bit = card id, so that a question is a few operations.
"""

from __future__ import annotations

import numpy as np

from five_hundred_env.core._jit import kernel, lowest
from five_hundred_env.core.cards import (
    EFFECTIVE,
    JOKERS,
    LOW_FOUR,
    MEMBERS,
    POWER,
    Row,
    effective_suit,
    suit_cards,
    suitless_jokers,
)
from five_hundred_env.core.constants import CARDS, J2, JK, NO_TRUMPS, SEATS, STRAINS, SUITS
from five_hundred_env.core.play import exposed_seat, idle_seat, voids_shown
from five_hundred_env.core.state import (
    DISCARDS,
    HAND,
    NOMINATED,
    PLAYED,
    RULE_CARDS,
    RULE_PACK,
    STRAIN,
    TRICK,
)

SELF, LEFT, PARTNER, RIGHT = range(4)


def _higher() -> Row:
    """Return `[2, strain, card]` the cards of a card's suit that stand above it."""
    higher = np.zeros((2, STRAINS, CARDS), np.int64)
    for low in range(2):
        for strain in range(STRAINS):
            for card in range(CARDS):
                for other in range(CARDS):
                    same = EFFECTIVE[low, strain, card] == EFFECTIVE[low, strain, other]
                    if same and POWER[low, strain, other] > POWER[low, strain, card]:
                        higher[low, strain, card] |= 1 << other
    return higher


HIGHER = _higher()


@kernel
def low_fours(view: Row) -> int:
    """Return 1 with the pack whose fours are trumps of both suits of a colour, else 0."""
    return 1 if int(view[RULE_PACK]) == LOW_FOUR else 0


@kernel
def cards_out(view: Row) -> int:
    """Return the cards that this seat has not seen: in other hands, or put away by the contractor."""
    seen = int(view[HAND]) | int(view[DISCARDS])
    for seat in range(SEATS):
        seen |= int(view[PLAYED + seat])
    return int(view[RULE_CARDS]) & ~seen


@kernel
def may_hold(view: Row, seat: int, out: int) -> int:
    """Return those of the unseen cards that another seat may hold."""
    if seat == idle_seat(view):
        return 0
    if seat == exposed_seat(view):
        return int(view[HAND + seat])
    voids = voids_shown(view, seat)
    if voids:
        for suit in range(SUITS):
            if voids >> suit & 1:
                out &= ~suit_cards(view, suit)
    return out


@kernel
def height(view: Row, card: int) -> int:
    """Return how high a card stands in its own suit under the contract."""
    return int(POWER[low_fours(view), int(view[STRAIN]), card])


@kernel
def higher(view: Row, card: int) -> int:
    """Return the cards that belong to the suit of a card and stand above it."""
    if int(view[STRAIN]) != NO_TRUMPS:
        return int(HIGHER[low_fours(view), int(view[STRAIN]), card])
    suit = effective_suit(view, card)
    if card == JK:
        return 0
    above = 0
    if suit >= 0:
        if int(view[NOMINATED]) == suit:
            above |= 1 << JK
        if card < JK:
            if int(view[NOMINATED + 1]) == suit:
                above |= 1 << J2
            above |= int(HIGHER[0, NO_TRUMPS, card]) & ~JOKERS
    return above


@kernel
def beaters(view: Row, card: int) -> int:
    """Return the cards that would beat a card which stands highest in the running trick."""
    strain = int(view[STRAIN])
    above = higher(view, card)
    if strain != NO_TRUMPS:
        trumps = int(MEMBERS[low_fours(view), strain, strain])
        return above if trumps >> card & 1 else above | trumps
    loose = suitless_jokers(view)
    if loose >> card & 1:
        return loose & ~(1 << card) if card == J2 else 0
    return above | loose


@kernel
def seats_to_come(view: Row) -> int:
    """Return the seats that play to the running trick after this one, a mask."""
    idle = idle_seat(view)
    seats = 0
    for seat in range(1, SEATS):
        if seat != idle:
            if int(view[TRICK + seat]) >= 0:
                break
            seats |= 1 << seat
    return seats


@kernel
def threat(view: Row, card: int, led: int, out: int, seats: int) -> int:
    """Return how some seats may beat a card that stands highest when `led` is the suit led.

    Returns:
        0 when they can not, 1 when only a void not yet shown would let them, 2 when nothing speaks against it.
    """
    above = beaters(view, card)
    follow = suit_cards(view, led)
    worst = 0
    for seat in range(1, SEATS):
        if seats >> seat & 1:
            held = may_hold(view, seat, out)
            if held & follow & above:
                return 2
            if held & above:
                if held & follow == 0:
                    return 2
                worst = 1
    return worst


@kernel
def lowest_of(view: Row, cards: int) -> int:
    """Return the card that stands lowest in its own suit; of equals the first by id."""
    best = lowest(cards)
    rest = cards & (cards - 1)
    low = height(view, best)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if height(view, card) < low:
            low = height(view, card)
            best = card
    return best


@kernel
def highest_of(view: Row, cards: int) -> int:
    """Return the card that stands highest in its own suit; of equals the first by id."""
    best = lowest(cards)
    rest = cards & (cards - 1)
    high = height(view, best)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if height(view, card) > high:
            high = height(view, card)
            best = card
    return best

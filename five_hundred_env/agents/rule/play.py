"""How `rule` plays its cards where tricks are wanted: with trumps, without, and when all have passed.

Leads and cards to throw are chosen by points for each card, the highest lead and the lowest throw winning. The
numbers are measured: each was moved until deals played with it against the others gained nothing more.
"""

from __future__ import annotations

from five_hundred_env.agents.rule.knowledge import (
    LEFT,
    PARTNER,
    RIGHT,
    SELF,
    beaters,
    cards_out,
    height,
    higher,
    highest_of,
    lowest_of,
    may_hold,
    seats_to_come,
    threat,
)
from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.cards import JOKERS, Row, effective_suit, suit_cards
from five_hundred_env.core.constants import NO_TRUMPS
from five_hundred_env.core.play import trick_winner, tricks_left
from five_hundred_env.core.state import (
    BIDDER,
    HAND,
    LED,
    LED_CARDS,
    PLAYED,
    STRAIN,
    TRICK,
    TRICK_CARDS,
)

OPPONENTS = 1 << LEFT | 1 << RIGHT


@kernel
def keep_value(view: Row, card: int, hand: int, out: int) -> float:
    """Return what a card is worth keeping, when one must go that can not take the trick."""
    strain = int(view[STRAIN])
    suit = effective_suit(view, card)
    if suit < 0:
        return 100.0
    value = float(height(view, card))
    if suit == strain:
        return 30.0 + value
    own = hand & suit_cards(view, suit)
    count = popcount(own)
    above = popcount(higher(view, card) & out)
    left = popcount(suit_cards(view, suit) & out)
    if left == 0 and strain == NO_TRUMPS:
        value += 5.0
    if above == 0:
        value += 15.0
    elif above < count:
        # Guarded: enough lower cards stand under it until those above are gone.
        value += 6.0
    else:
        top = highest_of(view, own)
        need = popcount(higher(view, top) & out)
        if card != top and 0 < need < count and count - 1 <= need:
            value += 7.0
    if strain == NO_TRUMPS:
        return value + 0.6 * count
    trumps = hand & suit_cards(view, strain)
    if count == 1 and trumps and above > 0:
        value -= 3.0
    return value


@kernel
def throw(view: Row, cards: int, out: int) -> int:
    """Return the card that is worth least among those that can not take the trick."""
    hand = int(view[HAND])
    best = lowest(cards)
    rest = cards & (cards - 1)
    if rest == 0:
        return best
    worth = keep_value(view, best, hand, out)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = keep_value(view, card, hand, out)
        if value < worth:
            worth = value
            best = card
    return best


@kernel
def cheapest_safe(view: Row, takers: int, out: int, come: int) -> int:
    """Return the lowest of some taking cards that opponents to come can not beat (-1: none), voids not counted."""
    led = int(view[LED])
    best = -1
    rest = takers
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        lower = best < 0 or height(view, card) < height(view, best)
        if lower and threat(view, card, led, out, come & OPPONENTS) < 2:
            best = card
    return best


@kernel
def follow(view: Row, legal: int) -> int:
    """Choose a card to another seat's lead."""
    out = cards_out(view)
    winner = trick_winner(view)
    best = int(view[TRICK + winner])
    takers = legal & beaters(view, best)
    # Off the suit led, only a trump or a suitless joker can take: `beaters` holds no other suit.
    rest = legal & ~takers
    come = seats_to_come(view)
    foes = come & OPPONENTS
    if takers == 0:
        return throw(view, legal, out)
    if winner == PARTNER:
        return _behind_partner(view, legal, takers, rest, best, out, foes)
    if come == 0:
        return _cheapest(view, takers)
    return _against(view, legal, takers, rest, out, come)


@kernel
def _cheapest(view: Row, takers: int) -> int:
    """Return the lowest taking card, a joker last."""
    plain = takers & ~JOKERS
    return lowest_of(view, plain if plain else takers)


@kernel
def _behind_partner(view: Row, legal: int, takers: int, rest: int, best: int, out: int, foes: int) -> int:
    """Choose when partner stands highest: leave it the trick unless an opponent would take it."""
    led = int(view[LED])
    danger = threat(view, best, led, out, foes)
    following = legal & suit_cards(view, led) != 0
    if danger == 2:
        safe = cheapest_safe(view, takers, out, foes)
        if safe >= 0:
            return safe
        if following:
            # Third hand high, where it is more than partner's card.
            top = highest_of(view, takers)
            if popcount(higher(view, best) & out) - popcount(higher(view, top) & out) >= 1:
                return _lowest_equal(view, top, takers, out)
    if rest:
        return throw(view, rest, out)
    return lowest_of(view, legal)


@kernel
def _against(view: Row, legal: int, takers: int, rest: int, out: int, come: int) -> int:
    """Choose when an opponent stands highest and others are still to play."""
    led = int(view[LED])
    foes = come & OPPONENTS
    following = legal & suit_cards(view, led) != 0
    safe = cheapest_safe(view, takers, out, foes)
    if safe >= 0:
        return safe
    if come >> PARTNER & 1:
        # Second hand: what does not hold the trick is kept, partner is behind.
        if not following:
            # Ruff where partner can not take it by following.
            partner = may_hold(view, PARTNER, out) & suit_cards(view, led)
            best = int(view[TRICK + trick_winner(view)])
            if partner & higher(view, best) == 0:
                return _cheapest(view, takers)
        if rest:
            return throw(view, rest, out)
        return lowest_of(view, legal)
    if following:
        # Third hand: make the last opponent pay with a high card.
        top = highest_of(view, takers)
        return _lowest_equal(view, top, takers, out)
    return _cheapest(view, takers)


@kernel
def _lowest_equal(view: Row, card: int, cards: int, out: int) -> int:
    """Return the lowest of some cards that is as good as a card, no unseen one standing between."""
    above = higher(view, card) & out
    best = card
    rest = cards & ~(1 << card)
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        same = effective_suit(view, other) == effective_suit(view, card) and higher(view, other) & out == above
        if same and height(view, other) < height(view, best):
            best = other
    return best


@kernel
def lead(view: Row, legal: int) -> int:
    """Choose a card to lead."""
    out = cards_out(view)
    best = lowest(legal)
    worth = -1.0e9
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if int(view[STRAIN]) == NO_TRUMPS:
            value = _lead_no_trumps(view, card, out)
        else:
            value = _lead_suit(view, card, out)
        if value > worth:
            worth = value
            best = card
    return best


@kernel
def _lead_suit(view: Row, card: int, out: int) -> float:
    """Return how good a lead is with trumps."""
    trump = int(view[STRAIN])
    suit = effective_suit(view, card)
    bidder = int(view[BIDDER])
    attack = bidder in (SELF, PARTNER)
    trumps = suit_cards(view, trump)
    foes = (may_hold(view, LEFT, out) | may_hold(view, RIGHT, out)) & trumps
    own = int(view[HAND]) & trumps
    if suit == trump:
        return _lead_trump(view, card, out, foes, own, attack)
    return _lead_side(view, card, suit, out, foes, own, attack)


@kernel
def _lead_trump(view: Row, card: int, out: int, foes: int, own: int, attack: bool) -> float:
    """Return how good it is to lead a trump."""
    rank = height(view, card)
    above = popcount(higher(view, card) & out)
    if foes == 0:
        return 20.0 - 0.1 * rank
    if not attack:
        return 12.0 - 0.3 * rank
    count = popcount(own)
    left = popcount(foes)
    if int(view[BIDDER]) == SELF:
        if above == 0:
            return 80.0 + 0.1 * rank
        if left == 1:
            # The last trump out is above this one: let it take what it will.
            return 15.0 - 0.1 * rank
        if count > 3 or count * 2 > left:
            # Above one higher trump rather lead a side suit; above more, the highest drives them out.
            return (45.0 if above == 1 else 58.0) + 0.3 * rank
        return 10.0 - 0.1 * rank
    if above == 0:
        return 66.0 + 0.1 * rank
    return 44.0 - 0.2 * rank


@kernel
def _lead_side(view: Row, card: int, suit: int, out: int, foes: int, own: int, attack: bool) -> float:
    """Return how good it is to lead a side suit."""
    members = suit_cards(view, suit)
    left = may_hold(view, LEFT, out)
    right = may_hold(view, RIGHT, out)
    partner = may_hold(view, PARTNER, out)
    trumps = suit_cards(view, int(view[STRAIN]))
    rank = height(view, card)
    unseen = popcount(members & out)
    above = popcount(higher(view, card) & out)
    ruffed = (left & members == 0 and left & trumps != 0) or (right & members == 0 and right & trumps != 0)
    mine = popcount(int(view[HAND]) & members)
    if above == 0:
        if foes == 0:
            return 50.0 + rank
        if ruffed:
            return 40.0
        return (50.0 if attack else 72.0) + 1.5 * min(unseen, 8) - mine
    value = 36.0 - 0.1 * rank
    if partner & members == 0 and partner & trumps != 0:
        value += 25.0 if not ruffed else 4.0
    if ruffed:
        value -= 8.0
    if mine == 1 and own:
        value += 8.0 if not attack else 3.0
    if int(view[PLAYED + PARTNER]) & int(view[LED_CARDS]) & members:
        value += 6.0
    top = highest_of(view, int(view[HAND]) & members)
    need = popcount(higher(view, top) & out)
    if need == 1 and mine > 1:
        value += 3.0
    return value + 1.5 * unseen


@kernel
def _lead_no_trumps(view: Row, card: int, out: int) -> float:
    """Return how good a lead is without trumps."""
    suit = effective_suit(view, card)
    if suit < 0:
        return 5.0
    members = suit_cards(view, suit)
    own = int(view[HAND]) & members
    mine = popcount(own)
    unseen = popcount(members & out)
    above = popcount(higher(view, card) & out)
    rank = height(view, card)
    masters = _masters(view, out)
    if above == 0 and masters >= tricks_left(view):
        return 100.0 + rank
    top = highest_of(view, own)
    need = popcount(higher(view, top) & out)
    value = 30.0 + 6.0 * mine - need
    if unseen == 0:
        value += 20.0
    if above == 0:
        return value + 3.0 + 0.1 * rank
    if int(view[PLAYED + PARTNER]) & int(view[LED_CARDS]) & members:
        value += 6.0
    if need == 0:
        return value - 0.2 * rank
    if card == top and need == 1 and mine > 2:
        return value + 8.0
    return value - 0.2 * rank


@kernel
def _masters(view: Row, out: int) -> int:
    """Count the cards of the hand above which none of their suit is unseen, suitless jokers too."""
    count = 0
    rest = int(view[HAND])
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if higher(view, card) & out == 0:
            count += 1
    return count


@kernel
def choose_trick_card(view: Row, legal: int) -> int:
    """Choose a card where tricks are wanted."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    if int(view[TRICK_CARDS]) == 0:
        return lead(view, legal)
    return follow(view, legal)

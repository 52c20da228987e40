"""How `rule` plays a misère: the contractor stays under every trick, the defenders force it up."""

from __future__ import annotations

from five_hundred_env.agents.rule.hand import suit_danger
from five_hundred_env.agents.rule.knowledge import beaters, cards_out, height, highest_of, lowest_of, may_hold
from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.cards import MEMBERS, Row, effective_suit, suit_cards
from five_hundred_env.core.constants import NO_TRUMPS, RANKS
from five_hundred_env.core.play import exposed_seat, trick_winner
from five_hundred_env.core.state import BIDDER, HAND, LED, TRICK, TRICK_CARDS


@kernel
def choose_misere_card(view: Row, legal: int) -> int:
    """Choose a card in a misère."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    out = cards_out(view)
    if int(view[BIDDER]) == 0:
        if int(view[TRICK_CARDS]) == 0:
            return _duck_lead(view, legal, out)
        return _duck(view, legal, out)
    if int(view[TRICK_CARDS]) == 0:
        return _force_lead(view, legal, out)
    return _force(view, legal, out)


@kernel
def _danger_without(view: Row, card: int, out: int) -> float:
    """Return the danger of the suit of a card when the card is gone."""
    suit = effective_suit(view, card)
    if suit < 0:
        return 0.0
    members = int(MEMBERS[0, NO_TRUMPS, suit])
    cards = (int(view[HAND]) & members & ~(1 << card)) >> (RANKS * suit)
    return suit_danger(cards, (out & members) >> (RANKS * suit))


@kernel
def _relief(view: Row, card: int, out: int) -> float:
    """Return how much danger leaves the hand with a card."""
    suit = effective_suit(view, card)
    if suit < 0:
        return 50.0
    members = int(MEMBERS[0, NO_TRUMPS, suit])
    cards = (int(view[HAND]) & members) >> (RANKS * suit)
    return suit_danger(cards, (out & members) >> (RANKS * suit)) - _danger_without(view, card, out)


@kernel
def _most_relief(view: Row, cards: int, out: int) -> int:
    """Return the card that takes most danger with it; of equals the highest."""
    best = lowest(cards)
    worth = -1.0e9
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = _relief(view, card, out) + 0.01 * height(view, card)
        if value > worth:
            worth = value
            best = card
    return best


@kernel
def _duck_lead(view: Row, legal: int, out: int) -> int:
    """Lead as contractor: a card that both defenders are unlikely to go under."""
    best = lowest(legal)
    worth = -1.0e9
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = effective_suit(view, card)
        value = -50.0
        if suit >= 0:
            members = suit_cards(view, suit) & out
            below = popcount(members & ((1 << card) - 1))
            above = popcount(members) - below
            value = -4.0 * below / (1.0 + above) + 0.3 * _relief(view, card, out)
        if value > worth:
            worth = value
            best = card
    return best


@kernel
def _duck(view: Row, legal: int, out: int) -> int:
    """Follow as contractor: the card of most danger that stays under, else the lowest."""
    winner = trick_winner(view)
    best = int(view[TRICK + winner])
    under = legal & ~beaters(view, best)
    if under:
        follows = under & suit_cards(view, int(view[LED]))
        if follows:
            return highest_of(view, follows)
        return _most_relief(view, under, out)
    if int(view[TRICK_CARDS]) == 2:
        return highest_of(view, legal)
    return lowest_of(view, legal)


@kernel
def _force_lead(view: Row, legal: int, out: int) -> int:
    """Lead as defender: a low card of a suit in which the contractor may have to go above it."""
    contractor = int(view[BIDDER])
    held = may_hold(view, contractor, out)
    shown = exposed_seat(view) == contractor
    best = lowest(legal)
    worth = -1.0e9
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = effective_suit(view, card)
        value = -30.0
        if suit >= 0:
            theirs = held & suit_cards(view, suit)
            below = popcount(theirs & ((1 << card) - 1))
            above = popcount(theirs) - below
            if theirs == 0:
                value = -20.0 - 0.1 * height(view, card)
            elif shown:
                value = (
                    20.0 - height(view, card) if below == 0 else -5.0 * below / (1 + above) - 0.1 * height(view, card)
                )
            else:
                mine = popcount(int(view[HAND]) & suit_cards(view, suit))
                value = above - 1.5 * below - 0.5 * mine
        if value > worth:
            worth = value
            best = card
    return best


@kernel
def _force(view: Row, legal: int, out: int) -> int:
    """Follow as defender: stay under the contractor, or shed what can not force it."""
    contractor = int(view[BIDDER])
    winner = trick_winner(view)
    best = int(view[TRICK + winner])
    following = legal & suit_cards(view, int(view[LED]))
    if winner == contractor:
        under = legal & ~beaters(view, best)
        if under:
            return highest_of(view, under)
        return highest_of(view, legal)
    if int(view[TRICK + contractor]) >= 0:
        # It is safe in this trick: high cards are of no use later.
        return highest_of(view, legal)
    if following:
        under = following & ~beaters(view, best)
        return highest_of(view, under) if under else lowest_of(view, following)
    return highest_of(view, legal)

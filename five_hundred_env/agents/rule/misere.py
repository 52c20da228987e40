"""How `rule` plays a misère: the contractor stays under every trick, the defenders force it up."""

from __future__ import annotations

from five_hundred_env.agents.rule.hand import suit_danger, suit_pressure
from five_hundred_env.agents.rule.knowledge import PARTNER, beaters, cards_out, height, highest_of, lowest_of, may_hold
from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.cards import MEMBERS, Row, effective_suit, suit_cards
from five_hundred_env.core.constants import JK, NO_TRUMPS, RANKS, SEATS
from five_hundred_env.core.play import exposed_seat, trick_winner, tricks_left
from five_hundred_env.core.state import BIDDER, CARD_TRICK, HAND, LED, LED_CARDS, PLAYED, TRICK, TRICK_CARDS


@kernel
def choose_misere_card(view: Row, legal: int) -> int:
    """Choose a card in a misère."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    out = cards_out(view)
    if int(view[BIDDER]) == 0:
        if int(view[TRICK_CARDS]) == 0:
            return _best_to_duck(view, legal, out, True)
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
def _lead_worth(view: Row, card: int, out: int) -> float:
    """Return how good a card is to lead as contractor: one that both defenders are unlikely to go under."""
    suit = effective_suit(view, card)
    if suit < 0:
        return -50.0
    members = suit_cards(view, suit) & out
    below = popcount(members & ((1 << card) - 1))
    above = popcount(members) - below
    return -4.0 * below / (1.0 + above) + 1.2 * _relief(view, card, out)


@kernel
def _best_to_duck(view: Row, cards: int, out: int, leads: bool) -> int:
    """Return the contractor's best card to lead; or to throw, the one that takes most danger with it."""
    best = lowest(cards)
    worth = -1.0e9
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = _lead_worth(view, card, out) if leads else _relief(view, card, out) + 0.01 * height(view, card)
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
        return _best_to_duck(view, under, out, False)
    if int(view[TRICK_CARDS]) == 2:
        return highest_of(view, legal)
    return lowest_of(view, legal)


@kernel
def _not_held(view: Row) -> int:
    """Return cards that a misère's contractor can not hold: it would have played them instead of a lower one."""
    contractor = int(view[BIDDER])
    rest = int(view[PLAYED + contractor]) & ~int(view[LED_CARDS])
    ruled_out = 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = effective_suit(view, card)
        if suit < 0:
            continue
        members = suit_cards(view, suit)
        number = int(view[CARD_TRICK + (card >> 3)]) >> (8 * (card & 7)) & 255
        top = -1
        leader = -1
        for turn in range(2):
            for seat in range(SEATS):
                if seat == contractor:
                    continue
                cards = int(view[PLAYED + seat]) & members
                while cards:
                    other = lowest(cards)
                    cards &= cards - 1
                    if int(view[CARD_TRICK + (other >> 3)]) >> (8 * (other & 7)) & 255 == number:
                        if turn == 0:
                            if int(view[LED_CARDS]) >> other & 1:
                                leader = seat
                        elif (seat - leader) & 3 < (contractor - leader) & 3 and other < JK:
                            top = max(top, other)
            if leader < 0:
                break
        if top > card and card < JK:
            ruled_out |= ((1 << top) - 1) & ~((2 << card) - 1) & members
    return ruled_out


@kernel
def _force_lead(view: Row, legal: int, out: int) -> int:
    """Lead as defender: a low card of a suit in which the contractor may have to go above it."""
    contractor = int(view[BIDDER])
    shown = exposed_seat(view) == contractor
    held = may_hold(view, contractor, out)
    if not shown:
        held &= ~_not_held(view)
    pool = popcount(held)
    chance = min(1.0, float(tricks_left(view)) / max(1, pool))
    best = lowest(legal)
    worth = -1.0e9
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = effective_suit(view, card)
        value = -100.0
        if suit >= 0:
            theirs = held & suit_cards(view, suit)
            if theirs == 0:
                value = -50.0 - 0.1 * height(view, card)
            elif shown:
                value = _force_shown(view, card, suit, theirs, out)
            else:
                value = _force_hidden(view, card, suit, theirs, chance)
        if value > worth:
            worth = value
            best = card
    return best


@kernel
def _force_shown(view: Row, card: int, suit: int, theirs: int, out: int) -> float:
    """Return how good a lead is against a hand that lies open."""
    members = suit_cards(view, suit)
    least = lowest(theirs)
    below = popcount(theirs & ((1 << card) - 1))
    pool = popcount(may_hold(view, PARTNER, out))
    share = min(1.0, float(tricks_left(view)) / max(1, pool))
    partners = may_hold(view, PARTNER, out) & members
    if below == 0:
        lower = popcount(partners & ((1 << least) - 1))
        ways = 1.0 - (1.0 - share) ** lower
        void = (1.0 - share) ** popcount(partners)
        return 40.0 + 60.0 * (ways + void) + 0.05 * height(view, card)
    others = (int(view[HAND]) | partners) & members
    potential = suit_pressure((theirs & members) >> (RANKS * suit), others >> (RANKS * suit))
    return min(40.0, 10.0 * potential) - 6.0 * below + 0.1 * height(view, card)


@kernel
def _force_hidden(view: Row, card: int, suit: int, theirs: int, chance: float) -> float:
    """Return how good a lead is against a hidden hand."""
    below = popcount(theirs & ((1 << card) - 1))
    above = popcount(theirs) - below
    low = min(1.0, 1.6 * chance)
    under = (1.0 - low) ** below
    over = 1.0 - (1.0 - chance) ** above
    mine = popcount(int(view[HAND]) & suit_cards(view, suit))
    return 100.0 * under * over - 0.5 * mine + 0.05 * height(view, card)


@kernel
def _force(view: Row, legal: int, out: int) -> int:
    """Follow as defender: stay under the contractor, or shed what can not force it."""
    contractor = int(view[BIDDER])
    winner = trick_winner(view)
    best = int(view[TRICK + winner])
    following = legal & suit_cards(view, int(view[LED]))
    if following == 0:
        return _shed(view, legal, out)
    if winner == contractor:
        under = legal & ~beaters(view, best)
        if under:
            return highest_of(view, under)
        return highest_of(view, legal)
    if int(view[TRICK + contractor]) >= 0:
        # It is safe in this trick: high cards are of no use later.
        return highest_of(view, legal)
    under = following & ~beaters(view, best)
    return highest_of(view, under) if under else lowest_of(view, following)


@kernel
def _shed(view: Row, legal: int, out: int) -> int:
    """Return the card that helps least to force the contractor."""
    contractor = int(view[BIDDER])
    held = may_hold(view, contractor, out)
    best = lowest(legal)
    worth = -1.0e9
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = effective_suit(view, card)
        value = 200.0
        if suit >= 0:
            theirs = held & suit_cards(view, suit)
            mine = popcount(int(view[HAND]) & suit_cards(view, suit))
            below = popcount(theirs & ((1 << card) - 1))
            value = height(view, card) + 0.5 * below - 0.5 * mine
            if theirs == 0:
                value += 5.0
        if value > worth:
            worth = value
            best = card
    return best

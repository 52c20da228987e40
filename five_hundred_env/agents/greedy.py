"""`greedy`: a player that looks no further than the trick on the table.

It bids on a count of trumps and aces, puts its lowest side cards away, takes a trick as cheaply as it can unless its
partner has it, and in a misère gets as close below the trick as it can. It remembers nothing.
"""

from __future__ import annotations

from five_hundred_env.agents.base import KernelAgent, read_position
from five_hundred_env.core._jit import highest, kernel, lowest, popcount
from five_hundred_env.core.actions import bid_strain, tricks_to_make
from five_hundred_env.core.cards import JOKERS, LOW_FOUR, MEMBERS, POWER, Row, trick_power
from five_hundred_env.core.constants import (
    ACE,
    AUCTION,
    DECLINE,
    DISCARD,
    FIRST_CARD,
    FIRST_NAME,
    MIS,
    NO_TRUMPS,
    NOOP,
    PASS,
    PLAY,
    RANKS,
    SUITS,
    TRICKS,
)
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.play import is_misere, trick_winner
from five_hundred_env.core.state import (
    BIDDER,
    HAND,
    PHASE,
    RULE_HAND,
    RULE_PACK,
    STRAIN,
    TRICK,
    TRICK_CARDS,
)

ACES = sum(1 << (RANKS * suit + ACE) for suit in range(SUITS))
PARTNER = 2
PARTNERS_TRICKS = 2  # what partner and kitty are trusted with, of ten


@kernel
def count_tricks(hand: int, strain: int, low_four: int, partners: int) -> int:
    """Count the tricks that a hand promises in a strain: aces and jokers, and every trump beyond the second.

    Args:
        hand: Mask of the cards held.
        strain: Suit of trumps, or `NO_TRUMPS`.
        low_four: 1 with the pack whose fours are trumps of both suits of a colour.
        partners: Tricks that partner and kitty are trusted with.
    """
    if strain == NO_TRUMPS:
        return popcount(hand & ACES) + 2 * popcount(hand & JOKERS) + partners
    trumps = hand & (int(MEMBERS[low_four, strain, strain]) | JOKERS)
    return max(popcount(trumps) - 2, 0) + popcount(hand & JOKERS) + popcount(hand & ACES & ~trumps) + partners


@kernel
def _call(view: Row, legal: int) -> int:
    """Bid the strain that promises most, no higher than it promises, as low as possible; else pass."""
    low_four = 1 if int(view[RULE_PACK]) == LOW_FOUR else 0
    size = int(view[RULE_HAND])
    best = 0
    call = PASS
    for strain in range(NO_TRUMPS + 1):
        promised = count_tricks(int(view[HAND]), strain, low_four, PARTNERS_TRICKS * size // TRICKS)
        if promised > best:
            for bid in range(1, MIS):
                if bid_strain(bid) == strain and tricks_to_make(bid, size) <= promised and legal >> bid & 1:
                    best = promised
                    call = bid
                    break
    return call


@kernel
def _power(view: Row, card: int) -> int:
    """Return how high a card stands under the contract, whatever is led."""
    low_four = 1 if int(view[RULE_PACK]) == LOW_FOUR else 0
    return int(POWER[low_four, int(view[STRAIN]), card])


@kernel
def _extreme(view: Row, cards: int, sign: int) -> int:
    """Return the highest (`sign` 1) or lowest (-1) of some cards, whatever is led."""
    best = lowest(cards)
    for card in range(best + 1, highest(cards) + 1):
        if cards >> card & 1 and sign * _power(view, card) > sign * _power(view, best):
            best = card
    return best


@kernel
def _takers(view: Row, cards: int) -> int:
    """Return those of some cards that would stand highest in the running trick."""
    winner = trick_winner(view)
    best = trick_power(view, int(view[TRICK + winner])) if winner >= 0 else 0
    takers = 0
    for card in range(highest(cards) + 1):
        if cards >> card & 1 and trick_power(view, card) > best:
            takers |= 1 << card
    return takers


@kernel
def _card(view: Row, legal: int) -> int:
    """Choose a card of the play."""
    leads = int(view[TRICK_CARDS]) == 0
    if is_misere(view):
        if leads or int(view[BIDDER]) != 0:
            return _extreme(view, legal, -1)
        losers = legal & ~_takers(view, legal)
        return _extreme(view, losers, 1) if losers else _extreme(view, legal, -1)
    if leads:
        return _extreme(view, legal, 1)
    takers = _takers(view, legal)
    if takers and trick_winner(view) != PARTNER:
        return _extreme(view, takers, -1)
    return _extreme(view, legal, -1)


@kernel
def _longest(view: Row, suits: int) -> int:
    """Return which of some suits the hand holds most cards of."""
    best = lowest(suits)
    for suit in range(SUITS):
        if suits >> suit & 1:
            members = int(MEMBERS[0, NO_TRUMPS, suit])
            if popcount(int(view[HAND]) & members) > popcount(int(view[HAND]) & int(MEMBERS[0, NO_TRUMPS, best])):
                best = suit
    return best


@kernel
def decide_greedy(view: Row, legal: int, _key: int) -> int:
    """Choose by looking at the running trick only."""
    phase = int(view[PHASE])
    if legal == 0:
        return NOOP
    if phase == AUCTION:
        return _call(view, legal)
    if phase == DISCARD:
        return FIRST_CARD + _extreme(view, legal, 1 if is_misere(view) else -1)
    if phase == PLAY:
        return FIRST_CARD + _card(view, legal)
    suits = legal & ((1 << SUITS) - 1)
    return FIRST_NAME + _longest(view, suits) if suits else DECLINE


@kernel
def act_greedy(observation: Bytes, mask: Bytes, keys: Row, view: Row, actions: Row) -> None:
    """Fill the actions of `greedy`."""
    for n in range(len(keys)):
        legal = read_position(observation[n], mask[n], view)
        actions[n] = decide_greedy(view, legal, int(keys[n]))


greedy = KernelAgent("greedy", decide_greedy, act_greedy)

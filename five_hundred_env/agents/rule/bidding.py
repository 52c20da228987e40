"""How `rule` bids: the points that a bid may expect against those of passing, totals and all calls considered."""

from __future__ import annotations

import math

from five_hundred_env.agents.rule.hand import expected_tricks, misere_danger
from five_hundred_env.agents.rule.knowledge import PARTNER, SELF, low_fours
from five_hundred_env.core._jit import highest, kernel, popcount
from five_hundred_env.core.actions import bid_level, bid_strain
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import FIRST_BID, MIS, NO_TRUMPS, OMIS, PASS, STRAINS, TRICKS
from five_hundred_env.core.rules import LOSE_BACKWARDS, WIN_OWN_CONTRACT
from five_hundred_env.core.scoring import VALUES
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    HAND,
    PASSED,
    PASSES,
    RULE_CARDS,
    RULE_HAND,
    RULE_KITTY,
    RULE_LOSE,
    RULE_MISERE_DEFENCE,
    RULE_SLAM,
    RULE_TARGET,
    RULE_WIN,
    SCORES,
)

# Fitted on deals that this agent bid and played, all seats: how many tricks its contracts take, given the formula of
# `hand.expected_tricks` and the calls before the bid. The bases lie a little below the fit, which makes the agent
# bid slightly less than it would for the most points, and make more of what it bids.
SUIT_MEAN, SUIT_SLOPE, SUIT_SPREAD = 5.0, 1.1, 1.36
NT_MEAN, NT_SLOPE, NT_SPREAD = 4.9, 0.65, 1.75
CENTRE = 6.0
PARTNER_SAME, PARTNER_SAME_LEVEL, PARTNER_OTHER_NT, PARTNER_PASSED = 0.8, 0.4, 0.4, -0.02
OPPONENT_SAME, OPPONENT_OTHER, OPPONENT_PASSED = -1.6, -0.18, 0.17
KITTY_CARD_SUIT, KITTY_CARD_NT = 0.3, 0.18
"""Tricks that each card of a kitty beyond three adds."""

# The contract of another seat: its tricks by level, and what each trick in this hand's own value adds or takes away.
BIDDER_MEAN, BIDDER_LEVEL = 6.95, 0.55
HELPS, HELP_CENTRE = 0.6, 6.1
HARMS, HARM_CENTRE = -0.73, 5.9

MISERE_BASE, MISERE_SLOPE, MISERE_KITTY_CARD, OPEN_MISERE = 2.15, -0.74, 0.2, -0.45
"""Log odds of making a misère, by the danger of the hand without its two worst cards."""
OTHERS_MISERE = 0.65
"""Chance that another seat makes the misère it has bid."""

# Points.
GAME = 150.0
"""What winning the game is worth beside the points; losing it costs as much."""
MARGIN = 14.0
"""What a bid must promise more than a pass: an opponent may still bid over it."""
MISERE_MARGIN = 100.0
"""The same for misères, whose odds come from defenders no better than this agent."""
OPEN_PASS = -10.0
"""What passing is worth before any bid, others still to speak."""


@kernel
def _normal(x: float) -> float:
    """Return the chance that a standard normal number is at most x."""
    return 0.5 * (1.0 + math.erf(x * 0.7071067811865476))


@kernel
def utility(view: Row, own: int, other: int, contractor: int) -> float:
    """Return what totals are worth to this side, points; what passes the target in a game that is won counts nothing.

    Args:
        view: `[N_COLUMNS] int64`, for the rules.
        own: Total of this side, points.
        other: Total of the other side, points.
        contractor: The side that has just made its contract, -1 for none.
    """
    target = int(view[RULE_TARGET])
    value = float(own - other)
    by_points = int(view[RULE_WIN]) != WIN_OWN_CONTRACT
    own_out = own >= target and (contractor == 0 or by_points)
    other_out = other >= target and (contractor == 1 or by_points)
    if own_out and not (other_out and contractor == 1):
        return target - other + GAME
    if other_out:
        return value - GAME
    if int(view[RULE_LOSE]) == LOSE_BACKWARDS:
        if own <= -target:
            return value - GAME
        if other <= -target:
            return value + GAME
    return value


@kernel
def missing_tricks(view: Row) -> int:
    """Return how many tricks fewer than ten a deal has: 0 but with a short pack.

    Everything here was fitted on hands of ten; on a short pack it is a fair guess, no more.
    """
    return TRICKS - int(view[RULE_HAND])


@kernel
def bidder_mean(view: Row, bid: int) -> float:
    """Return the tricks that a contractor takes on average who has made a bid."""
    return BIDDER_MEAN + BIDDER_LEVEL * (bid_level(bid) - 6) - missing_tricks(view)


@kernel
def _contract_value(view: Row, bid: int, side: int, mean: float, spread: float) -> float:
    """Return what a contract of a side is worth to this side, from the tricks it may expect."""
    level = bid_level(bid)
    mean += missing_tricks(view)  # a level of a short pack gives as many tricks away as of a full one
    own = int(view[SCORES + side])
    other = int(view[SCORES + 1 - side])
    made = _normal((mean - (level - 0.5)) / spread)
    slam = min(made, _normal((mean - 9.5) / spread))
    value = int(VALUES[bid])
    top = max(value, int(view[RULE_SLAM]))
    lost_made = max(0.0, min(10.0 - level, 10.0 - mean)) * 10.0
    lost_failed = (11.8 - level) * 10.0
    win = _turn(view, own + value, other + int(lost_made), side, side)
    big = _turn(view, own + top, other, side, side)
    fail = _turn(view, own - value, other + int(lost_failed), side, -1)
    return (made - slam) * win + slam * big + (1.0 - made) * fail


@kernel
def _turn(view: Row, theirs: int, other: int, side: int, contractor: int) -> float:
    """Return the utility to this side of totals told from a side."""
    if side == 0:
        return utility(view, theirs, other, contractor)
    return utility(view, other, theirs, contractor)


@kernel
def _misere_value(view: Row, bid: int, side: int, chance: float) -> float:
    """Return what a misère of a side is worth to this side."""
    own = int(view[SCORES + side])
    other = int(view[SCORES + 1 - side])
    value = int(VALUES[bid])
    win = _turn(view, own + value, other, side, side)
    fail = _turn(view, own - value, other + 2 * int(view[RULE_MISERE_DEFENCE]), side, -1)
    return chance * win + (1.0 - chance) * fail


@kernel
def _last_bid(view: Row, seat: int) -> int:
    """Return the highest bid in tricks that a seat has made, 0 for none."""
    bids = int(view[BIDS + seat]) & ((1 << MIS) - 1)
    return highest(bids) if bids else 0


@kernel
def shift(view: Row, strain: int) -> float:
    """Return what the calls of the others add to the tricks that this hand expects in a strain."""
    value = 0.0
    bid = _last_bid(view, PARTNER)
    if bid:
        if bid_strain(bid) == strain:
            value += PARTNER_SAME + PARTNER_SAME_LEVEL * (bid_level(bid) - 6)
        elif strain == NO_TRUMPS:
            value += PARTNER_OTHER_NT
    elif int(view[PASSES + PARTNER]):
        value += PARTNER_PASSED
    for seat in range(1, 4, 2):
        bid = _last_bid(view, seat)
        if bid:
            value += OPPONENT_SAME if bid_strain(bid) == strain else OPPONENT_OTHER
        elif int(view[PASSES + seat]):
            value += OPPONENT_PASSED
    return value


@kernel
def own_mean(view: Row, strain: int) -> float:
    """Return the tricks that this hand expects as contractor in a strain, kitty and calls considered."""
    tricks = expected_tricks(int(view[HAND]), strain, low_fours(view))
    more = int(view[RULE_KITTY]) - 3
    if strain == NO_TRUMPS:
        mean = NT_MEAN + NT_SLOPE * (tricks - CENTRE) + shift(view, strain) + KITTY_CARD_NT * more
    else:
        mean = SUIT_MEAN + SUIT_SLOPE * (tricks - CENTRE) + shift(view, strain) + KITTY_CARD_SUIT * more
    # Of the tricks that a short pack lacks either side would have had half.
    return mean - 0.5 * missing_tricks(view)


@kernel
def spread_of(strain: int) -> float:
    """Return the standard deviation of the tricks around their expectation."""
    return NT_SPREAD if strain == NO_TRUMPS else SUIT_SPREAD


@kernel
def pass_value(view: Row) -> float:
    """Return what it is worth to leave the auction to the others."""
    bid = int(view[BID])
    if bid == 0:
        last = popcount(int(view[PASSED])) == 3 or int(view[CALLS_MADE]) == 3
        even = utility(view, int(view[SCORES]), int(view[SCORES + 1]), -1)
        return even if last else even + OPEN_PASS
    bidder = int(view[BIDDER])
    if bid >= MIS:
        return _misere_value(view, bid, bidder & 1, OTHERS_MISERE)
    strain = bid_strain(bid)
    tricks = expected_tricks(int(view[HAND]), strain, low_fours(view))
    if bidder == SELF:
        mean = own_mean(view, strain)
    elif bidder == PARTNER:
        mean = bidder_mean(view, bid) + HELPS * (tricks - HELP_CENTRE)
    else:
        mean = bidder_mean(view, bid) + HARMS * (tricks - HARM_CENTRE)
    return _contract_value(view, bid, bidder & 1, mean, spread_of(strain))


@kernel
def misere_chance(view: Row, bid: int) -> float:
    """Return the chance that a misère with this hand is made, kitty considered."""
    hand = int(view[HAND])
    pack = int(view[RULE_CARDS])
    # The kitty lets the two worst cards go, more or less.
    least = 1.0e9 if popcount(hand) > 1 else misere_danger(hand, pack)
    first = hand
    while first:
        one = first & -first
        first ^= one
        second = first
        while second:
            two = second & -second
            second ^= two
            least = min(least, misere_danger(hand & ~one & ~two, pack))
    odds = MISERE_BASE + MISERE_SLOPE * least + MISERE_KITTY_CARD * (int(view[RULE_KITTY]) - 3)
    if bid == OMIS:
        odds += OPEN_MISERE
    return 1.0 / (1.0 + math.exp(-odds))


@kernel
def choose_call(view: Row, legal: int) -> int:
    """Return the call that is worth most."""
    best = PASS
    worth = pass_value(view) + MARGIN
    for strain in range(NO_TRUMPS + 1):
        mean = own_mean(view, strain)
        for level in range(5):
            bid = FIRST_BID + STRAINS * level + strain
            if legal >> bid & 1:
                value = _contract_value(view, bid, 0, mean, spread_of(strain))
                if value > worth:
                    worth = value
                    best = bid
    for bid in range(MIS, OMIS + 1):
        if legal >> bid & 1:
            value = _misere_value(view, bid, 0, misere_chance(view, bid)) - MISERE_MARGIN
            if value > worth:
                worth = value
                best = bid
    return best

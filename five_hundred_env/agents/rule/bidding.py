"""How `rule` bids: the points that a bid may expect against those of passing, totals and all calls considered."""

from __future__ import annotations

import math

from five_hundred_env.agents.rule.hand import (
    expected_tricks,
    misere_danger,
)
from five_hundred_env.agents.rule.knowledge import PARTNER, low_fours
from five_hundred_env.core._jit import highest, kernel, lowest, popcount
from five_hundred_env.core.actions import bid_level, bid_strain
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, NO_TRUMPS, OMIS, PASS
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
    RULE_KITTY,
    RULE_LOSE,
    RULE_MISERE_DEFENCE,
    RULE_SLAM,
    RULE_TARGET,
    RULE_WIN,
    SCORES,
)

SUIT_SPREAD, NT_SPREAD = 1.42, 1.83
WIN_BONUS, LOSE_BONUS = 150.0, 150.0
MISERE_SLOPE, MISERE_BASE = 1.0, 0.8
PASS_BIAS = -10.0


@kernel
def _normal(x: float) -> float:
    """Return the chance that a standard normal number is at most x."""
    return 0.5 * (1.0 + math.erf(x * 0.7071067811865476))


@kernel
def utility(view: Row, own: int, other: int, contractor: int) -> float:
    """Return what totals are worth to this side, points; `contractor` is the side that made its contract, -1."""
    target = int(view[RULE_TARGET])
    value = float(own - other)
    own_out = own >= target and (contractor == 0 or int(view[RULE_WIN]) != WIN_OWN_CONTRACT)
    other_out = other >= target and (contractor == 1 or int(view[RULE_WIN]) != WIN_OWN_CONTRACT)
    if own_out and not (other_out and contractor == 1):
        return value + WIN_BONUS
    if other_out:
        return value - LOSE_BONUS
    if int(view[RULE_LOSE]) == LOSE_BACKWARDS:
        if own <= -target:
            return value - LOSE_BONUS
        if other <= -target:
            return value + WIN_BONUS
    return value


@kernel
def bidder_mean(bid: int) -> float:
    """Return the tricks that a contractor takes on average who has made a bid."""
    return 6.95 + 0.55 * (bid_level(bid) - 6)


@kernel
def _contract_value(view: Row, bid: int, side: int, mean: float, spread: float) -> float:
    """Return what a contract of a side is worth to this side, from the tricks it may expect."""
    level = bid_level(bid)
    own = int(view[SCORES + side])
    other = int(view[SCORES + 1 - side])
    made = _normal((mean - (level - 0.5)) / spread)
    slam = _normal((mean - 9.5) / spread)
    value = int(VALUES[bid])
    top = max(value, int(view[RULE_SLAM]))
    lost_made = max(0.0, min(10.0 - level, 10.0 - mean)) * 10.0
    lost_failed = (11.0 - level + 0.8) * 10.0
    sign = 1.0 if side == 0 else -1.0
    win = _turn(view, own + value, other + int(lost_made), side, side)
    big = _turn(view, own + top, other, side, side)
    fail = _turn(view, own - value, other + int(lost_failed), side, -1)
    if slam > made:
        slam = made
    return (made - slam) * win + slam * big + (1.0 - made) * fail + 0.0 * sign


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
            value += 0.6 + 0.38 * (bid_level(bid) - 6)
        elif strain == NO_TRUMPS:
            value += 0.15
    elif int(view[PASSES + PARTNER]):
        value -= 0.17
    for seat in range(1, 4, 2):
        bid = _last_bid(view, seat)
        if bid:
            value -= 0.8 if bid_strain(bid) == strain else 0.1
        elif int(view[PASSES + seat]):
            value += 0.19
    return value


@kernel
def own_mean(view: Row, strain: int) -> float:
    """Return the tricks that this hand expects as contractor in a strain, kitty and calls considered."""
    tricks = expected_tricks(int(view[HAND]), strain, low_fours(view))
    more = 0.3 * (int(view[RULE_KITTY]) - 3)
    if strain == NO_TRUMPS:
        return 5.52 + 0.65 * (tricks - 6.0) + shift(view, strain) + 0.6 * more
    return 5.85 + 0.80 * (tricks - 6.0) + shift(view, strain) + more


@kernel
def pass_value(view: Row) -> float:
    """Return what it is worth to leave the auction to the others."""
    bid = int(view[BID])
    if bid == 0:
        last = popcount(int(view[PASSED])) == 3 or int(view[CALLS_MADE]) == 3
        return utility(view, int(view[SCORES]), int(view[SCORES + 1]), -1) + (0.0 if last else PASS_BIAS)
    side = int(view[BIDDER]) & 1
    if bid >= MIS:
        return _misere_value(view, bid, side, 0.65)
    strain = bid_strain(bid)
    tricks = expected_tricks(int(view[HAND]), strain, low_fours(view))
    mean = bidder_mean(bid) + (0.6 * (tricks - 6.1) if side == 0 else -0.73 * (tricks - 5.9))
    spread = NT_SPREAD if strain == NO_TRUMPS else SUIT_SPREAD
    return _contract_value(view, bid, side, mean, spread)


@kernel
def misere_chance(view: Row) -> float:
    """Return the chance that a misère with this hand is made, kitty considered."""
    hand = int(view[HAND])
    pack = int(view[RULE_CARDS])
    least = 1.0e9
    first = hand
    while first:
        a = lowest(first)
        first &= first - 1
        second = first
        while second:
            b = lowest(second)
            second &= second - 1
            least = min(least, misere_danger(hand & ~(1 << a) & ~(1 << b), pack))
    return 1.0 / (1.0 + math.exp(MISERE_SLOPE * least - MISERE_BASE))


@kernel
def choose_call(view: Row, legal: int) -> int:
    """Return the call that is worth most."""
    best = PASS
    worth = pass_value(view)
    for strain in range(NO_TRUMPS + 1):
        mean = own_mean(view, strain)
        spread = NT_SPREAD if strain == NO_TRUMPS else SUIT_SPREAD
        for level in range(5):
            bid = 1 + 5 * level + strain
            if legal >> bid & 1:
                value = _contract_value(view, bid, 0, mean, spread)
                if value > worth:
                    worth = value
                    best = bid
    if legal >> MIS & 3:
        chance = misere_chance(view)
        for bid in range(MIS, OMIS + 1):
            if legal >> bid & 1:
                value = _misere_value(view, bid, 0, chance - (0.12 if bid == OMIS else 0.0))
                if value > worth:
                    worth = value
                    best = bid
    return best

"""What tricks are worth: points at the contract, at the score, games won and lost included."""

from __future__ import annotations

import math

from five_hundred_env.agents.rule.bidding import utility
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.actions import tricks_to_make
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS
from five_hundred_env.core.scoring import TRICK_POINTS, VALUES
from five_hundred_env.core.state import RULE_DEFENCE_CAP, RULE_HAND, RULE_MISERE_DEFENCE, RULE_SLAM, SCORES
from five_hundred_env.search.sampling import Floats


@kernel
def defended(view: Row, side: int, points: int) -> int:
    """Return the total of a side after points of defence.

    Rules: O.defence_cap.*.
    """
    total = int(view[SCORES + side])
    cap = int(view[RULE_DEFENCE_CAP])
    after = total + points
    return max(total, cap) if cap and after > cap else after


@kernel
def contract_points(view: Row, bid: int, side: int, tricks: int) -> float:
    """Return what the outcome of a contract is worth to this side, points.

    Args:
        view: A view, or a world seen from seat 0.
        bid: The contract, 0 for the deal without one.
        side: The contractor's side, 0 where there is none.
        tricks: What `search.solve` counts.

    Rules: R9.2, R9.3, R9.4, R9.5, O.misere_defence.*, O.all_pass.no_trumps.
    """
    hand = int(view[RULE_HAND])
    if bid == 0:
        own, other = defended(view, 0, TRICK_POINTS * tricks), defended(view, 1, TRICK_POINTS * (hand - tricks))
        return utility(view, own, other, -1)
    value = int(VALUES[bid])
    if bid >= MIS:
        made = tricks == 0
        against = int(view[RULE_MISERE_DEFENCE]) * tricks
    else:
        made = tricks >= tricks_to_make(bid, hand)
        against = TRICK_POINTS * (hand - tricks)
        if made and tricks == hand:
            value = max(value, int(view[RULE_SLAM]))
    theirs = int(view[SCORES + side]) + (value if made else -value)
    others = defended(view, 1 - side, against)
    made_by = side if made else -1
    if side == 0:
        return utility(view, theirs, others, made_by)
    return utility(view, others, theirs, made_by)


@kernel
def expected_points(view: Row, bid: int, side: int, mean: float, spread: float) -> float:
    """Return what a contract in tricks, or none, is worth when the tricks are spread normally around a mean."""
    hand = int(view[RULE_HAND])
    total = 0.0
    weight = 0.0
    for taken in range(hand + 1):
        off = (taken - mean) / spread
        likely = math.exp(-0.5 * off * off)
        total += likely * contract_points(view, bid, side, taken)
        weight += likely
    return total / weight


@kernel
def fill_points(view: Row, bid: int, side: int, shift: float, spread: float, points: Floats) -> None:
    """Write what each number of tricks with open cards is worth when play does not quite come to it.

    Args:
        view: As for `contract_points`.
        bid: The contract, 0 for none.
        side: The contractor's side.
        shift: Tricks that the contractor's side takes more than with open cards, on average.
        spread: Standard deviation of the tricks taken around those.
        points: `[TRICK_COUNTS] float64` to be filled.
    """
    for tricks in range(int(view[RULE_HAND]) + 1):
        if bid >= MIS or spread < 0.05:
            points[tricks] = contract_points(view, bid, side, tricks)
        else:
            points[tricks] = expected_points(view, bid, side, tricks + shift, spread)


@kernel
def misere_points(view: Row, bid: int, side: int, chance: float) -> float:
    """Return what a misère is worth that is made with some chance; a failed one costs two tricks where tricks count."""
    return chance * contract_points(view, bid, side, 0) + (1.0 - chance) * contract_points(view, bid, side, 2)


@kernel
def no_points(view: Row) -> float:
    """Return what a deal that is thrown in is worth: the totals stay."""
    return utility(view, int(view[SCORES]), int(view[SCORES + 1]), -1)

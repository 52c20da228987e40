"""The score: when a deal ends, what it earns, and who has won the game.

Reads TAKEN, BID, BIDDER, the rules; writes POINTS, MADE, SCORES, WINNER. Not here: limits of an environment (R10.4).

Rules: R8.4, R9.1, R9.2, R9.3, R9.4, R9.5, R10.1, R10.2, R10.3, O.misere_defence.*, O.slam.*, O.win.*, O.defence_cap.*,
O.target, O.lose.*, O.all_pass.*, D12.
"""

from __future__ import annotations

import numpy as np

from five_hundred_env.core._jit import kernel
from five_hundred_env.core.actions import CALL_VALUES, tricks_to_make
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, SIDES
from five_hundred_env.core.rules import LOSE_BACKWARDS, WIN_OWN_CONTRACT
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    MADE,
    POINTS,
    RULE_DEFENCE_CAP,
    RULE_HAND,
    RULE_LOSE,
    RULE_MISERE_DEFENCE,
    RULE_SLAM,
    RULE_TARGET,
    RULE_WIN,
    SCORES,
    TAKEN,
    TRICK_NUMBER,
    WINNER,
)

TRICK_POINTS = 10
VALUES = np.array(CALL_VALUES, np.int64)


@kernel
def side_tricks(row: Row, side: int) -> int:
    """Return the tricks that a side has taken."""
    return int(row[TAKEN + side]) + int(row[TAKEN + side + 2])


@kernel
def play_ended(row: Row) -> bool:
    """Tell whether the play of this deal has ended, asked between tricks.

    Rules: R6.4, R8.4, O.misere_defence.10.
    """
    if int(row[TRICK_NUMBER]) == int(row[RULE_HAND]):
        return True
    if int(row[BID]) < MIS or int(row[RULE_MISERE_DEFENCE]):
        return False
    return int(row[TAKEN + int(row[BIDDER])]) > 0


@kernel
def score_deal(row: Row) -> None:
    """Write the points of a deal that was played, add them to the totals, see who has won.

    Rules: R9.1, R9.2, R9.3, R9.4, R9.5, O.all_pass.no_trumps.
    """
    bid = int(row[BID])
    if bid == 0:
        for side in range(SIDES):
            row[POINTS + side] = TRICK_POINTS * side_tricks(row, side)
        _add_points(row, -1)
        return
    side = int(row[BIDDER]) & 1
    taken = side_tricks(row, side)
    value = int(VALUES[bid])
    if bid >= MIS:
        made = taken == 0
        against = int(row[RULE_MISERE_DEFENCE]) * taken
    else:
        made = taken >= tricks_to_make(bid, int(row[RULE_HAND]))
        against = TRICK_POINTS * (int(row[RULE_HAND]) - taken)
        if made and taken == int(row[RULE_HAND]) and value < int(row[RULE_SLAM]):
            value = int(row[RULE_SLAM])
    row[MADE] = 1 if made else 0
    row[POINTS + side] = value if made else -value
    row[POINTS + 1 - side] = against
    _add_points(row, side)


@kernel
def _add_points(row: Row, contractors: int) -> None:
    """Add the points to the totals; those of defence never lift a total above the cap.

    Rules: O.defence_cap.*.
    """
    cap = int(row[RULE_DEFENCE_CAP])
    for side in range(SIDES):
        total = int(row[SCORES + side])
        after = total + int(row[POINTS + side])
        if cap and side != contractors and after > cap:
            after = max(total, cap)
        row[SCORES + side] = after
    row[WINNER] = _winner(row, contractors)


@kernel
def _winner(row: Row, contractors: int) -> int:
    """Return the side that has won the game, -1 when it goes on.

    Rules: R10.1, R10.2, R10.3, O.win.*, O.lose.*, O.target.
    """
    target = int(row[RULE_TARGET])
    if int(row[RULE_WIN]) == WIN_OWN_CONTRACT:
        if int(row[MADE]) == 1 and int(row[SCORES + contractors]) >= target:
            return contractors
    else:
        score_0 = int(row[SCORES])
        score_1 = int(row[SCORES + 1])
        if score_0 >= target and score_1 >= target:
            if contractors >= 0:
                return contractors
            if score_0 != score_1:
                return 0 if score_0 > score_1 else 1
        elif score_0 >= target:
            return 0
        elif score_1 >= target:
            return 1
    if int(row[RULE_LOSE]) == LOSE_BACKWARDS:
        for side in range(SIDES):
            if int(row[SCORES + side]) <= -target:
                return 1 - side
    return -1

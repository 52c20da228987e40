"""The auction: which calls are legal, whose turn it is, when it has ended.

Reads and writes SEAT, BID, BIDDER, PASSED, CALLS_MADE, BIDS, PASSES.
Not here: what follows the auction is the engine's.

Rules: R3.1, R3.2, R3.3, R3.4, R3.5, R3.6, O.auction.*, O.own_raise.*, O.misere_rank.*, O.open_misere_rank.*, D12.
"""

from __future__ import annotations

import numpy as np

from five_hundred_env.core._jit import kernel, small_kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import CALLS, FIRST_BID, LAST_BID, LOWEST_LEVEL, MIS, OMIS, PASS, STRAINS, TRICKS
from five_hundred_env.core.rules import ONE_ROUND, REENTER
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    PASSED,
    PASSES,
    RULE_AUCTION,
    RULE_HAND,
    RULE_MISERE_RANK,
    RULE_OPEN_MISERE_RANK,
    RULE_OWN_RAISE,
    RULE_SEATS,
    SEAT,
)

# The bid that a misère stands directly above; 0: it is never bid. By code of the option.
_MISERE_ABOVE = (10, 10, 11, 0)  # 7NT, 7NT, 8S
_OPEN_MISERE_ABOVE = (23, 25, 0)  # 10D, 10NT
_AFTER_SEVEN = 0
FIRST_SEVEN, LAST_SEVEN = 6, 10


def bid_order(misere_rank: int, open_misere_rank: int) -> list[int]:
    """Return the bids of a table in rising order, as call ids.

    Args:
        misere_rank: Code of the option.
        open_misere_rank: Code of the option.

    Rules: R3.2, O.misere_rank.*, O.open_misere_rank.*.
    """
    order = []
    for bid in range(FIRST_BID, LAST_BID + 1):
        order.append(bid)
        if bid == _MISERE_ABOVE[misere_rank]:
            order.append(MIS)
        if bid == _OPEN_MISERE_ABOVE[open_misere_rank]:
            order.append(OMIS)
    return order


def _legal_bids() -> Row:
    """Return `[misere_rank, open_misere_rank, last bid]` the mask of bids that are legal."""
    legal = np.zeros((len(_MISERE_ABOVE), len(_OPEN_MISERE_ABOVE), CALLS), np.int64)
    for rank in range(len(_MISERE_ABOVE)):
        for open_rank in range(len(_OPEN_MISERE_ABOVE)):
            order = bid_order(rank, open_rank)
            for last in [PASS, *order]:
                above = order if last == PASS else order[order.index(last) + 1 :]
                mask = sum(1 << bid for bid in above)
                if rank == _AFTER_SEVEN and not FIRST_SEVEN <= last <= LAST_SEVEN:
                    mask &= ~(1 << MIS)
                legal[rank, open_rank, last] = mask
    return legal


LEGAL_BIDS = _legal_bids()


def _biddable() -> Row:
    """Return `[cards a hand]` the mask of bids that such a hand can promise: one trick at least.

    Rules: D12.
    """
    biddable = np.zeros(TRICKS + 1, np.int64)
    for hand in range(1, TRICKS + 1):
        lowest = max(LOWEST_LEVEL, TRICKS + 1 - hand)
        first = FIRST_BID + STRAINS * (lowest - LOWEST_LEVEL)
        biddable[hand] = sum(1 << bid for bid in (*range(first, LAST_BID + 1), MIS, OMIS))
    return biddable


BIDDABLE = _biddable()


@small_kernel
def legal_calls(row: Row) -> int:
    """Return the legal calls of the seat to move, bit = call.

    Rules: R3.2, R3.3, R3.4, D12.
    """
    bids = LEGAL_BIDS[int(row[RULE_MISERE_RANK]), int(row[RULE_OPEN_MISERE_RANK]), int(row[BID])]
    return int(bids) & int(BIDDABLE[int(row[RULE_HAND])]) | 1 << PASS


@kernel
def apply_call(row: Row, call: int) -> bool:
    """Make a call and pass the turn on; return True when the auction has ended.

    Rules: R3.1, R3.5, R3.6.
    """
    seat = int(row[SEAT])
    row[CALLS_MADE] += 1
    if call == PASS:
        row[PASSES + seat] |= 1 << int(row[BID])
        row[PASSED] |= 1 << seat
    else:
        row[BIDS + seat] |= 1 << call
        row[BID] = call
        row[BIDDER] = seat
        if int(row[RULE_AUCTION]) == REENTER:
            row[PASSED] = 0
    if _auction_ended(row):
        return True
    seats = int(row[RULE_SEATS])
    for _ in range(seats):
        seat = seat + 1 if seat + 1 < seats else 0
        if not int(row[PASSED]) >> seat & 1:
            break
    row[SEAT] = seat
    return False


@kernel
def _auction_ended(row: Row) -> bool:
    """Tell whether the last call ended the auction.

    Rules: R3.6, O.auction.*, O.own_raise.yes.
    """
    seats = int(row[RULE_SEATS])
    if int(row[RULE_AUCTION]) == ONE_ROUND:
        return int(row[CALLS_MADE]) == seats
    everyone = (1 << seats) - 1
    passed = int(row[PASSED])
    if int(row[BID]) and not int(row[RULE_OWN_RAISE]):
        passed |= 1 << int(row[BIDDER])
    return passed == everyone

"""The deal: who deals, and which cards go where.

Reads the rules, SEED, DEALER, DEAL_NUMBER; writes HAND, KITTY and clears everything that belongs to one deal.
Not here: the auction.

Rules: R1.1, R2.1, R2.2, R2.3, D10, D12.
"""

from __future__ import annotations

import numpy as np

from five_hundred_env.core._jit import kernel, small_kernel
from five_hundred_env.core.cards import HAND_SIZES, KITTY_SIZES, Row
from five_hundred_env.core.constants import AUCTION, CARDS, NOT_NOMINATED, SEATS, TRICKS
from five_hundred_env.core.philox import STREAM_DEAL, STREAM_DEALER, below, seed_words
from five_hundred_env.core.state import (
    BIDDER,
    DEAL_NUMBER,
    DEALER,
    HAND,
    KITTY,
    LEADER,
    LED,
    MADE,
    N_COLUMNS,
    N_RULES,
    NAMED,
    NOMINATED,
    OPENING,
    PHASE,
    RULE_CARDS,
    RULE_PACK,
    RULE_SEATS,
    SCORES,
    SEAT,
    SEED,
    STRAIN,
    TRICK,
    WINNER,
)

KITTY_PLACE = SEATS
SCRATCH = HAND
"""Where a shuffle lays out the pack: columns that a fresh deal clears anyway, so that no array is needed."""
assert SCRATCH + CARDS <= KITTY
_SEAT_PACKETS = (3, 4, 3)
_KITTY_PACKETS = {3: (1, 1, 1), 5: (2, 1, 2), 6: (2, 2, 2)}
_SHORT_KITTY = (1,)  # a short pack is dealt in one packet to each seat, the kitty last


def _deal_order() -> Row:
    """Return `[pack, card]` who gets the n-th card: seats counted from dealer's left, or the kitty."""
    order = np.full((len(KITTY_SIZES), max(KITTY_SIZES) + SEATS * TRICKS), KITTY_PLACE, np.int64)
    for pack, (hand, size) in enumerate(zip(HAND_SIZES, KITTY_SIZES, strict=True)):
        places: list[int] = []
        to_seats = _SEAT_PACKETS if hand == TRICKS else (hand,)
        for to_seat, to_kitty in zip(to_seats, _KITTY_PACKETS.get(size, _SHORT_KITTY), strict=True):
            for seat in range(SEATS):
                places += [seat] * to_seat
            places += [KITTY_PLACE] * to_kitty
        order[pack, : len(places)] = places
    return order


DEAL_ORDER = _deal_order()


@kernel
def start_game(row: Row, seed: int) -> None:
    """Begin a game: no points, a first dealer drawn from the seed; no cards yet.

    Rules: R2.2.
    """
    for column in range(N_RULES, N_COLUMNS):
        row[column] = 0
    row[SEED] = seed
    row[DEAL_NUMBER] = 1
    word, _, _, _ = seed_words(seed, 0, 0, STREAM_DEALER)
    row[DEALER] = below(word, int(row[RULE_SEATS]))


@kernel
def clear_deal(row: Row) -> None:
    """Empty every column that belongs to one deal, and give the turn to dealer's left.

    Rules: R3.1.
    """
    seed = int(row[SEED])
    dealer = int(row[DEALER])
    number = int(row[DEAL_NUMBER])
    score_0 = int(row[SCORES])
    score_1 = int(row[SCORES + 1])
    for column in range(N_RULES, N_COLUMNS):
        row[column] = 0
    row[SEED] = seed
    row[DEALER] = dealer
    row[DEAL_NUMBER] = number
    row[SCORES] = score_0
    row[SCORES + 1] = score_1
    row[OPENING] = score_0
    row[OPENING + 1] = score_1
    row[PHASE] = AUCTION
    row[SEAT] = next_seat(row, dealer)
    row[STRAIN] = -1
    row[LED] = -1
    row[LEADER] = -1
    row[BIDDER] = -1
    row[MADE] = -1
    row[WINNER] = -1
    for seat in range(SEATS):
        row[TRICK + seat] = -1
    for joker in range(2):
        row[NOMINATED + joker] = NOT_NOMINATED
        row[NAMED + joker] = -1


@small_kernel
def next_seat(row: Row, seat: int) -> int:
    """Return the seat to the left.

    Rules: R2.1.
    """
    seat += 1
    return seat if seat < int(row[RULE_SEATS]) else 0


@kernel
def pass_deal(row: Row) -> None:
    """Hand the deal to the left; no cards yet.

    Rules: R2.2.
    """
    row[DEALER] = next_seat(row, int(row[DEALER]))
    row[DEAL_NUMBER] += 1


@kernel
def deal_cards(row: Row) -> None:
    """Shuffle the pack with the seed and the deal's number, deal it in packets, and clear the rest of the deal.

    Rules: R2.3.
    """
    count = _lay_out_pack(row)
    pack = int(row[RULE_PACK])
    seed = int(row[SEED])
    hand_0, hand_1, hand_2, hand_3, kitty = 0, 0, 0, 0, 0
    w0, w1, w2, w3 = 0, 0, 0, 0
    for n in range(count):
        if n & 3 == 0:
            w0, w1, w2, w3 = seed_words(seed, n >> 2, int(row[DEAL_NUMBER]), STREAM_DEAL)
        drawn = n + below(w0, count - n)
        w0, w1, w2 = w1, w2, w3
        card = 1 << int(row[SCRATCH + drawn])
        row[SCRATCH + drawn] = row[SCRATCH + n]
        place = int(DEAL_ORDER[pack, n])
        if place == 0:
            hand_0 |= card
        elif place == 1:
            hand_1 |= card
        elif place == 2:
            hand_2 |= card
        elif place == 3:
            hand_3 |= card
        else:
            kitty |= card
    clear_deal(row)
    seat = int(row[SEAT])
    row[HAND + seat] = hand_0
    seat = next_seat(row, seat)
    row[HAND + seat] = hand_1
    seat = next_seat(row, seat)
    row[HAND + seat] = hand_2
    seat = next_seat(row, seat)
    row[HAND + seat] = hand_3
    row[KITTY] = kitty


@small_kernel
def _lay_out_pack(row: Row) -> int:
    """Write the cards of the pack, a column each, over columns of the last deal; return how many there are."""
    pack = int(row[RULE_CARDS])
    count = 0
    for card in range(CARDS):
        row[SCRATCH + count] = card
        count += pack >> card & 1
    return count

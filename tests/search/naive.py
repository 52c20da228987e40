"""A slow second writing: minimax over the engine's own legal actions, without a table, an order or a bound."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from five_hundred_env.core import engine
from five_hundred_env.core._jit import kernel, lowest
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.constants import (
    AUCTION,
    DISCARD,
    JK,
    MIS,
    NOMINATE,
    OVER,
    PASS,
    PLAY,
)
from five_hundred_env.core.engine import apply, legal_mask
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    DEALER,
    HAND,
    N_COLUMNS,
    N_RULES,
    PASSED,
    PHASE,
    RULE_HAND,
    RULE_MISERE_DEFENCE,
    SEAT,
    TAKEN,
    TRICK_NUMBER,
)

Row = npt.NDArray[np.int64]

DEPTH = 48


@kernel
def final_tricks(row: Row) -> int:
    """Count the tricks of a finished deal as `solve` defines its value."""
    bid = int(row[BID])
    if bid >= MIS:
        taken = int(row[TAKEN + int(row[BIDDER])])
        return taken if int(row[RULE_MISERE_DEFENCE]) else min(taken, 1)
    first = int(row[BIDDER]) % 2 if bid else 0
    return int(row[TAKEN + first]) + int(row[TAKEN + first + 2])


@kernel
def prefers_more(row: Row) -> bool:
    """Tell whether the seat to move wants that number to be high."""
    bid = int(row[BID])
    if bid >= MIS:
        return int(row[SEAT]) != int(row[BIDDER])
    wanted = int(row[BIDDER]) % 2 if bid else 0
    return int(row[SEAT]) % 2 == wanted


@kernel
def naive_value(row: Row, rows: Row, left: Row, best: Row) -> int:
    """Return the value of a position; the three arrays are room for the path, one entry for each action."""
    depth = 0
    for column in range(N_COLUMNS):
        rows[0][column] = row[column]
    left[0] = legal_mask(row)
    best[0] = -1
    while True:
        if int(rows[depth][PHASE]) == OVER:
            value = final_tricks(rows[depth])
        elif int(left[depth]) == 0:
            value = int(best[depth])
        else:
            bit = lowest(int(left[depth]))
            left[depth] = int(left[depth]) & ~(1 << bit)
            for column in range(N_COLUMNS):
                rows[depth + 1][column] = rows[depth][column]
            apply(rows[depth + 1], first_action(int(rows[depth][PHASE])) + bit)
            depth += 1
            left[depth] = legal_mask(rows[depth])
            best[depth] = -1
            continue
        if depth == 0:
            return value
        depth -= 1
        if best[depth] < 0 or (value > best[depth]) == prefers_more(rows[depth]):
            best[depth] = value


def value_of(row: Row) -> int:
    """Return the naive value of a position."""
    rows = np.zeros((DEPTH, N_COLUMNS), np.int64)
    return int(naive_value(row, rows, np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64)))


def after(row: Row, action: int) -> Row:
    """Return the row after an action."""
    row = row.copy()
    engine.apply(row, action)
    return row


def actions_of(row: Row) -> list[int]:
    """Return the legal actions."""
    mask = int(legal_mask(row))
    return [first_action(int(row[PHASE])) + bit for bit in range(64) if mask >> bit & 1]


def contract_row(rules: Rules, seed: int, bid: int, contractor: int) -> Row:
    """Return a dealt row whose auction has just ended with a contract, or in four passes for bid 0."""
    row = np.zeros(N_COLUMNS, np.int64)
    row[:N_RULES] = rules.row
    engine.new_game(row, seed)
    if bid == 0:
        for _ in range(4):
            engine.apply(row, PASS)
        return row
    row[BID], row[BIDDER], row[BIDS + contractor] = bid, contractor, 1 << bid
    row[CALLS_MADE] = 3
    # Whoever is asked now is the last that has not passed beside the contractor.
    seat = (contractor + 1) % 4
    row[SEAT], row[PASSED] = seat, 15 & ~(1 << seat | 1 << contractor)
    row[DEALER] = 0
    engine.apply(row, PASS)
    assert int(row[PHASE]) == DISCARD
    return row


def random_step(row: Row, rnd: random.Random, keep_joker: float = 0.0) -> None:
    """Do a random action; with some probability a joker stays in the hand when another card may go."""
    actions = actions_of(row)
    if int(row[PHASE]) in (DISCARD, PLAY) and rnd.random() < keep_joker:
        first = first_action(int(row[PHASE]))
        actions = [action for action in actions if action - first < JK] or actions
    engine.apply(row, rnd.choice(actions))


def fresh_row(rules: Rules, bid: int, rnd: random.Random) -> Row:
    """Return the first lead of a random deal with random discards and nomination."""
    row = contract_row(rules, rnd.getrandbits(40), bid, rnd.randrange(4))
    while int(row[PHASE]) in (AUCTION, DISCARD, NOMINATE):
        random_step(row, rnd)
    return row


def ending(rules: Rules, bid: int, tricks_left: int, more: int, rnd: random.Random) -> Row:
    """Return a random position with few tricks left, after `more` further actions; jokers tend to be still out."""
    row = contract_row(rules, rnd.getrandbits(40), bid, rnd.randrange(4))
    while int(row[PHASE]) != OVER and (int(row[PHASE]) != PLAY or tricks_of(row) > tricks_left):
        random_step(row, rnd, keep_joker=0.8)
    for _ in range(more):
        if int(row[PHASE]) != OVER:
            random_step(row, rnd, keep_joker=0.3)
    return row


def tricks_of(row: Row) -> int:
    """Return how many tricks are still to be completed."""
    return int(row[RULE_HAND]) - int(row[TRICK_NUMBER])


def holds_joker(row: Row) -> bool:
    """Tell whether any seat holds a joker."""
    return any(int(row[HAND + seat]) >> JK for seat in range(4))

"""Card play is compared with the value of the contract that was played."""

from __future__ import annotations

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.arena import play_match
from five_hundred_env.arena.boards import AT, OUTCOME_COLUMNS
from five_hundred_env.arena.doubledummy import against_value, compare_play, lay_out
from five_hundred_env.core.philox import table_seed
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.state import BID, BIDDER, COLUMNS, DISCARDS, HAND, N_COLUMNS, N_RULES
from five_hundred_env.notation import SEED_LIMIT


def test_a_contract_is_laid_out_as_it_was_reached() -> None:
    """The row at the first lead holds the hands that the game had there."""
    game = Game(seed=table_seed(1, 0) % SEED_LIMIT)
    start = game.row.copy()
    for call in ("6S", "PASS", "PASS", "PASS"):
        game.apply(call)
    for _ in range(3):
        game.apply(game.legal()[0])
    outcome = np.zeros(OUTCOME_COLUMNS, np.int64)
    outcome[AT.bid], outcome[AT.contractor] = game.row[BID], game.row[BIDDER]
    outcome[AT.discards] = game.row[DISCARDS]
    outcome[AT.nominated : AT.nominated + 2] = -1
    lay_out(start, outcome)
    assert start[HAND : HAND + 4].tolist() == game.row[HAND : HAND + 4].tolist()
    assert set(np.flatnonzero(start != game.row)) <= calls_columns()


def calls_columns() -> set[int]:
    """Return the columns that hold the calls, which the outcome of a table does not tell."""
    names = {"passed", "calls_made", "bids", "passes"}
    return {start + n for name, start, width, _ in COLUMNS if name in names for n in range(width)}


@pytest.mark.parametrize(
    ("bid", "taken", "value", "tricks", "points"),
    [
        (9, 8, 8, 0, 0),  # 7H: eight tricks where eight were there
        (9, 8, 7, 1, 10),  # 7H: one more; the other side has 20 instead of 30 points
        (9, 6, 8, -2, -420),  # 7H: -200 and 40 against, instead of 200 and 20
        (26, 0, 1, 1, 500),  # MIS: made though it could be broken: 250 instead of -250
        (26, 1, 0, -1, -500),  # MIS: broken though it could be made
    ],
)
def test_what_was_gained(bid: int, taken: int, value: int, tricks: int, points: int) -> None:
    """Worked out by R9: value of 7H 200, of MIS 250, ten points a trick of the others."""
    row = np.zeros(N_COLUMNS, np.int64)
    row[:N_RULES] = Rules().row
    row[BID], row[BIDDER] = bid, 2
    made = taken == 0 if bid == 26 else taken >= 7
    outcome = np.zeros(OUTCOME_COLUMNS, np.int64)
    worth = 250 if bid == 26 else 200
    outcome[AT.points] = worth if made else -worth
    outcome[AT.points + 1] = 0 if bid == 26 else 10 * (10 - taken)
    outcome[AT.tricks] = taken
    assert against_value(outcome, row, value, 0) == (tricks, points)


def test_one_pair_gains_what_the_other_loses() -> None:
    result = play_match("greedy", "random", boards=8)
    greedy, random = compare_play(result, 4)
    assert greedy.contractor_tricks is None or random.defence_tricks is not None
    assert random.contractor_tricks is not None
    assert greedy.defence_tricks is not None
    assert random.contractor_tricks.mean == -greedy.defence_tricks.mean
    assert random.contractor_tricks.mean < 0, "random card play takes fewer tricks than there are"


def test_without_contracts_there_is_nothing_to_compare() -> None:
    first, second = compare_play(play_match("passer", "passer", boards=2))
    assert first.to_dict() == second.to_dict() == dict.fromkeys(first.to_dict())

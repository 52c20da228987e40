"""Values of a position with all hands open: `solve` and `solve_moves`."""

from __future__ import annotations

import numpy as np

from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, DISCARD, N_ACTIONS, OVER
from five_hundred_env.core.state import BID, PHASE, TRICK_NUMBER
from five_hundred_env.errors import OrderError
from five_hundred_env.game import Game
from five_hundred_env.search.arguments import game_row
from five_hundred_env.search.discards import solve_discards
from five_hundred_env.search.solver import NO_VALUE, solve_row, solve_row_moves
from five_hundred_env.search.workspace import own_workspace


def solve(game: Game) -> int:
    """Return the value of a position: what perfect play by all leads to, all hands open.

    That is the number of tricks that the contractor's side takes in this deal, tricks already taken included. In a
    misère it is 1 if the contractor can be made to take a trick, else 0; where a misère is played out
    (``misere_defence=10``) it is the number of tricks that the contractor can be made to take. In a deal without
    contractor (``all_pass=no_trumps``) it is the number of tricks of side 0.

    Choices before the play belong to the contractor, who makes the best of them: the value of a position in the discard
    phase is that after the best discards, in the nominate phase that after the best nomination.

    Raises:
        OrderError: There is no contract: the auction is not over, or the deal was thrown in.
        OptionError: `game` is no `Game`.
    """
    row = game_row("solve", game)
    _check_contract(row)
    if int(row[PHASE]) == DISCARD:
        return solve_discards(game, best=1)[0][1]
    return int(solve_row(row, own_workspace()))


def solve_moves(game: Game) -> dict[str, int]:
    """Return the value after each legal action of the seat to move, in the nominate, play and name phases.

    Values are those of `solve`. In the play the value of a suitless joker that is led is that of the best name.

    Raises:
        OrderError: The position has no such action: it is in the auction or the discard phase, or the deal is over.
        OptionError: `game` is no `Game`.
    """
    row = game_row("solve_moves", game)
    phase = int(row[PHASE])
    if phase == OVER:
        raise OrderError("solve_moves: the deal is over, nobody is to move; solve gives its value")
    if phase == DISCARD:
        raise OrderError("solve_moves: in the discard phase ask solve_discards, which values whole discards")
    _check_contract(row)
    values = np.empty(N_ACTIONS, np.int64)
    solve_row_moves(row, own_workspace(), values)
    return {ACTION_NAMES[action]: int(values[action]) for action in range(N_ACTIONS) if values[action] != NO_VALUE}


def _check_contract(row: Row) -> None:
    """Make sure that a position has something to solve.

    Raises:
        OrderError: It is in the auction, or the deal was thrown in.
    """
    phase = int(row[PHASE])
    if phase == AUCTION:
        raise OrderError(
            "this deal has no contract yet (phase 'auction'): finish the auction, or use solve_table, "
            "which values every contract of a deal"
        )
    if phase == OVER and int(row[BID]) == 0 and int(row[TRICK_NUMBER]) == 0:
        raise OrderError("this deal was thrown in: it has no contract; use solve_table for what it held")

"""The best discards of a contractor: every choice of three cards out of thirteen, exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from five_hundred_env import notation
from five_hundred_env.core.cards import LOW_FOUR, POWER, Row
from five_hundred_env.core.constants import CARDS, DISCARD, JK, MIS, NO_TRUMPS, PHASES, SEATS
from five_hundred_env.core.state import BID, BIDDER, DISCARDS_LEFT, HAND, PHASE, RULE_PACK, STRAIN
from five_hundred_env.errors import OptionError, OrderError
from five_hundred_env.game import Game
from five_hundred_env.search.arguments import game_row
from five_hundred_env.search.position import ORDER
from five_hundred_env.search.solver import Values, solve_discards_row
from five_hundred_env.search.workspace import LANES, own_workspace


def solve_discards(game: Game, best: int = 3) -> list[tuple[list[str], int]]:
    """Return the best discards of the contractor with the values they lead to, the best first.

    All choices are considered, and the values are exact (see `solve`); of choices that differ only in cards of equal
    worth (neighbours once the other hands are counted) one is listed, which puts away the lowest.

    Args:
        game: A position in the discard phase; cards already put away stay so.
        best: How many choices are wanted; fewer come back where there are fewer.

    Raises:
        OrderError: The position is in another phase.
        OptionError: `best` is not positive; `game` is no `Game`.
    """
    row = game_row("solve_discards", game)
    phase = int(row[PHASE])
    if phase != DISCARD:
        raise OrderError(f"solve_discards: a position in phase {PHASES[phase]!r} has nothing to discard")
    if isinstance(best, bool) or not isinstance(best, int) or best < 1:
        raise OptionError(f"solve_discards: best is a positive integer, not {best!r}")
    return [(notation.mask_cards(mask), value) for mask, value in best_discards(row, best)]


def best_discards(row: Row, best: int) -> list[tuple[int, int]]:
    """Return the best discards of a row in the discard phase as (mask, value), the best first."""
    choices = _choices(row)
    chosen = np.zeros(min(best, len(choices)), np.int64)
    values = np.zeros(len(chosen), np.int64)
    found = int(solve_discards_row(row, own_workspace(), choices, chosen, values))
    return [(int(chosen[i]), int(values[i])) for i in range(found)]


def _runs(row: Row) -> list[list[int]]:
    """Return the contractor's cards in runs of equal worth, the lowest of a run first."""
    strain = int(row[STRAIN])
    contractor = int(row[BIDDER])
    hand = int(row[HAND + contractor])
    idle = contractor ^ 2 if int(row[BID]) >= MIS else -1
    others = sum(int(row[HAND + seat]) for seat in range(SEATS) if seat not in (contractor, idle))
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    # Without trumps each joker is a run of its own: it may be nominated.
    runs = [[joker] for joker in range(JK, CARDS) if strain == NO_TRUMPS and hand >> joker & 1]
    for lane in range(LANES):
        runs.append([])
        for card in ORDER[low, strain, lane]:
            if card >= 0 and hand >> int(card) & 1:
                runs[-1].insert(0, int(card))
            elif card >= 0 and others >> int(card) & 1:
                runs.append([])
    return [run for run in runs if run]


def _cuts(runs: list[list[int]], size: int) -> Iterator[list[int]]:
    """Yield every choice of `size` cards out of runs, each run cut from its low end."""
    if size == 0:
        yield []
    elif runs:
        for n in range(min(len(runs[0]), size) + 1):
            for rest in _cuts(runs[1:], size - n):
                yield runs[0][:n] + rest


def _choices(row: Row) -> Values:
    """Return the choices of discards that differ in worth, `[N] int64` masks, the likely ones first."""
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    power = POWER[low, int(row[STRAIN])]
    sign = -1 if int(row[BID]) >= MIS else 1
    ranked = [
        (sign * sum(int(power[card]) for card in cards), sum(1 << card for card in cards))
        for cards in _cuts(_runs(row), int(row[DISCARDS_LEFT]))
    ]
    ranked.sort()
    return np.array([mask for _, mask in ranked], np.int64)

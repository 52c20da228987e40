"""What `pimc` puts away: a few sets that look good, compared over worlds."""

from __future__ import annotations

from five_hundred_env.agents.pimc.memory import O_SET_GAIN, O_SETS, O_SPREAD, Memory
from five_hundred_env.agents.pimc.points import fill_points
from five_hundred_env.agents.pimc.worlds import MOVER, ROLLOUT, sample_worlds, spent
from five_hundred_env.agents.rule.kitty import choose_discard
from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import FIRST_CARD
from five_hundred_env.core.engine import apply
from five_hundred_env.core.observe import write_view
from five_hundred_env.core.state import BID, DISCARDS, DISCARDS_LEFT, HAND, RULE_KITTY, SEAT
from five_hundred_env.search.solver import solve_row
from five_hundred_env.search.workspace import NODES


@kernel
def complete_discards(row: Row, view: Row) -> None:
    """Put away what is left to put away, as `rule` does; the row is in the discard phase.

    Args:
        row: `[N_COLUMNS] int64` a state row.
        view: `[N_COLUMNS] int64` to work in.
    """
    while int(row[DISCARDS_LEFT]):
        seat = int(row[SEAT])
        write_view(row, seat, view)
        apply(row, FIRST_CARD + choose_discard(view, int(view[HAND])))


@kernel
def choose_set(view: Row, legal: int, key: int, m: Memory) -> int:
    """Choose the first card to put away; `rule` chooses those after it.

    Each card is looked at with the best cards to go along with it, so that sets which differ are compared.
    """
    usual = choose_discard(view, legal)
    most = int(m.options[O_SETS])
    if most < 2 or int(view[DISCARDS_LEFT]) < int(view[RULE_KITTY]):
        return FIRST_CARD + usual
    count = sample_worlds(view, m, key)
    fill_points(view, int(view[BID]), 0, 0.0, float(m.options[O_SPREAD]), m.points)
    best = usual
    worth = _worth_of(view, usual, count, m) + float(m.options[O_SET_GAIN])
    before = int(m.solver[NODES])
    rest = legal & ~_completed(view, usual, m)
    for _ in range(most - 1):
        if rest == 0 or spent(m, before):
            break
        card = _next_best(view, rest)
        rest &= ~(1 << card)
        value = _worth_of(view, card, count, m)
        if value > worth:
            worth = value
            best = card
    return FIRST_CARD + best


@kernel
def _next_best(view: Row, cards: int) -> int:
    """Return which of some cards `rule` would put away first."""
    return choose_discard(view, cards) if popcount(cards) >= int(view[DISCARDS_LEFT]) else lowest(cards)


@kernel
def _completed(view: Row, card: int, m: Memory) -> int:
    """Return the set that is put away when a card goes first, a mask."""
    row = m.rows[ROLLOUT]
    for column in range(len(row)):
        row[column] = view[column]
    apply(row, FIRST_CARD + card)
    complete_discards(row, m.rows[MOVER])
    return int(row[DISCARDS])


@kernel
def _worth_of(view: Row, card: int, count: int, m: Memory) -> float:
    """Return the mean points over the worlds when a card goes first."""
    away = _completed(view, card, m)
    row = m.rows[ROLLOUT]
    total = 0.0
    for n in range(count):
        world = int(m.chosen[n])
        for column in range(len(row)):
            row[column] = m.worlds[world, column]
        rest = away
        while rest:
            apply(row, FIRST_CARD + lowest(rest))
            rest &= rest - 1
        total += float(m.weights[world]) * m.points[solve_row(row, m.solver)]
    return total

"""The worlds that `pimc` searches: drawn for its view, weighted by the calls, discards made sensible."""

from __future__ import annotations

from five_hundred_env.agents.pimc.memory import O_BUDGET, O_CANDIDATES, O_DOUBT, O_WORLDS, Memory
from five_hundred_env.agents.rule import decide_rule
from five_hundred_env.agents.rule.kitty import choose_discard
from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.actions import bid_strain
from five_hundred_env.core.bidding import apply_call, legal_calls
from five_hundred_env.core.cards import Row, effective_suit, suitless_jokers
from five_hundred_env.core.constants import AUCTION, DECLINED, DISCARD, JK, PASS, SUITS
from five_hundred_env.core.observe import write_view
from five_hundred_env.core.state import (
    BIDDER,
    CALLS_MADE,
    DISCARDS,
    DISCARDS_LEFT,
    HAND,
    NOMINATED,
    PHASE,
    PLAYED,
    RULE_KITTY,
    SEAT,
    VOIDS,
)
from five_hundred_env.search.sampling import begin_auction, draw_world, next_call, prepare_worlds, resample
from five_hundred_env.search.workspace import GENERATION, KILLERS, MAX_FRAMES, NODES

ROLLOUT, MOVER, _AUCTION, _CALLER = range(4)


@kernel
def sample_worlds(view: Row, m: Memory, key: int) -> int:
    """Draw worlds for a view; return how many different ones are to be searched.

    They are `m.worlds[m.chosen[n]]` with the weight `m.weights[m.chosen[n]]`; the weights sum up to 1.
    """
    forget(m)
    wanted = int(m.options[O_WORLDS])
    count = wanted
    if prepare_worlds(view, m.groups, m.ways) <= 1.0:
        wanted = 1
        count = 1
    elif _has_story(view):
        count = wanted * int(m.options[O_CANDIDATES])
    for n in range(count):
        draw_world(view, m.groups, m.ways, key, n, m.worlds[n])
        m.weights[n] = 1.0 if count == wanted else likelihood(m.worlds[n], m)
    different = resample(m.weights, count, wanted, key, m.chosen)
    contractor = int(view[BIDDER])
    phase = int(view[PHASE])
    if contractor > 0 and phase not in (AUCTION, DISCARD) and int(view[HAND + contractor]) == 0:
        for n in range(different):
            tidy_discards(m.worlds[int(m.chosen[n])], m)
    return different


@kernel
def forget(m: Memory) -> None:
    """Forget what was searched before, where nodes are counted: the count must not depend on it."""
    if m.options[O_BUDGET] > 0:
        m.solver[GENERATION] += 1
        for frame in range(MAX_FRAMES):
            m.solver[KILLERS + frame] = 0


@kernel
def spent(m: Memory, before: int) -> bool:
    """Tell whether a decision has to end: its time is over, or the nodes visited since a count are its budget."""
    budget = int(m.options[O_BUDGET])
    return int(m.stop[0]) != 0 or (budget > 0 and int(m.solver[NODES]) - before > budget)


@kernel
def _has_story(view: Row) -> bool:
    """Tell whether another seat has called."""
    return int(view[CALLS_MADE]) > 0


@kernel
def likelihood(world: Row, m: Memory) -> float:
    """Return how likely the calls of the other seats are in a world, if all bid as `rule` does but now and then."""
    doubt = float(m.options[O_DOUBT])
    row = m.rows[_AUCTION]
    begin_auction(world, row)
    likely = 1.0
    while True:
        call = next_call(world, row)
        if call < 0:
            break
        seat = int(row[SEAT])
        if seat:
            write_view(row, seat, m.rows[_CALLER])
            expected = decide_rule(m.rows[_CALLER], legal_calls(row), 0)
            if expected != call:
                near = expected != PASS and call != PASS and bid_strain(expected) == bid_strain(call)
                likely *= doubt**0.5 if near else doubt
        apply_call(row, call)
    if int(world[NOMINATED]) == DECLINED and int(world[BIDDER]) > 0:
        contractor = int(world[BIDDER])
        if (int(world[HAND + contractor]) | int(world[PLAYED + contractor])) >> JK & 1:
            likely *= doubt
    return likely


@kernel
def tidy_discards(world: Row, m: Memory) -> None:
    """Let the contractor of a world have put away what `rule` would have, as far as the play allows.

    A contractor chooses its discards, so cards that are as likely put away as kept are not what it holds.
    """
    contractor = int(world[BIDDER])
    pool = int(world[HAND + contractor]) | int(world[DISCARDS])
    barred = _barred(world, contractor, pool)
    kept = _kept(world, pool)
    row = m.rows[_AUCTION]
    for column in range(len(row)):
        row[column] = world[column]
    row[PHASE] = DISCARD
    row[SEAT] = contractor
    row[DISCARDS] = barred
    row[HAND + contractor] = (pool & ~barred) | int(world[PLAYED + contractor])
    left = int(world[RULE_KITTY]) - popcount(barred)
    for _ in range(left):
        row[DISCARDS_LEFT] = left
        write_view(row, contractor, m.rows[_CALLER])
        card = choose_discard(m.rows[_CALLER], int(row[HAND + contractor]) & pool & ~kept)
        row[HAND + contractor] &= ~(1 << card)
        row[DISCARDS] |= 1 << card
        left -= 1
    world[DISCARDS] = row[DISCARDS]
    world[HAND + contractor] = pool & ~int(row[DISCARDS])


@kernel
def _barred(world: Row, seat: int, pool: int) -> int:
    """Return those of some cards that the play says are not in a hand: put away, so not chosen anew."""
    barred = 0
    loose = suitless_jokers(world)
    voids = int(world[VOIDS]) >> (SUITS * seat) & 15
    rest = pool
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if loose >> card & 1:
            # Kept where it was drawn: what the play says about it is the sampler's.
            if int(world[DISCARDS]) >> card & 1:
                barred |= 1 << card
        elif voids >> effective_suit(world, card) & 1:
            barred |= 1 << card
    return barred


@kernel
def _kept(world: Row, pool: int) -> int:
    """Return the jokers that are in the contractor's hand for certain or were drawn there."""
    return pool & (3 << JK) & ~int(world[DISCARDS])

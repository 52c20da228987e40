"""How `pimc` calls: in each world the auction is ended as `rule` would end it, and the contract solved."""

from __future__ import annotations

from five_hundred_env.agents.pimc.kitty import complete_discards
from five_hundred_env.agents.pimc.memory import KINDS, O_BID_GAIN, O_BID_NEAR, O_BID_TRUST, O_BIDS, O_EDGE, Memory
from five_hundred_env.agents.pimc.points import expected_points, misere_points, no_points
from five_hundred_env.agents.pimc.worlds import MOVER, ROLLOUT, sample_worlds, spent
from five_hundred_env.agents.rule import decide_rule
from five_hundred_env.agents.rule.bidding import MARGIN, MISERE_MARGIN, misere_chance, own_mean, pass_value, spread_of
from five_hundred_env.core._jit import kernel, lowest
from five_hundred_env.core.actions import bid_strain
from five_hundred_env.core.bidding import legal_calls
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, CALLS, DISCARD, MIS, NO_TRUMPS, OVER, PASS, SEATS
from five_hundred_env.core.engine import apply
from five_hundred_env.core.observe import write_view
from five_hundred_env.core.state import BID, BIDDER, PHASE, SEAT
from five_hundred_env.search.solver import solve_row
from five_hundred_env.search.workspace import NODES

UNSOLVED = -1
SUIT_SHIFT, SUIT_SPREAD = -0.5, 0.95
NT_SHIFT, NT_SPREAD = -1.0, 1.8
"""Tricks that contractors take more than with open cards, and how far that varies; measured over 1,500 deals."""
SAFE_MADE, BROKEN_MADE, BROKEN_MADE_BY_THEM = 0.94, 0.5, 0.15
"""How often a misère is made that open cards make, and one that they break: against `rule`, and against this agent."""


@kernel
def choose_call(view: Row, legal: int, key: int, m: Memory) -> int:
    """Choose a call: the usual one unless worlds say that another near it is better."""
    usual = decide_rule(view, legal, key)
    if int(m.options[O_BIDS]) == 0:
        return usual
    calls = near_calls(view, legal, usual, m)
    if calls & (calls - 1) == 0:
        return usual
    for call in range(CALLS):
        m.worth[0, call] = 0.0
    before = int(m.solver[NODES])
    searched = 0.0
    for n in range(sample_worlds(view, m, key)):
        world = int(m.chosen[n])
        for kind in range(SEATS * KINDS):
            m.tricks[world, kind] = UNSOLVED
        searched += float(m.weights[world])
        rest = calls
        while rest:
            call = lowest(rest)
            rest &= rest - 1
            m.worth[0, call] += float(m.weights[world]) * call_points(world, call, m)
        if spent(m, before):
            break
    trust = float(m.options[O_BID_TRUST])
    best = usual
    worth = -1.0e9
    while calls:
        call = lowest(calls)
        calls &= calls - 1
        value = trust * m.worth[0, call] / searched + (1.0 - trust) * m.worth[1, call]
        if call == usual:
            value += m.options[O_BID_GAIN]
        if value > worth:
            worth = value
            best = call
    return best


@kernel
def near_calls(view: Row, legal: int, usual: int, m: Memory) -> int:
    """Return the calls that look nearly as good as the best by the hand alone, and write what they look worth."""
    best = pass_value(view)
    m.worth[1, PASS] = best
    for bid in range(1, CALLS):
        if legal >> bid & 1:
            m.worth[1, bid] = _hand_points(view, bid, float(m.options[O_EDGE]))
            best = max(best, float(m.worth[1, bid]))
    calls = 1 << usual
    for call in range(CALLS):
        if legal >> call & 1 and float(m.worth[1, call]) >= best - float(m.options[O_BID_NEAR]):
            calls |= 1 << call
    return calls


@kernel
def _hand_points(view: Row, bid: int, edge: float) -> float:
    """Return what a bid is worth as the contract, by the hand and the calls alone."""
    if bid >= MIS:
        return misere_points(view, bid, 0, misere_chance(view, bid)) - MISERE_MARGIN
    strain = bid_strain(bid)
    return expected_points(view, bid, 0, own_mean(view, strain) + edge, spread_of(strain)) - MARGIN


@kernel
def call_points(world: int, call: int, m: Memory) -> float:
    """Return what a world comes to after a call of seat 0, points."""
    row = m.rows[ROLLOUT]
    for column in range(len(row)):
        row[column] = m.worlds[world, column]
    apply(row, call)
    while int(row[PHASE]) == AUCTION:
        seat = int(row[SEAT])
        write_view(row, seat, m.rows[MOVER])
        apply(row, decide_rule(m.rows[MOVER], legal_calls(row), 0))
    bid = int(row[BID])
    if int(row[PHASE]) == OVER:
        return no_points(row)
    seat = int(row[BIDDER]) if bid else 0
    # With all passed out to no trumps `bid` is 0 and nobody's contract: side 0's tricks are counted.
    kind = (NO_TRUMPS + 1 + bid - MIS) if bid >= MIS else bid_strain(bid) if bid else NO_TRUMPS
    place = seat * KINDS + kind
    if int(m.tricks[world, place]) == UNSOLVED:
        if int(row[PHASE]) == DISCARD:
            complete_discards(row, m.rows[MOVER])
        m.tricks[world, place] = solve_row(row, m.solver)
    edge = float(m.options[O_EDGE])
    return solved_points(m.worlds[world], bid, seat & 1, int(m.tricks[world, place]), edge if seat & 1 == 0 else -edge)


@kernel
def solved_points(view: Row, bid: int, side: int, tricks: int, edge: float) -> float:
    """Return what a contract is worth that open cards bring to some tricks, points."""
    if bid >= MIS:
        broken = BROKEN_MADE_BY_THEM if side else BROKEN_MADE
        return misere_points(view, bid, side, broken if tricks else SAFE_MADE)
    if bid == 0 or bid_strain(bid) == NO_TRUMPS:
        return expected_points(view, bid, side, tricks + NT_SHIFT + edge, NT_SPREAD)
    return expected_points(view, bid, side, tricks + SUIT_SHIFT + edge, SUIT_SPREAD)

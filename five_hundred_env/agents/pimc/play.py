"""How `pimc` plays a card, names and nominates: by the mean over worlds of what open cards make of each choice."""

from __future__ import annotations

from five_hundred_env.agents.pimc.memory import O_DEPTH, O_SPREAD, O_TIE, Memory
from five_hundred_env.agents.pimc.points import fill_points
from five_hundred_env.agents.pimc.worlds import sample_worlds, spent
from five_hundred_env.agents.rule import decide_rule
from five_hundred_env.agents.rule.knowledge import cards_out, height
from five_hundred_env.core._jit import kernel, lowest
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row, effective_suit
from five_hundred_env.core.constants import N_ACTIONS, PLAY, SEATS
from five_hundred_env.core.play import tricks_left
from five_hundred_env.core.state import BID, BIDDER, PHASE, TRICK
from five_hundred_env.search.solver import solve_row_moves
from five_hundred_env.search.workspace import NODES


@kernel
def choose_by_worlds(view: Row, legal: int, key: int, m: Memory) -> int:
    """Choose an action of the nominate, play or name phase."""
    usual = decide_rule(view, legal, key)
    if tricks_left(view) > int(m.options[O_DEPTH]):
        return usual
    if legal & (legal - 1) == 0 or (int(view[PHASE]) == PLAY and _one_class(view, legal)):
        return usual
    spread = float(m.options[O_SPREAD]) * (tricks_left(view) / 10.0) ** 0.5
    side = int(view[BIDDER]) & 1 if int(view[BID]) else 0
    fill_points(view, int(view[BID]), side, 0.0, spread, m.points)
    _sum_points(view, legal, key, m)
    best = usual
    worth = float(m.worth[0, usual]) + float(m.options[O_TIE])
    first = first_action(int(view[PHASE]))
    while legal:
        action = first + lowest(legal)
        legal &= legal - 1
        if m.worth[0, action] > worth:
            worth = float(m.worth[0, action])
            best = action
    return best


@kernel
def _sum_points(view: Row, legal: int, key: int, m: Memory) -> None:
    """Write the mean points of each legal action over the worlds."""
    for action in range(N_ACTIONS):
        m.worth[0, action] = 0.0
    first = first_action(int(view[PHASE]))
    before = int(m.solver[NODES])
    searched = 0.0
    for n in range(sample_worlds(view, m, key)):
        world = int(m.chosen[n])
        solve_row_moves(m.worlds[world], m.solver, m.values)
        weight = float(m.weights[world])
        searched += weight
        rest = legal
        while rest:
            action = first + lowest(rest)
            rest &= rest - 1
            m.worth[0, action] += weight * m.points[int(m.values[action])]
        if spent(m, before):
            break
    for action in range(N_ACTIONS):
        m.worth[0, action] /= searched


@kernel
def _one_class(view: Row, legal: int) -> bool:
    """Tell whether the cards that may be played are as good as each other: one suit, none of others between."""
    suit = effective_suit(view, lowest(legal))
    low = 99
    high = -1
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if effective_suit(view, card) != suit or suit < 0:
            return False
        low = min(low, height(view, card))
        high = max(high, height(view, card))
    others = cards_out(view)
    for seat in range(SEATS):
        if int(view[TRICK + seat]) >= 0:
            others |= 1 << int(view[TRICK + seat])
    while others:
        card = lowest(others)
        others &= others - 1
        if effective_suit(view, card) == suit and low < height(view, card) < high:
            return False
    return True

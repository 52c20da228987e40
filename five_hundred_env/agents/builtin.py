"""The built-in agents behind one kernel, for compiled code that seats different ones at a table."""

from __future__ import annotations

from five_hundred_env.agents.greedy import decide_greedy
from five_hundred_env.agents.probes import decide_overbidder
from five_hundred_env.agents.rule import decide_rule
from five_hundred_env.agents.simple import decide_misere_spammer, decide_passer, decide_random
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row

RANDOM, PASSER, GREEDY, RULE, OVERBIDDER, MISERE_SPAMMER = range(6)
CODES = {
    "random": RANDOM,
    "passer": PASSER,
    "greedy": GREEDY,
    "rule": RULE,
    "overbidder": OVERBIDDER,
    "misere_spammer": MISERE_SPAMMER,
}
"""The code of each built-in agent by name."""


@kernel
def decide(code: int, view: Row, legal: int, key: int) -> int:
    """Choose as a built-in agent does.

    Args:
        code: One of `CODES`.
        view: `[N_COLUMNS] int64`, a view row of the seat to move.
        legal: Its legal actions, bits from `core.actions.first_action` of the phase.
        key: 64 random bits.

    Returns:
        An action id; `--` when nothing is legal.
    """
    if code == RULE:
        return decide_rule(view, legal, key)
    if code == GREEDY:
        return decide_greedy(view, legal, key)
    if code == OVERBIDDER:
        return decide_overbidder(view, legal, key)
    if code == PASSER:
        return decide_passer(view, legal, key)
    if code == MISERE_SPAMMER:
        return decide_misere_spammer(view, legal, key)
    return decide_random(view, legal, key)

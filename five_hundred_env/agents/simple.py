"""Agents without judgement: `random`, `passer`, and the probe `misere_spammer`.

They show what a policy must beat before anything else is worth measuring.
"""

from __future__ import annotations

from five_hundred_env.agents.base import KernelAgent, draw, draw_action
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, MIS, NOOP, OMIS, PASS
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.state import PHASE


@kernel
def decide_random(view: Row, legal: int, key: int) -> int:
    """Choose any legal action, each as likely as the others."""
    return draw_action(view, legal, key)


@kernel
def decide_passer(view: Row, legal: int, key: int) -> int:
    """Pass; outside the auction choose at random."""
    if int(view[PHASE]) == AUCTION and legal >> PASS & 1:
        return PASS
    return draw_action(view, legal, key)


@kernel
def decide_misere_spammer(view: Row, legal: int, key: int) -> int:
    """Bid misère when it is legal, else open misère, else pass; outside the auction choose at random."""
    if int(view[PHASE]) == AUCTION:
        if legal >> MIS & 1:
            return MIS
        if legal >> OMIS & 1:
            return OMIS
    return decide_passer(view, legal, key)


@kernel
def draw_masked(mask: Bytes, key: int) -> int:
    """Return what `draw_action` returns, from a mask `[A] int8`."""
    count = 0
    for action in range(NOOP):
        count += 1 if mask[action] else 0
    left = draw(key, count)
    for action in range(NOOP):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return NOOP


# For these agents the mask is enough: PASS is legal in the auction only, and there always.
@kernel
def act_random(_observation: Bytes, mask: Bytes, keys: Row, _view: Row, actions: Row) -> None:
    """Fill the actions of `random`."""
    for n in range(len(keys)):
        actions[n] = draw_masked(mask[n], int(keys[n]))


@kernel
def act_passer(_observation: Bytes, mask: Bytes, keys: Row, _view: Row, actions: Row) -> None:
    """Fill the actions of `passer`."""
    for n in range(len(keys)):
        actions[n] = PASS if mask[n, PASS] else draw_masked(mask[n], int(keys[n]))


@kernel
def act_misere_spammer(_observation: Bytes, mask: Bytes, keys: Row, _view: Row, actions: Row) -> None:
    """Fill the actions of `misere_spammer`."""
    for n in range(len(keys)):
        if mask[n, MIS]:
            actions[n] = MIS
        elif mask[n, OMIS]:
            actions[n] = OMIS
        else:
            actions[n] = PASS if mask[n, PASS] else draw_masked(mask[n], int(keys[n]))


random = KernelAgent("random", decide_random, act_random)
passer = KernelAgent("passer", decide_passer, act_passer)
misere_spammer = KernelAgent("misere_spammer", decide_misere_spammer, act_misere_spammer)

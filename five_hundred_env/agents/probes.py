"""`overbidder`: the probe that plays like `rule` and bids one level more than it."""

from __future__ import annotations

from five_hundred_env.agents.base import KernelAgent, read_position
from five_hundred_env.agents.rule import decide_rule
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, FIRST_BID, LAST_BID, STRAINS
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.state import PHASE


@kernel
def decide_overbidder(view: Row, legal: int, key: int) -> int:
    """Choose as `rule` does, but where it bids for tricks, bid one more in the same strain."""
    action = decide_rule(view, legal, key)
    if int(view[PHASE]) == AUCTION and FIRST_BID <= action <= LAST_BID - STRAINS and legal >> (action + STRAINS) & 1:
        return action + STRAINS
    return action


@kernel
def act_overbidder(observation: Bytes, mask: Bytes, keys: Row, view: Row, actions: Row) -> None:
    """Fill the actions of `overbidder`."""
    for n in range(len(keys)):
        legal = read_position(observation[n], mask[n], view)
        actions[n] = decide_overbidder(view, legal, int(keys[n]))


overbidder = KernelAgent("overbidder", decide_overbidder, act_overbidder)

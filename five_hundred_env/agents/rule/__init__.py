"""`rule`, version 1: a player by measured rules of thumb, the fixed yardstick of all ratings.

`hand` values hands, `bidding` bids, `kitty` puts away and nominates, `knowledge` counts what is gone, `play` takes
tricks and `misere` avoids or forces them. It uses no random bits: its choice is a function of what it sees.

Its decisions never change within a version; a better player gets another name or version.
"""

from __future__ import annotations

from five_hundred_env.agents.base import KernelAgent, read_position
from five_hundred_env.agents.rule.bidding import choose_call
from five_hundred_env.agents.rule.kitty import choose_discard, choose_name, choose_nomination
from five_hundred_env.agents.rule.misere import choose_misere_card
from five_hundred_env.agents.rule.play import choose_trick_card
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, DISCARD, FIRST_CARD, FIRST_NAME, NOMINATE, NOOP, PLAY
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.play import is_misere
from five_hundred_env.core.state import PHASE


@kernel
def decide_rule(view: Row, legal: int, _key: int) -> int:
    """Choose as `rule` does."""
    phase = int(view[PHASE])
    if legal == 0:
        return NOOP
    if phase == PLAY:
        if is_misere(view):
            return FIRST_CARD + choose_misere_card(view, legal)
        return FIRST_CARD + choose_trick_card(view, legal)
    if phase == AUCTION:
        return choose_call(view, legal)
    if phase == DISCARD:
        return FIRST_CARD + choose_discard(view, legal)
    if phase == NOMINATE:
        return FIRST_NAME + choose_nomination(view, legal)
    return FIRST_NAME + choose_name(view, legal)


@kernel
def act_rule(observation: Bytes, mask: Bytes, keys: Row, view: Row, actions: Row) -> None:
    """Fill the actions of `rule`."""
    for n in range(len(keys)):
        legal = read_position(observation[n], mask[n], view)
        actions[n] = decide_rule(view, legal, int(keys[n]))


VERSION = 1

rule = KernelAgent("rule", decide_rule, act_rule, VERSION)

"""Probe agents: `rule` with one habit changed, to see whether an agent can be taken advantage of."""

from __future__ import annotations

import numpy as np

from five_hundred_env.agents import load_agent
from five_hundred_env.agents.base import Actions, Agent, Keys
from five_hundred_env.core.constants import FIRST_BID, LAST_BID, PASS, STRAINS
from five_hundred_env.core.observe import Bytes


class BiddingProbe:
    """An agent whose bids are moved by whole levels, or left out.

    Args:
        name: Its name.
        levels: By how many levels its bids are raised; a raised bid that is not legal stays as it was, a lowered one
            becomes a pass. None leaves all bids out.
        base: Who bids before that, and plays.
    """

    version = 1

    def __init__(self, name: str, levels: int | None, base: Agent | None = None) -> None:
        self.name = name
        self.levels = levels
        self._base = base or load_agent("rule")

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision, `Agent.act`."""
        actions = self._base.act(observation, mask, keys)
        if self.levels is None:
            return np.where(mask[:, PASS] != 0, PASS, actions)
        bids = (mask[:, PASS] != 0) & (actions >= FIRST_BID) & (actions <= LAST_BID)
        moved = np.where(bids, actions + STRAINS * self.levels, PASS)
        legal = bids & (moved >= FIRST_BID) & (moved <= LAST_BID)
        legal &= mask[np.arange(len(keys)), np.where(legal, moved, PASS)] != 0
        instead = actions if self.levels > 0 else np.full_like(actions, PASS)
        return np.where(bids, np.where(legal, moved, instead), actions)


def overbidder() -> BiddingProbe:
    """Return an agent that bids one level more than `rule`."""
    return BiddingProbe("overbidder", 1)


def underbidder() -> BiddingProbe:
    """Return an agent that bids one level less than `rule`."""
    return BiddingProbe("underbidder", -1)


def never_bidder() -> BiddingProbe:
    """Return an agent that never bids and plays like `rule`."""
    return BiddingProbe("never_bidder", None)

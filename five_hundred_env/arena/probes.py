"""Probe agents: `rule` with its bids lowered or left out. `overbidder` and `misere_spammer` are built-in agents."""

from __future__ import annotations

import numpy as np

from five_hundred_env.agents import load_agent
from five_hundred_env.agents.base import Actions, Agent, Keys
from five_hundred_env.core.constants import FIRST_BID, LAST_BID, PASS, STRAINS
from five_hundred_env.core.observe import Bytes


class BiddingProbe:
    """An agent that lowers the bids of another, or leaves them out.

    Args:
        name: Its name.
        levels: By how many levels its bids are lowered; a lowered bid that is not legal becomes a pass. None leaves
            all bids out, misères too.
        base: Who bids before that, and plays; None for `rule`.
    """

    version = 1

    def __init__(self, name: str, levels: int | None, base: Agent | None = None) -> None:
        self.name = name
        self.levels = levels
        self._base = base or load_agent("rule")

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision, `Agent.act`."""
        actions = self._base.act(observation, mask, keys)
        auction = mask[:, PASS] != 0
        if self.levels is None:
            return np.where(auction, PASS, actions)
        bids = auction & (actions >= FIRST_BID) & (actions <= LAST_BID)
        lowered = np.where(bids, actions - STRAINS * self.levels, PASS)
        legal = bids & (lowered >= FIRST_BID)
        legal &= mask[np.arange(len(keys)), np.where(legal, lowered, PASS)] != 0
        return np.where(bids, np.where(legal, lowered, PASS), actions)


def underbidder() -> BiddingProbe:
    """Return an agent that bids one level less than `rule`."""
    return BiddingProbe("underbidder", 1)


def never_bidder() -> BiddingProbe:
    """Return an agent that never bids and plays like `rule`."""
    return BiddingProbe("never_bidder", None)

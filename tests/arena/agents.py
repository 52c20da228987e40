"""Agents that tests play, some of them on purpose badly."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from five_hundred_env.agents import load_agent
from five_hundred_env.core.constants import FIRST_BID, LAST_BID, PASS


class Scripted:
    """Plays like `random`, but answers what `answer` makes of it."""

    def __init__(self, name: str = "scripted") -> None:
        self.name = name
        self._random = load_agent("random")

    def act(self, observation: Any, mask: Any, keys: Any) -> Any:
        self.mask, self.keys = mask, keys
        return self.answer(self._random.act(observation, mask, keys))

    def answer(self, actions: Any) -> Any:
        return actions


class Opener(Scripted):
    """Opens with 6S, and passes when it is too late for that."""

    def answer(self, actions: Any) -> Any:
        opens = self.mask[:, FIRST_BID] != 0
        passes = (self.mask[:, PASS] != 0) & ~opens
        return np.where(opens, FIRST_BID, np.where(passes, PASS, actions))


class HighBidder(Scripted):
    """Bids 10NT as soon as it may, and so fails nearly always."""

    def answer(self, actions: Any) -> Any:
        return np.where(self.mask[:, LAST_BID] != 0, LAST_BID, actions)


class Illegal(Scripted):
    """Answers with an illegal action whenever the low bits of the key say so."""

    def answer(self, actions: Any) -> Any:
        return np.where(self.keys % np.uint64(64) == 0, 79, actions)


class Raising(Scripted):
    """Raises when a certain key is in the batch."""

    def answer(self, actions: Any) -> Any:
        if (self.keys % np.uint64(64) == 0).any():
            raise RuntimeError("out of luck")
        return actions


class NotANumber(Scripted):
    """Answers with numbers of which some are NaN."""

    def answer(self, actions: Any) -> Any:
        if (self.keys % np.uint64(64) == 0).any():
            return np.where(self.keys % np.uint64(64) == 0, np.nan, actions)
        return actions


class Slow(Scripted):
    """Takes its time."""

    def answer(self, actions: Any) -> Any:
        time.sleep(0.33)
        return actions


class Short(Scripted):
    """Answers one decision too few."""

    def answer(self, actions: Any) -> Any:
        return actions[:-1]

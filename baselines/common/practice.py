"""Contracts to practise on: at some tables the calls are not the policy's own.

A policy that knows nothing loses every contract, learns to pass, and so never plays a card it could learn from. At a
practice table a seat opens with a bid in its longest suit, the others pass, and the policy plays the cards. It learns
from all its own decisions there, and what a contract is worth makes its own calls at the other tables pay.

Or an agent makes the calls (`Callers`): the policy learns to play the contracts of that agent before it bids itself.
"""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from baselines.common.rollouts import Integers, Source
from five_hundred_env.agents import load_agent
from five_hundred_env.core.actions import CALL_NAMES
from five_hundred_env.core.constants import FIRST_BID, OMIS, PASS, RANKS, STRAINS, SUITS
from five_hundred_env.core.observe import AT_HAND, field

OPENING = 0.4
"""How likely a seat opens when nobody has bid."""
CALLS = (*range(FIRST_BID, FIRST_BID + 3 * STRAINS, STRAINS), CALL_NAMES.index("6NT"), OMIS)
"""What it opens with: six, seven or eight (spades, to be moved to its longest suit), six no trumps, open misère."""
CHANCES = (0.5, 0.25, 0.1, 0.1, 0.05)


class Practice:
    """Who calls at the practice tables, which are the first ones."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.Generator(np.random.PCG64([seed, 1]))

    def decide(self, source: Source, tables: int) -> tuple[Integers, Integers]:
        """Return which of the first `tables` tables of the run are in the auction, and the calls there."""
        draws = self.generator.random((tables, 2))[source.part]
        mover = np.flatnonzero(source.mask[: len(draws), PASS])
        draws = draws[mover]
        calls = np.full(len(mover), PASS, np.int64)
        bid = field("bid")
        silent = ~source.observation[mover, bid.start : bid.stop].any(axis=1)
        opens = np.flatnonzero(silent & (draws[:, 0] < OPENING))
        choice = np.searchsorted(np.cumsum(CHANCES), draws[opens, 1], side="right").clip(max=len(CALLS) - 1)
        calls[opens] = np.array(CALLS)[choice] + np.where(choice < 3, longest_suit(source.observation[mover[opens]]), 0)
        return mover, calls

    def save(self) -> str:
        """Return the state of the generator as text."""
        return json.dumps(self.generator.bit_generator.state)

    def load(self, text: str) -> None:
        """Go on from what `save` returned."""
        self.generator.bit_generator.state = json.loads(text)


class Callers:
    """An agent that makes the calls at some tables in the policy's place, so that it learns to play cards first."""

    def __init__(self, name: str | None, tables: int, seed: int) -> None:
        """Name the agent.

        Args:
            name: As `load_agent` knows it; None for nobody.
            tables: How many tables the run has.
            seed: Of its keys.

        Raises:
            AgentError: There is no such agent.
        """
        self.agent = load_agent(name) if name is not None else None
        self.tables = tables
        self.generator = np.random.Generator(np.random.PCG64([seed, 2]))

    def decide(self, source: Source, first: int, last: int) -> tuple[Integers, Integers]:
        """Return which of the tables `first` to `last` - 1 of the run are in the auction, and the calls there."""
        if self.agent is None or first >= last:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        keys = self.generator.integers(0, 2**64, self.tables, np.uint64)[source.part]
        number = np.arange(source.part.start, source.part.stop)
        mover = np.flatnonzero((source.mask[:, PASS] != 0) & (number >= first) & (number < last))
        return mover, self.agent.act(source.observation[mover], source.mask[mover], keys[mover])

    def save(self) -> str:
        """Return the state of the generator as text, nothing for nobody."""
        return json.dumps(self.generator.bit_generator.state) if self.agent is not None else ""

    def load(self, text: str) -> None:
        """Go on from what `save` returned."""
        if self.agent is not None:
            self.generator.bit_generator.state = json.loads(text)


def longest_suit(observation: npt.NDArray[np.int8]) -> Integers:
    """Return the suit that each hand `[B, O]` holds most cards of, the lowest of several, jokers left out."""
    cards = observation[:, AT_HAND : AT_HAND + SUITS * RANKS].reshape(len(observation), SUITS, RANKS)
    suits: Integers = cards.sum(axis=2, dtype=np.int64).argmax(axis=1)
    return suits

"""Agents that sit at some of the tables against the policy in training."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from baselines.common.rollouts import Integers, Source
from five_hundred_env.agents import load_agent
from five_hundred_env.agents.base import Agent
from five_hundred_env.agents.network import load_network
from five_hundred_env.errors import CheckpointError, OptionError

SNAPSHOTS = "snapshots"
"""Name that stands for the past policies of the same run."""


class Opponents:
    """One side of some tables, played by a named agent or a past policy, drawn anew for each iteration.

    They sit at the last tables; at even ones they are side 0, at odd ones side 1. Whom they play against learns from
    its own decisions, as everywhere.
    """

    def __init__(self, names: tuple[str, ...], share: float, tables: int, folder: Path, seed: int) -> None:
        """Seat the opponents.

        Args:
            names: Agents, and `snapshots` for past policies; each is as likely as the others.
            share: Part of the tables, 0 to 1.
            tables: How many tables the run has.
            folder: Where the snapshots are, `*.safetensors` in the order of their names.
            seed: Of who is drawn and of the keys.

        Raises:
            OptionError: The share is out of range, or there are no names for it.
            AgentError: There is no such agent.
        """
        if not 0 <= share <= 1:
            raise OptionError(f"opponent_share is a part of the tables, 0 to 1, not {share}")
        if share and not names:
            raise OptionError(f"opponent_share is {share}, and opponents names none")
        self.names = names
        self.folder = folder
        for name in names:
            if name != SNAPSHOTS:
                load_agent(name)
        numbers = np.arange(tables)
        self._side = np.where(numbers >= tables - round(share * tables), numbers % 2, -1)
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._current: str | None = None
        self._agent: Agent | None = None

    def change(self, last_snapshot: str) -> None:
        """Draw the opponent of the next iteration.

        Args:
            last_snapshot: Name of the newest snapshot that may be drawn; later ones, of a run that was killed, may not.
        """
        if not (self._side >= 0).any():
            return
        pool = [name for name in self.names if name != SNAPSHOTS]
        if SNAPSHOTS in self.names:
            past = sorted(path.name for path in self.folder.glob("*.safetensors") if path.name <= last_snapshot)
            share = max(len(pool), 1)
            pool = pool * max(len(past), 1) + [f"{SNAPSHOTS}/{name}" for name in past] * share
        self._sit(pool[int(self._generator.integers(len(pool)))] if pool else None)

    def _sit(self, name: str | None) -> None:
        """Let an agent play from now on."""
        if name == self._current:
            return
        self._current = name
        if name is None:
            self._agent = None
        elif name.startswith(SNAPSHOTS + "/"):
            self._agent = load_network(self.folder / name.partition("/")[2], greedy=False)
        else:
            self._agent = load_agent(name)

    def decide(self, source: Source) -> tuple[Integers, Integers]:
        """Return the tables where an opponent is to move, and its actions."""
        if self._agent is None:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        tables = np.flatnonzero(source.seat % 2 == self._side[source.part])
        keys = self._generator.integers(0, 2**64, len(self._side), np.uint64)[source.part]
        return tables, self._agent.act(source.observation[tables], source.mask[tables], keys[tables])

    @property
    def current(self) -> str:
        """Who plays now."""
        return self._current or "nobody"

    def save(self) -> str:
        """Return who plays and the state of the generator, as text."""
        state: Any = self._generator.bit_generator.state
        return json.dumps({"current": self._current, "generator": state})

    def load(self, text: str) -> None:
        """Go on from what `save` returned.

        Raises:
            CheckpointError: The text is no state of a generator.
        """
        saved = json.loads(text)
        try:
            self._generator.bit_generator.state = saved["generator"]
            self._sit(saved["current"])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"the opponents' state is damaged: {error}") from error

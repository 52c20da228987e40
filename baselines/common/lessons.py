"""What imitation learns from, an iteration at a time: an agent that is asked as it plays, or files of labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from baselines.common.labelling import Labels, load_labels
from baselines.common.networks import Inputs
from baselines.common.rollouts import Decisions, Integers, Seen, Source, TablesSource, collect
from five_hundred_env.agents.base import Agent
from five_hundred_env.agents.suits import ACTION_ORDER, free_turns, turn_actions
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.errors import OptionError


class Lesson(NamedTuple):
    """N decisions and what is to be learned of them."""

    places: Tensor  # [N, I] int8
    mask: Tensor  # [N, A] int8
    action: Tensor  # [N] int64 what the teacher does
    cost: Tensor  # [N, A] int16 as in `labelling.label_rows`
    stake: Tensor  # [N] int16; 0 where only the teacher's action is known


class Lessons(Protocol):
    """Where lessons come from.

    Attributes:
        iterations: How many there are.
    """

    iterations: int

    def lesson(self, iteration: int) -> Lesson:
        """Return the lesson of an iteration; they are asked for in their order."""

    def save(self) -> bytes:
        """Return everything that the next lessons depend on."""

    def load(self, data: bytes) -> None:
        """Go on from what `save` returned."""


class PlayedLessons:
    """An agent holds all seats of many tables, and is asked at every decision."""

    def __init__(
        self, agent: Agent, source: TablesSource, inputs: Inputs, steps: int, wander: float, decisions: int, seed: int
    ) -> None:
        """Seat the agent.

        Args:
            agent: Who is asked.
            source: The tables.
            inputs: What the policy looks at.
            steps: Decisions at each table in an iteration.
            wander: How often a random action is played instead of the agent's.
            decisions: How many there are in all.
            seed: Of keys and random actions.
        """
        self.agent, self.source, self.inputs, self.steps, self.wander = agent, source, inputs, steps, wander
        self.generator = np.random.Generator(np.random.PCG64(seed))
        self.iterations = -(-decisions // (source.n * steps))
        self.answers: list[Integers] = []

    def act(self, source: Source, seen: Seen) -> Decisions:
        """Ask the agent, write down its answers, and play most of them."""
        keys = self.generator.integers(0, 2**64, source.n, np.uint64)
        answers = self.agent.act(source.observation, source.mask, keys)
        self.answers.append(ACTION_ORDER[seen.turns, answers])
        noise = self.generator.random(source.mask.shape) * source.mask
        wanders = self.generator.random(source.n) < self.wander
        played = np.where(wanders, noise.argmax(axis=1), answers)
        return Decisions(played, np.zeros(source.n, np.float32), np.ones(source.n, np.bool_))

    def lesson(self, _iteration: int) -> Lesson:
        """Play on, and return what was done."""
        self.answers = []
        rollout = collect(self.source, self.act, self.steps, self.inputs, central=False)
        action = torch.from_numpy(np.concatenate(self.answers))
        return Lesson(
            torch.from_numpy(rollout.places).flatten(0, 1),
            torch.from_numpy(rollout.mask).flatten(0, 1),
            action,
            torch.full((len(action), N_ACTIONS), -1, dtype=torch.int16),
            torch.zeros(len(action), dtype=torch.int16),
        )

    def save(self) -> bytes:
        """Return the tables and the generator."""
        state = json.dumps(self.generator.bit_generator.state).encode()
        return len(state).to_bytes(8, "little") + state + self.source.save()

    def load(self, data: bytes) -> None:
        """Go on from what `save` returned."""
        end = 8 + int.from_bytes(data[:8], "little")
        self.generator.bit_generator.state = json.loads(data[8:end])
        self.source.load(data[end:])


class StoredLessons:
    """The files of `baselines.labels`, in another order each time through.

    Suits that may be exchanged are exchanged at random, so that each time through shows other positions.
    """

    def __init__(self, folder: Path, inputs: Inputs, at_once: int, epochs: int, seed: int) -> None:
        """Find the files.

        Args:
            folder: Where they are.
            inputs: What the policy looks at.
            at_once: Files of an iteration.
            epochs: How often each file is learned from.
            seed: Of the orders, and of which suits are exchanged.

        Raises:
            OptionError: There are none.
        """
        self.paths = sorted(folder.glob("*.npz"))
        if not self.paths:
            raise OptionError(f"labels: {folder} has no file of labels; python -m baselines.labels makes them")
        self.inputs, self.at_once, self.seed = inputs, at_once, seed
        self.iterations = epochs * -(-len(self.paths) // at_once)

    def lesson(self, iteration: int) -> Lesson:
        """Read some files; the same each time for the same number."""
        epoch, part = divmod(iteration, -(-len(self.paths) // self.at_once))
        order = np.random.default_rng([self.seed, epoch]).permutation(len(self.paths))
        generator = np.random.default_rng([self.seed, epoch, part])
        some = [load_labels(self.paths[n]) for n in order[part * self.at_once : (part + 1) * self.at_once]]
        lessons = [self._turned(labels, generator) for labels in some]
        return Lesson(*(torch.cat(parts) for parts in zip(*lessons, strict=True)))

    def _turned(self, labels: Labels, generator: np.random.Generator) -> Lesson:
        """Return a file's decisions as the policy sees them."""
        turns = self.inputs.turns(labels.observation)
        if self.inputs.turned:
            turns ^= free_turns(labels.observation) & generator.integers(0, 4, len(labels))
        return Lesson(
            torch.from_numpy(self.inputs.pack(labels.observation, turns)),
            torch.from_numpy(turn_actions(labels.mask, turns)),
            torch.from_numpy(ACTION_ORDER[turns, labels.action]),
            torch.from_numpy(turn_actions(labels.cost, turns)),
            torch.from_numpy(labels.stake),
        )

    def save(self) -> bytes:
        """Return nothing: a lesson is a function of its number."""
        return b""

    def load(self, data: bytes) -> None:
        """Go on."""

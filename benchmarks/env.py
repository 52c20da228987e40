"""The PettingZoo forms beside a class without rules: ``python -m benchmarks.env``.

`RuleFree` is what an AEC environment of these shapes costs before it knows a game: the same dictionaries, the same
copies of observation and mask, episodes of the same length, PettingZoo's own `last` and `agent_iter`. What is left of
its speed is the price of the game. All contenders play in turn in one process; figures are medians of decisions a
CPU-second.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from rich.console import Console
from rich.table import Table

from benchmarks.harness import Play, take_slice
from five_hundred_env import five_hundred_v0
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import OBSERVATION_SIZE
from five_hundred_env.envs.aec import AGENTS

EPISODE = 55
"""Decisions of a `RuleFree` episode: a random game of Five Hundred has about as many."""
LEGAL = 5
"""Legal actions of `RuleFree`: a random decision of Five Hundred has about as many."""


class RuleFree(AECEnv):  # type: ignore[misc]
    """Four seats in turn, a mask that never changes, no reward."""

    metadata: dict[str, Any] = {"name": "rule_free_v0"}  # noqa: RUF012 (declared so by the library)

    def __init__(self) -> None:
        self.possible_agents = list(AGENTS)
        self._observation = np.zeros(OBSERVATION_SIZE, np.int8)
        self._mask = np.zeros(N_ACTIONS, np.int8)
        self._mask[:LEGAL] = 1

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin an episode."""
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in AGENTS}
        self.agent_selection = AGENTS[0]
        self._decisions = 0

    def observe(self, agent: str) -> Any:  # noqa: ARG002
        """Return the arrays, the caller's to keep."""
        return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}

    def step(self, action: Any) -> None:
        """Give the turn to the next seat."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._decisions += 1
        if self._decisions == EPISODE:
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self._decisions & 3]


def aec(make: Callable[[], Any], mask_in_info: bool = False) -> Play:
    """Return the standard loop over an AEC environment, played by `random.choice` over the mask."""
    env, choice = make(), random.Random(1).choice
    env.reset(seed=1)

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            for _ in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    mask = (info if mask_in_info else observation)["action_mask"]
                    env.step(choice(np.flatnonzero(mask).tolist()))
                    played += 1
            env.reset()
        return played

    return play


def parallel(make: Callable[[], Any]) -> Play:
    """Return the loop over the parallel form; every seat is observed at each decision."""
    env, choice = make(), random.Random(1).choice
    env.reset(seed=1)

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            observations, _ = env.reset()
            while env.agents:
                mask = observations[env.mover]["action_mask"]
                observations = env.step({env.mover: choice(np.flatnonzero(mask).tolist())})[0]
                played += 1
        return played

    return play


CONTENDERS: dict[str, Callable[[], Play]] = {
    "rule-free AEC class": lambda: aec(RuleFree),
    "env(), all checks": lambda: aec(five_hundred_v0.env),
    "raw_env()": lambda: aec(five_hundred_v0.raw_env),
    "env(mask_in='info')": lambda: aec(lambda: five_hundred_v0.env(mask_in="info"), mask_in_info=True),
    "parallel_env()": lambda: parallel(five_hundred_v0.parallel_env),
}


def measure(rounds: int, decisions: int) -> dict[str, list[float]]:
    """Return decisions a CPU-second of each contender, a figure a round.

    Args:
        rounds: How often all contenders play, one after the other.
        decisions: How many each plays in a round.
    """
    plays = {name: build() for name, build in CONTENDERS.items()}
    for play in plays.values():
        play(500)
    speeds: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(rounds):
        for name, play in plays.items():
            speeds[name].append(take_slice(play, decisions).per_cpu_second)
    return speeds


def main() -> None:
    """Measure, and print a table of speeds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--decisions", type=int, default=20_000)
    options = parser.parse_args()
    speeds = measure(options.rounds, options.decisions)
    reference = next(iter(speeds.values()))
    table = Table(title="Decisions a CPU-second, random.choice over the mask")
    table.add_column("contender")
    table.add_column("median", justify="right")
    table.add_column("ratio to the rule-free class", justify="right")
    for name, own in speeds.items():
        ratio = median(mine / other for mine, other in zip(own, reference, strict=True))
        table.add_row(name, f"{median(own):,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()

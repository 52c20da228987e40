"""How long `pimc` takes for a decision, phase by phase, on one core: ``python -m benchmarks.pimc --boards 100``.

It plays a match on duplicate boards, every decision asked alone and timed by the processor time of its thread, so
that what else runs on the machine hardly counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

import numpy as np

from five_hundred_env.agents import load_agent
from five_hundred_env.agents.base import Actions, Agent, Keys
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import PHASES
from five_hundred_env.core.observe import Bytes, field


class Timed:
    """An agent whose decisions are timed one by one.

    Attributes:
        name: As the agent's.
        seconds: By phase, of each decision.
    """

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self._agent = agent

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Answer as the agent does."""
        start = field("phase").start
        answers = np.empty(len(keys), np.int64)
        for n in range(len(keys)):
            phase = PHASES[int(observation[n, start : start + len(PHASES)].argmax())]
            begun = time.thread_time()
            answers[n] = self._agent.act(observation[n : n + 1], mask[n : n + 1], keys[n : n + 1])[0]
            self.seconds[phase].append(time.thread_time() - begun)
        return answers


def main() -> None:
    """Play and print milliseconds a decision."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", default="pimc")
    parser.add_argument("--against", default="rule")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    agent = Timed(load_agent(options.agent))
    play_match(agent, options.against, boards=2, seed=options.seed, bca=False)  # compiles
    agent.seconds.clear()
    result = play_match(agent, options.against, boards=options.boards, seed=options.seed, bca=False)
    lines = [str(result), f"{'phase':10}{'decisions':>10}{'mean ms':>10}{'p99 ms':>10}{'max ms':>10}"]
    everything = [seconds for times in agent.seconds.values() for seconds in times]
    for phase, times in [*((name, agent.seconds[name]) for name in PHASES if agent.seconds[name]), ("all", everything)]:
        mean, p99, most = 1e3 * np.mean(times), 1e3 * np.percentile(times, 99), 1e3 * np.max(times)
        lines.append(f"{phase:10}{len(times):>10}{mean:>10.2f}{p99:>10.1f}{most:>10.1f}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

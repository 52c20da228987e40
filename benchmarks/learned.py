"""What a decision of `learned` costs, alone and in a batch: `python -m benchmarks.learned`."""

from __future__ import annotations

import sys
import time

import numpy as np

from five_hundred_env import Tables
from five_hundred_env.agents import load_agent

TABLES = 512
REPEATS = 31


def main() -> None:
    """Measure decisions from the middle of deals that `rule` plays; print medians of processor time."""
    tables = Tables(TABLES, seed=1, episode="deal", skip_forced=True)
    rule, learned = load_agent("rule"), load_agent("learned")
    keys = np.arange(TABLES, dtype=np.uint64)
    for _ in range(30):
        tables.step(rule.act(tables.observation, tables.mask, keys))
    for size in (1, 16, TABLES):
        seen, mask = tables.observation[:size], tables.mask[:size]
        learned.act(seen, mask, keys[:size])
        times = []
        for _ in range(REPEATS):
            begun = time.process_time()
            learned.act(seen, mask, keys[:size])
            times.append(time.process_time() - begun)
        sys.stdout.write(f"{size:4d} at once: {np.median(times) / size * 1e6:6.1f} µs a decision\n")


if __name__ == "__main__":
    main()

"""Step thousands of tables and measure how many decisions a second this machine makes."""

import time

import numpy as np

from five_hundred_env import Tables


def main(n: int = 1024, steps: int = 200, seed: int = 7) -> int:
    """Play random legal actions at `n` tables and return how many deals ended."""
    tables = Tables(n=n, seed=seed, episode="deal", reward="points")
    generator = np.random.default_rng(seed)
    deals = 0
    seconds = 0.0
    for _ in range(steps):
        actions = (generator.random(tables.mask.shape, dtype=np.float32) * tables.mask).argmax(axis=1)
        begin = time.perf_counter()
        tables.step(actions)
        seconds += time.perf_counter() - begin
        deals += int(tables.deal_over.sum())
    print(f"{deals} deals; {n * steps / seconds:,.0f} decisions a second, choosing actions not counted")
    return deals


if __name__ == "__main__":
    main()

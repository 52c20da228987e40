"""Sit at a table of three built-in agents through Gymnasium, alone and at many tables at once."""

import gymnasium
import numpy as np

import five_hundred_env  # noqa: F401  registers the environments


def one_table(deals: int = 20, seed: int = 7) -> float:
    """Play some deals with random legal actions and return the mean reward of a deal."""
    env = gymnasium.make("FiveHundred/Seat-v0", partner="rule", opponents="rule", episode="deal")
    generator = np.random.default_rng(seed)
    total = 0.0
    for deal in range(deals):
        _, info = env.reset(seed=seed + deal)
        over = False
        while not over:
            action = int(generator.choice(np.flatnonzero(info["action_mask"])))
            _, reward, terminated, truncated, info = env.step(action)
            total += float(reward)
            over = terminated or truncated
    env.close()
    return total / deals


def many_tables(tables: int = 64, steps: int = 50, seed: int = 7) -> float:
    """Step a native vector environment and return the mean reward a step."""
    envs = gymnasium.make_vec("FiveHundred/Seat-v0", num_envs=tables, partner="rule", opponents="rule")
    generator = np.random.default_rng(seed)
    _, infos = envs.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        noise = generator.random(infos["action_mask"].shape)
        _, rewards, _, _, infos = envs.step((noise * infos["action_mask"]).argmax(axis=1))
        total += float(rewards.mean())
    envs.close()
    return total / steps


if __name__ == "__main__":
    print("one table, reward a deal:", one_table())
    print("many tables, reward a step:", many_tables())

"""Play one game through PettingZoo's agent loop, at random, and show how it ended."""

import numpy as np

from five_hundred_env import five_hundred_v0


def main(seed: int = 7) -> dict[str, float]:
    """Play a game and return the sum of rewards of each agent."""
    env = five_hundred_v0.env(episode="game", reward="points", max_deals=20, render_mode="ansi")
    env.reset(seed=seed)
    generator = np.random.default_rng(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        action = None
        if not (terminated or truncated):
            action = int(generator.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    print(env.render())
    print(totals)
    return totals


if __name__ == "__main__":
    main()

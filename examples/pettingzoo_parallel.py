"""Play one deal through PettingZoo's parallel loop: seats that wait have one action, the no-op."""

import numpy as np

from five_hundred_env import five_hundred_v0


def main(seed: int = 7) -> dict[str, float]:
    """Play a deal and return the sum of rewards of each agent."""
    env = five_hundred_v0.parallel_env(episode="deal")
    observations, _ = env.reset(seed=seed)
    generator = np.random.default_rng(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        actions = {
            agent: int(generator.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in env.agents
        }
        observations, rewards, _, _, _ = env.step(actions)
        for agent, reward in rewards.items():
            totals[agent] += reward
    print(totals)
    return totals


if __name__ == "__main__":
    main()

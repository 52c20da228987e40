"""Train sb3-contrib's MaskablePPO by self-play, then play the arena against `random`."""

import argparse
import time

import torch
from sb3_contrib import MaskablePPO

from five_hundred_env.agents import NetworkAgent
from five_hundred_env.arena import play_match
from five_hundred_env.integrations.sb3 import SeatVecEnv, SelfPlay, as_agent


def train(steps: int = 65_536, tables: int = 64, seed: int = 7) -> NetworkAgent:
    """Train for `steps` decisions of the learner; return the agent, which samples as it did in training."""
    torch.set_num_threads(1)  # small batches: threads that wait for each other cost more than they bring
    env = SeatVecEnv(tables, seed=seed, episode="deal", partner="random", opponents="random")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.003,
        policy_kwargs={"net_arch": [256]},
        seed=seed,
        device="cpu",
    )
    begin = time.process_time()
    model.learn(steps, callback=SelfPlay())
    speed = model.num_timesteps / (time.process_time() - begin)
    print(f"{speed:,.0f} decisions a second of processor time, learning included")
    return as_agent(model)


def main() -> None:
    """Train for about a minute and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=65_536, help="decisions of the learner")
    parser.add_argument("--boards", type=int, default=300, help="duplicate boards of the match")
    options = parser.parse_args()
    result = play_match(train(options.steps), "random", boards=options.boards, seed=1)
    print(f"against random: {result.points_per_deal:+.1f} points a deal, 95 % interval {result.ci95}")


if __name__ == "__main__":
    main()

"""Train Tianshou's PPO in self-play at all four seats, then play the arena against `random`."""

import argparse
import time

import torch
from gymnasium.spaces import Discrete
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

from five_hundred_env import Tables
from five_hundred_env.agents import NetworkAgent
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import OBSERVATION_SIZE
from five_hundred_env.integrations.tianshou import Critic, MaskedActor, SeatsCollector, as_agent


def perceptron(outputs: int, width: int = 256) -> nn.Module:
    """Return a network of one hidden layer."""
    return nn.Sequential(nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, outputs))


def train(steps: int = 65_536, tables: int = 32, seed: int = 7) -> NetworkAgent:
    """Train for `steps` decisions; return the agent, which samples as it did in training."""
    torch.set_num_threads(1)  # small batches: threads that wait for each other cost more than they bring
    torch.manual_seed(seed)
    actor = MaskedActor(perceptron(N_ACTIONS))
    algorithm = PPO(
        policy=DiscreteActorPolicy(actor=actor, action_space=Discrete(N_ACTIONS)),
        critic=Critic(perceptron(1)),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        ent_coef=0.003,
        max_grad_norm=0.5,
        advantage_normalization=True,
    )
    collector = SeatsCollector(algorithm, Tables(tables, seed=seed, episode="deal"))
    begin = time.process_time()
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=4096,
            batch_size=512,
            update_step_num_repetitions=4,
            show_progress=False,
            verbose=False,
        )
    )
    speed = collector.collect_step / (time.process_time() - begin)
    print(f"{speed:,.0f} decisions a second of processor time, learning included")
    return as_agent(actor)


def main() -> None:
    """Train for about a minute and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=65_536, help="decisions of all seats")
    parser.add_argument("--boards", type=int, default=300, help="duplicate boards of the match")
    options = parser.parse_args()
    result = play_match(train(options.steps), "random", boards=options.boards, seed=1)
    print(f"against random: {result.points_per_deal:+.1f} points a deal, 95 % interval {result.ci95}")


if __name__ == "__main__":
    main()

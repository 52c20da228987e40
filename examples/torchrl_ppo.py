"""Train with TorchRL's PPO loss, one policy for all four seats, then play the arena against `random`."""

import argparse
import time

import torch
from tensordict import TensorDictBase
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import OBSERVATION_SIZE
from five_hundred_env.integrations.torchrl import make_env, masked_actor, network_agent, own_decisions


class Network(nn.Module):
    """A perceptron of one hidden layer over observations as they are, int8."""

    def __init__(self, outputs: int, width: int = 256) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, outputs))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Return `[B, outputs]` for `[B, O]`."""
        out: torch.Tensor = self.layers(observation.float())
        return out


class Learner:
    """PPO over decisions."""

    def __init__(self) -> None:
        self.policy = Network(N_ACTIONS)
        critic = ValueOperator(Network(1), in_keys=["observation"])
        self.advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
        self.loss = ClipPPOLoss(
            masked_actor(self.policy, group=None),
            critic,
            entropy_coeff=0.003,
            critic_coeff=0.5,
            normalize_advantage=True,
        )
        self.optimiser = torch.optim.Adam(self.loss.parameters(), lr=1e-3)

    def learn(self, decisions: TensorDictBase, epochs: int = 4, minibatch: int = 256) -> None:
        """Learn from a batch of decisions."""
        with torch.no_grad():
            self.advantages(decisions)
        for _ in range(epochs):
            order = torch.randperm(len(decisions))
            for start in range(0, len(order), minibatch):
                losses = self.loss(decisions[order[start : start + minibatch]])
                self.optimiser.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(self.loss.parameters(), 0.5)
                self.optimiser.step()


def train(decisions: int = 8192, seed: int = 7) -> NetworkAgent:
    """Train and return the agent, which samples its actions as it did in training."""
    torch.set_num_threads(1)  # small batches: threads that wait for each other cost more than they bring
    torch.manual_seed(seed)
    learner = Learner()
    env = make_env(seed=seed, episode="deal")  # the collector's own set_seed would change the deal under its hands
    collector = Collector(env, masked_actor(learner.policy), frames_per_batch=1024, total_frames=decisions)
    begin = time.process_time()
    for rollout in collector:
        learner.learn(own_decisions(rollout))
    speed = decisions / (time.process_time() - begin)
    print(f"{speed:,.0f} decisions a second of processor time, learning included")
    collector.shutdown()
    return network_agent(learner.policy, greedy=False)


def main() -> None:
    """Train for about a minute and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=8192, help="a multiple of 1024")
    options = parser.parse_args()
    print(play_match(train(options.decisions), "random", boards=500, seed=1))


if __name__ == "__main__":
    main()

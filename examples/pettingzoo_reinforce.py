"""Train through PettingZoo's plain agent loop with PyTorch alone, then play the arena against `random`.

One network plays all four seats. What a decision has brought is told at its seat's next turn, or at the dead step after
the end of the episode: a loop that stops at the end, without the dead steps, never learns how a deal went.
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from five_hundred_env import five_hundred_v0
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import OBSERVATION_SIZE


class Network(nn.Module):
    """A perceptron of one hidden layer with a policy and a value."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBSERVATION_SIZE, width), nn.ReLU())
        self.policy = nn.Linear(width, N_ACTIONS)
        self.value = nn.Linear(width, 1)

    def forward(self, observation: Any, mask: Any) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution over legal actions and the value, for `[B, O]` and `[B, A]` arrays."""
        x = self.body(torch.as_tensor(observation).float())
        logits = self.policy(x).masked_fill(torch.as_tensor(mask) == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(x)[:, 0]


class Agent:
    """Plays the most likely action of a network."""

    name = "reinforce"

    def __init__(self, network: Network) -> None:
        self.network = network

    def act(
        self, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], keys: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Choose an action for each position of a batch; nothing is left to chance."""
        del keys
        with torch.no_grad():
            choice: npt.NDArray[np.int64] = self.network(observation, mask)[0].probs.argmax(dim=1).numpy()
        return choice


def play_deal(env: Any, network: Network) -> list[tuple[Any, Any, int, float]]:
    """Play a deal; return observation, mask, action and what the deal brought to its seat, for each decision."""
    env.reset()
    returns = dict.fromkeys(env.possible_agents, 0.0)
    decisions = []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)  # the dead step
            continue
        observation, mask = seen["observation"], seen["action_mask"]
        legal = np.flatnonzero(mask)
        action = int(legal[0])
        if len(legal) > 1:
            with torch.no_grad():
                action = int(network(observation[None], mask[None])[0].sample())
            decisions.append((agent, observation, mask, action))
        env.step(action)
    return [(observation, mask, action, returns[agent]) for agent, observation, mask, action in decisions]


def learn(network: Network, optimiser: torch.optim.Optimizer, decisions: list[tuple[Any, Any, int, float]]) -> None:
    """Make actions that brought more than was expected more likely."""
    observation, mask, action, returns = (np.array(column) for column in zip(*decisions, strict=True))
    distribution, value = network(observation, mask)
    target = torch.as_tensor(returns).float()
    advantage = target - value.detach()
    advantage = advantage / (advantage.std() + 1e-8)
    policy_loss = -(distribution.log_prob(torch.as_tensor(action)) * advantage).mean()
    loss = policy_loss + 0.5 * (target - value).square().mean() - 0.01 * distribution.entropy().mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def train(deals: int = 3000, deals_a_step: int = 16, seed: int = 7) -> Agent:
    """Train by self-play over some deals and return the agent."""
    torch.set_num_threads(1)  # one decision at a time: threads cost more than they bring
    torch.manual_seed(seed)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    env = five_hundred_v0.env(episode="deal", reward="points")
    env.reset(seed=seed)
    begin, played = time.process_time(), 0
    for _ in range(deals // deals_a_step):
        decisions = [decision for _ in range(deals_a_step) for decision in play_deal(env, network)]
        learn(network, optimiser, decisions)
        played += len(decisions)
    print(f"{played / (time.process_time() - begin):,.0f} decisions a second of processor time, learning included")
    return Agent(network)


def main() -> None:
    """Train for about a minute and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=3000, help="deals to learn from")
    parser.add_argument("--boards", type=int, default=300, help="duplicate boards of the match")
    options = parser.parse_args()
    result = play_match(train(options.deals), "random", boards=options.boards, seed=1)
    print(f"against random: {result.points_per_deal:+.1f} points a deal, 95 % interval {result.ci95}")


if __name__ == "__main__":
    main()

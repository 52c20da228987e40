"""Train a policy anywhere, write it as `policy.onnx`, and enter the file in the arena by its name.

Here a perceptron learns what `rule` does. What counts is the file: inputs `observation` `[B, 1096]` and, if it likes,
`action_mask` `[B, 80]`, output `logits` `[B, 80]`. It plays without PyTorch, on the command line too:
`five-hundred tournament policy.onnx random --boards 200`.
"""

import argparse
import time
from pathlib import Path

import torch
from torch import nn

from five_hundred_env import Tables
from five_hundred_env.agents import load_agent
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import OBSERVATION_SIZE


class Policy(nn.Module):
    """A perceptron of one hidden layer that masks its logits; observations are int8, as the arena gives them."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, N_ACTIONS))

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
        """Return masked logits `[B, A]`."""
        logits: torch.Tensor = self.layers(observation.float())
        return logits + (action_mask.float() - 1) * 1e9


def train(steps: int = 400, tables: int = 256, teacher: str = "rule", seed: int = 7) -> Policy:
    """Imitate an agent for some steps of all tables."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    policy, agent = Policy(), load_agent(teacher)
    optimiser = torch.optim.Adam(policy.parameters(), lr=1e-3)
    game = Tables(tables, seed=seed, skip_forced=True)
    begin = time.process_time()
    for step in range(steps):
        keys = game.seeds + step
        target = agent.act(game.observation, game.mask, keys)
        logits = policy(torch.from_numpy(game.observation), torch.from_numpy(game.mask))
        loss = nn.functional.cross_entropy(logits, torch.from_numpy(target))
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        game.step(target)
    print(
        f"{steps * tables / (time.process_time() - begin):,.0f} decisions a second of processor time, learning included"
    )
    return policy


def export(policy: Policy, path: Path) -> None:
    """Write the file; the number of rows stays open."""
    example = torch.zeros(2, OBSERVATION_SIZE, dtype=torch.int8), torch.ones(2, N_ACTIONS, dtype=torch.int8)
    torch.onnx.export(
        policy.eval(),
        example,
        path,
        input_names=["observation", "action_mask"],
        output_names=["logits"],
        dynamic_shapes={"observation": {0: "rows"}, "action_mask": {0: "rows"}},
        external_data=False,
        verbose=False,
    )


def main() -> None:
    """Learn for about a minute, write the file, and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400, help="steps of 256 tables to learn from")
    parser.add_argument("--boards", type=int, default=300, help="duplicate boards of the match")
    parser.add_argument("--path", type=Path, default=Path("policy.onnx"), help="the file to write")
    options = parser.parse_args()
    export(train(options.steps), options.path)
    result = play_match(str(options.path), "random", boards=options.boards, seed=1)
    print(f"{options.path} against random: {result.points_per_deal:+.1f} points a deal, 95 % interval {result.ci95}")


if __name__ == "__main__":
    main()

"""RLlib, new API stack: the environment, a masked policy, one policy a side, and the agent of what was learned.

RLlib's own `PettingZooEnv` pays rightly: it shows a seat its observation and its reward when its turn comes, and at the
end shows all four seats theirs. `FiveHundredEnv` is that wrapper, made from a dictionary as RLlib makes environments.
RLlib's example of an action-masking module wants float masks under keys of its own; `MaskedModule` takes the
observations as they are, int8, which are four times smaller on their way between workers.

::

    config = (
        PPOConfig()
        .environment(FiveHundredEnv, env_config={"episode": "deal"}, disable_env_checking=True)
        .multi_agent(policies=set(SIDES), policy_mapping_fn=side_of)
        .rl_module(rl_module_spec=side_modules())
    )
    algorithm = config.build_algo()
    algorithm.train()
    agent = module_agent(algorithm.get_module(SIDES[0]))

RLlib's check of environments plays an action without looking at the mask: switch it off, or pass ``illegal="lose"``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from five_hundred_env import five_hundred_v0
from five_hundred_env.integrations._require import require

with require("RLlib", extra="rllib"):
    import torch
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from torch import nn

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.integrations._torch import torch_agent

SIDES = ("side_0", "side_1")
"""The policies: seats 0 and 2 play by the first, 1 and 3 by the second."""


class FiveHundredEnv(PettingZooEnv):
    """The AEC environment as RLlib takes it.

    Args:
        config: Arguments of `five_hundred_v0.env`, for example ``{"episode": "deal", "reward": "tricks"}``.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__(five_hundred_v0.env(**(config or {})))

    def render(self) -> Any:
        """Draw the table; RLlib's wrapper passes an argument that PettingZoo no longer takes."""
        return self.env.render()


def side_of(agent_id: str, *_args: Any, **_kwargs: Any) -> str:
    """Return the policy that a seat plays by (`policy_mapping_fn`)."""
    return SIDES[int(agent_id[-1]) % 2]


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Policy and critic, multi-layer perceptrons of their own, that give illegal actions no probability.

    `model_config` takes ``{"layers": [256, 256]}``, the widths of both bodies.
    """

    def setup(self) -> None:
        """Build the networks."""
        layers = (self.model_config or {}).get("layers", (256,))
        size = self.observation_space["observation"].shape[0]
        self.policy = _perceptron([size, *layers, self.action_space.n])
        self.value = _perceptron([size, *layers, 1])

    def _forward(self, batch: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
        """Return masked logits; RLlib's three passes, for play, exploration and learning, are this one."""
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"].float())
        lowest = torch.finfo(logits.dtype).min  # finite, so that entropies and gradients are 0 rather than NaN
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, lowest)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return `[B]` values of the seats that are to move."""
        del embeddings
        values: torch.Tensor = self.value(batch[Columns.OBS]["observation"].float()).squeeze(-1)
        return values


def _perceptron(widths: Sequence[int]) -> nn.Sequential:
    """Return linear layers with rectifiers between them."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def side_modules(layers: Sequence[int] = (256,)) -> MultiRLModuleSpec:
    """Return the specification of two masked modules, one a side.

    Args:
        layers: Widths of their bodies.
    """
    return MultiRLModuleSpec(
        rl_module_specs={
            side: RLModuleSpec(module_class=MaskedModule, model_config={"layers": list(layers)}) for side in SIDES
        }
    )


def module_agent(module: Any, name: str = "rllib", greedy: bool = True) -> NetworkAgent:
    """Return an agent that plays by a module, for the arena and for `FiveHundred/Seat-v0`.

    Args:
        module: Any RLModule for these observations whose `forward_inference` answers with logits; observations are
            relative, so the module of either side plays any seat.
        name: How reports call it.
        greedy: Take the most likely action; otherwise sample with the keys.
    """

    def forward(observation: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch = {Columns.OBS: {"observation": observation, "action_mask": mask}}
        logits: torch.Tensor = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
        return logits

    return torch_agent(name, forward, greedy)

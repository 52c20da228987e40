"""BenchMARL: the parallel form as a task, and the agent of what was learned.

BenchMARL keeps all steps of all four seats. A seat that waits has one legal action, so that its idle steps move no
policy, and a reward stands on the step on which it is paid; advantages over all steps carry it back to the seat's own
decision. Own decisions are about four steps apart: `lmbda` should be nearer to 1 than BenchMARL's 0.9, `gamma` 1.

::

    experiment = Experiment(
        task=FiveHundredTask({"episode": "deal"}),
        algorithm_config=IppoConfig.get_from_yaml(),
        model_config=MlpConfig.get_from_yaml(),
        critic_model_config=MlpConfig.get_from_yaml(),
        seed=7,
        config=config,
    )
    experiment.run()
    agent = experiment_agent(experiment)

Algorithms that mask both when they collect and when they learn are IPPO and MAPPO; those that learn off-policy mix in
three idle steps a decision.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from five_hundred_env import five_hundred_v0
from five_hundred_env.envs.aec import AGENTS
from five_hundred_env.integrations._require import require

with require("BenchMARL", extra="benchmarl"):
    import torch
    from benchmarl.environments.common import TaskClass
    from tensordict import TensorDict
    from torchrl.envs import DTypeCastTransform
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.integrations._torch import torch_agent

GROUP = "seats"
"""The group of all four seats, which play by one policy."""


class FiveHundredTask(TaskClass):
    """The parallel environment as a task.

    Args:
        options: Arguments of `five_hundred_v0.parallel_env`, except where the mask is: BenchMARL wants it in ``info``.
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(name="FIVE_HUNDRED", config=dict(options or {}))

    def get_env_fun(
        self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any
    ) -> Callable[[], PettingZooWrapper]:
        """Return what makes a table; each has a seed of its own, where BenchMARL would give all the same."""
        del num_envs, continuous_actions
        seeds = itertools.count((seed or 0) << 16)
        options = dict(self.config)

        def make() -> PettingZooWrapper:
            table = five_hundred_v0.parallel_env(mask_in="info", **options)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested", UserWarning)
                return PettingZooWrapper(table, group_map={GROUP: list(AGENTS)}, seed=next(seeds), device=device)

        return make

    def get_env_transforms(self, env: Any) -> list[Any]:
        """Return the transform of observations, int8, into the numbers that BenchMARL's models take."""
        del env
        return [DTypeCastTransform(torch.int8, torch.float32, in_keys=[(GROUP, "observation")])]

    def supports_continuous_actions(self) -> bool:
        """Tell that there are none."""
        return False

    def supports_discrete_actions(self) -> bool:
        """Tell that there are."""
        return True

    def max_steps(self, env: Any) -> int:
        """Return a bound on the steps of an episode that is evaluated."""
        del env
        return 100 if self.config.get("episode") == "deal" else 10_000

    def has_render(self, env: Any) -> bool:
        """Tell that BenchMARL should draw nothing."""
        del env
        return False

    def group_map(self, env: Any) -> dict[str, list[str]]:
        """Return the seats by group."""
        groups: dict[str, list[str]] = env.group_map
        return groups

    def observation_spec(self, env: Any) -> Any:
        """Return the specification of the observations alone."""
        return _only(env.observation_spec.clone(), "observation")

    def action_mask_spec(self, env: Any) -> Any:
        """Return the specification of the masks alone."""
        return _only(env.observation_spec.clone(), "action_mask")

    def info_spec(self, env: Any) -> None:
        """Tell that nothing else is shown."""
        del env

    def state_spec(self, env: Any) -> None:
        """Tell that critics see what seats see."""
        del env

    def action_spec(self, env: Any) -> Any:
        """Return the specification of the actions."""
        return env.full_action_spec

    @staticmethod
    def env_name() -> str:
        """Return the name of the environment."""
        return "five_hundred"


def _only(spec: Any, name: str) -> Any:
    """Return a specification without the group's other keys."""
    for key in set(spec[GROUP].keys()) - {name}:
        del spec[GROUP][key]
    return spec


def experiment_agent(experiment: Any, name: str = "benchmarl", greedy: bool = True) -> NetworkAgent:
    """Return an agent that plays by what an experiment of IPPO or MAPPO has learned, in the arena for example.

    Args:
        experiment: Its seats share a policy.
        name: How reports call it.
        greedy: Take the most likely action; otherwise sample with the keys.
    """
    logits_of = experiment.algorithm.get_policy_for_loss(GROUP)[0]

    def forward(observation: torch.Tensor, _mask: torch.Tensor) -> torch.Tensor:
        rows = len(observation)
        seen = observation.float()[:, None].expand(-1, len(AGENTS), -1)
        seats = TensorDict({"observation": seen}, [rows, len(AGENTS)])
        logits: torch.Tensor = logits_of(TensorDict({GROUP: seats}, [rows]))[GROUP, "logits"][:, 0]
        return logits

    return torch_agent(name, forward, greedy)

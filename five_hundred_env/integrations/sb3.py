"""Stable-Baselines3 and sb3-contrib's `MaskablePPO`: many seats as one `VecEnv`, self-play, a model as an agent.

The learner sits at `FiveHundred/Seat-v0`: a step lasts until its next decision, so that a reward belongs to its own
action, and nothing has to be paired anew. Tables are stepped in batches, without processes. One table alone needs no
adapter: `gymnasium.make("FiveHundred/Seat-v0")` has the `action_masks` that `MaskablePPO` asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env.agents import Agent, NetworkAgent
from five_hundred_env.envs.vector import SeatVectorEnv
from five_hundred_env.integrations._require import require

with require("sb3-contrib", extra="sb3"):
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecEnv

from five_hundred_env.integrations._torch import torch_agent

Which = int | Iterable[int] | None


class SeatVecEnv(VecEnv):
    """Learners' seats at many tables, for algorithms of Stable-Baselines3.

    Finished episodes are followed by the next ones; what the learner saw last is in
    ``infos[i]["terminal_observation"]`` as the library expects it. ``env_method("action_masks")``
    is answered for all tables at once.

    Args:
        num_envs: How many tables.
        seed: Table i is reset with ``seed + i``; None draws seeds.
        options: Arguments of `FiveHundred/Seat-v0`: `seat`, `partner`, `opponents`, `rules`, `episode`, `reward` …

    Raises:
        AgentError: An agent can not be found.
        OptionError: An argument is none of its values.

    Attributes:
        tables: The environment behind it, a Gymnasium `VectorEnv`.
    """

    def __init__(self, num_envs: int = 64, seed: int | None = None, **options: Any) -> None:
        self.tables = SeatVectorEnv(num_envs, **options)
        super().__init__(num_envs, self.tables.single_observation_space, self.tables.single_action_space)
        self._first_seed = seed
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> npt.NDArray[np.int8]:
        """Begin an episode at every table; return `[B, O] int8`."""
        seeds: int | list[int | None] | None = self._first_seed
        if any(own is not None for own in self._seeds):
            seeds = list(self._seeds)
        observation, infos = self.tables.reset(seed=seeds)
        self._first_seed = None
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{"seat": int(seat)} for seat in infos["seat"]]
        return observation

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Take the actions `[B]` of the next step."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Do the step; return observations `[B, O] int8`, rewards `[B] float32`, dones `[B] bool` and infos."""
        observation, reward, terminated, truncated, infos = self.tables.step(self._actions)
        done = terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for table in np.flatnonzero(done):
            told[table]["terminal_observation"] = infos["final_obs"][table]
            told[table]["TimeLimit.truncated"] = bool(truncated[table])
        return observation, reward.astype(np.float32), done, told

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()

    def get_attr(self, attr_name: str, indices: Which = None) -> list[Any]:
        """Return an attribute of the tables, once for each that is asked for.

        Raises:
            AttributeError: There is none.
        """
        return [getattr(self.tables, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Which = None) -> None:
        """Set an attribute of all tables; some of them alone can not be set."""
        self._check_all(indices)
        setattr(self.tables, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Which = None, **kwargs: Any) -> list[Any]:
        """Call a method once for all tables; return its answers by table, the masks for ``"action_masks"``."""
        if method_name == "action_masks":
            masks = self.tables.action_masks()
            return [masks[table] for table in self._chosen(indices)]
        self._check_all(indices)
        return [getattr(self.tables, method_name)(*args, **kwargs)] * self.num_envs

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Which = None) -> list[bool]:
        """Say for each table that nothing is wrapped around it."""
        del wrapper_class
        return [False] * len(self._chosen(indices))

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Return a picture of each table, with ``render_mode="rgb_array"``."""
        return self.tables.render() or [None] * self.num_envs

    def _chosen(self, indices: Which) -> list[int]:
        return list(self._get_indices(indices))

    def _check_all(self, indices: Which) -> None:
        if len(self._chosen(indices)) != self.num_envs:
            raise ValueError("the tables are stepped as one: leave out `indices`, all of them are meant")


def as_agent(model: MaskablePPO, name: str = "maskable_ppo", greedy: bool = False) -> NetworkAgent:
    """Return a model as an agent, for the arena and for other seats; training it further leaves the agent as it is.

    Args:
        model: A model over the observations of `FiveHundred/Seat-v0`.
        name: How reports call it.
        greedy: Take the most likely action; otherwise sample with the keys, as in training.
    """
    policy = type(model.policy)(**model.policy._get_constructor_parameters())  # as the library itself saves and loads
    policy.load_state_dict(model.policy.state_dict())
    policy.to(model.device)
    policy.set_training_mode(False)

    def logits(observation: Any, mask: Any) -> Any:
        del mask  # the agent masks
        return policy.get_distribution(observation).distribution.logits

    return torch_agent(name, logits, greedy, policy.device)


class SelfPlay(BaseCallback):
    """Exchange the other seats for snapshots of the learner, before each `every`-th rollout.

    The partner is always the newest snapshot, as it is in a match; the opponents are drawn from the last `keep` ones,
    so that the learner does not chase its own tail.

    Args:
        every: Rollouts between snapshots.
        keep: Snapshots among which opponents are drawn.
        seed: Of the draws.

    Attributes:
        snapshots: The agents, the newest last.
    """

    def __init__(self, every: int = 4, keep: int = 4, seed: int = 7) -> None:
        super().__init__()
        self.every, self.keep = every, keep
        self.snapshots: list[Agent] = []
        self._generator = np.random.default_rng(seed)
        self._rollouts = 0

    def _on_rollout_start(self) -> None:
        if self._rollouts % self.every == 0:
            self.snapshots = [*self.snapshots, as_agent(self.model, f"after_{self.num_timesteps}")][-self.keep :]
            opponents = self.snapshots[int(self._generator.integers(len(self.snapshots)))]
            self.training_env.env_method("set_agents", partner=self.snapshots[-1], opponents=opponents)
        self._rollouts += 1

    def _on_step(self) -> bool:
        return True

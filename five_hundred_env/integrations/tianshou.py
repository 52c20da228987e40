"""Tianshou 2: a collector for self-play at all four seats, actors that mask, a trained policy as an agent.

The library's own `PettingZooEnv` stores one step of the table as one transition: the reward that stands beside an
action is what that very step brought to its seat, so that most of what a deal brings, which arrives while others move,
is lost, and `obs_next` is the next seat's. Here every seat has a trajectory of its own: its action, all that arrives
for it until its next one, and what it sees then. Any algorithm of the library learns from such a buffer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from five_hundred_env.agents import NetworkAgent
from five_hundred_env.core.constants import N_ACTIONS, SEATS
from five_hundred_env.core.observe import OBSERVATION_SIZE
from five_hundred_env.integrations._require import require
from five_hundred_env.tables import Tables

with require("Tianshou", extra="tianshou"):
    import torch
    from tianshou.algorithm.algorithm_base import Algorithm, Policy
    from tianshou.data import Batch, CollectStats, ReplayBuffer, VectorReplayBuffer
    from tianshou.data.collector import BaseCollector
    from torch import nn

from five_hundred_env.integrations._torch import torch_agent


class Seats:
    """What a collector asks of its environment: every seat of every table counts as one."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.action_space = [spaces.Discrete(N_ACTIONS)] * len(self)

    def __len__(self) -> int:
        return self.tables.n * SEATS

    def reset(self, **_: Any) -> tuple[npt.NDArray[np.int8], npt.NDArray[Any]]:
        """Begin a game at every table."""
        self.tables.reset()
        return self.tables.observation, np.array([{}] * self.tables.n, object)

    def close(self) -> None:
        """Do nothing: tables hold nothing open."""


class SeatsCollector(BaseCollector[CollectStats]):
    """Plays all four seats of many tables by one policy and keeps a trajectory for each seat.

    A transition is stored when its seat is to move again or its episode ends, in the buffer ``table * 4 + seat``. The
    last decision of each seat waits for that across calls of `collect`. A game that is cut at ``max_deals`` counts as
    ended. Observations are batches of ``obs``, `[O] int8`, and ``mask``, `[A] bool`.

    Args:
        policy: A policy or algorithm whose actor masks, such as `MaskedActor`.
        tables: The tables, with ``skip_forced=False``.
        buffer: A `VectorReplayBuffer` of four buffers a table; None makes one of `size` transitions.
        size: Of all buffers together: four times what one `collect` brings is safe.
        exploration_noise: Whether the policy's noise is added, as off-policy algorithms want.
    """

    def __init__(
        self,
        policy: Policy | Algorithm,
        tables: Tables,
        buffer: ReplayBuffer | None = None,
        size: int = 32_768,
        exploration_noise: bool = False,
    ) -> None:
        seats: Any = Seats(tables)
        super().__init__(
            policy, seats, buffer or VectorReplayBuffer(size, len(seats)), exploration_noise=exploration_noise
        )
        self.tables = tables
        n = tables.n
        self._observation = np.zeros((n, SEATS, OBSERVATION_SIZE), np.int8)
        self._mask = np.zeros((n, SEATS, N_ACTIONS), np.bool_)
        self._action = np.zeros((n, SEATS), np.int64)
        self._reward = np.zeros((n, SEATS), np.float64)
        self._generator = np.random.default_rng(tables.seed)
        self._forget()

    def _forget(self) -> None:
        """Begin trajectories anew."""
        self._waiting = np.zeros((self.tables.n, SEATS), np.bool_)
        self._return = np.zeros((self.tables.n, SEATS), np.float64)
        self._length = np.zeros((self.tables.n, SEATS), np.int64)

    def reset_env(self, gym_reset_kwargs: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Begin a game at every table; decisions that wait for their reward are dropped."""
        self._forget()
        return super().reset_env(gym_reset_kwargs)  # type: ignore[no-any-return, unused-ignore]

    def _collect(
        self,
        n_step: int | None = None,
        n_episode: int | None = None,
        random: bool = False,
        render: float | None = None,
        gym_reset_kwargs: dict[str, Any] | None = None,
    ) -> CollectStats:
        """Play until `n_step` transitions are stored or `n_episode` tables have ended an episode."""
        del render, gym_reset_kwargs
        steps, episodes = 0, 0
        returns: list[float] = []
        lengths: list[int] = []
        while steps < (n_step or 0) or episodes < (n_episode or 0):
            steps += self._store_answered()
            self.tables.step(self._decide(random))
            self._reward += self.tables.reward
            over = np.flatnonzero(self.tables.done)
            if over.size:
                steps += self._store_ended(over, returns, lengths)
                episodes += len(over)
        self.collect_step += steps
        self.collect_episode += episodes
        stats: CollectStats = self.collect_stats_class.with_autogenerated_stats(
            np.array(returns), np.array(lengths), n_collected_episodes=episodes, n_collected_steps=steps
        )
        return stats

    def _decide(self, random: bool) -> npt.NDArray[np.int64]:
        """Return the movers' actions `[B]` and remember what they were taken on."""
        every, seat = np.arange(self.tables.n), self.tables.seat
        mask = self.tables.mask.astype(np.bool_)
        batch = Batch(obs=Batch(obs=self.tables.observation.copy(), mask=mask), info=Batch())
        if random:
            action = (self._generator.random(mask.shape) * mask).argmax(axis=1)
        else:
            with torch.no_grad():
                action = np.asarray(self.policy(batch).act)
            if self.exploration_noise:
                action = self.policy.add_exploration_noise(action, batch)
        self._observation[every, seat], self._mask[every, seat] = batch.obs.obs, mask
        self._action[every, seat], self._reward[every, seat] = action, 0
        self._waiting[every, seat] = True
        return np.asarray(action, np.int64)

    def _store_answered(self) -> int:
        """Store the decisions of seats that are to move again; return how many."""
        seat = self.tables.seat
        table = np.flatnonzero(self._waiting[np.arange(self.tables.n), seat])
        if not table.size:
            return 0
        following = Batch(obs=self.tables.observation[table].copy(), mask=self.tables.mask[table].astype(np.bool_))
        self._store(table, seat[table], following, ended=False)
        return len(table)

    def _store_ended(self, over: npt.NDArray[np.int64], returns: list[float], lengths: list[int]) -> int:
        """Store the last decisions of tables whose episode has ended; return how many."""
        row, seat = np.nonzero(self._waiting[over])
        table = over[row]
        # Nobody asks for the value of what follows the end; the shape is what counts.
        following = Batch(obs=self._observation[table, seat], mask=self._mask[table, seat])
        self._store(table, seat, following, ended=True)
        returns.extend(self._return[table, seat].tolist())
        lengths.extend(self._length[table, seat].tolist())
        self._waiting[over], self._return[over], self._length[over] = False, 0, 0
        return len(table)

    def _store(self, table: npt.NDArray[np.int64], seat: npt.NDArray[np.int64], following: Batch, ended: bool) -> None:
        """Store the waiting decisions of some seats."""
        reward = self._reward[table, seat]
        self._return[table, seat] += reward
        self._length[table, seat] += 1
        self.buffer.add(
            Batch(
                obs=Batch(obs=self._observation[table, seat], mask=self._mask[table, seat]),
                act=self._action[table, seat],
                rew=reward,
                terminated=np.full(len(table), ended),
                truncated=np.zeros(len(table), np.bool_),
                obs_next=following,
                info=Batch(),
            ),
            buffer_ids=table * SEATS + seat,
        )


class MaskedActor(nn.Module):
    """An actor for `DiscreteActorPolicy` that gives illegal actions no probability.

    Args:
        network: From `[B, O] float32` to logits `[B, A]`.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Return masked logits and the state as it was."""
        del info
        logits: torch.Tensor = self.network(_numbers(obs.obs, self))
        mask = torch.as_tensor(obs.mask, device=logits.device)
        return logits.masked_fill(~mask, torch.finfo(logits.dtype).min), state


class Critic(nn.Module):
    """A critic for the same observations.

    Args:
        network: From `[B, O] float32` to values `[B, 1]`.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, obs: Any) -> torch.Tensor:
        """Return values `[B, 1]`."""
        values: torch.Tensor = self.network(_numbers(obs.obs, self))
        return values


def _numbers(observation: Any, module: nn.Module) -> torch.Tensor:
    """Return observations as float32 where the module is."""
    device = next(module.parameters()).device
    return torch.as_tensor(observation, device=device).float()


def as_agent(actor: MaskedActor, name: str = "tianshou", greedy: bool = False) -> NetworkAgent:
    """Return a trained actor as an agent, for the arena.

    Args:
        actor: It should not be trained while the agent plays.
        name: How reports call it.
        greedy: Take the most likely action; otherwise sample with the keys, as in training.
    """

    def logits(observation: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        del mask  # the agent masks
        out: torch.Tensor = actor.network(observation.float())
        return out

    return torch_agent(name, logits, greedy, next(actor.parameters()).device)

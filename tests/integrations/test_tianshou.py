"""Tianshou: trajectories by seat, legal actions, and a policy that learns from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou")
torch = pytest.importorskip("torch")

from gymnasium.spaces import Discrete  # noqa: E402
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy  # noqa: E402
from tianshou.data import Batch  # noqa: E402

from five_hundred_env import Tables  # noqa: E402
from five_hundred_env.core.constants import N_ACTIONS  # noqa: E402
from five_hundred_env.core.observe import OBSERVATION_SIZE  # noqa: E402
from five_hundred_env.integrations.tianshou import MaskedActor, SeatsCollector, as_agent  # noqa: E402
from tests.examples.test_examples import load  # noqa: E402
from tests.integrations.laws import Decision, careful_action, check_beats_random, check_episode  # noqa: E402

torch.set_num_threads(1)  # batches are small, and threads that wait for each other cost more than they bring


class Careful:
    """Stands for a policy: plays by `careful_action`."""

    def __init__(self) -> None:
        self.generator = np.random.default_rng(3)

    def __call__(self, batch: Any) -> Any:
        return Batch(act=np.array([careful_action(mask, self.generator) for mask in batch.obs.mask]))

    def train(self, mode: bool = True) -> None:
        del mode

    training = False


def collect(episode: str, tables: Tables, n_episode: int) -> SeatsCollector:
    """Collect careful play."""
    policy: Any = Careful()
    policy.is_within_training_step = False
    collector = SeatsCollector(policy, tables)
    collector.raise_on_nan_in_buffer = False
    stats = collector._collect(n_episode=n_episode)
    assert stats.n_collected_episodes >= n_episode
    assert stats.n_collected_steps == len(collector.buffer)
    return collector


def first_episode(collector: SeatsCollector, table: int) -> list[Decision]:
    """Return the decisions of the first episode of a table, out of its four buffers."""
    decisions = []
    for seat in range(4):
        stored = collector.buffer.buffers[table * 4 + seat]
        end = int(np.flatnonzero(stored.terminated[: len(stored)])[0]) + 1
        ends = stored.terminated | stored.truncated
        decisions += [
            Decision(seat, int(stored.act[n]), stored.obs.mask[n], float(stored.rew[n]), bool(ends[n]))
            for n in range(end)
        ]
    return decisions


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_each_seats_rewards_are_on_its_own_decisions(episode: str) -> None:
    """Every table that has ended an episode, checked against `Game` with the seed of its first episode."""
    tables = Tables(4, seed=5, episode=episode, max_deals=4)
    seeds = tables.seeds.tolist()
    collector = collect(episode, tables, n_episode=12)
    paid = 0
    for table, seed in enumerate(seeds):
        if not collector.buffer.buffers[table * 4].terminated.any():
            continue
        due = check_episode(first_episode(collector, table), seed, episode=episode, max_deals=4)
        paid += sum(bool(entry.reward) and (episode == "deal" or not entry.ends) for entry in due)
    assert paid


def test_what_follows_is_the_same_seats_next_observation() -> None:
    """Within an episode `obs_next` of a transition is `obs` of the seat's next one, mask included."""
    collector = collect("deal", Tables(2, seed=5), n_episode=4)
    compared = 0
    for stored in collector.buffer.buffers:
        for n in range(len(stored) - 1):
            if not stored.terminated[n]:
                assert np.array_equal(stored.obs_next.obs[n], stored.obs.obs[n + 1])
                assert np.array_equal(stored.obs_next.mask[n], stored.obs.mask[n + 1])
                compared += 1
    assert compared


def test_a_masked_actor_never_chooses_an_illegal_action() -> None:
    """Logits that favour the no-op, id 79: `Tables` raises at an illegal action, and the agent refuses it as well."""
    network = torch.nn.Linear(OBSERVATION_SIZE, N_ACTIONS)
    with torch.no_grad():
        network.bias[79] = 1e6
    actor = MaskedActor(network)
    policy = DiscreteActorPolicy(actor=actor, action_space=Discrete(N_ACTIONS))
    tables = Tables(16, seed=5)
    collector = SeatsCollector(policy, tables)
    stats = collector.collect(n_step=1000)
    assert stats.n_collected_steps >= 1000
    stored = collector.buffer[:]
    assert stored.obs.mask[np.arange(len(stored)), stored.act].all()
    keys = np.arange(16, dtype=np.uint64)
    answers = as_agent(actor).act(tables.observation, tables.mask, keys)
    assert tables.mask[np.arange(16), answers].all()


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Two rollouts of 4,096 decisions; the agent that comes out plays."""
    agent = load("tianshou_ppo")["train"](steps=8192)
    assert "decisions a second" in capsys.readouterr().out
    tables = Tables(4, seed=5)
    tables.step(agent.act(tables.observation, tables.mask, tables.seeds))


@pytest.mark.slow
def test_it_learns() -> None:
    check_beats_random(load("tianshou_ppo")["train"](steps=32_768), by=100)

"""BenchMARL: rewards, masks, the specifications of the task, seeds, and that it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("benchmarl", exc_type=ImportError)

import torch
from torchrl.envs import TransformedEnv

from examples.benchmarl_ippo import configure, train
from five_hundred_env import Tables
from five_hundred_env.arena import play_match
from five_hundred_env.integrations.benchmarl import GROUP, FiveHundredTask, experiment_agent
from tests.integrations.laws import Decision, check_beats_random, check_episode

pytestmark = pytest.mark.filterwarnings("default")

SEED = 11
torch.set_num_threads(1)  # threads that wait for each other cost more than they bring


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_rewards_and_masks(tmp_path: Path, episode: str) -> None:
    """The untrained policy of an experiment plays one episode.

    A reward stands on the step on which it is paid. Added up from a decision to the next of the same seat, without the
    steps between being lost, it is what the decision brought.
    """
    experiment = configure(1024, str(tmp_path), seed=SEED)
    task = FiveHundredTask({"episode": episode, "max_deals": 2})
    env = task.get_env_fun(1, False, SEED, "cpu")()
    env = TransformedEnv(env, task.get_env_transforms(env)[0])
    decisions: list[Decision] = []
    begin_with = env.reset(seed=SEED)
    rollout = env.rollout(400, experiment.policy, auto_reset=False, tensordict=begin_with)
    assert bool(rollout["next", "done"][-1])
    acts = rollout[GROUP, "action_mask"]
    idle = acts[..., -1]  # the last action is the no-op
    assert (idle.sum(-1) == 3).all(), "three seats wait at each step"
    rewards = rollout["next", GROUP, "reward"].squeeze(-1)
    for seat in range(4):
        steps = (~idle[:, seat]).nonzero().flatten().tolist()
        for begin, end in zip(steps, [*steps[1:], len(rollout)], strict=True):
            decisions.append(
                Decision(
                    seat,
                    int(rollout[GROUP, "action"][begin, seat]),
                    acts[begin, seat].numpy(),
                    float(rewards[begin:end, seat].sum()),
                    end == len(rollout),
                )
            )
        assert (rollout[GROUP, "action"][:, seat][idle[:, seat]] == acts.shape[-1] - 1).all(), "who waits does nothing"
    due = check_episode(decisions, SEED, episode=episode, max_deals=2)
    assert any(entry.reward for entry in due)
    experiment.close()


def test_each_table_has_a_seed_of_its_own() -> None:
    """BenchMARL hands all tables of an experiment one seed; alike they would play the same deals."""
    make = FiveHundredTask({"episode": "deal"}).get_env_fun(2, False, SEED, "cpu")
    first, second = make(), make()
    assert not torch.equal(first.reset()[GROUP, "observation"], second.reset()[GROUP, "observation"])


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    """An untrained policy that samples plays about as `random` does; what was learned beats both."""
    experiment = configure(1024, str(tmp_path), seed=SEED)
    untrained = experiment_agent(experiment, greedy=False)
    tables = Tables(n=100, seed=SEED)
    keys = np.arange(100, dtype=np.uint64)
    together = untrained.act(tables.observation, tables.mask, keys)
    assert (tables.mask[np.arange(100), together] == 1).all()
    assert np.array_equal(untrained.act(tables.observation[7:9], tables.mask[7:9], keys[7:9]), together[7:9])
    before = play_match(untrained, "random", boards=300, seed=1)
    experiment.close()
    assert check_beats_random(train(decisions=3072, seed=SEED), boards=300) > before.ci95[1] + 50

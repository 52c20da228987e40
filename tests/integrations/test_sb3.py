"""Gymnasium and sb3-contrib: one table and many, rewards, masks, self-play, and a policy that learns."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import five_hundred_env  # noqa: F401  registers the environments
from five_hundred_env import Tables
from five_hundred_env.core.state import SEAT, SEED
from five_hundred_env.integrations.sb3 import SeatVecEnv, SelfPlay, as_agent
from tests.examples.test_examples import load
from tests.integrations.laws import Decision, careful_action, check_beats_random, check_episode

torch.set_num_threads(1)  # batches are small, and threads that wait for each other cost more than they bring


class Spy:
    """Plays the seats that do not learn by `careful_action` and notes what they do in the game of a seed."""

    name = "spy"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.generator = np.random.default_rng(seed)
        self.decisions: list[Decision] = []
        self.row: Any = None

    def act(self, _observation: Any, mask: Any, keys: Any) -> Any:
        """Choose for one table; once the episode is over the next one has another seed."""
        assert len(keys) == 1
        action = careful_action(mask[0], self.generator)
        if int(self.row[SEED]) == self.seed:
            self.decisions.append(Decision(int(self.row[SEAT]), action, mask[0].copy()))
        return np.array([action])


def play(seed: int, episode: str, learner: int) -> list[Decision]:
    """Play an episode with one table and return every decision; those of the spy have no reward."""
    spy = Spy(seed)
    env = SeatVecEnv(1, seed=seed, seat=learner, partner=spy, opponents=spy, episode=episode, max_deals=3)
    spy.row = env.tables.rows[0]
    env.reset()
    done = np.array([False])
    infos: list[dict[str, Any]] = [{}]
    own: list[Decision] = []
    while not done[0]:
        mask = np.stack(env.env_method("action_masks"))[0]
        action = careful_action(mask, spy.generator)
        _, reward, done, infos = env.step(np.array([action]))
        own.append(Decision(learner, action, mask, float(reward[0]), bool(done[0])))
    assert infos[0]["terminal_observation"].shape == (1096,)
    return own + spy.decisions


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_rewards_are_on_the_learners_own_decisions(episode: str) -> None:
    """Every seat in turn as the learner; over these seeds deals are paid, and in games before the end as well."""
    paid = 0
    for seed in range(1, 9):
        due = check_episode(play(seed, episode, seed % 4), seed, episode=episode, max_deals=3)
        own = [entry for entry in due if entry.decision.reward is not None]
        paid += sum(bool(entry.reward) and (episode == "deal" or not entry.ends) for entry in own)
    assert paid


def test_many_tables_play_what_the_single_environment_plays() -> None:
    """Table i of a batch is `FiveHundred/Seat-v0` reset with the i-th seed: observations, rewards and ends."""
    options: dict[str, Any] = {"episode": "deal", "partner": "greedy", "opponents": "random"}
    env = SeatVecEnv(3, seed=20, **options)
    observations = env.reset()
    for table in range(3):
        single = gymnasium.make("FiveHundred/Seat-v0", **options)
        seen, _ = single.reset(seed=20 + table)
        assert np.array_equal(seen, observations[table])
        assert np.array_equal(single.unwrapped.action_masks(), env.env_method("action_masks", indices=table)[0])
        assert env.reset_infos[table]["seat"] == single.unwrapped.learner
    singles = [gymnasium.make("FiveHundred/Seat-v0", **options) for _ in range(3)]
    for table, single in enumerate(singles):
        single.reset(seed=20 + table)
    actions = get_action_masks(env).argmax(axis=1)
    _, rewards, dones, infos = env.step(actions)
    for table, single in enumerate(singles):
        seen, reward, terminated, truncated, _ = single.step(int(actions[table]))
        assert (rewards[table], dones[table]) == (np.float32(reward), terminated or truncated)
        if dones[table]:
            assert np.array_equal(infos[table]["terminal_observation"], seen)


def test_the_library_finds_masks_through_its_wrappers() -> None:
    env = VecMonitor(SeatVecEnv(4, seed=1))
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (4, 80)
    assert masks.any(axis=1).all()
    assert not env.has_attr("no_such_attribute")


def test_a_part_of_the_tables_can_not_be_changed() -> None:
    env = SeatVecEnv(2, seed=1)
    with pytest.raises(ValueError, match="leave out `indices`"):
        env.env_method("set_agents", partner="random", indices=[0])
    env.env_method("set_agents", partner="random")
    assert (env.tables.others.partner.name, env.tables.others.opponents.name) == ("random", "rule")


def test_seeds_of_the_library_count() -> None:
    """`seed(n)` gives table i the seed n + i at the next reset, and only at that one."""
    env = SeatVecEnv(2)
    env.seed(9)
    first = env.reset()
    assert env.tables.rows[:, SEED].tolist() == [9, 10]
    assert not np.array_equal(first, env.reset())


def test_one_table_needs_no_adapter() -> None:
    """The library's own vector of one environment, masks and all: `illegal="raise"` says that no action was illegal."""
    env = gymnasium.make("FiveHundred/Seat-v0", episode="deal", partner="passer", opponents="passer", illegal="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, device="cpu", seed=1).learn(64)
    assert model.num_timesteps == 64


def test_self_play_swaps_the_other_seats_and_snapshots_stay() -> None:
    """Three rollouts, a snapshot at each, two kept; `illegal="raise"` says that none of them acts illegally."""
    env = SeatVecEnv(8, seed=3, episode="deal", partner="random", opponents="random", illegal="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, device="cpu", seed=3)
    callback = SelfPlay(every=1, keep=2)
    model.learn(3 * 128, callback=callback)
    assert [agent.name for agent in callback.snapshots] == ["after_128", "after_256"]
    assert env.tables.others.partner is callback.snapshots[-1]
    assert env.tables.others.opponents in callback.snapshots
    tables = Tables(64, seed=5)
    arguments = tables.observation.copy(), tables.mask.copy(), tables.seeds.copy()
    snapshot = as_agent(model)
    before = snapshot.act(*arguments)
    model.learn(512)
    assert np.array_equal(before, snapshot.act(*arguments))
    assert not np.array_equal(before, as_agent(model).act(*arguments))


def test_an_agent_answers_by_key_alone() -> None:
    """Alone or in a batch, in any order, the same; other keys give other answers; all are legal."""
    env = SeatVecEnv(8, seed=3)
    agent = as_agent(MaskablePPO("MlpPolicy", env, n_steps=16, device="cpu", seed=3))
    tables = Tables(100, seed=5)
    observation, mask, keys = tables.observation.copy(), tables.mask.copy(), tables.seeds.copy()
    answers = agent.act(observation, mask, keys)
    assert mask[np.arange(100), answers].all()
    backwards = agent.act(observation[::-1], mask[::-1], keys[::-1])[::-1]
    assert np.array_equal(answers, backwards)
    assert agent.act(observation[7:8], mask[7:8], keys[7:8])[0] == answers[7]
    assert not np.array_equal(answers, agent.act(observation, mask, keys + np.uint64(1)))


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """One rollout of 4,096 decisions."""
    assert load("sb3_maskable_ppo")["train"](steps=4096).name == "maskable_ppo"
    assert "decisions a second" in capsys.readouterr().out


@pytest.mark.slow
def test_it_learns() -> None:
    check_beats_random(load("sb3_maskable_ppo")["train"](steps=32_768), by=100)

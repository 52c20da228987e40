"""Spaces, masks and what is seen, over whole random games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from five_hundred_env import actions, five_hundred_v0
from five_hundred_env.core.observe import OBSERVATION_FIELDS, OBSERVATION_SIZE, STATE_SIZE
from five_hundred_env.core.rules import PROFILES
from five_hundred_env.envs.aec import AGENTS
from tests.envs.helpers import Dice, mask_of

RULES: list[Any] = [
    *PROFILES,
    {"pack": "46", "all_pass": "no_trumps", "auction": "reenter", "target": 1500},
    {"pack": "45", "own_raise": "yes", "open_misere_shown": "before_first_lead", "lose": "none"},
    {"pack": "9", "misere_rank": "by_value"},
    {"pack": "17", "joker_no_trumps": "free"},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_spaces_hold_everything_that_is_seen(rules: Any, mask_in: str) -> None:
    """Every seat's observation at every step of three games, and the state."""
    env = five_hundred_v0.env(rules=rules, mask_in=mask_in, max_deals=12)
    for seed in range(3):
        env.reset(seed=seed)
        choose = Dice(seed)
        for name in env.agent_iter():
            for other in AGENTS:
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                mask = mask_of(seen, env.infos[other]) if other in env.infos else np.zeros(80)
                assert mask.any() == (other == name and env.is_playing)
            assert env.state_space.contains(env.state())
            observation, _, terminated, truncated, info = env.last()
            env.step(None if terminated or truncated else choose(mask_of(observation, info)))


def test_spaces_are_the_same_objects_at_each_call() -> None:
    for mask_in in ("obs", "info"):
        env = five_hundred_v0.env(mask_in=mask_in)
        for name in AGENTS:
            assert env.observation_space(name) is env.observation_space(name)
            assert env.action_space(name) is env.action_space(name)
        assert env.state_space is env.state_space


def test_shapes() -> None:
    """80 actions (28 calls, 46 cards, four suits, =-, --); the mask is a part of the observation or not."""
    env = five_hundred_v0.env()
    space = env.observation_space("player_0")
    assert isinstance(space, spaces.Dict)
    assert set(space) == {"action_mask", "observation"}
    assert space["observation"].shape == (OBSERVATION_SIZE,)
    assert space["action_mask"].shape == (80,)
    assert env.action_space("player_0") == spaces.Discrete(80)
    assert env.state_space.shape == (STATE_SIZE,)
    box = five_hundred_v0.env(mask_in="info").observation_space("player_0")
    assert isinstance(box, spaces.Box)
    assert box.dtype == np.int8


def test_bounds_are_those_of_the_fields() -> None:
    """Each field's places have its bounds; a place without freedom would have equal bounds, which checkers remark."""
    box = five_hundred_v0.env(mask_in="info").observation_space("player_0")
    for field in OBSERVATION_FIELDS:
        assert set(box.low[field.start : field.stop].tolist()) == {field.low}
        assert set(box.high[field.start : field.stop].tolist()) == {max(field.high, field.low + 1)}
    assert (box.low < box.high).all()


@pytest.mark.parametrize("make", [five_hundred_v0.env, five_hundred_v0.raw_env])
@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_what_is_returned_may_be_kept(make: Any, mask_in: str) -> None:
    """No later step changes an array that was handed out, and changing it changes nothing in the environment."""
    env = make(mask_in=mask_in)
    env.reset(seed=1)
    kept, copies = [], []
    choose = Dice(1)
    for _ in range(60):
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        arrays = [*([observation] if mask_in == "info" else observation.values()), *info.values()]
        arrays += [value for name in AGENTS for value in env.infos[name].values()]
        seen = env.observe("player_2")
        arrays += [seen] if mask_in == "info" else list(seen.values())
        kept += arrays
        copies += [array.copy() for array in arrays]
        env.step(choose(mask_of(observation, info)))
    assert len(kept) > 100
    assert all((array == copy).all() for array, copy in zip(kept, copies, strict=True))
    before = env.state()
    for array in kept:
        array[:] = 77
    assert (env.state() == before).all()
    assert mask_of(*env.last()[::4]).max() <= 1 or mask_in == "info"


def test_looking_changes_nothing() -> None:
    """`observe` of any seat, `state` and `last` leave what the mover is told as it was."""
    env = five_hundred_v0.env()
    env.reset(seed=4)
    choose = Dice(4)
    for _ in range(40):
        before = env.last()[0]
        for name in AGENTS:
            env.observe(name)
        env.state()
        after = env.last()[0]
        assert (before["observation"] == after["observation"]).all()
        assert (before["action_mask"] == after["action_mask"]).all()
        env.step(choose(after["action_mask"]))
        if not env.is_playing:
            break


def test_masks_of_idle_seats() -> None:
    """AEC: nothing at all. Parallel form: the no-op `--` alone; nothing after the end."""
    env, parallel = five_hundred_v0.env(episode="deal"), five_hundred_v0.parallel_env(episode="deal")
    env.reset(seed=2, options={"dealer": 1})
    observations, _ = parallel.reset(seed=2, options={"dealer": 1})
    assert env.agent_selection == parallel.mover == "player_2"
    for name in ("player_0", "player_1", "player_3"):
        assert not env.observe(name)["action_mask"].any()
        assert np.flatnonzero(observations[name]["action_mask"]).tolist() == [actions.NOOP]
    assert (observations["player_2"]["action_mask"] == env.last()[0]["action_mask"]).all()
    for _ in range(4):
        observations, _, terminations, _, _ = parallel.step(dict.fromkeys(AGENTS, 0))
    assert all(terminations.values())
    assert not any(seen["action_mask"].any() for seen in observations.values())

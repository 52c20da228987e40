"""The vector form of the seat environment equals the single form, table by table."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

from five_hundred_env import Tables, actions
from five_hundred_env.envs import SEAT_ID
from five_hundred_env.envs.vector import SeatVectorEnv
from five_hundred_env.errors import AgentError, IllegalActionError, OptionError, OrderError
from tests.envs.helpers import TEN_TRUMPS

OTHERS = {"partner": "greedy", "opponents": "random"}


def make(count: int, **options: Any) -> Any:
    return gymnasium.make_vec(SEAT_ID, num_envs=count, **{**OTHERS, **options})


def choose_all(rng: np.random.Generator, masks: Any, cheat: float = 0.0) -> Any:
    return np.array([rng.choice(np.flatnonzero(m)) if rng.random() >= cheat else actions.NOOP for m in masks])


@pytest.mark.parametrize(
    ("options", "cheat"),
    [
        ({"episode": "deal", "reward": "points"}, 0.0),
        ({"episode": "deal", "reward": "tricks", "seat": 2}, 0.02),
        ({"max_deals": 3, "reward": "tricks"}, 0.01),
        ({"max_deals": 4, "reward": "win", "rules": "american"}, 0.0),
    ],
)
def test_each_table_is_a_seat_environment(options: dict[str, Any], cheat: float) -> None:
    """Table i of ``reset(seed=11)`` is the single form reset with 11 + i, over many episodes, cheats included."""
    count, rng, ends = 5, np.random.default_rng(0), 0
    vector = make(count, **options)
    singles = [gymnasium.make(SEAT_ID, **OTHERS, **options).unwrapped for _ in range(count)]
    observations, infos = vector.reset(seed=11)
    expected = [single.reset(seed=11 + n) for n, single in enumerate(singles)]
    for _ in range(250):
        for n, (observation, info) in enumerate(expected):
            assert (observations[n] == observation).all()
            assert (infos["action_mask"][n] == info["action_mask"]).all()
            assert infos["seat"][n] == info["seat"]
        chosen = choose_all(rng, infos["action_mask"], cheat)
        observations, rewards, terminated, truncated, infos = vector.step(chosen)
        for n, single in enumerate(singles):
            observation, reward, over, cut, info = single.step(chosen[n])
            assert (rewards[n], terminated[n], truncated[n]) == (reward, over, cut)
            if over or cut:
                ends += 1
                assert (infos["final_obs"][n] == observation).all()
                assert infos["final_info"]["seat"][n] == info["seat"]
                observation, info = single.reset()
            expected[n] = observation, info
    assert ends >= 15


def test_it_is_a_vector_env() -> None:
    env = make(6)
    assert isinstance(env, VectorEnv)
    assert isinstance(env, SeatVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.num_envs == 6
    single = gymnasium.make(SEAT_ID, **OTHERS)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.action_space == gymnasium.spaces.MultiDiscrete([80] * 6)
    observations, _ = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert env.render() is None
    env.close()


def test_infos_follow_the_convention() -> None:
    """Keys with an underscore say for which tables an entry holds; at an end they are final_obs and final_info."""
    count, rng = 8, np.random.default_rng(3)
    env = make(count, episode="deal")
    _, infos = env.reset(seed=1)
    assert set(infos) == {"action_mask", "_action_mask", "seat", "_seat"}
    for _ in range(60):
        _, _, terminated, truncated, infos = env.step(choose_all(rng, infos["action_mask"]))
        done = terminated | truncated
        assert infos["_action_mask"].all()
        assert infos["_seat"].all()
        if not done.any():
            assert "final_obs" not in infos
            continue
        assert (infos["_final_obs"] == done).all()
        assert (infos["_final_info"] == done).all()
        assert (infos["final_info"]["_action_mask"] == done).all()
        assert not infos["final_info"]["action_mask"].any()
        for n in range(count):
            assert (infos["final_obs"][n] is not None) == done[n]
            if done[n]:
                assert env.single_observation_space.contains(infos["final_obs"][n])
        return
    pytest.fail("no episode ended")


def test_the_synchronous_form_says_the_same() -> None:
    """Gymnasium's own vectoriser over the single form, in the same mode: the same arrays and the same infos."""
    rng, options = np.random.default_rng(5), {**OTHERS, "episode": "deal", "reward": "tricks"}
    native = gymnasium.make_vec(SEAT_ID, num_envs=4, **options)
    theirs = gymnasium.make_vec(
        SEAT_ID,
        num_envs=4,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        **options,
    )
    first, second = native.reset(seed=2), theirs.reset(seed=2)
    for _ in range(120):
        assert (first[0] == second[0]).all()
        compare_infos(first[-1], second[-1])
        chosen = choose_all(rng, first[-1]["action_mask"])
        first, second = native.step(chosen), theirs.step(chosen)
        for mine, other in zip(first[1:4], second[1:4], strict=True):
            assert mine.dtype == other.dtype
            assert (mine == other).all()


def compare_infos(mine: dict[str, Any], other: dict[str, Any]) -> None:
    """Compare infos of two vector environments."""
    assert set(mine) == set(other)
    for key, value in other.items():
        if isinstance(value, dict):
            compare_infos(mine[key], value)
        elif value.dtype == object:
            assert all((a is None) == (b is None) for a, b in zip(mine[key], value, strict=True))
            assert all(a is None or (a == b).all() for a, b in zip(mine[key], value, strict=True))
        else:
            assert (mine[key] == value).all(), key


def test_seeds() -> None:
    """A number stands for itself, itself plus 1, …; a sequence for itself, None for the table's own generator."""
    one, other = make(3), make(3)
    first, _ = one.reset(seed=7)
    second, _ = other.reset(seed=[7, 8, 9])
    assert (first == second).all()
    third, _ = one.reset()
    fourth, _ = other.reset(seed=[None, None, 7])
    assert (third[:2] == fourth[:2]).all()
    assert (fourth[2] == first[0]).all()
    assert not (third == first).all()
    assert not (make(2).reset()[0] == make(2).reset()[0]).all()
    for seed in (-1, 1.5, [1, 2], "abc"):
        with pytest.raises(OptionError):
            one.reset(seed=seed)


def test_options_hold_for_every_table() -> None:
    env = make(3, seat=0)
    observations, _ = env.reset(seed=1, options={"deal": TEN_TRUMPS, "dealer": 3})
    assert (observations == observations[0]).all()
    with pytest.raises(OptionError):
        env.reset(options={"dealer": 7})
    assert (env.rows[:, 0] == env.rows[0, 0]).all()


def test_what_is_returned_may_be_kept() -> None:
    rng = np.random.default_rng(1)
    env = make(4, episode="deal")
    observations, infos = env.reset(seed=1)
    kept, copies = [], []
    for _ in range(30):
        chosen = choose_all(rng, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(chosen)
        arrays = [observations, rewards, terminated, truncated, infos["action_mask"], infos["seat"]]
        arrays += [last for last in infos.get("final_obs", []) if last is not None]
        kept += arrays
        copies += [array.copy() for array in arrays]
    assert all((array == copy).all() for array, copy in zip(kept, copies, strict=True))


def test_errors() -> None:
    env = make(3, illegal="raise")
    for call in (lambda: env.step([0, 0, 0]), env.action_masks, env.render):
        with pytest.raises(OrderError):
            call()
    env.reset(seed=1)
    before = env.rows.copy()
    for wrong in ([0, 0], [0.0, 0.0, 0.0], [[0, 0, 0]], [None, 0, 0], ["PASS", "PASS", "PASS"]):
        with pytest.raises(OptionError):
            env.step(wrong)
    with pytest.raises(IllegalActionError, match="environment 1:"):
        env.step([0, actions.NOOP, 0])
    assert (env.rows == before).all()
    assert env.action_masks().shape == (3, 80)
    for name, value in (("num_envs", 0), ("seat", 4), ("render_mode", "human"), ("illegal", "pass")):
        with pytest.raises(OptionError):
            SeatVectorEnv(**{"num_envs": 1, **OTHERS, name: value})


def test_an_agent_that_answers_with_an_illegal_action_is_named() -> None:
    class Bad:
        name = "bad"

        def act(self, _observation: Any, _mask: Any, keys: Any) -> Any:
            return np.full(len(keys), actions.NOOP)

    env = make(2, opponents=Bad(), seat=0)
    with pytest.raises(AgentError, match="'bad' answered -- for seat 1"):
        env.reset(seed=1, options={"dealer": 0})
    with pytest.raises(OrderError):
        env.step([0, 0])
    env.set_agents(opponents="passer")
    env.reset(seed=1)
    assert env.action_masks().any(axis=1).all()


def test_processes_beside_tables_with_threads() -> None:
    """A forked child of a process that has used threads is killed, so processes are spawned; they play the same."""
    tables = Tables(n=64, seed=1, threads=2)
    tables.step(tables.mask.argmax(axis=1))
    options = {**OTHERS, "episode": "deal"}
    theirs = gymnasium.make_vec(
        SEAT_ID, num_envs=2, vectorization_mode="async", vector_kwargs={"context": "spawn"}, **options
    )
    try:
        ours = make(2, **options)
        first, infos = ours.reset(seed=3)
        assert (theirs.reset(seed=3)[0] == first).all()
        tables.step(tables.mask.argmax(axis=1))
        chosen = infos["action_mask"].argmax(axis=1)
        assert (theirs.step(chosen)[0] == ours.step(chosen)[0]).all()
    finally:
        theirs.close()


def test_pictures() -> None:
    env = make(2, render_mode="ansi")
    env.reset(seed=1)
    texts = env.render()
    assert [type(text) for text in texts] == [str, str]
    assert texts[0] != texts[1]

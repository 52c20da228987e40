"""The checks that PettingZoo ships, on every form, episode, reward and place of the mask.

Not here: `max_cycles_test` wants an argument `max_cycles`; `bombardment_test` compares what `step` returns, which is
nothing; `performance_benchmark` and `test_save_obs` check nothing that this environment has.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

from five_hundred_env import five_hundred_v0
from five_hundred_env.envs import PETTINGZOO_ID

with warnings.catch_warnings():
    # On import they load an environment of their own in a way that PettingZoo 1.27 deprecates.
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

CHOICES = list(itertools.product(("game", "deal"), ("points", "win", "tricks"), ("obs", "info")))
AEC = {"env": five_hundred_v0.env, "raw_env": five_hundred_v0.raw_env}

# `api_test` keeps lists of PettingZoo's own environments whose observation is a dictionary; ours is not on them. It
# also remarks that the mask of a seat whose episode is over allows nothing, which is the contract.
REMARKS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
}


@pytest.fixture(params=CHOICES, ids="-".join)
def choice(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(zip(("episode", "reward", "mask_in"), request.param, strict=True))


@pytest.fixture(params=sorted(AEC))
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return AEC[request.param]


def run_api_test(env: Any) -> set[str]:
    """Run `api_test` and return what it remarks."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=60)
    return {str(entry.message) for entry in caught}


def test_api(make: Callable[..., Any], choice: dict[str, Any]) -> None:
    """With the mask in info nothing is remarked; with it in the observation at most the three remarks above."""
    remarks = run_api_test(make(**choice))
    assert remarks <= (REMARKS if choice["mask_in"] == "obs" else set())


def test_seed(make: Callable[..., Any], choice: dict[str, Any]) -> None:
    """Two environments of one seed go the same way; `seed_test` asserts it."""
    seed_test(lambda: make(**choice), num_cycles=30)
    env = make(**choice)
    env.reset(seed=42)
    first = env.state()
    env.reset(seed=42)
    assert (env.state() == first).all()


def test_parallel_api(choice: dict[str, Any]) -> None:
    """`parallel_api_test` takes masks from observations only, so those in info are played over: ``illegal="lose"``."""
    env = five_hundred_v0.parallel_env(**choice, illegal="raise" if choice["mask_in"] == "obs" else "lose")
    parallel_api_test(env, num_cycles=120)
    assert env.metadata["is_parallelizable"]


def test_parallel_seed(choice: dict[str, Any]) -> None:
    """`parallel_seed_test` samples without a mask, hence ``illegal="lose"``."""
    parallel_seed_test(lambda: five_hundred_v0.parallel_env(**choice, illegal="lose"), num_cycles=30)
    env = five_hundred_v0.parallel_env(**choice, illegal="lose")
    env.reset(seed=42)
    assert env.mover is not None


def test_state(make: Callable[..., Any], choice: dict[str, Any]) -> None:
    """`state_test` samples without a mask, hence ``illegal="lose"``."""
    env, parallel = make(**choice, illegal="lose"), five_hundred_v0.parallel_env(**choice, illegal="lose")
    state_test(env, parallel)
    assert env.state_space == parallel.state_space


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_render(make: Callable[..., Any], mask_in: str, quick_screen: None) -> None:
    """`render_test` takes masks from observations only, so those in info are played over: ``illegal="lose"``."""
    modes: list[str] = []

    def build(render_mode: str) -> Any:
        modes.append(render_mode)
        return make(episode="deal", mask_in=mask_in, illegal="lose", render_mode=render_mode)

    render_test(build)
    assert modes == ["human", "ansi", "rgb_array", "human"]


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_registry(kind: str) -> None:
    """`pettingzoo.make` finds the environment by name, where PettingZoo has a registry."""
    make = getattr(pettingzoo, "make", None)
    if make is None:
        pytest.skip("this PettingZoo has no registry")
    env = make(kind, PETTINGZOO_ID, episode="deal")
    env.reset(seed=1)
    assert isinstance(env, {"aec": pettingzoo.AECEnv, "parallel": pettingzoo.ParallelEnv}[kind])
    assert str(env) == "five_hundred_v0"
    assert PETTINGZOO_ID == "five_hundred/five_hundred-v0"


def test_registering_twice_is_silent() -> None:
    """A second registration would warn, and warnings are errors here."""
    from five_hundred_env.envs import register_all

    before = dict(gymnasium.registry)
    register_all()
    assert gymnasium.registry == before

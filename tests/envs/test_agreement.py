"""Environments, `Game` and `Tables` play the same game; copies and pickles keep it."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game, Tables, five_hundred_v0
from five_hundred_env.envs.aec import AGENTS
from tests.envs.helpers import TEN_TRUMPS, Dice, mask_of, play, snapshot


@pytest.mark.parametrize("rules", ["australian", "american"])
def test_env_plays_what_game_plays(rules: str) -> None:
    """The same seed deals the same cards; observations, masks, seats and points agree at every step of a game."""
    env, game = five_hundred_v0.env(rules=rules), Game(rules, seed=17)
    env.reset(seed=17)
    choose = Dice(17)
    points = [0, 0]
    for name in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        if terminated:
            break
        assert name == AGENTS[game.seat]
        for seat, other in enumerate(AGENTS):
            theirs, ours = game.observe(seat), env.observe(other)
            assert (theirs["observation"] == ours["observation"]).all()
            assert (theirs["action_mask"] == ours["action_mask"]).all()
        action = choose(observation["action_mask"])
        game.apply(action)
        env.step(action)
        if game.phase == "over":
            won = game.deal_result.points
            assert env.rewards["player_0"] == pytest.approx((won[0] - won[1]) / 100)
            points = [points[0] + won[0], points[1] + won[1]]
            if not game.is_over:
                game.next_deal()
    assert game.is_over
    assert tuple(points) == game.scores


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_env_plays_what_tables_play(episode: str) -> None:
    """One table beside the environment, over three episodes: the same seeds follow each other, the rewards agree."""
    tables = Tables(n=2, seed=5, episode=episode, reward="tricks", max_deals=7)
    env = five_hundred_v0.env(episode=episode, reward="tricks", max_deals=7)
    env.reset(seed=int(tables.seeds[1]))
    choose, episodes = Dice(3), 0
    while episodes < 3:
        observation = env.last()[0]
        assert tables.seat[1] == AGENTS.index(env.agent_selection)
        assert (tables.observation[1] == observation["observation"]).all()
        assert (tables.mask[1] == observation["action_mask"]).all()
        action = choose(observation["action_mask"])
        tables.step([int(np.flatnonzero(tables.mask[0])[0]), action])
        env.step(action)
        assert np.allclose(tables.reward[1], list(env.rewards.values()))
        assert tables.terminated[1] == any(env.terminations.values())
        assert tables.truncated[1] == any(env.truncations.values())
        if tables.done[1]:
            episodes += 1
            env.reset()


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_the_parallel_form_plays_what_the_aec_form_plays(mask_in: str) -> None:
    """The same seed and actions: observations, rewards and ends agree at every step; idle seats send nonsense."""
    env = five_hundred_v0.env(reward="tricks", mask_in=mask_in, max_deals=3)
    parallel = five_hundred_v0.parallel_env(reward="tricks", mask_in=mask_in, max_deals=3)
    env.reset(seed=8)
    observations, infos = parallel.reset(seed=8)
    choose = Dice(8)
    while parallel.agents:
        mover = env.agent_selection
        assert parallel.mover == mover
        for name in AGENTS:
            seen, other = env.observe(name), observations[name]
            assert (seen == other).all() if mask_in == "info" else (seen["observation"] == other["observation"]).all()
        mask = mask_of(observations[mover], infos[mover])
        assert (mask == mask_of(*env.last()[::4])).all()
        action = choose(mask)
        env.step(action)
        observations, rewards, terminations, truncations, infos = parallel.step(
            {name: action if name == mover else 10**6 for name in AGENTS}
        )
        assert (rewards, terminations, truncations) == (env.rewards, env.terminations, env.truncations)
        assert (parallel.state() == env.state()).all()
    assert any(terminations.values()) or any(truncations.values())


def test_a_seed_decides_everything() -> None:
    """The same seed, the same episodes, this one and those that follow without a seed; another seed, others."""
    env = five_hundred_v0.env(episode="deal")
    runs = []
    for seed in (7, 7, 8):
        env.reset(seed=seed)
        states = [env.state().tobytes()]
        for _ in range(3):
            env.reset()
            states.append(env.state().tobytes())
        runs.append(states)
    assert runs[0] == runs[1]
    assert len({*runs[0], *runs[2]}) == 8


def test_resets_without_any_seed_differ() -> None:
    states = set()
    for _ in range(5):
        env = five_hundred_v0.env()
        env.reset()
        states.add(env.state().tobytes())
    assert len(states) == 5


def test_options_lay_out_the_deal() -> None:
    """Hands, dealer and totals are those asked for; a dealer alone keeps the seed's packets, from another seat on."""
    env = five_hundred_v0.env(mask_in="info")
    env.reset(seed=1, options={"deal": TEN_TRUMPS, "dealer": 2, "scores": (120, -40)})
    game = Game.from_deal(TEN_TRUMPS, dealer=2, scores=(120, -40))
    assert env.agent_selection == "player_3"
    for seat, name in enumerate(AGENTS):
        assert (env.observe(name) == game.observe(seat)["observation"]).all()
    env.reset(options={"deal": TEN_TRUMPS})
    assert env.agent_selection == "player_1"
    env.reset(seed=1)
    plain = env.observe(env.agent_selection)
    hand = plain[:48]
    env.reset(seed=1, options={"dealer": (AGENTS.index(env.agent_selection) + 1) % 4})
    assert (env.observe(env.agent_selection)[:48] == hand).all()


def pickled(env: Any) -> Any:
    """Return what a pickle of an environment holds."""
    return pickle.loads(pickle.dumps(env))  # noqa: S301 (made in the same line)


@pytest.mark.parametrize("form", ["env", "raw_env"])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])
def test_copies_keep_the_position_and_go_their_own_way(form: str, duplicate: Any) -> None:
    """A copy in mid-game continues with the same episode; stepping it leaves the original alone."""
    env = getattr(five_hundred_v0, form)(reward="tricks", mask_in="info")
    env.reset(seed=6)
    choose = Dice(6)
    for _ in range(25):
        env.step(choose(env.last()[4]["action_mask"]))
    twin = duplicate(env)
    assert type(twin) is type(env)
    assert snapshot(twin) == snapshot(env)
    before = snapshot(env)
    action = choose(twin.last()[4]["action_mask"])
    twin.step(action)
    assert snapshot(env) == before
    env.step(action)
    assert snapshot(twin) == snapshot(env)
    assert (twin.last()[0] == env.last()[0]).all()


def test_copies_of_a_fresh_environment() -> None:
    """Arguments travel along; what was not reset is not reset in the copy."""
    env = five_hundred_v0.env("american", "deal", "win", 9, "lose", "info", "ansi")
    twin = pickled(env)
    for name in ("rules", "episode", "reward", "max_deals", "illegal", "mask_in", "render_mode"):
        assert getattr(twin, name) == getattr(env, name)
    assert not hasattr(twin, "rewards")
    assert sum(map(sum, play(twin, Dice(1), seed=1).values())) == 0


def test_copies_of_the_parallel_form() -> None:
    env = five_hundred_v0.parallel_env(reward="tricks")
    observations, _ = env.reset(seed=6)
    choose = Dice(6)
    for _ in range(20):
        observations = env.step({env.mover: choose(observations[env.mover]["action_mask"])})[0]
    twin = copy.deepcopy(env)
    before = env.state()
    action = choose(observations[env.mover]["action_mask"])
    twin.step({twin.mover: action})
    assert (env.state() == before).all()
    env.step({env.mover: action})
    assert (env.state() == twin.state()).all()
    assert env.mover == twin.mover

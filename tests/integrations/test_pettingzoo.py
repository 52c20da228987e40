"""PettingZoo: both loops give every seat its rewards, dead steps included; the plain loop is enough to learn with."""

from __future__ import annotations

import numpy as np
import pytest

from five_hundred_env import actions, five_hundred_v0
from tests.examples.test_examples import load
from tests.integrations.laws import Decision, careful_action, check_beats_random, check_episode

SEEDS = (1, 2, 4)


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_the_parallel_loop_pays_each_seat(episode: str) -> None:
    """A seat's decision brings all its rewards up to its next one; idle seats have the no-op alone."""
    for seed in SEEDS:
        env = five_hundred_v0.parallel_env(episode=episode, max_deals=3)
        observations, _ = env.reset(seed=seed)
        generator = np.random.default_rng(seed)
        last: dict[str, Decision] = {}
        decisions: list[Decision] = []
        while env.agents:
            chosen = {}
            for agent in env.agents:
                mask = observations[agent]["action_mask"]
                chosen[agent] = careful_action(mask, generator)
                if not mask[actions.encode("--")]:
                    decisions += [last.pop(agent)] if agent in last else []
                    last[agent] = Decision(int(agent[-1]), chosen[agent], mask, 0.0, False)
            observations, rewards, terminations, truncations, _ = env.step(chosen)
            for agent, seen in last.items():
                over = terminations[agent] or truncations[agent]
                last[agent] = Decision(seen.seat, seen.action, seen.mask, (seen.reward or 0) + rewards[agent], over)
        due = check_episode([*decisions, *last.values()], seed, episode=episode, max_deals=3)
        assert any(entry.reward for entry in due)


def test_the_ends_of_deals_are_told_at_dead_steps() -> None:
    """A loop that stops once a seat's episode is over has seen no reward of the deal; the dead steps bring them all.

    Three deals that are not thrown in: each pays four seats, and their rewards sum to 0, two of each sign.
    """
    for seed in SEEDS:
        env = five_hundred_v0.env(episode="deal")
        env.reset(seed=seed)
        generator = np.random.default_rng(seed)
        told, dead = [], []
        for _ in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            (dead if terminated or truncated else told).append(reward)
            env.step(None if terminated or truncated else careful_action(observation["action_mask"], generator))
        assert not any(told)
        assert len(dead) == 4
        assert sum(dead) == 0
        assert sorted(np.sign(dead)) == [-1, -1, 1, 1]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Two steps of eight deals."""
    pytest.importorskip("torch")
    load("pettingzoo_reinforce")["train"](deals=16, deals_a_step=8)
    assert "decisions a second" in capsys.readouterr().out


@pytest.mark.slow
def test_it_learns() -> None:
    pytest.importorskip("torch")
    check_beats_random(load("pettingzoo_reinforce")["train"](deals=1500), by=100)

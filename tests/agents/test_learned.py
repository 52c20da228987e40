"""The network that is shipped: there after installing, small, and the same in both of its files."""

from __future__ import annotations

import json
from pathlib import Path

import gymnasium
import numpy as np
import pytest
import safetensors

import five_hundred_env
from five_hundred_env import Tables
from five_hundred_env.agents import agent_names, load_agent, load_network
from five_hundred_env.agents.learned import WEIGHTS
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.errors import OptionError

ONNX = WEIGHTS.with_suffix(".onnx")


def decisions(count: int = 256, steps: int = 40) -> Tables:
    """Return tables where `rule` has played a while: all phases are among them."""
    tables = Tables(count, seed=6, episode="deal", skip_forced=True)
    for _ in range(steps):
        tables.step(load_agent("rule").act(tables.observation, tables.mask, np.zeros(count, np.uint64)))
    return tables


def test_it_is_found_by_name_and_sits_at_a_seat() -> None:
    assert "learned" in agent_names()
    assert load_agent("learned").name == "learned"
    assert load_agent("learned:greedy=0").name == "learned:greedy=0"
    with pytest.raises(OptionError, match="greedy=0 or greedy=1, not 2"):
        load_agent("learned:greedy=2")
    assert five_hundred_env.__name__
    env = gymnasium.make("FiveHundred/Seat-v0", partner="learned", opponents="learned")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        _, _, terminated, truncated, info = env.step(int(legal[0]))
        over = terminated or truncated


def test_both_files_are_small_and_decide_alike() -> None:
    """Two megabytes each, weights of 16 bits; the likeliest action may differ where two are equal within rounding."""
    assert max(WEIGHTS.stat().st_size, ONNX.stat().st_size) < 2_000_000
    tables = decisions()
    keys = np.arange(tables.n, dtype=np.uint64)
    here = load_network(WEIGHTS).act(tables.observation, tables.mask, keys)
    there = load_network(ONNX).act(tables.observation, tables.mask, keys)
    assert (here == load_agent("learned").act(tables.observation, tables.mask, keys)).all()
    assert (here == there).mean() > 0.99
    assert tables.mask[np.arange(tables.n), here].all()
    assert len(set(here.tolist())) > 20


def test_a_decision_does_not_depend_on_its_batch() -> None:
    tables = decisions(32)
    keys = np.arange(tables.n, dtype=np.uint64)
    for agent in (load_agent("learned"), load_agent("learned:greedy=0")):
        together = agent.act(tables.observation, tables.mask, keys)
        alone = [
            agent.act(tables.observation[n : n + 1], tables.mask[n : n + 1], keys[n : n + 1])[0] for n in range(32)
        ]
        assert together.tolist() == alone


def test_its_file_says_how_it_was_made() -> None:
    with safetensors.safe_open(WEIGHTS, framework="numpy") as file:
        told = file.metadata()
        kinds = {str(file.get_tensor(name).dtype) for name in file.keys()}  # noqa: SIM118 - no mapping
    assert kinds == {"float16"}
    assert told["suits"] == "turned"
    assert told["n_actions"] == str(N_ACTIONS)
    runs = [json.loads(run["options"]) for run in json.loads(told["mean_of"])]
    assert [Path(run["run_dir"]).name for run in runs] == ["learned", "learned_defence", "learned_games"]
    assert [run["reward"] for run in runs] == ["points", "points", "chance"]
    assert {run["rules"] for run in runs} == {"australian"}
    assert all(run["seed"] >= 1 for run in runs)


@pytest.mark.slow
def test_it_beats_the_agents_below_it() -> None:
    """Margins are far below those that docs/baselines/learned.md states: it shows that the files are the right ones."""
    assert play_match("learned", "greedy", 400, seed=5, bca=False).ci95[0] > 40
    assert play_match("learned", "rule", 1000, seed=5, bca=False).ci95[1] > 0

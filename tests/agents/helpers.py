"""Ask agents for decisions in positions made by hand or by chance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from five_hundred_env import Game, Rules, Tables
from five_hundred_env.agents import load_agent
from five_hundred_env.agents.base import Agent, Keys
from five_hundred_env.core import actions
from five_hundred_env.core.observe import Bytes

OPTION_SETS = [
    {},
    {"pack": "43-low-four", "joker_no_trumps": "no_nomination", "misere_rank": "above_sevens"},
    {"pack": "45", "auction": "reenter", "own_raise": "yes", "open_misere_shown": "before_first_lead"},
    {"pack": "46", "misere_rank": "by_value", "open_misere_rank": "top", "misere_defence": 10},
    {"pack": "46", "joker_no_trumps": "last_trick_lead", "slam": "none", "misere_rank": "none"},
    {"all_pass": "no_trumps", "joker_no_trumps": "not_shown_void", "win": "first_to_target", "target": 200},
    {"all_pass": "no_trumps", "pack": "46", "joker_no_trumps": "free", "lose": "none", "defence_cap": 460},
    {"auction": "one_round", "misere_rank": "by_value", "win": "first_to_target", "misere_defence": 10},
    {"open_misere_rank": "none", "joker_no_trumps": "free", "misere_rank": "above_sevens"},
    {"pack": "5", "misere_rank": "by_value"},
    {"pack": "9", "misere_rank": "above_sevens", "joker_no_trumps": "last_trick_lead", "misere_defence": 10},
    {"pack": "13", "joker_no_trumps": "free", "all_pass": "no_trumps"},
    {"pack": "17", "auction": "one_round", "open_misere_shown": "before_first_lead"},
]


def ask(agent: str, game: Game) -> str:
    """Return an agent's action in the position of a game, in notation."""
    assert game.seat is not None
    seen = game.observe(game.seat)
    chosen = load_agent(agent).act(seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64))
    return actions.decode(int(chosen[0]))


def draw_keys(generator: np.random.Generator, count: int) -> Keys:
    """Return random bits for decisions."""
    return generator.integers(0, 2**64, count, np.uint64)


def positions(
    rules: Rules, agent: Agent, tables: int = 16, steps: int = 150, seed: int = 1
) -> Iterator[tuple[Bytes, Bytes, Keys]]:
    """Yield observations, masks and keys of tables that an agent plays."""
    generator = np.random.default_rng(seed)
    batch = Tables(n=tables, rules=rules, seed=seed, episode="game")
    for _ in range(steps):
        keys = draw_keys(generator, tables)
        observation, mask = batch.observation.copy(), batch.mask.copy()
        yield observation, mask, keys
        batch.step(agent.act(observation, mask, keys))

"""Contenders of other libraries; runs in the environment of constraints/bench.txt.

The same work for all: what is legal, an observation of the seat to move, a uniformly random legal choice, the step; a
new game when one is over. Each library does it in the cheapest way that its own interface offers.
"""

from __future__ import annotations

import importlib
import random
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.choice import random_legal
from benchmarks.harness import Builders, Play

PGX_TABLES = 4096


def library(name: str) -> Any:
    """Import a module that type checkers can not see from here."""
    return importlib.import_module(name)


def pettingzoo() -> Builders:
    """Return two games of PettingZoo, raw and with its wrappers."""

    def build(game: str, maker: str) -> Play:
        return aec_loop(getattr(library(f"pettingzoo.classic.{game}"), maker)())

    return {
        "pettingzoo connect_four raw": lambda: build("connect_four_v3", "raw_env"),
        "pettingzoo connect_four": lambda: build("connect_four_v3", "env"),
        "pettingzoo texas_holdem raw": lambda: build("texas_holdem_v4", "raw_env"),
        "pettingzoo texas_holdem": lambda: build("texas_holdem_v4", "env"),
    }


def aec_loop(env: Any) -> Play:
    """Return the loop that PettingZoo documents, with the mask from the observation."""
    seed = 0

    def play(decisions: int) -> int:
        nonlocal seed
        played = 0
        while played < decisions:
            seed += 1
            env.reset(seed=seed)
            for _ in env.agent_iter():
                observation, _reward, over, cut, _info = env.last()
                if over or cut:
                    env.step(None)
                    continue
                env.step(random_legal(observation["action_mask"]))
                played += 1
        return played

    return play


def rlcard() -> Builders:
    """Return two card games of RLCard; its states hold observation and legal actions."""

    def build(game: str) -> Play:
        env = library("rlcard").make(game, {"seed": 1})

        def play(decisions: int) -> int:
            played = 0
            while played < decisions:
                state, _ = env.reset()
                while not env.is_over():
                    state, _ = env.step(random.choice(list(state["legal_actions"])))
                    played += 1
            return played

        return play

    return {"rlcard bridge": lambda: build("bridge"), "rlcard doudizhu": lambda: build("doudizhu")}


OPENSPIEL_GAMES = {
    "bridge": "bridge(use_double_dummy_result=false)",  # else the play is skipped and solved instead
    "skat": "skat",
    "euchre": "euchre",
    "spades": "spades",
}


def openspiel() -> Builders:
    """Return four trick-taking games of OpenSpiel, stepped from Python; dealing a card is no decision.

    Observations are written into a NumPy buffer, which costs a third of what the lists of `observation_tensor` cost.
    """

    def build(name: str) -> Play:
        game = library("pyspiel").load_game(OPENSPIEL_GAMES[name])
        recall = not game.get_type().provides_observation_tensor
        kind = library("pyspiel").IIGObservationType(perfect_recall=recall)
        observe = library("open_spiel.python.observation").make_observation(game, kind).set_from
        choice = random.choice

        def play(decisions: int) -> int:
            played = 0
            while played < decisions:
                state = game.new_initial_state()
                while not state.is_terminal():
                    if state.is_chance_node():
                        state.apply_action(choice(state.legal_actions()))
                        continue
                    observe(state, state.current_player())
                    state.apply_action(choice(state.legal_actions()))
                    played += 1
            return played

        return play

    return {f"openspiel {name}": partial(build, name) for name in OPENSPIEL_GAMES}


def pgx() -> Builders:
    """Return two card games of Pgx, a batch of tables in one compiled step, on all cores."""

    def build(env: Any) -> Play:
        jax, auto_reset = library("jax"), library("pgx.experimental").auto_reset
        step = jax.vmap(auto_reset(env.step, env.init))

        def advance(state: Any, key: Any) -> tuple[Any, Any]:
            key, choice_key, step_key = jax.random.split(key, 3)
            weights = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            actions = jax.random.categorical(choice_key, weights)
            return step(state, actions, jax.random.split(step_key, PGX_TABLES)), key

        compiled = jax.jit(advance)
        key = jax.random.PRNGKey(1)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_TABLES))

        def play(decisions: int) -> int:
            nonlocal state, key
            steps = -(-decisions // PGX_TABLES)
            for _ in range(steps):
                state, key = compiled(state, key)
            jax.block_until_ready(state.observation)
            return steps * PGX_TABLES

        return play

    return {
        "pgx bridge_bidding": lambda: build(pgx_bridge()),
        "pgx leduc_holdem": lambda: build(library("pgx").make("leduc_holdem")),
    }


def pgx_bridge(deals: int = 100_000) -> Any:
    """Make Pgx's bridge with random deals and made-up trick counts, in place of the tables that it downloads.

    Its table holds a deal as four numbers of thirteen digits to base 4, one a suit, and the tricks of twenty contracts
    as four numbers of five digits to base 16.
    """
    numpy = library("numpy")
    generator = numpy.random.default_rng(1)
    holders = generator.permuted(numpy.tile(numpy.repeat(numpy.arange(4), 13), (deals, 1)), axis=1)
    keys = (holders.reshape(deals, 4, 13) * 4 ** numpy.arange(12, -1, -1)).sum(2)
    tricks = (generator.integers(0, 14, (deals, 4, 5)) * 16 ** numpy.arange(4, -1, -1)).sum(2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.npy"
        numpy.save(path, numpy.stack([keys, tricks]).astype(numpy.int32))
        return library("pgx.bridge_bidding").BridgeBidding(str(path))

"""A step is one call into compiled code, however many tables it steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gymnasium
import numba
import numpy as np
import pytest

from five_hundred_env import Game, Tables, five_hundred_v0
from tests.speed.counting import compiled_calls, needs_compiler

pytestmark = needs_compiler

DECISIONS = 60


def first_legal(mask: Any) -> int:
    return int(mask.argmax())


def play_aec(env: Any, decisions: int) -> Counter[str]:
    """Play `env` on from where it is, by the first legal action, and count."""
    with compiled_calls() as calls:
        for _ in range(decisions):
            observation, _, over, cut, _ = env.last()
            assert not over
            assert not cut
            env.step(first_legal(observation["action_mask"]))
    return calls


@pytest.mark.parametrize("maker", [five_hundred_v0.env, five_hundred_v0.raw_env])
def test_a_decision_of_an_environment_is_one_compiled_call(maker: Callable[[], Any]) -> None:
    """`last` copies what the step wrote and `step` is `step_block`, at the end of a deal too.

    The first legal action of the auction is PASS, so a deal is thrown in after four decisions and the next one is dealt
    within the step.
    """
    env = maker()
    env.reset(seed=1)
    env.step(first_legal(env.last()[0]["action_mask"]))  # compiled before it is counted
    play_aec(env, 8)
    assert play_aec(env, DECISIONS) == {"step_block": DECISIONS}


@pytest.mark.parametrize("n", [1, 64])
def test_a_step_of_tables_is_one_compiled_call(n: int) -> None:
    """It looks for an illegal action before any table moves, then steps, however many tables there are."""
    tables = Tables(n, seed=1)
    tables.step(tables.mask.argmax(axis=1))
    with compiled_calls() as calls:
        for _ in range(DECISIONS):
            tables.step(tables.mask.argmax(axis=1))
    assert calls == {"step_tables": DECISIONS}


def test_a_step_of_tables_on_two_threads_is_one_compiled_call() -> None:
    tables = Tables(128, seed=1, threads=2)
    tables.step(tables.mask.argmax(axis=1))
    with compiled_calls() as calls:
        tables.step(tables.mask.argmax(axis=1))
    assert calls == {"step_tables_parallel": 1} or numba.config.NUMBA_NUM_THREADS == 1


def test_a_rollout_is_one_compiled_call() -> None:
    """A thousand actions at each of eight tables."""
    tables = Tables(8, seed=1)
    tables.rollout(1)
    with compiled_calls() as calls:
        tables.rollout(1000)
    assert calls == {"rollout_run": 1}


def test_an_observed_decision_of_a_game_is_one_compiled_call() -> None:
    """A move shows itself to the next seat; only the first decision has to ask for its observation."""

    def play(game: Game) -> int:
        moves = 0
        while game.seat is not None:
            game.apply(first_legal(game.observe(game.seat)["action_mask"]))
            moves += 1
        return moves

    play(Game(seed=1))
    game = Game(seed=1)
    with compiled_calls() as calls:
        moves = play(game)
    assert moves == 4  # all pass
    assert calls == {"observe_block": 1, "play_block": moves}


def test_learners_of_a_vector_share_their_compiled_calls() -> None:
    """With sixteen times as many seats a step makes no more calls than it made with sixteen.

    Other seats act in batches, a batch for each agent until every learner is to move, so the calls depend on how long
    the slowest table takes, not on their number.
    """

    def calls_of_steps(n: int) -> int:
        envs: Any = gymnasium.make_vec("FiveHundred/Seat-v0", num_envs=n, partner="random", opponents="random")
        _, info = envs.reset(seed=1)
        for _ in range(3):
            *_, info = envs.step(info["action_mask"].argmax(axis=1))
        with compiled_calls() as calls:
            for _ in range(20):
                *_, info = envs.step(np.asarray(info["action_mask"]).argmax(axis=1))
        envs.close()
        return calls.total()

    few, many = calls_of_steps(16), calls_of_steps(256)
    assert few > 0
    assert many < 3 * few

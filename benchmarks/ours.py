"""Contenders of this package: one table, one seat, many tables stepped from Python, many tables in compiled rollouts.

For tables the random choice is a cost of its own, so it comes in two kinds, each read from the mask that the step
wrote: a compiled one (as Pgx's is), and one in NumPy, which costs more than the step. Both are also measured without
any step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from numba import prange

from benchmarks.choice import random_legal
from benchmarks.env import RuleFree
from benchmarks.harness import Builders, Play
from benchmarks.peers import aec_loop
from five_hundred_env import Game, Tables, five_hundred_v0
from five_hundred_env.core._jit import kernel, nth_bit, parallel_kernel, popcount
from five_hundred_env.core.observe import MASK_WORDS
from five_hundred_env.tables import launch_threads

SIZES = (1, 16, 256, 4096, 65536)
THREADS = (1, 2)
MAIN_SIZE = 4096
SEATS_AT_ONCE = 1024
ROLLOUT_STEPS = 64

Words = npt.NDArray[np.int64]
Choose = Callable[[Tables, Words], None]
"""Fills `[B]` actions with a random legal action of each table."""

TO_BITS = 0x0102040810204080
"""A word of eight places 0 or 1 times this has them as bits in its top byte, the first place lowest."""


@kernel
def draw_legal(words: Words, bits: int) -> int:
    """Return one of the actions that a mask allows, each as likely as the others.

    Args:
        words: `[A / 8] int64`, the mask eight places at a time.
        bits: 32 random ones.
    """
    low, high = 0, 0  # actions 0 to 39, and the rest
    for word in range(MASK_WORDS // 2):
        low |= (int(words[word]) * TO_BITS >> 56 & 255) << (8 * word)
        high |= (int(words[word + MASK_WORDS // 2]) * TO_BITS >> 56 & 255) << (8 * word)
    left = bits * (popcount(low) + popcount(high)) >> 32
    if left < popcount(low):
        return nth_bit(low, left)
    return 8 * (MASK_WORDS // 2) + nth_bit(high, left - popcount(low))


@kernel
def scramble(counter: int) -> int:
    """Return 32 bits that look random (the mixing steps of SplitMix64)."""
    z = counter * -7046029254386353131
    z = (z ^ (z >> 30 & 0x3FFFFFFFF)) * -4658895280553007687
    z = (z ^ (z >> 27 & 0x1FFFFFFFFF)) * -7723592293110705685
    return z >> 32 & 0xFFFFFFFF


@kernel
def choose_all(words: npt.NDArray[np.int64], begin: int, actions: Words) -> None:
    """Fill the actions of all tables, on one thread."""
    for table in range(words.shape[0]):
        actions[table] = draw_legal(words[table], scramble(begin + table))


@parallel_kernel
def choose_all_parallel(words: npt.NDArray[np.int64], begin: int, actions: Words) -> None:
    """Do as `choose_all`, on as many threads as Numba may use."""
    for table in prange(words.shape[0]):
        actions[table] = draw_legal(words[table], scramble(begin + table))


class CompiledChoice:
    """A random legal choice in compiled code."""

    def __init__(self, threads: int) -> None:
        self.choose = choose_all if threads == 1 else choose_all_parallel
        if threads > 1:
            launch_threads()
        self.drawn = 0

    def __call__(self, tables: Tables, actions: Words) -> None:
        """Fill `[B]` actions."""
        self.choose(tables.mask.view(np.int64), self.drawn, actions)
        self.drawn += len(actions)


class NumpyChoice:
    """The same in NumPy: the k-th of the running counts along each mask."""

    def __init__(self) -> None:
        self.generator = np.random.default_rng(1)

    def __call__(self, tables: Tables, actions: Words) -> None:
        """Fill `[B]` actions."""
        counts = np.cumsum(tables.mask, axis=1, dtype=np.int8)
        wanted = (self.generator.random(len(actions), dtype=np.float32) * counts[:, -1]).astype(np.int8)
        np.argmax(counts > wanted[:, None], axis=1, out=actions)


@cache
def shared_tables(n: int) -> Tables:
    """Return the one batch of this size; contenders of one size share it, whatever their threads."""
    return Tables(n, seed=1)


def step_tables(n: int, threads: int, choose: Choose) -> Play:
    """Return a contender that steps tables from Python."""
    tables = shared_tables(n)
    actions = np.zeros(n, np.int64)

    def play(decisions: int) -> int:
        tables.threads = threads
        steps = -(-decisions // n)
        for _ in range(steps):
            choose(tables, actions)
            tables.step(actions)
        return steps * n

    return play


def choose_only(n: int, choose: Choose) -> Play:
    """Return a contender that chooses and does not step."""
    tables = shared_tables(n)
    actions = np.zeros(n, np.int64)

    def play(decisions: int) -> int:
        steps = -(-decisions // n)
        for _ in range(steps):
            choose(tables, actions)
        return steps * n

    return play


def roll_tables(n: int, threads: int) -> Play:
    """Return a contender that plays tables in compiled rollouts."""
    tables = shared_tables(n)

    def play(decisions: int) -> int:
        tables.threads = threads
        chunk = n * ROLLOUT_STEPS
        chunks = -(-decisions // chunk)
        for _ in range(chunks):
            tables.rollout(ROLLOUT_STEPS)
        return chunks * chunk

    return play


def one_game() -> Play:
    """Return a contender that plays a `Game`: observe (mask included), choose, apply."""
    seed = 0

    def play(decisions: int) -> int:
        nonlocal seed
        played = 0
        while played < decisions:
            seed += 1
            game = Game(seed=seed)
            while (seat := game.seat) is not None:
                game.apply(random_legal(game.observe(seat)["action_mask"]))
                played += 1
        return played

    return play


def one_seat(others: str) -> Play:
    """Return a contender that sits at one seat, three agents at the others; its own decisions count."""
    env: Any = gymnasium.make("FiveHundred/Seat-v0", partner=others, opponents=others).unwrapped

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            _, info = env.reset()
            over = False
            while not over:
                _, _, terminated, truncated, info = env.step(random_legal(info["action_mask"]))
                over = terminated or truncated
                played += 1
        return played

    return play


def many_seats(others: str) -> Play:
    """Return a contender that sits at one seat of each of many tables."""
    envs: Any = gymnasium.make_vec("FiveHundred/Seat-v0", num_envs=SEATS_AT_ONCE, partner=others, opponents=others)
    _, info = envs.reset(seed=1)
    actions = np.zeros(SEATS_AT_ONCE, np.int64)
    drawn = 0

    def play(decisions: int) -> int:
        nonlocal info, drawn
        steps = -(-decisions // SEATS_AT_ONCE)
        for _ in range(steps):
            choose_all(np.ascontiguousarray(info["action_mask"]).view(np.int64), drawn, actions)
            drawn += SEATS_AT_ONCE
            _, _, _, _, info = envs.step(actions)
        return steps * SEATS_AT_ONCE

    return play


def single() -> Builders:
    """Return the contenders that play one table."""
    return {
        "five_hundred raw_env()": lambda: aec_loop(five_hundred_v0.raw_env()),
        "five_hundred env()": lambda: aec_loop(five_hundred_v0.env()),
        "a class without rules": lambda: aec_loop(RuleFree()),
        "five_hundred Game": one_game,
        "five_hundred Seat-v0, random": partial(one_seat, "random"),
        "five_hundred Seat-v0, rule": partial(one_seat, "rule"),
        "five_hundred make_vec, random": partial(many_seats, "random"),
        "five_hundred make_vec, rule": partial(many_seats, "rule"),
    }


def tables_name(n: int, threads: int) -> str:
    """Return the name of the contender that steps n tables."""
    return f"five_hundred Tables({n}, threads={threads})"


def rollout_name(n: int, threads: int) -> str:
    """Return the name of the contender that rolls n tables out."""
    return f"five_hundred rollout({n}, threads={threads})"


def batches() -> Builders:
    """Return the contenders that play many tables."""
    builders: dict[str, Callable[[], Play]] = {}
    for n in SIZES:
        for threads in THREADS:
            builders[tables_name(n, threads)] = partial(step_tables, n, threads, CompiledChoice(threads))
        for threads in THREADS:
            builders[rollout_name(n, threads)] = partial(roll_tables, n, threads)
    builders["five_hundred Tables, NumPy choice"] = partial(step_tables, MAIN_SIZE, 1, NumpyChoice())
    builders["choice alone, compiled"] = partial(choose_only, MAIN_SIZE, CompiledChoice(1))
    builders["choice alone, NumPy"] = partial(choose_only, MAIN_SIZE, NumpyChoice())
    return builders

"""How fast this machine plays, measured in CPU seconds of this process."""

from __future__ import annotations

import time
from collections.abc import Callable

from five_hundred_env.arena import play_match
from five_hundred_env.game import Game
from five_hundred_env.tables import Tables

TABLES = 4096
BOARDS = 2048


def measure(seconds: float) -> dict[str, float]:
    """Return what was done in a CPU second, by name.

    Args:
        seconds: About how long each measurement takes.
    """
    tables = Tables(n=TABLES, seed=1)
    return {
        "Game, decisions": rate(_play_deal, seconds),
        "Tables.rollout, decisions": rate(lambda: _roll(tables), seconds),
        "play_match greedy against random, boards": rate(lambda: _match("greedy", "random"), seconds),
        "play_match rule against rule, boards": rate(lambda: _match("rule", "rule"), seconds),
    }


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return how much a function gets done in a CPU second.

    Args:
        work: Does something and returns how much; the first call, which may compile, is not counted.
        seconds: How long to go on.
    """
    work()
    done = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        done += work()
    return done / spent


def _play_deal() -> int:
    """Play a deal with the first legal action each time."""
    game = Game(seed=1)
    decisions = 0
    while game.seat is not None:
        game.apply(game.legal()[-1])
        decisions += 1
    return decisions


def _match(one: str, other: str) -> int:
    play_match(one, other, boards=BOARDS, bca=False)
    return BOARDS


def _roll(tables: Tables) -> int:
    """Play ten random actions at each table."""
    tables.rollout(10)
    return 10 * tables.n

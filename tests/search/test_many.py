"""Many positions and deals at once: equal to one at a time, on any number of threads."""

from __future__ import annotations

import random

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.errors import OptionError
from five_hundred_env.search import solve_many, solve_many_moves, solve_moves, solve_table, solve_tables
from five_hundred_env.search.deals import KINDS


def late_games(count: int) -> list[Game]:
    """Return games with six cards a hand left, of every kind of contract; a misère may be broken before."""
    rnd = random.Random(4)
    games: list[Game] = []
    while len(games) < count:
        game = Game("australian", seed=rnd.getrandbits(40))
        for call in (rnd.choice(("6H", "7NT", "OMIS")), "PASS", "PASS", "PASS"):
            game.apply(call)
        while game.phase != "over" and (game.phase != "play" or sum(game.tricks) < 4):
            game.apply(rnd.choice(game.legal()))
        if game.phase == "play":
            games.append(game)
    return games


@pytest.mark.parametrize("threads", [1, 3])
def test_moves_are_those_of_one_at_a_time(threads: int) -> None:
    """Forty positions make three chunks; what is not legal is -1."""
    games = late_games(40)
    done: list[int] = []
    values = solve_many_moves(np.array([game.row for game in games]), threads, done.append)
    assert values.shape == (40, N_ACTIONS)
    for game, line in zip(games, values, strict=True):
        assert {ACTION_NAMES[a]: int(line[a]) for a in range(N_ACTIONS) if line[a] >= 0} == solve_moves(game)
    assert done == [16, 16, 8]


@pytest.mark.parametrize("threads", [1, 2])
def test_tables_are_those_of_one_at_a_time(threads: int) -> None:
    """A deal under way counts as it was dealt, so the first and the last of these have the same table."""
    games = [Game(seed=1), Game("american", seed=2), Game(seed=1)]
    for call in ("6H", "PASS", "PASS", "PASS"):
        games[2].apply(call)
    done: list[int] = []
    tables = solve_tables(np.array([game.row for game in games]), threads, done.append)
    assert tables.shape == (3, 7, 4)
    assert (tables[0] == tables[2]).all()
    for game, table in zip(games, tables, strict=True):
        assert {name: tuple(line) for name, line in zip(KINDS, table.tolist(), strict=True)} == solve_table(game)
    assert done == [1, 1, 1]


def test_nothing_to_do() -> None:
    assert solve_many([]).shape == (0,)
    assert solve_many_moves([], threads=2).shape == (0, N_ACTIONS)
    assert solve_tables([], progress=True).shape == (0, 7, 4)


def test_an_error_in_a_report_stops_the_work() -> None:
    """What is raised while threads work is raised to who asked, and no thread goes on."""

    def fail(done: int) -> None:
        raise RuntimeError("enough")

    rows = np.array([game.row for game in late_games(3)] * 100)
    with pytest.raises(RuntimeError, match="enough"):
        solve_many(rows, threads=2, progress=fail)


def test_what_is_no_position_is_refused() -> None:
    game = Game(seed=1)
    for work in (solve_many, solve_many_moves, solve_tables):
        with pytest.raises(OptionError, match=f"{work.__name__}: rows are an array"):
            work(None)
        with pytest.raises(OptionError, match="no state row"):
            work(np.full((2, len(game.row)), 99))
        with pytest.raises(OptionError, match="threads"):
            work([], threads=0)
    ended = late_games(1)[0]
    first = ended.row.copy()
    while ended.phase != "over":
        ended.apply(ended.legal()[0])
    with pytest.raises(OptionError, match="position 1 is in phase 'over'"):
        solve_many_moves(np.array([first, ended.row]))

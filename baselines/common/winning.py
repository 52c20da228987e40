"""The chance to win a game, as a table over both totals and the side that deals; and the reward that follows from it.

Points are worth what they do for the game: 100 points mean little at −400 to 480, and nearly all at 400 to 400. The
table W(us, them, who deals) is fitted to games that an agent has played against itself (`baselines/winning.py`).

A log-odds stands at each node of a grid; between nodes it is interpolated along both totals. Only the table of the side
that deals is free: the other follows from W(us, them, they deal) = 1 - W(them, us, we deal).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from baselines.common.rollouts import Integers, TablesSource
from five_hundred_env import Tables
from five_hundred_env.agents.base import Agent
from five_hundred_env.core.constants import SEATS, SIDES
from five_hundred_env.core.state import DEALER, SCORES
from five_hundred_env.errors import CheckpointError

Doubles = npt.NDArray[np.float64]

FORMAT = "five_hundred_env.winning"
FORMAT_VERSION = 1
STEPS = 40
"""Of Newton's method."""
DISORDER = 1.0
"""Weight of the squares of differences between neighbouring nodes that go the wrong way."""
BUILT_IN = Path(__file__).parents[1] / "winning.json"
"""The table that comes along, of `rule` against itself."""
POINTS = 10
"""All totals are whole multiples of this."""
SIGNS = np.array([1, -1] * (SEATS // SIDES), np.float32)


@dataclass(frozen=True)
class WinTable:
    """Chances to win, fitted."""

    rules: str  # profile of the rules
    agent: str  # who played
    games: int  # how many were fitted
    seed: int  # of the games
    target: int  # nodes go from minus this to this; totals beyond count as the last node
    step: int  # points between nodes
    logit: tuple[tuple[float, ...], ...]  # log-odds of the side that deals, by node of its total and of the other's

    def __post_init__(self) -> None:
        nodes = np.arange(-self.target, self.target + 1, self.step)
        totals = np.arange(-self.target, self.target + 1, POINTS)
        table = np.array(self.logit, np.float64)
        for _ in range(SIDES):  # along one total, then along the other
            table = np.array([np.interp(totals, nodes, column) for column in table.T])
        deals = 1 / (1 + np.exp(-table))
        object.__setattr__(self, "_chances", np.stack([1 - deals.T, deals]))

    def chance(self, us: Integers, them: Integers, we_deal: Integers) -> Doubles:
        """Return the chance `[B]` that a side wins.

        Args:
            us: `[B]` its total before a deal, points.
            them: `[B]` the other's.
            we_deal: `[B]` whether it deals, 0 or 1.
        """
        at = [(np.clip(total, -self.target, self.target) + self.target) // POINTS for total in (us, them)]
        chances: Doubles = self.__dict__["_chances"]
        return chances[np.asarray(we_deal).astype(np.int64), at[0], at[1]]

    def chance_of_rows(self, rows: npt.NDArray[np.int64]) -> Doubles:
        """Return the chance `[B]` that side 0 wins, of state rows in mid-deal: the totals are those before it."""
        return self.chance(rows[:, SCORES], rows[:, SCORES + 1], 1 - rows[:, DEALER] % SIDES)

    def save(self, path: Path) -> None:
        """Write the table as JSON."""
        head = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(self)}
        rows = head.pop("logit")
        lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
        body = ",\n".join("  " + json.dumps(row) for row in rows)
        path.write_text("{\n" + "\n".join(lines) + '\n "logit": [\n' + body + "\n ]\n}\n", encoding="utf-8")


def load_win_table(path: Path) -> WinTable:
    """Read what `WinTable.save` wrote.

    Raises:
        CheckpointError: The file is absent, damaged, or of another version.
    """
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = data.pop("format"), data.pop("format_version")
        if version != (FORMAT, FORMAT_VERSION):
            raise CheckpointError(f"{path}: holds {version[0]!r} of version {version[1]!r}, not {FORMAT!r} of 1")
        return WinTable(**{**data, "logit": tuple(tuple(row) for row in data["logit"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{path}: no table of chances, or damaged: {error}") from error


class ChanceSource(TablesSource):
    """Whole games in which each deal earns a side what it has changed in its chance to win; 1 and 0 at the game's end.

    A deal is `done` for its seats when it is over: its reward is about nothing that comes after. A game that is broken
    off ends with a deal that earns nothing.
    """

    def __init__(
        self, n: int, seed: int, table: WinTable, rules: str, skip_forced: bool = True, part: slice | None = None
    ) -> None:
        """Begin the games; arguments as of `TablesSource`, and the table."""
        self.table = table
        super().__init__(n, seed, rules, "game", "win", skip_forced=skip_forced, part=part)

    def _use(self, tables: Tables) -> None:
        super()._use(tables)
        self.reward = np.zeros((self.n, SEATS), np.float32)
        self.done = self.tables.deal_over

    def step(self, actions: Integers) -> None:
        """Take a decision `[B]` at each table."""
        tables = self.tables
        before = self.table.chance_of_rows(tables.rows)
        tables.step(actions)
        after = np.where(tables.terminated, tables.reward[:, 0] > 0, self.table.chance_of_rows(tables.rows))
        gain = np.where(tables.deal_over & ~tables.truncated, after - before, 0)
        self.reward[:] = gain[:, None] * SIGNS


# --- fitting ------------------------------------------------------------------------------------------------


def play_games(agent: Agent, rules: str, games: int, n: int, seed: int) -> Integers:
    """Let an agent play whole games against itself and return how every deal began.

    Args:
        agent: Holds all seats.
        rules: Profile of the rules.
        games: How many at each table: a fixed number, so that long games count as much as short ones.
        n: Tables.
        seed: Of deals and keys.

    Returns:
        `[K, 5]` number of the game, totals of sides 0 and 1, side that deals, side that won; a game that is broken off
        is left out.
    """
    tables = Tables(n, rules=rules, seed=seed, episode="game", reward="win", skip_forced=True)
    generator = np.random.Generator(np.random.PCG64(seed))
    begun: list[list[tuple[int, int, int]]] = [[] for _ in range(n)]
    played = np.zeros(n, np.int64)
    found: list[tuple[int, int, int, int, int]] = []

    def note(table: int) -> None:
        row = tables.rows[table]
        begun[table].append((int(row[SCORES]), int(row[SCORES + 1]), int(row[DEALER]) % SIDES))

    for table in range(n):
        note(table)
    while (played < games).any():
        keys = generator.integers(0, 2**64, n, np.uint64)
        tables.step(agent.act(tables.observation, tables.mask, keys))
        for table in np.flatnonzero(tables.deal_over).tolist():
            if tables.done[table]:
                if played[table] < games and tables.terminated[table]:
                    number, won = table * games + int(played[table]), int(tables.reward[table, 0] < 0)
                    found += [(number, *start, won) for start in begun[table]]
                played[table] += 1
                begun[table] = []
            note(table)
    return np.array(found, np.int64)


def fit_logits(starts: Integers, target: int, step: int, smoothness: float) -> Doubles:
    """Return the log-odds `[N, N]` that fit some games best and are not rough, brought into order.

    Minimised is the mean cross-entropy plus `smoothness` times the sum of squared second differences along both totals.
    To be out of order costs a square, too: they rise with the own total and fall with the other's. What is left of that
    is mended: the mean of the nearest tables in order, one from above and one from below, is taken.

    Args:
        starts: As `play_games` returns them.
        target: Last node, points.
        step: Points between nodes.
        smoothness: The larger, the smoother.
    """
    size = 2 * target // step + 1
    dealer, rows = starts[:, 3], np.arange(len(starts))
    totals = np.stack([starts[rows, 1 + dealer], starts[rows, 2 - dealer]], axis=1).clip(-target, target)
    cells, cell = np.unique(totals, axis=0, return_inverse=True)
    count = np.bincount(cell.reshape(-1)).astype(np.float64)
    won = np.bincount(cell.reshape(-1), starts[:, 4] == dealer)

    place = (cells + target) / step
    low = np.minimum(place.astype(np.int64), size - 2)
    part = place - low
    weight = np.zeros((len(cells), size * size))
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = np.abs(1 - i - part[:, 0]) * np.abs(1 - j - part[:, 1])
        weight[np.arange(len(cells)), (low[:, 0] + i) * size + low[:, 1] + j] = share

    bend = np.diff(np.eye(size), n=2, axis=0)
    rough = np.kron(bend.T @ bend, np.eye(size)) + np.kron(np.eye(size), bend.T @ bend)
    rough = 2 * smoothness * len(starts) * rough + 1e-6 * np.eye(size * size)
    rise = np.diff(np.eye(size), axis=0)
    rises = np.concatenate([np.kron(rise, np.eye(size)), np.kron(np.eye(size), -rise)])
    logit = np.zeros(size * size)
    for _ in range(STEPS):  # of Newton's method: the function is convex
        wrong = rises[rises @ logit < 0]
        order = DISORDER * len(starts) * wrong.T @ wrong
        chance = 1 / (1 + np.exp(-weight @ logit))
        slope = weight.T @ (count * chance - won) + (rough + order) @ logit
        curve = (weight.T * (count * chance * (1 - chance))) @ weight + rough + order
        logit -= np.linalg.solve(curve, slope)
    return in_order(logit.reshape(size, size))


def in_order(logit: Doubles) -> Doubles:
    """Return the nearest thing to a table that rises along the first axis and falls along the second."""
    above = np.maximum.accumulate(np.maximum.accumulate(logit, 0)[:, ::-1], 1)[:, ::-1]
    below = np.minimum.accumulate(np.minimum.accumulate(logit[::-1], 0)[::-1], 1)
    middle: Doubles = (above + below) / 2
    return middle


def calibration(table: WinTable, starts: Integers, bins: int, seed: int) -> list[tuple[int, float, float]]:
    """Return, for parts of the predictions, how many there are, their mean, and how many were right of them.

    The deals of a game end alike, so at most one of each game is looked at: that of a number, from 1 to 4, which is
    drawn beforehand, if the game has so many. (One of those that it has would not do: they are few where a side with a
    lead has won soon.)
    """
    _, first, lengths = np.unique(starts[:, 0], return_index=True, return_counts=True)
    number = np.random.default_rng(seed).integers(0, 4, len(first))
    some = starts[(first + number)[number < lengths]]
    chance = table.chance(some[:, 1], some[:, 2], 1 - some[:, 3])
    parts = np.array_split(np.argsort(chance, kind="stable"), max(1, min(bins, len(some))))
    return [(len(part), float(chance[part].mean()), float((some[part, 4] == 0).mean())) for part in parts if len(part)]

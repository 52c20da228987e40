"""Fit the chance to win a game, W(us, them, who deals), to games that an agent plays against itself.

::

    python -m baselines.winning
    python -m baselines.winning --agent runs/ppo/policy.safetensors --path runs/winning.json

The table that comes along, `baselines/winning.json`, is what the first command writes. `reward: chance` of PPO uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from baselines.common.options import parse_options
from baselines.common.runs import tell_error
from baselines.common.winning import BUILT_IN, WinTable, calibration, fit_logits, play_games
from five_hundred_env import Rules
from five_hundred_env.agents import load_agent
from five_hundred_env.errors import FiveHundredError, OptionError

DIGITS = 3
"""Of the log-odds in the file."""


@dataclass(frozen=True)
class Config:
    """Options of a fit."""

    agent: str = "rule"
    """Who plays: a name, a file, or `module:attribute`."""
    rules: str = "australian"
    """Profile of the rules."""
    games: int = 10
    """Games at each table."""
    tables: int = 2000
    """Tables that are played at once."""
    seed: int = 1
    """Of the games; the same seed gives the same file."""
    held_out: float = 0.1
    """Part of the tables that is not fitted, and shows how good the fit is."""
    step: int = 50
    """Points between nodes."""
    smoothness: float = 1e-4
    """Weight of the squared second differences of the log-odds; with fewer games it has to be larger."""
    path: str = str(BUILT_IN)
    """Where the table goes."""
    picture: str | None = None
    """Where a picture goes; none: no picture."""


def fit(config: Config, console: Console) -> WinTable:
    """Play, fit, show the fit on games that were held out, and write the table.

    Raises:
        FiveHundredError: An option is out of range, or an agent can not be loaded.
    """
    target = Rules.profile(config.rules).target
    if config.step < 10 or target % config.step or config.step % 10:
        raise OptionError(f"step divides the target, {target}, and is a multiple of 10, not {config.step}")
    if config.tables < 2 or config.games < 1 or not 0 < config.held_out < 1:
        raise OptionError("tables is at least 2, games at least 1, and held_out between 0 and 1")
    starts = play_games(load_agent(config.agent), config.rules, config.games, config.tables, config.seed)
    kept = starts[:, 0] < config.games * max(1, round(config.tables * (1 - config.held_out)))
    logit = fit_logits(starts[kept], target, config.step, config.smoothness).round(DIGITS)
    games = len(np.unique(starts[kept, 0]))
    rows = tuple(tuple(row) for row in logit.tolist())
    table = WinTable(config.rules, config.agent, games, config.seed, target, config.step, rows)
    table.save(Path(config.path))
    console.print(f"{games} games, {int(kept.sum())} deals: {config.path}", highlight=False)
    show = Table(title="games that were held out, at most one deal of each")
    for name in ("games", "predicted", "won", "standard error"):
        show.add_column(name, justify="right")
    for n, predicted, won in calibration(table, starts[~kept], 10, config.seed):
        show.add_row(str(n), f"{predicted:.3f}", f"{won:.3f}", f"{(predicted * (1 - predicted) / n) ** 0.5:.3f}")
    console.print(show)
    if config.picture is not None:
        draw(table, Path(config.picture))
    return table


def draw(table: WinTable, path: Path) -> None:
    """Write a picture: the chance of the side that deals, over both totals."""
    totals = np.arange(-table.target, table.target + 1, 10)
    us, them = np.meshgrid(totals, totals)
    figure = Figure(figsize=(6, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    chance = table.chance(us.ravel(), them.ravel(), np.ones(us.size, np.int64)).reshape(us.shape)
    levels = np.arange(1, 10) / 10
    lines = axes.contour(us, them, chance, levels, cmap="viridis")
    axes.clabel(lines, fontsize=8)
    axes.set_xlabel("own total, points; this side deals")
    axes.set_ylabel("the other side's total")
    axes.set_title(f"chance to win, {table.agent} against itself", fontsize=10)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=100, metadata={"Software": None})


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit; return the exit status."""
    try:
        rest = sys.argv[1:] if arguments is None else arguments
        fit(
            parse_options(Config, rest, "python -m baselines.winning", "The chance to win a game.", Config()), Console()
        )
    except FiveHundredError as error:
        tell_error(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

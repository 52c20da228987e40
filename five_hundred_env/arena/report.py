"""A tournament on the terminal and as a picture."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from five_hundred_env.arena.match import ContractCounts, MatchResult
from five_hundred_env.arena.tournament import TournamentResult
from five_hundred_env.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType
    from rich.table import Table

PNG_DOTS = 150  # an inch


def _rich(name: str) -> Any:
    """Return a class of rich.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import rich.console
        import rich.table
    except ImportError as error:
        raise MissingExtraError("tables need rich: pip install 'five_hundred_env[arena]'") from error
    return {"Table": rich.table.Table, "Group": rich.console.Group}[name]


def tables(result: TournamentResult) -> RenderableType:
    """Return everything that a tournament shows on the terminal."""
    parts: list[RenderableType] = [cross_table(result), *contract_tables(result), *notes(result)]
    group: RenderableType = _rich("Group")(*parts)
    return group


def cross_table(result: TournamentResult) -> Table:
    """Return ratings and the points of each agent against each other, best first."""
    table: Table = _rich("Table")(
        title=headline(result),
        caption="points a deal, row against column, ± half of the 95 % interval over boards",
    )
    table.add_column("agent")
    table.add_column("rating", justify="right")
    if result.elo is not None:
        table.add_column("Elo", justify="right")
    for column in result.order:
        table.add_column(result.names[column], justify="right")
    for row in result.order:
        cells = [result.names[row], rating_text(result, row)]
        if result.elo is not None:
            cells.append(f"{result.elo[row]:+.0f}")
        cells += [cell_text(result, row, column) for column in result.order]
        table.add_row(*cells)
    return table


def headline(result: TournamentResult) -> str:
    """Return what was played, as one line."""
    first = result.first
    games = f", {first.games} mirrored games" if first.games else ""
    contested = "" if first.part == "all" else f", {first.part} only (the rest by {first.common})"
    return f"{first.boards} boards a match{games}, rules {first.rules.to_text()}, seed {first.seed}{contested}"


def rating_text(result: TournamentResult, row: int) -> str:
    """Return a rating with half of its interval."""
    rating = result.ratings[row]
    reach = (rating.ci95[1] - rating.ci95[0]) / 2
    return f"{rating.mean:+.1f} ± {reach:.1f}"


def cell_text(result: TournamentResult, row: int, column: int) -> str:
    """Return one cell of the cross table."""
    points = result.points(row, column)
    if points is None:
        return "·"
    text = f"{points[0]:+.1f} ± {points[1]:.1f}"
    rate = result.win_rate(row, column)
    return text if rate is None else f"{text}\n{rate:.1%} of games"


def contracts_of(result: TournamentResult, agent: int) -> ContractCounts:
    """Return what an agent bid and made over all its matches."""
    counts = []
    for (one, other), match in result.matches.items():
        if agent in (one, other):
            counts.append(match.contracts[0 if agent == one else 1])
    return ContractCounts(
        sum(count.tables for count in counts),
        np.sum([count.tried for count in counts], axis=0),
        np.sum([count.made for count in counts], axis=0),
    )


LEVELS = ("6", "7", "8", "9", "10")
STRAINS = ("S", "C", "D", "H", "NT")
MISERES = ("MIS", "OMIS")


def contract_tables(result: TournamentResult) -> list[Table]:
    """Return how often each agent was contractor and what it made, by level and by strain."""
    made = []
    for title, names in (("contracts by level", (*LEVELS, *MISERES)), ("contracts by strain", STRAINS)):
        table: Table = _rich("Table")(title=f"{title}, over all matches", caption="made, of those tried")
        for name in ("agent", "contractor", "made", *names):
            table.add_column(name, justify="left" if name == "agent" else "right")
        for agent in result.order:
            table.add_row(result.names[agent], *contract_cells(contracts_of(result, agent), names))
        made.append(table)
    return made


def contract_cells(counts: ContractCounts, names: tuple[str, ...]) -> list[str]:
    """Return share of tables as contractor, made rate, and tried and made of some levels, strains and misères."""
    groups = {**counts.by_level(), **counts.by_strain(), **counts.by_bid()}
    rate = counts.made_rate
    cells = [f"{counts.share:.1%}", "·" if rate is None else f"{rate:.0%}"]
    for name in names:
        tried, made = groups.get(name, (0, 0))
        cells.append("·" if tried == 0 else f"{made / tried:.0%} of {tried}")
    return cells


def notes(result: TournamentResult) -> list[str]:
    """Return remarks: what the zero of the ratings is, and who misbehaved."""
    lines = [f"Ratings: least squares, {result.anchor or 'the mean'} at zero."]
    for match in result.matches.values():
        lines += fault_notes(match)
    return lines


def fault_notes(match: MatchResult) -> list[str]:
    """Return who lost tables by a fault in a match, and why."""
    lines = []
    for name, count in zip(match.names, match.faults, strict=True):
        if count:
            lines.append(f"{name} lost {count} tables of {match.names[0]} against {match.names[1]} by a fault.")
    if lines:
        for name, conduct in match.conduct.items():
            lines += [f"  {name}: {reason} ({count} times)" for reason, count in conduct.faults.items()]
    return lines


def draw(result: TournamentResult) -> Figure:
    """Return the cross table and the ratings as a picture.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("pictures need Matplotlib: pip install 'five_hundred_env[arena]'") from error
    order, count = result.order, len(result.names)
    figure = Figure(figsize=(5 + 1.5 * count, 1.8 + 0.75 * count), layout="constrained")
    FigureCanvasAgg(figure)
    bars, cells = figure.subplots(1, 2, width_ratios=(1, 1.2))
    names = [result.names[agent] for agent in order]
    means = [result.ratings[agent].mean for agent in order]
    reach = [(result.ratings[agent].ci95[1] - result.ratings[agent].ci95[0]) / 2 for agent in order]
    bars.barh(range(count), means, xerr=reach, color="tab:blue", ecolor="black", capsize=3)
    bars.axvline(0, color="black", linewidth=0.8)
    bars.set_yticks(range(count), names)
    bars.invert_yaxis()
    bars.set_xlabel(f"points a deal, {result.anchor or 'mean'} at 0, 95 % intervals")
    matrix = np.array([[(result.points(row, column) or (np.nan,))[0] for column in order] for row in order])
    reach_of_colour = float(np.nanmax(np.abs(matrix))) or 1.0
    cells.imshow(matrix, cmap="RdBu", vmin=-reach_of_colour, vmax=reach_of_colour, aspect="auto")
    cells.set_xticks(range(count), names, rotation=30, ha="right")
    cells.set_yticks(range(count), names)
    for row in range(count):
        for column in range(count):
            points = result.points(order[row], order[column])
            if points is not None:
                dark = abs(points[0]) > 0.6 * reach_of_colour
                text = f"{points[0]:+.1f}\n±{points[1]:.1f}"
                cells.text(column, row, text, ha="center", va="center", color="white" if dark else "black", fontsize=8)
    cells.set_title("points a deal, row against column", fontsize=10)
    figure.suptitle(headline(result), fontsize=9)
    return figure


def png(result: TournamentResult) -> bytes:
    """Return the picture of a tournament as the bytes of a PNG."""
    file = BytesIO()
    draw(result).savefig(file, format="png", dpi=PNG_DOTS, metadata={"Software": None})
    return file.getvalue()


def write_png(result: TournamentResult, path: str | Path) -> None:
    """Write the picture of a tournament."""
    Path(path).write_bytes(png(result))

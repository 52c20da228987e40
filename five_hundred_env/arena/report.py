"""A tournament on the terminal, as a picture, as Markdown and as one self-contained HTML page."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from five_hundred_env import __version__
from five_hundred_env.arena.crossplay import CrossPlay
from five_hundred_env.arena.entrants import Conduct
from five_hundred_env.arena.match import ContractCounts, MatchResult
from five_hundred_env.arena.statistics import Estimate
from five_hundred_env.arena.tournament import TournamentResult
from five_hundred_env.core.constants import VERSION
from five_hundred_env.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType
    from rich.table import Table

Grid = list[list[str]]
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
    parts: list[RenderableType] = [cross_table(result), *difference_tables(result), *contract_tables(result)]
    parts += [*play_tables(result), *notes(result)]
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
            cells.append(elo_text(result, row))
        cells += [cell_text(result, row, column) for column in result.order]
        table.add_row(*cells)
    return table


def headline(result: TournamentResult) -> str:
    """Return what was played, as one line."""
    first = result.first
    games = f", {result.games} mirrored games" if result.games else ""
    contested = "" if first.part == "all" else f", {first.part} only (the rest by {first.common})"
    capped = sorted({match.boards for match in result.matches.values()} - {result.boards})
    fewer = f" ({' or '.join(str(boards) for boards in capped)} in some)" if capped else ""
    return f"{result.boards} boards a match{fewer}{games}, rules {first.rules.to_text()}, seed {first.seed}{contested}"


def rating_text(result: TournamentResult, row: int) -> str:
    """Return a rating with half of its interval."""
    rating = result.ratings[row]
    return f"{rating.mean:+.1f} (fixed)" if _is_fixed(result, row) else _plus_minus(rating)


def elo_text(result: TournamentResult, row: int) -> str:
    """Return a rating on games with half of its interval."""
    own = result.elo[row] if result.elo is not None else None
    if own is None:
        return "·"
    return f"{own[0]:+.0f}" if own[1] == 0 else f"{own[0]:+.0f} ± {own[1]:.0f}"


def _is_fixed(result: TournamentResult, row: int) -> bool:
    """Tell whether a rating is that of a frozen anchor."""
    return result.anchors is not None and result.ratings[row].n == 0


def zero_text(result: TournamentResult) -> str:
    """Return what the zero of the ratings is."""
    if result.anchors is not None:
        frozen = [result.names[row] for row in range(len(result.names)) if _is_fixed(result, row)]
        return f"frozen anchors {result.anchors.name} ({', '.join(frozen)}), {result.anchor} at zero"
    return f"{result.anchor or 'the mean'} at zero"


def cell_text(result: TournamentResult, row: int, column: int) -> str:
    """Return one cell of the cross table."""
    points = result.points(row, column)
    if points is None:
        return "·"
    text = f"{points[0]:+.1f} ± {points[1]:.1f}"
    rate = result.win_rate(row, column)
    return text if rate is None else f"{text}\n{rate:.1%} of games"


DIFFERENCE_TITLE = "rated above the next one, paired over boards"


def difference_grid(result: TournamentResult) -> Grid:
    """Return by how much each agent is rated above the next one, paired over boards, as cells, the head first."""
    grid = [["agent", "above", "points a deal", "95 % t"]]
    for one, other in pairwise(result.order):
        found = result.difference(one, other)
        cells = [f"{found.mean:+.1f}", _interval(found.ci95, "{:+.1f}")]
        grid.append([result.names[one], result.names[other], *cells])
    return grid


def difference_tables(result: TournamentResult) -> list[Table]:
    """Return the paired differences; nothing for two agents, whose match says it all."""
    if len(result.names) < 3:
        return []
    head, *rows = difference_grid(result)
    table: Table = _rich("Table")(title=DIFFERENCE_TITLE)
    for column, name in enumerate(head):
        table.add_column(name, justify="left" if column < 2 else "right")
    for row in rows:
        table.add_row(*row)
    return [table]


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


PLAY_TITLE = "card play against double-dummy play, tricks and points a contract, ± half of the 95 % interval"


def play_grid(result: TournamentResult) -> Grid:
    """Return how the card play compares with double-dummy play as cells, the head first."""
    grid = [["agent", "against", "contractor, tricks", "points", "defence, tricks", "points"]]
    for (one, other), both in result.play.items():
        for agent, against, quality in ((one, other, both[0]), (other, one, both[1])):
            values = (
                quality.contractor_tricks,
                quality.contractor_points,
                quality.defence_tricks,
                quality.defence_points,
            )
            cells = ["·" if value is None else _plus_minus(value, 2) for value in values]
            grid.append([result.names[agent], result.names[against], *cells])
    return grid


def play_tables(result: TournamentResult) -> list[Table]:
    """Return how the card play compares with double-dummy play; nothing where that was not asked for."""
    if not result.play:
        return []
    head, *rows = play_grid(result)
    table: Table = _rich("Table")(title=PLAY_TITLE)
    for column, name in enumerate(head):
        table.add_column(name, justify="left" if column < 2 else "right")
    for row in rows:
        table.add_row(*row)
    return [table]


def partner_table(result: CrossPlay) -> Table:
    """Return points of every partnership against the reference, and what mixing costs."""
    first = next(iter(result.matches.values()))
    table: Table = _rich("Table")(
        title=f"partnerships against {result.reference}, {first.boards} boards each, rules {first.rules.to_text()}",
        caption="points a deal ± half of the 95 % interval; below, against the mean of the two with their own copies",
    )
    table.add_column("agent")
    for name in result.names:
        table.add_column(f"with {name}", justify="right")
    for one, name in enumerate(result.names):
        cells = []
        for other in range(len(result.names)):
            text = _plus_minus(result.points(one, other))
            cells.append(text if one == other else f"{text}\n{_plus_minus(result.loss(one, other))}")
        table.add_row(name, *cells)
    return table


def _plus_minus(found: Estimate, digits: int = 1) -> str:
    return f"{found.mean:+.{digits}f} ± {(found.ci95[1] - found.ci95[0]) / 2:.{digits}f}"


def notes(result: TournamentResult) -> list[str]:
    """Return remarks: what the zero of the ratings is, how long decisions took, who misbehaved."""
    lines = [f"Ratings: {'mean over the anchors' if result.anchors else 'least squares'}, {zero_text(result)}."]
    times = decision_times(result)
    if times:
        lines.append("Time a decision: " + ", ".join(f"{name} {text}" for name, text in times.items()) + ".")
    for match in result.matches.values():
        lines += fault_notes(match)
    return lines


def decision_times(result: TournamentResult) -> dict[str, str]:
    """Return the mean time of a decision by agent, of those that this run has asked."""
    total: dict[str, Conduct] = {}
    for match in result.matches.values():
        for name, conduct in match.conduct.items():
            total.setdefault(name, Conduct()).add(conduct)
    return {
        name: f"{1e6 * conduct.seconds / conduct.decisions:.1f} µs"
        for name, conduct in total.items()
        if conduct.decisions
    }


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


def _figure(width: float, height: float) -> Figure:
    """Return an empty picture.

    Args:
        width: Inches.
        height: Inches.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("pictures need Matplotlib: pip install 'five_hundred_env[arena]'") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw(result: TournamentResult) -> Figure:
    """Return the cross table and the ratings as a picture.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    order, count = result.order, len(result.names)
    figure = _figure(5 + 1.5 * count, 1.8 + 0.75 * count)
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


def draw_contracts(result: TournamentResult) -> Figure:
    """Return how often each agent played which contract, and how often it made it, as a picture.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    groups = (*LEVELS, *MISERES)
    figure = _figure(11, 3.6)
    often, made = figure.subplots(1, 2)
    width = 0.8 / len(result.order)
    for place, agent in enumerate(result.order):
        counts = contracts_of(result, agent)
        found = {**counts.by_level(), **counts.by_bid()}
        at = [n + (place - (len(result.order) - 1) / 2) * width for n in range(len(groups))]
        tried = [found.get(name, (0, 0)) for name in groups]
        often.bar(at, [100 * t / counts.tables for t, _ in tried], width, label=result.names[agent])
        made.bar(at, [100 * m / t if t else 0 for t, m in tried], width)
    for axes, title in ((often, "played, % of tables"), (made, "made, % of those played")):
        axes.set_xticks(range(len(groups)), groups)
        axes.set_title(title, fontsize=10)
    often.legend(fontsize=8)
    return figure


def _png(figure: Figure) -> bytes:
    file = BytesIO()
    figure.savefig(file, format="png", dpi=PNG_DOTS, metadata={"Software": None})
    return file.getvalue()


def write_png(result: TournamentResult, path: str | Path) -> None:
    """Write the picture of a tournament."""
    _write(path, _png(draw(result)))


def write_html(result: TournamentResult, path: str | Path) -> None:
    """Write the report of a tournament as one HTML page that needs no other file."""
    _write(path, html(result).encode())


def write_markdown(result: TournamentResult, path: str | Path) -> None:
    """Write the ladder of a tournament as Markdown."""
    _write(path, markdown(result).encode())


def _write(path: str | Path, data: bytes) -> None:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def cross_grid(result: TournamentResult) -> Grid:
    """Return the cross table as cells, the head first."""
    elo = ["Elo"] if result.elo is not None else []
    grid = [["agent", "rating", *elo, *(result.names[column] for column in result.order)]]
    for row in result.order:
        own = [elo_text(result, row)] if result.elo is not None else []
        cells = [cell_text(result, row, column).replace("\n", ", ") for column in result.order]
        grid.append([result.names[row], rating_text(result, row), *own, *cells])
    return grid


def contract_grid(result: TournamentResult) -> Grid:
    """Return how often each agent was contractor and what it made, as cells, the head first."""
    groups = (*LEVELS, *STRAINS, *MISERES)
    rows = [[result.names[agent], *contract_cells(contracts_of(result, agent), groups)] for agent in result.order]
    return [["agent", "contractor", "made", *groups], *rows]


def match_grid(result: TournamentResult) -> Grid:
    """Return every match with its errors and intervals as cells, the head first."""
    grid = [
        [
            "match",
            "points a deal",
            "standard error",
            "95 % t",
            "95 % BCa",
            "games won",
            "95 % t",
            "tables lost by a fault",
        ]
    ]
    for match in result.matches.values():
        wins = match.wins
        grid.append(
            [
                f"{match.names[0]} against {match.names[1]}",
                f"{match.points.mean:+.2f}",
                f"{match.points.standard_error:.2f}",
                _interval(match.ci95, "{:+.1f}"),
                "·" if match.bca95 is None else _interval(match.bca95, "{:+.1f}"),
                "·" if wins is None else f"{wins.mean:.1%}",
                "·" if wins is None else _interval(wins.ci95, "{:.1%}"),
                " and ".join(str(count) for count in match.faults),
            ]
        )
    return grid


def _interval(ends: tuple[float, float], form: str) -> str:
    return "[" + ", ".join(form.format(end) for end in ends) + "]"


def agent_grid(result: TournamentResult) -> Grid:
    """Return who the agents are as cells, the head first."""
    grid = [["agent", "spec", "version", "hash"]]
    seen = set()
    for match in result.matches.values():
        for identity in (*match.agents[0], *match.agents[1]):
            if identity not in seen:
                seen.add(identity)
                grid.append([identity.name, identity.spec, identity.version, identity.hash])
    return grid


MEANING = (
    "A board is one deal, dealer and scores, played at two tables with the pairs exchanged; its score is half of the "
    "sum of the two differences. Intervals are over boards, never over tables. A mirrored game is a game played twice "
    "on the same stream of deals. "
)


def rating_meaning(result: TournamentResult) -> str:
    """Return what the ratings are, as a sentence."""
    if result.anchors is None:
        return f"Ratings are least squares over all matches, {zero_text(result)}, in points a deal."
    return (
        "The ratings of frozen anchors are given; any other agent has the mean over them of rating and points won, in "
        f"points a deal: {zero_text(result)}."
    )


def markdown(result: TournamentResult) -> str:
    """Return the ladder as Markdown; it holds no times, so that the same tournament gives the same text."""
    parts = [
        "# Ladder",
        f"{headline(result)}; package {__version__}, environment {VERSION}, rules hash {result.first.rules.hash}.",
        MEANING + rating_meaning(result),
        _markdown_table(cross_grid(result)),
        f"{DIFFERENCE_TITLE[0].upper()}{DIFFERENCE_TITLE[1:]}:",
        _markdown_table(difference_grid(result)),
        "## Matches",
        _markdown_table(match_grid(result)),
        "## Contracts",
        "Part of the tables as contractor, and made of those tried, over all matches.",
        _markdown_table(contract_grid(result)),
        *(
            ("## Play", f"{PLAY_TITLE[0].upper()}{PLAY_TITLE[1:]}.", _markdown_table(play_grid(result)))
            if result.play
            else ()
        ),
        "## Agents",
        _markdown_table(agent_grid(result)),
    ]
    return "\n\n".join(parts) + "\n"


def _markdown_table(grid: Grid) -> str:
    head, *rows = [[cell.replace("|", "\\|") for cell in row] for row in grid]
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .25rem .6rem; border-bottom: 1px solid #ddd; }
td { text-align: right; white-space: nowrap; } td:first-child, th:first-child { text-align: left; }
img { max-width: 100%; } .wide { overflow-x: auto; }
"""


def html(result: TournamentResult) -> str:
    """Return the report as one page of HTML with its pictures inside."""
    sections = [
        f"<h1>Five Hundred: {len(result.names)} agents</h1>",
        f"<p>{escape(headline(result))}; package {__version__}, environment {VERSION}.</p>",
        f"<p>{escape(MEANING)}{escape(rating_meaning(result))}</p>",
        _image(draw(result), "ratings and cross table"),
        _html_table(cross_grid(result)),
        f"<p>{DIFFERENCE_TITLE[0].upper()}{DIFFERENCE_TITLE[1:]}:</p>",
        _html_table(difference_grid(result)),
        "<h2>Matches</h2>",
        _html_table(match_grid(result)),
        "<h2>Contracts</h2><p>Part of the tables as contractor, and made of those tried.</p>",
        _image(draw_contracts(result), "contracts by level"),
        _html_table(contract_grid(result)),
        *((f"<h2>Play</h2><p>{PLAY_TITLE}</p>", _html_table(play_grid(result))) if result.play else ()),
        "<h2>Agents</h2>",
        _html_table(agent_grid(result)),
        "<h2>Remarks</h2>",
        "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes(result)) + "</ul>",
    ]
    head = f'<meta charset="utf-8"><title>Five Hundred tournament</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(sections) + "\n</body></html>\n"


def _image(figure: Figure, text: str) -> str:
    return f'<p><img alt="{text}" src="data:image/png;base64,{b64encode(_png(figure)).decode()}"></p>'


def _html_table(grid: Grid) -> str:
    head, *rows = grid
    lines = ["<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return '<div class="wide"><table>' + "\n".join(lines) + "</table></div>"

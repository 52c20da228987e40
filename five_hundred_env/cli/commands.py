"""The commands of `five-hundred`, one function each: they read options, call what does the work, show the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from five_hundred_env import __version__
from five_hundred_env.arena.config import TournamentConfig, load_config
from five_hundred_env.cli.progress import Bar
from five_hundred_env.core.constants import VERSION

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Five Hundred: tournaments between agents, records of games, scores.",
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
RulesText = Annotated[str, typer.Option("--rules", help="A profile, and what differs: american,slam=none.")]


def show(*parts: Any) -> None:
    """Print text or tables; where the output is no terminal, wide enough for every table."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    for part in parts:
        console.print(part, highlight=False, markup=False)


def show_json(data: Any) -> None:
    """Print data as JSON."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


@app.command()
def version() -> None:
    """Print the version of the package and of the environment."""
    typer.echo(f"five_hundred_env {__version__}, environment version {VERSION}")


@app.command()
def tournament(
    agents: Annotated[list[str] | None, typer.Argument(help="Names, files, module:attribute, or one+other.")] = None,
    boards: Annotated[int | None, typer.Option(help="Duplicate boards a match.")] = None,
    games: Annotated[int | None, typer.Option(help="Mirrored games a match.")] = None,
    seed: Annotated[int | None, typer.Option(help="Where deals and random choices come from.")] = None,
    rules: Annotated[str | None, typer.Option(help="A profile, and what differs: american,slam=none.")] = None,
    part: Annotated[str | None, typer.Option(help="What is contested: all, bidding, kitty, play.")] = None,
    common: Annotated[str | None, typer.Option(help="Who plays what is not contested.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes.")] = None,
    limit: Annotated[float | None, typer.Option(help="Seconds a decision before an answer is late.")] = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file; options given here go before it.")] = None,
    block: Annotated[str | None, typer.Option(help="Block of seeds of the file: dev, test or final.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for every board; a stopped run goes on there.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write the cross table and ratings as a PNG.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Play agents against each other on duplicate boards and show the cross table."""
    given = {
        "agents": agents or None,
        "boards": boards,
        "games": games,
        "seed": seed,
        "rules": rules,
        "part": part,
        "common": common,
        "workers": workers,
        "limit": limit,
        "block": block,
        "out": out and str(out),
        "plot": plot and str(plot),
    }
    run_tournament(load_config(config, {name: value for name, value in given.items() if value is not None}), as_json)


def run_tournament(config: TournamentConfig, as_json: bool) -> None:
    """Play a tournament with a progress bar, and write and show what was asked for."""
    from five_hundred_env.arena import report

    with Bar(config.size, "boards and games") as bar:
        result = config.play(bar.advance)
    config.write(result)
    if as_json:
        show_json(result.to_dict())
    else:
        show(report.tables(result))

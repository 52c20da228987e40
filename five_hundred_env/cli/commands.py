"""The commands of `five-hundred`, one function each: they read options, call what does the work, show the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from five_hundred_env import __version__
from five_hundred_env.agents import load_agent
from five_hundred_env.arena.config import TournamentConfig, load_config
from five_hundred_env.cli.progress import Bar
from five_hundred_env.core.constants import SEATS, VERSION
from five_hundred_env.core.rules import as_rules
from five_hundred_env.errors import OptionError

T = TypeVar("T")

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
def replay(
    file: Annotated[Path, typer.Argument(help="A record of games, JSON lines.")],
    game: Annotated[int | None, typer.Option(help="Show this game of the file only, from 1.")] = None,
    deal: Annotated[int | None, typer.Option(help="Show this deal only, from 1.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check a record action by action, and show its games."""
    from five_hundred_env.cli import show as shown
    from five_hundred_env.records import read_records

    records = list(read_records(file))
    chosen = list(enumerate(records, 1)) if game is None else [(game, pick(records, game, "games"))]
    if as_json:
        show_json({"games": [{"number": n, **shown.record_data(record, deal)} for n, record in chosen]})
        return
    for number, record in chosen:
        typer.echo(f"game {number}: " + "\n".join(shown.record_text(record, deal)))
    typer.echo(f"\n{len(records)} {'game' if len(records) == 1 else 'games'} checked, every action legal")


def pick(many: list[T], number: int, what: str) -> T:
    """Return one of many, counted from 1.

    Raises:
        OptionError: There is no such one.
    """
    if not 1 <= number <= len(many):
        raise OptionError(f"the file has {what} 1 to {len(many)}, not {number}")
    return many[number - 1]


@app.command()
def record(
    agents: Annotated[list[str], typer.Argument(help="Two agents, one a side, or four, one a seat.")],
    out: Annotated[Path, typer.Option(help="The file; games are added behind what it holds.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the first game; the next one has the next seed.")] = 1,
    rules: RulesText = "australian",
) -> None:
    """Let agents play whole games and record them."""
    from five_hundred_env.arena import play_game
    from five_hundred_env.records import write_record

    with Bar(games, "games") as bar:
        for number in range(games):
            game = play_game(agents, seed + number, rules)
            write_record(out, game, [load_agent(agents[seat % len(agents)]).name for seat in range(SEATS)])
            bar.advance()
    typer.echo(f"{games} {'game' if games == 1 else 'games'} written to {out}")


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(min=0.05, help="About how long each measurement takes.")] = 1.0,
    as_json: JsonFlag = False,
) -> None:
    """Measure how fast this machine plays: games in Python, batches, matches."""
    from five_hundred_env.cli.bench import measure

    figures = measure(seconds)
    if as_json:
        show_json(figures)
    else:
        for name, figure in figures.items():
            typer.echo(f"{name:<44}{figure:>14,.0f} a second")


@app.command()
def bids(rules: RulesText = "australian", as_json: JsonFlag = False) -> None:
    """Show the bids in rising order with their values, misères in their place."""
    from five_hundred_env.cli import show as shown

    checked = as_rules(rules)
    if as_json:
        show_json({"rules": checked.to_dict(), "bids": shown.bid_data(checked)})
    else:
        typer.echo("\n".join(shown.bid_text(checked)))


@app.command()
def score(
    file: Annotated[Path | None, typer.Argument(help="Deals, one a line; without it standard input is read.")] = None,
    contract: Annotated[str | None, typer.Option(help="Score one deal: its contract, or PASS.")] = None,
    contractor: Annotated[str | None, typer.Option(help="us, them, or a seat: 0 and 2 are us.")] = None,
    tricks: Annotated[int | None, typer.Option(help="Tricks taken by the contractor's side.")] = None,
    scores: Annotated[str, typer.Option(help="Totals before, us first: 120/-40.")] = "0/0",
    rules: RulesText = "australian",
    as_json: JsonFlag = False,
) -> None:
    """Keep the score: of one deal, or of a list of deals such as `7H us 8`, as a running sheet."""
    from five_hundred_env.cli import score as keeper

    checked = as_rules(rules)
    sheet = keeper.Sheet(checked, keeper.parse_scores(scores, checked))
    if contract is not None:
        if file is not None:
            raise OptionError("give a file of deals or one --contract, not both")
        words = [contract, contractor, None if tricks is None else str(tricks)]
        lines: Iterable[str] = [" ".join(word for word in words if word is not None)]
    elif contractor is not None or tricks is not None:
        raise OptionError("--contractor and --tricks belong to a --contract")
    else:
        lines = sys.stdin if file is None or str(file) == "-" else file.read_text(encoding="utf-8").splitlines()
    if as_json:
        list(sheet.read(lines))
        show_json(sheet.to_dict())
    else:
        typer.echo(keeper.head_text())
        for line in sheet.read(lines):
            typer.echo(keeper.line_text(line))
        typer.echo(keeper.end_text(sheet))
    if sheet.wrong:
        raise typer.Exit(1)


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
    ray: Annotated[str | None, typer.Option(help="Address of a Ray cluster; local starts one here.")] = None,
    limit: Annotated[float | None, typer.Option(help="Seconds a decision before an answer is late.")] = None,
    cap: Annotated[
        list[str] | None, typer.Option(help="AGENT=BOARDS or AGENT=BOARDS/GAMES: the most of an agent's matches.")
    ] = None,
    anchors: Annotated[
        str | None, typer.Option(help="Frozen anchors that fix the scale of the ratings: v1, or a file.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file; options given here go before it.")] = None,
    block: Annotated[str | None, typer.Option(help="Block of seeds of the file: dev, test or final.")] = None,
    par: Annotated[int | None, typer.Option(help="Boards a match that are solved double-dummy.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for every board; a stopped run goes on there.")] = None,
    isolate: Annotated[bool | None, typer.Option("--isolate", help="Each agent in a process of its own.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write the cross table and ratings as a PNG.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write the report as one HTML page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the ladder as Markdown.")] = None,
    write_anchors: Annotated[
        Path | None, typer.Option(help="Write the agents and their ratings as anchors for later lists.")
    ] = None,
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
        "ray": ray,
        "limit": limit,
        "caps": read_caps(cap) if cap else None,
        "anchors": anchors,
        "block": block,
        "out": out and str(out),
        "isolate": isolate,
        "par": par,
        "plot": plot and str(plot),
        "report": report and str(report),
        "markdown": markdown and str(markdown),
        "write_anchors": write_anchors and str(write_anchors),
    }
    run_tournament(load_config(config, {name: value for name, value in given.items() if value is not None}), as_json)


def read_caps(texts: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return the caps that options name, as a tournament file holds them.

    Raises:
        OptionError: One is not AGENT=BOARDS or AGENT=BOARDS/GAMES.
    """
    caps = {}
    for text in texts:
        name, _, sizes = text.rpartition("=")
        numbers = sizes.split("/")
        if not name or len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
            raise OptionError(f"a cap is AGENT=BOARDS or AGENT=BOARDS/GAMES, not {text!r}")
        caps[name] = dict(zip(("boards", "games"), map(int, numbers), strict=False))
    return caps


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


SeedNumber = Annotated[int, typer.Option("--seed", help="Where deals and random choices come from.")]
WorkerCount = Annotated[int, typer.Option("--workers", help="Processes.")]


@app.command()
def sprt(
    agent: Annotated[str, typer.Argument(help="Who is tested for being better.")],
    other: Annotated[str, typer.Argument(help="Against whom.")],
    low: Annotated[float, typer.Option(help="Points a deal where it is not better.")] = 0.0,
    high: Annotated[float, typer.Option(help="Points a deal where it is.")] = 5.0,
    alpha: Annotated[float, typer.Option(help="Chance to call it better where it is not.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to miss that it is better.")] = 0.05,
    cap: Annotated[int, typer.Option(help="The most boards.")] = 50_000,
    confirm: Annotated[int, typer.Option(min=0, help="Boards on fresh seeds afterwards.")] = 2_000,
    seed: SeedNumber = 1,
    rules: RulesText = "australian",
    workers: WorkerCount = 1,
    as_json: JsonFlag = False,
) -> None:
    """Play boards until it is clear whether an agent is better, then measure it on fresh seeds."""
    from five_hundred_env.arena.sequential import Hypotheses, play_sequential

    hypotheses = Hypotheses(low, high, alpha, beta)
    with Bar(cap + confirm, "boards") as bar:
        result = play_sequential(
            agent, other, hypotheses, cap, confirm, seed, rules, workers=workers, progress=bar.advance
        )
    if as_json:
        show_json(result.to_dict())
    else:
        typer.echo(str(result))


@app.command()
def crossplay(
    agents: Annotated[list[str], typer.Argument(help="Two agents or more.")],
    against: Annotated[str, typer.Option(help="The pair that every partnership meets.")] = "rule",
    boards: Annotated[int, typer.Option(help="Boards a partnership.")] = 2000,
    seed: SeedNumber = 1,
    rules: RulesText = "australian",
    workers: WorkerCount = 1,
    as_json: JsonFlag = False,
) -> None:
    """Play every agent with every partner against one reference pair."""
    from five_hundred_env.arena import report
    from five_hundred_env.arena.crossplay import play_cross

    with Bar(len(agents) * (len(agents) + 1) // 2 * boards, "boards") as bar:
        result = play_cross(agents, against, boards, seed, rules, workers=workers, progress=bar.advance)
    if as_json:
        show_json(result.to_dict())
    else:
        show(report.partner_table(result))


@app.command()
def probe(
    agent: Annotated[str, typer.Argument(help="Who is probed.")],
    probes: Annotated[
        list[str] | None,
        typer.Argument(help="Agents that try; without any, the built-in ones and a best response, response:AGENT."),
    ] = None,
    boards: Annotated[int, typer.Option(help="Boards a probe, and fresh boards of the best one.")] = 1000,
    seed: SeedNumber = 1,
    rules: RulesText = "australian",
    workers: WorkerCount = 1,
    as_json: JsonFlag = False,
) -> None:
    """Look for an agent that takes advantage of another: a lower bound on how far that one can be exploited."""
    from five_hundred_env.arena.crossplay import probe as look
    from five_hundred_env.arena.crossplay import probes_of

    chosen = probes or probes_of(agent)
    with Bar((len(chosen) + 1) * boards, "boards") as bar:
        result = look(agent, chosen, boards, seed, rules, workers=workers, progress=bar.advance)
    if as_json:
        show_json(result.to_dict())
    else:
        typer.echo(str(result))


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="A record of games, JSON lines.")],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    deal: Annotated[int | None, typer.Option(help="This deal only, from 1.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show decisions that cost nothing, too.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Compare the decisions of a recorded game with perfect play, all hands open, and its contracts with par."""
    from five_hundred_env.cli import analyse as analysed
    from five_hundred_env.records import read_records

    record = pick(list(read_records(file)), game, "games")
    found = []
    with Bar(len(record.deals) if deal is None else 1, "deals") as bar:
        for each in analysed.analyse_record(record, deal):
            found.append(each)
            bar.advance()
    if as_json:
        show_json({"game": game, "deals": [{"number": number, **each.to_dict()} for number, each in found]})
    else:
        typer.echo("\n\n".join("\n".join(analysed.analysis_text(*each, everything)) for each in found))


@app.command()
def solve(
    deal: Annotated[
        list[str] | None, typer.Argument(help="Hands of seats 0 to 3 and the kitty, as in ASKD4HJK.")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="Many deals instead, one a line; - reads standard input.")] = None,
    dealer: Annotated[int, typer.Option(help="Who dealt: decides who calls first, for par.")] = 3,
    kitty: Annotated[bool, typer.Option("--kitty", help="Contractors take the kitty first: slower.")] = False,
    threads: Annotated[int, typer.Option(help="Threads that solve many deals.")] = 1,
    rules: RulesText = "australian",
    as_json: JsonFlag = False,
) -> None:
    """Show what a deal holds with all hands open: every contract for every contractor, and par."""
    from five_hundred_env import Game
    from five_hundred_env.cli import analyse as analysed

    if (file is None) == (not deal):
        raise OptionError("give the five groups of one deal or a --file of deals")
    if file is None:
        data = analysed.solve_data(Game.from_deal(" ".join(deal or []), dealer, rules=as_rules(rules)), kitty)
        if as_json:
            show_json(data)
        else:
            typer.echo("\n".join(analysed.solve_text(data)))
        return
    lines = sys.stdin if str(file) == "-" else file.read_text(encoding="utf-8").splitlines()
    games = analysed.read_deals(lines, dealer, as_rules(rules))
    with Bar(len(games), "deals") as bar:
        found = analysed.solve_games(games, kitty, threads, bar.advance)
    if as_json:
        show_json({"deals": [{"number": number, **each} for number, each in enumerate(found, 1)]})
    else:
        texts = ("\n".join(analysed.solve_text(each)) for each in found)
        typer.echo("\n\n".join(f"deal {number}\n{text}" for number, text in enumerate(texts, 1)))

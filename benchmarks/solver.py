"""Measure the solver on fresh deals, beside DDS where endplay is installed: ``python -m benchmarks.solver``.

Times are of the thread, not of the wall, so that other work on the machine disturbs them less; compilation is not
counted.
DDS solves the same positions in the same run, one after the other, each with its own table.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console

from five_hundred_env import Game
from five_hundred_env.core.cards import EFFECTIVE, POWER, Row
from five_hundred_env.core.constants import CARDS, NO_TRUMPS, SEATS
from five_hundred_env.core.observe import read_observation
from five_hundred_env.core.state import HAND, N_COLUMNS, SEAT, STRAIN
from five_hundred_env.search import solve_discards, solve_moves, solve_table
from five_hundred_env.search.sampling import draw_worlds, make_sampler, prepare_worlds
from five_hundred_env.search.solver import Rows, solve_row
from five_hundred_env.search.workspace import make_workspace

RANKS = "23456789TJQKA"
SUIT_BIDS = ("6S", "6C", "6D", "6H")


def fresh(seed: int, bid: str, joker: str = "any") -> Game:
    """Return the first lead of a random deal with random discards.

    Args:
        seed: Different seeds give different deals.
        bid: The contract; the first seat to call makes it.
        joker: ``out`` of play, ``nominated``, ``suitless`` in play, or ``any``.
    """
    rnd = random.Random(seed)
    while True:
        game = Game("australian", seed=rnd.getrandbits(40))
        for call in (bid, "PASS", "PASS", "PASS"):
            game.apply(call)
        while game.phase == "discard":
            game.apply(rnd.choice(game.legal()))
        contractor = game.contractor or 0
        holders = [seat for seat, hand in enumerate(game.hands) if "JK" in hand]
        if game.phase == "nominate":
            game.apply("=-" if joker == "suitless" else rnd.choice(game.legal()[:4]))
        fits = {
            "any": True,
            "out": not holders,
            "nominated": holders == [contractor],
            "suitless": bool(holders) and not (bid.endswith("MIS") and holders == [(contractor + 2) % SEATS]),
        }
        if fits[joker]:
            return game


def play_on(game: Game, tricks_left: int, seed: int) -> Game:
    """Play random cards until so many tricks are left."""
    rnd = random.Random(seed)
    game = game.copy()
    while 10 - sum(game.tricks) > tricks_left:
        game.apply(rnd.choice(game.legal()))
    return game


def dds_deal(game: Game) -> Any:
    """Return a position with a trick to be led as a deal of endplay: joker and bowers are the highest trumps."""
    from endplay.types import Deal, Denom, Player

    row = game.row
    strain = int(row[STRAIN])
    held = sum(int(row[HAND + seat]) for seat in range(SEATS))
    ranks = {}
    for suit in range(4):
        cards = [card for card in range(CARDS) if EFFECTIVE[0, strain, card] == suit and held >> card & 1]
        cards.sort(key=lambda card: -int(POWER[0, strain, card]))
        ranks.update({card: (suit, RANKS[12 - n]) for n, card in enumerate(cards)})
    hands = []
    for seat in range(SEATS):
        mine = [ranks[card] for card in ranks if int(row[HAND + seat]) >> card & 1]
        hands.append(".".join("".join(rank for suit, rank in mine if suit == wanted) for wanted in range(4)))
    deal = Deal("N:" + " ".join(hands))
    deal.trump = Denom.nt if strain == NO_TRUMPS else list(Denom)[strain]
    deal.first = list(Player)[int(row[SEAT])]
    return deal


def milliseconds(work: Callable[[Any], object], items: list[Any]) -> list[float]:
    """Return the thread time of a piece of work on each item, milliseconds."""
    times = []
    for item in items:
        start = time.thread_time()
        work(item)
        times.append(1000 * (time.thread_time() - start))
    return times


def line(name: str, times: list[float]) -> str:
    """Return one line of the table."""
    spread = np.array([np.mean(times), np.median(times), np.percentile(times, 90), np.max(times)])
    cells = " | ".join(f"{value:.3f}" if value < 1 else f"{value:.2f}" for value in spread)
    return f"| {name} | {len(times)} | {cells} |"


def rows_of(games: list[Game]) -> list[Rows]:
    """Return the state rows of games."""
    return [game.row for game in games]


def measure(deals: int, console: Console) -> None:
    """Measure everything and print the table."""
    workspace = make_workspace()
    suit = [fresh(n, SUIT_BIDS[n % 4]) for n in range(deals)]
    plain = [fresh(n, "6NT", "out") for n in range(deals)]
    kinds = {
        "suit contract": suit,
        "no trumps, joker out of play": plain,
        "no trumps, joker nominated": [fresh(n, "6NT", "nominated") for n in range(deals)],
        "no trumps, joker suitless": [fresh(n, "6NT", "suitless") for n in range(deals)],
        "misère, joker out of play": [fresh(n, "OMIS", "out") for n in range(deals)],
        "misère, joker suitless": [fresh(n, "OMIS", "suitless") for n in range(deals)],
        "suit contract, six tricks left": [play_on(game, 6, n) for n, game in enumerate(suit)],
        "no trumps, six tricks left": [play_on(game, 6, n) for n, game in enumerate(plain)],
    }
    console.print("| positions | n | mean ms | median | p90 | max |", "|---|---:|---:|---:|---:|---:|", sep="\n")
    solve_row(suit[0].row, workspace)
    for name, games in kinds.items():
        console.print(line(name, milliseconds(lambda row: solve_row(row, workspace), rows_of(games))))
    _measure_surface(deals, suit, plain, console)
    _measure_worlds([*suit, *kinds["suit contract, six tricks left"]], console)
    _measure_dds({"suit contract": suit, "no trumps, joker out of play": plain}, console)


def _measure_surface(deals: int, suit: list[Game], plain: list[Game], console: Console) -> None:
    """Measure the functions for people: all moves, tables, discards."""
    few = max(deals // 4, 2)
    tables = [Game("australian", seed=n) for n in range(few)]
    discards = []
    for n in range(few):
        game = Game("australian", seed=n)
        for call in (("7H", "7NT")[n % 2], "PASS", "PASS", "PASS"):
            game.apply(call)
        discards.append(game)
    for name, work, games in (
        ("all ten leads, suit contract", solve_moves, suit[:few]),
        ("all ten leads, no trumps", solve_moves, plain[:few]),
        ("table: 20 contracts and 4 misères", solve_table, tables),
        ("best three discards, hearts or no trumps", solve_discards, discards),
    ):
        work(games[0])
        console.print(line(name, milliseconds(work, games)))


def _measure_worlds(games: list[Game], console: Console) -> None:
    """Measure how long the worlds of a decision take: counted and drawn, for the seat to move."""
    sampler = make_sampler()
    worlds = np.zeros((20, N_COLUMNS), np.int64)

    def draw(view: Row) -> None:
        prepare_worlds(view, sampler.groups, sampler.ways)
        draw_worlds(view, sampler.groups, sampler.ways, 1, worlds)

    views = []
    for game in games:
        view = np.zeros(N_COLUMNS, np.int64)
        read_observation(game.observe(int(game.row[SEAT]))["observation"], view)
        views.append(view)
    draw(views[0])
    console.print(line("20 worlds for the seat to move, counted and drawn", milliseconds(draw, views)))


def _measure_dds(kinds: dict[str, list[Game]], console: Console) -> None:
    """Measure DDS on the same positions, the value alone and all leads, one thread."""
    try:
        import endplay._dds as library
        from endplay.dds import solve_board
        from endplay.dds.solve import SolveMode
    except ImportError:
        console.print("endplay is not installed: no figures of DDS")
        return
    library.SetMaxThreads(1)
    for name, games in kinds.items():
        boards = [dds_deal(game) for game in games]
        console.print(line(f"DDS, {name}", milliseconds(lambda b: solve_board(b, SolveMode.OptimalOne), boards)))
        console.print(line(f"DDS, all ten leads, {name}", milliseconds(solve_board, boards[: len(boards) // 4])))


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=200, help="deals of each kind")
    measure(parser.parse_args().deals, Console(width=200, highlight=False, markup=False))


if __name__ == "__main__":
    main()

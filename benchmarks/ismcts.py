"""Is tree search over information sets better than `pimc` anywhere? ``python -m benchmarks.ismcts --deals 200``.

Deals are bid, put away and nominated by `rule`. Each is then played several times: one side, contractors or
defenders, by the player that is tried, the other by `rule`. What is shown is the mean of points for that side, by kind
of contract, the time of a decision, and the difference of the two players on the same deals with its 95 % interval.

The player tried here (it is no agent of the package) is single-observer ISMCTS: in each turn a world that fits what the
seat has seen is walked down a tree that all worlds share, by upper confidence bounds over the cards that the world
allows; then one node is added, and `rule` plays the deal to the end. Worlds are those of `pimc`, weighted by the calls.

Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE Transactions on Computational
    Intelligence and AI in Games 4, 2012.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from five_hundred_env.agents.pimc import Options, decide_pimc
from five_hundred_env.agents.pimc.memory import Memory, make_memory
from five_hundred_env.agents.pimc.play import _one_class
from five_hundred_env.agents.pimc.points import fill_points
from five_hundred_env.agents.pimc.worlds import sample_worlds
from five_hundred_env.agents.rule import decide_rule
from five_hundred_env.core._jit import lowest
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.constants import MIS, OVER, PLAY
from five_hundred_env.core.engine import apply, legal_mask, new_game
from five_hundred_env.core.observe import write_view
from five_hundred_env.core.rules import as_rules
from five_hundred_env.core.state import BID, BIDDER, N_COLUMNS, N_RULES, PHASE, POINTS, RULE_HAND, SEAT
from five_hundred_env.search.solver import final_value

Rows = npt.NDArray[np.int64]
RULE, PIMC, ISMCTS = range(3)
KINDS = ("suit", "no trumps", "misère")

ACTION, PARENT, CHILD, SIBLING, VISITS, SEEN = range(6)


class Tree(NamedTuple):
    """A tree in arrays, made once."""

    nodes: Rows
    """`[N, 6] int64`: action that leads here, parent, first child, next sibling, visits, times it was allowed."""
    sums: npt.NDArray[np.float64]
    """`[N] float64` sum of results, 0 to 1 for side 0."""
    options: npt.NDArray[np.float64]
    """`[2] float64`: turns, weight of the unknown in the bounds."""
    order: Rows
    """`[W] int64` worlds, one a turn."""


@numba.njit(nogil=True)
def seek(tree: Tree, node: int, legal: int, first: int, side: int) -> tuple[int, int]:
    """Return the best child among legal actions, and the legal actions without a child; children seen are counted."""
    best = -1
    worth = -1.0
    rest = legal
    child = tree.nodes[node, CHILD]
    while child >= 0:
        bit = 1 << (tree.nodes[child, ACTION] - first)
        if rest & bit:
            rest &= ~bit
            tree.nodes[child, SEEN] += 1
            visits = tree.nodes[child, VISITS]
            mean = tree.sums[child] / visits
            if side:
                mean = 1.0 - mean
            bound = mean + tree.options[1] * math.sqrt(math.log(tree.nodes[child, SEEN]) / visits)
            if bound > worth:
                worth = bound
                best = child
        child = tree.nodes[child, SIBLING]
    return best, rest


@numba.njit(nogil=True)
def add(tree: Tree, count: int, parent: int, action: int) -> int:
    """Put a node under another; return it."""
    tree.nodes[count, ACTION] = action
    tree.nodes[count, PARENT] = parent
    tree.nodes[count, CHILD] = -1
    tree.nodes[count, SIBLING] = tree.nodes[parent, CHILD]
    tree.nodes[count, VISITS] = 0
    tree.nodes[count, SEEN] = 1
    tree.nodes[parent, CHILD] = count
    tree.sums[count] = 0.0
    return count


@numba.njit(nogil=True)
def by_rule(row: Rows, view: Rows, legal: int) -> int:
    """Return what `rule` does."""
    write_view(row, int(row[SEAT]), view)
    return decide_rule(view, legal, 0)


@numba.njit(nogil=True)
def take_turn(row: Rows, view: Rows, tree: Tree, count: int) -> tuple[int, int]:
    """Walk a world down the tree, add a node, play on; return that node and the number of nodes."""
    node = 0
    added = False
    while int(row[PHASE]) != OVER:
        legal = int(legal_mask(row))
        first = first_action(int(row[PHASE]))
        if added:
            action = first + lowest(legal) if legal & (legal - 1) == 0 else by_rule(row, view, legal)
        else:
            best, rest = seek(tree, node, legal, first, int(row[SEAT]) & 1)
            if rest:
                # What `rule` does comes first, then the others.
                action = by_rule(row, view, legal)
                if rest >> (action - first) & 1 == 0:
                    action = first + lowest(rest)
                node = add(tree, count, node, action)
                count += 1
                added = True
            else:
                node = best
                action = int(tree.nodes[best, ACTION])
        apply(row, action)
    return node, count


@numba.njit(nogil=True)
def decide_ismcts(view: Rows, legal: int, key: int, m: Memory, tree: Tree) -> int:
    """Choose a card."""
    usual = decide_rule(view, legal, key)
    if legal & (legal - 1) == 0 or int(view[PHASE]) != PLAY or _one_class(view, legal):
        return usual
    different = sample_worlds(view, m, key)
    slots = 0
    for n in range(different):
        world = int(m.chosen[n])
        copies = round(m.weights[world] * len(tree.order))
        for _ in range(copies):
            if slots < len(tree.order):
                tree.order[slots] = world
                slots += 1
    side = int(view[BIDDER]) & 1 if int(view[BID]) else 0
    fill_points(view, int(view[BID]), side, 0.0, 0.0, m.points)
    low, high = 1.0e9, -1.0e9
    for tricks in range(int(view[RULE_HAND]) + 1):
        low, high = min(low, m.points[tricks]), max(high, m.points[tricks])
    tree.nodes[0, CHILD] = -1
    count = 1
    row, mover = m.rows[0], m.rows[1]
    for turn in range(int(tree.options[0])):
        world = int(tree.order[(turn * 7919) % slots])
        row[:] = m.worlds[world]
        node, count = take_turn(row, mover, tree, count)
        result = (m.points[final_value(row)] - low) / (high - low)
        while node:
            tree.nodes[node, VISITS] += 1
            tree.sums[node] += result
            node = int(tree.nodes[node, PARENT])
    best, visits = usual, 0
    child = tree.nodes[0, CHILD]
    while child >= 0:
        if tree.nodes[child, VISITS] > visits:
            visits = int(tree.nodes[child, VISITS])
            best = int(tree.nodes[child, ACTION])
        child = tree.nodes[child, SIBLING]
    return best


@numba.njit(nogil=True)
def play_out(row: Rows, sides: Rows, view: Rows, key: int, pimc: Memory, m: Memory, tree: Tree) -> int:
    """Play a deal to the end, each side by its player; return how many decisions were searched."""
    count = 0
    while int(row[PHASE]) != OVER:
        seat = int(row[SEAT])
        legal = int(legal_mask(row))
        write_view(row, seat, view)
        player = int(sides[seat & 1]) if int(row[PHASE]) >= PLAY else RULE
        key = (key * 25214903917 + 11) & 281474976710655
        if player == RULE or legal & (legal - 1) == 0:
            action = decide_rule(view, legal, key)
        else:
            count += 1
            action = decide_pimc(view, legal, key, pimc) if player == PIMC else decide_ismcts(view, legal, key, m, tree)
        apply(row, action)
    return count


def prepare(deals: int, seed: int) -> list[Rows]:
    """Return deals with a contract at the first lead, as `rule` brings them there."""
    rows: list[Rows] = []
    view = np.zeros(N_COLUMNS, np.int64)
    number = 0
    while len(rows) < deals:
        row = np.zeros(N_COLUMNS, np.int64)
        row[:N_RULES] = as_rules("australian").row
        new_game(row, seed * 1_000_003 + number)
        number += 1
        while int(row[PHASE]) < PLAY:
            apply(row, by_rule(row, view, int(legal_mask(row))))
        if int(row[PHASE]) == PLAY:
            rows.append(row)
    return rows


def kind_of(row: Rows) -> str:
    """Return the kind of contract."""
    bid = int(row[BID])
    return KINDS[2] if bid >= MIS else KINDS[int((bid - 1) % 5 == 4)]


class Played(NamedTuple):
    """What a player made of the deals: points of its side, and its time."""

    points: npt.NDArray[np.float64]
    milliseconds: float


def play_all(rows: list[Rows], player: int, declares: bool, tools: tuple[Memory, Memory, Tree]) -> Played:
    """Play every deal with one player for contractors or defenders."""
    view = np.zeros(N_COLUMNS, np.int64)
    points = []
    decisions = 0
    begun = time.thread_time()
    for n, start in enumerate(rows):
        row = start.copy()
        side = int(row[BIDDER]) & 1 if declares else 1 - (int(row[BIDDER]) & 1)
        sides = np.full(2, RULE, np.int64)
        sides[side] = player
        decisions += play_out(row, sides, view, n, *tools)
        points.append(int(row[POINTS + side]) - int(row[POINTS + 1 - side]))
    return Played(np.array(points, np.float64), 1e3 * (time.thread_time() - begun) / max(decisions, 1))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--turns", type=int, default=150, help="turns of a decision of ISMCTS")
    parser.add_argument("--weight", type=float, default=0.7, help="weight of the unknown in its bounds")
    parser.add_argument("--worlds", type=int, default=20, help="worlds of pimc")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    size = min(options.turns, 300)
    tree = Tree(
        np.zeros((options.turns + 2, 6), np.int64),
        np.zeros(options.turns + 2),
        np.array([options.turns, options.weight]),
        np.zeros(size, np.int64),
    )
    tools = (make_memory(Options(worlds=options.worlds)), make_memory(Options(worlds=size)), tree)
    rows = prepare(options.deals, options.seed)
    kinds = np.array([kind_of(row) for row in rows])
    for player in (PIMC, ISMCTS):
        play_all(rows[:2], player, True, tools)
    for declares in (True, False):
        role = "contractors" if declares else "defenders"
        played = [play_all(rows, player, declares, tools) for player in (RULE, PIMC, ISMCTS)]
        times = f"pimc {played[1].milliseconds:.1f} ms, ismcts {played[2].milliseconds:.1f} ms a decision"
        sys.stdout.write(f"{role}: {times}\n")
        for kind in KINDS:
            some = kinds == kind
            if some.sum() < 2:
                continue
            means = "  ".join(f"{result.points[some].mean():+8.1f}" for result in played)
            gap = (played[2].points - played[1].points)[some]
            half = 1.96 * gap.std(ddof=1) / math.sqrt(len(gap))
            sys.stdout.write(
                f"  {kind:10}{some.sum():>5} deals: rule, pimc, ismcts {means}; "
                f"ismcts - pimc {gap.mean():+.1f} ({gap.mean() - half:+.1f} to {gap.mean() + half:+.1f})\n"
            )
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Whole reduced games: what a policy is worth, the best answer to it, and how far it is from an equilibrium.

A `GameTree` lays out every position that some deals lead to, and which of them a seat can not tell apart: those with
the same observation, bit for bit (R11.3). All results are exact, up to rounding. The short packs are made for it (D12):
a deal of five cards has some ten thousand positions, one of nine cards with an auction of one round some hundred
thousand; a full pack is out of reach.

::

    tree = GameTree(all_deals("australian,pack=5,auction=one_round"))
    tree.nash_conv(tree.uniform())

Values are the points of the deal of the seat's side minus those of the other side, divided by 100, as the reward
``points`` of the environments is.

Source: Johanson, Waugh, Bowling, Zinkevich, "Accelerating best response calculation in large extensive games", IJCAI
2011 (reach probabilities pushed down, values pulled up).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import kernel, lowest
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import OVER, SEATS
from five_hundred_env.core.engine import apply, legal_mask
from five_hundred_env.core.observe import OBSERVATION_WORDS, Bytes, write_observation
from five_hundred_env.core.rules import Rules, as_rules
from five_hundred_env.core.state import N_COLUMNS, PHASE, POINTS, RULE_CARDS, RULE_HAND, SEAT
from five_hundred_env.errors import OptionError
from five_hundred_env.game import Game
from five_hundred_env.notation import format_hand

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Policy = Floats
"""`[N] float64` a chance for each pair of an information set and an action, in the order of `GameTree.actions`."""

MOST_POSITIONS = 20_000_000
"""Positions that a tree holds unless told otherwise: about a gigabyte while it is built."""
DEPTH = 256
"""Actions that a deal may take: an auction of 111 calls at most, and 50 actions after it."""
POINTS_A_VALUE = 100.0

# Columns of a node, `[N, NODE_COLUMNS] int64`.
N_PARENT, N_ACTION, N_CHOICE, N_SEAT, N_DEPTH, N_POINTS, N_KEY, NODE_COLUMNS = 0, 1, 2, 3, 4, 5, 6, 8
_WORD = 0xFFFFFFFF
_FACTORS = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F)


@kernel
def count_positions(rows: Rows, left: Row, most: int) -> int:
    """Count the positions below `rows[0]`, itself included; stop beyond `most`.

    Args:
        rows: `[DEPTH, N_COLUMNS] int64` the position, and room for a path.
        left: `[DEPTH] int64` room for what is still to be tried.
        most: Where to stop.
    """
    depth = 0
    count = 1
    left[0] = legal_mask(rows[0])
    while depth >= 0 and count <= most:
        if int(left[depth]) == 0:
            depth -= 1
            continue
        _descend(rows, left, depth)
        depth += 1
        count += 1
    return count


@kernel
def _descend(rows: Rows, left: Row, depth: int) -> int:
    """Write the position after the next action that is still to be tried, and return that action."""
    bit = lowest(int(left[depth]))
    left[depth] = int(left[depth]) & ~(1 << bit)
    for column in range(N_COLUMNS):
        rows[depth + 1, column] = rows[depth, column]
    action = first_action(int(rows[depth, PHASE])) + bit
    apply(rows[depth + 1], action)
    left[depth + 1] = legal_mask(rows[depth + 1])
    return action


@kernel
def lay_out(rows: Rows, left: Row, path: Row, out: Bytes, words: Row, nodes: Rows, start: int) -> int:
    """Write the nodes of all positions below `rows[0]`, each behind its parent; return how many.

    Args:
        rows: As in `count_positions`.
        left: As there.
        path: `[DEPTH, 2] int64` room for the node of each position of the path, and for its children so far.
        out: `[OBSERVATION_SIZE] int8` room for an observation.
        words: The same memory as `[OBSERVATION_WORDS] int64`.
        nodes: `[N, NODE_COLUMNS] int64` to be filled.
        start: The first node to be written.
    """
    left[0] = legal_mask(rows[0])
    path[0, 0] = start
    path[0, 1] = 0
    _write_node(rows[0], out, words, nodes[start])
    nodes[start, N_PARENT] = -1
    depth = 0
    node = start + 1
    while depth >= 0:
        if int(left[depth]) == 0:
            depth -= 1
            continue
        action = _descend(rows, left, depth)
        _write_node(rows[depth + 1], out, words, nodes[node])
        nodes[node, N_PARENT] = path[depth, 0]
        nodes[node, N_ACTION] = action
        nodes[node, N_CHOICE] = path[depth, 1]
        nodes[node, N_DEPTH] = depth + 1
        path[depth, 1] += 1
        depth += 1
        path[depth, 0] = node
        path[depth, 1] = 0
        node += 1
    return node - start


@kernel
def _write_node(row: Row, out: Bytes, words: Row, node: Row) -> None:
    """Write who is to move and 127 bits that stand for the seat and what it observes, or the points at the end."""
    if int(row[PHASE]) == OVER:
        node[N_SEAT] = -1
        node[N_POINTS] = int(row[POINTS]) - int(row[POINTS + 1])
        return
    seat = int(row[SEAT])
    node[N_SEAT] = seat
    write_observation(row, seat, out, words)
    h0, h1, h2, h3 = seat + 1, seat + 5, seat + 9, seat + 13
    for n in range(OBSERVATION_WORDS):
        word = int(words[n])
        for half in range(2):
            part = word >> (32 * half) & _WORD
            h0 = _mix(h0 ^ part, _FACTORS[0])
            h1 = _mix(h1 ^ part, _FACTORS[1])
            h2 = _mix(h2 ^ part, _FACTORS[2])
            h3 = _mix(h3 ^ part, _FACTORS[3])
    node[N_KEY] = (h0 << 31) ^ h1
    node[N_KEY + 1] = (h2 << 31) ^ h3


@kernel
def _mix(value: int, factor: int) -> int:
    """Mix 32 bits."""
    value = value * factor & _WORD
    return value ^ value >> 15


@kernel
def push_reach(parents: Row, slots: Row, seats: Row, policy: Floats, without: int, reach: Floats) -> None:
    """Write how likely each node is to be reached, a seat's own choices left out; roots are given."""
    for n in range(len(parents)):
        parent = int(parents[n])
        if parent >= 0:
            reach[n] = reach[parent] * (1.0 if int(seats[parent]) == without else policy[slots[n]])


@kernel
def pull_values(parents: Row, slots: Row, policy: Floats, values: Floats) -> None:
    """Write what each node is worth under a policy; values of ends are given, all others 0."""
    for n in range(len(parents) - 1, -1, -1):
        parent = int(parents[n])
        if parent >= 0:
            values[parent] += policy[slots[n]] * values[n]


@kernel
def pull_best(
    level: Row,
    above: Row,
    parents: Row,
    slots: Row,
    seats: Row,
    sets: Row,
    firsts: Row,
    seat: int,
    policy: Floats,
    reach: Floats,
    worth: Floats,
    best: Row,
    values: Floats,
) -> None:
    """Write what the nodes of one depth are worth to a seat that answers best, from those of the next depth.

    Args:
        level: The nodes of the next depth.
        above: The nodes of this depth.
        parents: The parent of each node.
        slots: Which pair of an information set and an action leads to each node.
        seats: Who moves at each node, -1 at an end.
        sets: The information set of each node, -1 at an end.
        firsts: The first pair of each information set, and behind the last one how many pairs there are.
        seat: Who answers.
        policy: What the others do.
        reach: Of each node, the seat's own choices left out.
        worth: Room for what each pair is worth, weighted by reach; 0.
        best: Written with the best pair of each of the seat's information sets.
        values: Those of the next depth given, those of this depth 0 but at ends.
    """
    for n in level:
        parent = int(parents[n])
        if int(seats[parent]) == seat:
            worth[slots[n]] += reach[parent] * values[n]
        else:
            values[parent] += policy[slots[n]] * values[n]
    for n in above:
        if int(seats[n]) == seat:
            first = int(firsts[sets[n]])
            choice = first
            for pair in range(first + 1, int(firsts[int(sets[n]) + 1])):
                if worth[pair] > worth[choice]:
                    choice = pair
            best[sets[n]] = choice
    for n in level:
        parent = int(parents[n])
        if int(seats[parent]) == seat and int(best[sets[parent]]) == int(slots[n]):
            values[parent] = values[n]


class BestResponse(NamedTuple):
    """The best answer of one seat to what the others do."""

    value: float
    """What it is worth to the seat."""
    policy: Policy
    """The policy answered to, the seat's part of it replaced by the answer."""


class GameTree:
    """Every position of some deals, and what the seats can not tell apart.

    Args:
        positions: Games at the first call of a deal, or further on; each is one outcome of chance.
        chances: How likely each of them is, summing up to 1; equally likely when not given.
        most: Positions beyond which the tree is refused.

    Raises:
        OptionError: There is no position, chances do not fit them, or there are more than `most` positions.

    Attributes:
        actions: `[N] int64` the action of each pair of an information set and an action.
        firsts: `[I + 1] int64` the first pair of each information set; its pairs are in rising order of their actions.
        seats: `[I] int64` whose information set it is.
        size: How many positions there are.
    """

    def __init__(
        self, positions: Sequence[Game], chances: Sequence[float] | None = None, most: int = MOST_POSITIONS
    ) -> None:
        self._games = [game.copy() for game in positions]
        self._chances = _check_chances(len(self._games), chances)
        nodes, self._roots = _lay_out_all(self._games, most)
        self.size = len(nodes)
        self._parents = np.ascontiguousarray(nodes[:, N_PARENT])
        self._node_seats = np.ascontiguousarray(nodes[:, N_SEAT])
        self._node_actions = np.ascontiguousarray(nodes[:, N_ACTION])
        self._ends = np.where(self._node_seats < 0, nodes[:, N_POINTS] / POINTS_A_VALUE, 0.0)
        self._find_sets(nodes)
        depths = nodes[:, N_DEPTH]
        order = np.argsort(depths, kind="stable")
        starts = np.searchsorted(depths[order], np.arange(int(depths.max()) + 2))
        self._levels = [order[starts[n] : starts[n + 1]] for n in range(len(starts) - 1)]

    def _find_sets(self, nodes: Rows) -> None:
        """Give numbers to the information sets and the pairs of a set and an action."""
        choosing = np.flatnonzero(self._node_seats >= 0)
        keys = nodes[choosing, N_KEY : N_KEY + 2]
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        first = np.ones(len(order), np.bool_)
        first[1:] = (keys[order[1:]] != keys[order[:-1]]).any(axis=1)
        numbers = np.zeros(len(order), np.int64)
        numbers[order] = np.cumsum(first) - 1
        examples = order[first]
        self._sets = np.full(len(nodes), -1, np.int64)
        self._sets[choosing] = numbers
        self._examples = choosing[examples]
        self.seats = self._node_seats[self._examples]
        # What a seat observes says how often it has acted, and so have the others: all positions of a set lie as deep.
        assert (nodes[self._examples[numbers], N_DEPTH] == nodes[choosing, N_DEPTH]).all()
        children = np.bincount(self._parents[self._parents >= 0], minlength=len(nodes))
        assert (children[self._examples[numbers]] == children[choosing]).all()
        self.firsts = np.concatenate([[0], np.cumsum(children[self._examples])])
        below = self._parents >= 0
        self._slots = np.zeros(len(nodes), np.int64)
        self._slots[below] = self.firsts[self._sets[self._parents[below]]] + nodes[below, N_CHOICE]
        self.actions = np.zeros(int(self.firsts[-1]), np.int64)
        self.actions[self._slots[below]] = self._node_actions[below]

    def __repr__(self) -> str:
        return f"<GameTree of {len(self._games)} deals, {self.size} positions, {len(self.seats)} information sets>"

    def position(self, number: int) -> Game:
        """Return one of the positions of an information set."""
        node = int(self._examples[number])
        path = []
        while (parent := int(self._parents[node])) >= 0:
            path.append(int(self._node_actions[node]))
            node = parent
        game = self._games[int(np.searchsorted(self._roots, node))].copy()
        for action in reversed(path):
            game.apply(action)
        return game

    def uniform(self) -> Policy:
        """Return the policy that takes each legal action with the same chance."""
        counts = np.diff(self.firsts)
        return np.repeat(1.0 / counts, counts)

    def policy(self, choose: Callable[[Game], Mapping[int, float]]) -> Policy:
        """Return a policy as it answers in one position of each information set.

        Args:
            choose: Returns the chance of each action id; ids that it leaves out have none. It should look at what
                ``game.observe(game.seat)`` tells, and at nothing else of the game.

        Raises:
            OptionError: The chances at an information set do not sum up to 1, or an action is not legal.
        """
        return self.policy_of(choose(self.position(number)) for number in range(len(self.seats)))

    def policy_of(self, answers: Iterable[Mapping[int, float]]) -> Policy:
        """Return a policy from the chance of each action id at every information set, in their order.

        Raises:
            OptionError: The chances at an information set do not sum up to 1, or an action is not legal.
        """
        policy = np.zeros(len(self.actions))
        for number, answer in zip(range(len(self.seats)), answers, strict=True):
            pairs = slice(int(self.firsts[number]), int(self.firsts[number + 1]))
            legal = self.actions[pairs].tolist()
            chances = dict(answer)
            policy[pairs] = [float(chances.pop(action, 0.0)) for action in legal]
            if any(chances.values()) or abs(policy[pairs].sum() - 1.0) > 1e-6 or policy[pairs].min() < 0.0:
                raise OptionError(
                    f"chances {policy[pairs].tolist()} of {legal}, and of other actions {chances}, are no policy at "
                    f"{self.position(number).to_text()}"
                )
        return policy

    def values(self, policy: Policy) -> Floats:
        """Return what a policy of all seats is worth, `[S] float64` by seat."""
        values = self._ends.copy()
        pull_values(self._parents, self._slots, self._checked(policy), values)
        own = float(self._chances @ values[self._roots])
        return own * np.array([1.0, -1.0] * (SEATS // 2))

    def best_response(self, policy: Policy, seat: int) -> BestResponse:
        """Return the best that one seat can do while the three others, its partner too, keep to a policy."""
        policy = self._checked(policy)
        reach = np.zeros(self.size)
        reach[self._roots] = self._chances
        push_reach(self._parents, self._slots, self._node_seats, policy, seat, reach)
        values = self._ends * (1.0 if seat % 2 == 0 else -1.0)
        worth = np.zeros(len(policy))
        best = np.zeros(len(self.seats), np.int64)
        for depth in range(len(self._levels) - 1, 0, -1):
            pull_best(
                self._levels[depth],
                self._levels[depth - 1],
                self._parents,
                self._slots,
                self._node_seats,
                self._sets,
                self.firsts,
                seat,
                policy,
                reach,
                worth,
                best,
                values,
            )
        answer = policy.copy()
        own = np.flatnonzero(self.seats == seat)
        for number in own:
            answer[self.firsts[number] : self.firsts[number + 1]] = 0.0
        answer[best[own]] = 1.0
        return BestResponse(float(self._chances @ values[self._roots]), answer)

    def gaps(self, policy: Policy) -> Floats:
        """Return by how much each seat could do better on its own, `[S] float64`; 0 for all in an equilibrium."""
        values = self.values(policy)
        return np.array([self.best_response(policy, seat).value - values[seat] for seat in range(SEATS)])

    def nash_conv(self, policy: Policy) -> float:
        """Return the sum of the gaps of all seats: 0 in an equilibrium, else how far a policy is from one."""
        return float(self.gaps(policy).sum())

    def _checked(self, policy: Policy) -> Policy:
        """Return a policy as float64.

        Raises:
            OptionError: It has not one chance for each pair of an information set and an action.
        """
        policy = np.asarray(policy, np.float64)
        if policy.shape != self.actions.shape:
            raise OptionError(f"a policy of this tree has the shape {self.actions.shape}, not {policy.shape}")
        return policy


def _check_chances(count: int, chances: Sequence[float] | None) -> Floats:
    """Return how likely each position is.

    Raises:
        OptionError: There is none, or the chances do not fit.
    """
    if count == 0:
        raise OptionError("a game tree asks for at least one position")
    if chances is None:
        return np.full(count, 1.0 / count)
    array = np.asarray(chances, np.float64)
    if array.shape != (count,) or array.min() < 0.0 or abs(array.sum() - 1.0) > 1e-9:
        raise OptionError(f"chances are {count} numbers that sum up to 1, one for each position, not {chances!r}")
    return array


def _lay_out_all(games: Sequence[Game], most: int) -> tuple[Rows, Row]:
    """Return the nodes of all games, and the root of each.

    Raises:
        OptionError: There are more than `most`.
    """
    rows = np.zeros((DEPTH, N_COLUMNS), np.int64)
    left = np.zeros(DEPTH, np.int64)
    counts: list[int] = []
    for game in games:
        rows[0] = game.row
        counts.append(int(count_positions(rows, left, most - sum(counts))))
        if sum(counts) > most:
            raise OptionError(
                f"deal {len(counts)} of {len(games)} leads to more than {most} positions in all: take fewer deals, a "
                f"shorter pack or auction='one_round', or raise `most` ({game.to_text()})"
            )
    nodes = np.zeros((sum(counts), NODE_COLUMNS), np.int64)
    roots = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    path = np.zeros((DEPTH, 2), np.int64)
    words = np.zeros(OBSERVATION_WORDS, np.int64)
    for game, start in zip(games, roots, strict=True):
        rows[0] = game.row
        lay_out(rows, left, path, words.view(np.int8), words, nodes, int(start))
    return nodes, roots


def all_deals(rules: Rules | str | Mapping[str, Any], dealer: int = 3) -> list[Game]:
    """Return every deal of a pack with one dealer, equally likely: 120 of five cards, 22,680 of nine.

    Raises:
        OptionError: The pack is too large for all of its deals to be listed, or `dealer` is no seat.
        RulesError: The rules are unknown.
    """
    rules = as_rules(rules)
    hand = int(rules.row[RULE_HAND])
    if hand > 2:
        raise OptionError(f"the deals of the pack {rules.pack} are too many to be listed; pack 5 or 9, or some deals")
    cards = [card for card in range(64) if int(rules.row[RULE_CARDS]) >> card & 1]
    deals: list[list[int]] = [[]]
    for _ in range(SEATS):
        deals = [
            [*dealt, sum(1 << card for card in chosen)]
            for dealt in deals
            for chosen in combinations([card for card in cards if not sum(dealt) >> card & 1], hand)
        ]
    pack = int(rules.row[RULE_CARDS])
    texts = [" ".join(map(format_hand, [*dealt, pack & ~sum(dealt)])) for dealt in deals]
    return [Game.from_deal(text, dealer=dealer, rules=rules, seed=0) for text in texts]

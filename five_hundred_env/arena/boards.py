"""Play many tables together: rows stepped by the compiled rules, agents asked in batches.

A board is one deal, dealer and scores, played at two tables with the pairs exchanged. A mirrored game is a game played
at two tables on the same stream of deals, again with the pairs exchanged. Everything at a table follows from the
match's seed, the number of the board (or game) and what the agents answer: the deal from the seed and the number, the
keys of a decision from the seed, the number, the deal and the decision in it, alike at both tables. Batches and workers
therefore change nothing. Decisions that have one legal action are taken without asking.

A deal has three parts that different agents may play: the auction, the kitty (discards and nomination), the play.

Not here: who plays whom (`match`), what the outcomes mean (`statistics`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from five_hundred_env.core import engine
from five_hundred_env.core._jit import kernel, nth_bit, popcount
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, DISCARD, NOMINATE, OVER
from five_hundred_env.core.observe import MASK_WORDS, OBSERVATION_WORDS, Bytes, write_mask, write_observation
from five_hundred_env.core.philox import STREAM_TABLE, below, decision_key, seed_words, table_seed
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.scoring import side_tricks
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    DEAL_NUMBER,
    DISCARDS,
    MADE,
    N_COLUMNS,
    N_RULES,
    NOMINATED,
    OPENING,
    PHASE,
    POINTS,
    RULE_TARGET,
    SCORES,
    SEAT,
    WINNER,
)

Rows = npt.NDArray[np.int64]

PARTS = ("auction", "kitty", "play")
PART_AUCTION, PART_KITTY, PART_PLAY = range(3)

LIVE, DONE = range(2)

FAULT_WORST, FAULT_BEST = -520, 100
"""Points of a table that an agent loses by misbehaving: what the worst deal there is, a 10NT without a trick, gives."""

MAX_DECISIONS = 256  # more than a deal can have: the deal's number and the decision's share one word of the key


class Outcome(NamedTuple):
    """Where the columns of an outcome row, `[OUTCOME_COLUMNS] int64`, begin."""

    bid: int = 0
    """The contract as a call id, 0 for none."""
    contractor: int = 1
    """Its seat, -1 for none."""
    made: int = 2
    """1, 0, or -1 where there was no contract."""
    tricks: int = 3
    """Two columns: tricks by side."""
    points: int = 5
    """Two columns: points of the (last) deal by side."""
    scores: int = 7
    """Two columns: totals at the end by side."""
    winner: int = 9
    """The side that has won the game, -1."""
    deals: int = 10
    """Deals played."""
    fault: int = 11
    """The seat whose agent misbehaved, -1."""
    discards: int = 12
    """The contractor's discards, a mask."""
    nominated: int = 13
    """Two columns: the nomination of each joker, as in a state row."""


AT = Outcome()
OUTCOME_COLUMNS = 15
_BID, _CONTRACTOR, _MADE, _TRICKS, _POINTS, _SCORES, _WINNER, _DEALS, _FAULT, _DISCARDS, _NOMINATED = AT


class Answers(Protocol):
    """What a room asks: an agent behind the checks of `entrants`."""

    def answer(self, observation: Bytes, mask: Bytes, keys: npt.NDArray[np.uint64]) -> Rows:
        """Return an action for each decision, -1 where the agent failed."""


@dataclass(frozen=True)
class Setting:
    """What all tables of a match share.

    Attributes:
        rules: The rules.
        seed: Signed 64 bits of the match.
        scores: Totals at the start of each board by side, points; None draws them for each board.
        max_deals: 1 for boards; for games the deals after which one is broken off.
    """

    rules: Rules
    seed: int
    scores: tuple[int, int] | None
    max_deals: int


@kernel
def begin_rows(rows: Rows, rules: Row, seed: int, numbers: Row, scores: Row, drawn: bool) -> None:
    """Deal the first deal of each table.

    Args:
        rows: `[T, N_COLUMNS] int64` to be filled.
        rules: `[N_RULES] int64`.
        seed: The match's.
        numbers: `[T] int64` of boards or games.
        scores: `[2] int64` totals by side.
        drawn: Whether the totals are drawn instead.
    """
    for table in range(rows.shape[0]):
        row = rows[table]
        for column in range(N_RULES):
            row[column] = rules[column]
        own = table_seed(seed, int(numbers[table]))
        engine.new_game(row, own)
        words = seed_words(own, 0, 0, STREAM_TABLE)
        tens = int(rules[RULE_TARGET]) // 10
        for side in range(2):
            total = int(scores[side])
            if drawn:
                total = 10 * (below(words[side], 2 * tens - 1) - tens + 1)
            row[OPENING + side] = total
            row[SCORES + side] = total


@kernel
def seek_decision(row: Row, max_deals: int, made: int) -> int:
    """Go on to the next decision that has a choice; return the decisions made in its deal, -1 at the end.

    Args:
        row: A state row.
        max_deals: Deals after which the table ends.
        made: Decisions made in this deal so far.
    """
    while True:
        if int(row[PHASE]) == OVER:
            if int(row[WINNER]) >= 0 or int(row[DEAL_NUMBER]) >= max_deals:
                return -1
            engine.next_deal(row)
            made = 0
        legal = engine.legal_mask(row)
        if popcount(legal) != 1:
            return made
        engine.apply(row, nth_bit(legal, 0) + first_action(int(row[PHASE])))
        made += 1


@kernel
def part_of_phase(phase: int) -> int:
    """Return which part of a deal a phase belongs to."""
    if phase == AUCTION:
        return PART_AUCTION
    return PART_KITTY if phase in (DISCARD, NOMINATE) else PART_PLAY


@kernel
def write_outcome(row: Row, outcome: Row) -> None:
    """Write how a table ended."""
    outcome[_BID] = row[BID]
    outcome[_CONTRACTOR] = row[BIDDER]
    outcome[_MADE] = row[MADE]
    for side in range(2):
        outcome[_TRICKS + side] = side_tricks(row, side)
        outcome[_POINTS + side] = row[POINTS + side]
        outcome[_SCORES + side] = row[SCORES + side]
        outcome[_NOMINATED + side] = row[NOMINATED + side]
    outcome[_WINNER] = row[WINNER]
    outcome[_DEALS] = row[DEAL_NUMBER]
    outcome[_FAULT] = -1
    outcome[_DISCARDS] = row[DISCARDS]


@kernel
def _mover(row: Row, lineup: npt.NDArray[np.int64]) -> int:
    """Return the agent that decides next at a table."""
    return int(lineup[part_of_phase(int(row[PHASE])), int(row[SEAT])])


@kernel
def gather(
    rows: Rows,
    decisions: Row,
    status: Row,
    numbers: Row,
    lineup: npt.NDArray[np.int64],
    control: Row,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    keys: Row,
    tables: Row,
    counts: Rows,
    outcomes: Rows,
) -> int:
    """Bring every live table to its next decision and lay the decisions out, agent by agent; return their number.

    Args:
        rows: `[T, N_COLUMNS] int64`.
        decisions: `[T] int64` decisions made in the current deal.
        status: `[T] int64` LIVE or DONE.
        numbers: `[T] int64` board or game.
        lineup: `[T, 3, S] int64` who plays which part at which seat.
        control: `[2] int64` the match's seed, most deals.
        out: `[T, O] int8` to be filled with the movers' observations.
        words: The same memory as `[T, O / 8] int64`.
        mask_words: `[T, A / 8] int64` masks.
        keys: `[T] int64` random bits.
        tables: `[T] int64` the table of each decision.
        counts: `[2, agents] int64` decisions of each agent, and room to count.
        outcomes: `[T, OUTCOME_COLUMNS] int64`, written where a table ends.
    """
    counts[:] = 0
    total = 0
    for table in range(rows.shape[0]):
        if int(status[table]) == LIVE:
            made = seek_decision(rows[table], int(control[1]), int(decisions[table]))
            if made < 0:
                status[table] = DONE
                write_outcome(rows[table], outcomes[table])
            else:
                decisions[table] = made
                counts[0, _mover(rows[table], lineup[table])] += 1
                total += 1
    place = counts[1]
    for agent in range(1, len(place)):
        place[agent] = place[agent - 1] + counts[0, agent - 1]
    for table in range(rows.shape[0]):
        if int(status[table]) == LIVE:
            row = rows[table]
            agent = _mover(row, lineup[table])
            at = int(place[agent])
            place[agent] += 1
            tables[at] = table
            write_observation(row, int(row[SEAT]), out[at], words[at])
            write_mask(int(row[PHASE]), engine.legal_mask(row), mask_words[at])
            decision = int(row[DEAL_NUMBER]) * MAX_DECISIONS + int(decisions[table])
            keys[at] = decision_key(int(control[0]), int(numbers[table]), decision)
    return total


@kernel
def apply_answers(rows: Rows, decisions: Row, status: Row, tables: Row, actions: Row, outcomes: Rows) -> None:
    """Do the action at each table; where it is illegal the mover's side loses the table.

    Args:
        rows: `[T, N_COLUMNS] int64`.
        decisions: `[T] int64` decisions made in the current deal.
        status: `[T] int64` LIVE or DONE.
        tables: `[D] int64` the table of each decision.
        actions: `[D] int64` any numbers.
        outcomes: `[T, OUTCOME_COLUMNS] int64`.
    """
    for at in range(len(actions)):
        table = int(tables[at])
        row = rows[table]
        if engine.is_legal(row, int(actions[at])):
            engine.apply(row, int(actions[at]))
            decisions[table] += 1
        else:
            forfeit(row, outcomes[table])
            status[table] = DONE


@kernel
def forfeit(row: Row, outcome: Row) -> None:
    """Write the outcome of a table that the mover's side has lost by a fault."""
    write_outcome(row, outcome)
    side = int(row[SEAT]) & 1
    outcome[_FAULT] = row[SEAT]
    outcome[_BID] = 0
    outcome[_CONTRACTOR] = -1
    outcome[_MADE] = -1
    outcome[_POINTS + side] = FAULT_WORST
    outcome[_POINTS + 1 - side] = FAULT_BEST
    outcome[_WINNER] = 1 - side


class Room:
    """Some tables in play together.

    Args:
        setting: What the tables share.
        numbers: `[T]` board or game of each table.
        lineup: `[T, 3, S]` who plays which part at which seat, as a position in the agents.
        agents: How many agents there are.
        rows: `[T, N_COLUMNS]` tables that are in play already; None deals them.
    """

    def __init__(self, setting: Setting, numbers: Rows, lineup: Rows, agents: int, rows: Rows | None = None) -> None:
        count = len(numbers)
        self.rows = np.zeros((count, N_COLUMNS), np.int64) if rows is None else rows
        self.outcomes = np.zeros((count, OUTCOME_COLUMNS), np.int64)
        self._numbers = np.ascontiguousarray(numbers, np.int64)
        self._lineup = np.ascontiguousarray(lineup, np.int64)
        self._decisions = np.zeros(count, np.int64)
        self._status = np.zeros(count, np.int64)
        self._control = np.array((setting.seed, setting.max_deals), np.int64)
        self._words = np.zeros((count, OBSERVATION_WORDS), np.int64)
        self._mask_words = np.zeros((count, MASK_WORDS), np.int64)
        self._observation = self._words.view(np.int8)
        self._mask = self._mask_words.view(np.int8)
        self._keys = np.zeros(count, np.int64)
        self._tables = np.zeros(count, np.int64)
        self._counts = np.zeros((2, agents), np.int64)
        if rows is not None:
            return
        scores = np.array(setting.scores or (0, 0), np.int64)
        begin_rows(self.rows, setting.rules.row, setting.seed, self._numbers, scores, setting.scores is None)

    def step(self, agents: Sequence[Answers]) -> bool:
        """Take one decision at each live table; return whether any was left."""
        total = gather(
            self.rows,
            self._decisions,
            self._status,
            self._numbers,
            self._lineup,
            self._control,
            self._observation,
            self._words,
            self._mask_words,
            self._keys,
            self._tables,
            self._counts,
            self.outcomes,
        )
        if total == 0:
            return False
        actions = np.empty(total, np.int64)
        start = 0
        for agent, count in zip(agents, self._counts[0].tolist(), strict=True):
            stop = start + count
            if count:
                keys = self._keys[start:stop].view(np.uint64)
                actions[start:stop] = agent.answer(self._observation[start:stop], self._mask[start:stop], keys)
            start = stop
        apply_answers(self.rows, self._decisions, self._status, self._tables[:total], actions, self.outcomes)
        return True


def play_tables(setting: Setting, numbers: Rows, lineup: Rows, agents: Sequence[Answers]) -> Rows:
    """Play tables to their end.

    Args:
        setting: What the tables share.
        numbers: `[T]` board or game of each table.
        lineup: `[T, 3, S]` who plays which part at which seat, as a position in `agents`.
        agents: Who is asked.

    Returns:
        `[T, OUTCOME_COLUMNS] int64`.
    """
    room = Room(setting, numbers, lineup, len(agents))
    while room.step(agents):
        pass
    return room.outcomes


def exchange(lineup: Rows) -> Rows:
    """Return a lineup with the pairs exchanged: each seat goes to the one on its left.

    Args:
        lineup: `[…, S]`.
    """
    return np.roll(lineup, 1, axis=-1)

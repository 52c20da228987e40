"""Positions and what search says of them, written to files that imitation learns from.

Agents play; of each decision the observation is kept, the action of a teacher, and, where cards are played, what each
legal action costs with all hands open. The seat that decides does not see those hands: what a network learns from many
such labels is their mean over all that the seat can not know, with the calls and cards so far taken into account. That
is what sampling worlds for each decision comes to, paid once.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from five_hundred_env import Tables
from five_hundred_env.agents.base import Agent
from five_hundred_env.agents.pimc.points import fill_points
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, DISCARD, N_ACTIONS, PASS
from five_hundred_env.core.observe import Bytes, write_view
from five_hundred_env.core.play import tricks_left
from five_hundred_env.core.state import BID, BIDDER, N_COLUMNS, PHASE, RULE_HAND, SEAT
from five_hundred_env.errors import CheckpointError
from five_hundred_env.search import Workspace, make_workspace, solve_row_moves
from five_hundred_env.search.solver import NO_VALUE, Values

Integers = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]

SPREAD = 0.7
"""Standard deviation of the tricks around those of open cards, with ten tricks to be played; as in `pimc`."""
UNSOLVED = -1
TENTHS = 10
"""Costs are whole tenths of a point."""


@dataclass
class Labels:
    """N decisions."""

    observation: Bytes  # [N, O]
    mask: Bytes  # [N, A]
    action: Integers  # [N] what the teacher does
    cost: Shorts  # [N, A] see `label_rows`
    stake: Shorts  # [N] points between the best and the worst outcome of the contract, in tenths; 0 where not solved

    def __len__(self) -> int:
        return len(self.action)


def play_and_label(
    tables: Tables, seats: list[tuple[Agent, Agent]], teacher: Agent, steps: int, wander: tuple[float, float], seed: int
) -> Labels:
    """Play at each of B tables for a while and return all decisions, labelled.

    Args:
        tables: `episode="deal"`, forced decisions skipped.
        seats: Which agents may hold sides 0 and 1; table b has pair b modulo their number.
        teacher: Whose actions are kept.
        steps: Decisions at each table.
        wander: How often a random action is played instead of the agent's: in the auction, and after it.
        seed: Of the agents' keys and of the random actions.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = np.empty((tables.n, steps, N_COLUMNS), np.int64)
    observation = np.empty((tables.n, steps, tables.observation.shape[1]), np.int8)
    mask = np.empty((tables.n, steps, N_ACTIONS), np.int8)
    action = np.empty((tables.n, steps), np.int64)
    pair = np.arange(tables.n) % len(seats)
    for t in range(steps):
        rows[:, t], observation[:, t], mask[:, t] = tables.rows, tables.observation, tables.mask
        keys = generator.integers(0, 2**64, tables.n, np.uint64)
        action[:, t] = teacher.act(tables.observation, tables.mask, keys)
        played = action[:, t].copy()
        for n, sides in enumerate(seats):
            for side, agent in enumerate(sides):
                theirs = np.flatnonzero((pair == n) & (tables.seat % 2 == side))
                if agent is not teacher and len(theirs):
                    played[theirs] = agent.act(tables.observation[theirs], tables.mask[theirs], keys[theirs])
        random = (generator.random(tables.mask.shape) * tables.mask).argmax(axis=1)
        rate = np.where(tables.mask[:, PASS] != 0, *wander)
        tables.step(np.where(generator.random(tables.n) < rate, random, played))
    n = tables.n * steps
    cost, stake = np.empty((n, N_ACTIONS), np.int16), np.empty(n, np.int16)
    label_rows(
        rows.reshape(n, -1),
        cost,
        stake,
        np.zeros(N_COLUMNS, np.int64),
        np.zeros(N_ACTIONS, np.int64),
        np.zeros(16),
        make_workspace(),
    )
    return Labels(observation.reshape(n, -1), mask.reshape(n, -1), action.reshape(n), cost, stake)


@kernel
def label_rows(
    rows: npt.NDArray[np.int64],
    cost: Shorts,
    stake: Shorts,
    view: Row,
    values: Values,
    points: Floats,
    w: Workspace,
) -> None:
    """Write what each action costs the seat to move in each position.

    Args:
        rows: `[N, N_COLUMNS] int64` state rows; those of one deal next to each other are solved the faster.
        cost: `[N, A] int16` the points that each legal action is worth less than the best one, in tenths; `UNSOLVED`
            for actions that are not legal, and for all in the auction and the discard phase.
        stake: `[N] int16` points between the best and the worst outcome, in tenths.
        view: `[N_COLUMNS] int64` to work in.
        values: `[A] int64` to work in.
        points: `[11] float64` or more to work in.
        w: The workspace of the solver.
    """
    for n in range(rows.shape[0]):
        row = rows[n]
        stake[n] = 0
        for a in range(N_ACTIONS):
            cost[n, a] = UNSOLVED
        if int(row[PHASE]) == AUCTION or int(row[PHASE]) == DISCARD:
            continue
        write_view(row, int(row[SEAT]), view)
        side = int(view[BIDDER]) & 1 if int(view[BID]) else 0
        fill_points(view, int(view[BID]), side, 0.0, SPREAD * (tricks_left(view) / 10.0) ** 0.5, points)
        low = high = points[0]
        for tricks in range(1, int(row[RULE_HAND]) + 1):
            low = min(low, points[tricks])
            high = max(high, points[tricks])
        stake[n] = int(TENTHS * (high - low) + 0.5)
        solve_row_moves(row, w, values)
        best = -1.0e9
        for a in range(N_ACTIONS):
            if int(values[a]) != NO_VALUE:
                best = max(best, points[int(values[a])])
        for a in range(N_ACTIONS):
            if int(values[a]) != NO_VALUE:
                cost[n, a] = int(TENTHS * (best - points[int(values[a])]) + 0.5)


def save_labels(labels: Labels, path: Path) -> None:
    """Write a file of labels, whole or not at all."""
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, **{entry.name: getattr(labels, entry.name) for entry in fields(Labels)})
    partial.replace(path)


def load_labels(path: Path) -> Labels:
    """Read what `save_labels` wrote.

    Raises:
        CheckpointError: The file is damaged or foreign.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            return Labels(*(data[entry.name] for entry in fields(Labels)))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: no file of labels, or damaged: {error}") from error

"""Kernels of the vector form of the seat environment: some tables of a batch act while the others wait for learners.

Axes: B tables, K tables that act, O places of an observation. All that is written is a caller's buffer.

Rules: R10.4.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from five_hundred_env.core import engine
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import SEATS
from five_hundred_env.core.drive import TERMINATED, TRUNCATED, Flags, Rows, advance, begin_table, observe_mover
from five_hundred_env.core.observe import Bytes, write_observation
from five_hundred_env.core.philox import decision_key, next_seed
from five_hundred_env.core.state import SEAT, SEED

KEY_OF_ACTIONS, KEY_OF_SEAT = 0, 1
"""Boards of `decision_key`: what the random bits are for."""

# Columns of the small table `[B, N_NOTES] int64` that stands beside the rows.
MOVER, LEARNER, DECISION, GAIN, LAST_LEARNER = range(5)
N_NOTES = 5


@kernel
def seat_of_game(seed: int) -> int:
    """Return the seat that a learner without a seat of its own gets in the game of a seed."""
    return decision_key(seed, KEY_OF_SEAT, 0) & (SEATS - 1)


@kernel
def begin_seats(rows: Rows, notes: Rows, fixed: int, out: Bytes, words: Rows, mask_words: Rows) -> None:
    """Begin an episode at every table whose row is laid out already.

    Args:
        rows: `[B, N_COLUMNS] int64`.
        notes: `[B, N_NOTES] int64` to be filled.
        fixed: The learner's seat, -1 to draw it.
        out: `[B, O] int8` the movers' observations.
        words: The same memory as int64.
        mask_words: `[B, MASK_WORDS] int64` the movers' masks.
    """
    for table in range(rows.shape[0]):
        _seat_learner(rows[table], notes[table], fixed)
        notes[table, GAIN] = 0
        observe_mover(rows[table], out[table], words[table], mask_words[table])
        notes[table, MOVER] = rows[table, SEAT]


@kernel
def _seat_learner(row: Row, notes: Row, fixed: int) -> None:
    """Write the learner's seat at the beginning of an episode."""
    notes[LEARNER] = fixed if fixed >= 0 else seat_of_game(int(row[SEED]))
    notes[DECISION] = 0


@kernel
def decision_keys(rows: Rows, notes: Rows, acting: Row, keys: Row) -> None:
    """Write the random bits of the next decision at some tables.

    Args:
        rows: `[B, N_COLUMNS] int64`.
        notes: `[B, N_NOTES] int64`.
        acting: `[K] int64` tables.
        keys: `[K] int64` to be filled.
    """
    for n in range(acting.shape[0]):
        table = int(acting[n])
        keys[n] = decision_key(int(rows[table, SEED]), KEY_OF_ACTIONS, int(notes[table, DECISION]))


@kernel
def mark_illegal(rows: Rows, acting: Row, actions: Row, wrong: npt.NDArray[np.bool_]) -> int:
    """Mark the illegal ones among the actions `[K] int64` of some tables; return their number."""
    count = 0
    for n in range(acting.shape[0]):
        wrong[n] = not engine.is_legal(rows[int(acting[n])], int(actions[n]))
        count += 1 if wrong[n] else 0
    return count


@kernel
def step_seats(
    rows: Rows,
    notes: Rows,
    acting: Row,
    actions: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    final: Bytes,
    final_words: Rows,
    flags: Flags,
) -> None:
    """Do one legal action at some tables; where it ends an episode, the next one begins.

    Args:
        rows: `[B, N_COLUMNS] int64`.
        notes: `[B, N_NOTES] int64`; the learners' rewards are added to GAIN, thousandths.
        acting: `[K] int64` tables.
        actions: `[K] int64` legal action ids.
        control: `[5] int64` reward kind, episode kind, most deals a game, the learner's seat or -1, reward of a learner
            who acts illegally in thousandths.
        rules: `[1, N_RULES] int64`.
        out: `[B, O] int8` the movers' observations.
        words: The same memory as int64.
        mask_words: `[B, MASK_WORDS] int64` the movers' masks.
        final: `[B, O] int8` at the end of an episode, what the learner may know then.
        final_words: The same memory as int64.
        flags: `[2, B] bool` terminated, truncated; set where an episode ends.
    """
    for n in range(acting.shape[0]):
        table = int(acting[n])
        row = rows[table]
        bits, gain = advance(row, int(actions[n]), int(control[0]), int(control[1]), int(control[2]))
        notes[table, GAIN] += gain if int(notes[table, LEARNER]) & 1 == 0 else -gain
        notes[table, DECISION] += 1
        if bits & (TERMINATED | TRUNCATED):
            flags[0, table] = bits & TERMINATED != 0
            flags[1, table] = bits & TRUNCATED != 0
            _next_episode(row, notes[table], int(control[3]), rules, final[table], final_words[table])
        observe_mover(row, out[table], words[table], mask_words[table])
        notes[table, MOVER] = row[SEAT]


@kernel
def forfeit_seats(
    rows: Rows,
    notes: Rows,
    acting: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    final: Bytes,
    final_words: Rows,
    flags: Flags,
) -> None:
    """End the episodes of some tables because the learner acted illegally; arguments as in `step_seats`."""
    for n in range(acting.shape[0]):
        table = int(acting[n])
        row = rows[table]
        notes[table, GAIN] += control[4]
        flags[0, table] = True
        _next_episode(row, notes[table], int(control[3]), rules, final[table], final_words[table])
        observe_mover(row, out[table], words[table], mask_words[table])
        notes[table, MOVER] = row[SEAT]


@kernel
def _next_episode(row: Row, notes: Row, fixed: int, rules: Rows, final: Bytes, final_words: Row) -> None:
    """Keep what the learner may know at the end, then begin the game that follows."""
    notes[LAST_LEARNER] = notes[LEARNER]
    write_observation(row, int(notes[LEARNER]), final, final_words)
    begin_table(row, rules, next_seed(int(row[SEED])))
    _seat_learner(row, notes, fixed)

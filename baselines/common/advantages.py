"""Generalised advantage estimation where four seats take turns.

Each (table, seat) is a stream of its own: from one decision of the seat to its next. Whatever reward the seat gets in
between, on the moves of others too, belongs to the decision before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class Estimate(NamedTuple):
    """What follows from a rollout for each decision, all `[T, B] float32`."""

    advantage: Floats
    returns: Floats  # the target of the critic: advantage plus value
    reward: Floats  # the seat's own reward until its next decision, the end of the episode or the horizon


def seat_advantages(
    reward: Floats,
    done: npt.NDArray[np.bool_],
    seat: npt.NDArray[np.int64],
    value: Floats,
    last_value: Floats,
    discount: float = 1.0,
    trace: float = 0.95,
) -> Estimate:
    """Estimate advantages of T steps at B tables with S seats.

    Args:
        reward: `[T, B, S]` what each seat got in each step.
        done: `[T, B]` whether an episode ended with the step; a truncated one counts as ended.
        seat: `[T, B]` who decided.
        value: `[T, B]` the critic's value of the position for that seat, before the decision.
        last_value: `[B, S]` its value for each seat after the last step.
        discount: Of the next decision of the same seat, gamma.
        trace: Share of the advantages that come later, lambda.

    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2016.
    """
    steps, tables = seat.shape
    every = np.arange(tables)
    advantage = np.zeros((steps, tables), np.float32)
    own = np.zeros((steps, tables), np.float32)
    gathered = np.zeros_like(last_value)
    next_value = last_value.astype(np.float32)
    next_advantage = np.zeros_like(next_value)
    for t in range(steps - 1, -1, -1):
        over = done[t]
        for later in (gathered, next_value, next_advantage):
            later[over] = 0
        gathered += reward[t]
        mover = seat[t]
        own[t] = gathered[every, mover]
        surprise = own[t] + discount * next_value[every, mover] - value[t]
        advantage[t] = surprise + discount * trace * next_advantage[every, mover]
        gathered[every, mover] = 0
        next_value[every, mover] = value[t]
        next_advantage[every, mover] = advantage[t]
    return Estimate(advantage, advantage + value, own)

"""What an agent is, and how a compiled one reads its observations.

A built-in agent is a kernel `decide(view, legal, key) -> action` of a view row (`core.observe`), the legal actions as
bits from `core.actions.first_action` of its phase, and 64 random bits. `KernelAgent` plays it over batches of bytes;
compiled rollouts call the kernel itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import kernel, nth_bit, popcount
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import (
    AUCTION,
    CALLS,
    CARDS,
    DISCARD,
    N_ACTIONS,
    NOOP,
    OVER,
    PLAY,
    SUITS,
)
from five_hundred_env.core.observe import OBSERVATION_SIZE, Bytes, read_observation
from five_hundred_env.core.philox import WORD
from five_hundred_env.core.state import N_COLUMNS, PHASE
from five_hundred_env.errors import OptionError

Keys = npt.NDArray[np.uint64]
Actions = npt.NDArray[np.int64]
Decide = Callable[[Row, int, int], int]
Batch = Callable[[Bytes, Bytes, Row, Row, Row], None]


@runtime_checkable
class Agent(Protocol):
    """Whatever chooses actions, many decisions at a time.

    Attributes:
        name: How tables and reports call it.
    """

    name: str

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each of B decisions.

        Args:
            observation: `[B, O] int8`, each of the seat to move.
            mask: `[B, A] int8`, its legal actions.
            keys: `[B] uint64`, the random bits of each decision. The answer to a decision depends on its own
                observation, mask and key alone, so that results depend neither on batching nor on order.

        Returns:
            `[B] int64` action ids.
        """


@kernel
def read_position(observation: Bytes, mask: Bytes, view: Row) -> int:
    """Read one observation into a view row; return its legal actions as bits from `first_action(phase)`.

    Args:
        observation: `[O] int8`.
        mask: `[A] int8`.
        view: `[N_COLUMNS] int64` to be filled.
    """
    read_observation(observation, view)
    phase = int(view[PHASE])
    if phase == OVER:
        return 0
    start = first_action(phase)
    count = CALLS if phase == AUCTION else CARDS if phase in (DISCARD, PLAY) else SUITS + 1
    legal = 0
    for n in range(count):
        legal |= (1 if mask[start + n] else 0) << n
    return legal


@kernel
def draw(key: int, bound: int) -> int:
    """Return a number from 0 to `bound` - 1, uniform but for a bias below 2**-57, out of 64 random bits."""
    low = (key & WORD) * bound >> 32
    return ((key >> 32 & WORD) * bound + low) >> 32


@kernel
def draw_action(view: Row, legal: int, key: int) -> int:
    """Return a legal action, each as likely as the others; `--` when there is none."""
    if legal == 0:
        return NOOP
    return first_action(int(view[PHASE])) + nth_bit(legal, draw(key, popcount(legal)))


class KernelAgent:
    """A built-in agent: a compiled function of observation, mask and key.

    Attributes:
        name: Its name in the registry.
        version: Raised whenever its decisions change.
        decide: The kernel `decide(view, legal, key) -> action` that compiled rollouts call.
    """

    def __init__(self, name: str, decide: Decide, batch: Batch, version: int = 1) -> None:
        """Make an agent.

        Args:
            name: Its name in the registry.
            decide: Kernel that makes one decision.
            batch: Kernel that fills the actions: `(observation, mask, keys as int64, a view row to work in, actions)`.
            version: Version of its decisions.
        """
        self.name = name
        self.version = version
        self.decide = decide
        self._batch = batch

    def __repr__(self) -> str:
        return f"<agent {self.name} version {self.version}>"

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision; a row without a legal action gets `--`.

        Raises:
            OptionError: The arrays do not fit each other or this environment.
        """
        observation, mask = check_batch(observation, mask, len(keys))
        actions = np.empty(len(observation), np.int64)
        view = np.zeros(N_COLUMNS, np.int64)
        self._batch(observation, mask, np.array(keys, np.uint64).view(np.int64), view, actions)
        return actions


def check_batch(observation: Bytes, mask: Bytes, count: int) -> tuple[Bytes, Bytes]:
    """Return observations and masks as contiguous arrays that kernels take without a second compilation.

    Raises:
        OptionError: They are not `[count, O]` and `[count, A]`.
    """
    observation = np.require(observation, np.int8, ["C", "W"])
    mask = np.require(mask, np.int8, ["C", "W"])
    if observation.shape != (count, OBSERVATION_SIZE) or mask.shape != (count, N_ACTIONS):
        raise OptionError(
            f"an agent takes observations [B, {OBSERVATION_SIZE}], masks [B, {N_ACTIONS}] and keys [B], "
            f"not {list(observation.shape)}, {list(mask.shape)} and [{count}]"
        )
    return observation, mask

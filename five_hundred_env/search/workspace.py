"""The memory of a search: one array of integers that the caller owns, and where everything lies in it.

The solver allocates nothing. A workspace is `[W] int64`: the position, a stack of frames (one for each card of
the line being tried) and a transposition table. A thread needs a workspace of its own; a workspace may be used for
any number of positions one after the other, of any rules.

A *place* is the number of a card in the solver: `16 * lane + rank`, rank 0 for the highest card of the lane that is
still in play. Lanes are the effective suits; the trump suit is always lane 0, without trumps lanes are the suits.
A lane has no gaps: when a trick is complete its cards are taken out and lower ones move up, so that positions which
differ only in cards already played are equal. A suitless joker has a place above the cards of lane 0.
"""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt

from five_hundred_env.core.state import N_COLUMNS
from five_hundred_env.errors import OptionError

Workspace = npt.NDArray[np.int64]

LANES = 4
LANE_BITS = 16
LANE_START = 48
"""Bits of a place that say where its lane starts."""
LANE = 0x3FFF
"""The 14 places of lane 0: the trump suit of the largest pack has 14 cards."""
SUITED = 0x3FFF_3FFF_3FFF_3FFF
ONES = 0x0001_0001_0001_0001
GUARDS = 0x4000_4000_4000_4000
JK_PLACE, J2_PLACE = 14, 15
LOOSE = 3 << JK_PLACE
"""The places of the suitless jokers."""

# The position.
HANDS = 0  # 4: the cards of each seat, a mask of places
RELEVANT = 4  # what the last verdict depends on, see `window`
NODES = 5  # positions visited since the workspace was made
TRUMPS = 6  # LANE in a suit contract, 0 otherwise
MAXIMISERS = 7  # the seats that want many tricks counted, a mask
COUNTED = 8  # the seats whose tricks are counted, a mask
IDLE = 9  # the seat that takes no part, -1
LAST = 10  # index of the last card of a trick: 3, or 2 in a misère
MISERE = 11  # 1 in a misère
OPTION = 12  # code of `joker_no_trumps`
SALT = 13  # what tells positions of different games apart in the table
TAKEN_SO_FAR = 14  # tricks counted before the position
ROOT_LEFT = 15  # tricks not complete at the position
MASTER = 17  # the place of a nominated JK while J2 is suitless, which J2 can not beat; -1 otherwise
GENERATION = 16  # entries of the table made under another number are dead
KILLERS = 32  # 48: by frame, the card that last decided there
PLACES = 80  # 46: the place of each card, -1 for a card that is not in play

MASTER_OUT = 1 << 20
"""Bit of a STORY: the card of MASTER has been played."""

# A frame.
FRAMES = 128
FRAME = 44
(
    SEAT,
    INDEX,
    LEFT,
    NEED,
    LED,
    WINNER,
    BEST,
    TRICK,
    STORY,
    ANSWER,
    COUNT,
    TRIED,
    HAND,
    KEY,
    BUCKET,
    HINT,
    REMOVED,
    SAVED,
) = range(18)
"""Seat to play; cards in the trick; tricks left, the running one included; tricks needed; lane led, -1; seat and place
that stand highest in the trick; its cards, a mask; suits led and voids, for suitless jokers; relevance gathered so
far; moves; moves tried; the hand before the move; key, bucket and likely move in the table; cards taken out behind the
move; and the four hands before them."""
MOVES = SAVED + LANES
MAX_FRAMES = 42

SCRATCH = FRAMES + MAX_FRAMES * FRAME  # three state rows, for choices before the play
TABLE = (SCRATCH + 3 * N_COLUMNS + 15) // 16 * 16

# A bucket of the table: key, entries written, the move that last decided (plus one, 0 for none), and the entries.
WAYS = 32
ENTRY = 4
BUCKET_HEAD = 4
BUCKET_SIZE = BUCKET_HEAD + WAYS * ENTRY

DEFAULT_BITS = 12
MIN_BITS, MAX_BITS = 4, 20


def make_workspace(bits: int = DEFAULT_BITS) -> Workspace:
    """Return an empty workspace.

    Args:
        bits: The table has `2**bits` buckets of 1056 bytes; the default 12 takes 4 MiB.

    Raises:
        OptionError: `bits` is not from 4 to 20.
    """
    if not isinstance(bits, int) or not MIN_BITS <= bits <= MAX_BITS:
        raise OptionError(f"a workspace has bits from {MIN_BITS} to {MAX_BITS}, not {bits!r}")
    return np.zeros(TABLE + (BUCKET_SIZE << bits), np.int64)


_LOCAL = threading.local()


def own_workspace() -> Workspace:
    """Return the workspace of the calling thread, made when it is first asked for."""
    if not hasattr(_LOCAL, "workspace"):
        _LOCAL.workspace = make_workspace()
    workspace: Workspace = _LOCAL.workspace
    return workspace

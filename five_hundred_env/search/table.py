"""The transposition table: verdicts by what they depend on.

Positions that agree in the length of every lane in every hand and in who leads share a bucket. An entry holds who owns
which of the highest cards of each lane, as far down as its verdict rests on them, and bounds on the tricks counted.

Source: Ginsberg, "GIB: Imperfect information in a computationally challenging game", JAIR 14, 2001 (partition search);
the table of Bo Haglund's DDS.
"""

from __future__ import annotations

from five_hundred_env.core._jit import kernel
from five_hundred_env.core.rules import JOKER_FREE, JOKER_LAST_TRICK_LEAD, JOKER_NOT_SHOWN_VOID
from five_hundred_env.search.lanes import down_to, lengths
from five_hundred_env.search.moves import master_place
from five_hundred_env.search.workspace import (
    BUCKET,
    BUCKET_HEAD,
    BUCKET_SIZE,
    ENTRY,
    GENERATION,
    HANDS,
    HINT,
    KEY,
    LANES,
    LEFT,
    LOOSE,
    NEED,
    OPTION,
    RELEVANT,
    SALT,
    SEAT,
    STORY,
    SUITED,
    TABLE,
    WAYS,
    Workspace,
)

_KEY = (1 << 62) - 1
_ODD_0, _ODD_1, _ODD_2 = 0x1E37_79B9_7F4A_7C15, 0x2545_F491_4F6C_DD1D, 0x16E8_FEB8_6659_FD93


@kernel
def _joker_state(w: Workspace, frame: int) -> int:
    """Return who holds which suitless joker and what it may still do, as one number; 0 without such a joker."""
    state = 0
    voids = 0
    for seat in range(4):
        loose = int(w[HANDS + seat]) & LOOSE
        if loose:
            state |= loose >> 14 << (2 * seat)
            voids |= 15 << (LANES + LANES * seat)
    if state == 0:
        return 0
    option = int(w[OPTION])
    master = master_place(w, int(w[frame + STORY]))
    if master >= 0:
        for seat in range(4):
            if int(w[HANDS + seat]) >> master & 1:
                state |= (seat + 1) << 28
    story = int(w[frame + STORY])
    if option == JOKER_NOT_SHOWN_VOID:
        story &= voids
    elif option == JOKER_FREE:
        story = 0
    else:
        story &= 0 if option == JOKER_LAST_TRICK_LEAD else 15
    return state | story << 8 | option << 32


@kernel
def probe(w: Workspace, frame: int) -> int:
    """Look a position up; return the verdict, -1 when there is none. Leaves KEY and BUCKET in the frame."""
    h0 = int(w[HANDS])
    h1 = int(w[HANDS + 1])
    h2 = int(w[HANDS + 2])
    h3 = int(w[HANDS + 3])
    shape = lengths(h0 & SUITED) | lengths(h1 & SUITED) << 4 | lengths(h2 & SUITED) << 8
    salt = int(w[SALT]) + int(w[frame + SEAT])
    if (h0 | h1 | h2 | h3) & LOOSE:
        salt += _joker_state(w, frame) << 8
    key = (shape * _ODD_0 + lengths(h3 & SUITED) * _ODD_1 + salt * _ODD_2) & _KEY
    key ^= key >> 31
    key = (key + int(w[GENERATION])) & _KEY
    buckets = (w.size - TABLE) // BUCKET_SIZE
    bucket = TABLE + BUCKET_SIZE * ((key * _ODD_1 & _KEY) >> 40 & (buckets - 1))
    w[frame + KEY] = key
    w[frame + BUCKET] = bucket
    w[frame + HINT] = 0
    if int(w[bucket]) != key:
        return -1
    w[frame + HINT] = w[bucket + 2]
    a = (h1 | h3) & SUITED
    b = (h2 | h3) & SUITED
    need = int(w[frame + NEED])
    entry = bucket + BUCKET_HEAD
    for _ in range(min(int(w[bucket + 1]), WAYS)):
        mask = int(w[entry + 2])
        if ((int(w[entry]) ^ a) | (int(w[entry + 1]) ^ b)) & mask == 0:
            bounds = int(w[entry + 3])
            if bounds & 15 >= need:
                w[RELEVANT] = mask
                return 1
            if bounds >> 4 < need:
                w[RELEVANT] = mask
                return 0
        entry += ENTRY
    return -1


@kernel
def store(w: Workspace, frame: int, verdict: int, move: int) -> None:
    """Keep the verdict on a frame; RELEVANT holds the cards that it rests on, `move` decided it or is -1."""
    key = int(w[frame + KEY])
    bucket = int(w[frame + BUCKET])
    if int(w[bucket]) != key:
        w[bucket] = key
        w[bucket + 1] = 0
        w[bucket + 2] = 0
    n = int(w[bucket + 1])
    w[bucket + 1] = n + 1
    entry = bucket + BUCKET_HEAD + ENTRY * (n % WAYS)
    present = int(w[HANDS]) | int(w[HANDS + 1]) | int(w[HANDS + 2]) | int(w[HANDS + 3])
    need = int(w[frame + NEED])
    w[entry] = (int(w[HANDS + 1]) | int(w[HANDS + 3])) & SUITED
    w[entry + 1] = (int(w[HANDS + 2]) | int(w[HANDS + 3])) & SUITED
    w[entry + 2] = down_to(int(w[RELEVANT]) & SUITED) & present
    if move >= 0:
        w[bucket + 2] = move + 1
    if verdict:
        w[entry + 3] = need | int(w[frame + LEFT]) << 4
    else:
        w[entry + 3] = (need - 1) << 4

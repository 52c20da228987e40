"""Bit tricks on the four lanes of a mask at once, see `workspace` for places and lanes."""

from __future__ import annotations

from five_hundred_env.core._jit import highest, lowest, small_kernel
from five_hundred_env.search.workspace import GUARDS, LANE, LOOSE, ONES, SUITED


@small_kernel
def tops(hand: int, others: int) -> int:
    """Return the cards of a hand that are higher than all cards of `others` in their lane; all of them suited."""
    guarded = others | GUARDS
    return hand & ((guarded ^ (guarded - ONES)) >> 1)


@small_kernel
def down_to(mask: int) -> int:
    """Return, in each lane, every place from the highest down to the lowest card of the mask."""
    mask |= (mask >> 1) & 0x7FFF_7FFF_7FFF_7FFF
    mask |= (mask >> 2) & 0x3FFF_3FFF_3FFF_3FFF
    mask |= (mask >> 4) & 0x0FFF_0FFF_0FFF_0FFF
    mask |= (mask >> 8) & 0x00FF_00FF_00FF_00FF
    return mask


@small_kernel
def lengths(mask: int) -> int:
    """Return the number of cards in each lane, in the 16 bits of the lane."""
    mask = mask - ((mask >> 1) & 0x5555_5555_5555_5555)
    mask = (mask & 0x3333_3333_3333_3333) + ((mask >> 2) & 0x3333_3333_3333_3333)
    mask = (mask + (mask >> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    return (mask + (mask >> 8)) & 0x001F_001F_001F_001F


@small_kernel
def below(place: int) -> int:
    """Return the places of the same lane that are lower than a place."""
    return (LANE << (place & 48)) & -(2 << place)


@small_kernel
def close_gaps(mask: int, removed: int) -> int:
    """Return a mask without some suited places, the lower cards of their lanes moved up.

    The removed cards must not be in the mask.
    """
    while removed:
        place = highest(removed)
        removed ^= 1 << place
        mask -= (mask & below(place)) >> 1
    return mask


@small_kernel
def open_gaps(mask: int, removed: int) -> int:
    """Return a mask as it stood before some suited places were taken out; they are not in it."""
    while removed:
        place = lowest(removed)
        removed &= removed - 1
        mask += mask & (below(place) | 1 << place)
    return mask


@small_kernel
def heads(hand: int) -> int:
    """Return one card of each run of neighbours in a hand: its highest; a joker of a run of jokers."""
    suited = hand & SUITED
    loose = hand & LOOSE
    return (suited & ~(suited << 1)) | (loose & -loose)


@small_kernel
def busy(mask: int) -> int:
    """Return all places of the lanes in which a mask has a suited card."""
    flags = ((mask & SUITED) + SUITED) & GUARDS
    return flags - (flags >> 14)

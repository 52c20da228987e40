"""Between the auction and the first lead: the kitty, the discards, the nomination.

Reads and writes HAND, DISCARDS, DISCARDS_LEFT, NOMINATED. Not here: what a nominated joker may do is in `play`.

Rules: R4.1, R4.2, R4.3, R5.1, R5.3, R5.4, O.joker_no_trumps.*, O.pack.46.
"""

from __future__ import annotations

from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import J2, JK, NO_TRUMPS, NOT_NOMINATED, SUITS
from five_hundred_env.core.rules import JOKER_LAST_TRICK_LEAD, JOKER_NOMINATE
from five_hundred_env.core.state import (
    BIDDER,
    DISCARDS,
    DISCARDS_LEFT,
    HAND,
    KITTY,
    NOMINATED,
    RULE_CARDS,
    RULE_JOKER,
    RULE_KITTY,
    SEAT,
    STRAIN,
)


@kernel
def take_kitty(row: Row) -> None:
    """Give the kitty to the contractor, who has the turn.

    Rules: R4.1.
    """
    contractor = int(row[BIDDER])
    row[HAND + contractor] |= int(row[KITTY])
    row[DISCARDS_LEFT] = int(row[RULE_KITTY])
    row[SEAT] = contractor


@kernel
def legal_discards(row: Row) -> int:
    """Return the cards that may be discarded, a mask.

    Rules: R4.1.
    """
    return int(row[HAND + int(row[SEAT])])


@kernel
def apply_discard(row: Row, card: int) -> bool:
    """Discard a card; return True when it was the last one.

    Rules: R4.2.
    """
    row[HAND + int(row[SEAT])] ^= 1 << card
    row[DISCARDS] |= 1 << card
    row[DISCARDS_LEFT] -= 1
    return int(row[DISCARDS_LEFT]) == 0


@kernel
def has_nomination(row: Row) -> bool:
    """Tell whether this contract has a nominate step.

    Rules: R5.1, R5.4, O.joker_no_trumps.*.
    """
    joker = int(row[RULE_JOKER])
    return int(row[STRAIN]) == NO_TRUMPS and (joker == JOKER_NOMINATE or joker == JOKER_LAST_TRICK_LEAD)


@kernel
def next_joker(row: Row) -> int:
    """Return the joker whose nomination comes next: 0 for JK, 1 for J2, -1 when none is left.

    Rules: O.pack.46.
    """
    if int(row[NOMINATED]) == NOT_NOMINATED:
        return 0
    if int(row[RULE_CARDS]) >> J2 & 1 and int(row[NOMINATED + 1]) == NOT_NOMINATED:
        return 1
    return -1


@kernel
def legal_nominations(row: Row) -> int:
    """Return the legal nominations: bits 0-3 for the suits, bit 4 for none.

    Rules: R5.1, R5.4.
    """
    holds = int(row[HAND + int(row[SEAT])]) >> (JK + next_joker(row)) & 1
    return (2 << SUITS) - 1 if holds else 1 << SUITS


@kernel
def apply_nomination(row: Row, choice: int) -> bool:
    """Nominate a suit, or decline with 4; return True when no further joker is to be nominated.

    Rules: R5.1, R5.4, O.pack.46.
    """
    row[NOMINATED + next_joker(row)] = choice
    return next_joker(row) < 0

"""From a state row to the places of the solver.

Reads the play columns of a row; writes the position part and frame 0 of a workspace.

Rules: R1.2, R1.3, R1.4, R5.2, R5.3, R8.2, O.pack.*.
"""

from __future__ import annotations

import numpy as np

from five_hundred_env.core._jit import kernel
from five_hundred_env.core.cards import EFFECTIVE, LOW_FOUR, POWER, Row
from five_hundred_env.core.constants import CARDS, J2, JK, MIS, NO_TRUMPS, SEATS, STRAINS, SUITS
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    HAND,
    LEADER,
    LED,
    NOMINATED,
    RULE_HAND,
    RULE_JOKER,
    RULE_PACK,
    SEAT,
    STRAIN,
    SUITS_LED,
    TAKEN,
    TRICK,
    TRICK_CARDS,
    TRICK_NUMBER,
    VOIDS,
)
from five_hundred_env.search import workspace as space
from five_hundred_env.search.moves import beats
from five_hundred_env.search.workspace import FRAMES, J2_PLACE, JK_PLACE, LANE, LANE_BITS, LANES, Workspace

ALL_SEATS = (1 << SEATS) - 1
SIDE_0 = 5
_MOST = 15


def _rank_order() -> Row:
    """Return `[2, strain, lane, 15]`: the cards of each lane from the highest, -1 behind the last.

    Lane 0 is the trump suit; without trumps lanes are suits, and the jokers stand in none.
    """
    order = np.full((2, STRAINS, LANES, _MOST), -1, np.int64)
    for low in range(2):
        for strain in range(STRAINS):
            for lane in range(LANES):
                suit = lane_suit(strain, lane)
                cards = [c for c in range(CARDS) if EFFECTIVE[low, strain, c] == suit]
                cards.sort(key=lambda c: -int(POWER[low, strain, c]))
                order[low, strain, lane, : len(cards)] = cards
    return order


def lane_suit(strain: int, lane: int) -> int:
    """Return the suit of a lane; `suit_lane` goes the other way."""
    if strain == NO_TRUMPS:
        return lane
    if lane == 0:
        return strain
    return lane - 1 if lane <= strain else lane


ORDER = _rank_order()


@kernel
def suit_lane(strain: int, suit: int) -> int:
    """Return the lane of a suit."""
    if strain == NO_TRUMPS or suit > strain:
        return suit
    return 0 if suit == strain else suit + 1


@kernel
def load(row: Row, w: Workspace) -> None:
    """Write the position of a row into a workspace; the row is in the play, with a card to be played."""
    strain = int(row[STRAIN])
    misere = int(row[BID]) >= MIS
    contractor = int(row[BIDDER])
    w[space.TRUMPS] = LANE if strain != NO_TRUMPS else 0
    w[space.MISERE] = 1 if misere else 0
    w[space.OPTION] = row[RULE_JOKER]
    w[space.IDLE] = contractor ^ 2 if misere else -1
    w[space.LAST] = SEATS - 2 if misere else SEATS - 1
    w[space.COUNTED] = 1 << contractor if misere else SIDE_0
    w[space.MAXIMISERS] = ALL_SEATS & ~(5 << (contractor & 1)) if misere else SIDE_0
    salt = 4 if strain != NO_TRUMPS else 0
    if misere:
        salt = 8 + 16 * contractor
    w[space.SALT] = salt
    w[space.TAKEN_SO_FAR] = int(row[TAKEN + contractor]) if misere else int(row[TAKEN]) + int(row[TAKEN + 2])
    w[space.ROOT_LEFT] = int(row[RULE_HAND]) - int(row[TRICK_NUMBER])
    _place_cards(row, w)
    _load_trick(row, w, strain)


@kernel
def _place_cards(row: Row, w: Workspace) -> None:
    """Give every card in play its place, lane by lane, and write the hands."""
    strain = int(row[STRAIN])
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    table = 0
    for seat in range(SEATS):
        w[space.HANDS + seat] = 0
        if int(row[TRICK + seat]) >= 0:
            table |= 1 << int(row[TRICK + seat])
    for card in range(CARDS):
        w[space.PLACES + card] = -1
    if strain == NO_TRUMPS:
        for joker in range(2):
            if not 0 <= int(row[NOMINATED + joker]) < SUITS:
                _put(row, w, table, JK + joker, JK_PLACE if joker == 0 else J2_PLACE)
    for lane in range(LANES):
        place = LANE_BITS * lane
        if strain == NO_TRUMPS:
            for joker in range(2):
                if int(row[NOMINATED + joker]) == lane:
                    place += _put(row, w, table, JK + joker, place)
        for i in range(_MOST):
            card = int(ORDER[low, strain, lane, i])
            if card >= 0:
                place += _put(row, w, table, card, place)
    _find_master(row, w, strain)


@kernel
def _find_master(row: Row, w: Workspace, strain: int) -> None:
    """Note the place of a nominated JK if a suitless J2 is in play, too."""
    w[space.MASTER] = -1
    if strain != NO_TRUMPS or int(w[space.PLACES + JK]) < 0 or int(w[space.PLACES + J2]) != J2_PLACE:
        return
    if 0 <= int(row[NOMINATED]) < SUITS:
        w[space.MASTER] = w[space.PLACES + JK]


@kernel
def _put(row: Row, w: Workspace, table: int, card: int, place: int) -> int:
    """Give a card its place if it is in play; return 1 if it is."""
    idle = int(w[space.IDLE])
    for seat in range(SEATS):
        if seat != idle and int(row[HAND + seat]) >> card & 1:
            w[space.HANDS + seat] |= 1 << place
            w[space.PLACES + card] = place
            return 1
    if table >> card & 1:
        w[space.PLACES + card] = place
        return 1
    return 0


@kernel
def _load_trick(row: Row, w: Workspace, strain: int) -> None:
    """Write the running trick into frame 0."""
    w[FRAMES + space.SEAT] = row[SEAT]
    w[FRAMES + space.INDEX] = row[TRICK_CARDS]
    w[FRAMES + space.LEFT] = w[space.ROOT_LEFT]
    w[FRAMES + space.STORY] = int(row[SUITS_LED]) | int(row[VOIDS]) << LANES
    w[FRAMES + space.TRICK] = 0
    w[FRAMES + space.BEST] = -1
    w[FRAMES + space.WINNER] = -1
    w[FRAMES + space.LED] = -1
    if int(row[TRICK_CARDS]) == 0:
        return
    led = suit_lane(strain, int(row[LED]))
    w[FRAMES + space.LED] = led
    seat = int(row[LEADER])
    for _ in range(SEATS):
        card = int(row[TRICK + seat])
        if card >= 0:
            place = int(w[space.PLACES + card])
            w[FRAMES + space.TRICK] |= 1 << place
            best = int(w[FRAMES + space.BEST])
            if beats(place, best, int(w[space.TRUMPS]), led, int(w[space.MASTER])):
                w[FRAMES + space.BEST] = place
                w[FRAMES + space.WINNER] = seat
        seat = (seat + 1) & 3

"""The ten tricks: which cards may be played, who takes a trick, what the suitless joker may do.

Reads and writes HAND, the running trick, TAKEN, PLAYED, LED_CARDS, CARD_TRICK, SUITS_LED, VOIDS, NAMED, SEAT.
Not here: when a deal ends is in `scoring`.

Rules: R5.2, R6.1, R6.2, R6.3, R7.1, R7.2, R7.3, R7.4, R7.5, R7.6, R8.2, R8.3, O.joker_no_trumps.*.
"""

from __future__ import annotations

from five_hundred_env.core._jit import kernel, small_kernel
from five_hundred_env.core.cards import (
    JOKERS,
    Row,
    effective_suit,
    suit_cards,
    suitless_jokers,
    trick_power,
)
from five_hundred_env.core.constants import JK, MIS, OMIS, SEATS, SUITS
from five_hundred_env.core.rules import (
    JOKER_FREE,
    JOKER_LAST_TRICK_LEAD,
    JOKER_NOT_SHOWN_VOID,
    SHOWN_BEFORE_FIRST_LEAD,
)
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    CARD_TRICK,
    HAND,
    LEADER,
    LED,
    LED_CARDS,
    NAMED,
    PLAYED,
    RULE_HAND,
    RULE_JOKER,
    RULE_OPEN_MISERE_SHOWN,
    RULE_SEATS,
    SEAT,
    SUITS_LED,
    TAKEN,
    TRICK,
    TRICK_CARDS,
    TRICK_NUMBER,
    VOIDS,
)

ALL_SUITS = (1 << SUITS) - 1


@small_kernel
def is_misere(row: Row) -> bool:
    """Tell whether the contract promises to take no trick.

    Rules: R8.1.
    """
    return int(row[BID]) >= MIS


@small_kernel
def idle_seat(row: Row) -> int:
    """Return the seat that takes no part in the play, -1 when all do.

    Rules: R8.2.
    """
    return (int(row[BIDDER]) + 2) & 3 if is_misere(row) else -1


@small_kernel
def exposed_seat(row: Row) -> int:
    """Return the seat whose hand is public, -1 for none; asked from the first lead on.

    Rules: R8.3, O.open_misere_shown.*.
    """
    if int(row[BID]) != OMIS:
        return -1
    if int(row[TRICK_NUMBER]) > 0 or int(row[RULE_OPEN_MISERE_SHOWN]) == SHOWN_BEFORE_FIRST_LEAD:
        return int(row[BIDDER])
    return -1


@small_kernel
def begin_play(row: Row, leader: int) -> None:
    """Give the first lead to a seat.

    Rules: R6.1.
    """
    row[LEADER] = leader
    row[SEAT] = leader


@small_kernel
def voids_shown(row: Row, seat: int) -> int:
    """Return the suits that a seat has failed to follow in this deal, a mask."""
    return int(row[VOIDS]) >> (SUITS * seat) & ALL_SUITS


@small_kernel
def legal_cards(row: Row) -> int:
    """Return the cards that the seat to move may play, a mask.

    Rules: R6.2, R7.2, R7.3, R7.4, R7.5.
    """
    seat = int(row[SEAT])
    hand = int(row[HAND + seat])
    loose = hand & suitless_jokers(row)
    if int(row[TRICK_CARDS]) == 0:
        return hand if loose == 0 or may_lead_suitless(row) else hand & ~loose
    led = int(row[LED])
    follow = hand & suit_cards(row, led)
    if follow:
        return follow
    if loose == 0:
        return hand
    if int(row[RULE_JOKER]) == JOKER_NOT_SHOWN_VOID and voids_shown(row, seat) >> led & 1 and hand & ~JOKERS:
        return hand & ~loose
    return loose if is_misere(row) else hand


@kernel
def may_lead_suitless(row: Row) -> bool:
    """Tell whether the seat on lead may lead a suitless joker that it holds.

    Rules: R7.4, R7.5, O.joker_no_trumps.last_trick_lead, O.joker_no_trumps.free,
        O.joker_no_trumps.not_shown_void.
    """
    seat = int(row[SEAT])
    if int(row[HAND + seat]) & ~JOKERS == 0:
        return True
    option = int(row[RULE_JOKER])
    if option == JOKER_FREE:
        return True
    if option == JOKER_NOT_SHOWN_VOID:
        return voids_shown(row, seat) != ALL_SUITS
    # A hand of more than jokers holds a card beside the joker: this is not the last trick.
    return option != JOKER_LAST_TRICK_LEAD and int(row[SUITS_LED]) != ALL_SUITS


@kernel
def legal_names(row: Row) -> int:
    """Return the suits that a suitless joker just led may name, a mask.

    Rules: R7.4, R7.5, O.joker_no_trumps.free, O.joker_no_trumps.not_shown_void.
    """
    option = int(row[RULE_JOKER])
    if option == JOKER_FREE:
        return ALL_SUITS
    if option == JOKER_NOT_SHOWN_VOID:
        seat = int(row[SEAT])
        only_jokers = int(row[HAND + seat]) & ~JOKERS == 0
        names = ALL_SUITS & ~voids_shown(row, seat)
        return ALL_SUITS if only_jokers else names
    names = ALL_SUITS & ~int(row[SUITS_LED])
    return names if names else ALL_SUITS


@kernel
def apply_card(row: Row, card: int) -> bool:
    """Play a card; return True when its holder must now name a suit (R7.6).

    Rules: R6.1, R6.2, R7.6.
    """
    seat = int(row[SEAT])
    bit = 1 << card
    row[HAND + seat] ^= bit
    row[PLAYED + seat] |= bit
    row[CARD_TRICK + (card >> 3)] |= (int(row[TRICK_NUMBER]) + 1) << (8 * (card & 7))
    row[TRICK + seat] = card
    row[TRICK_CARDS] += 1
    suit = effective_suit(row, card)
    if int(row[TRICK_CARDS]) == 1:
        row[LED_CARDS] |= bit
        row[LEADER] = seat
        if suit < 0:
            return True
        row[LED] = suit
        row[SUITS_LED] |= 1 << suit
    elif suit != int(row[LED]):
        row[VOIDS] |= 1 << (SUITS * seat + int(row[LED]))
    _pass_turn(row)
    return False


@kernel
def apply_name(row: Row, suit: int) -> None:
    """Name the suit of the suitless joker just led.

    Rules: R7.4, R7.6.
    """
    row[NAMED + int(row[TRICK + int(row[SEAT])]) - JK] = suit
    row[LED] = suit
    row[SUITS_LED] |= 1 << suit
    _pass_turn(row)


@small_kernel
def _pass_turn(row: Row) -> None:
    """Give the turn to the next seat of the trick, or to its winner when it is complete.

    Rules: R6.1, R8.2.
    """
    seats = int(row[RULE_SEATS])
    idle = idle_seat(row)
    if int(row[TRICK_CARDS]) == (seats if idle < 0 else seats - 1):
        _complete_trick(row)
        return
    seat = int(row[SEAT]) + 1
    if seat >= seats:
        seat = 0
    if seat == idle:
        seat = seat + 1 if seat + 1 < seats else 0
    row[SEAT] = seat


@small_kernel
def trick_winner(row: Row) -> int:
    """Return the seat that stands highest in the running trick, which holds at least one card.

    Rules: R6.3, R7.1.
    """
    winner = -1
    best = 0
    for seat in range(SEATS):
        card = int(row[TRICK + seat])
        if card >= 0:
            power = trick_power(row, card)
            if power > best:
                best = power
                winner = seat
    return winner


@small_kernel
def _complete_trick(row: Row) -> None:
    """Give the trick to its winner, who leads next.

    Rules: R6.1, R6.3.
    """
    winner = trick_winner(row)
    row[TAKEN + winner] += 1
    row[TRICK_NUMBER] += 1
    row[TRICK_CARDS] = 0
    row[LED] = -1
    row[LEADER] = winner
    row[SEAT] = winner
    for seat in range(SEATS):
        row[TRICK + seat] = -1


@kernel
def tricks_left(row: Row) -> int:
    """Return how many tricks of the deal are not complete."""
    return int(row[RULE_HAND]) - int(row[TRICK_NUMBER])

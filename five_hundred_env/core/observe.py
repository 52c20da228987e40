"""What a seat may know, as one int8 vector, and back.

`OBSERVATION_FIELDS` is the layout as data: offsets, bounds of the space, documentation and decoder come from it.
Seats are counted from the observing one (0 self, 1 left, 2 partner, 3 right), sides likewise (0 own, 1 other).

The vector has perfect recall of the current deal; it holds nothing but R11.1 and R11.2, so hidden cards can not leak.

A card field has 48 places: the 46 cards in id order, then two that stay 0, so that eight places are written at once.

Rules: R11.1, R11.2, R11.3, R5.4, R8.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import SPREAD, kernel, small_kernel, spread_16, spread_32, spread_48, spread_64
from five_hundred_env.core.actions import CALL_NAMES, bid_strain
from five_hundred_env.core.cards import CARD_NAMES, HAND_SIZES, KITTY_SIZES, PACK_CARDS, PACK_NAMES, Row
from five_hundred_env.core.constants import (
    AUCTION,
    CALLS,
    CARDS,
    DISCARD,
    FIRST_CARD,
    FIRST_NAME,
    N_ACTIONS,
    NO_TRUMPS,
    NOMINATE,
    OVER,
    PHASES,
    PLAY,
    SEATS,
    SIDES,
    SUIT_LETTERS,
    SUITS,
    TRICKS,
)
from five_hundred_env.core.play import exposed_seat
from five_hundred_env.core.rules import (
    BASE,
    DIGITS,
    MOST_PLACES,
    OPTIONS,
    PLACES,
    RULE_COLUMNS,
    option_numbers,
    option_places,
)
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    CARD_TRICK,
    DEAL_NUMBER,
    DEALER,
    DISCARDS,
    DISCARDS_LEFT,
    HAND,
    KITTY,
    LEADER,
    LED,
    LED_CARDS,
    MADE,
    N_COLUMNS,
    NAMED,
    NOMINATED,
    OPENING,
    PASSED,
    PASSES,
    PHASE,
    PLAYED,
    POINTS,
    RULE_CARDS,
    RULE_HAND,
    RULE_KITTY,
    RULE_PACK,
    RULE_PLACES,
    RULE_SEATS,
    RULE_TARGET,
    RULE_WORDS,
    SCORES,
    SEAT,
    SEED,
    STRAIN,
    SUITS_LED,
    TAKEN,
    TRICK,
    TRICK_CARDS,
    TRICK_NUMBER,
    VOIDS,
    WINNER,
)

Bytes = npt.NDArray[np.int8]

CARD_PLACES = 48
CALL_PLACES = 32
CARD_WORDS, CALL_WORDS = CARD_PLACES // 8, CALL_PLACES // 8


class Field(NamedTuple):
    """One named run of the observation: `shape` places, all from `low` to `high`."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """How many places it takes."""
        return int(np.prod(self.shape))

    @property
    def stop(self) -> int:
        """Where the next field starts."""
        return self.start + self.size


OBSERVATION_FIELDS: list[Field] = []


def _field(name: str, shape: tuple[int, ...], high: int, meaning: str, low: int = 0) -> int:
    """Add a field and return where it starts."""
    start = OBSERVATION_FIELDS[-1].stop if OBSERVATION_FIELDS else 0
    OBSERVATION_FIELDS.append(Field(name, start, shape, low, high, meaning))
    return start


_CARD = (CARD_PLACES,)
AT_HAND = _field("hand", _CARD, 1, "cards held")
AT_KITTY = _field("kitty", _CARD, 1, "the kitty; to its contractor only")
AT_DISCARDS = _field("discards", _CARD, 1, "cards put away; to their contractor only")
AT_EXPOSED = _field("exposed", _CARD, 1, "the hand that open misère shows (R8.3)")
AT_PLAYED = _field("played", (SEATS, CARD_PLACES), 1, "cards played, by seat")
AT_TRICK = _field("trick", (SEATS, CARD_PLACES), 1, "the running trick, by seat")
AT_LED = _field("led_cards", _CARD, 1, "cards that were led")
AT_CARD_TRICK = _field("card_trick", _CARD, TRICKS, "trick that a card was played to, from 1")
AT_BIDS = _field("bids", (SEATS, CALL_PLACES), 1, "bids made, by seat; place = call id")
AT_PASSES = _field(
    "passes",
    (SEATS, CALL_PLACES),
    1,
    "seat passed while this was the last bid; place 0: before any bid",
)
AT_BID = _field("bid", (CALL_PLACES,), 1, "last bid; after the auction the contract")
AT_RULES = AT_BID + CALL_PLACES
_SHORT = [  # a value beyond the places of its option sets two of them
    f"{name} = {' + '.join(PACK_NAMES[n] for n in range(PLACES['pack']) if option_places('pack', value) >> n & 1)}"
    for value, name in enumerate(PACK_NAMES)
    if value >= PLACES["pack"]
]
for _name, _values in OPTIONS.items():
    if _name in RULE_COLUMNS:
        _text = " ".join(str(value) for value in _values[: PLACES[_name]])
        _more = f"; a short pack sets two: {', '.join(_SHORT)}" if _name == "pack" else ""
        _field(f"rule_{_name}", (PLACES[_name],), 1, f"option: {_text}{_more}")
_DIGIT_TEXT = "balanced digits to base 128, lowest first: value = d0 + 128 d1 + 16384 d2"
AT_TARGET = _field("rule_target", (DIGITS,), 63, f"target, tens; {_DIGIT_TEXT}", low=-64)
_field("rule_padding", (AT_RULES + 8 * RULE_WORDS - AT_TARGET - DIGITS,), 0, "always 0")
N_WORD_PLACES = AT_RULES + 8 * RULE_WORDS  # up to here fields are written eight places at a time

AT_PHASE = _field("phase", (len(PHASES),), 1, "phase: " + " ".join(PHASES))
AT_SEAT = _field("seat", (SEATS,), 1, "seat to move")
AT_DEALER = _field("dealer", (SEATS,), 1, "dealer")
AT_BIDDER = _field("bidder", (SEATS,), 1, "who made the last bid; after the auction the contractor")
AT_PASSED = _field("passed", (SEATS,), 1, "seats out of the auction (`reenter`: passed since the last bid)")
AT_LEADER = _field("leader", (SEATS,), 1, "who leads the running trick")
AT_LED_SUIT = _field("led_suit", (SUITS,), 1, "suit to be followed, S C D H")
AT_SUITS_LED = _field("suits_led", (SUITS,), 1, "suits led or named so far")
AT_NOMINATED = _field("nominated", (2, SUITS + 1), 1, "nomination of JK, J2: S C D H, declined")
AT_NAMED = _field("named", (2, SUITS), 1, "suit that JK, J2 named when led suitless")
AT_VOIDS = _field("voids", (SEATS, SUITS), 1, "suits a seat has failed to follow")
AT_TAKEN = _field("tricks", (SEATS,), TRICKS, "tricks taken, by seat")
AT_TRICK_NUMBER = _field("trick_number", (1,), TRICKS, "tricks completed")
AT_DISCARDS_LEFT = _field("discards_left", (1,), max(KITTY_SIZES), "discards still to be made; to the contractor only")
AT_SCORES = _field("scores", (SIDES, DIGITS), 63, f"totals by side, tens; {_DIGIT_TEXT}", low=-64)
AT_DEAL_NUMBER = _field("deal_number", (DIGITS,), 63, f"deals begun; {_DIGIT_TEXT}", low=-64)
AT_POINTS = _field("points", (SIDES,), 52, "points of the finished deal by side, tens", low=-52)
AT_MADE = _field("made", (2,), 1, "contract failed, made")
AT_WINNER = _field("winner", (SIDES,), 1, "side that has won the game")

_USED = OBSERVATION_FIELDS[-1].stop
OBSERVATION_SIZE = -(-_USED // 8) * 8
if _USED < OBSERVATION_SIZE:
    _field("padding", (OBSERVATION_SIZE - _USED,), 0, "always 0")
OBSERVATION_WORDS = OBSERVATION_SIZE // 8
_NUMBERS = AT_PHASE + 64  # from here on places are numbers, packed by `_write_numbers`
assert tuple(_NUMBERS + n for n in (4, 8, 10, 16)) == (AT_TAKEN, AT_TRICK_NUMBER, AT_SCORES, AT_DEAL_NUMBER)
assert tuple(_NUMBERS + n for n in (19, 21, 23, 32)) == (AT_POINTS, AT_MADE, AT_WINNER, OBSERVATION_SIZE)
MASK_WORDS = N_ACTIONS // 8
STATE_SIZE = OBSERVATION_SIZE + (SEATS - 1) * CARD_PLACES
STATE_WORDS = STATE_SIZE // 8
"""The state for centralised critics: the observation of seat 0 with kitty and discards open, then hands 1 to 3."""


def _rule_places() -> tuple[Row, Row, Row, Row]:
    """Return the columns of the options, where each option's places start, what they say, and how many they are.

    What they say is `[option, mask of the places that are 1]`.
    """
    columns, starts, values, counts = [], [], [], []
    start = AT_RULES
    for name, column in RULE_COLUMNS.items():
        said = [-1] * (1 << MOST_PLACES)
        for value, number in enumerate(option_numbers(name)):
            said[option_places(name, value)] = number
        columns.append(column)
        starts.append(start)
        values.append(said)
        counts.append(PLACES[name])
        start += PLACES[name]
    return tuple(np.array(table, np.int64) for table in (columns, starts, values, counts))  # type: ignore[return-value]


_RULE_COLUMN, _RULE_START, _RULE_VALUES, _RULE_COUNT = _rule_places()
_PACK_CARDS = np.array(PACK_CARDS, np.int64)
_HAND_SIZES = np.array(HAND_SIZES, np.int64)
_KITTY_SIZES = np.array(KITTY_SIZES, np.int64)


@kernel
def _read_digits(out: Bytes, start: int) -> int:
    """Read a number that `_write_digits` wrote."""
    return int(out[start]) + BASE * (int(out[start + 1]) + BASE * int(out[start + 2]))


@kernel
def write_observation(row: Row, seat: int, out: Bytes, words: Row) -> None:
    """Write what a seat may know.

    Every place is written, whatever stood there before.

    Args:
        row: `[N_COLUMNS] int64` a state row.
        seat: The observing seat.
        out: `[OBSERVATION_SIZE] int8` to be filled.
        words: The same memory as `[OBSERVATION_WORDS] int64`.

    Rules: R11.1, R11.2, R8.3, R5.4.
    """
    own = -int(seat == int(row[BIDDER])) & -int(int(row[PHASE]) != AUCTION)  # all bits or none
    spread_48(words, AT_HAND // 8, int(row[HAND + seat]))
    spread_48(words, AT_KITTY // 8, int(row[KITTY]) & own)
    spread_48(words, AT_DISCARDS // 8, int(row[DISCARDS]) & own)
    _write_table(row, seat, out, words)
    _write_public(row, seat, words)
    _write_numbers(row, seat, int(row[DISCARDS_LEFT]) & own, words)


@kernel
def write_state(row: Row, out: Bytes, words: Row) -> None:
    """Write the whole deal, hidden cards included, for a critic that sees everything.

    Args:
        row: `[N_COLUMNS] int64` a state row.
        out: `[STATE_SIZE] int8` to be filled.
        words: The same memory as `[STATE_WORDS] int64`.
    """
    write_observation(row, 0, out, words)
    spread_48(words, AT_KITTY // 8, int(row[KITTY]))
    spread_48(words, AT_DISCARDS // 8, int(row[DISCARDS]))
    for seat in range(1, SEATS):
        spread_48(words, OBSERVATION_WORDS + (seat - 1) * CARD_WORDS, int(row[HAND + seat]))


@small_kernel
def _write_table(row: Row, seat: int, out: Bytes, words: Row) -> None:
    """Write the cards that lie open, the calls and the options."""
    shown = exposed_seat(row) if int(row[PHASE]) > NOMINATE else -1
    spread_48(words, AT_EXPOSED // 8, int(row[HAND + shown]) if shown >= 0 else 0)
    for n in range(SEATS * CARD_WORDS):
        words[AT_TRICK // 8 + n] = 0
    for relative in range(SEATS):
        other = (seat + relative) & 3
        spread_48(words, AT_PLAYED // 8 + relative * CARD_WORDS, int(row[PLAYED + other]))
        spread_32(words, AT_BIDS // 8 + relative * CALL_WORDS, int(row[BIDS + other]))
        spread_32(words, AT_PASSES // 8 + relative * CALL_WORDS, int(row[PASSES + other]))
        card = int(row[TRICK + other])
        # Without a branch that nobody can predict: what is no card goes where the next field is written.
        out[AT_TRICK + relative * CARD_PLACES + card if card >= 0 else AT_LED] = 1
    spread_48(words, AT_LED // 8, int(row[LED_CARDS]))
    for n in range(CARD_WORDS):
        words[AT_CARD_TRICK // 8 + n] = row[CARD_TRICK + n]
    bid = int(row[BID])
    spread_32(words, AT_BID // 8, 1 << bid if bid else 0)
    for n in range(RULE_WORDS):
        words[AT_RULES // 8 + n] = row[RULE_PLACES + n]


@small_kernel
def _seat_bit(other: int, seat: int) -> int:
    """Return a seat as seen from `seat` as one of four bits, none for -1."""
    return 1 << ((other - seat) & 3) if other >= 0 else 0


@small_kernel
def _value_bit(value: int) -> int:
    """Return a value as one bit, none for -1."""
    return 1 << value if value >= 0 else 0


@small_kernel
def _seat_voids(row: Row, seat: int) -> int:
    """Return the voids as the row holds them, four bits a seat, counted from `seat`."""
    voids = int(row[VOIDS])
    return (voids | voids << SEATS * SUITS) >> (SUITS * seat) & ((1 << SEATS * SUITS) - 1)


@small_kernel
def _write_public(row: Row, seat: int, words: Row) -> None:
    """Write the first 64 places after the options, each of which says yes or no."""
    passed = int(row[PASSED])
    bits = 1 << int(row[PHASE])
    bits |= _seat_bit(int(row[SEAT]), seat) << (AT_SEAT - AT_PHASE)
    bits |= _seat_bit(int(row[DEALER]), seat) << (AT_DEALER - AT_PHASE)
    bits |= _seat_bit(int(row[BIDDER]), seat) << (AT_BIDDER - AT_PHASE)
    bits |= ((passed | passed << SEATS) >> seat & 15) << (AT_PASSED - AT_PHASE)
    bits |= _seat_bit(int(row[LEADER]), seat) << (AT_LEADER - AT_PHASE)
    bits |= _value_bit(int(row[LED])) << (AT_LED_SUIT - AT_PHASE)
    bits |= int(row[SUITS_LED]) << (AT_SUITS_LED - AT_PHASE)
    for joker in range(2):
        bits |= _value_bit(int(row[NOMINATED + joker])) << (AT_NOMINATED - AT_PHASE + joker * (SUITS + 1))
        bits |= _value_bit(int(row[NAMED + joker])) << (AT_NAMED - AT_PHASE + joker * SUITS)
    bits |= _seat_voids(row, seat) << (AT_VOIDS - AT_PHASE)
    spread_64(words, AT_PHASE // 8, bits)


@small_kernel
def _digits(value: int) -> int:
    """Return a number as three balanced digits to base 128, a byte each, of which the highest keeps its sign."""
    value += (BASE // 2) * (1 + BASE + BASE * BASE)
    digits = (value & 127 | (value >> 7 & 127) << 8 | (value >> 14 & 127) << 16) ^ 0x404040
    digits |= (digits & 0x404040) << 1
    return digits - ((digits & 0x800000) << 1)


@small_kernel
def _write_numbers(row: Row, seat: int, discards_left: int, words: Row) -> None:
    """Write the last places: the rest of the voids, counts and totals, a byte each."""
    taken = int(row[TAKEN]) | int(row[TAKEN + 1]) << 8 | int(row[TAKEN + 2]) << 16 | int(row[TAKEN + 3]) << 24
    taken = (taken | taken << 32) >> (8 * seat) & 0xFFFFFFFF
    voids = _seat_voids(row, seat) >> (_NUMBERS - AT_VOIDS)
    words[_NUMBERS // 8] = SPREAD[voids] | taken << 32
    side = seat & 1
    own, other = _digits(int(row[SCORES + side]) // 10), _digits(int(row[SCORES + 1 - side]) // 10)
    words[_NUMBERS // 8 + 1] = int(row[TRICK_NUMBER]) | discards_left << 8 | (own & 0xFFFFFF) << 16 | other << 40
    word = _digits(int(row[DEAL_NUMBER])) & 0xFFFFFF
    word |= (int(row[POINTS + side]) // 10 & 255) << 24 | (int(row[POINTS + 1 - side]) // 10 & 255) << 32
    if int(row[MADE]) >= 0:
        word |= 1 << (40 + 8 * int(row[MADE]))
    winner = int(row[WINNER])
    words[_NUMBERS // 8 + 2] = word | 1 << 56 if winner >= 0 and winner == side else word
    words[_NUMBERS // 8 + 3] = 1 if winner >= 0 and winner != side else 0


@small_kernel
def write_mask(phase: int, legal: int, words: Row) -> None:
    """Write a legal mask over the whole action space.

    Args:
        phase: The phase that `legal` belongs to.
        legal: The answer of `engine.legal_mask`; 0 gives an empty mask.
        words: `[MASK_WORDS] int64` to be filled, a place of eight bits an action.
    """
    low, high = legal, 0  # actions 0 to 63, and the rest
    if phase == DISCARD or phase == PLAY:
        low, high = legal << FIRST_CARD, legal >> (64 - FIRST_CARD)
    elif phase != AUCTION:
        low, high = 0, legal << (FIRST_NAME - 64)
    spread_64(words, 0, low)
    spread_16(words, 8, high)


@small_kernel
def _gather(out: Bytes, start: int, count: int) -> int:
    """Read places of 0 or 1 as a mask."""
    mask = 0
    for n in range(count):
        if int(out[start + n]):
            mask |= 1 << n
    return mask


@small_kernel
def _place(out: Bytes, start: int, count: int) -> int:
    """Return which of the places is set, -1 for none."""
    for n in range(count):
        if int(out[start + n]):
            return n
    return -1


@kernel
def read_observation(out: Bytes, view: Row) -> None:
    """Read an observation back into a view row.

    A view row has the columns of a state row with seats counted from the observing one; hands that the seat
    does not know, a kitty it has not seen and the seed are 0.

    Args:
        out: `[OBSERVATION_SIZE] int8`.
        view: `[N_COLUMNS] int64` to be filled.
    """
    for column in range(N_COLUMNS):
        view[column] = 0
    _read_rules(out, view)
    _read_public(out, view)
    view[HAND] = _gather(out, AT_HAND, CARDS)
    view[KITTY] = _gather(out, AT_KITTY, CARDS)
    view[DISCARDS] = _gather(out, AT_DISCARDS, CARDS)
    view[LED_CARDS] = _gather(out, AT_LED, CARDS)
    for seat in range(SEATS):
        view[PLAYED + seat] = _gather(out, AT_PLAYED + seat * CARD_PLACES, CARDS)
        view[TRICK + seat] = _place(out, AT_TRICK + seat * CARD_PLACES, CARDS)
        view[TRICK_CARDS] += 1 if int(view[TRICK + seat]) >= 0 else 0
        view[BIDS + seat] = _gather(out, AT_BIDS + seat * CALL_PLACES, CALLS)
        view[PASSES + seat] = _gather(out, AT_PASSES + seat * CALL_PLACES, CALLS)
        view[CALLS_MADE] += _count(int(view[BIDS + seat])) + _count(int(view[PASSES + seat]))
    for card in range(CARDS):
        view[CARD_TRICK + (card >> 3)] |= int(out[AT_CARD_TRICK + card]) << (8 * (card & 7))
    exposed = _gather(out, AT_EXPOSED, CARDS)
    if exposed:
        view[HAND + int(view[BIDDER])] = exposed


@kernel
def _count(mask: int) -> int:
    """Count the bits of a mask with few of them."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def _read_public(out: Bytes, view: Row) -> None:
    """Read what `_write_public` wrote, and the bid."""
    view[PHASE] = _place(out, AT_PHASE, len(PHASES))
    view[SEAT] = _place(out, AT_SEAT, SEATS)
    view[DEALER] = _place(out, AT_DEALER, SEATS)
    view[BIDDER] = _place(out, AT_BIDDER, SEATS)
    view[LEADER] = _place(out, AT_LEADER, SEATS)
    view[LED] = _place(out, AT_LED_SUIT, SUITS)
    view[SUITS_LED] = _gather(out, AT_SUITS_LED, SUITS)
    view[PASSED] = _gather(out, AT_PASSED, SEATS)
    view[BID] = max(_place(out, AT_BID, CALLS), 0)
    for joker in range(2):
        view[NOMINATED + joker] = _place(out, AT_NOMINATED + joker * (SUITS + 1), SUITS + 1)
        view[NAMED + joker] = _place(out, AT_NAMED + joker * SUITS, SUITS)
    view[VOIDS] = _gather(out, AT_VOIDS, SEATS * SUITS)
    for seat in range(SEATS):
        view[TAKEN + seat] = out[AT_TAKEN + seat]
    view[TRICK_NUMBER] = out[AT_TRICK_NUMBER]
    view[DISCARDS_LEFT] = out[AT_DISCARDS_LEFT]
    for side in range(SIDES):
        view[SCORES + side] = 10 * _read_digits(out, AT_SCORES + side * DIGITS)
        view[POINTS + side] = 10 * int(out[AT_POINTS + side])
    view[DEAL_NUMBER] = _read_digits(out, AT_DEAL_NUMBER)
    view[MADE] = _place(out, AT_MADE, 2)
    view[WINNER] = _place(out, AT_WINNER, SIDES)
    view[STRAIN] = _strain(view)


@kernel
def _strain(view: Row) -> int:
    """Return the strain that phase and bid of a view imply, -1 before the auction has ended."""
    phase = int(view[PHASE])
    if phase == AUCTION:
        return -1
    if int(view[BID]):
        return bid_strain(int(view[BID]))
    return NO_TRUMPS if phase != OVER or int(view[TRICK_NUMBER]) else -1


@kernel
def _read_rules(out: Bytes, view: Row) -> None:
    """Read the options, and derive the sizes that follow from them."""
    for option in range(len(_RULE_COLUMN)):
        places = _gather(out, int(_RULE_START[option]), int(_RULE_COUNT[option]))
        view[_RULE_COLUMN[option]] = _RULE_VALUES[option, places]
    view[RULE_TARGET] = 10 * _read_digits(out, AT_TARGET)
    for place in range(8 * RULE_WORDS):
        view[RULE_PLACES + (place >> 3)] |= (int(out[AT_RULES + place]) & 255) << (8 * (place & 7))
    view[RULE_SEATS] = SEATS
    view[RULE_HAND] = _HAND_SIZES[int(view[RULE_PACK])]
    view[RULE_KITTY] = _KITTY_SIZES[int(view[RULE_PACK])]
    view[RULE_CARDS] = _PACK_CARDS[int(view[RULE_PACK])]


@kernel
def write_view(row: Row, seat: int, view: Row) -> None:
    """Write what a seat may know of a state row straight into a view row.

    It says by copying what `read_observation(write_observation(...))` says by way of bytes.

    Args:
        row: `[N_COLUMNS] int64` a state row.
        seat: The observing seat.
        view: `[N_COLUMNS] int64` to be filled.

    Rules: R11.1, R11.2.
    """
    for column in range(N_COLUMNS):
        view[column] = row[column]
    own = seat == int(row[BIDDER]) and int(row[PHASE]) != AUCTION
    shown = exposed_seat(row) if int(row[PHASE]) > NOMINATE else -1
    view[VOIDS] = 0
    view[PASSED] = 0
    for relative in range(SEATS):
        other = (seat + relative) & 3
        known = relative == 0 or other == shown
        view[HAND + relative] = int(row[HAND + other]) if known else 0
        for column in (PLAYED, TRICK, BIDS, PASSES, TAKEN):
            view[column + relative] = row[column + other]
        view[VOIDS] |= (int(row[VOIDS]) >> (other * SUITS) & 15) << (relative * SUITS)
        view[PASSED] |= (int(row[PASSED]) >> other & 1) << relative
    for column in (SEAT, DEALER, BIDDER, LEADER):
        if int(row[column]) >= 0:
            view[column] = (int(row[column]) - seat) & 3
    for side in range(SIDES):
        view[SCORES + side] = row[SCORES + ((seat + side) & 1)]
        view[POINTS + side] = row[POINTS + ((seat + side) & 1)]
        view[OPENING + side] = 0
    if int(row[WINNER]) >= 0:
        view[WINNER] = (int(row[WINNER]) - seat) & 1
    view[KITTY] = int(row[KITTY]) if own else 0
    view[DISCARDS] = int(row[DISCARDS]) if own else 0
    view[DISCARDS_LEFT] = int(row[DISCARDS_LEFT]) if own else 0
    view[SEED] = 0


def field(name: str) -> Field:
    """Return a field of the observation by name.

    Raises:
        KeyError: No field has that name.
    """
    for entry in OBSERVATION_FIELDS:
        if entry.name == name:
            return entry
    raise KeyError(name)


def place_names() -> list[str]:
    """Return what each place of the observation stands for, `[OBSERVATION_SIZE]` texts such as ``hand AS``."""
    cards = [*CARD_NAMES, "unused", "unused"]
    calls = [*CALL_NAMES, *["unused"] * (CALL_PLACES - CALLS)]
    names = []
    for entry in OBSERVATION_FIELDS:
        last = entry.shape[-1]
        words = {CARD_PLACES: cards, CALL_PLACES: calls}.get(last, [str(n) for n in range(last)])
        if last == SUITS and entry.name in {"led_suit", "suits_led", "named", "voids"}:
            words = list(SUIT_LETTERS)
        for n in range(entry.size):
            group = f" {n // last}" if len(entry.shape) > 1 else ""
            names.append(f"{entry.name}{group} {words[n % last]}")
    return names

"""`View`: an observation as a person would read it.

Everything is told from the observing seat: seat 0 is itself, 1 its left neighbour, 2 its partner, 3 its right one;
side 0 is its own. Cards, calls and suits are in the notation of the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from five_hundred_env.core.actions import ACTION_NAMES, CALL_NAMES
from five_hundred_env.core.bidding import apply_call, bid_order
from five_hundred_env.core.cards import CARD_NAMES, Row, effective_suit
from five_hundred_env.core.constants import (
    AUCTION,
    FIRST_NAME,
    JK,
    N_ACTIONS,
    NOT_NOMINATED,
    OVER,
    PASS,
    PHASES,
    SEATS,
    SIDES,
    SUIT_LETTERS,
    SUITS,
)
from five_hundred_env.core.observe import OBSERVATION_SIZE, Bytes, read_observation
from five_hundred_env.core.play import exposed_seat, trick_winner, voids_shown
from five_hundred_env.core.rules import Rules, rules_of_row
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
    N_RULES,
    NAMED,
    NOMINATED,
    PASSED,
    PASSES,
    PHASE,
    PLAYED,
    POINTS,
    RULE_MISERE_RANK,
    RULE_OPEN_MISERE_RANK,
    SCORES,
    SEAT,
    SUITS_LED,
    TAKEN,
    TRICK,
    TRICK_NUMBER,
    WINNER,
)
from five_hundred_env.errors import OptionError


class Trick(NamedTuple):
    """One complete trick.

    Attributes:
        leader: Who led.
        cards: Seat and card, in the order of play.
        named: Suit that a suitless joker named when it was led, such as ``=S``.
        winner: Who took it.
    """

    leader: int
    cards: tuple[tuple[int, str], ...]
    named: str | None
    winner: int


@dataclass(frozen=True)
class View:
    """What one seat knows of the deal, seats relative to it.

    Attributes:
        rules: The rules of the table.
        phase: ``auction``, ``discard``, ``nominate``, ``play``, ``name`` or ``over``.
        seat: Who is to move, None at the end.
        dealer: Who dealt.
        deal_number: Deals begun in this game, this one included.
        scores: Totals of the own and the other side, points.
        hand: The cards held, in id order.
        calls: Seat and call, in the order they were made.
        passed: Who is out of the auction.
        contract: The last bid; after the auction the contract.
        contractor: Who made it.
        kitty: The kitty as dealt, where this seat is the contractor.
        discards: The cards this seat has put away as contractor.
        discards_left: How many this seat, as contractor, still has to put away.
        nominations: Joker and nomination, such as ``("JK", "=S")`` or ``("JK", "=-")``.
        exposed: The contractor's hand when an open misère shows it.
        leader: Who leads the running trick, or led it.
        led: The suit to be followed, a letter.
        trick: Seat and card of the running trick, in the order of play.
        history: The complete tricks.
        named: Suits that have been led or named so far, such as ``=S``.
        voids: Suits that each seat has failed to follow, letters such as ``"SD"``.
        tricks: Tricks taken by each seat.
        points: Points of the finished deal for the own and the other side.
        made: Whether the contract was made, once the deal is over.
        winner: The side that has won the game.
        legal: The legal actions, where a mask was given.
    """

    rules: Rules
    phase: str
    seat: int | None
    dealer: int
    deal_number: int
    scores: tuple[int, int]
    hand: tuple[str, ...]
    calls: tuple[tuple[int, str], ...]
    passed: tuple[int, ...]
    contract: str | None
    contractor: int | None
    kitty: tuple[str, ...]
    discards: tuple[str, ...]
    discards_left: int
    nominations: tuple[tuple[str, str], ...]
    exposed: tuple[str, ...] | None
    leader: int | None
    led: str | None
    trick: tuple[tuple[int, str], ...]
    history: tuple[Trick, ...]
    named: tuple[str, ...]
    voids: tuple[str, ...]
    tricks: tuple[int, ...]
    points: tuple[int, int]
    made: bool | None
    winner: int | None
    legal: tuple[str, ...]

    @property
    def nominated(self) -> str | None:
        """The nomination of `JK`: ``=S`` …, ``=-``, or None before it and where there is none."""
        return dict(self.nominations).get("JK")

    @classmethod
    def from_observation(cls, observation: Bytes, mask: Bytes | None = None) -> View:
        """Read one observation.

        Args:
            observation: `[O] int8`.
            mask: `[A] int8`, for `legal`.

        Raises:
            OptionError: The arrays have other shapes.
        """
        if np.shape(observation) != (OBSERVATION_SIZE,) or (mask is not None and np.shape(mask) != (N_ACTIONS,)):
            raise OptionError(
                f"a View is read from one observation [{OBSERVATION_SIZE}] and one mask [{N_ACTIONS}], "
                f"not {list(np.shape(observation))} and {None if mask is None else list(np.shape(mask))}"
            )
        row = np.empty(N_COLUMNS, np.int64)
        read_observation(np.require(observation, np.int8, ["C", "W"]), row)
        return cls.from_row(row, () if mask is None else tuple(ACTION_NAMES[a] for a in np.flatnonzero(mask)))

    @classmethod
    def from_row(cls, row: Row, legal: tuple[str, ...] = ()) -> View:
        """Read a view row, as `core.observe` makes them.

        Args:
            row: `[N_COLUMNS] int64`.
            legal: The legal actions in notation.
        """
        bid = int(row[BID])
        shown = exposed_seat(row) if row[PHASE] > PHASES.index("nominate") else -1
        return cls(
            rules=rules_of_row(row[:N_RULES]),
            phase=PHASES[row[PHASE]],
            seat=_maybe(row[SEAT]),
            dealer=int(row[DEALER]),
            deal_number=int(row[DEAL_NUMBER]),
            scores=_pair(row, SCORES),
            hand=_cards(row[HAND]),
            calls=_calls(row),
            passed=tuple(seat for seat in range(SEATS) if row[PASSED] >> seat & 1),
            contract=CALL_NAMES[bid] if bid else None,
            contractor=_maybe(row[BIDDER]),
            kitty=_cards(row[KITTY]),
            discards=_cards(row[DISCARDS]),
            discards_left=int(row[DISCARDS_LEFT]),
            nominations=_nominations(row),
            exposed=_cards(row[HAND + shown]) if shown >= 0 else None,
            leader=_maybe(row[LEADER]),
            led=SUIT_LETTERS[row[LED]] if row[LED] >= 0 else None,
            trick=_running_trick(row),
            history=_history(row),
            named=tuple("=" + SUIT_LETTERS[suit] for suit in range(SUITS) if row[SUITS_LED] >> suit & 1),
            voids=tuple(_letters(voids_shown(row, seat)) for seat in range(SEATS)),
            tricks=tuple(int(n) for n in row[TAKEN : TAKEN + SEATS]),
            points=_pair(row, POINTS),
            made=bool(row[MADE]) if row[MADE] >= 0 else None,
            winner=_maybe(row[WINNER]),
            legal=legal,
        )


def _maybe(number: np.int64) -> int | None:
    """Return a seat or side, None where there is none."""
    return int(number) if number >= 0 else None


def _pair(row: Row, column: int) -> tuple[int, int]:
    """Return the numbers of the own and the other side."""
    own, other = row[column : column + SIDES].tolist()
    return own, other


def _cards(mask: np.int64 | int) -> tuple[str, ...]:
    """Return the names of the cards of a mask, in id order."""
    return tuple(name for card, name in enumerate(CARD_NAMES) if int(mask) >> card & 1)


def _letters(suits: int) -> str:
    """Return the letters of the suits of a mask."""
    return "".join(letter for suit, letter in enumerate(SUIT_LETTERS) if suits >> suit & 1)


def _calls(row: Row) -> tuple[tuple[int, str], ...]:
    """Replay the auction: a seat passes at most once while the same bid stands, and bids in rising order."""
    order = bid_order(int(row[RULE_MISERE_RANK]), int(row[RULE_OPEN_MISERE_RANK]))
    auction = np.zeros(N_COLUMNS, np.int64)
    auction[:N_RULES] = row[:N_RULES]
    auction[PHASE] = AUCTION
    auction[BIDDER] = -1
    auction[SEAT] = (int(row[DEALER]) + 1) % SEATS
    calls: list[tuple[int, str]] = []
    while len(calls) < int(row[CALLS_MADE]):
        seat, last = int(auction[SEAT]), int(auction[BID])
        call = PASS
        if not row[PASSES + seat] >> last & 1:
            above = order[order.index(last) + 1 :] if last else order
            call = next(bid for bid in above if row[BIDS + seat] >> bid & 1)
        calls.append((seat, CALL_NAMES[call]))
        apply_call(auction, call)
    return tuple(calls)


def _nominations(row: Row) -> tuple[tuple[str, str], ...]:
    """Return what has been nominated, `=-` for nothing."""
    return tuple(
        (CARD_NAMES[JK + joker], ACTION_NAMES[FIRST_NAME + row[NOMINATED + joker]])
        for joker in range(2)
        if row[NOMINATED + joker] != NOT_NOMINATED
    )


def _running_trick(row: Row) -> tuple[tuple[int, str], ...]:
    """Return the cards of the running trick in the order of play."""
    seats = [(max(int(row[LEADER]), 0) + n) % SEATS for n in range(SEATS)]
    return tuple((seat, CARD_NAMES[row[TRICK + seat]]) for seat in seats if row[TRICK + seat] >= 0)


def _history(row: Row) -> tuple[Trick, ...]:
    """Put the complete tricks together from who played which card to which trick, and which were led."""
    if row[PHASE] == OVER and not row[TRICK_NUMBER]:
        return ()
    played: dict[int, dict[int, int]] = {}
    leaders = {}
    for seat in range(SEATS):
        for card in range(len(CARD_NAMES)):
            if row[PLAYED + seat] >> card & 1:
                number = int(row[CARD_TRICK + (card >> 3)]) >> 8 * (card & 7) & 255
                played.setdefault(number, {})[seat] = card
                if row[LED_CARDS] >> card & 1:
                    leaders[number] = seat
    return tuple(_trick(row, played[n], leaders[n]) for n in range(1, int(row[TRICK_NUMBER]) + 1))


def _trick(row: Row, cards: dict[int, int], leader: int) -> Trick:
    """Return one complete trick, its winner found by the rules."""
    table = row.copy()
    for seat in range(SEATS):
        table[TRICK + seat] = cards.get(seat, -1)
    led = cards[leader]
    table[LED] = effective_suit(row, led)
    named = None
    if table[LED] < 0:
        table[LED] = row[NAMED + led - JK]
        named = "=" + SUIT_LETTERS[table[LED]]
    seats = [(leader + n) % SEATS for n in range(SEATS)]
    return Trick(
        leader=leader,
        cards=tuple((seat, CARD_NAMES[cards[seat]]) for seat in seats if seat in cards),
        named=named,
        winner=trick_winner(table),
    )

"""What is drawn: one position, as one seat or everybody knows it, in the words of a person.

A scene of a seat is made from its view row alone (`core.observe.write_view`), so no drawing of it can show what the
seat may not know. Seats and sides are absolute here; cards and calls are in notation of the rulebook.

Rules: R11.1, R11.2, R11.3, R8.2, R8.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from five_hundred_env import notation
from five_hundred_env.core.actions import ACTION_NAMES, CALL_NAMES, CALL_VALUES
from five_hundred_env.core.cards import CARD_NAMES, EFFECTIVE, LOW_FOUR, POWER, Row, effective_suit
from five_hundred_env.core.constants import (
    AUCTION,
    CLUBS,
    DIAMONDS,
    DISCARD,
    FIRST_NAME,
    HEARTS,
    JK,
    NO_TRUMPS,
    NOMINATE,
    NOT_NOMINATED,
    OVER,
    PHASES,
    SEATS,
    SIDES,
    SPADES,
    SUITS,
)
from five_hundred_env.core.observe import write_view
from five_hundred_env.core.play import exposed_seat, idle_seat, trick_winner
from five_hundred_env.core.rules import rules_of_row
from five_hundred_env.core.scoring import side_tricks
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    DEAL_NUMBER,
    DEALER,
    DISCARDS,
    HAND,
    KITTY,
    LEADER,
    MADE,
    N_COLUMNS,
    NOMINATED,
    PHASE,
    PLAYED,
    POINTS,
    RULE_HAND,
    RULE_KITTY,
    RULE_PACK,
    SCORES,
    SEAT,
    STRAIN,
    TAKEN,
    TRICK_CARDS,
    TRICK_NUMBER,
    WINNER,
)
from five_hundred_env.errors import OptionError
from five_hundred_env.game import Game

COLOURS_TAKE_TURNS = (SPADES, HEARTS, CLUBS, DIAMONDS)
"""Order of the suits in a hand: black and red by turns; it is turned so that trumps come first."""


@dataclass(frozen=True)
class Scene:
    """One position to be drawn; None stands for what is not there or not known.

    Attributes:
        observer: The seat that looks, None for everybody's cards open.
        profile: The rules as one word.
        phase: ``auction``, ``discard``, ``nominate``, ``play``, ``name`` or ``over``.
        seat: Who is to move.
        dealer: Who dealt.
        deal_number: Number of this deal in the game, from 1.
        hands: Cards by seat, sorted as people hold them; None for a hand that lies face down.
        counts: Cards held, by seat, as far as the observer knows.
        exposed: The seat whose hand an open misère shows to everybody.
        idle: The seat that takes no part in a misère.
        calls: (seat, call) in order.
        bid: The last bid; after the auction the contract.
        bidder: Who made it; after the auction the contractor.
        value: Points of that bid.
        nominations: (joker, ``"=S"`` … or ``"=-"``) as far as they were made.
        trick: (seat, card) of the running trick, in order.
        named: Suit that the suitless joker leading the running trick has named.
        standing: Who would take the running trick as it lies.
        trick_number: Number of the running trick, or of the next one, from 1.
        hand_size: Tricks of a full deal.
        last_trick: (seat, card) of the last complete trick, in order.
        last_named: Suit that the joker leading it has named.
        last_winner: Who took it.
        suits_led: Suits led or named so far, letters in order.
        tricks: Tricks taken, by seat.
        side_tricks: Tricks taken, by side.
        scores: Totals by side, points.
        points: Points of the finished deal by side.
        made: Whether the contract was made.
        winner: The side that has won the game.
        kitty_size: Cards of the kitty.
        kitty: The kitty as dealt.
        discards: Cards put away by the contractor.
        discard_count: How many cards have been put away, as far as the observer knows.
        legal: Legal actions of the seat to move.
        groups: The suit that each card of the pack belongs to, as a place in a hand; -1 for a joker without one.
    """

    observer: int | None
    profile: str
    phase: str
    seat: int | None
    dealer: int
    deal_number: int
    hands: tuple[tuple[str, ...] | None, ...]
    counts: tuple[int, ...]
    exposed: int | None
    idle: int | None
    calls: tuple[tuple[int, str], ...]
    bid: str | None
    bidder: int | None
    value: int
    nominations: tuple[tuple[str, str], ...]
    trick: tuple[tuple[int, str], ...]
    named: str | None
    standing: int | None
    trick_number: int
    hand_size: int
    last_trick: tuple[tuple[int, str], ...]
    last_named: str | None
    last_winner: int | None
    suits_led: tuple[str, ...]
    tricks: tuple[int, ...]
    side_tricks: tuple[int, ...]
    scores: tuple[int, ...]
    points: tuple[int, ...] | None
    made: bool | None
    winner: int | None
    kitty_size: int
    kitty: tuple[str, ...] | None
    discards: tuple[str, ...] | None
    discard_count: int
    legal: tuple[str, ...] | None
    groups: dict[str, int]

    @property
    def contract(self) -> str | None:
        """The contract once the auction has ended with one."""
        return self.bid if self.phase != "auction" else None

    @property
    def contractor(self) -> int | None:
        """The contractor's seat once the auction has ended with a contract."""
        return self.bidder if self.phase != "auction" else None

    @property
    def calling_order(self) -> tuple[int, ...]:
        """The seats from dealer's left on."""
        return tuple((self.dealer + 1 + n) % SEATS for n in range(SEATS))


def make_scene(row_or_game: Row | Game, seat: int | None = None) -> Scene:
    """Return the scene of a position.

    Args:
        row_or_game: A `Game`, or a state row `[N_COLUMNS] int64`.
        seat: The seat that looks; None opens every card.

    Raises:
        OptionError: It is neither, or `seat` is no seat.

    Rules: R11.1, R11.2.
    """
    row = row_or_game.row if isinstance(row_or_game, Game) else row_or_game
    if not isinstance(row, np.ndarray) or row.shape != (N_COLUMNS,) or row.dtype != np.int64:
        raise OptionError(f"a Game or a state row [{N_COLUMNS}] int64 is drawn, not {type(row_or_game).__name__}")
    if seat is None:
        return _Reader(row, None).scene()
    seat = notation.check_seat(seat, "seat")
    view = np.zeros(N_COLUMNS, np.int64)
    write_view(row, seat, view)
    return _Reader(view, seat).scene()


def place_in_hand(row: Row, card: int) -> tuple[int, int]:
    """Return where a card is held: its suit's place in the hand, then its height, highest first.

    People hold loose jokers first, then trumps, bowers in place, then black and red suits by turns.

    Args:
        row: A state or view row, for the strain and the nominations.
        card: A card's id.
    """
    decided = int(row[STRAIN]) >= 0
    strain = int(row[STRAIN]) if decided else NO_TRUMPS
    low = 1 if int(row[RULE_PACK]) == LOW_FOUR else 0
    suit = int(effective_suit(row, card) if decided else EFFECTIVE[low, strain, card])
    start = COLOURS_TAKE_TURNS.index(strain) if strain < SUITS else 0
    group = (COLOURS_TAKE_TURNS.index(suit) - start) % SUITS if suit >= 0 else -1
    return group, -int(POWER[low, strain, card])


class _Reader:
    """Reads a state row, or the view row of `observer` whose seats it turns back."""

    def __init__(self, row: Row, observer: int | None) -> None:
        self.row = row
        self.observer = observer
        self.shift = observer or 0
        self.phase = int(row[PHASE])
        self.places = {name: place_in_hand(row, card) for card, name in enumerate(CARD_NAMES)}

    def _seat(self, relative: int) -> int | None:
        """Return a seat of the row as an absolute one, None for -1."""
        return (relative + self.shift) % SEATS if relative >= 0 else None

    def _by_seat(self, column: int) -> list[int]:
        """Return a column of four in absolute order."""
        return [int(self.row[column + (seat - self.shift) % SEATS]) for seat in range(SEATS)]

    def _by_side(self, column: int) -> tuple[int, ...]:
        """Return a column of two in absolute order."""
        return tuple(int(self.row[column + (side - self.shift) % SIDES]) for side in range(SIDES))

    def _plays(self, trick: notation.Trick | None) -> tuple[tuple[int, str], ...]:
        """Return the cards of a trick with absolute seats."""
        return tuple(((seat + self.shift) % SEATS, card) for seat, card in trick.plays) if trick else ()

    def _sorted(self, mask: int) -> tuple[str, ...]:
        """Return the cards of a mask as people hold them."""
        return tuple(sorted(notation.mask_cards(mask), key=self.places.__getitem__))

    def _counts(self) -> tuple[int, ...]:
        """Count the cards of each seat from what the observer knows."""
        contractor = self._seat(int(self.row[BIDDER])) if self.phase == DISCARD else None
        more = int(self.row[RULE_KITTY]) - self._discard_count()
        return tuple(
            int(self.row[RULE_HAND]) - played.bit_count() + (more if seat == contractor else 0)
            for seat, played in enumerate(self._by_seat(PLAYED))
        )

    def _hands(self, exposed: int | None) -> tuple[tuple[str, ...] | None, ...]:
        """Return the hands that may be seen."""
        known = {self.observer, exposed} if self.observer is not None else set(range(SEATS))
        return tuple(self._sorted(mask) if seat in known else None for seat, mask in enumerate(self._by_seat(HAND)))

    def _knows_kitty(self) -> bool:
        """Tell whether the observer sees the kitty and the discards."""
        has_contractor = self.phase != AUCTION and int(self.row[BID]) > 0
        return self.observer is None or (has_contractor and self.observer == self._seat(int(self.row[BIDDER])))

    def _open(self, column: int) -> tuple[str, ...] | None:
        """Return kitty or discards where they may be seen."""
        return self._sorted(int(self.row[column])) if self._knows_kitty() else None

    def _discard_count(self) -> int:
        """Count the cards put away; how far the contractor has got meanwhile is the contractor's own affair."""
        if self.phase == AUCTION or int(self.row[BID]) == 0:
            return 0
        if self.phase == DISCARD:
            return int(self.row[DISCARDS]).bit_count()
        return int(self.row[RULE_KITTY])

    def _nominations(self) -> tuple[tuple[str, str], ...]:
        """Return the nominations made, in the order of the jokers."""
        codes = [int(self.row[NOMINATED + joker]) for joker in range(2)]
        return tuple(
            (CARD_NAMES[JK + joker], ACTION_NAMES[FIRST_NAME + code])
            for joker, code in enumerate(codes)
            if code != NOT_NOMINATED
        )

    def _legal(self) -> tuple[str, ...] | None:
        """Return the legal actions where the observer is to move, or everything is open."""
        mover = self._seat(int(self.row[SEAT]))
        if mover is None or self.observer not in (None, mover):
            return None
        return tuple(notation.legal_names(self.row))

    def scene(self) -> Scene:
        """Read everything."""
        row = self.row
        decided = self.phase != AUCTION
        exposed = self._seat(int(exposed_seat(row))) if self.phase > NOMINATE else None
        tricks = notation.read_tricks(row) if decided else []
        running = tricks[-1] if int(row[TRICK_CARDS]) else None
        done = tricks[: int(row[TRICK_NUMBER])]
        last = done[-1] if done else None
        over = self.phase == OVER
        return Scene(
            observer=self.observer,
            profile=rules_of_row(row).to_text(),
            phase=PHASES[self.phase],
            seat=self._seat(int(row[SEAT])),
            dealer=(int(row[DEALER]) + self.shift) % SEATS,
            deal_number=int(row[DEAL_NUMBER]),
            hands=self._hands(exposed),
            counts=self._counts(),
            exposed=exposed,
            idle=self._seat(int(idle_seat(row))) if decided else None,
            calls=tuple(((s + self.shift) % SEATS, CALL_NAMES[call]) for s, call in notation.read_calls(row)),
            bid=CALL_NAMES[int(row[BID])] if int(row[BID]) else None,
            bidder=self._seat(int(row[BIDDER])),
            value=CALL_VALUES[int(row[BID])],
            nominations=self._nominations(),
            trick=self._plays(running),
            named=running.named if running else None,
            standing=self._seat(int(trick_winner(row))) if running else None,
            trick_number=int(row[TRICK_NUMBER]) + 1,
            hand_size=int(row[RULE_HAND]),
            last_trick=self._plays(last),
            last_named=last.named if last else None,
            last_winner=self._seat(int(row[LEADER])) if last else None,
            suits_led=tuple(notation.read_suits_led(row)) if decided else (),
            tricks=tuple(self._by_seat(TAKEN)),
            side_tricks=tuple(int(side_tricks(row, (side - self.shift) % SIDES)) for side in range(SIDES)),
            scores=self._by_side(SCORES),
            points=self._by_side(POINTS) if over else None,
            made=bool(row[MADE]) if over and int(row[MADE]) >= 0 else None,
            winner=(int(row[WINNER]) + self.shift) % SIDES if int(row[WINNER]) >= 0 else None,
            kitty_size=int(row[RULE_KITTY]),
            kitty=self._open(KITTY),
            discards=self._open(DISCARDS),
            discard_count=self._discard_count(),
            legal=self._legal(),
            groups={name: place[0] for name, place in self.places.items()},
        )

"""Game: a checked, readable view of one state row, for people, tests and tools."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env import notation
from five_hundred_env.core import actions, drive, engine, observe
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import (
    AUCTION,
    DECLINED,
    J2,
    NOT_NOMINATED,
    OVER,
    PHASES,
    SEATS,
    SIDES,
    SUIT_LETTERS,
)
from five_hundred_env.core.play import exposed_seat
from five_hundred_env.core.rules import Rules, as_rules, rules_of_row
from five_hundred_env.core.scoring import side_tricks
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    DEAL_NUMBER,
    DEALER,
    DISCARDS,
    HAND,
    KITTY,
    MADE,
    N_COLUMNS,
    N_RULES,
    NOMINATED,
    OPENING,
    PHASE,
    POINTS,
    RULE_CARDS,
    SCORES,
    SEAT,
    SEED,
    TAKEN,
    TRICK_CARDS,
    WINNER,
)
from five_hundred_env.errors import NotationError, OrderError


@dataclass(frozen=True)
class DealResult:
    """How a deal ended; fields may be read as attributes or by name in brackets."""

    contract: str | None
    """The contract, None when there was none."""
    contractor: int | None
    """The contractor's seat."""
    made: bool | None
    """Whether the contract was made (R9.2, R9.5)."""
    tricks: tuple[int, int]
    """Tricks taken, by side."""
    points: tuple[int, int]
    """Points of the deal, by side (R9); a cap on points of defence acts on the totals only."""

    def __getitem__(self, name: str) -> Any:
        """Return a field by name."""
        return getattr(self, name)

    def keys(self) -> Iterator[str]:
        """Return the names of the fields, so that ``dict(result)`` works."""
        return (entry.name for entry in fields(self))


@dataclass(frozen=True)
class PlayedDeal:
    """A deal of a game: how it was dealt, what was done, how it ended."""

    deal: str
    """Hands of seats 0 to 3 and the kitty, as `Game.from_deal` reads them."""
    dealer: int
    scores: tuple[int, int]
    """Totals before the deal, points by side."""
    actions: list[int] = field(default_factory=list)
    """Every action, in order, as ids."""
    result: DealResult | None = None
    """None while the deal is running."""


class Game:
    """One game, from the first deal to its winner.

    Args:
        rules: A `Rules`, the name of a profile, or a mapping of options.
        seed: Where dealer and deals come from, 0 to 2**64 - 1; None draws one.

    Raises:
        RulesError: The rules are unknown.
        OptionError: The seed is out of range.

    Rules: R2.2, R2.3.
    """

    def __init__(self, rules: Rules | str | dict[str, Any] = "australian", seed: int | None = None) -> None:
        rules = as_rules(rules)
        row = np.zeros(N_COLUMNS, np.int64)
        row[:N_RULES] = rules.row
        engine.new_game(row, notation.signed(_seed(seed)))
        self._set(row, [])

    def _set(self, row: Row, history: list[int], rules: Rules | None = None) -> None:
        # What a step shows lies behind the row, so that a decision is one compiled call on one array.
        self._block = np.zeros(drive.BLOCK_SIZE, np.int64)
        self.row = self._block[:N_COLUMNS]
        """The state row, `[N_COLUMNS] int64`; read it, do not write to it."""
        self.row[:] = row
        self.rules = rules or rules_of_row(row)
        self._history = history
        self._finished: list[PlayedDeal] = []
        self._shown = -1  # the seat whose observation and mask the block holds, -1 for none

    def __getstate__(self) -> dict[str, Any]:
        return {"row": self.row.copy(), "history": self._history, "finished": self._finished}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(state["row"], state["history"])
        self._finished = state["finished"]

    @classmethod
    def from_deal(
        cls,
        deal: str,
        dealer: int = 0,
        scores: tuple[int, int] = (0, 0),
        rules: Rules | str | dict[str, Any] = "australian",
        seed: int | None = None,
    ) -> Game:
        """Return a game that begins with a given deal.

        Args:
            deal: Five groups of two-letter cards, seats 0 to 3 and the kitty: ``ASKD… … … … JK4H5C``.
            dealer: The dealer's seat.
            scores: Totals before the deal, points by side.
            rules: As for `Game`.
            seed: Where the deals that follow come from; None draws one.

        Raises:
            NotationError: The deal has a missing, double or foreign card, or a hand of a wrong size.
            OptionError: Dealer, scores or seed are out of range.
            RulesError: The rules are unknown.
        """
        game = cls.__new__(cls)
        game._set(notation.deal_row(as_rules(rules), deal, dealer, scores, _seed(seed)), [])
        return game

    @classmethod
    def from_text(cls, text: str) -> Game:
        """Return the game that `to_text` wrote; deals before the current one are not in the text.

        Raises:
            NotationError: The text is no position of this version, or an action in it is illegal.
            OptionError: A number in it is out of range.
            RulesError: Its rules are unknown.
        """
        game = cls.__new__(cls)
        game._set(*notation.parse_position(text))
        return game

    def to_text(self) -> str:
        """Return the whole position as one line that can be pasted into `from_text`."""
        return notation.format_position(self.row, self._history)

    def copy(self) -> Game:
        """Return an independent copy."""
        game = type(self).__new__(type(self))
        game._set(self.row, self._history.copy(), self.rules)
        game._finished = self._finished.copy()
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def __repr__(self) -> str:
        return f"Game.from_text({self.to_text()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and bool((self.row == other.row).all())

    __hash__ = None  # type: ignore[assignment]

    @property
    def seed(self) -> int:
        """Where the deals come from."""
        return int(self.row[SEED]) % notation.SEED_LIMIT

    @property
    def seat(self) -> int | None:
        """The seat to move, None when the deal is over."""
        seat = self.row.item(SEAT)
        return seat if seat >= 0 else None

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return int(self.row[DEALER])

    @property
    def deal_number(self) -> int:
        """The number of this deal in the game, from 1."""
        return int(self.row[DEAL_NUMBER])

    @property
    def phase(self) -> str:
        """``"auction"``, ``"discard"``, ``"nominate"``, ``"play"``, ``"name"`` or ``"over"``."""
        return PHASES[int(self.row[PHASE])]

    def legal(self) -> list[str]:
        """Return the legal actions in notation, in the order of their ids; none when the deal is over."""
        return notation.legal_names(self.row)

    def legal_actions(self) -> npt.NDArray[np.int64]:
        """Return the legal actions as rising ids, `[n] int64`."""
        return np.array(notation.legal_ids(self.row), np.int64)

    def apply(self, action: str | int, seat: int | None = None) -> Game:
        """Do an action of the seat to move.

        Args:
            action: Notation of the rulebook or an action id; ``7H`` is a bid in the auction and a card later.
            seat: Who acts, to be checked; None trusts that it is the seat to move.

        Returns:
            The game itself, so that calls can be chained.

        Raises:
            IllegalActionError: The rules forbid it; nothing has changed.
            OrderError: The deal is over.
        """
        if self.row.item(PHASE) == OVER:
            hint = "the game is over" if self.is_over else "call next_deal()"
            raise OrderError(f"the deal is over, so {action!r} can not be applied; {hint}")
        if seat is not None and seat != self.seat:
            raise notation.out_of_turn(self.row, seat, action, self._history)
        number = self._action_id(action)
        # The range is looked at first: a number of more than 64 bits can not enter a compiled function.
        if not 0 <= number < actions.N_ACTIONS or not drive.play_block(self._block, number):
            raise notation.illegal_action(self.row, number, self._history)
        self._shown = max(self.row.item(SEAT), 0)
        self._history.append(number)
        return self

    def _action_id(self, action: Any) -> int:
        """Return an action given as notation or number as an id that need not be legal.

        Raises:
            IllegalActionError: It is neither.
        """
        if isinstance(action, str):
            try:
                return actions.encode(action, self.phase)
            except NotationError:
                raise notation.illegal_action(self.row, action, self._history) from None
        number = notation.action_number(action)
        if number is None:
            raise notation.illegal_action(self.row, action, self._history)
        return number

    def observe(self, seat: int) -> dict[str, npt.NDArray[np.int8]]:
        """Return what a seat may know: `observation` `[O] int8` and `action_mask` `[A] int8`.

        The mask is empty for a seat that is not to move.

        Raises:
            OptionError: `seat` is no seat.

        Rules: R11.1, R11.2, R11.3.
        """
        seat = notation.check_seat(seat, "seat")
        if seat != self._shown:
            drive.observe_block(self._block, seat)
            self._shown = seat
        places = self._block[drive.BLOCK_OBSERVATION : drive.BLOCK_REWARD].copy().view(np.int8)
        observation, mask = places[: observe.OBSERVATION_SIZE], places[observe.OBSERVATION_SIZE :]
        return {"observation": observation, "action_mask": mask}

    @property
    def hands(self) -> list[list[str]]:
        """Cards held, by seat, each in id order."""
        return [notation.mask_cards(int(self.row[HAND + seat])) for seat in range(SEATS)]

    @property
    def kitty(self) -> list[str]:
        """The kitty as dealt, in id order."""
        return notation.mask_cards(int(self.row[KITTY]))

    @property
    def discards(self) -> list[str]:
        """Cards put away by the contractor, in id order."""
        return notation.mask_cards(int(self.row[DISCARDS]))

    @property
    def exposed(self) -> list[str] | None:
        """The hand that an open misère shows to everybody, in id order; None when none is (R8.3)."""
        if int(self.row[PHASE]) <= PHASES.index("nominate"):
            return None
        seat = int(exposed_seat(self.row))
        return self.hands[seat] if seat >= 0 else None

    @property
    def calls(self) -> list[tuple[int, str]]:
        """Every call of this deal in order, as (seat, call)."""
        return [(seat, actions.CALL_NAMES[call]) for seat, call in notation.read_calls(self.row)]

    @property
    def contract(self) -> str | None:
        """The contract once the auction has ended with one."""
        return actions.CALL_NAMES[int(self.row[BID])] if self._has_contract else None

    @property
    def contractor(self) -> int | None:
        """The contractor's seat once the auction has ended with a contract."""
        return int(self.row[BIDDER]) if self._has_contract else None

    @property
    def _has_contract(self) -> bool:
        return int(self.row[PHASE]) != AUCTION and int(self.row[BID]) > 0

    @property
    def nominated(self) -> str | None:
        """The nomination of JK: ``"=S"`` …, ``"=-"`` when declined, None when it was not asked for (yet)."""
        return self.nominations["JK"]

    @property
    def nominations(self) -> dict[str, str | None]:
        """The nomination of each joker of the pack (R5.1)."""
        jokers = ("JK", "J2") if int(self.row[RULE_CARDS]) >> J2 & 1 else ("JK",)
        return {joker: _nomination(int(self.row[NOMINATED + n])) for n, joker in enumerate(jokers)}

    @property
    def named(self) -> list[str]:
        """Suits led or named so far, ``"S"`` …, in the order in which they first were (R7.4)."""
        return notation.read_suits_led(self.row)

    @property
    def trick(self) -> list[tuple[int, str]]:
        """The running trick in the order played, as (seat, card)."""
        if int(self.row[TRICK_CARDS]) == 0:
            return []
        return notation.read_tricks(self.row)[-1].plays

    @property
    def trick_history(self) -> list[notation.Trick]:
        """Every trick of this deal, the running one last."""
        return notation.read_tricks(self.row)

    @property
    def tricks(self) -> list[int]:
        """Tricks taken, by seat."""
        return [int(self.row[TAKEN + seat]) for seat in range(SEATS)]

    @property
    def scores(self) -> tuple[int, int]:
        """Totals, points by side."""
        return int(self.row[SCORES]), int(self.row[SCORES + 1])

    @property
    def deal_result(self) -> DealResult | None:
        """How the deal ended, None while it runs."""
        if int(self.row[PHASE]) != OVER:
            return None
        made = int(self.row[MADE])
        tricks = [int(side_tricks(self.row, side)) for side in range(SIDES)]
        return DealResult(
            self.contract,
            self.contractor,
            None if made < 0 else bool(made),
            (tricks[0], tricks[1]),
            (int(self.row[POINTS]), int(self.row[POINTS + 1])),
        )

    @property
    def is_over(self) -> bool:
        """Whether a side has won the game."""
        return self.winner is not None

    @property
    def winner(self) -> int | None:
        """The side that has won the game, None while it goes on."""
        return _seat_or_none(self.row[WINNER])

    @property
    def history(self) -> list[PlayedDeal]:
        """The deals of this game, the current one last, with every action in order."""
        opening = (int(self.row[OPENING]), int(self.row[OPENING + 1]))
        deal = notation.format_deal(self.row)
        current = PlayedDeal(deal, self.dealer, opening, self._history.copy(), self.deal_result)
        return [*self._finished, current]

    def next_deal(self) -> Game:
        """Pass the deal to the left and deal again.

        Raises:
            OrderError: The deal is running, or the game is over.

        Rules: R2.2, R3.7.
        """
        if int(self.row[PHASE]) != OVER:
            raise OrderError(f"the deal is not over, its phase is {self.phase}: no next deal yet")
        if self.is_over:
            raise OrderError(f"side {self.winner} has won the game: there is no next deal")
        self._finished = self.history
        self._history = []
        engine.next_deal(self.row)
        self._shown = -1
        return self

    def next_from(self, deal: str) -> Game:
        """Pass the deal to the left and lay out a given deal, for games that were dealt elsewhere.

        Raises:
            NotationError: The deal is no deal of the pack; nothing has changed.
            OrderError: The deal is running, or the game is over.
        """
        masks = notation.parse_deal(deal, self.rules)
        self.next_deal()
        self.row[HAND : HAND + SEATS] = masks[:SEATS]
        self.row[KITTY] = masks[SEATS]
        self._shown = -1
        return self


def _seed(seed: int | None) -> int:
    """Return a checked seed, or a fresh one for None."""
    return secrets.randbits(64) if seed is None else notation.check_seed(seed)


def _seat_or_none(value: Any) -> int | None:
    """Return a seat or side of a row, None for -1."""
    return int(value) if int(value) >= 0 else None


def _nomination(code: int) -> str | None:
    """Return a nomination in notation, None for one that was not made."""
    if code == NOT_NOMINATED:
        return None
    return "=-" if code == DECLINED else f"={SUIT_LETTERS[code]}"

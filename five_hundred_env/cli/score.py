"""The score keeper: from lines that people write to a running sheet. All points come from `core.scoring`.

A line is one deal::

    7H us 8          contract, who plays it, tricks taken by the contractor's side
    8NT 3 7          a seat, 0 to 3, may stand for its side: 0 and 2 are us, 1 and 3 them
    MIS>7S them 0    the bid that it was made over, behind >; the whole auction may stand so: MIS>7S>6H
    6D>- us 6        > - says that it opened the auction
    PASS             nobody bid
    PASS us 6        nobody bid, and the table plays that without trumps (all_pass=no_trumps)
    # text           a comment, also behind a deal

Rules: R3.2, R3.3, R3.4, R8.4, R9.1, R10.1 and the options that change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from five_hundred_env.core import actions
from five_hundred_env.core.bidding import bid_order, legal_calls
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, PASS, SEATS, SIDES
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.scoring import score_deal
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    MADE,
    N_COLUMNS,
    N_RULES,
    POINTS,
    RULE_HAND,
    RULE_MISERE_RANK,
    RULE_OPEN_MISERE_RANK,
    SCORES,
    TAKEN,
    TRICK_NUMBER,
    WINNER,
)
from five_hundred_env.errors import NotationError, OptionError
from five_hundred_env.notation import check_scores, explain

SIDE_WORDS = ("us", "them")
OVER = ">"
OPENED = "-"
HELP = "a deal is CONTRACT SIDE TRICKS such as 7H us 8, or PASS"


@dataclass(frozen=True)
class Entry:
    """A deal that was played, as a person wrote it.

    Attributes:
        contract: The contract as a call id, `PASS` for none.
        side: The contractor's side; without a contract the side that `tricks` counts.
        who: That side or seat as it was written, empty in a thrown-in deal.
        tricks: Tricks taken by that side.
    """

    contract: int
    side: int
    who: str
    tricks: int


@dataclass(frozen=True)
class Scored:
    """A deal with its points.

    Attributes:
        entry: The deal.
        made: Whether the contract was made, None without one.
        points: By side.
        scores: Totals after it by side, points.
        winner: The side that has won the game with it, or None.
    """

    entry: Entry
    made: bool | None
    points: tuple[int, int]
    scores: tuple[int, int]
    winner: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        none = self.entry.contract == PASS
        return {
            "contract": None if none else actions.CALL_NAMES[self.entry.contract],
            "contractor": None if none else SIDE_WORDS[self.entry.side],
            "made": self.made,
            "tricks": self.entry.tricks,
            "points": list(self.points),
            "scores": list(self.scores),
            "winner": None if self.winner is None else SIDE_WORDS[self.winner],
        }


def parse_scores(text: str, rules: Rules) -> tuple[int, int]:
    """Return totals written as ``120/-40``, us first.

    Raises:
        OptionError: They are no totals of a game that goes on.
    """
    try:
        us, them = (int(word) for word in text.split("/"))
    except ValueError:
        raise OptionError(f"scores are two numbers such as 120/-40, us first, not {text!r}") from None
    return check_scores((us, them), rules)


def parse_entry(text: str, rules: Rules) -> Entry:
    """Return the deal that a line describes.

    Raises:
        NotationError: The line is no deal, or one that can not have been.
    """
    words = text.upper().split()
    if not 1 <= len(words) <= 3 or len(words) == 2:
        raise NotationError(f"{text!r} has {len(words)} words; {HELP}")
    contract = parse_auction(words[0], rules)
    if len(words) == 1:
        if contract != PASS:
            raise NotationError(f"{words[0]} needs who played it and the tricks; {HELP}")
        if rules.all_pass == "no_trumps":
            raise NotationError(
                "a deal that nobody bid is played without trumps here (all_pass=no_trumps); "
                "write who took how many tricks: PASS us 6"
            )
        return Entry(PASS, 0, "", 0)
    if contract == PASS and rules.all_pass != "no_trumps":
        raise NotationError("a deal that nobody bid is thrown in, no tricks are taken (R3.7); write PASS alone")
    side = parse_side(words[1])
    return Entry(contract, side, words[1].lower(), parse_tricks(words[2], contract, rules))


def parse_auction(text: str, rules: Rules) -> int:
    """Return the contract of ``MIS>7S>6H``, each bid checked against the one it was made over.

    Raises:
        NotationError: A call is unknown, or illegal there.

    Rules: R3.2, R3.3, R3.4.
    """
    names = text.split(OVER)
    opened = len(names) > 1 and names[-1] == OPENED
    if opened:
        names = names[:-1]
    for name in names:
        if name not in actions.CALL_NAMES or (name == "PASS" and len(names) > 1):
            raise NotationError(f"no bid is called {name!r}; bids are 6S … 10NT MIS OMIS")
    calls = [actions.CALL_NAMES.index(name) for name in names]
    if calls == [PASS]:
        return PASS
    row = np.zeros(N_COLUMNS, np.int64)
    row[:N_RULES] = rules.row
    order = bid_order(int(rules.row[RULE_MISERE_RANK]), int(rules.row[RULE_OPEN_MISERE_RANK]))
    for call in calls:
        if call not in order:
            raise NotationError(_impossible(row, call, "here"))
    for call, last in zip(calls, [*calls[1:], PASS] if opened else calls[1:], strict=False):
        row[BID] = last
        if not int(legal_calls(row)) >> call & 1:
            raise NotationError(
                _impossible(row, call, f"over {actions.CALL_NAMES[last]}" if last else "as the first bid")
            )
    return calls[0]


def _impossible(row: Row, call: int, where: str) -> str:
    rule, reason = explain(row, call)
    return f"{actions.CALL_NAMES[call]} {where} is impossible: {reason} ({rule})"


def parse_side(text: str) -> int:
    """Return the side of a seat 0 to 3, or of ``us`` or ``them``.

    Raises:
        NotationError: It is neither.
    """
    if text.lower() in SIDE_WORDS:
        return SIDE_WORDS.index(text.lower())
    if text in [str(seat) for seat in range(SEATS)]:
        return int(text) % SIDES
    raise NotationError(f"who plays is us, them or a seat 0 to {SEATS - 1}, not {text.lower()!r}")


def parse_tricks(text: str, contract: int, rules: Rules) -> int:
    """Return a number of tricks that the deal allows.

    Raises:
        NotationError: It is none.

    Rules: R6.4, R8.4.
    """
    most = int(rules.row[RULE_HAND])
    if not text.isdecimal() or int(text) > most:
        raise NotationError(f"{text} tricks are impossible: a deal has {most} (R6.4)")
    tricks = int(text)
    if contract >= MIS and tricks > 1 and not rules.misere_defence:
        raise NotationError(f"{tricks} tricks are impossible: a misère ends with the contractor's first one (R8.4)")
    return tricks


def score_entry(entry: Entry, scores: tuple[int, int], rules: Rules) -> Scored:
    """Return the points of a deal and the totals after it.

    Args:
        entry: The deal.
        scores: Totals before it by side, points.
        rules: The rules.
    """
    row = np.zeros(N_COLUMNS, np.int64)
    row[:N_RULES] = rules.row
    row[BID] = entry.contract
    row[BIDDER] = entry.side if entry.contract else -1
    row[MADE] = row[WINNER] = -1
    row[SCORES : SCORES + SIDES] = scores
    row[TAKEN + entry.side] = entry.tricks
    if entry.contract < MIS:
        row[TAKEN + 1 - entry.side] = int(rules.row[RULE_HAND]) - entry.tricks
    row[TRICK_NUMBER] = rules.row[RULE_HAND]
    if entry.contract != PASS or entry.who:
        score_deal(row)
    made, winner = int(row[MADE]), int(row[WINNER])
    return Scored(
        entry,
        None if made < 0 else bool(made),
        (int(row[POINTS]), int(row[POINTS + 1])),
        (int(row[SCORES]), int(row[SCORES + 1])),
        None if winner < 0 else winner,
    )


@dataclass(frozen=True)
class SheetLine:
    """A line of the sheet: a deal with its points, or what is wrong with it."""

    number: int
    scored: Scored | None
    error: str | None


class Sheet:
    """Keeps the score of one game, line by line.

    Attributes:
        scores: Totals by side, points.
        winner: The side that has won, or None.
        wrong: Lines that were impossible; they count nothing.
        lines: All lines so far that were not blank.
    """

    def __init__(self, rules: Rules, scores: tuple[int, int] = (0, 0)) -> None:
        self.rules = rules
        self.scores = scores
        self.winner: int | None = None
        self.wrong = 0
        self.lines: list[SheetLine] = []

    def read(self, text: Iterable[str]) -> Iterator[SheetLine]:
        """Score lines as they come and yield each; an impossible one counts nothing and the next goes on from there."""
        for number, line in enumerate(text, 1):
            deal = line.partition("#")[0].strip()
            if deal:
                self.lines.append(self._line(number, deal))
                yield self.lines[-1]

    def _line(self, number: int, deal: str) -> SheetLine:
        try:
            if self.winner is not None:
                raise NotationError(f"the game is over, {SIDE_WORDS[self.winner]} had won before {deal!r} (R10.1)")
            scored = score_entry(parse_entry(deal, self.rules), self.scores, self.rules)
        except NotationError as error:
            self.wrong += 1
            return SheetLine(number, None, str(error))
        self.scores = scored.scores
        self.winner = scored.winner
        return SheetLine(number, scored, None)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole sheet as data for JSON."""
        return {
            "rules": self.rules.to_text(),
            "deals": [{"line": line.number, **line.scored.to_dict()} for line in self.lines if line.scored],
            "impossible": [{"line": line.number, "reason": line.error} for line in self.lines if line.error],
            "scores": list(self.scores),
            "winner": None if self.winner is None else SIDE_WORDS[self.winner],
        }


def head_text() -> str:
    """Return the head of the sheet."""
    return f"line  {'deal':<14}  {'us':>12}  {'them':>12}"


def line_text(line: SheetLine) -> str:
    """Return a line of the sheet: the deal, and for each side its points and its total."""
    if line.scored is None:
        return f"{line.number:>4}  impossible: {line.error}"
    entry, made = line.scored.entry, line.scored.made
    mark = "" if made is None else " made" if made else " failed"
    name = f"{actions.CALL_NAMES[entry.contract]} {entry.who} {entry.tricks}" if entry.who else "PASS"
    cells = [
        f"{_signed(points):>5}{total:>7}" for points, total in zip(line.scored.points, line.scored.scores, strict=True)
    ]
    return f"{line.number:>4}  {name:<14}  {cells[0]}  {cells[1]}{mark}"


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "-"


def end_text(sheet: Sheet) -> str:
    """Return how the game stands."""
    us, them = sheet.scores
    stands = f"us {us}, them {them}"
    text = f"the game goes on: {stands}" if sheet.winner is None else f"{SIDE_WORDS[sheet.winner]} won: {stands}"
    return (
        f"{text}; {sheet.wrong} impossible {'line' if sheet.wrong == 1 else 'lines'} not counted"
        if sheet.wrong
        else text
    )

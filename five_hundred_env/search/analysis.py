"""What each decision of a deal cost against perfect play with all hands open, and the contract against par."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from five_hundred_env.core.actions import decode
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, OVER, PHASES
from five_hundred_env.core.scoring import score_deal
from five_hundred_env.core.state import BID, BIDDER, PHASE, POINTS, RULE_HAND, TAKEN, TRICK_NUMBER
from five_hundred_env.game import Game
from five_hundred_env.search.deals import Par, par
from five_hundred_env.search.values import solve, solve_moves


@dataclass(frozen=True)
class Cost:
    """One decision after the auction, with more than one legal action.

    Attributes:
        number: Which action of the deal, from 1.
        seat: Who decided.
        phase: ``discard``, ``nominate``, ``play`` or ``name``.
        trick: The trick, from 1; 0 before the first lead.
        action: What was done.
        value: What that is worth with open cards, as `solve` counts.
        best: What the best action would have been worth.
        better: The actions of that worth, empty when nothing was lost; not listed for discards.
        tricks: Tricks that the decision cost its side.
        points: Points of the deal (own minus the other side's) that it cost.
    """

    number: int
    seat: int
    phase: str
    trick: int
    action: str
    value: int
    best: int
    better: tuple[str, ...]
    tricks: int
    points: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {**vars(self), "better": list(self.better)}


@dataclass(frozen=True)
class Analysis:
    """A deal against perfect play.

    Attributes:
        costs: Every decision that had a choice.
        contract: The contract, None when all passed.
        contractor: Its contractor.
        value: What the contract was worth after the auction, best discards included; None without one.
        points: Points of the deal by side, None when it was broken off.
        value_points: Points of the deal by side had all played perfectly after the auction; None without a contract.
        par: The outcome of a perfect auction over the hands as dealt.
    """

    costs: tuple[Cost, ...]
    contract: str | None
    contractor: int | None
    value: int | None
    points: tuple[int, int] | None
    value_points: tuple[int, int] | None
    par: Par

    def lost(self, seat: int) -> tuple[int, int]:
        """Return the tricks and points that a seat's decisions have cost its side."""
        own = [cost for cost in self.costs if cost.seat == seat]
        return sum(cost.tricks for cost in own), sum(cost.points for cost in own)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, as JSON takes them."""
        return {
            **vars(self),
            "costs": [cost.to_dict() for cost in self.costs],
            "par": {**vars(self.par), "calls": [list(call) for call in self.par.calls]},
        }


def analyse_deal(game: Game, actions: Sequence[int | str]) -> Analysis:
    """Compare a deal with perfect play, decision by decision.

    Args:
        game: The deal before its first call.
        actions: What was done, ids or notation.
    """
    game = game.copy()
    costs = []
    value: int | None = None
    value_points = None
    for number, action in enumerate(actions, 1):
        if game.contract is not None and value is None and game.phase != "auction":
            value = solve(game)
            value_points = points_of(game.row, value)
        if game.phase != "auction" and len(game.legal()) > 1:
            costs.append(_cost(game, number, action))
        game.apply(action)
    result = game.deal_result
    points = None if result is None else (result.points[0], result.points[1])
    return Analysis(tuple(costs), game.contract, game.contractor, value, points, value_points, par(game))


def _cost(game: Game, number: int, action: int | str) -> Cost:
    """Return what one decision cost."""
    seat = game.seat
    assert seat is not None
    phase, name = game.phase, action if isinstance(action, str) else decode(action)
    after = game.copy()
    after.apply(action)
    better: tuple[str, ...] = ()
    if phase == "discard":
        best, value = solve(game), solve(after)
    else:
        values = solve_moves(game)
        value = values[name]
        best = solve(game)
        better = tuple(move for move, worth in values.items() if worth == best)
    sign = 1 if seat % 2 == 0 else -1
    gap = sign * (_difference(game.row, best) - _difference(game.row, value))
    before = int(game.row[PHASE]) < PHASES.index("play")
    return Cost(
        number=number,
        seat=seat,
        phase=phase,
        trick=0 if before else int(game.row[TRICK_NUMBER]) + 1,
        action=name,
        value=value,
        best=best,
        better=better if value != best else (),
        tricks=abs(best - value),
        points=gap,
    )


def _difference(row: Row, value: int) -> int:
    """Return the points of side 0 minus those of side 1 when a deal comes to a value."""
    points = points_of(row, value)
    return points[0] - points[1]


def points_of(row: Row, value: int) -> tuple[int, int]:
    """Return the points of a deal by side when it comes to a value.

    Args:
        row: Any position of the deal with a contract, or of a deal that is played without one.
        value: As `solve` counts.

    Rules: R9.2, R9.3, R9.4, R9.5.
    """
    row = row.copy()
    bid = int(row[BID])
    contractor = int(row[BIDDER]) if bid else 0
    row[TAKEN : TAKEN + 4] = 0
    row[TAKEN + contractor] = value
    row[TAKEN + (contractor + 1) % 4] = 0 if bid >= MIS else int(row[RULE_HAND]) - value
    row[PHASE] = OVER
    score_deal(row)
    return int(row[POINTS]), int(row[POINTS + 1])

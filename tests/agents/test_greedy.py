"""Judgement of `greedy`, in positions worked out by hand."""

from __future__ import annotations

from tests.agents.helpers import ask
from tests.rules.helpers import LAYERED, LOWEST, SUITED, declare, fill, start


def test_it_bids_a_suit_with_many_trumps_and_passes_with_nothing() -> None:
    """Ten spades promise 8 + 0 + 0 + 2 = 10 tricks: the lowest bid in spades is 6S. Nothing promises 2 and a little."""
    assert ask("greedy", start(SUITED)) == "6S"
    weak = fill("5S6S7S5C6C7C5D6D5H6H")
    assert ask("greedy", start(weak)) == "PASS"


def test_it_takes_a_trick_as_cheaply_as_it_can() -> None:
    """Seat 0 leads 5C; seat 1 holds JC TC of clubs and takes with TC, which is enough."""
    deal = fill("5CASKSQS9S8S7S6S5S5H", "JCTCKDQDJD9DKHQHJH9H", kitty="JK4D4H")
    assert ask("greedy", declare(deal, "6NT", "JK 4D 4H =- 5C")) == "TC"


def test_it_leaves_its_partner_the_trick() -> None:
    """Partner's AC stands: QC is not wasted on it, 5C goes."""
    deal = fill("ACASKSQSTS9S8S7S6S5S", "6C7CKDQDJD9DKHQHJH9H", "5CQCADTD8D7DAHTH8H7H", kitty="JK4D4H")
    assert ask("greedy", declare(deal, "6NT", "JK 4D 4H =- AC 6C")) == "5C"


def test_it_goes_as_close_under_as_it_can_in_a_misere() -> None:
    """Seat 0 leads 7S in LAYERED's mirror; the contractor follows below the highest card so far."""
    game = declare(LOWEST, "OMIS", "JK 7H 6H =- 5C 8C TC")
    assert game.tricks[3] == 1
    game.apply("TS")
    assert ask("greedy", game) == "7S"


def test_it_puts_its_lowest_side_cards_away() -> None:
    """Spades are trumps and seat 0's aces stay: of LAYERED's thirteen the lowest is 4D."""
    assert ask("greedy", declare(LAYERED, "6S")) == "4D"

"""Decisions against perfect play, worked out by hand."""

from __future__ import annotations

from five_hundred_env import Game
from five_hundred_env.core.constants import PHASES
from five_hundred_env.search.analysis import Cost, analyse_deal, points_of

DEAL = "5S6S7S8S9STSQSKSASJK 5D6D7D8D9DTDQDKDAD4H 5C6C7C8C9CTCQCKCAC4D 5H6H7H8H9HTHQHKHAHJH JSJCJD"
"""Each seat has a suit of its own; the kitty brings seat 0 both black bowers and a diamond."""


def test_a_discard_that_breaks_the_contract() -> None:
    """10S by seat 0, who keeps J♦ and puts three spades away.

    With twelve trumps of thirteen cards and nobody else holding any, ten tricks are there if J♦ goes. The first two
    spades leave that open. With the third J♦ stays; seat 1 keeps a diamond above it for the end, and nine tricks are
    left: -440 and 10 to the others instead of +440, 890 points.
    """
    game = Game.from_deal(DEAL, dealer=3)
    analysis = analyse_deal(game, ["10S", "PASS", "PASS", "PASS", "5S", "6S", "7S"])
    assert analysis.costs == (
        Cost(5, 0, "discard", 0, "5S", 10, 10, (), 0, 0),
        Cost(6, 0, "discard", 0, "6S", 10, 10, (), 0, 0),
        Cost(7, 0, "discard", 0, "7S", 9, 10, (), 1, 890),
    )
    assert (analysis.contract, analysis.contractor, analysis.value) == ("10S", 0, 10)
    assert (analysis.points, analysis.value_points) == (None, (440, 0))
    assert analysis.lost(0) == (1, 890)
    assert analysis.lost(1) == (0, 0)


def test_a_card_that_costs_a_trick_and_the_ones_that_do_not() -> None:
    """The same contract with J♦ kept, which is led first: seat 1 should take it with Q♦, K♦ or A♦.

    Led last or first, J♦ loses one trick, so nine is the value either way and the lead costs nothing. When seat 1 plays
    5♦ to it, J♦ wins, ten tricks are made, and 890 points are gone.
    """
    game = Game.from_deal(DEAL, dealer=3)
    actions = ["10S", "PASS", "PASS", "PASS", "5S", "6S", "7S", "JD", "5D"]
    costs = analyse_deal(game, actions).costs
    assert costs[3] == Cost(8, 0, "play", 1, "JD", 9, 9, (), 0, 0)
    assert costs[-1] == Cost(9, 1, "play", 1, "5D", 10, 9, ("QD", "KD", "AD"), 1, 890)


def test_par_and_the_points_of_a_finished_deal() -> None:
    """Seat 0 takes ten tricks in spades and, its joker nominated as a spade, without trumps: 10NT, 520 points.

    Its partner would, too, with nine clubs to cash and the joker opposite for the tenth; the first to pass lets it.

    Played in 6S all ten are taken, too, and the slam lifts 40 points to 250.
    """
    game = Game.from_deal(DEAL, dealer=3)
    played = game.copy()
    actions = ["6S", "PASS", "PASS", "PASS", "JD", "5S", "6S"]
    for action in actions:
        played.apply(action)
    while played.phase != "over":
        actions.append(played.legal()[0])
        played.apply(actions[-1])
    analysis = analyse_deal(game, actions)
    assert (analysis.par.contract, analysis.par.points) == ("10NT", (520, 0))
    assert analysis.par.contractor in (0, 2)
    assert analysis.points == analysis.value_points == (250, 0)
    assert all(cost.phase in PHASES and cost.tricks == 0 and cost.points == 0 for cost in analysis.costs)


def test_points_of_values() -> None:
    """7C by seat 3 with 6 tricks: -160 for side 1, 40 for side 0. OMIS by seat 1 broken: -500, nothing for side 0."""
    game = Game.from_deal(DEAL, dealer=2)
    for action in ["7C", "PASS", "PASS", "PASS"]:
        game.apply(action)
    assert points_of(game.row, 6) == (40, -160)
    assert points_of(game.row, 8) == (20, 160)
    game = Game.from_deal(DEAL, dealer=0)
    for action in ["OMIS", "PASS", "PASS", "PASS"]:
        game.apply(action)
    assert points_of(game.row, 1) == (0, -500)
    assert points_of(game.row, 0) == (0, 500)

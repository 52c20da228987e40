"""Worlds drawn out of an observation, and their weights by the calls of an agent, worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.agents import View, load_agent
from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.errors import OptionError
from five_hundred_env.search import Worlds, sample_worlds, solve_many

DEAL = "5S6S7S8S9STSQSKSASJK 5C6C7C8C9CTCQCKCAC4D 5D6D7D8D9DTDQDKDAD4H 5H6H7H8H9HTHQHKHAHJH JSJCJD"
PASS, SIX_SPADES = ACTION_NAMES.index("PASS"), ACTION_NAMES.index("6S")


def seen(game: Game, seat: int) -> Any:
    """Return what a seat sees."""
    return game.observe(seat)["observation"]


def game_of(*actions: str) -> Game:
    """Return a game of the deal, seat 0 to call first, after some actions."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in actions:
        game.apply(action)
    return game


class Joker:
    """Bids 6S with the joker, passes without."""

    def act(self, observation: Any, mask: Any, _keys: Any) -> Any:
        views = [View.from_observation(one, legal) for one, legal in zip(observation, mask, strict=True)]
        assert all("PASS" in view.legal and len(view.hand) == 10 for view in views)
        return np.array([SIX_SPADES if "JK" in view.hand else PASS for view in views])


class Likely:
    """Bids 6S three times in four with the joker, once in four without."""

    def act(self, *_: Any) -> Any:
        raise AssertionError("its probabilities are there to be asked")

    def probabilities(self, observation: Any, _mask: Any) -> Any:
        chances = np.zeros((len(observation), N_ACTIONS))
        for line, one in zip(chances, observation, strict=True):
            line[SIX_SPADES] = 0.75 if "JK" in View.from_observation(one).hand else 0.25
            line[PASS] = 1 - line[SIX_SPADES]
        return chances


def with_joker(worlds: Worlds, seat: int) -> Any:
    """Return which worlds give a seat the joker."""
    return np.array(["JK" in worlds.hands(n)[seat] for n in range(len(worlds))])


def test_worlds_fit_what_is_seen() -> None:
    """Seat 1 sees its own hand in each, 30 cards lie in the other three, no two worlds alike, all weigh the same.

    33 cards are hidden: 33! / (10!³ 3!) layouts.
    """
    game = game_of("6S")
    worlds = sample_worlds(seen(game, 1), 50, seed=3)
    assert len(worlds) == 50
    assert worlds.ways == pytest.approx(math.factorial(33) / (math.factorial(10) ** 3 * math.factorial(3)))
    for n in range(50):
        hands = worlds.hands(n)
        assert hands[0] == sorted(game.hands[1], key=hands[0].index)
        assert len({card for hand in hands for card in hand}) == 40
    assert len({str(worlds.hands(n)) for n in range(50)}) == 50
    assert worlds.weights.tolist() == [1 / 50] * 50


def test_the_seed_decides() -> None:
    observation = seen(game_of("6S"), 1)
    first, same, other = (sample_worlds(observation, 5, seed) for seed in (1, 1, 2))
    assert (first.rows == same.rows).all()
    assert (first.rows != other.rows).any()


def test_a_world_with_a_contract_can_be_solved() -> None:
    """Seat 0 leads the joker in 6S, so it takes that trick at least whatever lies where."""
    game = game_of("6S", "PASS", "PASS", "PASS", "JS", "JC", "JD", "JK")
    worlds = sample_worlds(seen(game, 1), 20, seed=1)
    values = solve_many(worlds.rows)
    assert values.min() >= 1
    assert values.max() <= 10


def test_weights_are_those_of_the_calls() -> None:
    """Seat 0 bids 6S, seat 1 looks: worlds that give seat 0 (to seat 1: seat 3) the joker weigh ten times as much."""
    worlds = sample_worlds(seen(game_of("6S"), 1), 400, caller=Joker(), doubt=0.1)
    held = with_joker(worlds, 3)
    assert 50 < held.sum() < 200
    assert worlds.weights.sum() == pytest.approx(1)
    assert worlds.weights[held] / worlds.weights[~held].min() == pytest.approx(10)
    assert np.ptp(worlds.weights[~held]) == 0


def test_the_weighted_share_is_that_of_bayes() -> None:
    """The joker is one of 33 hidden cards, so seat 0 holds it with 10/33; having bid, with 10 / (10 + 23 / 10) = 0.813.

    4,000 worlds tell the first within 0.03 (four deviations), which moves the second by no more than 0.02.
    """
    worlds = sample_worlds(seen(game_of("6S"), 1), 4000, seed=5, caller=Joker(), doubt=0.1)
    held = with_joker(worlds, 3)
    assert held.mean() == pytest.approx(10 / 33, abs=0.03)
    assert worlds.weights[held].sum() == pytest.approx(10 / (10 + 2.3), abs=0.025)


def test_own_calls_say_nothing_and_passes_do() -> None:
    """Seat 0 bids, seat 1 passes, seat 0 is asked: it holds the joker itself, so seat 1 passes in every world.

    Asked as seat 2, worlds that give seat 1 (to seat 2: seat 3) the joker are ruled out without doubt.
    """
    game = game_of("6S", "PASS")
    own = sample_worlds(seen(game, 0), 50, caller=Joker(), doubt=0)
    assert own.weights.tolist() == [1 / 50] * 50
    worlds = sample_worlds(seen(game, 2), 400, caller=Joker(), doubt=0)
    bidder, passer = with_joker(worlds, 2), with_joker(worlds, 3)
    assert passer.any()
    assert (worlds.weights[~bidder] == 0).all()
    assert worlds.weights[bidder] == pytest.approx(1 / bidder.sum())


def test_an_agent_that_knows_its_probabilities_is_asked_for_them() -> None:
    """0.75 against 0.25: three times as much; with a doubt of a half 0.875 against 0.625."""
    for doubt, ratio in ((0.0, 3.0), (0.5, 0.875 / 0.625)):
        worlds = sample_worlds(seen(game_of("6S"), 1), 100, caller=Likely(), doubt=doubt)
        held = with_joker(worlds, 3)
        assert worlds.weights[held] / worlds.weights[~held].min() == pytest.approx(ratio)


def test_one_that_draws_is_asked_more_than_once() -> None:
    """An agent that bids by the lowest bit of its key does so in about half of the times."""

    class Coin:
        def act(self, _observation: Any, _mask: Any, keys: Any) -> Any:
            return np.where(keys & np.uint64(1), SIX_SPADES, PASS)

    worlds = sample_worlds(seen(game_of("6S"), 1), 100, caller=Coin(), doubt=0, asked=200)
    assert (abs(100 * worlds.weights - 1) < 0.3).all()


def test_calls_that_rule_every_world_out_say_nothing() -> None:
    """Seat 1 bids, and seat 0 sees that it holds the joker itself: nobody that `Joker` describes does that."""
    worlds = sample_worlds(seen(game_of("PASS", "6S"), 0), 20, caller=Joker(), doubt=0)
    assert worlds.weights.tolist() == [1 / 20] * 20


def test_the_built_in_agents_serve_as_callers() -> None:
    """Seat 0 passes: `rule` would have bid with some of the hands that it may hold, so those worlds weigh less."""
    worlds = sample_worlds(seen(game_of("PASS"), 1), 60, caller=load_agent("rule"), doubt=0.01)
    assert worlds.weights.max() / worlds.weights.min() == pytest.approx(100)


@pytest.mark.parametrize(
    "change", [{"count": 0}, {"doubt": 2}, {"asked": 0}, {"observation": np.zeros(3, np.int8)}], ids=str
)
def test_arguments_out_of_range_are_refused(change: dict[str, Any]) -> None:
    given = {"observation": seen(game_of(), 1), "count": 5, **change}
    with pytest.raises(OptionError, match=f"sample_worlds: .*{next(iter(change))}"):
        sample_worlds(**given)

"""A best response by search gains on whom it knows, and chooses by what the worlds say."""

from __future__ import annotations

import json

import numpy as np
import pytest

from five_hundred_env.arena import play_match
from five_hundred_env.arena.crossplay import probe, probes_of
from five_hundred_env.arena.entrants import introduce, load
from five_hundred_env.arena.response import WORLDS, BestResponse, best_of, candidates_of
from five_hundred_env.core.actions import encode
from five_hundred_env.core.constants import AUCTION, PLAY
from five_hundred_env.errors import AgentError, OptionError


def test_the_first_candidate_stays_unless_another_is_clearly_better() -> None:
    """Four worlds alike. Gains of the second: 10, 10, 10, 10, no doubt. Of the third: 100, -20, -20, 20, mean 20.

    Its error is sqrt((80^2 + 40^2 + 40^2 + 0^2) / 3 / 4) = 28.3.
    """
    values = np.array([[0.0, 0, 0, 0], [10, 10, 10, 10], [100, -20, -20, 20]])
    weights = np.full(4, 0.25)
    assert best_of(values, weights, doubt=0.0) == 2
    assert best_of(values, weights, doubt=0.5) == 1, "20 - 14.1 is less than 10"
    assert best_of(values[[0, 2]], weights, doubt=0.7) == 1, "20 - 19.8"
    assert best_of(values[[0, 2]], weights, doubt=0.72) == 0, "20 - 20.4"
    assert best_of(values[:, 3:], np.ones(1), doubt=9.0) == 2, "a world that is known leaves no doubt"


def test_worlds_count_by_their_weights() -> None:
    """The second wins 10 in a world and loses 100 in another: -1 on the mean at weights of 0.9 and 0.1."""
    values = np.array([[0.0, 0.0], [10.0, -100.0]])
    assert best_of(values, np.array([0.9, 0.1]), doubt=0.0) == 0
    assert best_of(values, np.array([0.95, 0.05]), doubt=0.0) == 1, "9.5 - 5"


def test_candidates_in_the_auction_are_the_lower_bids() -> None:
    """Over 6D legal are 6H, 6NT, all of seven and above: of each strain the two lowest levels, and misères."""
    legal = np.array([encode("PASS"), *range(encode("6H"), encode("10NT") + 1), encode("OMIS")])
    found = candidates_of(legal, AUCTION, encode("7H")).tolist()
    assert found[0] == encode("7H")
    expected = "PASS 6H 6NT 7S 7C 7D 7H 7NT 8S 8C 8D OMIS"
    assert sorted(found) == sorted(encode(call) for call in expected.split())
    cards = np.array([encode("AS", "play"), encode("KS", "play")])
    assert candidates_of(cards, PLAY, int(cards[1])).tolist() == [cards[1], cards[0]]


def test_it_gains_on_a_passer_beyond_what_rule_gains() -> None:
    """Paired on the same boards: `rule` wins some 140 points a deal, the response, which may bid freely, far more."""
    rule, response = (play_match(name, "passer", boards=40, seed=6) for name in ("rule", "response:passer"))
    gain = response.board_scores - rule.board_scores
    assert gain.mean() > 30
    assert response.faults == (0, 0)
    assert response.names[0] == "response:passer"


def test_it_does_not_depend_on_the_batch_nor_on_the_workers() -> None:
    play = {"boards": 6, "seed": 2, "bca": False}
    figures = [
        json.dumps(play_match("response/4:greedy", "greedy", **play, **more).to_dict())
        for more in ({}, {"batch": 1}, {"batch": 3, "workers": 2})
    ]
    assert figures[0] == figures[1] == figures[2]


def test_who_is_met_belongs_to_its_identity() -> None:
    one, other, more = (introduce(spec) for spec in ("response:rule", "response:greedy", "response/4:rule"))
    assert len({one.hash, other.hash, more.hash}) == 3
    assert f"{WORLDS} worlds" in one.version
    assert more.name == "response/4:rule"
    assert isinstance(load("response/4:rule"), BestResponse)


def test_senseless_responses_are_refused() -> None:
    with pytest.raises(AgentError, match="no agent is called 'nobody'"):
        load("response:nobody")
    with pytest.raises(OptionError, match="worlds is a number"):
        load("response/9999:rule")
    with pytest.raises(AgentError):
        load("response/0:rule")


def test_a_probe_tries_a_best_response_and_tells_its_budget() -> None:
    assert probes_of("greedy")[-1] == "response:greedy"
    assert not any(str(name).startswith("response") for name in probes_of("pimc"))
    result = probe("passer", ["random", "response/2:passer"], boards=15)
    assert result.best == "response/2:passer"
    assert result.budget.startswith("2 probes of 15 boards each on seed 1, the best one measured on 15 fresh boards")
    assert "2 worlds" in result.budget
    assert "On fresh ones, to be quoted" in str(result)

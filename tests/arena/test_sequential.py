"""Sequential tests keep their error rates, and say what their estimates are worth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from five_hundred_env.arena.sequential import FIRST_LOOK, HIGH, LOW, UNDECIDED, Hypotheses, play_sequential
from five_hundred_env.errors import OptionError

SPREAD = 100.0
LOOK = 200


def decisions(mean: float, hypotheses: Hypotheses, trials: int, seed: int) -> tuple[list[str], list[float], list[int]]:
    """Run sequential tests on made-up boards of a known mean; return decisions, estimates and lengths.

    Scores are skewed as boards are: mostly small, one in ten a large one.
    """
    generator = np.random.default_rng(seed)
    made, estimates, lengths = [], [], []
    for _ in range(trials):
        scores = np.zeros(0)
        while hypotheses.decide(scores) == UNDECIDED and len(scores) < 200_000:
            large = generator.random(LOOK) < 0.1
            fresh = np.where(large, generator.normal(240, 60, LOOK), generator.normal(-80 / 3, 60, LOOK))
            scores = np.concatenate([scores, fresh + mean])
        made.append(hypotheses.decide(scores))
        estimates.append(float(scores.mean()))
        lengths.append(len(scores))
    return made, estimates, lengths


TEST = Hypotheses(0, 15, alpha=0.05, beta=0.1)


def test_a_worthless_agent_is_seldom_called_better() -> None:
    """400 tests at a true difference of 0: at most alpha = 5 % go wrong, plus two standard errors of 1.1 %."""
    made, _, _ = decisions(0, TEST, 400, seed=1)
    assert made.count(HIGH) / 400 <= 0.05 + 0.022
    assert made.count(UNDECIDED) == 0


def test_a_better_agent_is_seldom_missed() -> None:
    """400 tests at a true difference of 15: at most beta = 10 % go wrong, plus two standard errors of 1.5 %."""
    made, _, _ = decisions(15, TEST, 400, seed=2)
    assert made.count(LOW) / 400 <= 0.1 + 0.03
    assert made.count(HIGH) > 300


def test_error_rates_are_not_far_below_what_was_asked_for() -> None:
    """A test that never erred would waste boards: looking every 200 boards, about half of alpha is used at least."""
    made, _, lengths = decisions(0, TEST, 400, seed=3)
    assert made.count(HIGH) / 400 >= 0.01
    # A test of fixed length with these errors needs (1.645 + 1.282)^2 (115 / 15)^2 = 500 boards on the mean or more.
    assert np.mean(lengths) < 500


def test_estimates_at_the_stop_are_biased() -> None:
    """Those who are called better were lucky: their estimates lie above the truth, which is why a match follows."""
    made, estimates, _ = decisions(7.5, TEST, 300, seed=4)
    winners = [value for decision, value in zip(made, estimates, strict=True) if decision == HIGH]
    assert np.mean(winners) > 7.5 + 3


def test_the_ratio_is_that_of_two_normal_means() -> None:
    """N = 300 boards of mean 10 and variance 10,000, hypotheses 0 and 5: 300 * 5 * (20 - 5) / 20,000 = 1.125."""
    scores = np.array([110.0, -90.0] * 150)
    assert Hypotheses(0, 5).ratio(scores) == pytest.approx(1.125)


def test_bounds_are_those_of_wald() -> None:
    """Alpha = beta = 5 %: ± ln 19."""
    assert Hypotheses().bounds == pytest.approx((-math.log(19), math.log(19)))


def test_there_is_no_decision_before_the_first_look() -> None:
    hypotheses = Hypotheses(0, 5)
    scores = np.array([110.0, 90.0] * (FIRST_LOOK // 2))
    assert hypotheses.decide(scores[:-1]) == UNDECIDED
    assert hypotheses.decide(scores) == HIGH
    assert hypotheses.decide(-scores) == LOW


@pytest.mark.parametrize(
    "options", [{"low": 5, "high": 5}, {"low": 6, "high": 5}, {"alpha": 0}, {"beta": 0.5}, {"alpha": -1}]
)
def test_senseless_hypotheses_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Hypotheses(**options)


def test_a_match_is_stopped_and_confirmed_on_fresh_seeds() -> None:
    result = play_sequential("greedy", "random", Hypotheses(0, 20), confirm=100, seed=4)
    assert (result.decision, result.boards) == (HIGH, FIRST_LOOK)
    assert result.confirmation is not None
    assert result.confirmation.boards == 100
    assert result.confirmation.seed != 4
    assert "biased by the stopping" in str(result)
    assert "On fresh seeds, to be quoted: greedy against random" in str(result)
    again = play_sequential("greedy", "random", Hypotheses(0, 20), confirm=100, seed=4, batch=17)
    assert again.to_dict() == result.to_dict()


def test_a_test_may_end_at_its_cap() -> None:
    result = play_sequential("greedy", "greedy", Hypotheses(-5, 5), cap=300, confirm=0)
    assert (result.decision, result.boards, result.confirmation) == (UNDECIDED, 300, None)
    assert str(result).startswith("undecided between +5 points a deal and -5")

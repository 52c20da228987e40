"""Intervals cover as often as they say, ratings recover known strengths; all on made-up scores with fixed seeds."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from five_hundred_env.arena.ratings import (
    ELO,
    NORMAL_95,
    PRIOR_GAMES,
    game_errors,
    rate_games,
    rate_points,
    spread,
)
from five_hundred_env.arena.statistics import bca_interval, estimate


def board_like(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw scores as boards give them: multiples of five, skewed, mostly small, sometimes hundreds."""
    small = generator.integers(-12, 13, shape) * 5
    large = generator.choice([0, 0, 0, 0, 220, 500, -180], shape)
    return (small + large).astype(np.float64)


MEAN = (220 + 500 - 180) / 7
"""Of `board_like`: the small part is symmetric, the large one has seven values of equal weight."""


def test_estimate_of_four_numbers() -> None:
    """10, 20, 30, 40: mean 25, variance 500/3, error sqrt(500/12) = 6.455; t(3, 97.5 %) = 3.182: ± 20.54."""
    found = estimate([10, 20, 30, 40], bca=False)
    assert found.mean == 25
    assert found.standard_error == pytest.approx(math.sqrt(500 / 12))
    assert found.ci95 == pytest.approx((25 - 20.54, 25 + 20.54), abs=0.01)
    assert found.n == 4


def test_a_single_board_tells_nothing_about_its_error() -> None:
    found = estimate([70])
    assert (found.mean, found.standard_error, found.ci95) == (70, math.inf, (-math.inf, math.inf))
    assert found.to_dict()["standard_error"] is None


def test_equal_boards_have_no_error() -> None:
    found = estimate([-620.0] * 50)
    assert (found.standard_error, found.ci95, found.bca95) == (0, (-620, -620), (-620, -620))


@pytest.mark.parametrize("count", [30, 400])
def test_bca_agrees_with_scipy(count: int) -> None:
    """The same method on the same data; both are random, so they agree to a few per cent of the width."""
    values = board_like(np.random.default_rng(5), (count,))
    ours = bca_interval(values, seed=1, resamples=20_000)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, method="BCa", n_resamples=20_000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.03 * (theirs.high - theirs.low))


def test_bca_is_the_same_for_the_same_seed() -> None:
    values = board_like(np.random.default_rng(5), (300,))
    assert bca_interval(values, seed=3) == bca_interval(values, seed=3)
    assert bca_interval(values, seed=3) != bca_interval(values, seed=4)


def coverage(count: int, matches: int, bca: bool) -> float:
    """Return how often intervals over `count` boards hold the true mean."""
    generator = np.random.default_rng(2024)
    hits = 0
    for _ in range(matches):
        scores = board_like(generator, (count,))
        low, high = bca_interval(scores, resamples=600) if bca else estimate(scores, bca=False).ci95
        hits += low <= MEAN <= high
    return hits / matches


def test_the_t_interval_covers_as_often_as_it_says() -> None:
    """3,000 matches of 200 boards: a true rate of 95 % lies within 94 and 96 % but for 1.2 % of the seeds."""
    assert coverage(200, 3000, bca=False) == pytest.approx(0.95, abs=0.01)


def test_the_bootstrap_interval_covers_as_often_as_it_says() -> None:
    assert coverage(200, 250, bca=True) == pytest.approx(0.95, abs=0.04)


def test_an_interval_over_tables_would_be_wrong() -> None:
    """The two tables of a board share its luck: with a shared part the interval over boards covers, over tables not.

    Shared luck adds to both tables' scores here, so tables count everything twice and their interval is too narrow by
    a factor of about the square root of two, 83 % instead of 95 %.
    """
    generator = np.random.default_rng(9)
    boards = tables = 0
    for _ in range(1500):
        luck = board_like(generator, (100,))
        both = np.stack([luck + generator.normal(0, 20, 100), luck + generator.normal(0, 20, 100)])
        low, high = estimate(both.mean(axis=0), bca=False).ci95
        boards += low <= MEAN <= high
        low, high = estimate(both.ravel(), bca=False).ci95
        tables += low <= MEAN <= high
    assert boards / 1500 == pytest.approx(0.95, abs=0.02)
    assert tables / 1500 < 0.88


STRENGTH = np.array([0.0, -60.0, -110.0, 25.0])


def round_robin(generator: np.random.Generator, boards: int) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Draw scores of matches between agents of known strength, with luck that belongs to the board."""
    pairs = list(combinations(range(len(STRENGTH)), 2))
    own = generator.normal(0, 100, (len(STRENGTH), boards))
    scores = [
        STRENGTH[one] - STRENGTH[other] + own[one] - own[other] + generator.normal(0, 150, boards)
        for one, other in pairs
    ]
    return np.array(scores), pairs


def test_point_ratings_are_the_least_squares_ones() -> None:
    """Exact scores: A beats B by 30, B beats C by 40, A beats C by 70 on each board; with A at zero: 0, -30, -70."""
    scores = np.repeat([[30.0], [70.0], [40.0]], 5, axis=1)
    ratings = rate_points(scores, [(0, 1), (0, 2), (1, 2)], 3, anchor=0)
    assert [rating.mean for rating in ratings] == pytest.approx([0, -30, -70])
    centred = rate_points(scores, [(0, 1), (0, 2), (1, 2)], 3, anchor=None)
    assert [rating.mean for rating in centred] == pytest.approx([100 / 3, 10 / 3, -110 / 3])


def test_inconsistent_matches_are_fitted() -> None:
    """A-B 30, B-C 30, A-C 0: in a full round robin of n agents a rating is the sum of results over n.

    A has 30 + 0, B -30 + 30, C 0 - 30: 10, 0, -10; with A at zero 0, -10, -20.
    """
    scores = np.repeat([[30.0], [0.0], [30.0]], 4, axis=1)
    ratings = rate_points(scores, [(0, 1), (0, 2), (1, 2)], 3, anchor=0)
    assert [rating.mean for rating in ratings] == pytest.approx([0, -10, -20])


def test_point_ratings_are_recovered_with_honest_intervals() -> None:
    """300 tournaments: each interval holds the true strength in 95 % of them, and the anchor is exactly zero."""
    generator = np.random.default_rng(77)
    hits = np.zeros(len(STRENGTH))
    for _ in range(300):
        scores, pairs = round_robin(generator, 150)
        for agent, rating in enumerate(rate_points(scores, pairs, len(STRENGTH), anchor=0, bca=False)):
            hits[agent] += rating.ci95[0] - 1e-6 <= STRENGTH[agent] <= rating.ci95[1] + 1e-6
    assert hits[0] == 300
    assert hits[1:] / 300 == pytest.approx(0.95, abs=0.04)


def test_matches_of_different_length_have_honest_intervals() -> None:
    """The last agent has 60 boards a match, the others 300: 400 tournaments, 95 % of the intervals hold the truth.

    Its interval is the widest: its matches have five times fewer boards.
    """
    generator = np.random.default_rng(78)
    hits = np.zeros(len(STRENGTH))
    widths = np.zeros(len(STRENGTH))
    for _ in range(400):
        scores, pairs = round_robin(generator, 300)
        last = len(STRENGTH) - 1
        cut = [own[:60] if last in pair else own for own, pair in zip(scores, pairs, strict=True)]
        for agent, rating in enumerate(rate_points(cut, pairs, len(STRENGTH), anchor=0, bca=False)):
            hits[agent] += rating.ci95[0] - 1e-6 <= STRENGTH[agent] <= rating.ci95[1] + 1e-6
            widths[agent] += rating.ci95[1] - rating.ci95[0]
    assert hits[1:] / 400 == pytest.approx(0.95, abs=0.035)
    assert widths.argmax() == len(STRENGTH) - 1


def test_a_short_match_keeps_its_mean_and_its_error() -> None:
    """Two boards 10 and 30, mean 20, error 10; spread over four: 20 + 2 (10 - 20), 20 + 2 (30 - 20), 20, 20.

    Mean 20; squares 400 + 400 over 4 boards and 3 degrees: sqrt(800 / 3 / 4) = 8.2 beside sqrt(200 / 2) = 10.
    With many boards the two errors agree, here to the factor sqrt(n (m - 1) / (m (n - 1))) of n = 4 and m = 2.
    """
    values = spread([np.array([10.0, 30.0]), np.zeros(4)])[0]
    assert values.tolist() == [0, 40, 20, 20]
    found = estimate(values, bca=False, boards=2)
    assert found.mean == 20
    assert found.standard_error == pytest.approx(math.sqrt(800 / 3 / 4))
    assert found.n == 2
    assert found.ci95[1] - 20 == pytest.approx(12.706 * found.standard_error, rel=1e-3), "t of one degree of freedom"


def test_game_ratings_are_the_most_likely_ones() -> None:
    """Against a general optimiser on the logarithm of the likelihood, the prior's half a draw a pair included."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    won, games = np.array([0.75, 0.9, 0.55]), [40, 20, 60]

    def surprise(free: np.ndarray) -> float:
        strength = np.array([0.0, *free])
        total = 0.0
        for (one, other), part, number in zip(pairs, won, games, strict=True):
            chance = 1 / (1 + math.exp(strength[other] - strength[one]))
            wins, losses = part * number + PRIOR_GAMES / 2, (1 - part) * number + PRIOR_GAMES / 2
            total -= wins * math.log(chance) + losses * math.log(1 - chance)
        return total

    best = scipy.optimize.minimize(surprise, [0.0, 0.0], tol=1e-10).x * ELO
    assert rate_games(won, pairs, games, 3, anchor=0) == pytest.approx([0, *best], abs=0.05)


def test_intervals_of_game_ratings_cover() -> None:
    """Strengths 0, -120, 90 on 60 games a match, 500 tournaments: the intervals hold the truth in 95 %."""
    elo = np.array([0.0, -120.0, 90.0])
    pairs = list(combinations(range(3), 2))
    chances = np.array([1 / (1 + 10 ** ((elo[other] - elo[one]) / 400)) for one, other in pairs])
    generator = np.random.default_rng(3)
    hits = np.zeros(3)
    for _ in range(500):
        won = generator.binomial(60, chances) / 60
        ratings = rate_games(won, pairs, 60, 3, anchor=0)
        reach = NORMAL_95 * game_errors(ratings, pairs, 60, 3, anchor=0)
        hits += abs(ratings - elo) <= reach + 1e-9
    assert hits[0] == 500
    assert hits[1:] / 500 == pytest.approx(0.95, abs=0.025)


def test_a_clean_sweep_has_a_wide_interval() -> None:
    """40 of 40 games: 40.25 of 40.5, p = 0.9938; the error is 173.7 / sqrt(40.5 p (1 - p)) = 348 Elo."""
    ratings = rate_games(np.array([1.0]), [(0, 1)], 40, 2, anchor=1)
    errors = game_errors(ratings, [(0, 1)], 40, 2, anchor=1)
    assert errors == pytest.approx([348.5, 0], abs=1.0)


def test_game_ratings_are_recovered() -> None:
    """Elo strengths 0, -200, 150 give win rates of 1 / (1 + 10^(-d/400)); many games give the strengths back."""
    elo = np.array([0.0, -200.0, 150.0])
    pairs = list(combinations(range(3), 2))
    won = np.array([1 / (1 + 10 ** ((elo[other] - elo[one]) / 400)) for one, other in pairs])
    assert rate_games(won, pairs, 1_000_000, 3, anchor=0) == pytest.approx(elo, abs=0.01)


def test_game_ratings_of_two_agents() -> None:
    """Three of four games won and the prior's half a draw: 3.25 to 1.25, 400 log10(2.6) = 166 Elo."""
    assert PRIOR_GAMES == 0.5
    ratings = rate_games(np.array([0.75]), [(0, 1)], 4, 2, anchor=1)
    assert ratings == pytest.approx([400 * math.log10(3.25 / 1.25), 0])


def test_a_clean_sweep_has_a_finite_rating() -> None:
    ratings = rate_games(np.array([1.0]), [(0, 1)], 100, 2, anchor=None)
    assert np.isfinite(ratings).all()
    assert ratings[0] == -ratings[1] > 200

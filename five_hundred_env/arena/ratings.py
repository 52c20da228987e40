"""Ratings out of many matches: points a deal by least squares, and Bradley-Terry on games.

Source: D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from five_hundred_env.arena.statistics import Estimate, Floats, estimate

PRIOR_GAMES = 0.5
"""Games of a draw that each pair of agents is given beforehand, so that a clean sweep has a finite rating."""
ELO = 400 / np.log(10)
NORMAL_95 = 1.959964

Pairs = Sequence[tuple[int, int]]


def board_ratings(scores: Sequence[Floats], pairs: Pairs, count: int, anchor: int | None) -> Floats:
    """Return `[agents, N]` ratings by board, whose means are the least-squares ratings in points a deal.

    Ratings are the numbers whose differences fit the matches best, each match counting alike. They are linear in the
    board scores, and all matches are over the same boards: each board has its own ratings, and what they scatter
    over boards holds the correlation between matches. A match may have fewer boards than others, the first ones; its
    deviations from its mean then count as much more, and it has none on the boards that it lacks.

    Args:
        scores: For each match `[boards]` points of each board for the first of the two.
        pairs: The two agents of each match; the matches connect all agents.
        count: Agents.
        anchor: Who stands at zero; None puts the mean there.
    """
    design = np.zeros((len(pairs), count))
    for match, (one, other) in enumerate(pairs):
        design[match, one] += 1
        design[match, other] -= 1
    ratings = np.linalg.pinv(design) @ spread(scores)
    ratings -= ratings[anchor] if anchor is not None else ratings.mean(axis=0)
    return np.round(ratings, 9) + 0.0


def spread(scores: Sequence[Floats]) -> Floats:
    """Return `[matches, N]` values of which the means are those of the matches, and their errors too.

    Args:
        scores: For each match the points of its boards; N is the length of the longest.
    """
    most = max(len(own) for own in scores)
    values = np.empty((len(scores), most))
    for match, own in enumerate(scores):
        mean = own.mean()
        values[match] = mean
        values[match, : len(own)] += (own - mean) * (most / len(own))
    return values


def rate_points(
    scores: Sequence[Floats], pairs: Pairs, count: int, anchor: int | None, seed: int = 0, bca: bool = True
) -> list[Estimate]:
    """Return least-squares ratings in points a deal with their intervals over boards.

    Args:
        scores: As for `board_ratings`, as are `pairs`, `count` and `anchor`.
        pairs: The two agents of each match.
        count: Agents.
        anchor: Who stands at zero.
        seed: Of the bootstrap.
        bca: Whether to compute bootstrap intervals.
    """
    fewest = min(len(own) for own in scores)
    return [estimate(own, seed, bca, fewest) for own in board_ratings(scores, pairs, count, anchor)]


def rate_games(
    won: Floats, pairs: Pairs, games: int | Sequence[int], count: int, anchor: int | None, rounds: int = 10_000
) -> Floats:
    """Return Bradley-Terry ratings on the Elo scale by minorisation-maximisation.

    Args:
        won: `[matches]` part of the games that the first of the two won, draws halved.
        pairs: The two agents of each match.
        games: Games a match, one number or one for each.
        count: Agents.
        anchor: Who stands at zero; None puts the mean there.
        rounds: The most rounds of the iteration.
    """
    wins = count_wins(won, pairs, games, count)
    played = wins + wins.T
    strength: npt.NDArray[np.float64] = np.ones(count)
    for _ in range(rounds):
        new = wins.sum(axis=1) / (played / (strength[:, None] + strength[None, :])).sum(axis=1)
        new /= np.exp(np.log(new).mean())
        settled = np.abs(np.log(new / strength)).max() < 1e-12
        strength = new
        if settled:
            break
    ratings: Floats = ELO * np.log(strength)
    ratings -= ratings[anchor] if anchor is not None else ratings.mean()
    return ratings


def count_wins(won: Floats, pairs: Pairs, games: int | Sequence[int], count: int) -> Floats:
    """Return `[agents, agents]` games that one won against another, each pair's half a drawn game included."""
    wins = np.zeros((count, count))
    for (one, other), part, number in zip(pairs, won, np.broadcast_to(games, len(pairs)), strict=True):
        wins[one, other] += part * number + PRIOR_GAMES / 2
        wins[other, one] += (1 - part) * number + PRIOR_GAMES / 2
    return wins


def game_errors(ratings: Floats, pairs: Pairs, games: int | Sequence[int], count: int, anchor: int | None) -> Floats:
    """Return standard errors of Bradley-Terry ratings, from the curvature of the likelihood at them.

    Games count as independent. Two games on the same deals are less so: luck that one pair of agents had in the first
    the other has in the second, which makes the true errors smaller.

    Args:
        ratings: `[agents]` as `rate_games` returns them, as are the other arguments.
        pairs: The two agents of each match.
        games: Games a match.
        count: Agents.
        anchor: Who stands at zero.
    """
    curvature = np.zeros((count, count))
    for (one, other), number in zip(pairs, np.broadcast_to(games, len(pairs)), strict=True):
        chance = expected(ratings[one] - ratings[other])
        own = (number + PRIOR_GAMES) * chance * (1 - chance)
        curvature[[one, other], [one, other]] += own
        curvature[[one, other], [other, one]] -= own
    covariance = np.linalg.pinv(curvature, hermitian=True)
    variance = np.diag(covariance)
    if anchor is not None:
        variance = variance + covariance[anchor, anchor] - 2 * covariance[anchor]
    errors: Floats = ELO * np.sqrt(np.maximum(variance, 0.0))
    return errors


def expected(difference: float) -> float:
    """Return the part of games that a difference in Elo stands for."""
    return float(1 / (1 + np.exp(-difference / ELO)))


def rate_against(won: Sequence[float], games: Sequence[int], others: Sequence[float]) -> tuple[float, float]:
    """Return the Elo rating of one agent and its standard error, where those of its opponents are given.

    Args:
        won: Part of the games that it won against each opponent.
        games: Games against each.
        others: Their ratings.
    """
    low, high = min(others) - 4000.0, max(others) + 4000.0
    gained = sum(part * number + PRIOR_GAMES / 2 for part, number in zip(won, games, strict=True))
    for _ in range(100):
        middle = (low + high) / 2
        due = sum(
            (number + PRIOR_GAMES) * expected(middle - other) for number, other in zip(games, others, strict=True)
        )
        low, high = (low, middle) if due > gained else (middle, high)
    rating = (low + high) / 2
    chances = [expected(rating - other) for other in others]
    curvature = sum(
        (number + PRIOR_GAMES) * chance * (1 - chance) for number, chance in zip(games, chances, strict=True)
    )
    return rating, float(ELO / np.sqrt(curvature))

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


def rate_points(
    scores: Floats, pairs: Sequence[tuple[int, int]], count: int, anchor: int | None, seed: int = 0, bca: bool = True
) -> list[Estimate]:
    """Return least-squares ratings in points a deal: the numbers whose differences fit the matches best.

    A rating is linear in the board scores, and all matches are over the same boards: each board has its own ratings,
    whose mean and intervals over boards are those of the tournament, with the correlation between matches in them.

    Args:
        scores: `[matches, boards]` points of each board for the first of the two.
        pairs: The two agents of each match; the matches connect all agents.
        count: Agents.
        anchor: Who stands at zero; None puts the mean there.
        seed: Of the bootstrap.
        bca: Whether to compute bootstrap intervals.
    """
    design = np.zeros((len(pairs), count))
    for match, (one, other) in enumerate(pairs):
        design[match, one] += 1
        design[match, other] -= 1
    ratings = np.linalg.pinv(design) @ scores
    ratings -= ratings[anchor] if anchor is not None else ratings.mean(axis=0)
    return [estimate(np.round(own, 9) + 0.0, seed, bca) for own in ratings]


def rate_games(
    won: Floats, pairs: Sequence[tuple[int, int]], games: int, count: int, anchor: int | None, rounds: int = 10_000
) -> Floats:
    """Return Bradley-Terry ratings on the Elo scale by minorisation-maximisation.

    Args:
        won: `[matches]` part of the games that the first of the two won, draws halved.
        pairs: The two agents of each match.
        games: Games a match.
        count: Agents.
        anchor: Who stands at zero; None puts the mean there.
        rounds: The most rounds of the iteration.
    """
    wins = np.zeros((count, count))
    for (one, other), part in zip(pairs, won, strict=True):
        wins[one, other] += part * games + PRIOR_GAMES / 2
        wins[other, one] += (1 - part) * games + PRIOR_GAMES / 2
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

"""What boards tell: means, errors, intervals. The unit is the board (or the mirrored game), never the table.

Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), for BCa.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env.errors import MissingExtraError

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]

CONFIDENCE = 0.95
RESAMPLES = 4_999
_BLOCK = 4_000_000  # counts drawn at a time


def special(name: str) -> Callable[..., Any]:
    """Return a function of `scipy.special`.

    Raises:
        MissingExtraError: SciPy is not installed.
    """
    try:
        import scipy.special
    except ImportError as error:
        raise MissingExtraError("intervals need SciPy: pip install 'five_hundred_env[arena]'") from error
    function: Callable[..., Any] = getattr(scipy.special, name)
    return function


@dataclass(frozen=True)
class Estimate:
    """A mean over independent boards and how far it may be trusted.

    Attributes:
        mean: The mean.
        standard_error: Its standard error; infinite for a single board.
        ci95: The 95 % t interval.
        bca95: The 95 % BCa bootstrap interval, None where it was not asked for.
        n: The number of boards.
    """

    mean: float
    standard_error: float
    ci95: Interval
    bca95: Interval | None
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, infinite numbers as None."""
        return {
            "mean": self.mean,
            "standard_error": finite(self.standard_error),
            "ci95": [finite(end) for end in self.ci95],
            "bca95": None if self.bca95 is None else [finite(end) for end in self.bca95],
            "n": self.n,
        }


def finite(number: float) -> float | None:
    """Return a number, None for one that JSON can not write."""
    return number if math.isfinite(number) else None


def estimate(values: npt.ArrayLike, seed: int = 0, bca: bool = True, boards: int | None = None) -> Estimate:
    """Return mean, error and intervals of independent values.

    Args:
        values: `[N]`, N at least 1.
        seed: Of the bootstrap.
        bca: Whether to compute the bootstrap interval.
        boards: How many boards the t interval may count on, where values come from fewer boards than N; None for N.
    """
    array = np.asarray(values, np.float64)
    count = len(array)
    mean = math.fsum(array.tolist()) / count
    if count < 2:
        return Estimate(mean, math.inf, (-math.inf, math.inf), None, count)
    variance = math.fsum(((array - mean) ** 2).tolist()) / (count - 1)
    error = math.sqrt(variance / count)
    known = count if boards is None else boards
    reach = float(special("stdtrit")(known - 1, 0.5 + CONFIDENCE / 2)) * error if known > 1 else math.inf
    interval = bca_interval(array, seed) if bca else None
    return Estimate(mean, error, (mean - reach, mean + reach), interval, known)


def bca_interval(values: npt.ArrayLike, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """Return the 95 % bias-corrected and accelerated bootstrap interval of a mean.

    Board scores take few different values, so resamples are drawn as counts of those values: the same distribution
    as drawing boards, at a cost that does not grow with their number.

    Args:
        values: `[N]`, N at least 2.
        seed: Of the bootstrap.
        resamples: Their number.
    """
    array = np.asarray(values, np.float64)
    distinct, counts = np.unique(array, return_counts=True)
    mean = float(counts @ distinct) / len(array)
    if len(distinct) == 1:
        return mean, mean
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    block = max(1, _BLOCK // len(distinct))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = generator.multinomial(len(array), counts / len(array), size=size)
        means[start : start + size] = drawn @ distinct / len(array)
    ndtr, ndtri = special("ndtr"), special("ndtri")
    below = (np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / (2 * resamples)
    bias = float(ndtri(min(max(below, 1 / resamples), 1 - 1 / resamples)))
    deviations = distinct - mean
    square = float(counts @ deviations**2)
    acceleration = float(counts @ deviations**3) / (6 * square**1.5)
    ends = []
    for tail in (0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2):
        z = bias + float(ndtri(tail))
        ends.append(float(np.quantile(means, float(ndtr(bias + z / (1 - acceleration * z))))))
    return ends[0], ends[1]

"""Sequential tests: play boards until the data decide between two hypotheses, then measure anew.

The hypotheses are differences in points a deal, as chess engines test them in Elo. Board scores are no normal numbers,
but their mean over a few hundred boards is nearly one: the test is the sequential probability ratio test of a normal
mean whose variance is estimated on the way (the generalised form).

An estimate that is read off at the moment when a test stops is biased away from zero. The result therefore carries a
second match on fresh seeds, whose length was fixed beforehand: that is the figure to quote.

Source: A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from five_hundred_env.arena.entrants import AgentSpec, unique_names
from five_hundred_env.arena.match import (
    CHUNK,
    AnyRules,
    MatchResult,
    Progress,
    board_scores,
    collect,
    make_task,
    play_match,
)
from five_hundred_env.arena.statistics import Estimate, Floats, estimate
from five_hundred_env.arena.workers import Workers, fresh_seed, make_workers
from five_hundred_env.errors import OptionError
from five_hundred_env.tables import check_count

FIRST_LOOK = 200
"""Boards before the first look, so that the variance is known well enough."""
HIGH, LOW, UNDECIDED = "high", "low", "undecided"


@dataclass(frozen=True)
class Hypotheses:
    """What a sequential test decides between.

    Attributes:
        low: Points a deal of the first agent under the hypothesis that it is not better.
        high: Points a deal under the hypothesis that it is.
        alpha: Chance to decide for `high` where `low` is true.
        beta: Chance to decide for `low` where `high` is true.

    Raises:
        OptionError: `low` is not below `high`, or a chance is not between 0 and a half.
    """

    low: float = 0.0
    high: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise OptionError(
                f"the low hypothesis, {self.low} points a deal, has to be below the high one, {self.high}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise OptionError(f"{name} is a chance between 0 and 0.5, not {getattr(self, name)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test decides for `low` and for `high`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, scores: Floats) -> float:
        """Return the log-likelihood ratio of `high` against `low`; 0 before there is a variance.

        Args:
            scores: `[N]` points of each board so far.
        """
        variance = float(scores.var()) if len(scores) > 1 else 0.0
        if variance == 0.0:
            return 0.0
        distance = self.high - self.low
        return len(scores) * distance * (2 * float(scores.mean()) - self.low - self.high) / (2 * variance)

    def decide(self, scores: Floats) -> str:
        """Return ``high``, ``low`` or ``undecided`` for the boards so far."""
        if len(scores) < FIRST_LOOK:
            return UNDECIDED
        below, above = self.bounds
        ratio = self.ratio(scores)
        return HIGH if ratio >= above else LOW if ratio <= below else UNDECIDED


@dataclass(frozen=True)
class SequentialResult:
    """How a sequential test ended.

    Attributes:
        names: The two pairs.
        hypotheses: What was tested.
        decision: ``high``, ``low``, or ``undecided`` at the cap.
        ratio: The log-likelihood ratio at the end.
        boards: Boards until then.
        stopped: The estimate at the moment of stopping, biased.
        confirmation: A match of fixed length on fresh seeds, None when none was asked for.
    """

    names: tuple[str, str]
    hypotheses: Hypotheses
    decision: str
    ratio: float
    boards: int
    stopped: Estimate
    confirmation: MatchResult | None

    def to_dict(self) -> dict[str, Any]:
        """Return every figure."""
        return {
            "names": list(self.names),
            "hypotheses": vars(self.hypotheses),
            "bounds": list(self.hypotheses.bounds),
            "decision": self.decision,
            "ratio": self.ratio,
            "boards": self.boards,
            "points_per_deal_when_stopped_biased": self.stopped.to_dict(),
            "confirmation": None if self.confirmation is None else self.confirmation.to_dict(),
        }

    def __str__(self) -> str:
        below, above = self.hypotheses.bounds
        verdict = {
            HIGH: f"{self.names[0]} is better: {self.hypotheses.high:+g} points a deal rather than",
            LOW: f"{self.names[0]} is not better: {self.hypotheses.low:+g} points a deal rather than",
            UNDECIDED: f"undecided between {self.hypotheses.high:+g} points a deal and",
        }[self.decision]
        other = self.hypotheses.high if self.decision == LOW else self.hypotheses.low
        text = (
            f"{verdict} {other:+g} (log-likelihood ratio {self.ratio:+.2f}, bounds {below:+.2f} {above:+.2f}) "
            f"after {self.boards} boards.\n"
            f"Estimate when stopped, biased by the stopping: {self.stopped.mean:+.1f} points a deal."
        )
        if self.confirmation is not None:
            text += f"\nOn fresh seeds, to be quoted: {self.confirmation}"
        return text


def play_sequential(
    a: AgentSpec,
    b: AgentSpec,
    hypotheses: Hypotheses,
    cap: int = 50_000,
    confirm: int = 2_000,
    seed: int = 1,
    rules: AnyRules = "australian",
    *,
    look: int = 200,
    workers: int | Workers = 1,
    batch: int = CHUNK,
    progress: Progress | None = None,
) -> SequentialResult:
    """Play boards until a sequential test decides or the cap is reached, then a match on fresh seeds.

    Args:
        a: The first pair, which is tested for being better.
        b: The second pair.
        hypotheses: What is tested.
        cap: The most boards of the test.
        confirm: Boards of the match on fresh seeds, 0 for none.
        seed: As for `play_match`; the fresh seed follows from it.
        rules: The rules.
        look: Boards between two looks at the data. It belongs to the test: another number may stop elsewhere.
        workers: As for `play_match`.
        batch: As for `play_match`.
        progress: Called with the number of boards just finished.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
    """
    task = make_task(a, b, seed, rules)
    check_count(cap, "cap", "boards")
    check_count(look, "look", "boards")
    own = make_workers(workers) if isinstance(workers, int) else workers
    scores = np.zeros(0)
    try:
        while hypotheses.decide(scores) == UNDECIDED and len(scores) < cap:
            numbers = np.arange(len(scores), min(cap, len(scores) + look))
            outcomes, _ = collect(task, numbers, own, batch, progress)
            scores = np.concatenate([scores, board_scores(outcomes)])
        fresh = fresh_seed(task.seed)
        confirmation = None
        if confirm:
            confirmation = play_match(a, b, confirm, 0, fresh, rules, workers=own, batch=batch, progress=progress)
    finally:
        if own is not workers:
            own.close()
    names = unique_names(task.pairs)
    return SequentialResult(
        (names[0], names[1]),
        hypotheses,
        hypotheses.decide(scores),
        hypotheses.ratio(scores),
        len(scores),
        estimate(scores, seed, bca=False),
        confirmation,
    )

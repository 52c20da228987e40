"""Mixed partnerships: how an agent does with a partner that is not its copy, and what probes find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from five_hundred_env.agents import BUILT_IN
from five_hundred_env.arena.entrants import AgentSpec, Pair, parse_pair, unique_names
from five_hundred_env.arena.match import CHUNK, AnyRules, MatchResult, Progress, play_match
from five_hundred_env.arena.statistics import Estimate, estimate
from five_hundred_env.arena.workers import Workers, fresh_seed, make_workers
from five_hundred_env.errors import OptionError

PROBES = ("overbidder", *(f"five_hundred_env.arena.probes:{name}" for name in ("underbidder", "never_bidder")))
"""The probe agents that `rule` with one habit changed makes."""
BUILT_IN_PROBES = (*PROBES, "misere_spammer", "rule", "greedy")


def probes_of(agent: AgentSpec) -> list[AgentSpec]:
    """Return the probes that try without being named: the built-in ones, and a best response to a fast agent.

    The best response plays thousands of decisions of the agent for one of its own, so it is left out where the agent
    is not one of those that take microseconds.
    """
    return [*BUILT_IN_PROBES, *([f"response:{agent}"] if agent in BUILT_IN else [])]


@dataclass(frozen=True)
class CrossPlay:
    """Every agent with every partner against one reference pair, on the same boards.

    Attributes:
        names: The agents.
        reference: The pair they all meet.
        matches: By positions of the two partners, the lower one first.
    """

    names: tuple[str, ...]
    reference: str
    matches: dict[tuple[int, int], MatchResult]

    def points(self, one: int, partner: int) -> Estimate:
        """Return points a deal of a partnership against the reference."""
        return self.matches[min(one, partner), max(one, partner)].points

    def loss(self, one: int, partner: int, seed: int = 0) -> Estimate:
        """Return what a partnership gains on the mean of its two members playing with their copies.

        Below zero, they do not understand each other. Boards are paired.
        """
        own = [self.matches[agent, agent].board_scores for agent in (one, partner)]
        mixed = self.matches[min(one, partner), max(one, partner)].board_scores
        return estimate(mixed - (own[0] + own[1]) / 2, seed)

    def to_dict(self) -> dict[str, Any]:
        """Return every figure."""
        return {
            "names": list(self.names),
            "reference": self.reference,
            "partnerships": [
                {
                    "partners": [self.names[one], self.names[other]],
                    "points_per_deal": match.points.to_dict(),
                    "against_own_copies": self.loss(one, other).to_dict(),
                }
                for (one, other), match in self.matches.items()
            ],
        }


def play_cross(
    agents: Sequence[AgentSpec],
    reference: AgentSpec = "rule",
    boards: int = 2000,
    seed: int = 1,
    rules: AnyRules = "australian",
    *,
    workers: int | Workers = 1,
    batch: int = CHUNK,
    progress: Progress | None = None,
) -> CrossPlay:
    """Play every partnership of some agents, their own copies included, against a reference pair.

    Args:
        agents: Two or more.
        reference: Whom they all meet.
        boards: Boards a partnership.
        seed: As for `play_match`, as are the other arguments.
        rules: The rules.
        workers: Spawned processes.
        batch: Boards that are played together.
        progress: Called with the number of boards just finished.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
    """
    if len(agents) < 2:
        raise OptionError(f"cross-play has two agents or more, not {len(agents)}")
    singles = [parse_pair(agent) for agent in agents]
    names = unique_names(singles)
    own = make_workers(workers) if isinstance(workers, int) else workers
    matches = {}
    try:
        for one, other in combinations_with_replacement(range(len(agents)), 2):
            pair = Pair(
                f"{names[one]}+{names[other]}",
                (singles[one].specs[0], singles[other].specs[1]),
                (singles[one].identities[0], singles[other].identities[1]),
            )
            matches[one, other] = play_match(
                pair, reference, boards, 0, seed, rules, workers=own, batch=batch, progress=progress
            )
    finally:
        if own is not workers:
            own.close()
    return CrossPlay(tuple(names), parse_pair(reference).name, matches)


@dataclass(frozen=True)
class ProbeResult:
    """What the best of some probes gains against an agent: a lower bound on how far it can be exploited.

    Attributes:
        agent: The agent that was probed.
        searched: Each probe's match on the seeds that the best one was chosen on.
        best: Name of the best probe.
        confirmed: The best probe's match on fresh seeds; its lower end is the bound to quote.
    """

    agent: str
    searched: dict[str, MatchResult]
    best: str
    confirmed: MatchResult

    @property
    def budget(self) -> str:
        """What the search was allowed, as text."""
        first = next(iter(self.searched.values()))
        return (
            f"{len(self.searched)} probes of {first.boards} boards each on seed {first.seed}, the best one measured on "
            f"{self.confirmed.boards} fresh boards; {self.best} is version {self.confirmed.agents[0][0].version}"
        )

    def __str__(self) -> str:
        lines = [str(match) for match in self.searched.values()]
        low = self.confirmed.ci95[0]
        verdict = (
            f"can be exploited by {low:.1f} points a deal or more" if low > 0 else "is not exploited by these probes"
        )
        return "\n".join(
            [
                *lines,
                f"Best on these seeds: {self.best}. On fresh ones, to be quoted: {self.confirmed}",
                f"So {self.agent} {verdict}.",
                f"Budget: {self.budget}.",
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every figure."""
        return {
            "agent": self.agent,
            "budget": self.budget,
            "searched": {name: match.points.to_dict() for name, match in self.searched.items()},
            "best": self.best,
            "confirmed": self.confirmed.to_dict(),
        }


def probe(
    agent: AgentSpec,
    probes: Sequence[AgentSpec] | None = None,
    boards: int = 1000,
    seed: int = 1,
    rules: AnyRules = "australian",
    *,
    workers: int | Workers = 1,
    batch: int = CHUNK,
    progress: Progress | None = None,
) -> ProbeResult:
    """Look for the probe that gains most against a frozen agent, and measure its gain on fresh seeds.

    Args:
        agent: Who is probed.
        probes: Agents that try, a trained best response among them perhaps; None for `probes_of` the agent.
        boards: Boards a probe, and fresh boards of the best one.
        seed: As for `play_match`; the fresh seed follows from it.
        rules: The rules.
        workers: Spawned processes.
        batch: Boards that are played together.
        progress: Called with the number of boards just finished.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
    """
    probes = probes_of(agent) if probes is None else probes
    if not probes:
        raise OptionError("name at least one probe")
    own = make_workers(workers) if isinstance(workers, int) else workers
    try:
        searched = [
            play_match(each, agent, boards, 0, seed, rules, workers=own, batch=batch, bca=False, progress=progress)
            for each in probes
        ]
        best = max(range(len(probes)), key=lambda n: searched[n].points_per_deal)
        fresh = fresh_seed(searched[0].seed)
        confirmed = play_match(
            probes[best], agent, boards, 0, fresh, rules, workers=own, batch=batch, progress=progress
        )
    finally:
        if own is not workers:
            own.close()
    names = unique_names([parse_pair(each) for each in probes])
    return ProbeResult(parse_pair(agent).name, dict(zip(names, searched, strict=True)), names[best], confirmed)

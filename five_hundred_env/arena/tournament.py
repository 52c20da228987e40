"""All against all on the same boards: cross table, ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from five_hundred_env import __version__
from five_hundred_env.agents import load_agent
from five_hundred_env.arena.doubledummy import PlayQuality, compare_play
from five_hundred_env.arena.entrants import AgentSpec, identify, parse_pair, unique_names
from five_hundred_env.arena.log import BoardLog
from five_hundred_env.arena.match import (
    CHUNK,
    AnyRules,
    MatchResult,
    Progress,
    collect,
    games_of,
    make_task,
    summarise,
)
from five_hundred_env.arena.ratings import rate_games, rate_points
from five_hundred_env.arena.statistics import Estimate
from five_hundred_env.arena.workers import Task, Workers, make_workers
from five_hundred_env.core.constants import VERSION
from five_hundred_env.errors import OptionError
from five_hundred_env.tables import check_count

ANCHOR = "rule"
"""The agent at zero of the ratings, wherever it takes part."""


@dataclass(frozen=True)
class TournamentResult:
    """How a tournament ended.

    Attributes:
        names: The pairs, in the order given.
        matches: By positions of the two pairs, the lower one first.
        ratings: Points a deal, by pair.
        elo: Bradley-Terry ratings on games, by pair; None without games.
        anchor: Who stands at zero; None: the mean does.
        play: By positions of the two pairs, how their card play compares with double-dummy play; empty where that was
            not asked for.
    """

    names: tuple[str, ...]
    matches: dict[tuple[int, int], MatchResult]
    ratings: tuple[Estimate, ...]
    elo: tuple[float, ...] | None
    anchor: str | None
    play: dict[tuple[int, int], tuple[PlayQuality, PlayQuality]] = field(default_factory=dict)

    @property
    def first(self) -> MatchResult:
        """Any match, for what all have in common."""
        return next(iter(self.matches.values()))

    @property
    def order(self) -> list[int]:
        """The pairs from the highest rating to the lowest."""
        return sorted(range(len(self.names)), key=lambda n: (-self.ratings[n].mean, n))

    def points(self, one: int, other: int) -> tuple[float, float] | None:
        """Return mean points a deal of one pair against another and the half-width of its 95 % interval."""
        if one == other:
            return None
        match = self.matches[min(one, other), max(one, other)]
        sign = 1 if one < other else -1
        return sign * match.points.mean + 0.0, (match.ci95[1] - match.ci95[0]) / 2

    def win_rate(self, one: int, other: int) -> float | None:
        """Return the part of the games that one pair won against another, None without games."""
        if one == other:
            return None
        rate = self.matches[min(one, other), max(one, other)].game_win_rate
        if rate is None:
            return None
        return rate if one < other else 1 - rate

    def to_dict(self) -> dict[str, Any]:
        """Return every figure; the same tournament gives the same ones on every machine."""
        first = self.first
        return {
            "format": "five_hundred.tournament",
            "package": __version__,
            "environment": VERSION,
            "rules": first.rules.to_text(),
            "rules_hash": first.rules.hash,
            "seed": first.seed,
            "boards": first.boards,
            "games": first.games,
            "names": list(self.names),
            "anchor": self.anchor,
            "ratings": {name: rating.to_dict() for name, rating in zip(self.names, self.ratings, strict=True)},
            "elo": None if self.elo is None else dict(zip(self.names, self.elo, strict=True)),
            "matches": [match.to_dict() for match in self.matches.values()],
            "play_against_double_dummy": [
                {self.names[agent]: quality.to_dict() for agent, quality in zip(pair, both, strict=True)}
                for pair, both in self.play.items()
            ],
        }


def play_tournament(
    agents: Sequence[AgentSpec],
    boards: int = 2000,
    games: int = 0,
    seed: int = 1,
    rules: AnyRules = "australian",
    *,
    workers: int | Workers = 1,
    batch: int = CHUNK,
    bca: bool = True,
    out: str | Path | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TournamentResult:
    """Play every agent against every other on the same boards.

    Args:
        agents: Two or more, as for `play_match`.
        boards: Boards a match.
        games: Mirrored games a match.
        seed: As for `play_match`.
        rules: The rules.
        workers: Spawned processes, or what `make_workers` made.
        batch: Boards that are played together; it changes no figure.
        bca: Whether to compute bootstrap intervals.
        out: A folder for the boards as JSON lines; a run that finds boards of the same tournament there goes on.
        progress: Called with the number of boards and games just finished, those found in `out` included.
        options: `scores`, `part`, `common`, `max_deals`, `limit` and `isolate`, as for `play_match`.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
        RecordError: `out` holds another run.
        RulesError: The rules are unknown.
    """
    if len(agents) < 2:
        raise OptionError(f"a tournament has two agents or more, not {len(agents)}")
    tasks = {
        (one, other): make_task(agents[one], agents[other], seed, rules, **options)
        for one, other in combinations(range(len(agents)), 2)
    }
    check_count(boards, "boards", "boards")
    if games:
        check_count(games, "games", "games")
    check_count(batch, "batch", "boards")
    log = None if out is None else BoardLog(out, _settings(agents, next(iter(tasks.values()))))
    own = make_workers(workers) if isinstance(workers, int) else workers
    try:
        matches = _play_all(tasks, boards, games, own, batch, bca, log, progress)
    finally:
        if own is not workers:
            own.close()
        if log is not None:
            log.close()
    return rate(unique_names([parse_pair(agent) for agent in agents]), matches, bca)


def _play_all(
    tasks: dict[tuple[int, int], Task],
    boards: int,
    games: int,
    workers: Workers,
    batch: int,
    bca: bool,
    log: BoardLog | None,
    progress: Progress | None,
) -> dict[tuple[int, int], MatchResult]:
    """Play all matches and return their figures."""
    matches = {}
    for (one, other), task in tasks.items():
        played = [
            collect(each, np.arange(count), workers, batch, progress, log, (each.kind, one, other))
            for each, count in ((task, boards), (games_of(task), games))
        ]
        conduct = played[0][1] + played[1][1]
        matches[one, other] = summarise(task, np.arange(boards), played[0][0], played[1][0], conduct, bca)
    return matches


def _settings(agents: Sequence[AgentSpec], task: Task) -> dict[str, Any]:
    """Return everything that the outcome of a board depends on, for the head of a log."""
    specs = [parse_pair(agent).specs for agent in agents]
    return {
        "agents": [[identify(spec, load_agent(spec)).to_dict() for spec in pair] for pair in specs],
        "rules": task.rules.to_text(),
        "rules_hash": task.rules.hash,
        "seed": task.seed,
        "scores": None if task.scores is None else list(task.scores),
        "part": task.part,
        "common": None if task.part == "all" else identify(task.common, load_agent(task.common)).to_dict(),
        "max_deals": task.max_deals,
    }


def rate(names: Sequence[str], matches: dict[tuple[int, int], MatchResult], bca: bool = True) -> TournamentResult:
    """Return the tournament that some matches, all against all over the same boards, make up."""
    pairs = list(matches)
    anchor = names.index(ANCHOR) if ANCHOR in names else None
    scores = np.stack([match.board_scores for match in matches.values()])
    first = next(iter(matches.values()))
    elo = None
    if first.games:
        won = np.array([match.game_win_rate for match in matches.values()], np.float64)
        elo = tuple(rate_games(won, pairs, 2 * first.games, len(names), anchor).tolist())
    ratings = rate_points(scores, pairs, len(names), anchor, first.seed, bca)
    return TournamentResult(tuple(names), matches, tuple(ratings), elo, None if anchor is None else ANCHOR)


def with_play(
    result: TournamentResult, boards: int, threads: int = 1, progress: Progress | None = None
) -> TournamentResult:
    """Return a tournament with its card play compared with double-dummy play.

    Args:
        result: The tournament.
        boards: The first so many boards of each match are solved.
        threads: Threads of the solver.
        progress: Called with the number of tables just solved.
    """
    play = {pair: compare_play(match, boards, threads, progress) for pair, match in result.matches.items()}
    return replace(result, play=play)

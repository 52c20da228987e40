"""All against all on the same boards: cross table, ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from five_hundred_env import __version__
from five_hundred_env.arena.anchors import (
    BETWEEN,
    Anchor,
    Anchors,
    anchored_elo,
    anchored_points,
    fixed,
    load_anchors,
    play_anchors,
    play_hash,
)
from five_hundred_env.arena.doubledummy import PlayQuality, compare_play
from five_hundred_env.arena.entrants import AgentSpec, Pair, parse_pair, unique_names
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
from five_hundred_env.arena.ratings import NORMAL_95, board_ratings, game_errors, rate_games, spread
from five_hundred_env.arena.statistics import Estimate, Floats, estimate, finite
from five_hundred_env.arena.workers import Task, Workers, make_workers
from five_hundred_env.core.constants import VERSION
from five_hundred_env.errors import OptionError
from five_hundred_env.tables import check_count

ANCHOR = "rule"
"""The agent at zero of the ratings, wherever it takes part."""

Caps = Mapping[str, tuple[int, int | None]]
"""By agent, the most boards and mirrored games of its matches; None: as many as the others."""


@dataclass(frozen=True)
class TournamentResult:
    """How a tournament ended.

    Attributes:
        names: The pairs, in the order given.
        matches: By positions of the two pairs, the lower one first.
        ratings: Points a deal, by pair.
        elo: Bradley-Terry ratings on games, by pair, each with half of its 95 % interval; None for a pair without
            games.
        anchor: Who stands at zero; None: the mean does.
        by_board: `[pairs, N]` ratings by board, whose means the ratings are.
        anchors: The frozen anchors that fix the scale, if any.
        play: By positions of the two pairs, how their card play compares with double-dummy play; empty where that was
            not asked for.
    """

    names: tuple[str, ...]
    matches: dict[tuple[int, int], MatchResult]
    ratings: tuple[Estimate, ...]
    elo: tuple[tuple[float, float] | None, ...] | None
    anchor: str | None
    by_board: Floats = field(repr=False)
    anchors: Anchors | None = None
    play: dict[tuple[int, int], tuple[PlayQuality, PlayQuality]] = field(default_factory=dict)

    @property
    def first(self) -> MatchResult:
        """Any match, for what all have in common."""
        return next(iter(self.matches.values()))

    @property
    def boards(self) -> int:
        """Boards of the longest matches."""
        return max(match.boards for match in self.matches.values())

    @property
    def games(self) -> int:
        """Mirrored games of the longest matches."""
        return max(match.games for match in self.matches.values())

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

    def difference(self, one: int, other: int) -> Estimate:
        """Return the rating of one pair above another's, paired over boards: the luck that both share drops out."""
        fewest = min(match.boards for match in self.matches.values())
        own = self.by_board[one] - self.by_board[other]
        return estimate(own, self.first.seed, bca=False, boards=fewest)

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
            "boards": self.boards,
            "games": self.games,
            "names": list(self.names),
            "anchor": self.anchor,
            "anchors": None if self.anchors is None else self.anchors.name,
            "ratings": {name: rating.to_dict() for name, rating in zip(self.names, self.ratings, strict=True)},
            "elo": None if self.elo is None else self._elo_data(),
            "differences": [
                {"names": [self.names[one], self.names[other]], **self.difference(one, other).to_dict()}
                for one, other in pairwise(self.order)
            ],
            "matches": [match.to_dict() for match in self.matches.values()],
            "play_against_double_dummy": [
                {self.names[agent]: quality.to_dict() for agent, quality in zip(pair, both, strict=True)}
                for pair, both in self.play.items()
            ],
        }

    def _elo_data(self) -> dict[str, Any]:
        """Return the ratings on games by name, with their intervals."""
        return {
            name: None
            if own is None
            else {"rating": own[0], "ci95": [finite(own[0] - own[1]), finite(own[0] + own[1])]}
            for name, own in zip(self.names, self.elo or (), strict=True)
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
    caps: Caps | None = None,
    anchors: str | Anchors | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TournamentResult:
    """Play every agent against every other on the same boards.

    Args:
        agents: Two or more, as for `play_match`; with anchors, one or more.
        boards: Boards a match.
        games: Mirrored games a match.
        seed: As for `play_match`.
        rules: The rules.
        workers: Spawned processes, or what `make_workers` made.
        batch: The most boards that are played together; it changes no figure.
        bca: Whether to compute bootstrap intervals.
        caps: By agent, the most boards and mirrored games of its matches, for agents that take long: its spec, or what
            stands before the colon of it.
        anchors: Frozen anchors that fix the scale, `v1` or a file; those that do not take part are added.
        out: A folder for the boards as JSON lines; a run that finds boards of the same tournament there goes on.
        progress: Called with the number of boards and games just finished, those found in `out` included.
        options: `scores`, `part`, `common`, `max_deals`, `limit` and `isolate`, as for `play_match`.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
        RecordError: `out` holds another run.
        RulesError: The rules are unknown.
    """
    frozen = load_anchors(anchors) if isinstance(anchors, str) else anchors
    pairs = _seat(with_anchors(agents, frozen), boards, games, batch, bool(options.get("isolate", False)))
    tasks = {
        (one, other): make_task(pairs[one], pairs[other], seed, rules, **options)
        for one, other in combinations(range(len(pairs)), 2)
    }
    sizes = {key: match_size([pairs[n].specs for n in key], boards, games, caps) for key in tasks}
    first = next(iter(tasks.values()))
    if frozen is not None:
        frozen.check(first.rules.hash, first.scores, first.part)
    log = None if out is None else BoardLog(out, _settings(pairs, first))
    own = make_workers(workers) if isinstance(workers, int) else workers
    try:
        matches = _play_all(tasks, sizes, own, batch, bca, log, progress)
    finally:
        if own is not workers:
            own.close()
        if log is not None:
            log.close()
    return rate(unique_names(pairs), matches, bca, frozen, pairs)


def _seat(agents: Sequence[AgentSpec], boards: int, games: int, batch: int, isolate: bool) -> list[Pair]:
    """Return the pairs that play, the numbers checked.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range, or there are fewer than two pairs.
    """
    pairs = [parse_pair(agent, isolate) for agent in agents]
    if len(pairs) < 2:
        raise OptionError(f"a tournament has two agents or more, not {len(pairs)}")
    check_count(boards, "boards", "boards")
    check_count(batch, "batch", "boards")
    if games:
        check_count(games, "games", "games")
    return pairs


def with_anchors(agents: Sequence[AgentSpec], anchors: Anchors | None) -> list[AgentSpec]:
    """Return the agents, and the anchors that are not among them."""
    return [*agents, *(spec for spec in (anchors.specs if anchors else []) if spec not in agents)]


def match_size(specs: Sequence[Sequence[AgentSpec]], boards: int, games: int, caps: Caps | None) -> tuple[int, int]:
    """Return how many boards and mirrored games a match has.

    Args:
        specs: The agents of its two pairs.
        boards: Without caps.
        games: Without caps.
        caps: The most, by agent.

    Raises:
        OptionError: A cap is no number, or leaves no board.
    """
    for name, (most_boards, most_games) in (caps or {}).items():
        if any(name in (str(spec), str(spec).partition(":")[0]) for pair in specs for spec in pair):
            boards = min(boards, check_count(most_boards, f"boards of {name}", "boards"))
            if most_games is not None and most_games != 0:
                check_count(most_games, f"games of {name}", "games")
            games = games if most_games is None else min(games, most_games)
    return boards, games


def _play_all(
    tasks: dict[tuple[int, int], Task],
    sizes: dict[tuple[int, int], tuple[int, int]],
    workers: Workers,
    batch: int,
    bca: bool,
    log: BoardLog | None,
    progress: Progress | None,
) -> dict[tuple[int, int], MatchResult]:
    """Play all matches and return their figures."""
    matches = {}
    for (one, other), task in tasks.items():
        boards, games = sizes[one, other]
        played = [
            collect(each, np.arange(count), workers, batch, progress, log, (each.kind, one, other))
            for each, count in ((task, boards), (games_of(task), games))
        ]
        conduct = played[0][1] + played[1][1]
        matches[one, other] = summarise(task, np.arange(boards), played[0][0], played[1][0], conduct, bca)
    return matches


def _settings(pairs: Sequence[Pair], task: Task) -> dict[str, Any]:
    """Return everything that the outcome of a board depends on, for the head of a log."""
    return {
        "agents": [[identity.to_dict() for identity in pair.identities] for pair in pairs],
        "rules": task.rules.to_text(),
        "rules_hash": task.rules.hash,
        "seed": task.seed,
        "scores": None if task.scores is None else list(task.scores),
        "part": task.part,
        "common": None if task.common_identity is None else task.common_identity.to_dict(),
        "max_deals": task.max_deals,
    }


Matches = dict[tuple[int, int], MatchResult]


def rate(
    names: Sequence[str],
    matches: Matches,
    bca: bool = True,
    anchors: Anchors | None = None,
    pairs: Sequence[Pair] | None = None,
) -> TournamentResult:
    """Return the tournament that some matches, all against all over the same boards, make up.

    Args:
        names: Of the pairs.
        matches: By positions of two pairs.
        bca: Whether to compute bootstrap intervals.
        anchors: Frozen anchors that fix the scale.
        pairs: The pairs, where there are anchors.
    """
    seed = next(iter(matches.values())).seed
    fewest = min(match.boards for match in matches.values())
    if anchors is not None and pairs is not None:
        known = [anchors.of(pair.identities[0]) if pair.specs[0] == pair.specs[1] else None for pair in pairs]
        by_board = np.array([_anchored_boards(n, matches, known) for n in range(len(names))])
        ratings = [
            estimate(own, seed, bca, fewest) if anchor is None else fixed(anchor)
            for own, anchor in zip(by_board, known, strict=True)
        ]
        elo = _anchored_games(matches, known)
        return TournamentResult(tuple(names), matches, tuple(ratings), elo, anchors.zero, by_board, anchors)
    zero = names.index(ANCHOR) if ANCHOR in names else None
    by_board = board_ratings([match.board_scores for match in matches.values()], list(matches), len(names), zero)
    ratings = [estimate(own, seed, bca, fewest) for own in by_board]
    elo = _rate_games(matches, len(names), zero)
    return TournamentResult(tuple(names), matches, tuple(ratings), elo, None if zero is None else ANCHOR, by_board)


def _against(n: int, matches: Matches, known: Sequence[Anchor | None]) -> list[tuple[Anchor, MatchResult, int]]:
    """Return the matches of a pair against anchors, and its place in each."""
    found = []
    for other, anchor in enumerate(known):
        if anchor is not None and other != n:
            found.append((anchor, matches[min(n, other), max(n, other)], 0 if n < other else 1))
    return found


def _anchored_boards(n: int, matches: Matches, known: Sequence[Anchor | None]) -> Floats:
    """Return a pair's rating by board on the scale of the anchors; an anchor's is its rating, whatever it won here."""
    most = max(match.boards for match in matches.values())
    own = known[n]
    if own is not None:
        return np.full(most, own.rating)
    met = _against(n, matches, known)
    scores = [match.board_scores * (1 - 2 * place) for _, match, place in met]
    values = anchored_points(scores, [anchor for anchor, _, _ in met])
    found: Floats = spread([values, np.zeros(most)])[0]
    return found


def _anchored_games(matches: Matches, known: Sequence[Anchor | None]) -> tuple[tuple[float, float] | None, ...] | None:
    """Return ratings on games on the scale of the anchors, None without games."""
    if not any(match.games for match in matches.values()):
        return None
    found: list[tuple[float, float] | None] = []
    for n, own in enumerate(known):
        met = [each for each in _against(n, matches, known) if each[1].games]
        if own is not None:
            found.append((own.elo, 0.0))
        elif met:
            won = [abs(place - (match.game_win_rate or 0.0)) for _, match, place in met]
            games = [2 * match.games for _, match, _ in met]
            found.append(anchored_elo(won, games, [anchor for anchor, _, _ in met]))
        else:
            found.append(None)
    return tuple(found)


def _rate_games(matches: Matches, count: int, zero: int | None) -> tuple[tuple[float, float] | None, ...] | None:
    """Return ratings on games, each with half of its interval; None without games, and for a pair without any."""
    played = {pair: match for pair, match in matches.items() if match.games}
    if not played:
        return None
    there = sorted({n for pair in played for n in pair})
    place = {n: at for at, n in enumerate(there)}
    pairs = [(place[one], place[other]) for one, other in played]
    won = np.array([match.game_win_rate for match in played.values()], np.float64)
    games = [2 * match.games for match in played.values()]
    anchor = place.get(zero) if zero is not None else None
    ratings = rate_games(won, pairs, games, len(there), anchor)
    errors = NORMAL_95 * game_errors(ratings, pairs, games, len(there), anchor)
    found = {n: (float(ratings[at]), float(errors[at])) for n, at in place.items()}
    return tuple(found.get(n) for n in range(count))


def make_anchors(result: TournamentResult, name: str) -> Anchors:
    """Return the agents of a tournament as frozen anchors.

    Raises:
        OptionError: The tournament is not of whole deals at 0 : 0 with mirrored games, nobody stands at zero, or an
            agent can not be loaded by name.
    """
    first = result.first
    if result.elo is None or first.part != "all" or first.scores != (0, 0) or result.anchor is None:
        raise OptionError(f"anchors are made from whole deals at 0 : 0, mirrored games, and {ANCHOR} among the agents")
    identities = [first.agents[0], *(match.agents[1] for pair, match in result.matches.items() if pair[0] == 0)]
    found = []
    for identity, rating, elo in zip(identities, result.ratings, result.elo, strict=True):
        if len(identity) != 1 or elo is None:
            raise OptionError("an anchor is one agent that has played games, not a mixed partnership")
        ends = elo[0] - elo[1], elo[0] + elo[1]
        found.append(Anchor(identity[0], rating.mean, rating.ci95, elo[0], ends))
    rules = first.rules.to_text()
    play = {}
    for one, other in combinations([anchor.identity.spec for anchor in found], 2):
        play[f"{one}{BETWEEN}{other}"] = play_hash(play_anchors(one, other, rules, first.seed).outcomes)
    return Anchors(name, rules, first.rules.hash, first.seed, result.boards, result.games, tuple(found), play)


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

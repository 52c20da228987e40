"""A match between two agents over duplicate boards and mirrored games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from five_hundred_env import notation
from five_hundred_env.arena.boards import AT, OUTCOME_COLUMNS, Rows
from five_hundred_env.arena.entrants import (
    AgentSpec,
    Conduct,
    Pair,
    check_limit,
    introduce,
    parse_pair,
    unique_names,
)
from five_hundred_env.arena.identity import Identity
from five_hundred_env.arena.log import BoardLog, Key
from five_hundred_env.arena.statistics import Estimate, Floats, Interval, estimate
from five_hundred_env.arena.workers import CONTESTED, Pace, Task, Workers, make_workers
from five_hundred_env.core.actions import CALL_NAMES, bid_level
from five_hundred_env.core.constants import MAX_DEALS, MIS, OMIS, STRAIN_NAMES
from five_hundred_env.core.rules import Rules, as_rules
from five_hundred_env.tables import check_choice, check_count

AnyRules = Rules | str | dict[str, Any]
Progress = Callable[[int], None]

CHUNK = 512
"""The most boards that are played together. Small enough for the tables to stay in the processor's cache."""


@dataclass(frozen=True)
class ContractCounts:
    """What a pair bid and made over the tables of a match.

    Attributes:
        tables: Tables played.
        tried: `[28]` contracts played as contractor, by call id.
        made: `[28]` those made.
    """

    tables: int
    tried: Rows
    made: Rows

    @property
    def contracts(self) -> int:
        """Tables at which the pair was the contractor's side."""
        return int(self.tried.sum())

    @property
    def share(self) -> float:
        """The part of the tables at which the pair was the contractor's side."""
        return self.contracts / self.tables if self.tables else 0.0

    @property
    def made_rate(self) -> float | None:
        """The part of its contracts that it made, None without contracts."""
        return _rate(int(self.made.sum()), self.contracts)

    def by_level(self) -> dict[str, tuple[int, int]]:
        """Return tried and made by level, `6` to `10`."""
        return self._grouped(lambda bid: str(bid_level(bid)) if bid < MIS else None)

    def by_strain(self) -> dict[str, tuple[int, int]]:
        """Return tried and made by strain, `S` to `NT`."""
        return self._grouped(lambda bid: STRAIN_NAMES[(bid - 1) % len(STRAIN_NAMES)] if bid < MIS else None)

    def by_bid(self) -> dict[str, tuple[int, int]]:
        """Return tried and made by bid, those that were tried, in the order of their ids."""
        return {
            CALL_NAMES[bid]: (int(self.tried[bid]), int(self.made[bid]))
            for bid in range(1, len(CALL_NAMES))
            if self.tried[bid]
        }

    def _grouped(self, key: Callable[[int], str | None]) -> dict[str, tuple[int, int]]:
        groups: dict[str, tuple[int, int]] = {}
        for bid in range(1, len(CALL_NAMES)):
            name = key(bid)
            if name is not None:
                tried, made = groups.get(name, (0, 0))
                groups[name] = (tried + int(self.tried[bid]), made + int(self.made[bid]))
        return groups

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and rates."""
        return {
            "tables": self.tables,
            "contracts": self.contracts,
            "share": self.share,
            "made_rate": self.made_rate,
            "by_level": _rates(self.by_level()),
            "by_strain": _rates(self.by_strain()),
            "by_bid": _rates(self.by_bid()),
            "misere": {"tried": int(self.tried[MIS]), "made": int(self.made[MIS])},
            "open_misere": {"tried": int(self.tried[OMIS]), "made": int(self.made[OMIS])},
        }


def _rate(made: int, tried: int) -> float | None:
    return made / tried if tried else None


def _rates(groups: dict[str, tuple[int, int]]) -> dict[str, Any]:
    return {name: {"tried": tried, "made": made, "rate": _rate(made, tried)} for name, (tried, made) in groups.items()}


@dataclass(frozen=True)
class MatchResult:
    """How a match ended, told from the first pair.

    Attributes:
        names: The two pairs.
        agents: Identity of the agents of each pair.
        part: What was contested: ``all``, ``bidding``, ``kitty``, ``play``.
        common: Name of the agent that played the rest, None when all was contested.
        rules: The rules.
        seed: The seed.
        scores: Totals at the start of each board by side, points; None when drawn.
        board_numbers: `[N]` which boards.
        outcomes: `[N, 2, OUTCOME_COLUMNS]` both tables of each board.
        game_outcomes: `[G, 2, OUTCOME_COLUMNS]` both tables of each mirrored game.
        conduct: By agent name, decisions, seconds and faults; seconds are no part of `to_dict`.
        points: Points a deal over boards: half of the sum of the two tables' differences.
        wins: Games won over mirrored games, a game that was broken off counting half; None without games.
    """

    names: tuple[str, str]
    agents: tuple[tuple[Identity, ...], tuple[Identity, ...]]
    part: str
    common: str | None
    rules: Rules
    seed: int
    scores: tuple[int, int] | None
    board_numbers: Rows
    outcomes: Rows
    game_outcomes: Rows
    conduct: dict[str, Conduct]
    points: Estimate
    wins: Estimate | None

    @property
    def boards(self) -> int:
        """Boards played."""
        return len(self.outcomes)

    @property
    def games(self) -> int:
        """Mirrored games played, each at two tables."""
        return len(self.game_outcomes)

    @property
    def points_per_deal(self) -> float:
        """Mean over boards of half of [(A − B) at table 1 + (A − B) at table 2], points of the deal."""
        return self.points.mean

    @property
    def standard_error(self) -> float:
        """Standard error of `points_per_deal`."""
        return self.points.standard_error

    @property
    def ci95(self) -> Interval:
        """95 % t interval of `points_per_deal` over boards."""
        return self.points.ci95

    @property
    def bca95(self) -> Interval | None:
        """95 % BCa bootstrap interval of `points_per_deal` over boards."""
        return self.points.bca95

    @property
    def game_win_rate(self) -> float | None:
        """Part of the games that the first pair won, None without games."""
        return None if self.wins is None else self.wins.mean

    @property
    def game_ci95(self) -> Interval | None:
        """95 % t interval of `game_win_rate` over mirrored games."""
        return None if self.wins is None else self.wins.ci95

    @property
    def board_scores(self) -> Floats:
        """`[N]` points of each board, those that `points` is the mean of."""
        return board_scores(self.outcomes)

    @property
    def game_scores(self) -> Floats:
        """`[G]` part of the two games of each mirrored game that the first pair won."""
        return game_scores(self.game_outcomes)

    @property
    def contracts(self) -> tuple[ContractCounts, ContractCounts]:
        """What each pair bid and made over the tables of the boards."""
        return count_contracts(self.outcomes, 0), count_contracts(self.outcomes, 1)

    @property
    def faults(self) -> tuple[int, int]:
        """Tables, of boards and games, that each pair has lost by a fault."""
        seats = np.concatenate([self.outcomes[:, :, AT.fault], self.game_outcomes[:, :, AT.fault]])
        at_side = [np.where(seats >= 0, seats % 2, -1) == np.array(sides) for sides in ((0, 1), (1, 0))]
        return int(at_side[0].sum()), int(at_side[1].sum())

    def to_dict(self) -> dict[str, Any]:
        """Return every figure; the same match gives the same ones on every machine."""
        first, second = self.contracts
        return {
            "agents": [[identity.to_dict() for identity in pair] for pair in self.agents],
            "names": list(self.names),
            "part": self.part,
            "common": self.common,
            "rules": self.rules.to_text(),
            "rules_hash": self.rules.hash,
            "seed": self.seed,
            "scores": None if self.scores is None else list(self.scores),
            "boards": self.boards,
            "points_per_deal": self.points.to_dict(),
            "games": self.games,
            "game_win_rate": None if self.wins is None else self.wins.to_dict(),
            "contracts": {self.names[0]: first.to_dict(), self.names[1]: second.to_dict()},
            "tables_lost_by_a_fault": dict(zip(self.names, self.faults, strict=True)),
        }

    def __str__(self) -> str:
        low, high = self.ci95
        text = (
            f"{self.names[0]} against {self.names[1]}: {self.points_per_deal:+.1f} points a deal "
            f"[{low:+.1f}, {high:+.1f}] over {self.boards} boards"
        )
        if self.wins is not None:
            text += f"; {self.wins.mean:.1%} of games over {self.games} mirrored games"
        return text


def board_scores(outcomes: Rows) -> Floats:
    """Return the score of each board for the first pair, points a deal.

    Args:
        outcomes: `[N, 2, OUTCOME_COLUMNS]`.
    """
    difference = outcomes[:, :, AT.points] - outcomes[:, :, AT.points + 1]
    scores: Floats = (difference[:, 0] - difference[:, 1]) / 2
    return scores


def game_scores(outcomes: Rows) -> Floats:
    """Return the part of each mirrored game that the first pair won; a game broken off counts half.

    Args:
        outcomes: `[G, 2, OUTCOME_COLUMNS]`.
    """
    won = np.where(outcomes[:, :, AT.winner] < 0, 0.5, outcomes[:, :, AT.winner] == np.array([0, 1]))
    scores: Floats = won.mean(axis=1)
    return scores


def count_contracts(outcomes: Rows, pair: int) -> ContractCounts:
    """Count what a pair bid and made.

    Args:
        outcomes: `[N, 2, OUTCOME_COLUMNS]`.
        pair: 0 for the one that sits at seats 0 and 2 of table 1, 1 for the other.
    """
    sides = np.array([pair, 1 - pair])
    own = (outcomes[:, :, AT.contractor] >= 0) & (outcomes[:, :, AT.contractor] % 2 == sides)
    bids = outcomes[:, :, AT.bid][own]
    made = outcomes[:, :, AT.made][own] == 1
    calls = len(CALL_NAMES)
    return ContractCounts(
        outcomes.shape[0] * 2, np.bincount(bids, minlength=calls), np.bincount(bids[made], minlength=calls)
    )


def play_match(
    a: AgentSpec | Pair,
    b: AgentSpec | Pair,
    boards: int = 2000,
    games: int = 0,
    seed: int = 1,
    rules: AnyRules = "australian",
    *,
    scores: Sequence[int] | None = (0, 0),
    part: str = "all",
    common: AgentSpec = "rule",
    max_deals: int = 100,
    workers: int | Workers = 1,
    batch: int = CHUNK,
    limit: float | None = None,
    isolate: bool = False,
    bca: bool = True,
    progress: Progress | None = None,
) -> MatchResult:
    """Play two agents against each other on duplicate boards and mirrored games.

    Args:
        a: The first pair: an agent, its name or file, or `one+other` for a mixed partnership.
        b: The second pair.
        boards: Boards; each is one deal, dealer and scores, played at two tables with the pairs exchanged.
        games: Mirrored games; each is two games on the same stream of deals with the pairs exchanged.
        seed: Where deals and keys come from, 0 to 2**64 - 1.
        rules: The rules.
        scores: Totals at the start of each board by side, points; None draws them for each board.
        part: What is contested: ``all``, or ``bidding``, ``kitty``, ``play`` alone, `common` playing the rest.
        common: Who plays what is not contested.
        max_deals: Deals after which a game is broken off.
        workers: Spawned processes, 1 for none; or what `make_workers` made, to be used again.
        batch: The most boards that are played together; it changes no figure.
        limit: Seconds a decision, after which an answer is late; None for no limit. A result with a limit may depend
            on the machine.
        isolate: Whether each agent plays in a process of its own, which sees nothing but its observations and is
            ended when it answers late.
        bca: Whether to compute bootstrap intervals.
        progress: Called with the number of boards and games just finished.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
        RulesError: The rules are unknown.
    """
    task = make_task(a, b, seed, rules, scores, part, common, max_deals, limit, isolate)
    own = make_workers(workers) if isinstance(workers, int) else workers
    try:
        board_numbers = np.arange(check_count(boards, "boards", "boards"))
        game_numbers = np.arange(check_count(games, "games", "games") if games else 0)
        played = [
            collect(each, numbers, own, check_count(batch, "batch", "boards"), progress)
            for each, numbers in ((task, board_numbers), (games_of(task), game_numbers))
        ]
    finally:
        if own is not workers:
            own.close()
    return summarise(task, board_numbers, played[0][0], played[1][0], played[0][1] + played[1][1], bca)


def make_task(
    a: AgentSpec | Pair,
    b: AgentSpec | Pair,
    seed: int,
    rules: AnyRules,
    scores: Sequence[int] | None = (0, 0),
    part: str = "all",
    common: AgentSpec = "rule",
    max_deals: int = 100,
    limit: float | None = None,
    isolate: bool = False,
) -> Task:
    """Return the checked description of a match over boards; arguments as for `play_match`.

    Raises:
        AgentError: There is no such agent.
        OptionError: A number is out of range.
        RulesError: The rules are unknown.
    """
    checked = as_rules(rules)
    part = check_choice(part, "part", tuple(CONTESTED))
    return Task(
        kind="board",
        pairs=(parse_pair(a, isolate), parse_pair(b, isolate)),
        common=common,
        common_identity=None if part == "all" else introduce(common, isolate),
        part=part,
        rules=checked,
        seed=notation.check_seed(seed),
        scores=None if scores is None else notation.check_scores(scores, checked),
        max_deals=check_count(max_deals, "max_deals", "deals", MAX_DEALS),
        limit=check_limit(limit),
        isolate=isolate,
    )


def games_of(task: Task) -> Task:
    """Return the games that go with a match over boards."""
    return Task(**{**vars(task), "kind": "game"})


def collect(
    task: Task,
    numbers: Rows,
    workers: Workers,
    batch: int,
    progress: Progress | None,
    log: BoardLog | None = None,
    key: Key = ("board", 0, 1),
) -> tuple[Rows, list[tuple[str, Conduct]]]:
    """Play boards (or games) and return their outcomes in the order of the numbers, and the agents' conduct.

    Args:
        task: The match.
        numbers: `[N]` rising numbers of boards or games.
        workers: Who plays them.
        batch: The most boards that are played together.
        progress: Called with the number of boards just finished.
        log: Where boards that were played before are found and new ones go.
        key: The match's place in the log.
    """
    outcomes = np.zeros((len(numbers), 2, OUTCOME_COLUMNS), np.int64)
    conduct: list[tuple[str, Conduct]] = []
    known = log.outcomes(key) if log is not None else {}
    there = np.isin(numbers, list(known))
    for place in np.flatnonzero(there):
        outcomes[place] = known[int(numbers[place])]
    if progress is not None and there.any():
        progress(int(there.sum()))
    pace = Pace(batch)
    for played in workers.play(task, pace.chunks(numbers[~there])):
        pace.learn(played)
        outcomes[np.searchsorted(numbers, played.numbers)] = played.outcomes
        conduct += zip((identity.name for identity in task.identities), played.conduct, strict=True)
        if log is not None:
            log.add(key, task, played)
        if progress is not None:
            progress(len(played.numbers))
    return outcomes, conduct


def summarise(
    task: Task,
    board_numbers: Rows,
    outcomes: Rows,
    game_outcomes: Rows,
    conduct: Sequence[tuple[str, Conduct]],
    bca: bool = True,
) -> MatchResult:
    """Return the figures of a match from what was played."""
    first, second = unique_names(task.pairs)
    total: dict[str, Conduct] = {}
    for name, part in conduct:
        total.setdefault(name, Conduct()).add(part)
    identities = [tuple(dict.fromkeys(pair.identities)) for pair in task.pairs]
    return MatchResult(
        names=(first, second),
        agents=(identities[0], identities[1]),
        part=task.part,
        common=None if task.common_identity is None else task.common_identity.name,
        rules=task.rules,
        seed=task.seed,
        scores=task.scores,
        board_numbers=board_numbers,
        outcomes=outcomes,
        game_outcomes=game_outcomes,
        conduct=total,
        points=estimate(board_scores(outcomes), task.seed, bca),
        wins=estimate(game_scores(game_outcomes), task.seed, bca) if len(game_outcomes) else None,
    )

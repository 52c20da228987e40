"""Frozen anchors: agents whose ratings stand in a file, so that lists of different days compare.

Least-squares ratings depend on who else takes part, and their zero on who is there. With anchors they do not: the
ratings of the anchors are those of the file, and any other agent has the mean over the anchors of the anchor's rating
plus the points won against it, over the boards that were played. In the round robin that the file was made from, an
agent's least-squares rating is the same mean. Elo likewise: the rating that fits the games against the anchors best.

An anchor has to play as it did when the file was made. Its version is compared, and since a version may have been
left as it was by mistake, the first boards of the anchors' matches are played again and compared bit by bit.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from five_hundred_env import __version__
from five_hundred_env.arena.boards import Rows
from five_hundred_env.arena.entrants import introduce
from five_hundred_env.arena.identity import HASH_LENGTH, Identity
from five_hundred_env.arena.match import MatchResult, play_match
from five_hundred_env.arena.ratings import NORMAL_95, rate_against, spread
from five_hundred_env.arena.statistics import Estimate, Floats
from five_hundred_env.core.constants import VERSION
from five_hundred_env.errors import OptionError, RecordError

FORMAT = "five_hundred.anchors"
FORMAT_VERSION = 1
FOLDER = Path(__file__).parent / "data"
PREFIX = "anchors-"
BETWEEN = " | "
CHECKED_BOARDS = 64
"""Boards of each match between two anchors that are played again."""


@dataclass(frozen=True)
class Anchor:
    """An agent with a frozen rating.

    Attributes:
        identity: Who it is; its hash is told, not compared, since code may change and decide the same.
        rating: Points a deal.
        ci95: Its 95 % interval in the round robin of the file.
        elo: Bradley-Terry rating on games.
        elo_ci95: Its 95 % interval there.
    """

    identity: Identity
    rating: float
    ci95: tuple[float, float]
    elo: float
    elo_ci95: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        own = self.identity.to_dict()
        rest = {name: value for name, value in vars(self).items() if name != "identity"}
        return {**own, **{name: list(value) if isinstance(value, tuple) else value for name, value in rest.items()}}


@dataclass(frozen=True)
class Anchors:
    """Some agents with frozen ratings, all under the same rules.

    Attributes:
        name: Of the list, `v1`.
        rules: The rules.
        rules_hash: Their hash.
        seed: Of the boards that they were rated on.
        boards: How many, a match.
        games: Mirrored games a match.
        anchors: The agents.
        play: Hash of the first boards of each match between two, by their specs with `BETWEEN` between.
    """

    name: str
    rules: str
    rules_hash: str
    seed: int
    boards: int
    games: int
    anchors: tuple[Anchor, ...]
    play: dict[str, str]

    @property
    def specs(self) -> list[str]:
        """What `load_agent` takes for the anchors."""
        return [anchor.identity.spec for anchor in self.anchors]

    @property
    def zero(self) -> str:
        """Who stands at zero."""
        return next((anchor.identity.name for anchor in self.anchors if anchor.rating == 0), "nobody")

    def of(self, identity: Identity) -> Anchor | None:
        """Return the anchor that an agent is, None for any other."""
        return next((anchor for anchor in self.anchors if anchor.identity.spec == identity.spec), None)

    def to_dict(self) -> dict[str, Any]:
        """Return what the file holds."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "package": __version__,
            "environment": VERSION,
            **{name: value for name, value in vars(self).items() if name not in ("name", "anchors")},
            "anchors": [anchor.to_dict() for anchor in self.anchors],
        }

    def write(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")

    def check(self, rules_hash: str, scores: tuple[int, int] | None, part: str) -> None:
        """Refuse a tournament that the ratings say nothing about, and anchors that play otherwise than they did.

        Raises:
            OptionError: The tournament is of another kind than that of the file, or an anchor has changed.
        """
        if rules_hash != self.rules_hash:
            raise OptionError(f"the anchors {self.name} are rated under the rules {self.rules}, not under these")
        if scores != (0, 0) or part != "all":
            raise OptionError(f"the anchors {self.name} are rated on whole deals at 0 : 0, and on nothing else")
        for anchor in self.anchors:
            now = introduce(anchor.identity.spec)
            if now.version != anchor.identity.version:
                raise OptionError(
                    f"the anchor {now.name} is rated in its version {anchor.identity.version}, and is version "
                    f"{now.version} here; rate it anew and give the list of anchors another name"
                )
        for match, digest in self.play.items():
            one, other = match.split(BETWEEN)
            if play_hash(play_anchors(one, other, self.rules, self.seed).outcomes) != digest:
                raise OptionError(
                    f"{one} against {other} is not played as it was when the anchors {self.name} were rated, though "
                    "both have the same version: one has changed; raise its version, rate it anew and give the list "
                    "of anchors another name"
                )


def play_anchors(one: str, other: str, rules: str, seed: int) -> MatchResult:
    """Play the first boards of a match between two anchors."""
    return play_match(one, other, CHECKED_BOARDS, 0, seed, rules, bca=False)


def play_hash(outcomes: Rows) -> str:
    """Return a hash of how boards ended.

    Args:
        outcomes: `[N, 2, OUTCOME_COLUMNS]`.
    """
    data = np.ascontiguousarray(outcomes[:CHECKED_BOARDS], np.dtype("<i8")).tobytes()
    return hashlib.sha256(data).hexdigest()[:HASH_LENGTH]


def load_anchors(name: str) -> Anchors:
    """Return a list of anchors that comes with the package, `v1`, or one of a file.

    Raises:
        OptionError: There is no such list.
        RecordError: The file holds no list of anchors.
    """
    path = Path(name)
    if not path.is_file():
        path = FOLDER / f"{PREFIX}{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(file.stem.removeprefix(PREFIX) for file in FOLDER.glob(f"{PREFIX}*.json")))
        raise OptionError(f"no list of anchors is called {name!r}; lists are {known}, or a file")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if (data["format"], data["version"], data["environment"]) != (FORMAT, FORMAT_VERSION, VERSION):
            raise RecordError(f"{path} is of another version of anchors or of the environment")
        anchors = tuple(
            Anchor(
                Identity(*(entry[name] for name in ("name", "spec", "version", "hash"))),
                entry["rating"],
                tuple(entry["ci95"]),
                entry["elo"],
                tuple(entry["elo_ci95"]),
            )
            for entry in data["anchors"]
        )
        own = {field: data[field] for field in ("rules", "rules_hash", "seed", "boards", "games", "play")}
        return Anchors(path.stem.removeprefix(PREFIX), anchors=anchors, **own)
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"{path} holds no list of anchors: {error!r}") from None


def anchored_points(scores: list[Floats], anchors: list[Anchor]) -> Floats:
    """Return `[N]` ratings by board of an agent, whose mean is its rating on the scale of the anchors.

    Args:
        scores: For each anchor the agent's points on each board.
        anchors: The anchors.
    """
    own = spread(scores) + np.array([anchor.rating for anchor in anchors])[:, None]
    values: Floats = own.mean(axis=0)
    return np.round(values, 9) + 0.0


def anchored_elo(won: list[float], games: list[int], anchors: list[Anchor]) -> tuple[float, float]:
    """Return an agent's Elo rating on the scale of the anchors, and half of its 95 % interval.

    Args:
        won: For each anchor the part of the games that the agent won.
        games: How many.
        anchors: The anchors.
    """
    rating, error = rate_against(won, games, [anchor.elo for anchor in anchors])
    return rating, NORMAL_95 * error


def fixed(anchor: Anchor) -> Estimate:
    """Return the rating of an anchor as an estimate: it is what the scale is, so it has no error."""
    return Estimate(anchor.rating, 0.0, (anchor.rating, anchor.rating), None, 0)

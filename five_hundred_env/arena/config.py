"""A tournament as a YAML file: what is played, on which seeds, and what is written.

The seeds of a file come in blocks: `dev` for trying things, `test` for comparing them, `final` for the figure that is
published and that nobody has tuned against. An unknown key is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import combinations
from pathlib import Path
from typing import Any

from five_hundred_env.arena.anchors import Anchors, load_anchors
from five_hundred_env.arena.match import Progress
from five_hundred_env.arena.tournament import (
    TournamentResult,
    make_anchors,
    match_size,
    play_tournament,
    with_anchors,
    with_play,
)
from five_hundred_env.arena.workers import Workers, make_workers
from five_hundred_env.errors import MissingExtraError, OptionError

BLOCKS = ("dev", "test", "final")


@dataclass(frozen=True)
class TournamentConfig:
    """A tournament; each field is a key of the file.

    Raises:
        OptionError: A value has a wrong type, or the block of seeds is unknown.
    """

    agents: list[str] = field(default_factory=list)
    """Names, files, module:attribute, or one+other."""
    boards: int = 2000
    """Duplicate boards a match."""
    games: int = 0
    """Mirrored games a match."""
    caps: dict[str, dict[str, int]] = field(default_factory=dict)
    """By agent, `boards` and `games`: the most of its matches, for agents that take long."""
    anchors: str | None = None
    """Frozen anchors that fix the scale: v1, or a file; those not among the agents are added."""
    seed: int | None = None
    """Goes before `seeds`; 1 where neither is given."""
    seeds: dict[str, int] = field(default_factory=dict)
    """A seed for each of the blocks dev, test, final."""
    block: str = "dev"
    """Which of `seeds` is played."""
    rules: str = "australian"
    """A profile, and what differs: american,slam=none."""
    scores: list[int] | None = field(default_factory=lambda: [0, 0])
    """Totals at the start of each board by side, points; null draws them for each board."""
    part: str = "all"
    """What is contested: all, bidding, kitty, play."""
    common: str = "rule"
    """Who plays what is not contested."""
    max_deals: int = 100
    """Deals after which a game is broken off."""
    workers: int = 1
    """Processes."""
    ray: str | None = None
    """Address of a Ray cluster that plays instead; local starts one here."""
    limit: float | None = None
    """Seconds a decision before an answer is late."""
    isolate: bool = False
    """Whether each agent plays in a process of its own."""
    par: int = 0
    """Boards a match whose contracts are solved, to compare the card play with double-dummy play."""
    out: str | None = None
    """A folder for every board; a stopped run goes on there."""
    plot: str | None = None
    """Where to write the cross table and ratings as a PNG."""
    report: str | None = None
    """Where to write the report as one HTML page."""
    markdown: str | None = None
    """Where to write the ladder as Markdown."""
    write_anchors: str | None = None
    """Where to write the agents and their ratings as anchors for later lists."""

    def __post_init__(self) -> None:
        for name, kinds in _TYPES.items():
            value = getattr(self, name)
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                raise OptionError(f"{name} of a tournament is {_describe(kinds)}, not {value!r}")
        for text in self.agents:
            if not isinstance(text, str):
                raise OptionError(f"agents of a tournament are text, not {text!r}")
        for name in (*self.seeds, self.block):
            if name not in BLOCKS:
                raise OptionError(f"blocks of seeds are {', '.join(BLOCKS)}, not {name!r}")

        for name, cap in self.caps.items():
            whole = isinstance(cap, dict) and all(type(value) is int for value in cap.values())
            if not whole or "boards" not in cap or set(cap) - {"boards", "games"}:
                raise OptionError(
                    f"the cap of {name} is `boards` and, if wanted, `games`, each a whole number, not {cap!r}"
                )

    @property
    def most(self) -> dict[str, tuple[int, int | None]]:
        """The caps as `play_tournament` takes them."""
        return {name: (cap["boards"], cap.get("games")) for name, cap in self.caps.items()}

    @property
    def frozen(self) -> Anchors | None:
        """The anchors, read."""
        return None if self.anchors is None else load_anchors(self.anchors)

    @property
    def match_seed(self) -> int:
        """The seed that is played."""
        if self.seed is not None:
            return self.seed
        if self.seeds and self.block not in self.seeds:
            raise OptionError(f"the file has no seed for block {self.block!r}, only for {', '.join(self.seeds)}")
        return self.seeds.get(self.block, 1)

    @property
    def size(self) -> int:
        """Boards and games of all matches."""
        agents = [str(agent).split("+") for agent in with_anchors(self.agents, self.frozen)]
        matches = combinations(agents, 2)
        return sum(sum(match_size(match, self.boards, self.games, self.most)) for match in matches)

    def play(self, progress: Progress | None = None) -> TournamentResult:
        """Play the tournament.

        Raises:
            FiveHundredError: As `play_tournament`.
        """
        from five_hundred_env.arena.cluster import RayWorkers

        workers: Workers = RayWorkers(self.ray) if self.ray is not None else make_workers(self.workers)
        try:
            result = play_tournament(
                self.agents,
                self.boards,
                self.games,
                self.match_seed,
                self.rules,
                scores=self.scores,
                part=self.part,
                common=self.common,
                max_deals=self.max_deals,
                workers=workers,
                limit=self.limit,
                isolate=self.isolate,
                caps=self.most,
                anchors=self.anchors,
                out=self.out,
                progress=progress,
            )
        finally:
            workers.close()
        return with_play(result, self.par, self.workers) if self.par else result

    def write(self, result: TournamentResult) -> None:
        """Write the files that were asked for."""
        from five_hundred_env.arena import report

        if self.plot is not None:
            report.write_png(result, self.plot)
        if self.report is not None:
            report.write_html(result, self.report)
        if self.markdown is not None:
            report.write_markdown(result, self.markdown)
        if self.write_anchors is not None:
            make_anchors(result, Path(self.write_anchors).stem).write(self.write_anchors)


_NONE = type(None)
_TYPES: dict[str, tuple[type, ...]] = {
    "agents": (list,),
    "boards": (int,),
    "games": (int,),
    "caps": (dict,),
    "anchors": (str, _NONE),
    "seed": (int, _NONE),
    "seeds": (dict,),
    "block": (str,),
    "rules": (str,),
    "scores": (list, _NONE),
    "part": (str,),
    "common": (str,),
    "max_deals": (int,),
    "workers": (int,),
    "ray": (str, _NONE),
    "limit": (int, float, _NONE),
    "out": (str, _NONE),
    "isolate": (bool,),
    "par": (int,),
    "plot": (str, _NONE),
    "report": (str, _NONE),
    "markdown": (str, _NONE),
    "write_anchors": (str, _NONE),
}
_WORDS = {
    list: "a list",
    dict: "a mapping",
    int: "an integer",
    float: "a number",
    str: "text",
    bool: "true or false",
    _NONE: "null",
}


def _describe(kinds: tuple[type, ...]) -> str:
    return " or ".join(_WORDS[kind] for kind in kinds)


def load_config(path: str | Path | None, given: Mapping[str, Any] | None = None) -> TournamentConfig:
    """Return the tournament of a file, with some values put before it.

    Args:
        path: A YAML file, None for the defaults.
        given: Values that go before those of the file.

    Raises:
        MissingExtraError: PyYAML is not installed.
        OptionError: The file is no mapping, or a key or value is unknown.
    """
    options = {} if path is None else _read(Path(path))
    known = [entry.name for entry in fields(TournamentConfig)]
    for name in options:
        if name not in known:
            raise OptionError(f"{path}: no key of a tournament is called {name!r}; keys are {', '.join(known)}")
    given = dict(given or {})
    if "block" in given:
        options.pop("seed", None)
    return TournamentConfig(**{**options, **given})


def _read(path: Path) -> dict[str, Any]:
    """Return what a YAML file holds.

    Raises:
        MissingExtraError: PyYAML is not installed.
        OptionError: It can not be read, or is no mapping.
    """
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("tournament files need PyYAML: pip install 'five_hundred_env[arena]'") from error
    try:
        options = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise OptionError(f"{path} can not be read: {error}") from None
    if not isinstance(options, dict):
        raise OptionError(f"{path} is no mapping of keys to values")
    return options

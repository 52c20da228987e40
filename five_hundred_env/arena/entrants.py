"""Agents as the arena meets them: found, identified, asked in batches, and held to the rules of conduct.

The rule of conduct: an agent that answers with an illegal action or with something that is no action (a NaN, text, a
wrong shape), raises, or answers later than the limit allows, loses the table it was asked about; the table counts
-520 points for its side and +100 for the other, a game counts as lost. The fault is reported, and the match goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env.agents import BUILT_IN, Agent, load_agent
from five_hundred_env.core.observe import Bytes
from five_hundred_env.errors import AgentError, OptionError
from five_hundred_env.game import Game

Keys = npt.NDArray[np.uint64]
Actions = npt.NDArray[np.int64]
AgentSpec = str | Path | Agent

FAILED = -1
"""What stands for the answer of an agent that gave none."""
JOIN = "+"
"""Between the two agents of a mixed partnership."""


@dataclass(frozen=True)
class Identity:
    """What a result says about an agent, so that it can be told whether two runs met the same one."""

    name: str
    spec: str
    version: str
    hash: str

    def to_dict(self) -> dict[str, str]:
        """Return the fields."""
        return {"name": self.name, "spec": self.spec, "version": self.version, "hash": self.hash}


@dataclass
class Conduct:
    """How an agent has behaved, and how long it took.

    Attributes:
        decisions: Decisions it was asked.
        seconds: Seconds it took for them.
        faults: Decisions it failed, by reason.
    """

    decisions: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)

    def note(self, reason: str, count: int = 1) -> None:
        """Count a fault."""
        if count:
            self.faults[reason] = self.faults.get(reason, 0) + count

    def add(self, other: Conduct) -> None:
        """Add what another worker has counted."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        for reason, count in other.faults.items():
            self.note(reason, count)


def identify(spec: AgentSpec, agent: Agent) -> Identity:
    """Return name, version and hash of an agent; of a file or module the hash is that of its bytes."""
    text = str(spec) if isinstance(spec, str | Path) else f"{type(agent).__module__}:{type(agent).__qualname__}"
    version = str(getattr(agent, "version", "-"))
    source: Path | None = None
    if text not in BUILT_IN:
        path = Path(text)
        if path.is_file():
            source = path
        elif ":" in text:
            source = _file_of(text.partition(":")[0])
    data = source.read_bytes() if source and source.is_file() else f"{text} {version}".encode()
    return Identity(agent.name, text, version, hashlib.sha256(data).hexdigest()[:12])


def _file_of(module: str) -> Path | None:
    """Return the file of a module; a script that is being run has no spec, only a `__file__`."""
    if module in sys.modules:
        file = getattr(sys.modules[module], "__file__", None)
        return Path(file) if file else None
    found = importlib.util.find_spec(module)
    return Path(found.origin) if found and found.origin else None


class Entrant:
    """An agent behind the checks of the arena.

    Args:
        spec: What `load_agent` takes.
        limit: Seconds a decision, on the mean of a batch, after which an answer is late; None for no limit.

    Raises:
        AgentError: There is no such agent.
    """

    def __init__(self, spec: AgentSpec, limit: float | None = None) -> None:
        self.spec = spec
        self.agent = load_agent(spec)
        self.identity = identify(spec, self.agent)
        self.limit = self.late_after = limit
        self.conduct = Conduct()
        self._warm_up()

    def _warm_up(self) -> None:
        """Ask for one decision, so that no measured or limited one has to wait for a compiler."""
        warm_up(self.agent)

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.name

    def answer(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Return an action for each decision, `FAILED` where the agent failed.

        Args:
            observation: `[B, O] int8`.
            mask: `[B, A] int8`.
            keys: `[B] uint64`.
        """
        begun = time.perf_counter()
        actions = self._ask(observation, mask, keys)
        seconds = time.perf_counter() - begun
        self.conduct.decisions += len(keys)
        self.conduct.seconds += seconds
        if self.late_after is not None and seconds > self.late_after * len(keys):
            self.conduct.note("late", len(keys))
            return np.full(len(keys), FAILED, np.int64)
        inside = (actions >= 0) & (actions < mask.shape[1])
        legal = inside & (mask[np.arange(len(keys)), np.where(inside, actions, 0)] != 0)
        if not legal.all():
            self.conduct.note("illegal action", int(((actions != FAILED) & ~legal).sum()))
            actions = np.where(legal, actions, FAILED)
        return actions

    def _ask(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Ask for a batch; when that fails, halve it until the decisions that fail are found."""
        try:
            return read_answer(self.agent.act(observation, mask, keys), len(keys))
        except Exception as error:  # noqa: BLE001 - whatever a foreign agent raises is its own fault
            if len(keys) == 1:
                self.conduct.note(f"{type(error).__name__}: {error}"[:200])
                return np.array([FAILED], np.int64)
        half = len(keys) // 2
        parts = [
            self._ask(observation[part].copy(), mask[part].copy(), keys[part].copy())
            for part in (slice(None, half), slice(half, None))
        ]
        return np.concatenate(parts)

    def close(self) -> None:
        """Give back what the agent holds; here nothing."""

    def take_conduct(self) -> Conduct:
        """Return what was counted and begin to count anew."""
        conduct, self.conduct = self.conduct, Conduct()
        return conduct


def warm_up(agent: Agent) -> None:
    """Ask an agent for the first decision of a deal, whatever it answers."""
    game = Game(seed=0)
    seen = game.observe(game.seat or 0)
    with contextlib.suppress(Exception):
        agent.act(seen["observation"][None].copy(), seen["action_mask"][None].copy(), np.ones(1, np.uint64))


def read_answer(answer: Any, count: int) -> Actions:
    """Return an agent's answer as action ids.

    Raises:
        AgentError: It is no array of `count` whole numbers.
    """
    array = np.asarray(answer)
    if array.shape != (count,):
        raise AgentError(f"the answer to {count} decisions has shape {list(array.shape)}, not [{count}]")
    if np.issubdtype(array.dtype, np.integer):
        return array.astype(np.int64)
    if np.issubdtype(array.dtype, np.floating):
        raise AgentError("the answer is NaN" if np.isnan(array).any() else f"the answer is {array.dtype}, no action id")
    raise AgentError(f"the answer is {array.dtype}, no action id")


@dataclass(frozen=True)
class Pair:
    """Two partners: two copies of one agent, or a mixed partnership.

    Attributes:
        name: How tables and reports call it.
        specs: The agents; the second sits opposite the first.
    """

    name: str
    specs: tuple[AgentSpec, AgentSpec]


def parse_pair(spec: AgentSpec | Pair) -> Pair:
    """Return the partnership that a text names: ``rule``, or ``rule+greedy`` for a mixed one.

    Raises:
        AgentError: There is no such agent.
    """
    if isinstance(spec, Pair):
        return spec
    if isinstance(spec, str) and spec.count(JOIN) == 1 and not Path(spec).is_file():
        one, other = spec.split(JOIN)
        return Pair(JOIN.join(load_agent(part).name for part in (one, other)), (one, other))
    return Pair(load_agent(spec).name, (spec, spec))


def unique_names(pairs: Sequence[Pair]) -> list[str]:
    """Return a name for each pair, numbered where two have the same."""
    names: list[str] = []
    for pair in pairs:
        name, number = pair.name, 1
        while name in names:
            number += 1
            name = f"{pair.name} ({number})"
        names.append(name)
    return names


def check_limit(limit: float | None) -> float | None:
    """Return a limit of seconds a decision.

    Raises:
        OptionError: It is no positive number.
    """
    if limit is not None and not (isinstance(limit, int | float) and limit > 0):
        raise OptionError(f"the limit is a positive number of seconds a decision, not {limit!r}")
    return limit

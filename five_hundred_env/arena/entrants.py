"""Agents as the arena meets them: found, identified, asked in batches, and held to the rules of conduct.

The rule of conduct: an agent that answers with an illegal action or with something that is no action (a NaN, text, a
wrong shape), raises, or answers later than the limit allows, loses the table it was asked about; the table counts
-520 points for its side and +100 for the other, a game counts as lost. The fault is reported, and the match goes on.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env.agents import Agent, load_agent
from five_hundred_env.arena.identity import Identity, identify
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
RESPONSE = re.compile(r"response(/(?P<worlds>[1-9][0-9]*))?:(?P<agent>.+)")
"""A best response, with the worlds of a decision or the usual number of them."""
MOST_WHOLE = 2.0**53
"""Beyond this a floating-point number is whole whatever was meant."""


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
        self.agent = load(spec)
        self.limit = self.late_after = limit
        self.conduct = Conduct()
        self._warm_up()

    def _warm_up(self) -> None:
        """Ask for one decision, so that no measured or limited one has to wait for a compiler."""
        warm_up(self.agent)

    @property
    def identity(self) -> Identity:
        """Who the agent is."""
        return identify(self.spec, self.agent)

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
    """Return an agent's answer as action ids; floating-point numbers are taken where all of them are whole.

    Raises:
        AgentError: It is no array of `count` whole numbers.
    """
    array = np.asarray(answer)
    if array.shape != (count,):
        raise AgentError(f"the answer to {count} decisions has shape {list(array.shape)}, not [{count}]")
    if np.issubdtype(array.dtype, np.floating):
        _check_whole(array)
    elif not np.issubdtype(array.dtype, np.integer):
        raise AgentError(f"the answer is {array.dtype}, no action id")
    return array.astype(np.int64)


def _check_whole(array: npt.NDArray[Any]) -> None:
    """Refuse floating-point numbers that are no action ids.

    Raises:
        AgentError: One is NaN, infinite, or not whole.
    """
    if np.isnan(array).any():
        raise AgentError("the answer is NaN")
    if not np.isfinite(array).all() or (np.abs(array) > MOST_WHOLE).any():
        raise AgentError("the answer is a number beyond all action ids")
    if (array != np.floor(array)).any():
        raise AgentError("the answer is no whole number")


def load(spec: AgentSpec) -> Agent:
    """Return the agent that a spec names: what `load_agent` takes, or a best response, ``response:rule``.

    Raises:
        AgentError: There is no such agent.
    """
    if isinstance(spec, str) and (found := RESPONSE.fullmatch(spec)):
        from five_hundred_env.arena.response import BestResponse

        return BestResponse(found["agent"], **({} if found["worlds"] is None else {"worlds": int(found["worlds"])}))
    return load_agent(spec)


def introduce(spec: AgentSpec, isolate: bool = False) -> Identity:
    """Return who an agent is; when it is isolated, as its own process tells it, so that no foreign code runs here.

    Raises:
        AgentError: There is no such agent.
        OptionError: An agent that is to be isolated was given as an object.
    """
    if isolate:
        from five_hundred_env.arena.isolation import Isolated

        entrant = Isolated(spec)
        try:
            return entrant.identity
        finally:
            entrant.close()
    return identify(spec, load(spec))


@dataclass(frozen=True)
class Pair:
    """Two partners: two copies of one agent, or a mixed partnership.

    Attributes:
        name: How tables and reports call it.
        specs: The agents; the second sits opposite the first.
        identities: Who they are.
    """

    name: str
    specs: tuple[AgentSpec, AgentSpec]
    identities: tuple[Identity, Identity]


def parse_pair(spec: AgentSpec | Pair, isolate: bool = False) -> Pair:
    """Return the partnership that a text names: ``rule``, or ``rule+greedy`` for a mixed one.

    Args:
        spec: The text, an agent, or a pair, which is returned as it is.
        isolate: Whether the agents are to be met in processes of their own.

    Raises:
        AgentError: There is no such agent.
        OptionError: An agent that is to be isolated was given as an object.
    """
    if isinstance(spec, Pair):
        return spec
    if isinstance(spec, str) and spec.count(JOIN) == 1 and not Path(spec).is_file():
        one, other = spec.split(JOIN)
        both = introduce(one, isolate), introduce(other, isolate)
        return Pair(JOIN.join(identity.name for identity in both), (one, other), both)
    identity = introduce(spec, isolate)
    return Pair(identity.name, (spec, spec), (identity, identity))


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

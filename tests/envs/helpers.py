"""Deals worked out by hand, and loops that play them."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from five_hundred_env import actions
from five_hundred_env.core.constants import PHASES
from five_hundred_env.core.state import PHASE
from five_hundred_env.envs.aec import AGENTS

# Seat 0 holds the ten highest trumps of spades, so its side takes every trick of a spade contract, and whoever else
# names spades takes none. Seat 1 has clubs, 2 diamonds, 3 hearts.
TEN_TRUMPS = "JKJSJCASKSQSTS9S8S7S ACKCQCTC9C8C7C6C5D4D ADKDQDJDTD9D8D7D6D4H AHKHQHJHTH9H8H7H6H5H 6S5S5C"

# Dealer 3, so seat 0 calls first. Seat 0 puts the kitty away again and always leads its highest trump.
SIX_SPADES = ["6S", "PASS", "PASS", "PASS"]
# Dealer 0: seat 1 calls first, and seat 0 trumps every trick.
SIX_SPADES_BY_ONE = ["6S", "PASS", "PASS", "PASS"]
# Dealer 3. Seat 1 leads AC, which seat 0 has to follow with JC; seat 3, the partner, sits out (R8.2).
MISERE_BY_ONE = ["7S", "MIS", "PASS", "PASS", "PASS"]

PREFERRED = ["6S", "5S", "5C", "=-", "AC", "JK", "JS", "JC", "AS", "KS", "QS", "TS", "9S", "8S", "7S"]


class Script:
    """Calls in order, then the first of `PREFERRED` that is legal, else the lowest legal action."""

    def __init__(self, calls: Iterable[str]) -> None:
        self.calls = list(calls)

    def __call__(self, mask: Any) -> int:
        legal = np.flatnonzero(mask).tolist()
        if legal[0] < actions.encode("AS", "play") and self.calls:
            return actions.encode(self.calls.pop(0))
        names = [actions.decode(action) for action in legal]
        for name in PREFERRED:
            if name in names:
                return legal[names.index(name)]
        return int(legal[0])


class Dice:
    """Any legal action."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def __call__(self, mask: Any) -> int:
        return self.random.choice(np.flatnonzero(mask).tolist())


def passes(mask: Any) -> int:
    """Pass, always."""
    assert mask[0] == 1
    return 0


def mask_of(observation: Any, info: dict[str, Any]) -> Any:
    """Return the mask, wherever it is."""
    return info["action_mask"] if "action_mask" in info else observation["action_mask"]


def play(env: Any, choose: Callable[[Any], int], **reset: Any) -> dict[str, list[float]]:
    """Play an AEC episode by the standard loop; return what each seat is given on each of its turns, the last included.

    The first entry of a seat is what its first turn brings, which no decision of its own preceded.
    """
    given: dict[str, list[float]] = defaultdict(list)
    env.reset(**reset)
    for name in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        given[name].append(reward)
        env.step(None if terminated or truncated else choose(mask_of(observation, info)))
    return dict(given)


def side_totals(given: dict[str, list[float]]) -> tuple[float, float]:
    """Return the sums of rewards by side, after checking that partners were given the same."""
    totals = [sum(given[name]) for name in AGENTS]
    assert abs(totals[0] - totals[2]) < 1e-9
    assert abs(totals[1] - totals[3]) < 1e-9
    return round(totals[0], 9), round(totals[1], 9)


def snapshot(env: Any) -> dict[str, Any]:
    """Return everything that an AEC environment keeps, to be compared."""
    position = env.__getstate__()["position"]
    return {name: value.tobytes() if isinstance(value, np.ndarray) else repr(value) for name, value in position.items()}


def phase_of(env: Any) -> str:
    """Return the phase of an environment's table."""
    return PHASES[int(env.__getstate__()["position"]["_block"][PHASE])]


def cycle_names(first: int, count: int) -> list[str]:
    """Return seats clockwise from one on."""
    return list(itertools.islice(itertools.cycle(AGENTS), first, first + count))

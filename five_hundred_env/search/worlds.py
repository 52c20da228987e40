"""Worlds for people and programs: `sample_worlds` draws deals that fit an observation, and weighs them by the calls.

The kernels are those of `sampling`, which says how worlds are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from five_hundred_env import notation
from five_hundred_env.core.bidding import apply_call, legal_calls
from five_hundred_env.core.constants import AUCTION, N_ACTIONS, SEATS
from five_hundred_env.core.observe import (
    MASK_WORDS,
    OBSERVATION_SIZE,
    OBSERVATION_WORDS,
    Bytes,
    read_observation,
    write_mask,
    write_observation,
)
from five_hundred_env.core.state import HAND, N_COLUMNS, SEAT
from five_hundred_env.errors import OptionError
from five_hundred_env.search.sampling import Floats, begin_auction, draw_worlds, make_sampler, next_call, prepare_worlds
from five_hundred_env.search.solver import Rows


class Caller(Protocol):
    """Whose calls worlds are weighed by: any agent.

    An agent with a method `probabilities(observation, mask)`, `[B, A]` floats, is asked how likely a call was; any
    other what it would have called.
    """

    def act(self, observation: Bytes, mask: Bytes, keys: Any) -> Any:
        """Choose an action for each decision."""


@dataclass(frozen=True, eq=False)
class Worlds:
    """Deals that fit what a seat has seen.

    Attributes:
        rows: `[N, N_COLUMNS] int64` state rows, seats counted from the observing one, which is seat 0.
        weights: `[N] float64` how likely each is among them; they sum up to 1.
        ways: How many layouts of the hidden cards fit; exact up to 2**53.
    """

    rows: Rows
    weights: Floats
    ways: float

    def __len__(self) -> int:
        return len(self.rows)

    def hands(self, number: int) -> list[list[str]]:
        """Return the four hands of a world, seats counted from the observing one."""
        return [notation.mask_cards(int(self.rows[number, HAND + seat])) for seat in range(SEATS)]


def sample_worlds(
    observation: Bytes, count: int, seed: int = 0, caller: Caller | None = None, doubt: float = 0.1, asked: int = 1
) -> Worlds:
    """Draw deals uniformly out of all that fit an observation.

    Args:
        observation: `[O] int8` what a seat sees, at any moment of a deal.
        count: How many worlds are wanted.
        seed: Same seed, same worlds.
        caller: Whose calls the other seats are held to make: the weight of a world is the product, over the calls of
            the other seats, of how likely that agent makes them with the hands of the world. None weighs all alike.
        doubt: The share of calls, 0 to 1, that are held to say nothing, so that no world is ruled out by one of them.
        asked: How often an agent that draws its calls at random is asked for each; one that does not needs once.

    Raises:
        OptionError: An argument is out of range.
    """
    if np.shape(observation) != (OBSERVATION_SIZE,):
        raise OptionError(f"sample_worlds: an observation is [{OBSERVATION_SIZE}], not {list(np.shape(observation))}")
    for name, number in (("count", count), ("asked", asked)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise OptionError(f"sample_worlds: {name} is a positive integer, not {number!r}")
    if not 0 <= doubt <= 1:
        raise OptionError(f"sample_worlds: doubt is from 0 to 1, not {doubt!r}")
    rng = np.random.Generator(np.random.Philox(seed))
    view = np.zeros(N_COLUMNS, np.int64)
    read_observation(np.require(observation, np.int8, ["C", "W"]), view)
    sampler = make_sampler()
    ways = float(prepare_worlds(view, sampler.groups, sampler.ways))
    rows = np.zeros((count, N_COLUMNS), np.int64)
    draw_worlds(view, sampler.groups, sampler.ways, int(rng.integers(1 << 62)), rows)
    weights = np.ones(count) if caller is None else call_weights(rows, caller, doubt, asked, rng)
    total = float(weights.sum())
    # Without doubt all may be ruled out: then the calls say nothing.
    return Worlds(rows, weights / total if total > 0 else np.full(count, 1 / count), ways)


def call_weights(rows: Rows, caller: Caller, doubt: float, asked: int, rng: np.random.Generator) -> Floats:
    """Return how likely the calls of the other seats are in each world of one observation, `[N] float64`."""
    auctions = np.zeros_like(rows)
    for world, auction in zip(rows, auctions, strict=True):
        begin_auction(world, auction)
    weights = np.ones(len(rows))
    while (call := int(next_call(rows[0], auctions[0]))) >= 0:
        if int(auctions[0, SEAT]) != 0:
            weights *= doubt + (1 - doubt) * _chances(auctions, call, caller, asked, rng)
        for auction in auctions:
            apply_call(auction, call)
    return weights


def _chances(auctions: Rows, call: int, caller: Caller, asked: int, rng: np.random.Generator) -> Floats:
    """Return how likely a caller makes a call, `[N] float64`."""
    words = np.zeros((len(auctions), OBSERVATION_WORDS), np.int64)
    masks = np.zeros((len(auctions), MASK_WORDS), np.int64)
    for row, seen, legal in zip(auctions, words, masks, strict=True):
        write_observation(row, int(row[SEAT]), seen.view(np.int8), seen)
        write_mask(AUCTION, int(legal_calls(row)), legal)
    observation, mask = words.view(np.int8)[:, :OBSERVATION_SIZE], masks.view(np.int8)[:, :N_ACTIONS]
    probabilities = getattr(caller, "probabilities", None)
    if probabilities is not None:
        known: Floats = np.asarray(probabilities(observation, mask), np.float64)[:, call]
        return known
    made = np.zeros(len(auctions))
    for _ in range(asked):
        keys: npt.NDArray[np.uint64] = rng.integers(0, 1 << 64, len(auctions), np.uint64)
        made += np.asarray(caller.act(observation, mask, keys)) == call
    return made / asked

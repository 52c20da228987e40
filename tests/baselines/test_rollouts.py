"""Two sources of transitions, one interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from baselines.common.advantages import seat_advantages
from baselines.common.networks import HIDDEN_SIZE, Inputs
from baselines.common.rollouts import (
    Act,
    Decisions,
    PettingZooSource,
    Rollout,
    Source,
    TablesSource,
    collect,
    hidden_cards,
)
from five_hundred_env import Game, Tables
from five_hundred_env.core.cards import CARD_IDS
from five_hundred_env.core.constants import PASS
from five_hundred_env.core.observe import CARD_PLACES

EVERYTHING = Inputs()


def random_calls_seldom(seed: int) -> Act:
    """Return what draws legal actions from a seed; it passes more often than not, so that deals are played."""
    generator = np.random.default_rng(seed)

    def act(source: Source, places: Any) -> Decisions:
        weight = source.mask * generator.random(source.mask.shape)
        weight[:, PASS] *= 12
        return Decisions(weight.argmax(axis=1), np.zeros(source.n, np.float32), np.ones(source.n, np.bool_))

    return act


def own_rewards(rollout: Rollout) -> Any:
    """Return `[T, B]` the reward of each decision until the seat's next one."""
    shape = rollout.seat.shape
    return seat_advantages(
        rollout.reward, rollout.done, rollout.seat, np.zeros(shape, np.float32), np.zeros((shape[1], 4), np.float32)
    ).reward


@pytest.mark.parametrize(
    ("episode", "reward", "skip_forced"),
    [("deal", "points", True), ("deal", "points", False), ("deal", "tricks", False), ("game", "win", True)],
)
def test_both_sources_yield_the_same_transitions(episode: str, reward: str, skip_forced: bool) -> None:
    """Observations, masks, hidden cards, actions, ends, and each seat's reward on its own last decision.

    The horizon is left out: a reward which the loop of PettingZoo has not told yet is not in its rollout.
    """
    kinds: list[Callable[..., Source]] = [TablesSource, PettingZooSource]
    fast, slow = (
        collect(source, random_calls_seldom(5), 250, EVERYTHING)
        for source in (kind(3, 11, "australian", episode, reward, skip_forced=skip_forced) for kind in kinds)
    )
    for name in ("places", "mask", "hidden", "seat", "action", "done", "last_places", "last_hidden"):
        assert (getattr(fast, name) == getattr(slow, name)).all(), name
    assert len(fast.ends) == len(slow.ends) == fast.done.sum()
    ended = ended_decisions(fast)
    assert ended.sum() > 300
    assert (own_rewards(fast)[ended] == own_rewards(slow)[ended]).all()
    if episode == "deal":
        assert (own_rewards(fast)[ended] != 0).any()


def ended_decisions(rollout: Rollout) -> Any:
    """Return `[T, B]` whether the episode of a decision ends within the rollout."""
    return np.flip(np.flip(rollout.done, 0).cumsum(0), 0) > 0


def test_rewards_stand_on_each_seats_own_last_decision() -> None:
    """Points of a deal come at its end, on each seat's last decision, and nobody gets any before."""
    rollout = collect(TablesSource(8, 3), random_calls_seldom(2), 200, EVERYTHING)
    own = own_rewards(rollout)
    checked = 0
    for table in range(8):
        ends = np.flatnonzero(rollout.done[:, table])
        for start, end in zip([-1, *ends], ends, strict=False):
            seats, rewards = rollout.seat[start + 1 : end + 1, table], own[start + 1 : end + 1, table]
            for seat in range(4):
                mine = rewards[seats == seat]
                assert not mine[:-1].any()
                assert not len(mine) or mine[-1] == rollout.reward[end, table, seat]
                checked += len(mine)
    assert checked > 1000


@pytest.mark.parametrize("kind", [TablesSource, PettingZooSource])
def test_a_saved_source_goes_on_as_if_nothing_had_happened(kind: Callable[..., Source]) -> None:
    first = kind(2, 17)
    collect(first, random_calls_seldom(1), 57, EVERYTHING)
    saved = first.save()
    second = kind(2, 99)
    second.load(saved)
    here, there = (collect(source, random_calls_seldom(4), 90, EVERYTHING) for source in (first, second))
    for name in ("places", "mask", "seat", "action", "done", "last_places"):
        assert (getattr(here, name) == getattr(there, name)).all(), name
    assert (here.reward == there.reward).all()


def test_hidden_cards_are_counted_from_the_seat() -> None:
    """Seat 3 sees the hands of seats 0 (left), 1 (partner) and 2 (right), then the kitty, as `Game` deals them."""
    tables = Tables(1, seed=8)
    game = Game(seed=int(tables.seeds[0]))
    hidden = hidden_cards(tables.state, np.array([3]), np.array([0])).reshape(4, CARD_PLACES)
    assert hidden.size == HIDDEN_SIZE
    for row, cards in zip(hidden, [*game.hands[:3], game.kitty], strict=True):
        assert np.flatnonzero(row).tolist() == sorted(CARD_IDS[card] for card in cards)


def test_inputs_leave_out_what_is_always_zero_and_what_is_dropped() -> None:
    """Of the 48 places of `hand` two are unused, so 46 are gone with it."""
    without = Inputs(["hand"])
    assert len(EVERYTHING) - len(without) == 46
    observation = Tables(4, seed=1).observation
    assert (EVERYTHING.pack(observation) == observation[:, EVERYTHING.places]).all()
    assert (np.delete(observation, EVERYTHING.places, axis=1) == 0).all()

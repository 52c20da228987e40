"""Random deals for the laws: played by the reference's tempers, observed at each decision."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from five_hundred_env import Game
from tests.agreement.lockstep import PURE, Options, begin, by_id, option_sets, short_sets
from tests.reference import PROFILES, ReferenceGame
from tests.reference.random_play import choose

__all__ = ["PURE", "Options", "by_id", "every_table", "walk"]


def every_table(deals_a_profile: int, sets: int) -> Iterator[tuple[str, Options]]:
    """Yield a seed and options for some deals of each profile, then for one deal of each random set of options.

    For every second set with a usual pack there is one with a short pack, whose deals are a fraction of the size.
    """
    for name, options in PROFILES.items():
        for number in range(deals_a_profile):
            yield f"{name} {number}", options
    for number, options in enumerate(option_sets(sets)):
        yield f"set {number}", options
    for number, options in enumerate(short_sets(sets // 2)):
        yield f"short set {number}", options


def walk(seed: str, options: Options) -> Iterator[tuple[Game, ReferenceGame, str | None]]:
    """Play one deal; yield core, reference and the next action at each position, None with the last."""
    rng = Random(seed)
    game, reference = begin(rng, options)
    while reference.phase != "over":
        action = choose(reference, rng)
        yield game, reference, action
        game.apply(action)
        reference.apply(action)
    yield game, reference, None


def relative(seat: int | None, observer: int) -> Any:
    """Count a seat from the observing one, None staying None."""
    return None if seat is None else (seat - observer) % 4

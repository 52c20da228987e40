"""Core and reference agree on every decision and every score of thousands of random deals."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.agreement.lockstep import PURE, option_sets, play_games
from tests.reference import OPTION_VALUES, PROFILES, call_order

DEALS_A_PROFILE = 20 if PURE else 100
OPTION_SETS = 200
DEALS_A_SET = 1 if PURE else 3

EVERYWHERE = """
    MIS made, MIS lost, OMIS made, OMIS lost, made, lost, slam, ten tricks no slam, all pass, game won,
    game lost backwards, joker laid away, nomination, nomination declined with a joker,
    nomination step without joker, nominated joker led, nominated joker follows, nominated joker thrown,
    suitless joker led, suitless joker thrown, joker names a suit not yet led, joker names a suit led before,
    trump joker led, trump joker follows, trump joker thrown, two jokers in a trick,
    played without a contractor, twenty calls or more, deals later in a game
"""
EVENTS = [" ".join(event.split()) for event in EVERYWHERE.split(",")]
CONTRACTS = [f"contract {bid}" for bid in call_order()]


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    """Play the deals of the default suite, each compared at every decision; return what occurred in them."""
    counts: Counter[str] = Counter()
    for name, options in PROFILES.items():
        play_games(Random(f"profile {name}"), options, DEALS_A_PROFILE, counts)
    for number, options in enumerate(option_sets(OPTION_SETS)):
        counts.update(f"{name}={value}" for name, value in options.items())
        play_games(Random(f"options {number}"), options, DEALS_A_SET, counts)
    return counts


def test_core_and_reference_agree_on_a_thousand_deals(seen: Counter[str]) -> None:
    """The comparison runs while the fixture plays; here is only that it did not play too little."""
    assert seen["deals"] == len(PROFILES) * DEALS_A_PROFILE + OPTION_SETS * DEALS_A_SET
    values = {f"{name}={value}" for name, known in OPTION_VALUES.items() for value in known}
    assert {value for value in values if seen[value] < 10} == set()


def test_the_deals_hold_every_contract_and_every_use_of_a_joker(seen: Counter[str]) -> None:
    missing = [event for event in [*EVENTS, *CONTRACTS] if not seen[event]]
    assert missing == []


@pytest.mark.slow
def test_core_and_reference_agree_on_twenty_thousand_deals() -> None:
    """Every contract at least 50 times, every event at least 20 times, in 20,000 deals."""
    counts: Counter[str] = Counter()
    for name, options in PROFILES.items():
        play_games(Random(f"many of {name}"), options, 8000 if name == "australian" else 2000, counts)
    for number, options in enumerate(option_sets(OPTION_SETS)):
        play_games(Random(f"many options {number}"), options, 30, counts)
    assert counts["deals"] == 20_000
    assert [contract for contract in CONTRACTS if counts[contract] < 50] == []
    assert [event for event in EVENTS if counts[event] < 20] == []

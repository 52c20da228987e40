"""Core and reference agree on every decision and every score of thousands of random deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from tests.agreement.lockstep import PURE, option_sets, play_games, short_sets
from tests.reference import PROFILES, call_order
from tests.reference.options import OPTION_VALUES, SHORT_PACKS, USUAL_PACKS

DEALS_A_PROFILE = 20 if PURE else 100
OPTION_SETS = 200
SHORT_SETS = 120
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


@pytest.fixture(scope="module")
def seen_short() -> Counter[str]:
    """Play deals of the short packs in the same way."""
    counts: Counter[str] = Counter()
    for number, options in enumerate(short_sets(SHORT_SETS)):
        counts.update(f"{name}={value}" for name, value in options.items())
        play_games(Random(f"short {number}"), options, 3 * DEALS_A_SET, counts)
    return counts


def test_core_and_reference_agree_on_a_thousand_deals(seen: Counter[str]) -> None:
    """The comparison runs while the fixture plays; here is only that it did not play too little."""
    assert seen["deals"] == len(PROFILES) * DEALS_A_PROFILE + OPTION_SETS * DEALS_A_SET
    assert missing_values(seen, USUAL_PACKS) == set()


@pytest.mark.rule("D12")
def test_core_and_reference_agree_on_the_short_packs(seen_short: Counter[str]) -> None:
    """Hundreds of deals with one to four cards a hand, under every option."""
    assert seen_short["deals"] == SHORT_SETS * 3 * DEALS_A_SET
    assert missing_values(seen_short, SHORT_PACKS) == set()


@pytest.mark.rule("D12")
def test_the_deals_of_the_short_packs_hold_what_can_happen_there(seen_short: Counter[str]) -> None:
    """Level 6 needs five cards a hand; everything else occurs that does not ask for a second joker."""
    never = {f"contract 6{strain}" for strain in ("S", "C", "D", "H", "NT")}
    assert {contract for contract in CONTRACTS if not seen_short[contract]} == never
    assert [event for event in EVENTS if not seen_short[event]] == ["two jokers in a trick"]


def missing_values(counts: Counter[str], packs: Iterable[str]) -> set[str]:
    """Return the values of options that occurred in fewer than ten sets, of the packs some only."""
    known = {**OPTION_VALUES, "pack": tuple(packs)}
    values = {f"{name}={value}" for name, some in known.items() for value in some}
    return {value for value in values if counts[value] < 10}


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

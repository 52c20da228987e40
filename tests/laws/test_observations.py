"""What an observation says is what the seat may know, and all of it comes back."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game, Rules
from five_hundred_env.agents.view import View
from five_hundred_env.core import observe
from five_hundred_env.core.cards import Row
from five_hundred_env.core.state import COLUMNS, N_COLUMNS
from tests.agreement.lockstep import by_id
from tests.laws.walk import PURE, every_table, relative, walk
from tests.reference import ReferenceGame, kitty_size
from tests.reference.options import JOKERS

DEALS = (2, 12) if PURE else (6, 30)
SUITED = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H"
# Seat 0 has the top of every suit and seat 3 the bottom.
LAYERED = "ASKSACKCQCADKDAHKHQS JSTS9SJCTCQDJDQHJHTH 8S7S9C8CTD9D8D9H8H7H 6S5S7C6C5C7D6D6H5H4H JK5D4D"


def encode(row: Row, seat: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    words = np.zeros(observe.OBSERVATION_WORDS, np.int64)
    observe.write_observation(row, seat, words.view(np.int8), words)
    return words.view(np.int8)


def differing(one: Row, other: Row) -> list[str]:
    return [c.name for c in COLUMNS if (one[c.start : c.start + c.width] != other[c.start : c.start + c.width]).any()]


def test_decoding_an_observation_gives_what_was_encoded() -> None:
    """Over whole deals of every profile: bytes and back is the same as copying what the seat may know."""
    for seed, options in every_table(*DEALS):
        for game, _, _ in walk(seed, options):
            for seat in range(4):
                decoded, copied = np.zeros(N_COLUMNS, np.int64), np.zeros(N_COLUMNS, np.int64)
                observe.read_observation(encode(game.row, seat), decoded)
                observe.write_view(game.row, seat, copied)
                assert differing(decoded, copied) == [], f"seat {seat} in {game!r}"


def test_observations_stay_within_the_bounds_of_their_fields() -> None:
    low, high = np.zeros(observe.OBSERVATION_SIZE, np.int8), np.zeros(observe.OBSERVATION_SIZE, np.int8)
    for field in observe.OBSERVATION_FIELDS:
        low[field.start : field.stop], high[field.start : field.stop] = field.low, field.high
    for seed, options in every_table(*DEALS):
        for game, _, _ in walk(seed, options):
            seen = encode(game.row, (game.deal_number + len(game.calls)) % 4)
            assert (seen >= low).all()
            assert (seen <= high).all()


def expected(reference: ReferenceGame, me: int) -> dict[str, Any]:
    """Say what a seat may know (R11.1, R11.2), from the reference's strings and lists."""
    other = [(me + n) % 4 for n in range(4)]
    bids = [(seat, call) for seat, call in reference.calls if call != "PASS"]
    begun = len(reference.calls) - [call for _, call in reference.calls][::-1].index(bids[-1][1]) if bids else 0
    passes = reference.calls[begun:] if reference.options["auction"] == "reenter" else reference.calls
    own = me == reference.contractor
    over = reference.phase == "over"
    leader = reference.trick[0][0] if reference.trick else reference.last_trick_winner
    if leader is None and reference.phase == "play":
        leader = reference.seat
    points = reference.result["points"] if reference.result else (0, 0)
    putting_away = own and reference.phase == "discard"
    left = kitty_size(reference.options) - len(reference.discards) if putting_away else 0
    return {
        "rules": Rules.from_dict(reference.options),
        "phase": reference.phase,
        "seat": relative(reference.seat, me),
        "dealer": relative(reference.dealer, me),
        "deal_number": reference.deal_number,
        "scores": (reference.scores[me % 2], reference.scores[1 - me % 2]),
        "hand": tuple(by_id(reference.hands[me])),
        "calls": tuple((relative(seat, me), call) for seat, call in reference.calls),
        "passed": tuple(sorted({relative(seat, me) for seat, call in passes if call == "PASS"})),
        "contract": bids[-1][1] if bids else None,
        "contractor": relative(bids[-1][0], me) if bids else None,
        "kitty": tuple(by_id(reference.kitty)) if own else (),
        "discards": tuple(by_id(reference.discards)) if own else (),
        "discards_left": left,
        "nominations": tuple(reference.nominated.items()),
        "exposed": tuple(by_id(reference.hands[reference.contractor or 0])) if reference.exposed else None,
        "leader": relative(leader, me),
        "led": reference.led_suit,
        "trick": tuple((relative(seat, me), card) for seat, card in reference.trick),
        "history": tuple(history(reference, me)),
        "named": tuple("=" + suit for suit in "SCDH" if suit in reference.named),
        "voids": tuple("".join(s for s in "SCDH" if s in reference._failed[seat]) for seat in other),
        "tricks": tuple(reference.tricks[seat] for seat in other),
        "points": (points[me % 2], points[1 - me % 2]),  # type: ignore[index]
        "made": reference.result["made"] if reference.result else None,
        "winner": None if reference.winner is None else (reference.winner - me) % 2,
        "legal": tuple(sorted(reference.legal())) if reference.seat == me and not over else (),
    }


def history(reference: ReferenceGame, me: int) -> list[Any]:
    tricks = []
    for led, cards in reference.past_tricks:
        first = cards[0][1]
        suitless = first in JOKERS and reference.effective_suit(first) is None
        named = "=" + led if suitless else None
        winner = reference.trick_winner(cards, led)
        plays = tuple((relative(seat, me), card) for seat, card in cards)
        tricks.append((relative(cards[0][0], me), plays, named, relative(winner, me)))
    return tricks


@pytest.mark.rule("R11.1")
@pytest.mark.rule("R11.2")
def test_a_view_says_all_that_a_seat_may_know() -> None:
    """Every field of a decoded observation against the reference, for one seat at each position."""
    rng = Random("views")
    for seed, options in every_table(*DEALS):
        for game, reference, _ in walk(seed, options):
            seat = rng.randrange(4)
            seen = game.observe(seat)
            view = View.from_observation(seen["observation"], seen["action_mask"])
            for name, value in expected(reference, seat).items():
                told = getattr(view, name)
                assert (tuple(sorted(told)) if name == "legal" else told) == value, f"{name}, seat {seat} in {game!r}"


@pytest.mark.parametrize(
    "totals",
    [
        (0, 0),
        (1270, -1270),
        (1280, -1280),
        (2560, -1290),
        (99_990, -99_990),
        (-100_000, 100_000),
        (630, 640),
        (-650, -640),
    ],
)
def test_totals_of_any_size_survive_eight_bits(totals: tuple[int, int]) -> None:
    """Tens: 127 is where one byte ends, 64 where one balanced digit does; each seat reads its own side first."""
    game = Game.from_deal(SUITED, dealer=3, scores=totals, rules={"lose": "none"}, seed=1)
    for seat in range(4):
        seen = game.observe(seat)
        assert seen["observation"].dtype == np.int8
        view = View.from_observation(seen["observation"])
        assert view.scores == (totals[seat % 2], totals[1 - seat % 2])
    assert Game.from_text(game.to_text()).scores == totals


def test_totals_grow_past_a_byte_by_playing() -> None:
    """Seat 3 fails 10NT (520) three times from -1,000 with `lose=none`: -1,520, -2,040, -2,560 are all seen.

    It holds the lowest cards of every suit, so it can not take ten tricks; the others pass.
    """
    game = Game.from_deal(LAYERED, dealer=2, scores=(0, -1000), rules={"lose": "none"}, seed=1)
    for lost in (-1520, -2040, -2560):
        while game.phase != "over":
            if game.phase == "auction":
                game.apply("10NT" if game.seat == 3 else "PASS")
            else:
                game.apply(game.legal()[0])
        assert game.scores[1] == lost
        assert View.from_observation(game.observe(1)["observation"]).scores[0] == lost
        game.next_from(LAYERED)


def test_deal_numbers_survive_eight_bits() -> None:
    """Deal 200 and deal 10,000 are told apart from all others, as `max_deals` may be that large."""
    text = Game.from_deal(SUITED, dealer=3, seed=1).to_text()
    for number in (1, 63, 64, 127, 128, 200, 8191, 8192, 10_000):
        game = Game.from_text(text.replace("deal=1 ", f"deal={number} "))
        assert game.deal_number == number
        assert View.from_observation(game.observe(1)["observation"]).deal_number == number


def test_observing_has_no_effect_and_gives_arrays_to_keep() -> None:
    game = Game(seed=5)
    row, first = game.row.copy(), game.observe(2)
    kept = {name: array.copy() for name, array in first.items()}
    game.observe(3)
    assert (game.row == row).all()
    game.apply("PASS")
    game.observe(2)
    assert all((first[name] == kept[name]).all() for name in kept)

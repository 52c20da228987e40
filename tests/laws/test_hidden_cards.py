"""R11.3: exchange what a seat can not see, replay the deal, and nothing that the seat observes changes.

A position is resampled from one seat's side by exchanging cards between the places that it can not look into: the
hands of the others, the contractor's discards, the kitty that nobody took. An exchange has to agree with what the seat
has seen: a hand that failed to follow a suit has none of it, one that did not throw a suitless joker when a misère
asked for it has none, a nominated joker is the contractor's, an exposed hand is as it lies. The discards of a
contractor other than the observing seat may then be any that fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Protocol

import numpy as np
import pytest

from five_hundred_env import actions
from five_hundred_env.core import engine, observe
from five_hundred_env.core.cards import CARD_IDS, Row
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.state import BIDDER, HAND, PHASE, SEAT
from five_hundred_env.notation import deal_row
from tests.agreement.lockstep import deal_text
from tests.laws.walk import PURE, Options, every_table, walk
from tests.reference import ReferenceGame
from tests.reference.options import JOKERS, MISERES


class Observe(Protocol):
    """How the observation and the mask of a seat are read from a row."""

    def __call__(self, row: Row, seat: int) -> bytes: ...


def observe_seat(row: Row, seat: int) -> bytes:
    """Return the observation and the mask of a seat, the mask empty when it is not to move."""
    words = np.zeros(observe.OBSERVATION_WORDS, np.int64)
    mask = np.zeros(observe.MASK_WORDS, np.int64)
    observe.write_observation(row, seat, words.view(np.int8), words)
    observe.write_mask(int(row[PHASE]), engine.legal_mask(row) if seat == int(row[SEAT]) else 0, mask)
    return words.tobytes() + mask.tobytes()


@dataclass
class Position:
    """What the reference knows of a deal after a number of actions, copied."""

    hands: list[list[str]]
    discards: list[str]
    contractor: int | None
    exposed: bool
    nominated: dict[str, str]
    suits: dict[str, str | None]
    failed: list[set[str]]
    without_joker: set[int]


@dataclass
class Record:
    """A whole deal: how it began, every action, the position before each and at the end."""

    rules: Rules
    dealer: int
    scores: tuple[int, int]
    dealt: list[list[str]]
    kitty: list[str]
    actions: list[str] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)

    def row(self, hands: list[list[str]], kitty: list[str]) -> Row:
        return deal_row(self.rules, deal_text(hands, kitty), self.dealer, self.scores, seed=1)


def record_deal(seed: str, options: Options) -> Record:
    """Play a deal with the reference's random players and note what its public actions tell of hidden hands."""
    record: Record | None = None
    without_joker: set[int] = set()
    for game, reference, action in walk(seed, options):
        if record is None:
            hands = [list(hand) for hand in game.hands]
            record = Record(game.rules, game.dealer, game.scores, hands, list(game.kitty))
        record.positions.append(position(reference, without_joker))
        record.phases.append(reference.phase)
        if action is not None:
            if shows_no_joker(reference, action):
                without_joker.add(reference.seat or 0)
            record.actions.append(action)
    assert record is not None
    return record


def position(reference: ReferenceGame, without_joker: set[int]) -> Position:
    return Position(
        hands=[sorted(hand) for hand in reference.hands],
        discards=list(reference.discards),
        contractor=reference.contractor,
        exposed=reference.exposed,
        nominated=dict(reference.nominated),
        suits={card: reference.effective_suit(card) for card in reference._pack},
        failed=[set(suits) for suits in reference._failed],
        without_joker=set(without_joker),
    )


def shows_no_joker(reference: ReferenceGame, action: str) -> bool:
    """Tell whether a card shows that its hand holds no suitless joker: a misère would have it thrown (R7.3)."""
    if reference.phase != "play" or not reference.trick or reference.contract not in MISERES:
        return False
    suit, seat = reference.effective_suit(action), reference.seat
    assert seat is not None
    if suit is None or suit == reference.led_suit:
        return False
    barred = reference.options["joker_no_trumps"] == "not_shown_void"
    return not (barred and reference.led_suit in reference._failed[seat])


AWAY = -1


def fits(card: str, place: int, known: Position) -> bool:
    """Tell whether a hidden card may lie in a place, a seat's hand or `AWAY`, for all that has been seen."""
    if card in JOKERS and known.nominated.get(card, "=-") != "=-":
        return place == known.contractor
    if place == AWAY:
        return True
    suit = known.suits[card]
    if suit is None:
        return place not in known.without_joker
    return suit not in known.failed[place]


def resample(record: Record, step: int, seat: int, rng: Random) -> tuple[list[list[str]], list[str], list[str]]:
    """Return hands, kitty and discards of another deal that looks the same to a seat after some actions."""
    known = record.positions[step]
    places = {other: list(known.hands[other]) for other in range(4)}
    places[AWAY] = list(known.discards) if known.contractor is not None else list(record.kitty)
    hidden = [other for other in range(4) if other != seat and not (known.exposed and other == known.contractor)]
    if seat != known.contractor:
        hidden.append(AWAY)
    slots = [(place, n) for place in hidden for n in range(len(places[place]))]
    for _ in range(120 if len(slots) > 1 else 0):
        (a, i), (b, j) = rng.sample(slots, 2)
        one, two = places[a][i], places[b][j]
        if fits(one, b, known) and fits(two, a, known):
            places[a][i], places[b][j] = two, one
    began = [cards_played(record, other, step) + places[other] for other in range(4)]
    if known.contractor is None:
        return began, places[AWAY], []
    pool = began[known.contractor] + places[AWAY]
    kitty = record.kitty if seat == known.contractor else rng.sample(pool, len(record.kitty))
    began[known.contractor] = [card for card in pool if card not in kitty]
    discards = list(places[AWAY])
    if seat != known.contractor:
        rng.shuffle(discards)
    return began, kitty, discards


def cards_played(record: Record, seat: int, step: int) -> list[str]:
    """Return the cards that a seat has played: those dealt to it or taken up that are neither held nor put away."""
    known = record.positions[step]
    had = [*record.dealt[seat], *(record.kitty if seat == known.contractor else [])]
    gone = {*known.hands[seat], *(known.discards if seat == known.contractor else [])}
    return [card for card in had if card not in gone]


def replay(record: Record, row: Row, discards: list[str], steps: range, look: Callable[[Row], bytes]) -> list[bytes]:
    """Do the actions in a deal, other discards among them; return what is seen before each of some steps."""
    seen = []
    rest = iter(discards)
    for n in range(steps[-1] + 1):
        if n in steps:
            seen.append(look(row))
        if n < steps[-1]:
            name = next(rest) if record.phases[n] == "discard" else record.actions[n]
            action = actions.encode(name, record.phases[n])
            assert engine.is_legal(row, action), f"{name} is illegal in a deal that should fit"
            engine.apply(row, action)
    return seen


def differences(record: Record, step: int, seat: int, hands: list[list[str]], held: set[str]) -> Counter[str]:
    """Count what a resampled position differs in; `held` is what the contractor holds or has played in it."""
    known = record.positions[step]
    seen: Counter[str] = Counter({"positions": 1})
    seen["other cards"] += [sorted(hand) for hand in hands] != [sorted(hand) for hand in record.dealt]
    if known.contractor is None or seat == known.contractor:
        return seen
    seen["open hand"] += known.exposed
    truly = {*known.hands[known.contractor], *cards_played(record, known.contractor, step)}
    seen["other discards"] += held != truly
    if known.nominated.get("JK") == "=-":
        seen["declined with the joker, now without"] += "JK" in truly - held
        seen["declined without the joker, now with"] += "JK" in held - truly
    return seen


def check_deal(record: Record, rng: Random, look: Observe = observe_seat) -> Counter[str]:
    """Resample every position of a deal from every seat's side (in pure mode one position in twelve)."""
    seen: Counter[str] = Counter()
    count = len(record.positions)
    steps = range(rng.randrange(min(count, 12)), count, 12) if PURE else range(count)
    for seat in range(4):
        eyes: Callable[[Row], bytes] = partial(look, seat=seat)
        row = record.row(record.dealt, record.kitty)
        true = replay(record, row, record.positions[-1].discards, steps, eyes)
        for n, step in enumerate(steps):
            hands, kitty, discards = resample(record, step, seat, rng)
            other = replay(record, record.row(hands, kitty), discards, steps[: n + 1], eyes)
            assert other == true[: n + 1], f"seat {seat} tells {hands} from {record.dealt} in {record}"
            taken = {*hands[record.positions[step].contractor or 0], *kitty}
            seen += differences(record, step, seat, hands, taken - set(discards))
    return seen


@pytest.mark.rule("R11.3")
@pytest.mark.rule("R5.4")
@pytest.mark.rule("R4.3")
def test_no_seat_observes_a_hidden_card() -> None:
    """All four seats, every position, every profile and 30 sets of options, mask included.

    Declining with and without the joker have to be among the exchanges, both ways, as have open hands.
    """
    rng = Random("hidden cards")
    seen: Counter[str] = Counter()
    for seed, options in every_table(*((3, 12) if PURE else (5, 30))):
        seen += check_deal(record_deal(seed, options), rng)
    assert seen["other cards"] > 0.7 * seen["positions"]
    if not PURE:
        assert min(seen["other discards"], seen["open hand"]) > 100
        assert seen["declined with the joker, now without"] > 30
        assert seen["declined without the joker, now with"] > 30


def told(row: Row, what: int) -> bytes:
    return bytes([what != 0])


LEAKS: dict[str, Observe] = {
    "partner's joker": lambda row, seat: told(row, int(row[HAND + (seat + 2) % 4]) >> CARD_IDS["JK"] & 1),
    "left neighbour's lowest card": lambda row, seat: bytes([int(row[HAND + (seat + 1) % 4]).bit_length()]),
    "contractor's joker": lambda row, seat: (
        told(row, int(row[HAND + max(int(row[BIDDER]), 0)]) >> CARD_IDS["JK"] & 1) if seat != int(row[BIDDER]) else b""
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_the_search_for_leaks_finds_one(leak: str) -> None:
    """An observation that tells a little too much is caught within a few deals."""
    rng = Random("leaks")

    def look(row: Row, seat: int) -> bytes:
        return observe_seat(row, seat) + LEAKS[leak](row, seat)

    def search() -> None:
        for number in range(40 if PURE else 3):
            check_deal(record_deal(f"leak {number}", {}), rng, look)

    with pytest.raises(AssertionError, match="tells"):
        search()

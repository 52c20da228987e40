"""Worlds: every layout that fits, each as likely, never one that does not.

What fits is told by `tests.laws.test_hidden_cards`, out of the reference's sets and strings: voids shown, jokers that a
misère would have had thrown, a joker that was nominated, a hand that lies open.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from five_hundred_env import Game, actions
from five_hundred_env.core import observe
from five_hundred_env.core.bidding import apply_call
from five_hundred_env.core.cards import CARD_IDS, CARD_NAMES, Row
from five_hundred_env.core.constants import AUCTION, CALLS
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    DISCARDS,
    HAND,
    KITTY,
    N_COLUMNS,
    PASSED,
    PASSES,
    PHASE,
    PLAYED,
    SEAT,
)
from five_hundred_env.search.sampling import (
    begin_auction,
    draw_world,
    make_sampler,
    next_call,
    prepare_worlds,
    resample,
)
from tests.laws.test_hidden_cards import (
    AWAY,
    Position,
    Record,
    fits,
    position,
    record_deal,
    replay,
    shows_no_joker,
)
from tests.laws.walk import PURE, every_table, walk
from tests.reference.options import JOKERS

SAMPLER = make_sampler()
Layout = tuple[int, ...]


def observation(row: Row, seat: int) -> Row:
    words = np.zeros(observe.OBSERVATION_WORDS, np.int64)
    observe.write_observation(row, seat, words.view(np.int8), words)
    return words


def view_of(row: Row, seat: int) -> Row:
    view = np.zeros(N_COLUMNS, np.int64)
    observe.read_observation(observation(row, seat).view(np.int8), view)
    return view


def count_worlds(view: Row) -> float:
    return prepare_worlds(view, SAMPLER.groups, SAMPLER.ways)


def draw(view: Row, key: int, number: int) -> Row:
    row = np.zeros(N_COLUMNS, np.int64)
    draw_world(view, SAMPLER.groups, SAMPLER.ways, key, number, row)
    return row


def names(mask: int) -> list[str]:
    return [name for card, name in enumerate(CARD_NAMES) if int(mask) >> card & 1]


# By hand


@pytest.mark.rule("R11.1")
def test_before_the_first_call_any_deal_of_the_unseen_cards_fits() -> None:
    """33 cards are unseen: three hands of ten and a kitty of three, 33! / (10!³ 3!) deals."""
    game = Game(seed=1)
    expected = math.factorial(33) / (math.factorial(10) ** 3 * math.factorial(3))
    assert count_worlds(view_of(game.row, game.seat or 0)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.rule("R11.2")
def test_the_contractor_knows_what_is_put_away() -> None:
    """To the contractor 30 cards are unseen, in three hands, 30! / 10!³; to others 33, the discards among them.

    While the contractor puts away, others do not know which, so 33 cards lie in three hands and three places.
    """
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS"]:
        game.apply(action)
    own, other = view_of(game.row, 0), view_of(game.row, 1)
    assert count_worlds(own) == pytest.approx(math.factorial(30) / math.factorial(10) ** 3, rel=1e-12)
    unseen = math.factorial(33) / (math.factorial(10) ** 3 * math.factorial(3))
    assert count_worlds(other) == pytest.approx(unseen, rel=1e-12)


DEAL = "5S6S7S8S9STSQSKSASJK 5C6C7C8C9CTCQCKCAC4D 5D6D7D8D9DTDQDKDAD4H 5H6H7H8H9HTHQHKHAHJH JSJCJD"


@pytest.mark.rule("R6.2")
def test_a_void_shown_empties_a_suit() -> None:
    """6S by seat 0, who keeps its hand, leads 5S; seat 1 has none and plays 4D; seat 2 is asked what it thinks.

    Seat 2 sees its ten cards and the two played, and 31 are unseen: 9 with seat 0, 9 with seat 1, 10 with seat 3, 3
    put away. In spades those unseen are 6 7 8 9 10 J Q K A, J♣ and the joker, eleven, none of them with seat 1. So
    seat 1 holds 9 of the other 20, and what is left, 22 cards, lies as 9, 10 and 3.
    """
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "JS", "JC", "JD", "5S", "4D"]:
        game.apply(action)
    expected = math.comb(20, 9) * math.factorial(22) / (math.factorial(9) * math.factorial(10) * math.factorial(3))
    assert count_worlds(view_of(game.row, 2)) == pytest.approx(expected, rel=1e-12)


# Against enumeration


def places_of(known: Position, seat: int, kitty: list[str]) -> dict[int, list[str]]:
    """Return the places that a seat can not look into, and what lies there."""
    places = {other: known.hands[other] for other in range(4) if other != seat}
    if known.exposed and known.contractor is not None:
        places.pop(known.contractor, None)
    if seat != known.contractor:
        places[AWAY] = known.discards if known.contractor is not None else kitty
    return places


def layouts(known: Position, places: dict[int, list[str]]) -> Iterator[Layout]:
    """Yield every layout that fits: for each hidden card, in the order of the ids, where it lies."""
    cards = sorted((card for place in places.values() for card in place), key=CARD_IDS.__getitem__)
    free = {place: len(held) for place, held in places.items()}

    def lay(n: int, laid: Layout) -> Iterator[Layout]:
        if n == len(cards):
            yield laid
            return
        for place in free:
            if free[place] and fits(cards[n], place, known):
                free[place] -= 1
                yield from lay(n + 1, (*laid, place))
                free[place] += 1

    yield from lay(0, ())


def layout_of(world: Row, seat: int, places: dict[int, list[str]]) -> Layout:
    """Return where a world has the hidden cards, seats counted from the table's seat 0."""
    lies = {}
    for place in places:
        mask = int(world[HAND + (place - seat) % 4]) if place != AWAY else int(world[DISCARDS])
        if place == AWAY and int(world[BIDDER]) < 0:
            mask = int(world[KITTY])
        lies.update(dict.fromkeys(names(mask), place))
    cards = sorted((card for held in places.values() for card in held), key=CARD_IDS.__getitem__)
    return tuple(lies[card] for card in cards)


def features(known: Position, places: dict[int, list[str]], seat: int) -> Iterator[str]:
    hidden = {card for held in places.values() for card in held}
    if any(known.failed[place] for place in places if place != AWAY):
        yield "void"
    if known.contractor is None:
        yield "no contractor, kitty unseen"
    else:
        yield "own contract" if seat == known.contractor else "another's contract"
    if known.exposed and seat != known.contractor:
        yield "open hand"
    if known.without_joker - {seat} and hidden & set(JOKERS):
        yield "joker not thrown"


SMALL = 900
"""Most layouts, suits forgotten, that are gone through one by one."""


Ending = tuple[Row, int, Position, dict[int, list[str]]]


def small_positions(deals_a_profile: int, sets: int) -> Iterator[Ending]:
    """Yield endings with few layouts, from each seat: row, seat, what is known, the hidden places."""
    for seed, options in every_table(deals_a_profile, sets):
        without_joker: set[int] = set()
        for game, reference, action in walk(seed, options):
            if reference.phase in ("play", "name"):
                known = position(reference, without_joker)
                for seat in range(4):
                    places = places_of(known, seat, list(game.kitty))
                    sizes = [len(held) for held in places.values()]
                    ways = math.factorial(sum(sizes)) // math.prod(math.factorial(size) for size in sizes)
                    if 1 < ways <= SMALL:
                        yield game.row.copy(), seat, known, places
            if action is not None and shows_no_joker(reference, action):
                without_joker.add(reference.seat or 0)


FEATURES = (
    "void",
    "own contract",
    "another's contract",
    "open hand",
    "joker not thrown",
    "no contractor, kitty unseen",
)


@pytest.mark.rule("R7.3")
@pytest.mark.rule("R8.3")
def test_as_many_worlds_are_counted_as_fit() -> None:
    seen: Counter[str] = Counter()
    for row, seat, known, places in small_positions(*((1, 4) if PURE else (6, 60))):
        expected = sum(1 for _ in layouts(known, places))
        assert count_worlds(view_of(row, seat)) == expected, (seat, known, places)
        seen.update(features(known, places, seat))
        seen["positions"] += 1
    if not PURE:
        assert seen["positions"] > 1200
        assert min(seen[feature] for feature in FEATURES) >= 5, seen


def check_uniform(view: Row, seat: int, places: dict[int, list[str]], fitting: list[Layout]) -> None:
    """Draw each layout 60 times on average and hold Pearson's statistic to its bound."""
    drawn = Counter(layout_of(draw(view, 5, number), seat, places) for number in range(60 * len(fitting)))
    assert set(drawn) == set(fitting)
    statistic = sum((drawn[layout] - 60) ** 2 / 60 for layout in fitting)
    freedom = len(fitting) - 1
    assert abs(statistic - freedom) < 5 * math.sqrt(2 * freedom) + 5, (statistic, freedom, places)


def test_worlds_are_drawn_uniformly() -> None:
    """Of each kind of ending some with 4 to 90 layouts, 60 draws a layout; Pearson's statistic by its normal bound.

    For n layouts its mean is n - 1 and its variance about 2 (n - 1). The draws are fixed, so the test does not flicker.
    """
    tested: Counter[str] = Counter()
    for row, seat, known, places in small_positions(*((1, 3) if PURE else (4, 60))):
        kinds = set(features(known, places, seat))
        wanted = {kind for kind in kinds if tested[kind] < (1 if PURE else 6)}
        fitting = list(layouts(known, places)) if wanted else []
        if not 4 <= len(fitting) <= 90:
            continue
        tested.update(kinds)
        view = view_of(row, seat)
        count_worlds(view)
        check_uniform(view, seat, places, fitting)
    assert PURE or min(tested[feature] for feature in FEATURES) >= 2, tested


@pytest.mark.rule("R5.2")
def test_a_nominated_joker_lies_with_its_contractor() -> None:
    """6NT by seat 0, joker nominated as a spade; eight spades led leave it A♠ and the joker. Seat 1 is asked.

    Unseen are nine cards: those two, two each of seats 2 and 3 (diamonds, hearts) and the discards J♠ J♣ J♦. The joker
    is with seat 0. Seats 2 and 3 are void in spades. Either A♠ and J♠ both lie away: the other six lie as 1, 2, 2 and
    1, 180 ways. Or one of the two, 2 ways, is with seat 0 and the other away: six lie as 2, 2, 2, 90 ways. 360 in all.
    """
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6NT", "PASS", "PASS", "PASS", "JS", "JC", "JD", "=S"]:
        game.apply(action)
    for spade in ["5S", "6S", "7S", "8S", "9S", "TS", "QS", "KS"]:
        game.apply(spade)
        for _ in range(3):
            game.apply(game.legal()[0])
    assert sorted(game.hands[0]) == ["AS", "JK"]
    known = Position(
        hands=[list(hand) for hand in game.hands],
        discards=list(game.discards),
        contractor=0,
        exposed=False,
        nominated={"JK": "=S"},
        suits={card: "S" if card == "JK" else card[1] for hand in (*game.hands, game.discards) for card in hand},
        failed=[set(), {"S"}, {"S"}, {"S"}],
        without_joker=set(),
    )
    places = places_of(known, 1, [])
    view = view_of(game.row, 1)
    fitting = list(layouts(known, places))
    assert count_worlds(view) == len(fitting) == 360
    check_uniform(view, 1, places, fitting)


# Never failing


def deal_of(world: Row, record: Record, seat: int) -> tuple[list[list[str]], list[str], list[str]]:
    """Return hands as dealt, kitty and discards of a world, seats counted from the table's seat 0."""
    start = np.zeros(N_COLUMNS, np.int64)
    begin_auction(world, start)
    hands = [names(start[HAND + (place - seat) % 4]) for place in range(4)]
    return hands, names(world[KITTY]), names(world[DISCARDS])


def check_world(record: Record, row: Row, step: int, seat: int, world: Row) -> None:
    """Deal a world and replay every action: all legal, and the seat sees what it saw."""
    hands, kitty, discards = deal_of(world, record, seat)
    ordered = [card for card in record.positions[step].discards if card in discards]
    ordered += [card for card in discards if card not in ordered]
    dealt = record.row(hands, kitty)
    seen = replay(record, dealt, ordered, range(step, step + 1), lambda row: observation(row, seat).tobytes())
    assert seen == [observation(row, seat).tobytes()]


def test_a_world_looks_as_the_deal_does_and_could_have_been_played() -> None:
    """Every position of deals of every profile and of random options, from each seat.

    The world, which counts seats from the observing one, shows its seat 0 the observation that it was drawn from, bit
    for bit. Every ninth is dealt and played again.
    """
    rng = Random("worlds")
    checked = 0
    for seed, options in every_table(*((1, 3) if PURE else (8, 60))):
        record = record_deal(seed, options)
        for step, (game, _, _) in enumerate(walk(seed, options)):
            for seat in range(4):
                view = view_of(game.row, seat)
                assert count_worlds(view) >= 1
                world = draw(view, rng.getrandbits(63), checked)
                assert (observation(world, 0) == observation(game.row, seat)).all()
                checked += 1
                replayable = game.phase not in ("discard", "over")
                if checked % 9 == 0 and replayable:
                    check_world(record, game.row, step, seat, world)
    assert checked > (400 if PURE else 15_000)


def test_the_same_key_draws_the_same_world_and_others_another() -> None:
    game = Game(seed=3)
    view = view_of(game.row, game.seat or 0)
    count_worlds(view)
    first = draw(view, 11, 0)
    assert (draw(view, 11, 0) == first).all()
    assert (draw(view, 11, 1) != first).any()
    assert (draw(view, 12, 0) != first).any()


# The calls of a world, and weights


def test_the_calls_of_a_world_can_be_replayed() -> None:
    """The auction of a drawn world ends as it did: bids, passes and turn, in every form of auction."""
    kinds: Counter[str] = Counter()
    for seed, options in every_table(*((1, 3) if PURE else (3, 60))):
        for game, reference, _ in walk(seed, options):
            if reference.phase not in ("auction", "play"):
                continue
            seat = reference.seat or 0
            view = view_of(game.row, seat)
            count_worlds(view)
            world = draw(view, 1, 1)
            row = np.zeros(N_COLUMNS, np.int64)
            begin_auction(world, row)
            calls = []
            while (call := next_call(world, row)) >= 0:
                assert 0 <= call < CALLS
                calls.append(((int(row[SEAT]) + seat) % 4, call))
                ended = apply_call(row, call)
            assert calls == [(who, actions.encode(call)) for who, call in game.calls]
            for column in (BID, BIDDER, PASSED, CALLS_MADE, *range(BIDS, BIDS + 4), *range(PASSES, PASSES + 4)):
                assert row[column] == world[column]
            assert not calls or ended == (int(world[PHASE]) != AUCTION)
            kinds[str(options.get("auction", "continuous"))] += 1
            if reference.phase == "play":
                break
    assert PURE or min(kinds[kind] for kind in ("continuous", "one_round", "reenter")) > 50


def test_the_hands_behind_the_calls_are_those_dealt() -> None:
    """The contractor of a finished deal bid on the ten cards dealt to it, not on the kitty."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "5S", "6S", "7S", "JK"]:
        game.apply(action)
    row = np.zeros(N_COLUMNS, np.int64)
    begin_auction(game.row, row)
    assert names(row[HAND]) == ["5S", "6S", "7S", "8S", "9S", "TS", "QS", "KS", "AS", "JK"]
    assert int(row[PLAYED]) == 0


def test_resampling_keeps_the_weights() -> None:
    """Weights 1, 0, 2, 5 of 8: of 16 evenly spaced marks 2, 0, 4 and 10 fall on them, wherever the first lies."""
    for key in range(20):
        weights = np.array([1.0, 0.0, 2.0, 5.0])
        chosen = np.zeros(4, np.int64)
        assert resample(weights, 4, 16, key, chosen) == 3
        assert chosen[:3].tolist() == [0, 2, 3]
        assert weights.tolist() == [2 / 16, 0, 4 / 16, 10 / 16]

"""What the random players reach, and laws that hold in every deal they play."""

from collections import Counter
from random import Random

import pytest

from tests.reference import OPTION_VALUES, ReferenceGame, call_order, pack_cards
from tests.reference.options import USUAL_PACKS
from tests.reference.random_play import (
    choose,
    events_of_action,
    events_of_result,
    play_deal,
    random_deal,
    random_game,
    random_options,
)

DEALS = 3000
OPTION_DEALS = 1500


def play_and_count(game: ReferenceGame, rng: Random, seen: Counter[str]) -> None:
    """Play a deal, count its events, and hold it to the laws of every deal."""
    for action in play_deal(game, rng):
        seen.update(events_of_action(game, action))
    seen.update(events_of_result(game))
    assert game.legal() == set()
    played = [card for _, trick in game.past_tricks for _, card in trick]
    left = [card for hand in game.hands for card in hand]
    kitty = [] if game.discards else game.kitty
    assert sorted(played + left + game.discards + kitty) == sorted(pack_cards(game.options))
    assert sum(game.tricks) == len(game.past_tricks) <= 10


@pytest.fixture(scope="module")
def seen_by_default() -> Counter[str]:
    """Events of seeded deals under part A."""
    seen: Counter[str] = Counter()
    for number in range(DEALS):
        rng = Random(f"part A {number}")
        play_and_count(random_game(rng), rng, seen)
    return seen


@pytest.fixture(scope="module")
def seen_with_options() -> Counter[str]:
    """Events of seeded deals under random options, and the option values that were drawn."""
    seen: Counter[str] = Counter()
    for number in range(OPTION_DEALS):
        rng = Random(f"part B {number}")
        options = random_options(rng)
        seen.update(f"{name}={value}" for name, value in options.items())
        play_and_count(random_game(rng, options), rng, seen)
    return seen


def test_every_contract_occurs(seen_by_default: Counter[str]) -> None:
    rare = {bid for bid in call_order() if seen_by_default[f"contract {bid}"] < 20}
    assert not rare


def test_everything_worth_comparing_occurs(seen_by_default: Counter[str]) -> None:
    wanted = """
        MIS made, MIS lost, OMIS made, OMIS lost, made, lost, slam, ten tricks no slam, all pass,
        twenty calls or more, game won, game lost backwards, joker laid away, nomination,
        nomination declined with a joker, nomination step without joker, nominated joker led,
        nominated joker follows, nominated joker thrown, suitless joker led, suitless joker thrown,
        joker names a suit not yet led, joker names a suit led before, trump joker led,
        trump joker follows, trump joker thrown
    """
    events = [" ".join(event.split()) for event in wanted.split(",")]
    assert {event: seen_by_default[event] for event in events if seen_by_default[event] < 10} == {}


def test_random_options_draw_every_value_and_reach_what_only_they_allow(
    seen_with_options: Counter[str],
) -> None:
    usual = {**OPTION_VALUES, "pack": USUAL_PACKS}
    values = {f"{name}={value}" for name, known in usual.items() for value in known}
    assert {value for value in values if seen_with_options[value] < 50} == set()
    for event in ("played without a contractor", "two jokers in a trick", "a hundred calls"):
        assert seen_with_options[event] >= 3


def test_a_seed_replays_a_deal() -> None:
    first, second = ([*play_deal(random_game(rng), rng)] for rng in (Random("7"), Random("7")))
    assert first == second
    assert first != [*play_deal(random_game(Random("8")), Random("8"))]


def test_a_game_of_many_deals_comes_to_its_end() -> None:
    """Totals and dealer go on from deal to deal until a side has won."""
    rng = Random("games")
    for _ in range(10):
        game = random_game(rng)
        while not game.is_over:
            for action in play_deal(game, rng):
                assert action in game.legal()
            if not game.is_over:
                dealer, number, scores = game.dealer, game.deal_number, list(game.scores)
                game.next_deal(*random_deal(rng))
                assert (game.dealer, game.deal_number) == ((dealer + 1) % 4, number + 1)
                assert game.scores == scores
        assert game.winner in (0, 1)


# R11.3 Nothing depends on hidden cards


def unknown_to(game: ReferenceGame, own: set[str], seat: int) -> list[str]:
    """Return the cards of which a seat cannot say where they were dealt."""
    known = own | {card for _, trick in game.past_tricks for _, card in trick}
    known |= {card for _, card in game.trick}
    if seat == game.contractor:
        known |= set(game.kitty)
    if game.exposed and game.contractor is not None:
        known |= game.hands[game.contractor]
    return [card for card in pack_cards(game.options) if card not in known]


def replay(first: ReferenceGame, second: ReferenceGame, actions: list[str], swap: dict[str, str], seat: int) -> bool:
    """Play the same deal with two hidden cards exchanged; False when it does not fit."""
    for action in actions:
        hidden = first.phase == "discard" and first.seat != seat
        other = swap.get(action, action) if hidden else action
        if other not in second.legal():
            return False
        first.apply(action)
        second.apply(other)
        assert first.observation_key(seat) == second.observation_key(seat)
        if first.seat == seat:
            assert first.legal() == second.legal()
    return True


def test_a_seat_sees_nothing_of_hidden_cards() -> None:
    """Exchange two cards that a seat has not seen and replay: it may notice nothing.

    Some exchanges make an action illegal (a hand that followed no longer could have thrown, say);
    they contradict what the seat has seen and say nothing.
    """
    rng = Random("hidden")
    fitting: Counter[str] = Counter()
    for number in range(1000):
        options = None if number % 3 == 0 else random_options(rng)
        deal = random_deal(rng, options)
        dealer, seat = rng.randrange(4), rng.randrange(4)
        game = ReferenceGame(*deal, dealer, options=options)
        actions: list[str] = []
        stop = rng.randrange(5, 60)
        while game.phase != "over" and len(actions) < stop:
            actions.append(choose(game, rng))
            game.apply(actions[-1])
        hidden = unknown_to(game, set(deal[0][seat]), seat)
        if len(hidden) < 2:
            continue
        one, two = rng.sample(hidden, 2)
        swap = {one: two, two: one}
        hands = [[swap.get(card, card) for card in hand] for hand in deal[0]]
        kitty = [swap.get(card, card) for card in deal[1]]
        first = ReferenceGame(*deal, dealer, options=options)
        second = ReferenceGame(hands, kitty, dealer, options=options)
        if replay(first, second, actions, swap, seat):
            fitting[game.phase] += 1
    assert fitting["auction"] >= 30
    assert fitting["play"] >= 30
    assert fitting["over"] >= 30

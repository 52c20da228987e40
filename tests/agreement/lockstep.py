"""Drive the core and the reference through the same deals and compare all that the rules decide."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from five_hundred_env import Game
from tests.reference import ReferenceGame
from tests.reference.options import SHORT_PACKS
from tests.reference.random_play import (
    choose,
    events_of_action,
    events_of_result,
    random_deal,
    random_options,
    random_scores,
)

PURE = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether the kernels run as plain Python: loops are shortened then."""

Options = dict[str, Any]


def deal_text(hands: list[list[str]], kitty: list[str]) -> str:
    """Write a deal as `Game.from_deal` reads it."""
    return " ".join("".join(group) for group in [*hands, kitty])


def begin(rng: Random, options: Options) -> tuple[Game, ReferenceGame]:
    """Start the same random deal, dealer and totals in the core and in the reference."""
    hands, kitty = random_deal(rng, options)
    dealer = rng.randrange(4)
    scores = random_scores(rng, options)
    game = Game.from_deal(deal_text(hands, kitty), dealer=dealer, scores=scores, rules=options, seed=1)
    return game, ReferenceGame(hands, kitty, dealer, scores, options)


def compare_decision(game: Game, reference: ReferenceGame) -> None:
    """Compare what changes with every action: phase, seat, legal actions, tricks and totals."""
    assert game.phase == reference.phase
    assert game.seat == reference.seat
    assert set(game.legal()) == reference.legal()
    assert game.tricks == reference.tricks
    assert game.scores == tuple(reference.scores)
    assert game.winner == reference.winner


def compare_deal(game: Game, reference: ReferenceGame) -> None:
    """Compare everything that a `Game` tells of its deal."""
    assert game.hands == [by_id(hand) for hand in reference.hands]
    assert game.kitty == by_id(reference.kitty)
    assert game.discards == by_id(reference.discards)
    assert (game.dealer, game.deal_number) == (reference.dealer, reference.deal_number)
    assert game.calls == reference.calls
    assert (game.contract, game.contractor) == (reference.contract, reference.contractor)
    nominated = {joker: name for joker, name in game.nominations.items() if name is not None}
    assert nominated == reference.nominated
    assert game.named == reference.named
    assert game.trick == reference.trick
    complete = [trick for trick in game.trick_history if trick.plays != reference.trick]
    assert [tuple(trick.plays) for trick in complete] == [trick for _, trick in reference.past_tricks]
    exposed = by_id(reference.hands[reference.contractor or 0]) if reference.exposed else None
    assert game.exposed == exposed
    result = game.deal_result
    assert (None if result is None else dict(result)) == reference.result


def by_id(cards: Any) -> list[str]:
    """Sort cards suit by suit from the four up, jokers last."""
    return sorted(cards, key=lambda card: ("SCDHK2".index(card[1]), "456789TJQKA".find(card[0])))


def play_deal(game: Game, reference: ReferenceGame, rng: Random) -> Iterator[tuple[str, set[str]]]:
    """Play one deal in both, comparing at each decision; yield each action and what is remarkable about it."""
    while reference.phase != "over":
        compare_decision(game, reference)
        if rng.random() < 0.1:
            compare_deal(game, reference)
        action = choose(reference, rng)
        events = events_of_action(reference, action)
        last = reference.trick[-1:]
        game.apply(action)
        reference.apply(action)
        if reference.phase == "play" and not reference.trick and last:
            assert game.seat == reference.last_trick_winner
        yield action, events
    compare_decision(game, reference)
    compare_deal(game, reference)


def play_games(rng: Random, options: Options, deals: int, seen: Counter[str]) -> None:
    """Play a number of deals, several to a game where nobody wins, and count what happens in them."""
    game, reference = begin(rng, options)
    for _ in range(deals):
        for _, events in play_deal(game, reference, rng):
            seen.update(events)
        seen.update(events_of_result(reference))
        seen["deals"] += 1
        if reference.is_over or rng.random() < 0.4:
            game, reference = begin(rng, options)
        else:
            hands, kitty = random_deal(rng, options)
            game.next_from(deal_text(hands, kitty))
            reference.next_deal(hands, kitty)
            seen["deals later in a game"] += 1


def option_sets(count: int) -> list[Options]:
    """Draw sets of options, the same ones each time; the packs are the usual ones."""
    rng = Random("option sets")
    return [random_options(rng) for _ in range(count)]


def short_sets(count: int) -> list[Options]:
    """Draw sets of options with a short pack, all four by turns."""
    rng = Random("short packs")
    packs = [*SHORT_PACKS]
    return [random_options(rng, (packs[n % len(packs)],)) for n in range(count)]

"""Positions that a person laid out, random games, and hidden cards dealt anew."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from five_hundred_env import Game
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, SEATS
from five_hundred_env.core.rules import PROFILES, Rules
from five_hundred_env.core.state import BID, BIDDER, DISCARDS, HAND, KITTY, PHASE, SEED

DEAL = (
    "JKJHJDAHKHQHAS5S9CTD "  # seat 0
    "ACKCQCJCTCKSQS6H7H4D "  # seat 1
    "JSTS9STH9H8H5C6CADKD "  # seat 2
    "8S7S6S4H5H7C8CQD9D8D "  # seat 3
    "5D6D7D"
)
HEARTS = ("6H", "7C", "PASS", "PASS", "8H", "PASS")
"""Seat 0 plays 8H; dealer is seat 3."""
DISCARDED = ("9C", "TD", "5D")
TRICK_1 = ("AS", "QS", "9S", "6S")
"""Seat 0 takes it."""

TABLES = {name: Rules.profile(name) for name in PROFILES} | {
    "two jokers": Rules(pack="46", joker_no_trumps="nominate"),
    "45": Rules(pack="45", auction="reenter", own_raise="yes"),
    "low four": Rules(pack="43-low-four", all_pass="no_trumps", open_misere_shown="before_first_lead"),
    "short pack": Rules(pack="13", misere_rank="above_sevens"),
    "not shown void": Rules(joker_no_trumps="not_shown_void", open_misere_rank="top"),
    "last trick lead": Rules(joker_no_trumps="last_trick_lead", defence_cap=460, target=1000),
}


def at(*actions: str, **options: object) -> Game:
    """Return the position that actions from the first call of `DEAL` lead to."""
    game = Game.from_deal(DEAL, **{"dealer": 3, "scores": (260, -40), "seed": 1, **options})  # type: ignore[arg-type]
    for action in actions:
        game.apply(action)
    return game


def mid_trick() -> Game:
    """Return a position in the second trick: JK 6H 8H lie, seat 3 has to follow in trumps."""
    return at(*HEARTS, *DISCARDED, *TRICK_1, "JK", "6H", "8H")


def in_every_phase() -> dict[str, Game]:
    """Return a position of each phase; the contracts of `nominate` and `name` have no trumps.

    Seat 0 bids 8NT, declines to nominate, and leads the joker, which then has to name a suit.
    """
    no_trumps = ("8NT", "PASS", "PASS", "PASS", *DISCARDED)
    return {
        "auction": at("6H", "7C"),
        "discard": at(*HEARTS, "9C"),
        "nominate": at(*no_trumps),
        "play": mid_trick(),
        "name": at(*no_trumps, "=-", "JK"),
        "over": at("PASS", "PASS", "PASS", "PASS"),
    }


def random_positions(rules: Rules, rng: Random, deals: int = 1) -> Iterator[Game]:
    """Yield each position of random deals; half of the calls after the first bid are passes."""
    game = Game(rules, seed=rng.getrandbits(64))
    for _ in range(deals):
        while game.phase != "over":
            yield game
            legal = game.legal()
            passes = game.phase == "auction" and game.calls and rng.random() < 0.5
            game.apply("PASS" if passes and "PASS" in legal else rng.choice(legal))
        yield game
        if game.is_over:
            return
        game.next_deal()


def with_other_hidden_cards(game: Game, seat: int, rng: Random) -> Row:
    """Return the row with every card that `seat` may not know, and the seed, drawn anew.

    The cards of hidden hands, hidden discards and a closed kitty change places at random, each place keeping its size.
    """
    row: Row = game.row.copy()
    shown = game.exposed
    own = int(row[PHASE]) != AUCTION and int(row[BID]) > 0 and int(row[BIDDER]) == seat
    hidden = [HAND + s for s in range(SEATS) if s != seat and (shown is None or s != game.contractor)]
    if not own:
        hidden += [DISCARDS] if int(row[DISCARDS]) else []
        hidden += [KITTY] if int(row[PHASE]) == AUCTION else []
    sizes = [int(row[column]).bit_count() for column in hidden]
    cards = [card for column in hidden for card in range(46) if int(row[column]) >> card & 1]
    rng.shuffle(cards)
    for column, size in zip(hidden, sizes, strict=True):
        row[column] = sum(1 << cards.pop() for _ in range(size))
    if not own and KITTY not in hidden:
        row[KITTY] = rng.getrandbits(44)
    row[SEED] = rng.getrandbits(62)
    return row

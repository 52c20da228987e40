"""The solver equals Bo Haglund's DDS on every move of fresh deals and later leads, where the two games agree.

A Five Hundred deal of 43 cards without fours of the black suits is a bridge ending of ten tricks once its joker and
bowers are the highest trumps; without trumps the joker must be out of play.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from five_hundred_env.core.cards import EFFECTIVE, POWER
from five_hundred_env.core.constants import CARDS, FIRST_CARD, N_ACTIONS, NO_TRUMPS, PLAY, SEATS
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.state import BIDDER, HAND, PHASE, SEAT, STRAIN, TAKEN, TRICK_CARDS, TRICK_NUMBER
from five_hundred_env.search import make_workspace, solve_row_moves
from tests.search.naive import Row, fresh_row, holds_joker, random_step

types = pytest.importorskip("endplay.types", reason="endplay brings DDS", exc_type=ImportError)
dds = pytest.importorskip("endplay.dds", exc_type=ImportError)

RANKS = "23456789TJQKA"
NO_TRUMP_BID = 5


def bridge_cards(row: Row) -> dict[int, tuple[int, int]]:
    """Return (suit, rank) of each card in a bridge deal: suits as led, ranks packed from the ace down."""
    strain = int(row[STRAIN])
    held = sum(int(row[HAND + seat]) for seat in range(SEATS))
    places = {}
    for suit in range(4):
        cards = [card for card in range(CARDS) if EFFECTIVE[0, strain, card] == suit and held >> card & 1]
        cards.sort(key=lambda card: int(POWER[0, strain, card]), reverse=True)
        places.update({card: (suit, 12 - n) for n, card in enumerate(cards)})
    return places


def bridge_deal(row: Row, places: dict[int, tuple[int, int]]) -> object:
    """Return the position as a deal of endplay: seat 0 is North, suits stand for themselves."""
    hands = []
    for seat in range(SEATS):
        mine = sorted((places[card] for card in places if int(row[HAND + seat]) >> card & 1), reverse=True)
        hands.append(".".join("".join(RANKS[rank] for suit, rank in mine if suit == wanted) for wanted in range(4)))
    deal = types.Deal("N:" + " ".join(hands))
    deal.trump = types.Denom.nt if int(row[STRAIN]) == NO_TRUMPS else list(types.Denom)[int(row[STRAIN])]
    deal.first = list(types.Player)[int(row[SEAT])]
    return deal


def expected_values(row: Row) -> dict[int, int]:
    """Return the value of each card to lead, by DDS."""
    places = bridge_cards(row)
    cards = {place: card for card, place in places.items()}
    left = 10 - int(row[TRICK_NUMBER])
    seat = int(row[SEAT])
    side = int(row[BIDDER]) & 1
    before = int(row[TAKEN + side]) + int(row[TAKEN + side + 2])
    values = {}
    for card, tricks in dds.solve_board(bridge_deal(row, places)):
        place = (list(types.Denom).index(card.suit), RANKS.index(card.rank.abbr))
        mine = tricks if seat & 1 == side else left - tricks
        values[cards[place]] = before + mine
    return values


@pytest.mark.parametrize("bid", [1, 2, 3, 4, NO_TRUMP_BID])
def test_every_lead_of_fresh_deals_and_later_tricks(bid: int) -> None:
    rnd = random.Random(bid)
    workspace = make_workspace()
    values = np.zeros(N_ACTIONS, np.int64)
    compared = 0
    while compared < 400:
        row = fresh_row(Rules(), bid, rnd)
        if bid == NO_TRUMP_BID and holds_joker(row):
            continue
        for stop in (0, 2, 4):
            while int(row[TRICK_NUMBER]) < stop or int(row[TRICK_CARDS]):
                random_step(row, rnd)
            assert int(row[PHASE]) == PLAY
            solve_row_moves(row, workspace, values)
            ours = {card: int(values[FIRST_CARD + card]) for card in range(CARDS) if values[FIRST_CARD + card] >= 0}
            assert ours == expected_values(row)
            compared += len(ours)
    assert compared >= 400

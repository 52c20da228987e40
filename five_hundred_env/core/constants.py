"""Seats, suits, strains, phases and sizes: the numbers that have names."""

from __future__ import annotations

VERSION = 0  # of the environment: its action ids, observation layout and deals; part of `five_hundred_v0`

SEATS = 4
SIDES = 2
TRICKS = 10

SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMPS = range(5)
SUITS = 4
STRAINS = 5
SUIT_LETTERS = "SCDH"
STRAIN_NAMES = ("S", "C", "D", "H", "NT")

RANK_LETTERS = "456789TJQKA"
RANKS = 11
FOUR, JACK, QUEEN, KING, ACE = 0, 7, 8, 9, 10

JK = SUITS * RANKS
J2 = JK + 1
CARDS = JK + 2

PASS = 0
FIRST_BID, LAST_BID = 1, 25
LOWEST_LEVEL = 6
MIS = 26
OMIS = 27
CALLS = 28

FIRST_CARD = CALLS
FIRST_NAME = FIRST_CARD + CARDS
DECLINE = FIRST_NAME + SUITS
NOOP = DECLINE + 1
N_ACTIONS = NOOP + 1

AUCTION, DISCARD, NOMINATE, PLAY, NAME, OVER = range(6)
PHASES = ("auction", "discard", "nominate", "play", "name", "over")

NOT_NOMINATED, DECLINED = -1, 4  # values of the nomination beside the suits 0-3

MAX_DEALS = 10_000
MAX_TARGET = 100_000
"""Bound of the target and of starting scores, points: keeps totals within the digits of an observation."""

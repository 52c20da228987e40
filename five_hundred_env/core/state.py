"""The columns of a state row: one table, whole, in int64 numbers.

A row is `[N_COLUMNS] int64`. Sets of cards are masks, bit = card id; seats and suits are -1 when
there is none. The rules stand at its front: one argument is enough for every kernel, and tables of different rules lie
in one matrix.

A `View` row (see `core.observe`) has the same columns, seats counted from the observing one, unknown cards absent.
"""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """One named group of columns of a state row."""

    name: str
    start: int
    width: int
    meaning: str


COLUMNS: list[Column] = []


def _column(name: str, width: int, meaning: str) -> int:
    """Add a group of columns and return where it starts."""
    start = COLUMNS[-1].start + COLUMNS[-1].width if COLUMNS else 0
    COLUMNS.append(Column(name, start, width, meaning))
    return start


# The rules row (core.rules): codes are positions in OPTIONS, numbers are themselves.
RULE_SEATS = _column("rule_seats", 1, "seats at the table")
RULE_PACK = _column("rule_pack", 1, "code of `pack`")
RULE_AUCTION = _column("rule_auction", 1, "code of `auction`")
RULE_OWN_RAISE = _column("rule_own_raise", 1, "code of `own_raise`")
RULE_MISERE_RANK = _column("rule_misere_rank", 1, "code of `misere_rank`")
RULE_OPEN_MISERE_RANK = _column("rule_open_misere_rank", 1, "code of `open_misere_rank`")
RULE_OPEN_MISERE_SHOWN = _column("rule_open_misere_shown", 1, "code of `open_misere_shown`")
RULE_MISERE_DEFENCE = _column("rule_misere_defence", 1, "points a trick, 0 or 10")
RULE_JOKER = _column("rule_joker", 1, "code of `joker_no_trumps`")
RULE_SLAM = _column("rule_slam", 1, "points, 250 or 0")
RULE_WIN = _column("rule_win", 1, "code of `win`")
RULE_DEFENCE_CAP = _column("rule_defence_cap", 1, "points, 0 for none")
RULE_TARGET = _column("rule_target", 1, "points")
RULE_LOSE = _column("rule_lose", 1, "code of `lose`")
RULE_ALL_PASS = _column("rule_all_pass", 1, "code of `all_pass`")
RULE_HAND = _column("rule_hand", 1, "cards a hand")
RULE_KITTY = _column("rule_kitty", 1, "cards in the kitty, and discards")
RULE_CARDS = _column("rule_cards", 1, "the pack, a mask")
RULE_WORDS = 5
RULE_PLACES = _column("rule_places", RULE_WORDS, "the options as an observation shows them, ready to be copied")
N_RULES = RULE_PLACES + RULE_WORDS

PHASE = _column("phase", 1, "AUCTION … OVER")
SEAT = _column("seat", 1, "seat to move, -1 at OVER")
HAND = _column("hand", 4, "cards held, by seat")
STRAIN = _column("strain", 1, "trumps 0-3 or NO_TRUMPS; -1 before the auction has ended")
LED = _column("led", 1, "suit led to the running trick, -1")
LEADER = _column("leader", 1, "who led it; between tricks and at the end who took the last one; -1")
TRICK_CARDS = _column("trick_cards", 1, "cards in the running trick")
TRICK = _column("trick", 4, "card in the running trick by seat, -1")
TRICK_NUMBER = _column("trick_number", 1, "completed tricks")
SUITS_LED = _column("suits_led", 1, "suits led or named so far (R7.4), a mask")
NOMINATED = _column("nominated", 2, "by joker: NOT_NOMINATED, a suit, or DECLINED (R5)")
NAMED = _column("named", 2, "by joker: suit named when it was led suitless (R7.4), -1")
VOIDS = _column("voids", 1, "suits a seat failed to follow, bit 4 * seat + suit")
TAKEN = _column("taken", 4, "tricks taken, by seat")
PLAYED = _column("played", 4, "cards played, by seat, a mask")
LED_CARDS = _column("led_cards", 1, "cards that were led, a mask")
CARD_TRICK = _column("card_trick", 6, "byte c: trick (from 1) that card c was played to, 0")
BID = _column("bid", 1, "the last bid, 0 for none; after the auction the contract")
BIDDER = _column("bidder", 1, "who made it, -1; after the auction the contractor")
PASSED = _column("passed", 1, "seats that have passed (`reenter`: since the last bid), a mask")
CALLS_MADE = _column("calls_made", 1, "calls made in this auction")
BIDS = _column("bids", 4, "bids made, by seat, a mask of calls")
PASSES = _column("passes", 4, "bit b: the seat passed while b was the last bid (0 for none)")
KITTY = _column("kitty", 1, "the kitty as dealt, a mask")
DISCARDS = _column("discards", 1, "cards put away by the contractor, a mask")
DISCARDS_LEFT = _column("discards_left", 1, "discards still to be made")
DEALER = _column("dealer", 1, "who dealt")
DEAL_NUMBER = _column("deal_number", 1, "deals begun in this game, from 1")
SCORES = _column("scores", 2, "totals by side, points")
OPENING = _column("opening", 2, "totals before this deal by side, points; 0 in a view")
POINTS = _column("points", 2, "points of the finished deal by side (R9), 0 before")
MADE = _column("made", 1, "contract made 1, failed 0, none or not over -1")
WINNER = _column("winner", 1, "side that has won the game, -1")
SEED = _column("seed", 1, "64 bits that the deals of this game come from")
N_COLUMNS = SEED + 1

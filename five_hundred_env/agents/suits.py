"""Suits told relative to the trumps: what a network need not learn once for each suit.

Once a contract is known, spades and clubs may be exchanged all through a position (cards, calls, names), and diamonds
and hearts likewise: the rules of the play treat the two black suits alike, and the two red ones. Red and black are not
alike, a red suit of the pack of 43 has one card more. In the auction suits have an order, and nothing may be exchanged.

The **turn** of a position says what is exchanged: bit 0 for spades and clubs, bit 1 for diamonds and hearts. A turn
undoes itself. The turn that brings clubs to spades, or diamonds to hearts, where they are trumps is *told* by the
observation; exchanging the two suits of the other colour, or of any colour without trumps, is *free*: the position
that it gives is just as good.

Rules: R1.2, R3.2, R6.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import kernel
from five_hundred_env.core.actions import CALL_NAMES
from five_hundred_env.core.cards import CARD_NAMES, Row
from five_hundred_env.core.constants import (
    AUCTION,
    CALLS,
    CARDS,
    FIRST_CARD,
    FIRST_NAME,
    N_ACTIONS,
    SUIT_LETTERS,
    SUITS,
)
from five_hundred_env.core.observe import (
    AT_BID,
    AT_PHASE,
    CALL_PLACES,
    CARD_PLACES,
    OBSERVATION_FIELDS,
    Bytes,
)

TURNS = 4
Order = npt.NDArray[np.int64]
_OTHER = {"S": "C", "C": "S", "D": "H", "H": "D"}
_SUIT_FIELDS = ("led_suit", "suits_led", "named", "voids", "nominated")


def _turned(name: str, turn: int) -> str:
    """Return what a card, a bid or a suit becomes; others stay."""
    suit = name[-1]
    if name == "PASS" or name in {"MIS", "OMIS"} or suit not in _OTHER:
        return name
    return name[:-1] + _OTHER[suit] if turn >> (suit in "DH") & 1 else name


def _order(names: tuple[str, ...], size: int, turn: int) -> list[int]:
    """Return for each of some names, then for places without one, where it comes from."""
    return [*(names.index(_turned(name, turn)) for name in names), *range(len(names), size)]


def _place_order(turn: int) -> list[int]:
    """Return for each place of the observation where it comes from."""
    orders = {CARD_PLACES: _order(CARD_NAMES, CARD_PLACES, turn), CALL_PLACES: _order(CALL_NAMES, CALL_PLACES, turn)}
    places: list[int] = []
    for entry in OBSERVATION_FIELDS:
        last = entry.shape[-1]
        if entry.name in _SUIT_FIELDS:
            order = _order(tuple(SUIT_LETTERS), last, turn)
        else:
            order = orders.get(last, list(range(last)))
        places += [entry.start + group + n for group in range(0, entry.size, last) for n in order]
    return places


def _action_order(turn: int) -> list[int]:
    """Return for each action where it comes from."""
    cards = [FIRST_CARD + n for n in _order(CARD_NAMES, CARDS, turn)]
    suits = [FIRST_NAME + n for n in _order(tuple(SUIT_LETTERS), SUITS, turn)]
    return [*_order(CALL_NAMES, CALLS, turn), *cards, *suits, *range(FIRST_NAME + SUITS, N_ACTIONS)]


PLACE_ORDER: Order = np.array([_place_order(turn) for turn in range(TURNS)])
"""`[TURNS, O]` where each place of a turned observation comes from."""
ACTION_ORDER: Order = np.array([_action_order(turn) for turn in range(TURNS)])
"""`[TURNS, A]` where each action of a turned position comes from, and what it is in the position as it was."""
CARD_ORDER: Order = np.array([_order(CARD_NAMES, CARD_PLACES, turn) for turn in range(TURNS)])
"""`[TURNS, CARD_PLACES]` the same for a field of cards."""

TOLD: Order = np.array([{"C": 1, "D": 2}.get(name[-1], 0) for name in CALL_NAMES])
"""`[CALLS]` the turn that a contract tells."""
_FREE = np.array([{"S": 2, "C": 2, "D": 1, "H": 1}.get(name[-1], 3) for name in CALL_NAMES])
_FREE[CALL_NAMES.index("MIS")] = _FREE[CALL_NAMES.index("OMIS")] = 3


def told_turns(observation: Bytes) -> Order:
    """Return `[B]` turns that bring the trumps of `[B, O]` observations to spades or hearts; 0 in the auction."""
    turns = np.empty(len(observation), np.int64)
    _write_turns(np.ascontiguousarray(observation), TOLD, turns)
    return turns


def free_turns(observation: Bytes) -> Order:
    """Return `[B]` masks of what may be exchanged beside; all bits of a mask, one of them, or none, as one likes."""
    turns = np.empty(len(observation), np.int64)
    _write_turns(np.ascontiguousarray(observation), _FREE, turns)
    return turns


@kernel
def _write_turns(observation: Bytes, by_call: Row, turns: Row) -> None:
    """Write what belongs to the contract of each observation, 0 in the auction."""
    for n in range(observation.shape[0]):
        turns[n] = 0
        if observation[n, AT_PHASE + AUCTION] == 0:
            for call in range(CALLS):
                if observation[n, AT_BID + call]:
                    turns[n] = by_call[call]


def turn_places(observation: Bytes, turns: Order, places: Order) -> Bytes:
    """Return `[B, I]` the given places of `[B, O]` observations, each turned."""
    out = np.empty((len(observation), len(places)), np.int8)
    _write_places(np.ascontiguousarray(observation), turns, np.ascontiguousarray(PLACE_ORDER[:, places]), out)
    return out


def turn_actions(values: npt.NDArray[Any], turns: Order) -> npt.NDArray[Any]:
    """Return `[B, A]` values of actions, masks for example, in the order of the turned positions; or back again."""
    return np.take_along_axis(values, ACTION_ORDER[turns], axis=1)


@kernel
def _write_places(observation: Bytes, turns: Row, order: Order, out: Bytes) -> None:
    """Write the places that `order` `[TURNS, I]` tells for each turn."""
    for n in range(observation.shape[0]):
        turn = int(turns[n])
        for i in range(order.shape[1]):
            out[n, i] = observation[n, order[turn, i]]

"""The 80 actions of every four-seat table, as data.

One discrete space; ids never change within a version. Discards and plays share the ids of the cards. A text such as
``7H`` names a bid as well as a card: which one is meant depends on the phase.

Rules: R3.2, R4.2, R5.1, R7.6.
"""

from __future__ import annotations

from typing import NamedTuple

from five_hundred_env.core._jit import small_kernel
from five_hundred_env.core.cards import CARD_NAMES
from five_hundred_env.core.constants import (
    AUCTION,
    DECLINE,
    DISCARD,
    FIRST_BID,
    FIRST_CARD,
    FIRST_NAME,
    LOWEST_LEVEL,
    MIS,
    N_ACTIONS,
    NO_TRUMPS,
    NOOP,
    OMIS,
    PASS,
    PHASES,
    PLAY,
    STRAIN_NAMES,
    STRAINS,
    SUIT_LETTERS,
    TRICKS,
)
from five_hundred_env.errors import NotationError

__all__ = [
    "ACTION_NAMES",
    "ACTION_RANGES",
    "CALL_NAMES",
    "CALL_VALUES",
    "NOOP",
    "N_ACTIONS",
    "ActionRange",
    "decode",
    "encode",
]

CALL_NAMES = (
    "PASS",
    *(f"{level}{strain}" for level in range(6, 11) for strain in STRAIN_NAMES),
    "MIS",
    "OMIS",
)
CALL_VALUES = (
    0,
    *(40 + 100 * level + 20 * s for level in range(5) for s in range(STRAINS)),
    250,
    500,
)
"""Points of each call's contract (R9.1)."""


class ActionRange(NamedTuple):
    """One run of action ids with a common meaning."""

    start: int
    stop: int
    names: tuple[str, ...]
    phases: tuple[str, ...]
    meaning: str


ACTION_RANGES = (
    ActionRange(PASS, PASS + 1, ("PASS",), ("auction",), "pass"),
    ActionRange(1, MIS, CALL_NAMES[1:MIS], ("auction",), "bid a level and a strain"),
    ActionRange(MIS, OMIS + 1, ("MIS", "OMIS"), ("auction",), "bid misère, open misère"),
    ActionRange(FIRST_CARD, FIRST_NAME, CARD_NAMES, ("discard", "play"), "discard or play a card"),
    ActionRange(
        FIRST_NAME,
        DECLINE,
        tuple("=" + suit for suit in SUIT_LETTERS),
        ("nominate", "name"),
        "nominate the joker's suit, or name the suit of a suitless joker that was led",
    ),
    ActionRange(DECLINE, NOOP, ("=-",), ("nominate",), "no nomination"),
    ActionRange(NOOP, N_ACTIONS, ("--",), (), "idle seat of the parallel form; never legal otherwise"),
)

ACTION_NAMES = tuple(name for entry in ACTION_RANGES for name in entry.names)
_CALL_IDS = {name: action for action, name in enumerate(CALL_NAMES)}
_OTHER_IDS = {ACTION_NAMES[action]: action for action in range(FIRST_CARD, N_ACTIONS)}


def encode(text: str, phase: str | None = None) -> int:
    """Return the id of an action.

    Args:
        text: Notation of the rulebook: ``PASS``, ``7H``, ``MIS``, ``AS``, ``JK``, ``=D``, ``=-``, ``--``.
        phase: A phase of the game; ``7H`` is a card in the phases ``discard`` and ``play``. Without it a text that
            names a bid as well as a card is the bid.

    Raises:
        NotationError: No action has that name, or `phase` is no phase.
    """
    if phase is not None and phase not in PHASES:
        raise NotationError(f"no phase is called {phase!r}; phases are {' '.join(PHASES)}")
    if not isinstance(text, str):
        raise NotationError(f"an action is text such as '7H' or 'AS', not {text!r}")
    cards_first = phase is not None and phase != PHASES[AUCTION]
    tables = (_OTHER_IDS, _CALL_IDS) if cards_first else (_CALL_IDS, _OTHER_IDS)
    for table in tables:
        if text in table:
            return table[text]
    raise NotationError(
        f"no action is called {text!r}; actions are PASS 6S … 10NT MIS OMIS, cards such as AS TD 4H JK J2, "
        "=S =C =D =H =- and --"
    )


def decode(action: int) -> str:
    """Return the notation of an action id.

    Raises:
        NotationError: `action` is no integer from 0 to 79.
    """
    try:
        if isinstance(action, float):
            raise TypeError
        number = int(action)
        if 0 <= number < N_ACTIONS:
            return ACTION_NAMES[number]
    except (TypeError, ValueError):
        pass
    raise NotationError(f"{action!r} is no action id; ids are integers from 0 to {N_ACTIONS - 1}")


@small_kernel
def first_action(phase: int) -> int:
    """Return the action id that bit 0 of a phase's legal mask stands for."""
    if phase == AUCTION:
        return PASS
    if phase == DISCARD or phase == PLAY:
        return FIRST_CARD
    return FIRST_NAME


@small_kernel
def bid_strain(bid: int) -> int:
    """Return the strain of a bid, `NO_TRUMPS` for the misères."""
    return (bid - 1) % STRAINS if bid < MIS else NO_TRUMPS


@small_kernel
def bid_level(bid: int) -> int:
    """Return the level of a bid, the tricks that it promises of ten; 0 for the misères."""
    return LOWEST_LEVEL + (bid - FIRST_BID) // STRAINS if bid < MIS else 0


@small_kernel
def tricks_to_make(bid: int, hand: int) -> int:
    """Return the tricks that a bid in tricks promises where a hand has so many cards.

    A level gives away the same number of tricks in every pack: 6 all but six of ten, 10 none.

    Rules: R9.2, D12.
    """
    return bid_level(bid) - (TRICKS - hand)

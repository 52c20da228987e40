"""Counts of legal continuations of fixed positions: in how many ways the next one, two, three … actions can go.

The numbers were counted by the reference of `tests/reference`, which knows nothing of the core; the shallower ones are
counted by it again here. A deal that is over has no continuation.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple

import pytest

from five_hundred_env import Game
from five_hundred_env.core import engine
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.state import PHASE
from tests.agreement.lockstep import PURE
from tests.reference import ReferenceGame
from tests.rules.helpers import cards

RECOUNTED = 1500
"""The reference counts again what is not more than this; it copies a game for each continuation."""


class Position(NamedTuple):
    """A position and its counts, one for each number of actions from 1."""

    rules: dict[str, Any]
    deal: str
    dealer: int
    actions: str
    counts: tuple[int, ...]


POSITIONS = {
    "an opening auction": Position(
        {},
        "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H",
        3,
        "",
        (27, 383, 3784, 29165),
    ),
    "an auction that anyone may re-enter, near its top": Position(
        {"auction": "reenter", "own_raise": "yes", "open_misere_rank": "top"},
        "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H",
        0,
        "10D",
        (4, 10, 20, 35, 65, 263, 2342, 23459),
    ),
    "discards and nomination of both jokers": Position(
        {"pack": "46"},
        "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JKJ24S4C4D4H",
        2,
        "PASS PASS PASS 6NT 5D 6D 7D",
        (13, 156, 1716, 6996, 28116),
    ),
    "a suitless joker on lead, four tricks left": Position(
        {},
        "ADAHTSKS7D6SASTH7S6D 9D7C8HQC8SACKC7HKD6H TC4H5CTD9HKH8CJS8D6C JKQHJH5SQDJC4D5DQS9S 9CJD5H",
        3,
        "10NT PASS PASS PASS 5H 6D AS =- AD 9D TD 4D KS 8S JS 5S AH 6H 4H JH TS 7C KH 9S JD KD 8D 5D 8H 9H QH TH",
        (4, 5, 16, 63, 192, 304, 744, 2160, 4608, 7632, 13968, 26784),
    ),
    "a nominated joker, four tricks left": Position(
        {},
        "9H8CJS7C8S9DQDAHJCTD AC8HKCTHAS7D8D6CQHKD 6H4D5S6D7H5C4H5D5H6S 9C9SKSQC7SJKJDADQSKH TCJHTS",
        0,
        ("7C PASS 7NT PASS PASS 7S 9C 9S =D AD 9D 8D 4D KH 9H 8H 4H KS 8S AS 6S QH 5H JH AH JS AC 5S QS TS 7C KC 5C"),
        (4, 8, 12, 32, 96, 168, 308, 616, 1232, 1676, 2440, 3680, 3680),
    ),
    "a heart contract, four tricks left": Position(
        {"pack": "43-low-four"},
        "9C7C6SKC7D5H5DAS8C8H KSKH6CQSQH4H7HKDTC4C JKQCJHQDTH9D9SJC7S5C TD5SAH8SAC6H6DJD8DJS ADTS9H",
        1,
        "6D PASS 8S 8H PASS PASS 4C 6C TC AD 9D TD 5D 7H JH AH 5H 5C AC 7C 9H KD QD 8D 7D QH TH JD 8H JS 6S KS 7S",
        (4, 4, 6, 12, 36, 100, 204, 588, 1176, 1840, 2576, 4672, 4672),
    ),
    "two jokers in two hands, four tricks left": Position(
        {"pack": "46", "joker_no_trumps": "not_shown_void"},
        "QSAC4SKH9H7D8C9C7H5C QC7C4HJSJ27S5STSKD9S JCAH6H8DTCJKTHJHKS9D TD6SJD6C8HASKC6D5D4C 4DQHQD5HAD8S",
        0,
        (
            "PASS 10NT PASS PASS QH 4D 5H 6H 8D 8S TH 8H KH 4H AC 7C TC 4C 9H 5S AH 6D JC 6C 8C QC 7S KS 6S QS AD "
            "5D 7D KD"
        ),
        (4, 12, 28, 91, 283, 729, 1299, 2769, 5994, 11904, 18096),
    ),
    "an open misère played out, five tricks left": Position(
        {"misere_defence": 10},
        "ADQH5DQSJD8H4DKSACTH 5HTD7H6SJK6D8S9CJH6C TCTS7S9S9D9HJSKHQD7D AH8C7CKC5CAS6HQC5S8D 4HJCKD",
        1,
        "OMIS PASS PASS PASS KD KH QD =- 4H 6H JH 5H 9H AH 7C 6C TC 9D 8D 6D 7D 5C TD",
        (5, 15, 48, 183, 359, 696, 1874, 3241, 5882, 10875, 17796),
    ),
    "nobody's deal, four tricks left": Position(
        {"all_pass": "no_trumps"},
        "KCTS6H9CAC7C7D4D9S5D JKQDJH8CAD9HTC8HKH5S KD6C6S8D5HAHQCTDQSJS QHJC4HTH5C9DAS7HKS6D 7S8SJD",
        1,
        "PASS PASS PASS PASS KD 9D 4D QD 6C 5C 7C 8C 5S 6S AS 9S 4H 6H 8H 5H 9H AH 7H 7D QC JC KC TC",
        (4, 13, 42, 138, 412, 1046, 2006, 4848, 9382, 16500),
    ),
}


def count_core(row: Row, depth: int) -> int:
    """Count the continuations of a row with the compiled functions."""
    mask = int(engine.legal_mask(row))
    if depth == 1:
        return mask.bit_count()
    first = int(first_action(int(row[PHASE])))
    total = 0
    for bit in range(mask.bit_length()):
        if mask >> bit & 1:
            after = row.copy()
            engine.apply(after, first + bit)
            total += count_core(after, depth - 1)
    return total


def count_reference(game: ReferenceGame, depth: int) -> int:
    """Count the continuations of a reference game."""
    legal = sorted(game.legal())
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = deepcopy(game)
        after.apply(action)
        total += count_reference(after, depth - 1)
    return total


def reference_at(position: Position) -> ReferenceGame:
    *hands, kitty = [cards(group) for group in position.deal.split()]
    game = ReferenceGame(hands, kitty, position.dealer, options=position.rules)
    for action in position.actions.split():
        game.apply(action)
    return game


def core_at(position: Position) -> Game:
    game = Game.from_deal(position.deal, dealer=position.dealer, rules=position.rules, seed=1)
    for action in position.actions.split():
        game.apply(action)
    return game


@pytest.mark.parametrize("name", POSITIONS)
def test_the_core_counts_what_the_reference_counted(name: str) -> None:
    position = POSITIONS[name]
    row = core_at(position).row
    for depth, count in enumerate(position.counts, 1):
        if count > (5000 if PURE else 10**9):
            break
        assert count_core(row, depth) == count, f"{depth} actions deep"


@pytest.mark.parametrize("name", POSITIONS)
def test_the_reference_still_counts_the_same(name: str) -> None:
    position = POSITIONS[name]
    game = reference_at(position)
    for depth, count in enumerate(position.counts, 1):
        if count > RECOUNTED:
            break
        assert count_reference(game, depth) == count, f"{depth} actions deep"

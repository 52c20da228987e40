"""The solver equals plain minimax on thousands of endings, in value and in the value of every move."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.core.constants import MIS, N_ACTIONS, NO_TRUMPS, OMIS, OVER
from five_hundred_env.core.rules import OPTIONS, Rules
from five_hundred_env.core.state import BID, NOMINATED, PHASE, RULE_HAND, STRAIN
from five_hundred_env.search import make_workspace, solve, solve_row, solve_row_moves
from five_hundred_env.search.workspace import Workspace
from tests.architecture.rulebook import ROOT
from tests.search.naive import Row, actions_of, after, ending, holds_joker, value_of

SUIT_BIDS = (1, 2, 3, 4)
NO_TRUMP_BID = 5
USUAL_PACKS, SHORT_PACKS = OPTIONS["pack"][:4], OPTIONS["pack"][4:]


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return make_workspace()


def check(row: Row, workspace: Workspace) -> None:
    """Compare one position with its naive value and each of its moves with theirs."""
    values = np.zeros(N_ACTIONS, np.int64)
    best = solve_row_moves(row, workspace, values)
    expected = {action: value_of(after(row, action)) for action in actions_of(row)}
    assert {action: int(values[action]) for action in range(N_ACTIONS) if values[action] >= 0} == expected
    assert solve_row(row, workspace) == best == value_of(row)


def check_endings(rules: Rules, bids: tuple[int, ...], count: int, seed: int, workspace: Workspace) -> Counter[int]:
    """Check random endings of some contracts; return how often each value came."""
    rnd = random.Random(seed)
    seen: Counter[int] = Counter()
    for n in range(count):
        tricks = 4 if n % 10 == 0 else rnd.choice((2, 3))
        row = ending(rules, rnd.choice(bids), tricks, rnd.choice((0, 0, 1, 2, 3)), rnd)
        if int(row[PHASE]) != OVER:
            check(row, workspace)
            seen[solve_row(row, workspace)] += 1
    # A few were over before the end of their random actions.
    assert seen.total() > 0.9 * count
    return seen


@pytest.mark.parametrize("pack", USUAL_PACKS)
def test_suit_contracts(pack: str, workspace: Workspace) -> None:
    """Bowers, the low four of the other suit of a colour, one joker or two at the head of the trumps."""
    seen = check_endings(Rules(pack=pack), SUIT_BIDS, 250, 1, workspace)
    assert len(seen) > 5


@pytest.mark.parametrize("joker", OPTIONS["joker_no_trumps"])
@pytest.mark.parametrize("pack", ["43", "46"])
def test_no_trumps(pack: str, joker: str, workspace: Workspace) -> None:
    """Jokers nominated, declined, held by partner or defenders, under every option; one of them or two."""
    rules = Rules(pack=pack, joker_no_trumps=joker)
    seen = check_endings(rules, (NO_TRUMP_BID,), 250, 2, workspace)
    assert len(seen) > 5


@pytest.mark.parametrize("joker", OPTIONS["joker_no_trumps"])
@pytest.mark.parametrize("pack", ["43", "46"])
def test_misere(pack: str, joker: str, workspace: Workspace) -> None:
    """The partner is out and a suitless joker compulsory; both results occur."""
    rules = Rules(pack=pack, joker_no_trumps=joker)
    rnd = random.Random(3)
    seen: Counter[int] = Counter()
    while sum(seen.values()) < 100:
        # Random play seldom leaves a misère alive, so few tricks are played at first.
        row = ending(rules, rnd.choice((MIS, OMIS)), rnd.choice((3, 4, 4)), rnd.choice((0, 1, 2)), rnd)
        if int(row[PHASE]) != OVER:
            check(row, workspace)
            seen[solve_row(row, workspace)] += 1
    assert seen[0] > 5
    assert seen[1] > 5


@pytest.mark.parametrize("joker", OPTIONS["joker_no_trumps"])
@pytest.mark.parametrize("pack", ["43", "46"])
def test_misere_that_is_played_out(pack: str, joker: str, workspace: Workspace) -> None:
    """With points for each trick the defenders want many of them, not just one."""
    rules = Rules(pack=pack, joker_no_trumps=joker, misere_defence=10)
    seen = check_endings(rules, (MIS, OMIS), 120, 4, workspace)
    assert len(seen) > 4


def test_a_deal_without_contractor(workspace: Workspace) -> None:
    """What is counted are the tricks of side 0."""
    seen = check_endings(Rules(all_pass="no_trumps"), (0,), 150, 5, workspace)
    assert len(seen) > 5


@pytest.mark.parametrize("joker", OPTIONS["joker_no_trumps"])
@pytest.mark.parametrize("pack", SHORT_PACKS)
def test_whole_deals_of_the_short_packs(pack: str, joker: str, workspace: Workspace) -> None:
    """Every kind of contract from the discard on; each number of tricks of a short hand occurs."""
    rules = Rules(pack=str(pack), joker_no_trumps=joker, misere_rank="above_sevens")
    rnd = random.Random(8)
    seen: Counter[int] = Counter()
    for _ in range(60):
        game = Game(rules, seed=rnd.getrandbits(40))
        for call in (rnd.choice(game.legal()[1:]), "PASS", "PASS", "PASS"):
            game.apply(call)
        assert solve(game) == value_of(game.row)
        while game.phase != "over":
            if game.phase in ("nominate", "play", "name"):
                check(game.row, workspace)
            game.apply(rnd.choice(game.legal()))
        seen[solve(game)] += 1
    assert len(seen) == int(rules.row[RULE_HAND]) + 1


def test_every_kind_of_joker_was_met() -> None:
    """The endings above are worth nothing if the joker is never where it matters."""
    rnd = random.Random(2)
    kinds: Counter[str] = Counter()
    for _ in range(200):
        row = ending(Rules(), NO_TRUMP_BID, 3, 0, rnd)
        assert int(row[STRAIN]) == NO_TRUMPS
        assert int(row[BID]) == NO_TRUMP_BID
        if holds_joker(row):
            kinds["nominated" if 0 <= int(row[NOMINATED]) < 4 else "suitless"] += 1
    assert kinds["nominated"] > 10
    assert kinds["suitless"] > 10


def test_one_workspace_serves_positions_of_all_rules() -> None:
    """Entries of one game must never answer for another: a small table that is filled by turns."""
    small = make_workspace(4)
    rnd = random.Random(6)
    rules = [
        Rules(),
        Rules(pack="46", joker_no_trumps="free"),
        Rules(joker_no_trumps="not_shown_void"),
        Rules(misere_defence=10),
        Rules(all_pass="no_trumps"),
    ]
    for n in range(300):
        option = rules[n % len(rules)]
        bid = 0 if option.all_pass == "no_trumps" else rnd.choice((*SUIT_BIDS, NO_TRUMP_BID, NO_TRUMP_BID, MIS))
        row = ending(option, bid, rnd.choice((2, 3)), rnd.choice((0, 1)), rnd)
        if int(row[PHASE]) != OVER:
            assert solve_row(row, small) == value_of(row)


PURE = """
from five_hundred_env.search import make_workspace, solve_row
from tests.search.test_brute_force import some_rows
workspace = make_workspace(6)
print(*[solve_row(row, workspace) for row in some_rows()])
"""


def some_rows() -> list[Row]:
    """Return a few positions of every kind."""
    rnd = random.Random(7)
    packs = [Rules(), Rules(pack="46"), Rules(joker_no_trumps="free"), Rules(misere_defence=10)]
    rows = [ending(rules, bid, 4, more, rnd) for rules in packs for bid in (1, 4, 5, 5, MIS) for more in (0, 2)]
    return [row for row in rows if int(row[PHASE]) != OVER]


def test_without_compilation_the_values_are_the_same(workspace: Workspace) -> None:
    """Plain Python counts with integers of any size: nothing may rest on 64 bits wrapping around, nor warn."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PURE],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert [int(value) for value in done.stdout.split()] == [solve_row(row, workspace) for row in some_rows()]

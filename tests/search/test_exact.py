"""Values, best answers and Nash gaps of whole reduced games, against figures worked out by hand and brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from five_hundred_env import Game, Rules
from five_hundred_env.errors import OptionError
from five_hundred_env.search.exact import GameTree, Policy, all_deals
from tests.agreement.lockstep import PURE

FREE = Rules(pack="5", auction="one_round", joker_no_trumps="free")

# One card a hand; seat 0 calls last, and the kitty is JK or JC. It can not know which.
KITTY_JOKER = Game.from_deal("JS JC JD JH JK", dealer=0, rules=FREE, seed=1)
KITTY_JACK = Game.from_deal("JS JK JD JH JC", dealer=0, rules=FREE, seed=1)


def after(game: Game, *actions: str) -> Game:
    """Return a copy of a game after some actions."""
    game = game.copy()
    for action in actions:
        game.apply(action)
    return game


LAST_CALLS = [after(game, "PASS", "PASS", "PASS") for game in (KITTY_JOKER, KITTY_JACK)]


def test_a_discard_worked_out_by_hand() -> None:
    """Seat 0 has 10C with JS and JK, seat 1 the right bower JC; the rest of the deal is forced.

    JK kept makes the contract: 440 and 20 more for clubs, so 4.6. JK put away, JS (the left bower) falls to JC: -460
    and 10 for the other side, so -4.7. Half of each is -0.05; seat 0 can gain 4.65, nobody else anything. There are
    eleven positions: the discard, two after it, and four cards in each of those.
    """
    tree = GameTree([after(LAST_CALLS[0], "10C")])
    assert tree.size == 11
    uniform = tree.uniform()
    np.testing.assert_allclose(tree.values(uniform), [-0.05, 0.05, -0.05, 0.05])
    np.testing.assert_allclose(tree.gaps(uniform), [4.65, 0, 0, 0], atol=1e-12)
    assert tree.nash_conv(uniform) == pytest.approx(4.65)
    best = tree.best_response(uniform, 0)
    assert best.value == pytest.approx(4.6)
    assert tree.nash_conv(best.policy) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("positions", "chances", "value"),
    [
        # The joker in the kitty makes whatever is bid, 10NT pays most.
        (LAST_CALLS[:1], None, 5.2),
        # The joker with seat 1 breaks every bid in tricks; in open misère it has to fall on JS, and takes it (R7.3).
        (LAST_CALLS[1:], None, 5.0),
        # Not knowing which, 10NT is worth (5.2 - 5.3) / 2 and every suit as much, OMIS (5.0 - 5.0) / 2: pass.
        (LAST_CALLS, None, 0.0),
        # Three to one for the joker: 0.75 * 5.2 - 0.25 * 5.3 = 2.575 in no trumps.
        (LAST_CALLS, (0.75, 0.25), 2.575),
    ],
)
def test_a_best_answer_does_not_know_the_kitty(
    positions: list[Game], chances: tuple[float, ...] | None, value: float
) -> None:
    tree = GameTree(positions, chances)
    assert tree.best_response(tree.uniform(), 0).value == pytest.approx(value)


def small_trees() -> Iterator[GameTree]:
    """Yield trees with few choices for each seat: endings of deals with two cards a hand, several that look alike."""
    rules = Rules(pack="9", joker_no_trumps="free")
    for number, (bid, deals) in enumerate(itertools.product(["9S", "9NT", "OMIS"], [1, 3])):
        rng = np.random.default_rng(number)
        seeds = rng.integers(0, 999, deals).tolist()
        games = [after(Game(rules, seed=seed), bid, "PASS", "PASS", "PASS") for seed in seeds]
        for game in games:
            game.apply(game.legal()[int(rng.integers(3))])
        yield GameTree(games)


def random_policy(tree: GameTree, rng: np.random.Generator) -> Policy:
    """Return a policy with chances drawn at each information set."""
    chances = rng.random(len(tree.actions)) + 0.01
    sums: Policy = np.add.reduceat(chances, tree.firsts[:-1])
    return chances / np.repeat(sums, np.diff(tree.firsts))


def every_answer(tree: GameTree, seat: int, policy: Policy) -> Iterator[Policy]:
    """Yield a policy with each way in which a seat can act at its information sets, without chance."""
    own = np.flatnonzero(tree.seats == seat)
    pairs = [range(int(tree.firsts[n]), int(tree.firsts[n + 1])) for n in own]
    for chosen in itertools.product(*pairs):
        answer = policy.copy()
        for some in pairs:
            answer[some.start : some.stop] = 0.0
        answer[list(chosen)] = 1.0
        yield answer


def test_best_answers_are_the_best_of_all() -> None:
    """Every answer of a seat without chance is tried where there are at most 600; some hundred trees and seats."""
    rng = np.random.default_rng(1)
    tried = 0
    for tree in small_trees():
        policy = random_policy(tree, rng)
        for seat in range(4):
            count = np.prod(np.diff(tree.firsts)[tree.seats == seat], dtype=float)
            if 1 < count <= 600:
                best = max(tree.values(answer)[seat] for answer in every_answer(tree, seat, policy))
                found = tree.best_response(policy, seat)
                assert found.value == pytest.approx(best)
                assert tree.values(found.policy)[seat] == pytest.approx(best)
                tried += 1
    assert tried > 8


def test_information_sets_are_observations() -> None:
    """Each position of two deals is replayed: in one set are those of one seat with the same bytes, and only those."""
    tree = GameTree([after(game, "10C") if PURE else game for game in LAST_CALLS])
    number_of: dict[tuple[int, bytes], int] = {}
    for node in np.flatnonzero(tree._node_seats >= 0):
        tree._examples[0] = node
        game = tree.position(0)
        assert game.seat is not None
        key = game.seat, game.observe(game.seat)["observation"].tobytes()
        assert number_of.setdefault(key, int(tree._sets[node])) == tree._sets[node]
    assert len(set(number_of.values())) == len(number_of) == len(tree.seats)


def test_positions_and_actions_belong_to_their_sets() -> None:
    tree = GameTree(LAST_CALLS)
    for number, seat in enumerate(tree.seats):
        game = tree.position(number)
        assert game.seat == seat
        assert tree.actions[tree.firsts[number] : tree.firsts[number + 1]].tolist() == game.legal_actions().tolist()


@pytest.mark.skipif(PURE, reason="a tree of a whole deck takes minutes without compilation")
def test_a_policy_follows_from_what_it_answers() -> None:
    """Passing always throws every deal in: 0 for all. Somebody would rather bid."""
    tree = GameTree(all_deals(FREE)[:6])
    passing = tree.policy(lambda game: {0: 1.0} if game.phase == "auction" else {int(game.legal_actions()[0]): 1.0})
    assert tree.values(passing).tolist() == [0.0, 0.0, 0.0, 0.0]
    assert tree.gaps(passing).min() >= 0.0
    assert tree.nash_conv(passing) > 0.0


@pytest.mark.skipif(PURE, reason="the gap is that of some hundred thousand positions")
def test_the_gap_is_never_negative_and_bounds_every_answer() -> None:
    rng = np.random.default_rng(2)
    tree = GameTree(all_deals(FREE)[:12])
    for _ in range(3):
        policy = random_policy(tree, rng)
        values = tree.values(policy)
        assert values.sum() == pytest.approx(0.0)
        for seat in range(4):
            best = tree.best_response(policy, seat)
            assert best.value >= values[seat]
            other = np.where(np.repeat(tree.seats == seat, np.diff(tree.firsts)), random_policy(tree, rng), policy)
            assert tree.values(other)[seat] <= best.value + 1e-12


def test_what_can_not_be_a_tree_is_refused() -> None:
    with pytest.raises(OptionError, match="at least one position"):
        GameTree([])
    with pytest.raises(OptionError, match="sum up to 1"):
        GameTree(LAST_CALLS, (0.5, 0.6))
    with pytest.raises(OptionError, match=r"deal 2 of 2 leads to more than 100 positions.*dealer=0"):
        GameTree([after(LAST_CALLS[0], "10C"), KITTY_JACK], most=100)
    with pytest.raises(OptionError, match="shape"):
        GameTree(LAST_CALLS).values(np.zeros(3))


@pytest.mark.parametrize("chances", [{0: 0.4}, {0: 1.0, 79: 0.5}, {0: 1.5, 21: -0.5}])
def test_what_is_no_policy_is_refused(chances: dict[int, float]) -> None:
    with pytest.raises(OptionError, match="are no policy at five_hundred/0"):
        GameTree(LAST_CALLS).policy(lambda _game: chances)


def test_all_deals() -> None:
    """5! deals of five cards; 9! / (2!^4 1!) = 22,680 of nine; larger packs are refused."""
    deals = all_deals(FREE, dealer=2)
    assert len({game.to_text() for game in deals}) == 120
    assert {game.dealer for game in deals} == {2}
    if not PURE:
        assert len(all_deals("australian,pack=9")) == 22_680
    with pytest.raises(OptionError, match="pack 13 are too many"):
        all_deals("australian,pack=13")

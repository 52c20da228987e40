"""Cards are neither lost nor made, somebody can always move, and a position is what its text says."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import numpy as np
import pytest

from five_hundred_env import Game, Rules, actions
from five_hundred_env.notation import format_position
from tests.laws.walk import PURE, every_table, walk
from tests.reference import PROFILES, kitty_size, pack_cards
from tests.reference.options import hand_size

DEALS = (3, 15) if PURE else (8, 50)


def test_cards_are_conserved_at_every_step() -> None:
    """Hands, cards played, discards and the kitty that nobody took are the pack, each card once."""
    for seed, options in every_table(*DEALS):
        pack = sorted(pack_cards(options))
        for game, _, action in walk(seed, options):
            cards = [card for hand in game.hands for card in hand]
            cards += [card for trick in game.trick_history for _, card in trick.plays]
            cards += game.discards
            if game.contractor is None:
                cards += game.kitty
            assert sorted(cards) == pack
            assert len(game.kitty) == kitty_size(options)
            if action is None and sum(game.tricks) == hand_size(options) and game.contract not in ("MIS", "OMIS"):
                assert [len(hand) for hand in game.hands] == [0, 0, 0, 0]


def test_somebody_can_move_until_the_deal_is_over_and_nobody_then() -> None:
    """The mover's mask is its legal actions and never empty; every other mask is empty, at the end all four."""
    for seed, options in every_table(*DEALS):
        for game, _, action in walk(seed, options):
            legal = game.legal_actions()
            assert (len(legal) == 0) == (action is None)
            assert game.legal() == [actions.decode(int(number)) for number in legal]
            assert list(legal) == sorted(set(legal))
            for seat in range(4):
                mask = game.observe(seat)["action_mask"]
                assert np.flatnonzero(mask).tolist() == (legal.tolist() if seat == game.seat else [])
                assert set(np.unique(mask)) <= {0, 1}
            assert actions.NOOP not in legal


def test_every_action_has_one_name_in_its_phase() -> None:
    """Names and ids are one to one where a phase is told; 80 of them, the no-op last."""
    assert actions.N_ACTIONS == 80
    assert actions.NOOP == 79
    for entry in actions.ACTION_RANGES:
        for phase in entry.phases or ("play",):
            for number in range(entry.start, entry.stop):
                assert actions.encode(actions.decode(number), phase) == number
    assert actions.encode("7H") == actions.encode("7H", "auction") != actions.encode("7H", "play")


def test_a_position_comes_back_from_its_text() -> None:
    """At random steps of whole deals: row, history and the deal that follows are the same; so is a copy."""
    rng = Random("texts")
    for seed, options in every_table(*DEALS):
        for game, _, action in walk(seed, options):
            if action is not None and rng.random() > 0.1:
                continue
            text = game.to_text()
            again = Game.from_text(text)
            assert again == game
            assert again.to_text() == text
            assert again.history == game.history[-1:]
            assert "\n" not in text
            assert game.copy() == game
            if action is None and not game.is_over:
                assert again.next_deal() == game.copy().next_deal()
                break


def test_a_copy_goes_its_own_way() -> None:
    game = Game(seed=3)
    other = game.copy()
    before = game.to_text()
    other.apply("PASS")
    assert game.to_text() == before
    assert other.to_text() != before
    assert game != other


def test_a_game_goes_through_a_pickle() -> None:
    """The pickled game is equal, remembers its history, and plays and shows itself as the first one does."""
    game = Game(seed=3).apply("PASS")
    other = pickle.loads(pickle.dumps(game))  # noqa: S301 (made in the line before)
    assert other == game
    assert other.history == game.history
    for each in (game, other):
        each.apply("7S")
    assert other == game
    for seat in range(4):
        for name, places in game.observe(seat).items():
            assert (other.observe(seat)[name] == places).all()


def test_what_a_game_shows_is_the_caller_s_to_keep() -> None:
    """Writing into it, looking through other seats' eyes, and the next deal: each observation is the row's own."""
    game = Game(seed=3)
    for action in ["7S", "PASS", "PASS", "PASS"]:
        for seat in (*range(4), game.seat, game.seat):
            assert seat is not None
            seen = game.observe(seat)
            fresh = Game.from_text(game.to_text()).observe(seat)
            assert all((seen[name] == fresh[name]).all() for name in fresh)
            assert bool(seen["action_mask"].any()) == (seat == game.seat)
            seen["observation"].fill(9)
            seen["action_mask"].fill(9)
        game.apply(action)
    passed = Game(seed=3)
    for _ in range(4):
        passed.apply("PASS")
    assert not passed.observe(0)["action_mask"].any()
    passed.next_deal()
    dealt = Game.from_text(passed.to_text())
    for seat in range(4):
        assert (passed.observe(seat)["observation"] == dealt.observe(seat)["observation"]).all()


@pytest.mark.rule("R4.2")
def test_the_order_of_the_discards_leaves_no_trace_in_the_position() -> None:
    """Six orders of the same three discards, six texts, one position; read from the row it is one text."""
    deal = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H"
    orders = ["4D 4H 5S", "4D 5S 4H", "4H 4D 5S", "4H 5S 4D", "5S 4D 4H", "5S 4H 4D"]
    games = []
    for order in orders:
        game = Game.from_deal(deal, dealer=3, seed=1)
        for action in ["7S", "PASS", "PASS", "PASS", *order.split()]:
            game.apply(action)
        games.append(game)
    assert len({game.to_text() for game in games}) == 6
    assert all(game == games[0] for game in games)
    assert len({format_position(game.row) for game in games}) == 1
    assert all(Game.from_text(game.to_text()) == games[0] for game in games)
    for seat in range(4):
        assert len({game.observe(seat)["observation"].tobytes() for game in games}) == 1


def test_rules_come_back_from_their_text_and_their_row() -> None:
    """Profiles and random sets; equal rules have equal hashes, and no two of these sets share one."""
    seen: Counter[str] = Counter()
    for _, options in every_table(1, 60):
        rules = Rules.from_dict(options)
        assert rules.to_dict() == options
        assert Rules.from_text(rules.to_text()) == rules
        assert Rules.from_dict(rules.to_dict()).hash == rules.hash
        assert Game(rules, seed=1).rules == rules
        seen[rules.hash] += 1
    assert len(seen) == len(PROFILES) + 60 + 30

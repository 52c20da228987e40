"""Suits relative to the trumps: an exact symmetry of the play, and where it ends."""

from __future__ import annotations

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.agents.suits import ACTION_ORDER, PLACE_ORDER, TURNS, free_turns, told_turns, turn_places
from five_hundred_env.core.actions import ACTION_NAMES, encode
from five_hundred_env.core.observe import OBSERVATION_SIZE

BLACK, RED = {"S": "C", "C": "S"}, {"D": "H", "H": "D"}
EXCHANGED = [{}, BLACK, RED, {**BLACK, **RED}]
EVERYWHERE = np.arange(OBSERVATION_SIZE)


def exchanged(text: str, turn: int) -> str:
    """Return hands, a bid or a card with their suits exchanged, as a person would: letter by letter."""
    if text in {"PASS", "MIS", "OMIS", "--"} or text.endswith("NT"):
        return text
    return "".join(EXCHANGED[turn].get(letter, letter) for letter in text)


def deal_of(game: Game, turn: int) -> str:
    return " ".join(exchanged("".join(cards), turn) for cards in [*game.hands, game.kitty])


@pytest.mark.parametrize("turn", range(TURNS))
@pytest.mark.parametrize("bid", ["6S", "7C", "8D", "9H", "6NT", "MIS", "OMIS"])
def test_an_exchanged_deal_is_the_turned_deal_to_its_end(turn: int, bid: str) -> None:
    """Whatever the contract: the same cards with other suits are legal, and every seat sees the turned observation."""
    rng = np.random.default_rng(turn)
    first = Game(seed=40 + turn)
    other = Game.from_deal(deal_of(first, turn), dealer=first.dealer)
    for call in ["7S", "MIS"] if bid == "MIS" else [bid]:
        first.apply(call)
        other.apply(exchanged(call, turn))
    while first.phase == "auction":
        first.apply("PASS")
        other.apply("PASS")
    while first.phase != "over":
        legal = first.legal_actions()
        assert sorted(ACTION_ORDER[turn, legal]) == sorted(other.legal_actions())
        for seat in range(4):
            here = turn_places(first.observe(seat)["observation"][None], np.array([turn]), EVERYWHERE)[0]
            assert (here == other.observe(seat)["observation"]).all()
        action = int(rng.choice(legal))
        first.apply(action)
        other.apply(int(ACTION_ORDER[turn, action]))
    assert other.phase == "over"
    assert first.tricks == other.tricks
    assert sum(first.tricks) > 0


@pytest.mark.parametrize(
    ("bid", "told", "free"),
    [("6S", 0, 2), ("6C", 1, 2), ("6D", 2, 1), ("6H", 0, 1), ("6NT", 0, 3), ("OMIS", 0, 3)],
)
def test_trumps_are_brought_to_spades_and_hearts(bid: str, told: int, free: int) -> None:
    """In the auction nothing is turned: a bid in hearts is higher than one in spades."""
    game = Game(seed=3)
    for _ in range(4):
        observation = game.observe(game.seat)["observation"][None]
        assert told_turns(observation).tolist() == [0]
        assert free_turns(observation).tolist() == [0]
        game.apply("PASS" if game.calls else bid)
    observation = game.observe(game.seat)["observation"][None]
    assert told_turns(observation).tolist() == [told]
    assert free_turns(observation).tolist() == [free]


def test_a_turn_undoes_itself_and_says_what_it_exchanges() -> None:
    for turn in range(TURNS):
        assert (PLACE_ORDER[turn][PLACE_ORDER[turn]] == EVERYWHERE).all()
        assert (ACTION_ORDER[turn][ACTION_ORDER[turn]] == np.arange(len(ACTION_NAMES))).all()
    assert ACTION_NAMES[ACTION_ORDER[1, encode("7S")]] == "7C"
    assert ACTION_NAMES[ACTION_ORDER[2, encode("=D")]] == "=H"
    assert ACTION_NAMES[ACTION_ORDER[3, encode("JK")]] == "JK"
    assert ACTION_ORDER[3, encode("MIS")] == encode("MIS")

"""A joker that is kept and has no suit breaks any misère: it has to fall, and it takes the trick it falls on."""

from __future__ import annotations

from random import Random

import pytest

from five_hundred_env import Game
from tests.agreement.lockstep import PURE, deal_text
from tests.reference import OPTION_VALUES
from tests.reference.random_play import random_deal

DEALS = 4 if PURE else 40


@pytest.mark.parametrize("defence", [0, 10])
@pytest.mark.parametrize("option", OPTION_VALUES["joker_no_trumps"])
@pytest.mark.parametrize("misere", ["MIS", "OMIS"])
def test_a_misere_with_the_joker_kept_and_not_nominated_fails(misere: str, option: str, defence: int) -> None:
    """Whatever the contractor and the defenders play; with two jokers one that is kept is enough."""
    rng = Random(f"{misere} {option} {defence}")
    for number in range(DEALS):
        rules = {
            "pack": "46" if number % 2 else "43",
            "misere_rank": "above_sevens",
            "joker_no_trumps": option,
            "misere_defence": defence,
        }
        hands, kitty = random_deal(rng, rules)
        seat = next((n for n in range(4) if "JK" in hands[n]), 0)
        game = Game.from_deal(deal_text(hands, kitty), dealer=(seat - 1) % 4, rules=rules, seed=1)
        for call in (misere, "PASS", "PASS", "PASS"):
            game.apply(call)
        while game.phase == "discard":
            game.apply(rng.choice([card for card in game.legal() if card != "JK"]))
        while game.phase == "nominate":
            game.apply("=-")
        assert "JK" in game.hands[seat]
        while game.phase != "over":
            game.apply(rng.choice(game.legal()))
        result = game.deal_result
        assert result is not None
        assert (result.contract, result.contractor, result.made) == (misere, seat, False)
        assert game.tricks[seat] >= 1
        assert result.points[seat % 2] == (-250 if misere == "MIS" else -500)
        assert result.points[1 - seat % 2] == defence * game.tricks[seat]


def test_a_nominated_joker_need_not_break_a_misere() -> None:
    """The law above rests on declining: nominated in spades, the joker is thrown on a heart and takes nothing.

    Seat 0 puts the kitty away and leads 5C; seat 1 takes it and leads a heart, of which seat 0 has none: the joker, a
    spade now, goes off. Seat 2 sits out.
    """
    deal = "JK5S6S7S5D6D7D5C6C7C ACKCQCJCTC9CAHKHQHJH ASKSQSJSTS9S8S8C9DTD ADKDQDJD8DTH9H8H7H6H 4D4H5H"
    game = Game.from_deal(deal, dealer=3, rules={"misere_rank": "above_sevens"}, seed=1)
    for action in ["MIS", "PASS", "PASS", "PASS", "4D", "4H", "5H", "=S", "5C", "AC", "KD", "AH", "TH", "JK"]:
        game.apply(action)
    assert game.tricks == [0, 2, 0, 0]
    assert game.phase == "play"

"""Figures of the deals that were played, and who calls at the practice tables."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console

from baselines.common.networks import Inputs, Policy, save_policy
from baselines.common.practice import longest_suit
from baselines.common.reports import deal_figures, play_tournament_of
from five_hundred_env import Game

# A suit for each seat; the bowers of spades and a jack are in the kitty.
DEAL = "ASKSQSTS9S8S7S6S5SJK ACKCQCTC9C8C7C6C5C4D AHKHQHTH9H8H7H6H5H4H ADKDQDJDTD9D8D7D6D5D JSJCJH"


def finished(*calls: str) -> Game:
    """Return the deal after these calls, the first legal action taken ever after."""
    game = Game.from_deal(DEAL, dealer=3)
    for call in calls:
        game.apply(call)
    while game.phase != "over":
        game.apply(game.legal()[0])
    return game


def test_figures_of_three_deals() -> None:
    """Thrown in; ten spades by seat 0, which holds every trump but the bowers, in the kitty; ten clubs by seat 1.

    10S: of S0's thirteen cards the lowest ids go first: 5S 6S 7S; ten trumps are left, so ten tricks: +440 to 0.
    10C by seat 1, seen from its own side: made or not, what the deal gave is read from the game itself.
    """
    games = [
        finished("PASS", "PASS", "PASS", "PASS"),
        finished("10S", "PASS", "PASS", "PASS"),
        finished("PASS", "10C", "PASS", "PASS"),
    ]
    assert games[1].deal_result is not None
    assert games[1].deal_result.points == (440, 0)
    assert games[2].deal_result is not None
    own = games[2].deal_result.points[1] - games[2].deal_result.points[0]
    for seat in range(4):  # the figures do not depend on who looks
        figures = deal_figures(np.stack([game.observe(seat)["observation"] for game in games]))
        assert figures["thrown_in"] == pytest.approx(1 / 3)
        assert figures["made"] == (1 + bool(games[2].deal_result.made)) / 2
        assert figures["level_8_up"] == 1
        assert figures["misere"] == figures["open_misere"] == 0
        assert figures["contract_points"] == (440 + own) / 2


def test_figures_of_deals_without_a_contract() -> None:
    figures = deal_figures(finished("PASS", "PASS", "PASS", "PASS").observe(2)["observation"][None])
    assert figures["thrown_in"] == 1
    assert figures["made"] == figures["contract_points"] == 0


def test_the_longest_suit() -> None:
    """Nine spades and the joker at seat 0, nine clubs and a diamond at 1, ten hearts at 2, ten diamonds at 3."""
    game = Game.from_deal(DEAL, dealer=3)
    seen = np.stack([game.observe(seat)["observation"] for seat in range(4)])
    assert longest_suit(seen).tolist() == [0, 1, 3, 2]


def test_a_tournament_leaves_figures_and_a_picture(tmp_path: Path) -> None:
    torch.manual_seed(1)
    save_policy(Policy(Inputs(), (8,)), tmp_path / "policy.safetensors")
    console = Console(record=True, quiet=True)
    result = play_tournament_of(
        tmp_path / "policy.safetensors", "ppo", ("passer", "random"), 20, 7, "australian", console
    )
    assert result.names == ("ppo", "passer", "random")
    figures = json.loads((tmp_path / "tournament.json").read_text())
    assert figures["boards"] == 20
    assert len(figures["matches"]) == 3
    assert (tmp_path / "tournament.png").read_bytes()[:4] == b"\x89PNG"

"""Named profiles, and options that are refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from five_hundred_env import Game, Rules
from five_hundred_env.core.rules import OPTIONS, PROFILES
from five_hundred_env.errors import OptionError, RulesError
from tests.rules.helpers import SIX_FOUR, SIX_FOUR_PLAY, SUITED, declare, legal, start

DEFAULTS: dict[str, Any] = {
    "pack": "43",
    "auction": "continuous",
    "own_raise": "no",
    "misere_rank": "after_seven",
    "open_misere_rank": "below_10h",
    "open_misere_shown": "after_first_trick",
    "misere_defence": 0,
    "joker_no_trumps": "nominate",
    "slam": 250,
    "win": "own_contract",
    "defence_cap": "none",
    "target": 500,
    "lose": "backwards",
    "all_pass": "throw_in",
}


@pytest.mark.rule("O.profile.australian")
def test_australian_is_every_default() -> None:
    assert Rules.profile("australian").to_dict() == DEFAULTS
    assert Rules() == Rules.profile("australian") == Game(seed=1).rules


@pytest.mark.rule("O.profile.american")
def test_american() -> None:
    changed = {"auction": "one_round", "misere_rank": "by_value", "win": "first_to_target", "misere_defence": 10}
    assert Rules.profile("american").to_dict() == {**DEFAULTS, **changed}
    game = Game.from_deal(SUITED, dealer=3, rules="american", seed=1)
    assert "MIS" in legal(game)
    for call in ("6S", "6C", "MIS", "8C"):
        game.apply(call)
    assert (game.phase, game.contract, game.contractor) == ("discard", "8C", 3)


@pytest.mark.rule("O.profile.wikipedia")
def test_wikipedia() -> None:
    changed = {"misere_rank": "by_value", "win": "first_to_target", "joker_no_trumps": "free"}
    assert Rules.profile("wikipedia").to_dict() == {**DEFAULTS, **changed}


@pytest.mark.rule("O.profile.casual")
def test_casual() -> None:
    """Misère opens between 7NT and 8S, there is no nomination, defence alone wins."""
    changed = {"misere_rank": "above_sevens", "joker_no_trumps": "free", "win": "first_to_target"}
    assert Rules.profile("casual").to_dict() == {**DEFAULTS, **changed}
    game = declare(SIX_FOUR, "6NT", f"JK 5H 4H {SIX_FOUR_PLAY}", scores=(0, 460), **PROFILES["casual"])
    assert (game.scores, game.winner) == ((120, 500), 1)


@pytest.mark.rule("O.refused.unknown")
def test_an_unknown_option_lists_the_known_ones() -> None:
    with pytest.raises(RulesError) as caught:
        Rules().replace(jokers=2)
    assert "'jokers'" in str(caught.value)
    assert all(option in str(caught.value) for option in DEFAULTS)
    with pytest.raises(RulesError, match="jokers"):
        Rules.from_dict({"jokers": 2})
    with pytest.raises(RulesError, match="jokers"):
        Rules.from_text("australian,jokers=2")


@pytest.mark.rule("O.refused.unknown")
@pytest.mark.parametrize("option", [name for name in OPTIONS if name != "target"])
@pytest.mark.parametrize("value", ["red", None, -1, True, 1.5])
def test_an_unknown_value_lists_the_known_ones(option: str, value: Any) -> None:
    with pytest.raises(RulesError) as caught:
        Rules().replace(**{option: value})
    message = str(caught.value)
    assert option in message
    assert repr(value) in message
    assert all(str(known) in message for known in OPTIONS[option])


@pytest.mark.rule("O.refused.unknown")
@pytest.mark.parametrize("value", [0, -500, 505, 500.0, "many", None, True, 10**9])
def test_a_target_that_is_no_positive_multiple_of_ten_is_refused(value: Any) -> None:
    with pytest.raises(RulesError, match=rf"target.*{re.escape(repr(value))}.*multiple of ten"):
        Rules().replace(target=value)


@pytest.mark.rule("O.refused.unknown")
@pytest.mark.parametrize("name", ["austrian", "", "Australian"])
def test_an_unknown_profile_lists_the_known_ones(name: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.profile(name)
    assert all(known in str(caught.value) for known in ("australian", "american", "wikipedia", "casual"))
    with pytest.raises(RulesError):
        Game(name)


@pytest.mark.rule("O.refused.unknown")
@pytest.mark.parametrize("rules", [None, 7, ["australian"], b"australian"])
def test_rules_of_another_type_are_refused(rules: Any) -> None:
    with pytest.raises(RulesError, match="rules are"):
        Game(rules)


@pytest.mark.rule("O.refused.own_raise")
def test_own_raise_contradicts_one_round() -> None:
    with pytest.raises(RulesError, match=r"own_raise.*auction=.one_round"):
        Rules(own_raise="yes", auction="one_round")
    with pytest.raises(RulesError, match=r"own_raise.*auction=.one_round"):
        Rules.profile("american").replace(own_raise="yes")


@pytest.mark.rule("O.refused.defence_cap")
@pytest.mark.parametrize("cap", [490, 460])
def test_a_defence_cap_asks_for_own_contract_and_lies_below_the_target(cap: int) -> None:
    with pytest.raises(RulesError, match=rf"defence_cap={cap}.*win='first_to_target'"):
        Rules(defence_cap=cap, win="first_to_target")
    with pytest.raises(RulesError, match=rf"defence_cap={cap}.*target={cap}"):
        Rules(defence_cap=cap, target=cap)
    with pytest.raises(RulesError, match=rf"defence_cap={cap}.*target=300"):
        Rules(defence_cap=cap, target=300)
    assert Rules(defence_cap=cap, target=cap + 10).defence_cap == cap


@pytest.mark.rule("O.refused.start")
@pytest.mark.parametrize(
    ("scores", "options"),
    [
        ((5, 0), {}),
        ((0, -500), {}),
        ((-510, 0), {}),
        ((-250, 0), {"target": 250}),
        ((500, 0), {"win": "first_to_target"}),
        ((0, 250), {"win": "first_to_target", "target": 250}),
        ((0,), {}),
        ((0, 0, 0), {}),
        ((0.0, 0), {}),
        (("0", 0), {}),
        ((True, 0), {}),
        ((10**7, 0), {}),
        (None, {}),
        (0, {}),
    ],
)
def test_starting_totals_that_no_game_can_have_are_refused(scores: Any, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="scores"):
        start(scores=scores, **options)


@pytest.mark.rule("O.refused.start")
@pytest.mark.parametrize(
    ("scores", "options"),
    [
        ((490, -490), {}),
        ((730, 0), {}),  # through defence
        ((0, -2000), {"lose": "none"}),
        ((490, -490), {"win": "first_to_target"}),
        ((-500, 0), {"target": 510}),
    ],
)
def test_starting_totals_of_an_undecided_game_are_taken(scores: tuple[int, int], options: dict[str, Any]) -> None:
    game = start(scores=scores, **options)
    assert (game.scores, game.winner, game.phase) == (scores, None, "auction")

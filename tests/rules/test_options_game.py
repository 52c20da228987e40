"""The options of scoring and of the game's end, and the deal without a contractor.

`slam` is in test_scoring, the defaults of `win`, `lose` and `target` in test_game_end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game, Rules, Tables, actions, five_hundred_v0
from five_hundred_env.agents.view import View
from tests.rules.helpers import LAYERED, SIX_FOUR, SIX_FOUR_PLAY, SUITED, declare, legal, start, take


def six_four(bid: str, scores: tuple[int, int], **options: Any) -> Game:
    """Play the deal in which seat 0 takes six tricks: 6NT is +120, 7NT -220, and side 1 gets 40."""
    return declare(SIX_FOUR, bid, f"JK 5H 4H =- {SIX_FOUR_PLAY}", scores=scores, **options)


@pytest.mark.rule("O.slam.none")
def test_without_the_slam_ten_tricks_earn_the_contract() -> None:
    """Ten tricks in 6NT, the last by seat 2: 120, and with the slam 250."""
    # Seat 0 has all high spades and diamonds between itself and its partner.
    deal = "ASKSQSJSTS8D7D6D5D4D 9S8S7S6S5S9C8C7C6C5C ADKDQDJDTDAHKHQHJHTH ACKCQCJCTC8H7H6H5H4H JK9D9H"
    play = "AS 9S AH 8H / KS 8S KH 7H / QS 7S QH 6H / JS 6S JH 5H / TS 5S TH 4H / 8D 9C AD AC / KD KC 7D 8C / "
    play += "QD QC 6D 7C / JD JC 5D 6C / TD TC 4D 5C"
    assert declare(deal, "6NT", f"JK 9D 9H =- {play}", slam="none").scores == (120, 0)
    assert declare(deal, "6NT", f"JK 9D 9H =- {play}").scores == (250, 0)


@pytest.mark.rule("O.win.first_to_target")
@pytest.mark.parametrize(
    ("bid", "before", "after", "winner"),
    [
        ("6NT", (0, 460), (120, 500), 1),  # by defence alone, exactly 500
        ("6NT", (0, 450), (120, 490), None),
        ("6NT", (380, 0), (500, 40), 0),
        ("6NT", (380, 460), (500, 500), 0),  # both: the contractor's side
        ("6NT", (390, 490), (510, 530), 0),  # both, though the other side has more
        ("7NT", (490, 460), (270, 500), 1),
        ("7NT", (-280, 0), (-500, 40), 1),  # going out backwards is still a loss
    ],
)
def test_first_to_target(bid: str, before: tuple[int, int], after: tuple[int, int], winner: int | None) -> None:
    game = six_four(bid, before, win="first_to_target")
    assert (game.scores, game.winner) == (after, winner)


@pytest.mark.rule("O.defence_cap.none")
@pytest.mark.rule("O.defence_cap.490")
@pytest.mark.rule("O.defence_cap.460")
@pytest.mark.parametrize(
    ("cap", "before", "after"),
    [
        ("none", 480, 520),
        (490, 480, 490),
        (490, 450, 490),
        (490, 440, 480),
        (490, 490, 490),
        (490, 700, 700),  # never lowered
        (460, 430, 460),
        (460, 420, 460),
        (460, 410, 450),
        (460, 470, 470),
    ],
)
def test_defence_never_lifts_a_total_above_the_cap(cap: Any, before: int, after: int) -> None:
    """Four tricks of defence are 40."""
    assert six_four("6NT", (0, before), defence_cap=cap).scores == (120, after)


@pytest.mark.rule("O.defence_cap.490")
@pytest.mark.rule("O.defence_cap.460")
@pytest.mark.parametrize("cap", [490, 460])
def test_the_cap_does_not_touch_the_own_contract(cap: int) -> None:
    """380 + 120 = 500 wins; 700 - 220 = 480 falls as without a cap, and rises by 120 from 450 to 570."""
    game = six_four("6NT", (380, 0), defence_cap=cap)
    assert (game.scores, game.winner) == ((500, 40), 0)
    assert six_four("7NT", (700, 0), defence_cap=cap).scores == (480, 40)
    assert six_four("6NT", (450, 0), defence_cap=cap).scores == (570, 40)


@pytest.mark.rule("D2")
def test_the_points_of_a_deal_are_not_capped() -> None:
    result = six_four("6NT", (0, 480), defence_cap=490).deal_result
    assert result is not None
    assert result.points == (120, 40)


@pytest.mark.rule("O.target.other")
@pytest.mark.parametrize(
    ("target", "bid", "before", "winner"),
    [
        (300, "6NT", (180, 0), 0),  # exactly 300
        (300, "6NT", (170, 0), None),
        (300, "6NT", (0, 280), None),  # by defence alone
        (300, "7NT", (-80, 0), 1),  # exactly -300
        (300, "7NT", (-70, 0), None),
        (1000, "6NT", (480, 0), None),
        (1000, "6NT", (880, 0), 0),
        (1000, "7NT", (-490, 0), None),
        (10, "6NT", (0, 0), 0),
        (10, "7NT", (0, 0), 1),
    ],
)
def test_another_target_moves_both_marks(target: int, bid: str, before: tuple[int, int], winner: int | None) -> None:
    assert six_four(bid, before, target=target).winner == winner


@pytest.mark.rule("O.target.other")
def test_another_target_under_first_to_target() -> None:
    assert six_four("6NT", (0, 260), target=300, win="first_to_target").winner == 1


@pytest.mark.rule("O.lose.none")
def test_no_total_loses() -> None:
    """From -490 to -710, and again from there to -930: play goes on, and a contract can still win the game."""
    game = six_four("7NT", (-490, 0), lose="none")
    assert (game.scores, game.winner) == ((-710, 40), None)
    game.next_from(SIX_FOUR)
    take(game, f"PASS PASS PASS 7NT JK 5H 4H =- {SIX_FOUR_PLAY}")
    assert (game.scores, game.winner) == ((-930, 80), None)


# All pass: no trumps


def all_pass(actions: str = "", deal: str = LAYERED, **options: Any) -> Game:
    return start(deal, f"PASS PASS PASS PASS {actions}", all_pass="no_trumps", **options)


@pytest.mark.rule("O.all_pass.no_trumps")
def test_all_pass_plays_without_contractor_kitty_and_trumps() -> None:
    """Dealer's left, seat 0, leads at once; nobody sees the kitty; the jack of spades is no bower."""
    game = all_pass()
    assert (game.phase, game.seat, game.contract, game.contractor, game.nominated) == ("play", 0, None, None, None)
    assert [len(hand) for hand in game.hands] == [10, 10, 10, 10]
    assert game.discards == []
    for seat in range(4):
        view = View.from_observation(game.observe(seat)["observation"])
        assert (view.kitty, view.contract, view.contractor) == ((), None, None)
    assert start(LAYERED, "PASS PASS PASS PASS", dealer=1, all_pass="no_trumps").seat == 2
    # QS of seat 0 beats JS of seat 1, and a club thrown on it takes nothing.
    assert take(game, "QS JS 7S 6S").tricks == [1, 0, 0, 0]


@pytest.mark.rule("O.all_pass.no_trumps")
def test_all_pass_scores_ten_a_trick_for_both_sides() -> None:
    """Seat 0 takes six spades of SIX_FOUR, seat 3 four tricks: 60 and 40, no contract made or failed, next dealer."""
    game = all_pass(SIX_FOUR_PLAY, SIX_FOUR, scores=(100, -200))
    assert dict(game.deal_result or {}) == {
        "contract": None,
        "contractor": None,
        "made": None,
        "tricks": (6, 4),
        "points": (60, 40),
    }
    assert (game.scores, game.winner) == ((160, -160), None)
    assert game.next_deal().dealer == 0


@pytest.mark.rule("O.all_pass.no_trumps")
def test_all_pass_has_a_suitless_joker() -> None:
    """Seat 0 leads it, names hearts, of which all must play; thrown by a void hand it is optional and wins."""
    deal = SUITED.replace("5S", "xx").replace("JK", "5S").replace("xx", "JK")
    game = all_pass("JK", deal)
    assert (game.phase, legal(game)) == ("name", {"=S", "=C", "=D", "=H"})
    take(game, "=H 5C 5D 5H")
    assert (game.tricks, game.seat) == ([1, 0, 0, 0], 0)
    game = start(deal, "PASS PASS PASS PASS", dealer=0, all_pass="no_trumps")
    take(game, "5C 5D 5H")
    assert "JK" in legal(game)
    assert len(legal(game)) == 10
    assert take(game, "JK").tricks == [1, 0, 0, 0]
    # R7.4: clubs were led.
    assert legal(take(game, "6S 6C 6D 6H")) == set(game.hands[0])


@pytest.mark.rule("O.all_pass.no_trumps")
def test_all_pass_points_count_as_points_of_defence() -> None:
    """480 + 60 = 540 wins nothing under own_contract, is capped at 490, and wins under first_to_target."""
    assert all_pass(SIX_FOUR_PLAY, SIX_FOUR, scores=(480, 0)).winner is None
    assert all_pass(SIX_FOUR_PLAY, SIX_FOUR, scores=(480, 470), defence_cap=490).scores == (490, 490)
    assert all_pass(SIX_FOUR_PLAY, SIX_FOUR, scores=(480, 0), win="first_to_target").winner == 0


@pytest.mark.rule("O.win.first_to_target")
@pytest.mark.rule("O.all_pass.no_trumps")
@pytest.mark.parametrize(
    ("before", "after", "winner"),
    [((480, 470), (540, 510), 0), ((440, 490), (500, 530), 1), ((450, 470), (510, 510), None)],
)
def test_without_contractor_the_higher_total_wins(
    before: tuple[int, int], after: tuple[int, int], winner: int | None
) -> None:
    """Both sides reach 500; at equal totals play goes on."""
    game = all_pass(SIX_FOUR_PLAY, SIX_FOUR, scores=before, win="first_to_target")
    assert (game.scores, game.winner) == (after, winner)


@pytest.mark.rule("O.win.first_to_target")
@pytest.mark.rule("O.all_pass.no_trumps")
def test_play_goes_on_from_equal_totals_at_the_target() -> None:
    """510 to 510; the next deal without contractor makes it 550 to 570 for side 1, which wins."""
    game = all_pass(SIX_FOUR_PLAY, SIX_FOUR, scores=(450, 470), win="first_to_target")
    one, two, three, four, kitty = SIX_FOUR.split()
    game.next_from(" ".join([four, one, two, three, kitty]))
    take(game, f"PASS PASS PASS PASS {SIX_FOUR_PLAY}")
    assert (game.scores, game.winner) == ((550, 570), 1)


@pytest.mark.rule("O.all_pass.no_trumps")
@pytest.mark.parametrize(("auction", "own_raise"), [("one_round", "no"), ("reenter", "yes"), ("continuous", "yes")])
def test_all_pass_is_four_passes_in_every_auction(auction: str, own_raise: str) -> None:
    assert all_pass(auction=auction, own_raise=own_raise).phase == "play"


@pytest.mark.rule("O.all_pass.no_trumps")
def test_all_pass_through_tables() -> None:
    """Four passes, then first legal cards as a `Game` plays them; the reward is ten points a trick and side."""
    tables = Tables(n=2, rules={"all_pass": "no_trumps"}, seed=6, episode="deal")
    games = [Game(tables.rules_of(i), seed=int(tables.seeds[i])) for i in range(2)]
    while not tables.done.any():
        chosen = [int(np.flatnonzero(mask)[0]) for mask in tables.mask]
        for game, action in zip(games, chosen, strict=True):
            game.apply(action)
        tables.step(chosen)
    for i, game in enumerate(games):
        result = game.deal_result
        assert result is not None
        assert sum(result.tricks) == 10
        assert result.points == (10 * result.tricks[0], 10 * result.tricks[1])
        assert tables.reward[i, 0] == pytest.approx((result.tricks[0] - result.tricks[1]) / 10)


@pytest.mark.rule("O.all_pass.no_trumps")
def test_all_pass_through_the_environment() -> None:
    """SIX_FOUR without contractor: seats 0 and 2 get (60 - 40) / 100, the others its negative."""
    env = five_hundred_v0.env(rules=Rules(all_pass="no_trumps"), episode="deal")
    env.reset(seed=1, options={"deal": SIX_FOUR, "dealer": 3})
    for name in f"PASS PASS PASS PASS {SIX_FOUR_PLAY}".replace("/", " ").split():
        env.step(actions.encode(name, "auction" if name == "PASS" else "play"))
    assert all(env.terminations.values())
    assert [round(env.rewards[agent], 3) for agent in sorted(env.rewards)] == [0.2, -0.2, 0.2, -0.2]

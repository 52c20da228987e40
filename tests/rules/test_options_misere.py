"""The options `open_misere_shown` and `misere_defence`; what `after_first_trick` and `0` do is in test_misere."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env import Game
from five_hundred_env.agents.view import View
from tests.rules.helpers import LAYERED, LOWEST, SIX_FOUR, cards, declare, play_out, take


@pytest.mark.rule("O.open_misere_shown.before_first_lead")
def test_the_hand_may_lie_open_before_the_first_lead() -> None:
    """Not while the nomination is open, but as soon as it is made, before a card is led; to all four seats."""
    game = declare(LOWEST, "OMIS", "JK 7H 6H", open_misere_shown="before_first_lead")
    assert (game.phase, game.exposed) == ("nominate", None)
    take(game, "=-")
    hand = cards("5S6S7S5C6C7C4D5D4H5H")
    assert game.exposed == hand
    for seat in range(4):
        assert View.from_observation(game.observe(seat)["observation"]).exposed == tuple(hand)
    take(game, "5S")
    assert game.exposed == hand[1:]


@pytest.mark.rule("O.open_misere_shown.before_first_lead")
def test_without_a_nomination_the_hand_lies_open_after_the_discard() -> None:
    rules: dict[str, Any] = {"open_misere_shown": "before_first_lead", "joker_no_trumps": "free"}
    game = declare(LOWEST, "OMIS", "JK 7H", **rules)
    assert game.exposed is None
    assert take(game, "6H").exposed == cards("5S6S7S5C6C7C4D5D4H5H")


@pytest.mark.rule("O.open_misere_shown.before_first_lead")
def test_a_closed_misere_stays_closed() -> None:
    game = declare(LOWEST, "MIS", "JK 7H 6H =-", misere_rank="by_value", open_misere_shown="before_first_lead")
    assert take(game, "5S AS TS").exposed is None


@pytest.mark.rule("O.misere_defence.10")
@pytest.mark.parametrize(("bid", "value"), [("MIS", 250), ("OMIS", 500)])
def test_a_misere_may_be_played_out_for_ten_a_trick(bid: str, value: int) -> None:
    """Seat 0 has the top of every suit and no small card: it takes all ten, -250 or -500, and 100 for side 1."""
    game = declare(LAYERED, bid, "JK 4D 5D =- AS", misere_rank="above_sevens", misere_defence=10)
    take(game, "9S 5S")
    assert (game.phase, game.tricks) == ("play", [1, 0, 0, 0])
    play_out(game)
    result = game.deal_result
    assert result is not None
    assert (game.tricks, sum(len(trick.plays) for trick in game.trick_history)) == ([10, 0, 0, 0], 30)
    assert (result.made, result.tricks, result.points) == (False, (10, 0), (-value, 100))


@pytest.mark.rule("O.misere_defence.10")
def test_only_the_contractors_tricks_pay() -> None:
    """Seat 0 of SIX_FOUR takes its six spades, seat 3 the other four tricks: 60 for side 1, not 40 and not 100."""
    game = declare(SIX_FOUR, "MIS", "JK 5H 4H =-", misere_rank="above_sevens", misere_defence=10)
    play_out(game, "AS", "KS", "QS", "JS", "TS", "9S", "AD", "KD", "QD", "JD")
    result = game.deal_result
    assert result is not None
    assert game.tricks[0] == 6
    assert (result.made, result.points) == (False, (-250, 60))


@pytest.mark.rule("O.misere_defence.10")
def test_a_made_misere_pays_the_defenders_nothing() -> None:
    game = declare(LOWEST, "MIS", "JK 7H 6H =- 5S", misere_rank="above_sevens", misere_defence=10)
    result = play_out(game, "AS", "AC", "AD", "AH", "KS").deal_result
    assert result is not None
    assert (result.made, result.tricks, result.points) == (True, (0, 10), (250, 0))


@pytest.mark.rule("O.misere_defence.10")
def test_points_against_a_misere_can_win_or_be_capped_like_any_defence() -> None:
    """Six tricks are 60: from 440 to 500, which wins under first_to_target, and to 490 under the cap."""

    def end(**options: Any) -> Game:
        rules: dict[str, Any] = {"misere_rank": "above_sevens", "misere_defence": 10, **options}
        game = declare(SIX_FOUR, "MIS", "JK 5H 4H =-", scores=(0, 440), **rules)
        return play_out(game, "AS", "KS", "QS", "JS", "TS", "9S", "AD", "KD", "QD", "JD")

    first = end(win="first_to_target")
    assert (first.scores, first.winner) == ((-250, 500), 1)
    capped = end(defence_cap=490)
    assert (capped.scores, capped.winner) == ((-250, 490), None)

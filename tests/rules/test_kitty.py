"""R4: the contractor takes the kitty and puts three cards away."""

from __future__ import annotations

from itertools import permutations

import pytest

from five_hundred_env.agents.view import View
from five_hundred_env.errors import IllegalActionError
from tests.rules.helpers import LAYERED, SUITED, cards, declare, legal, play_out, take


@pytest.mark.rule("R4.1")
def test_the_contractor_takes_the_kitty_and_may_discard_any_of_the_thirteen() -> None:
    """Ten spades and JK 4D 4H: all thirteen are legal, joker and kitty cards among them."""
    game = declare(SUITED, "7S")
    assert (game.phase, game.seat) == ("discard", 0)
    assert legal(game) == {*cards("ASKSQSJSTS9S8S7S6S5S"), "JK", "4D", "4H"}
    take(game, "JK AS 4D")
    assert game.discards == ["AS", "4D", "JK"]
    assert game.hands[0] == [*cards("5S6S7S8S9STSJSQSKS"), "4H"]


@pytest.mark.rule("R4.1")
def test_only_the_contractor_sees_the_kitty() -> None:
    game = declare(SUITED, "7S")
    views = [View.from_observation(game.observe(seat)["observation"]) for seat in range(4)]
    assert views[0].kitty == ("4D", "4H", "JK")
    assert [view.kitty for view in views[1:]] == [(), (), ()]
    assert views[2].hand == tuple(game.hands[2])


@pytest.mark.rule("R4.2")
def test_the_discard_is_three_actions_of_one_seat() -> None:
    game = declare(SUITED, "7S")
    for card in ("4H", "5S", "JK"):
        assert (game.phase, game.seat) == ("discard", 0)
        game.apply(card)
        assert card not in game.hands[0]
    assert game.phase == "play"


@pytest.mark.rule("R4.2")
def test_the_order_of_the_discards_does_not_matter() -> None:
    positions = [declare(SUITED, "7S", " ".join(order)) for order in permutations(["4H", "5S", "JK"])]
    assert len(positions) == 6
    assert all(position == positions[0] for position in positions)


@pytest.mark.rule("R4.2")
def test_a_card_cannot_be_put_away_twice() -> None:
    game = declare(SUITED, "7S", "4H")
    with pytest.raises(IllegalActionError) as caught:
        game.apply("4H")
    assert caught.value.rule == "R4.1"


@pytest.mark.rule("R4.3")
def test_discards_score_nothing() -> None:
    """Seat 0 puts three aces away and takes fewer tricks; the deal's ten tricks are all there is to count."""
    game = play_out(declare(LAYERED, "6S", "AC AD AH"), "JK", "AS", "KS")
    result = game.deal_result
    assert result is not None
    assert sum(result.tricks) == 10
    played = [card for trick in game.trick_history for _, card in trick.plays]
    assert not {"AC", "AD", "AH"} & set(played)


@pytest.mark.rule("R4.3")
def test_discards_stay_hidden_to_the_end_of_the_deal() -> None:
    game = play_out(declare(LAYERED, "6S", "AC AD AH"))
    views = [View.from_observation(game.observe(seat)["observation"]) for seat in range(4)]
    assert views[0].discards == ("AC", "AD", "AH")
    assert [view.discards for view in views[1:]] == [(), (), ()]

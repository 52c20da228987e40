"""Agents that misbehave lose the table they were asked about, are reported, and the match goes on."""

from __future__ import annotations

import numpy as np
import pytest

from five_hundred_env.arena import play_match
from five_hundred_env.arena.boards import AT
from five_hundred_env.arena.entrants import read_answer
from five_hundred_env.errors import AgentError
from tests.arena import agents

BOARDS = 40


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (agents.Illegal, "illegal action"),
        (agents.Raising, "RuntimeError: out of luck"),
        (agents.NotANumber, "AgentError: the answer is NaN"),
    ],
)
def test_a_fault_costs_the_table(agent: type[agents.Scripted], reason: str) -> None:
    """The three fail at the same decisions, one in 64, so they lose the same tables: -520 for them, +100."""
    result = play_match(agent(), "random", boards=BOARDS, games=3)
    faults = result.outcomes[:, :, AT.fault]
    assert 0 < (faults >= 0).sum() < 2 * BOARDS, "some tables are lost, others are played"
    for table in (0, 1):
        lost = faults[:, table] >= 0
        assert (faults[lost, table] % 2 == table).all(), "only the misbehaving pair is at fault"
        assert (result.outcomes[lost, table, AT.points + table] == -520).all()
        assert (result.outcomes[lost, table, AT.points + 1 - table] == 100).all()
        assert (result.outcomes[lost, table, AT.contractor] == -1).all()
        assert (result.outcomes[lost, table, AT.winner] == 1 - table).all()
    reported = result.conduct["scripted"].faults
    assert list(reported) == [reason]
    assert sum(reported.values()) == sum(result.faults)
    assert result.faults[1] == 0


def test_the_ways_to_fail_cost_the_same() -> None:
    """An agent that raises for a whole batch is asked again in halves, so that only the decision at fault counts."""
    results = [
        play_match(agent(), "random", boards=BOARDS) for agent in (agents.Illegal, agents.Raising, agents.NotANumber)
    ]
    for other in results[1:]:
        assert np.array_equal(results[0].outcomes, other.outcomes)


def test_a_fault_loses_a_game() -> None:
    result = play_match(agents.Short(), "random", boards=1, games=4)
    assert result.game_win_rate == 0.0
    assert (result.game_outcomes[:, :, AT.deals] == 1).all()


def test_an_answer_of_another_shape_is_a_fault() -> None:
    result = play_match(agents.Short(), "passer", boards=5)
    assert (result.board_scores == -620).all()
    assert result.faults == (10, 0)


def test_a_late_answer_is_a_fault() -> None:
    """A third of a second for at most four decisions is late where each has three hundredths."""
    play_match("passer", "passer", boards=2)  # so that nothing is compiled while the clock runs
    result = play_match(agents.Slow(), "passer", boards=2, limit=0.03)
    assert result.faults == (4, 0)
    assert set(result.conduct["scripted"].faults) == {"late"}


def test_both_may_fail() -> None:
    """Whoever is asked first loses: dealer's left at both tables, so a board is even."""
    result = play_match(agents.Short("one"), agents.Short("two"), boards=6)
    assert sum(result.faults) == 12
    assert not result.board_scores.any()


@pytest.mark.parametrize(
    "answer",
    [[1.5, 2], [float("nan"), 2], [float("inf"), 2], [1e300, 2], ["PASS", "PASS"], [[1, 2]], [1], None, [True, False]],
)
def test_answers_that_are_no_actions(answer: object) -> None:
    with pytest.raises(AgentError):
        read_answer(answer, 2)


def test_floating_point_numbers_are_taken_where_all_are_whole() -> None:
    assert read_answer(np.array([5.0, 79.0], np.float32), 2).tolist() == [5, 79]
    assert read_answer([-1.0, 3.0], 2).dtype == np.int64


def test_answers_of_any_integer_type_are_taken() -> None:
    assert read_answer([1, 2], 2).tolist() == [1, 2]
    assert read_answer(np.array([1, 2], np.uint8), 2).dtype == np.int64

"""Advantages of four seats that take turns, worked out by hand."""

from __future__ import annotations

import numpy as np

from baselines.common.advantages import Estimate, seat_advantages

SEAT = [0, 1, 0, 1]
VALUE = [0.5, 0.25, 1.0, -0.5]
REWARD = [[0, 0, 0, 0], [2, -2, 2, -2], [0, 0, 0, 0], [1, -1, 1, -1]]


def estimate(done: list[bool], last_value: list[float]) -> Estimate:
    return seat_advantages(
        np.array(REWARD, np.float32)[:, None],
        np.array(done)[:, None],
        np.array(SEAT)[:, None],
        np.array(VALUE, np.float32)[:, None],
        np.array([last_value], np.float32),
        discount=1.0,
        trace=0.5,
    )


def test_an_episode_that_ends_with_the_last_step() -> None:
    """Seats 0 and 1 decide twice each.

    Rewards until the own next decision: seat 0 at step 0 gets 0 + 2 = 2, at step 2 0 + 1 = 1; seat 1 at step 1
    gets −2 + 0 = −2, at step 3 −1.
    Seat 0: step 2: 1 + 0 − 1 = 0; step 0: 2 + 1 − 0.5 = 2.5, plus 0.5 · 0.
    Seat 1: step 3: −1 + 0 + 0.5 = −0.5; step 1: −2 − 0.5 − 0.25 = −2.75, plus 0.5 · −0.5 = −3.
    """
    result = estimate([False, False, False, True], [9, 9, 9, 9])
    assert result.reward[:, 0].tolist() == [2, -2, 1, -1]
    assert result.advantage[:, 0].tolist() == [2.5, -3.0, 0.0, -0.5]
    assert result.returns[:, 0].tolist() == [3.0, -2.75, 1.0, -1.0]


def test_at_the_horizon_each_seat_goes_on_from_its_own_value() -> None:
    """Step 2: 1 + 3 − 1 = 3; step 0: 2.5 + 0.5 · 3 = 4; step 3: −1 + 2 + 0.5 = 1.5; step 1: −2.75 + 0.5 · 1.5 = −2."""
    result = estimate([False] * 4, [3, 2, 7, 7])
    assert result.advantage[:, 0].tolist() == [4.0, -2.0, 3.0, 1.5]


def test_nothing_flows_over_the_end_of_an_episode() -> None:
    """The episode ends with step 1.

    Step 0: 0 + 2 − 0.5 = 1.5; step 1: −2 − 0.25 = −2.25; steps 2 and 3 as at the horizon above.
    """
    result = estimate([False, True, False, False], [3, 2, 7, 7])
    assert result.advantage[:, 0].tolist() == [1.5, -2.25, 3.0, 1.5]


def test_a_reward_before_the_first_decision_belongs_to_nobody() -> None:
    """Seats 2 and 3 never decide, and seat 1 decides first at step 1: what they got before counts for no decision."""
    reward = np.zeros((2, 1, 4), np.float32)
    reward[0, 0] = [0, 5, 6, 7]
    seat = np.array([[0], [1]])
    result = seat_advantages(
        reward, np.zeros((2, 1), bool), seat, np.zeros((2, 1), np.float32), np.zeros((1, 4), np.float32)
    )
    assert result.reward[:, 0].tolist() == [0, 0]
    assert result.advantage[:, 0].tolist() == [0, 0]


def test_discount_counts_decisions_of_the_same_seat() -> None:
    """Seat 0 decides at steps 0 and 2 only: step 0 is 2 + 0.5 · 1 − 0.5 = 2, whatever lies between."""
    result = seat_advantages(
        np.array(REWARD, np.float32)[:, None],
        np.array([[False], [False], [False], [True]]),
        np.array(SEAT)[:, None],
        np.array(VALUE, np.float32)[:, None],
        np.zeros((1, 4), np.float32),
        discount=0.5,
        trace=1.0,
    )
    assert result.advantage[0, 0] == 2.0

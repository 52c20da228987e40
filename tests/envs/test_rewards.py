"""Rewards and ends of episodes, on deals worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from five_hundred_env import actions, five_hundred_v0
from five_hundred_env.envs.aec import AGENTS
from tests.envs.helpers import (
    MISERE_BY_ONE,
    SIX_SPADES,
    SIX_SPADES_BY_ONE,
    TEN_TRUMPS,
    Dice,
    Script,
    cycle_names,
    passes,
    play,
    side_totals,
)

LAST_DEAL = {"deal": TEN_TRUMPS, "dealer": 3}


@pytest.mark.parametrize(
    ("calls", "dealer", "reward", "total"),
    [
        (SIX_SPADES, 3, "points", 2.5),
        (SIX_SPADES, 3, "win", 1.0),
        (SIX_SPADES, 3, "tricks", 3.5),
        (["10S", "PASS", "PASS", "PASS"], 3, "points", 4.4),
        (["10S", "PASS", "PASS", "PASS"], 3, "tricks", 5.4),
        (SIX_SPADES_BY_ONE, 0, "points", 1.4),
        (SIX_SPADES_BY_ONE, 0, "win", 1.0),
        (SIX_SPADES_BY_ONE, 0, "tricks", 2.4),
        (MISERE_BY_ONE, 3, "points", 2.5),
        (MISERE_BY_ONE, 3, "win", 1.0),
        (MISERE_BY_ONE, 3, "tricks", 3.5),
        (["PASS"] * 4, 3, "points", 0.0),
        (["PASS"] * 4, 3, "win", 0.0),
        (["PASS"] * 4, 3, "tricks", 0.0),
    ],
)
@pytest.mark.rule("R9.2", "R9.3", "R9.4", "R9.5", "R3.7")
def test_a_deal_brings(calls: list[str], dealer: int, reward: str, total: float) -> None:
    """What side 0 gets for one deal; side 1 gets the negative.

    - Seat 0 makes 6S with all ten tricks: 40 becomes 250 (R9.3), seat 1's side has no trick: 250 - 0, by 100.
      Ten tricks of 0.1 on top: 3.5.
    - The same hand in 10S is worth 40 + 400 = 440. With tricks 5.4.
    - Seat 1 bids 6S and takes nothing: -40 for its side, 10 x 10 for the other: 100 + 40 = 140. With tricks 2.4.
    - Seat 1 in misère wins the first trick: -250 for its side, nothing for the other (R9.5); the trick counts 1.
    - Four passes: nobody scores (R3.7).
    """
    env = five_hundred_v0.env(episode="deal", reward=reward)
    given = play(env, Script(calls), seed=1, options={"deal": TEN_TRUMPS, "dealer": dealer})
    assert side_totals(given) == (total, -total)


def test_every_reward_arrives_on_the_own_last_decision() -> None:
    """6S by seat 0, rewards of tricks. Turns of seat 0: call, three discards, ten cards, the end.

    A turn is given what came since the seat's previous one. Trick n is completed by seat 3, so seat 0 hears of it at
    its next lead and each other seat at its next card. The tenth trick, with the 2.5 of the deal, comes at the end.
    """
    env = five_hundred_v0.env(episode="deal", reward="tricks")
    given = play(env, Script(SIX_SPADES), options=LAST_DEAL)
    own = [0.0, *[0.0] * 3, 0.0, *[0.1] * 9, 2.6]
    assert given["player_0"] == pytest.approx(own)
    assert given["player_2"] == pytest.approx([0.0, 0.0, *[0.1] * 9, 2.6])
    for name in ("player_1", "player_3"):
        assert given[name] == pytest.approx([0.0, 0.0, *[-0.1] * 9, -2.6])


def test_points_arrive_once_and_at_the_end() -> None:
    """The same deal with rewards of points: nothing until the end, then 2.5 and -2.5."""
    given = play(five_hundred_v0.env(episode="deal"), Script(SIX_SPADES), options=LAST_DEAL)
    for name, rewards in given.items():
        assert rewards[:-1] == [0.0] * (len(rewards) - 1)
        assert rewards[-1] == (2.5 if name in ("player_0", "player_2") else -2.5)


def test_the_contractor_discards_three_times_in_a_row() -> None:
    """The turns of 6S by seat 0: four calls, three discards, ten tricks that seat 0 leads, four ends by seat."""
    env = five_hundred_v0.env(episode="deal")
    turns = []
    env.reset(options=LAST_DEAL)
    choose = Script(SIX_SPADES)
    for name in env.agent_iter():
        turns.append(name)
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else choose(observation["action_mask"]))
    assert turns == [*AGENTS, *["player_0"] * 3, *list(AGENTS) * 10, *AGENTS]


@pytest.mark.parametrize(("reward", "total"), [("points", 2.5), ("win", 1.0), ("tricks", 3.5)])
@pytest.mark.rule("R10.1")
def test_a_game_ends_when_a_side_has_won(reward: str, total: float) -> None:
    """From 250 to 0, 6S with ten tricks brings 250: exactly 500 by an own contract wins."""
    env = five_hundred_v0.env(reward=reward)
    given = play(env, Script(SIX_SPADES), options={**LAST_DEAL, "scores": (250, 0)})
    assert side_totals(given) == (total, -total)
    assert len(given["player_0"]) == 1 + 3 + 10 + 1


def test_a_game_goes_on_after_a_deal() -> None:
    """From 240 the same deal leaves 490: the game goes on, dealer 0 and so seat 1 to call, and the 2.5 are at hand.

    Nobody has acted since, so every seat is given it at its next turn. A win is not rewarded yet.
    """
    for reward, gain in (("points", 2.5), ("win", 0.0)):
        env = five_hundred_v0.env(reward=reward)
        env.reset(seed=3, options={**LAST_DEAL, "scores": (240, 0)})
        choose = Script(SIX_SPADES)
        for _ in range(4 + 3 + 40):
            env.step(choose(env.last()[0]["action_mask"]))
        assert env.agent_selection == "player_1"
        assert env.rewards == dict(zip(AGENTS, (gain, -gain, gain, -gain), strict=True))
        assert not any(env.terminations.values())
        given = []
        for name in cycle_names(1, 4):
            assert env.agent_selection == name
            given.append(env.last()[1])
            env.step(actions.encode("PASS"))
        assert given == [-gain, gain, -gain, gain]
        # Four passes: thrown in, nothing to give but the new deal; the old reward was given once.
        assert env.last()[1] == 0.0
        assert set(env.rewards.values()) == {0.0}


@pytest.mark.rule("R10.4")
def test_a_game_is_truncated_after_max_deals() -> None:
    """Two deals of four passes: truncated, not terminated, nothing won."""
    env = five_hundred_v0.env(max_deals=2, reward="win")
    env.reset(seed=5)
    for n in range(8):
        assert not any(env.truncations.values()), n
        env.step(passes(env.last()[0]["action_mask"]))
    assert env.truncations == dict.fromkeys(AGENTS, True)
    assert env.terminations == dict.fromkeys(AGENTS, False)
    assert set(env.rewards.values()) == {0.0}
    assert env.last()[2:4] == (False, True)


def test_a_game_won_with_the_last_deal_is_terminated() -> None:
    """A win in deal `max_deals` is an end by the rules."""
    env = five_hundred_v0.env(max_deals=1)
    env.reset(options={**LAST_DEAL, "scores": (250, 0)})
    choose = Script(SIX_SPADES)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(choose(env.last()[0]["action_mask"]))
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)


@pytest.mark.parametrize("make", [five_hundred_v0.env, five_hundred_v0.raw_env])
@pytest.mark.parametrize(
    ("reward", "rules", "least"),
    [
        ("points", "australian", -6.2),
        ("win", "australian", -1.0),
        ("tricks", "australian", -7.2),
        ("tricks", "american", -16.0),
        ("points", "american", -6.2),
    ],
)
def test_an_illegal_action_loses(make: Any, reward: str, rules: str, least: float) -> None:
    """Seat 1 opens with a card.

    The worst deal is 10NT without a trick: -520 - 100, by 100; a trick less or more is 0.1, so ten are 1.0 more. Where
    a misère is played out (american) a contractor may lose ten tricks of 1.0 in open misère: -500 - 100 and -10.
    """
    env = make(reward=reward, rules=rules, illegal="lose")
    env.reset(seed=1, options={"dealer": 0})
    assert env.agent_selection == "player_1"
    env.step(actions.encode("AS"))
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)
    assert env.rewards == dict(zip(AGENTS, (-least, least, -least, least), strict=True))
    seen = []
    for name in env.agent_iter():
        observation, given, terminated, truncated, info = env.last()
        seen.append((name, given, terminated, truncated, info))
        assert not observation["action_mask"].any()
        env.step(None)
    rewards = (-least, least, -least, least)
    assert seen == [(name, reward, True, False, {}) for name, reward in zip(AGENTS, rewards, strict=True)]
    assert env.agents == []


def test_cheating_costs_more_than_the_worst_deal() -> None:
    """Over random deals no side ever gets less than what an illegal action brings."""
    for reward, least in (("points", -6.2), ("win", -1.0), ("tricks", -7.2)):
        env = five_hundred_v0.env(episode="deal", reward=reward)
        for seed in range(40):
            totals = side_totals(play(env, Dice(seed), seed=seed))
            assert min(totals) >= least
            assert sum(totals) == pytest.approx(0)


def test_dead_steps_clear_rewards() -> None:
    """After the end each seat that leaves empties the rewards of those that stay."""
    env = five_hundred_v0.env(episode="deal")
    env.reset(options=LAST_DEAL)
    choose = Script(SIX_SPADES)
    while not any(env.terminations.values()):
        env.step(choose(env.last()[0]["action_mask"]))
    assert env.rewards == dict(zip(AGENTS, (2.5, -2.5, 2.5, -2.5), strict=True))
    left = list(AGENTS)
    for name in AGENTS:
        assert env.agent_selection == name
        assert env.last()[1] == (2.5 if name in ("player_0", "player_2") else -2.5)
        env.step(None)
        left.remove(name)
        assert env.agents == left
        assert env.rewards == dict.fromkeys(left, 0.0)
        assert list(env.terminations) == list(env.truncations) == list(env.infos) == left

"""The seat environment: one learner among three agents."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import five_hundred_env
from five_hundred_env import actions, five_hundred_v0
from five_hundred_env.agents import load_agent
from five_hundred_env.core.state import SEED
from five_hundred_env.envs import SEAT_ID
from five_hundred_env.envs.aec import AGENTS
from five_hundred_env.errors import AgentError, IllegalActionError, OptionError, OrderError, RulesError
from tests.envs.helpers import MISERE_BY_ONE, SIX_SPADES, SIX_SPADES_BY_ONE, TEN_TRUMPS, Dice, Script


class Scripted:
    """The agent that follows a script, and notes the keys it is given."""

    name = "scripted"

    def __init__(self, calls: list[str]) -> None:
        self.script = Script(calls)
        self.keys: list[int] = []

    def act(self, observation: Any, mask: Any, keys: Any) -> Any:
        assert observation.shape == (len(keys), five_hundred_env.Tables(1).observation.shape[1])
        self.keys += keys.tolist()
        return np.array([self.script(row) for row in mask])


class Bad:
    """An agent that answers with what is never legal."""

    name = "bad"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, _observation: Any, _mask: Any, keys: Any) -> Any:
        return [self.answer] * len(keys)


def make(**options: Any) -> Any:
    return gymnasium.make(SEAT_ID, **{"partner": "random", "opponents": "random", **options}).unwrapped


@pytest.mark.parametrize("episode", ["deal", "game"])
@pytest.mark.parametrize("seat", [None, 3])
def test_gymnasium_checks_it(episode: str, seat: int | None) -> None:
    """Warnings are errors here, so that the check has nothing to remark either."""
    env = make(episode=episode, seat=seat, max_deals=5)
    check_env(env, skip_render_check=True)
    assert env.metadata["render_modes"] == ["ansi", "rgb_array", "human"]


@pytest.mark.parametrize("pack", ["5", "13"])
def test_gymnasium_checks_it_with_a_short_pack(pack: str) -> None:
    """Among agents that bid and play, `rule` and `greedy`."""
    rules = {"pack": pack, "misere_rank": "above_sevens"}
    check_env(make(rules=rules, partner="rule", opponents="greedy", max_deals=5), skip_render_check=True)


def test_gymnasium_checks_drawing(quick_screen: None) -> None:
    env = make(episode="deal", render_mode="ansi")
    check_env(env)
    assert isinstance(env.render(), str)


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_stable_baselines_checks_it(episode: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = make(episode=episode)
    checker.check_env(env)
    assert env.action_masks().shape == (80,)


def test_it_is_made_by_name_with_the_rule_agent() -> None:
    """The defaults: all others are `rule`, illegal actions lose."""
    env = gymnasium.make(SEAT_ID).unwrapped
    assert (env.others.partner.name, env.others.opponents.name) == ("rule", "rule")
    assert (env.illegal, env.episode, env.reward, env.fixed_seat) == ("lose", "game", "points", None)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("calls", "dealer", "reward", "total"),
    [
        (SIX_SPADES, 3, "points", 2.5),
        (SIX_SPADES, 3, "tricks", 3.5),
        (SIX_SPADES_BY_ONE, 0, "tricks", 2.4),
        (MISERE_BY_ONE, 3, "win", 1.0),
    ],
)
def test_rewards_of_a_deal(seat: int, calls: list[str], dealer: int, reward: str, total: float) -> None:
    """The deals of test_rewards.py, the learner in each seat: its rewards sum up to what its side gets."""
    script = Scripted(calls)
    env = make(seat=seat, partner=script, opponents=script, episode="deal", reward=reward, illegal="raise")
    _, info = env.reset(options={"deal": TEN_TRUMPS, "dealer": dealer})
    rewards, over = [], False
    while not over:
        assert info["seat"] == seat
        _, gained, terminated, truncated, info = env.step(script.script(info["action_mask"]))
        rewards.append(gained)
        over = terminated or truncated
    assert (terminated, truncated) == (True, False)
    assert sum(rewards) == pytest.approx(total if seat % 2 == 0 else -total)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    if dealer == 3 and reward == "tricks" and seat == 2:
        # One call, ten cards: the partner is given the trick it has just played to, before its next card.
        assert rewards == pytest.approx([0.0, *[0.1] * 9, 2.6])


def test_it_plays_what_the_aec_form_plays() -> None:
    """The learner sees what its seat sees there; the others act on the same observations."""
    script, passer = Dice(5), load_agent("passer")
    env = make(seat=1, partner="passer", opponents="passer", episode="deal")
    aec = five_hundred_v0.env(episode="deal")
    observation, info = env.reset(seed=9)
    aec.reset(seed=9)
    over = False
    while not over:
        while aec.agent_selection != AGENTS[1]:
            seen = aec.last()[0]
            forced = seen["action_mask"].sum() == 1 or seen["action_mask"][0]
            assert forced, "all pass, so the deal is thrown in after the auction"
            aec.step(int(passer.act(seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64))[0]))
        seen = aec.last()[0]
        assert (seen["observation"] == observation).all()
        assert (seen["action_mask"] == info["action_mask"]).all()
        action = 0 if info["action_mask"][0] else script(info["action_mask"])
        aec.step(action)
        observation, _, over, _, info = env.step(action)


def test_keys_are_a_function_of_seed_and_decision() -> None:
    """The same seed gives the others the same random bits, another seed other ones, each decision its own."""
    runs = []
    for seed in (3, 3, 4):
        agent = Scripted(["PASS"] * 4)
        env = make(seat=0, partner=agent, opponents=agent, episode="deal")
        env.reset(seed=seed, options={"dealer": 0})
        env.step(0)
        runs.append(agent.keys)
    assert runs[0] == runs[1]
    assert len({*runs[0], *runs[2]}) == 6


def test_a_seat_is_drawn_for_each_episode() -> None:
    """Over 200 episodes each seat comes up 50 times give or take five standard deviations (31)."""
    env = make(episode="deal", partner="passer", opponents="passer")
    counts = [0] * 4
    env.reset(seed=1)
    for _ in range(200):
        _, info = env.reset()
        counts[info["seat"]] += 1
    assert all(19 <= count <= 81 for count in counts)
    _, first = env.reset(seed=5)
    _, second = env.reset(seed=5)
    assert first["seat"] == second["seat"] == env.learner


@pytest.mark.parametrize(("reward", "least"), [("points", -6.2), ("win", -1.0), ("tricks", -7.2)])
def test_an_illegal_action_loses(reward: str, least: float) -> None:
    for seat in (0, 1):
        env = make(seat=seat, reward=reward)
        env.reset(seed=1)
        observation, given, terminated, truncated, info = env.step(actions.NOOP)
        assert (given, terminated, truncated) == (least, True, False)
        assert env.observation_space.contains(observation)
        assert not info["action_mask"].any()
        with pytest.raises(OrderError):
            env.step(0)
        env.reset()
        assert env.action_masks().any()


def test_refused_actions_change_nothing() -> None:
    env = make(illegal="raise", seat=2)
    env.reset(seed=1)
    before = env.state()
    for action in (actions.NOOP, -1, 2**70, None, float("nan"), "PASS", True):
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert (env.state() == before).all()
    env.step(0)
    loser = make(seat=2)
    loser.reset(seed=1)
    with pytest.raises(IllegalActionError):
        loser.step(None)


def test_order_and_options() -> None:
    env = make()
    for call in (lambda: env.step(0), env.action_masks, env.state, env.render):
        with pytest.raises(OrderError):
            call()
    for seed in (-1, 1.5):
        with pytest.raises(OptionError):
            env.reset(seed=seed)
    for name, value, error in (
        ("seat", 4, OptionError),
        ("seat", "0", OptionError),
        ("partner", "nobody", AgentError),
        ("opponents", "nobody", AgentError),
        ("illegal", "ignore", OptionError),
        ("episode", "hand", OptionError),
        ("reward", "fun", OptionError),
        ("rules", "bridge", RulesError),
    ):
        with pytest.raises(error):
            make(**{name: value})


@pytest.mark.parametrize("answer", [actions.NOOP, 99, None, 1.5], ids=repr)
def test_an_agent_that_answers_with_an_illegal_action_is_named(answer: Any) -> None:
    """The episode can not go on; the next reset begins another."""
    env = make(seat=0, opponents=Bad(answer))
    with pytest.raises(AgentError, match="'bad'"):
        env.reset(seed=1, options={"dealer": 0})
    with pytest.raises(OrderError):
        env.step(0)
    env.set_agents(opponents="passer")
    env.reset(seed=1, options={"dealer": 0})
    env.step(0)


def test_set_agents_exchanges_one_or_both() -> None:
    env = make(partner="passer")
    env.set_agents(opponents="greedy")
    assert (env.others.partner.name, env.others.opponents.name) == ("passer", "greedy")
    env.set_agents(partner=load_agent("random"))
    assert (env.others.partner.name, env.others.opponents.name) == ("random", "greedy")


def test_a_game_is_truncated_after_max_deals() -> None:
    """Everybody passes twice."""
    env = make(partner="passer", opponents="passer", max_deals=2, seat=1)
    env.reset(seed=1)
    assert env.step(0)[2:4] == (False, False)
    assert env.step(0)[2:4] == (False, True)


def test_a_copy_goes_its_own_way() -> None:
    env = make(seat=1, reward="tricks")
    _, info = env.reset(seed=2)
    choose = Dice(1)
    for _ in range(4):
        info = env.step(choose(info["action_mask"]))[4]
    twin = copy.deepcopy(env)
    action = choose(info["action_mask"])
    before = env.state()
    theirs = twin.step(action)
    assert (env.state() == before).all()
    ours = env.step(action)
    assert (ours[0] == theirs[0]).all()
    assert ours[1:4] == theirs[1:4]
    assert int(env._row[SEED]) == int(twin._row[SEED])

"""The laws notice what adapters get wrong; a missing library is named."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from five_hundred_env import five_hundred_v0
from five_hundred_env.errors import MissingExtraError
from five_hundred_env.integrations._require import require
from tests.integrations.laws import Decision, careful_action, check_episode

SEED = 1


def record(episode: str, max_deals: int = 3) -> list[Decision]:
    """Play carefully through PettingZoo's loop; a seat's reward is what `last` says at its next turn."""
    env = five_hundred_v0.env(episode=episode, max_deals=max_deals)
    env.reset(seed=SEED)
    generator = np.random.default_rng(SEED)
    open_decisions: dict[str, Decision] = {}
    decisions = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        if agent in open_decisions:
            decisions.append(replace(open_decisions.pop(agent), reward=reward, ends=over))
        if over:
            env.step(None)
            continue
        mask = observation["action_mask"]
        action = careful_action(mask, generator)
        open_decisions[agent] = Decision(int(agent[-1]), action, mask)
        env.step(action)
    return decisions


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_the_plain_loop_obeys_the_laws(episode: str) -> None:
    """Four decisions are the last of their seat; a game pays before its end as well."""
    due = check_episode(record(episode), SEED, episode=episode, max_deals=3)
    assert sum(entry.ends for entry in due) == 4
    assert any(entry.reward and entry.ends == (episode == "deal") for entry in due)


def test_rewards_on_the_next_seats_transition_are_noticed() -> None:
    """The tutorial adapter's slip: the mover's transition carries the reward of the seat to its left."""
    decisions = record("game")
    shifted = [
        replace(d, seat=d.seat, reward=n.reward) for d, n in zip(decisions, decisions[1:] + decisions[:1], strict=True)
    ]
    with pytest.raises(AssertionError, match="says reward"):
        check_episode(shifted, SEED, max_deals=3)


def test_rewards_of_the_losers_that_vanish_are_noticed() -> None:
    decisions = [replace(d, reward=max(d.reward or 0.0, 0.0)) for d in record("deal")]
    with pytest.raises(AssertionError, match="says reward"):
        check_episode(decisions, SEED, episode="deal")


def test_rewards_of_a_deal_that_come_a_deal_late_are_noticed() -> None:
    """Each seat's rewards in order, but on its first decision of the deal that follows."""
    decisions = record("game")
    late: list[Decision] = []
    owed = dict.fromkeys(range(4), 0.0)
    for decision in decisions:
        late.append(replace(decision, reward=owed[decision.seat] + (decision.reward or 0.0) * bool(decision.ends)))
        owed[decision.seat] = 0.0 if decision.ends else decision.reward or 0.0
    with pytest.raises(AssertionError, match="says reward"):
        check_episode(late, SEED, max_deals=3)


def test_illegal_actions_and_foreign_masks_are_noticed() -> None:
    """`--`, id 79, is never legal at a table in turns."""
    decisions = record("deal")
    with pytest.raises(AssertionError, match="did 79"):
        check_episode([replace(decisions[0], action=79), *decisions[1:]], SEED, episode="deal")
    with pytest.raises(AssertionError, match="another mask"):
        check_episode([replace(d, mask=np.ones(80)) for d in decisions], SEED, episode="deal")


def test_decisions_that_lack_or_are_too_many_are_noticed() -> None:
    decisions = record("deal")
    with pytest.raises(AssertionError, match="nothing was recorded"):
        check_episode(decisions[:-1], SEED, episode="deal")
    with pytest.raises(AssertionError, match="more were recorded"):
        check_episode([*decisions, decisions[-1]], SEED, episode="deal")


def test_a_library_that_is_absent_is_named_with_its_extra() -> None:
    with (
        pytest.raises(MissingExtraError, match=r"^Tianshou can not .* pip install 'five_hundred_env\[tianshou\]'$"),
        require("Tianshou", extra="tianshou"),
    ):
        import_module("no_such_library")

"""TorchRL: rewards, masks, cut rollouts, the agent, and that it learns."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

pytest.importorskip("torchrl", exc_type=ImportError)

import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModuleBase

from examples.torchrl_ppo import Network, train
from five_hundred_env import Tables, five_hundred_v0
from five_hundred_env.agents import load_agent
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.integrations.torchrl import GROUP, SIDES, make_env, masked_actor, network_agent, own_decisions
from tests.integrations.laws import Decision, check_beats_random, check_episode

pytestmark = pytest.mark.filterwarnings("default")

SEED = 11
STEPS = 700
torch.set_num_threads(1)  # threads that wait for each other cost more than they bring


class NumberedTable(type(five_hundred_v0.env())):  # type: ignore[misc]
    """Gives each episode a seed of its own, and remembers which."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        del seed
        self.seeds = [*getattr(self, "seeds", []), SEED + len(getattr(self, "seeds", []))]
        super().reset(self.seeds[-1], options)


class Greedy(TensorDictModuleBase):
    """Acts by the built-in agent `greedy`, whose games go over several deals."""

    in_keys: ClassVar = [(side, "action_mask") for side in SIDES]
    out_keys: ClassVar = [(side, "action") for side in SIDES]

    def forward(self, tensordict: TensorDictBase) -> TensorDictBase:
        for side in SIDES:
            seen = tensordict[side]
            actions = torch.zeros_like(seen["mask"], dtype=torch.int64)
            for seat in seen["mask"].nonzero().flatten().tolist():
                observation = seen["observation", "observation"][seat].numpy()[None]
                mask = seen["action_mask"][seat].numpy().astype(np.int8)[None]
                actions[seat] = int(load_agent("greedy").act(observation, mask, np.zeros(1, np.uint64))[0])
            tensordict[side, "action"] = actions
        return tensordict


def play(
    monkeypatch: pytest.MonkeyPatch, policy: Any, group_map: dict[str, list[str]] | None = None, **options: Any
) -> tuple[TensorDictBase, list[int]]:
    """Return a rollout over several episodes and their seeds."""
    monkeypatch.setattr(five_hundred_v0, "env", NumberedTable)
    env = make_env(group_map, **options)
    table = env._env
    before = len(table.seeds)
    rollout = env.rollout(STEPS, policy, break_when_any_done=False)
    return rollout, table.seeds[before:]


def episodes(rollout: TensorDictBase, groups: dict[str, list[int]]) -> list[list[Decision]]:
    """Return the decisions of each whole episode; `groups` tells the seats of a group."""
    whole = int(rollout["next", "done"].sum())
    found: list[list[Decision]] = [[] for _ in range(whole)]
    for group, seats in groups.items():
        decisions = own_decisions(rollout, group)
        done = decisions["next", "done"].flatten().tolist()
        # Each seat's decisions end with one that is done: by the end of an episode, or by that of the rollout.
        begin, seat, episode = 0, 0, 0
        for n, over in enumerate(done):
            if not over:
                continue
            if episode < whole:
                found[episode] += _decisions(decisions[begin : n + 1], seats[seat])
            begin, episode = n + 1, episode + 1
            if episode > whole or (episode == whole and _next_seat_begins(decisions, begin)):
                seat, episode = seat + 1, 0
    return found


def _next_seat_begins(decisions: TensorDictBase, row: int) -> bool:
    """Tell whether no decision of the same seat follows: steps go back where the next seat's begin."""
    return row == len(decisions) or bool(decisions["action_log_prob"][row] < decisions["action_log_prob"][row - 1])


def _decisions(rows: TensorDictBase, seat: int) -> list[Decision]:
    return [
        Decision(
            seat,
            int(row["action"]),
            row["action_mask"].numpy(),
            float(row["next", "reward"]),
            bool(row["next", "done"]),
        )
        for row in rows
    ]


def number_steps(rollout: TensorDictBase, groups: list[str]) -> TensorDictBase:
    """Write the number of its step where the probability of an action stands, to know decisions by."""
    for group in groups:
        acting = rollout[group, "mask"]
        rollout[group, "action_log_prob"] = torch.arange(len(rollout), dtype=torch.float32)[:, None].expand(
            acting.shape
        )
    return rollout


@pytest.mark.parametrize("episode", ["deal", "game"])
def test_rewards_and_masks_of_an_untrained_policy(monkeypatch: pytest.MonkeyPatch, episode: str) -> None:
    """It bids like mad: a game of its is over after a deal or two, at 10 no trumps bid and lost."""
    torch.manual_seed(SEED)
    policy = masked_actor(Network(N_ACTIONS))
    rollout, seeds = play(monkeypatch, policy, episode=episode, max_deals=3)
    whole = episodes(number_steps(rollout, [GROUP]), {GROUP: [0, 1, 2, 3]})
    assert len(whole) > 5
    for seed, decisions in zip(seeds, whole, strict=False):
        due = check_episode(decisions, seed, episode=episode, max_deals=3)
        assert sum(entry.ends for entry in due) == 4


def test_rewards_in_games_of_several_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are cut after three deals, `greedy` seldom reaches 500 in so few; each deal has paid at its own end."""
    rollout, seeds = play(monkeypatch, Greedy(), SIDES, episode="game", max_deals=3)
    whole = episodes(number_steps(rollout, list(SIDES)), {"side_0": [0, 2], "side_1": [1, 3]})
    paid = []
    for seed, decisions in zip(seeds, whole, strict=False):
        paid += [entry for entry in check_episode(decisions, seed, max_deals=3) if entry.reward]
    assert len(whole) > 1
    assert any(not entry.ends for entry in paid)


def test_a_cut_rollout_pays_no_decision_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut after every 37 steps, each decision that is left brings what it does uncut; four at most go with each cut."""
    torch.manual_seed(SEED)
    rollout, _ = play(monkeypatch, masked_actor(Network(N_ACTIONS)), episode="deal")
    number_steps(rollout, [GROUP])

    def outcomes(part: TensorDictBase) -> dict[int, tuple[float, bool]]:
        rows = own_decisions(part)
        return {
            int(row["action_log_prob"]): (float(row["next", "reward"]), bool(row["next", "terminated"])) for row in rows
        }

    uncut = outcomes(rollout)
    cut: dict[int, tuple[float, bool]] = {}
    for start in range(0, STEPS, 37):
        cut |= outcomes(rollout[start : start + 37])
    assert len(uncut) >= STEPS - 4
    assert len(uncut) - 4 * (STEPS // 37) <= len(cut) < len(uncut)
    for step, (reward, ends) in cut.items():
        assert uncut[step] == (pytest.approx(reward, abs=1e-5), ends)


def test_dropping_idle_steps_would_drop_rewards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal pays four seats, but only one of them was to move: three quarters of the rewards stand on idle steps."""
    torch.manual_seed(SEED)
    rollout, _ = play(monkeypatch, masked_actor(Network(N_ACTIONS)), episode="deal")
    rewards = rollout["next", GROUP, "reward"].squeeze(-1).abs()
    assert float((rewards * rollout[GROUP, "mask"]).sum()) == pytest.approx(float(rewards.sum()) / 4, rel=1e-4)
    ends = rollout["next", "done"].flatten().nonzero().flatten()
    known = own_decisions(rollout[: int(ends[-1]) + 1])["next", "reward"].abs().sum()
    assert float(known) == pytest.approx(float(rewards.sum()), rel=1e-4)


def test_an_agent_answers_alike_in_any_batch() -> None:
    """The answer to a decision depends on its observation, mask and key alone, and is legal."""
    tables = Tables(n=100, seed=SEED)
    rng = np.random.default_rng(SEED)
    for _ in range(9):
        tables.step((rng.random(tables.mask.shape) * tables.mask).argmax(axis=1))
    keys = rng.integers(0, 2**63, 100, dtype=np.uint64)
    agent = network_agent(Network(N_ACTIONS), greedy=False)
    together = agent.act(tables.observation, tables.mask, keys)
    assert (tables.mask[np.arange(100), together] == 1).all()
    for rows in (slice(0, 1), slice(7, 90), slice(99, 100)):
        assert np.array_equal(agent.act(tables.observation[rows], tables.mask[rows], keys[rows]), together[rows])


@pytest.mark.slow
def test_it_learns() -> None:
    """An untrained policy that samples plays about as `random` does; what was learned beats both."""
    torch.manual_seed(SEED)
    before = play_match(network_agent(Network(N_ACTIONS), greedy=False), "random", boards=300, seed=1)
    after = train(decisions=4096, seed=SEED)
    assert check_beats_random(after, boards=300) > before.ci95[1] + 50

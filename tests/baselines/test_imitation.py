"""Imitation: it learns to do what the agent does, the same way each time, also after a kill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from safetensors.torch import load_file

from baselines import imitation, ppo
from baselines.common.lessons import PlayedLessons
from baselines.common.rollouts import Seen
from baselines.imitation import CHECKPOINT, POLICY, Config, Trainer, train
from baselines.ppo import Config as PpoConfig
from five_hundred_env.errors import AgentError, OptionError

SMALL = Config(
    agent="greedy",
    tables=16,
    steps=16,
    total_decisions=4 * 16 * 16,
    minibatch=64,
    layers=(16,),
    threads=1,
    checkpoint_every=1,
)


def run(folder: Path, **changes: object) -> Path:
    train(replace(SMALL, run_dir=str(folder), **changes), Console(quiet=True))  # type: ignore[arg-type]
    return folder


def same(one: Path, other: Path) -> bool:
    left, right = load_file(one / CHECKPOINT), load_file(other / CHECKPOINT)
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


def test_two_and_two_iterations_make_four(tmp_path: Path) -> None:
    whole, again = run(tmp_path / "whole"), run(tmp_path / "again")
    assert same(whole, again)
    parts = run(tmp_path / "parts", stop_after=2)
    assert not same(whole, parts)
    run(parts)
    assert same(whole, parts)
    with pytest.raises(OptionError, match=r"agent 'greedy', not 'rule'"):
        run(parts, agent="rule")


def test_it_comes_to_agree_with_the_agent(tmp_path: Path) -> None:
    """`passer` always passes: after 16 iterations nearly every call is a pass; random cards stay guesses."""
    trainer = Trainer(replace(SMALL, run_dir=str(tmp_path), agent="passer", total_decisions=16 * 16 * 16, wander=0.3))
    metrics = [trainer.learn() for _ in range(16)]
    assert metrics[-1]["learn/agreement_calls"] > 0.97
    assert metrics[-1]["learn/agreement_cards"] < 0.6
    assert metrics[-1]["learn/cross_entropy"] < metrics[0]["learn/cross_entropy"]


def test_the_agent_is_asked_also_where_chance_has_played(tmp_path: Path) -> None:
    """With `wander` 1 every action is drawn at random, and what is to be learned is `passer`'s answer all the same."""
    trainer = Trainer(replace(SMALL, run_dir=str(tmp_path), agent="passer", wander=1.0))
    lessons = trainer.lessons
    assert isinstance(lessons, PlayedLessons)
    source = lessons.source
    turns = np.zeros(source.n, np.int64)
    decisions = lessons.act(source, Seen(trainer.inputs.pack(source.observation), source.mask, turns))
    assert (decisions.action != lessons.answers[0]).any()
    assert (lessons.answers[0] == 0).all()


def test_ppo_begins_with_what_imitation_made(tmp_path: Path) -> None:
    """While only the critic learns, the policy stays what it was."""
    made = run(tmp_path / "imitation")
    config = PpoConfig(
        run_dir=str(tmp_path / "ppo"),
        init=str(made / POLICY),
        layers=(16,),
        critic_layers=(8,),
        tables=8,
        steps=16,
        total_decisions=8 * 16 * 2,
        critic_first=1,
        threads=1,
        device="cpu",
    )
    trainer = ppo.Trainer(config)
    before = {name: tensor.clone() for name, tensor in trainer.policy.state_dict().items()}
    after_imitation = load_file(made / POLICY)["policy.weight"]
    assert torch.equal(before["head.weight"], after_imitation)
    critic = trainer.critic.head.weight.clone()
    trainer.learn(trainer.play())
    assert all(torch.equal(tensor, before[name]) for name, tensor in trainer.policy.state_dict().items())
    assert not torch.equal(trainer.critic.head.weight, critic)
    trainer.learn(trainer.play())
    assert not torch.equal(trainer.policy.head.weight, before["head.weight"])


def test_an_agent_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AgentError):
        Trainer(replace(SMALL, run_dir=str(tmp_path), agent="nobody"))
    assert imitation.main(["--agent", "nobody", "--run-dir", str(tmp_path)]) == 2
    assert "nobody" in capsys.readouterr().err

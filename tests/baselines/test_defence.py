"""The solver as the defence of misères: what it plays, where it sits, and that a policy learns from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from baselines.common.defence import Defence, write_best
from baselines.common.rollouts import Flags, PettingZooSource, TablesSource
from baselines.ppo import Config, Trainer
from five_hundred_env import Game
from five_hundred_env.agents import load_agent
from five_hundred_env.core.actions import encode
from five_hundred_env.core.constants import MIS, N_ACTIONS, PLAY
from five_hundred_env.core.observe import field
from five_hundred_env.errors import OptionError
from five_hundred_env.search import make_workspace

DEAL = "AD5C6C7C8C9CTCJCQCKC KHKS5D6D7D8D9DTDJDQD KD4H5H6H7H8H9HTHJHQH 4DAH5S6S7S8S9STSJSQS JKASAC"
SMALL = Config(
    tables=8,
    steps=48,
    minibatch=64,
    layers=(16,),
    critic_layers=(16,),
    threads=1,
    device="cpu",
    practice=0.0,
    callers="misere_spammer",
    callers_until=1e9,
    total_decisions=8 * 48 * 12,
)


def test_the_one_lead_that_catches_the_contractor() -> None:
    """Seat 2 plays open misère with the king of diamonds and nine hearts, and leads the four of hearts.

    Seat 3 takes it with the ace (seat 1 has to play the king). If it leads the four of diamonds, seat 2 must play its
    king, and seat 1 has lower ones. If it leads a spade, the king of diamonds is thrown away, and nobody is left with
    a heart to lead: the contractor takes no trick.
    """
    game = Game.from_deal(DEAL, dealer=1, seed=1)
    for call in ("OMIS", "PASS", "PASS", "PASS", "JK", "AS", "AC"):
        game.apply(call)
    while game.phase != "play":
        game.apply("=-")
    for card in ("4H", "AH", "KH"):
        game.apply(card)
    assert (game.seat, len(game.legal())) == (3, 9)
    best = np.zeros((1, N_ACTIONS), np.int8)
    rows = np.stack([np.zeros_like(game.row), game.row])
    write_best(rows, np.array([1]), best, make_workspace(), np.zeros(N_ACTIONS, np.int64))
    assert np.flatnonzero(best[0]).tolist() == [encode("4D")]


def test_it_sits_at_the_first_tables_and_is_not_learned_from_as_if_it_were_the_policy(tmp_path: Path) -> None:
    """At the first half of the tables; it plays one of its best actions, and only cards of a defence."""
    trainer = Trainer(replace(SMALL, run_dir=str(tmp_path), defence_share=0.5))
    rollout = trainer.play()
    taught: Flags = rollout.best.any(axis=2)
    assert taught[:, :4].any()
    assert not taught[:, 4:].any()
    assert not (taught & rollout.learner).any()
    own = rollout.best[taught]
    assert (own <= rollout.mask[taught]).all()
    assert np.take_along_axis(own, rollout.action[taught][:, None], axis=1).all()
    assert rollout.learner[:, 4:][rollout.mask[:, 4:, 0] == 0].all()


def test_it_decides_where_a_defender_is_to_play_a_card_and_nowhere_else() -> None:
    source, defence = TablesSource(64, 3), Defence(1.0, 64)
    agent = load_agent("misere_spammer")
    phase, relative = field("phase").start + PLAY, field("bidder")
    found = 0
    for _ in range(60):
        tables, _ = defence.best(source)
        seen = source.observation
        misere = seen[:, field("bid").start + MIS : field("bid").stop].any(axis=1)
        defends = misere & (seen[:, phase] != 0) & (seen[:, relative.start] == 0)
        assert np.flatnonzero(defends).tolist() == tables.tolist()
        found += len(tables)
        source.step(agent.act(seen, source.mask, np.arange(64, dtype=np.uint64)))
    assert found > 100


def test_a_policy_learns_the_defence(tmp_path: Path) -> None:
    """What it gives the solver's actions rises while it sees them again and again."""
    config = replace(SMALL, run_dir=str(tmp_path), defence_share=1.0, defence_weight=1.0, learning_rate=0.01)
    trainer = Trainer(config)
    rollout = trainer.play()
    losses = [trainer.learn(rollout)["learn/defence_loss"] for _ in range(12)]
    assert losses[-1] < losses[0] / 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"defence_share": 1.5}, "defence_share is a part of the tables"),
        ({"defence_share": 0.5, "source": "pettingzoo", "callers": None}, "defence_share needs source tables"),
    ],
)
def test_options_that_can_not_be(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Trainer(replace(SMALL, run_dir=str(tmp_path), **changes))  # type: ignore[arg-type]


def test_without_a_share_nobody_is_asked() -> None:
    tables, best = Defence(0.0, 2).best(PettingZooSource(2, 1))
    assert (len(tables), best.shape) == (0, (0, N_ACTIONS))

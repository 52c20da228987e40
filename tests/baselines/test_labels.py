"""Labels of search: what a card costs, files that any process may make, and a policy that learns from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from safetensors.torch import load_file

from baselines import imitation, labels
from baselines.common.labelling import UNSOLVED, label_rows, load_labels
from baselines.common.lessons import StoredLessons
from baselines.common.networks import Inputs
from five_hundred_env import Game
from five_hundred_env.core.actions import encode
from five_hundred_env.core.constants import N_ACTIONS, PASS
from five_hundred_env.core.state import N_COLUMNS
from five_hundred_env.errors import CheckpointError, OptionError
from five_hundred_env.search import make_workspace, solve_moves

SMALL = labels.Config(tables=8, steps=12, files=3, processes=1)


def made(folder: Path, **changes: object) -> Path:
    config = replace(SMALL, run_dir=str(folder), **changes)  # type: ignore[arg-type]
    for number in range(config.first, config.first + config.files):
        folder.mkdir(exist_ok=True)
        labels.label_file(config, number)
    return folder


def cost_of(game: Game) -> tuple[np.ndarray, int]:
    cost, stake = np.empty((1, N_ACTIONS), np.int16), np.empty(1, np.int16)
    work = np.zeros(N_COLUMNS, np.int64), np.zeros(N_ACTIONS, np.int64), np.zeros(16)
    label_rows(game.row[None].copy(), cost, stake, *work, make_workspace())
    return cost[0], int(stake[0])


def in_play(seed: int, bid: str) -> Game:
    """Return a deal at its first lead; the first seat to call has made the bid, and put away its lowest cards."""
    game = Game(seed=seed)
    game.apply(bid)
    while game.phase != "play":
        game.apply("PASS" if game.phase == "auction" else game.legal()[0])
    return game


@pytest.mark.parametrize("bid", ["6H", "8S", "7NT", "OMIS"])
def test_costs_follow_the_values_of_the_mover(bid: str) -> None:
    """What is best by `solve_moves` costs nothing; what is worse for the mover costs more; the same, the same.

    The contractor's side wants a high value, in a misère a low one. A misère is won or lost, so a choice that is not
    the best costs all there is.
    """
    seen = 0
    for seed in range(6):
        game = in_play(seed, bid)
        rng = np.random.default_rng(seed)
        while game.phase != "over":
            values = solve_moves(game)
            cost, stake = cost_of(game)
            worth = {encode(name, game.phase): value for name, value in values.items()}
            assert set(np.flatnonzero(cost != UNSOLVED).tolist()) == set(worth)
            ours = (game.seat or 0) % 2 == (game.contractor or 0) % 2
            sign = 1 if ours == (bid != "OMIS") else -1
            by_value = sorted({(-sign * value, int(cost[action])) for action, value in worth.items()})
            assert by_value[0][1] == 0
            assert len(by_value) == len(set(worth.values()))  # one cost for each value
            assert [paid for _, paid in by_value] == sorted(paid for _, paid in by_value)
            if bid == "OMIS":
                assert {paid for _, paid in by_value} <= {0, stake}
            seen += len(by_value) > 1
            game.apply(int(rng.choice(list(worth))))
    assert seen >= 2


def test_calls_and_discards_are_the_teacher_s() -> None:
    game = Game(seed=3)
    cost, stake = cost_of(game)
    assert (cost == UNSOLVED).all()
    assert stake == 0


def test_files_depend_on_their_numbers_alone(tmp_path: Path) -> None:
    """One process or two, all at once or the second file alone, the same decisions."""
    made(tmp_path / "one")
    made(tmp_path / "two", first=1, files=1)
    labels.label(replace(SMALL, run_dir=str(tmp_path / "three"), processes=2), Console(quiet=True))
    names = [path.name for path in sorted((tmp_path / "one").glob("*.npz"))]
    assert names == ["000000.npz", "000001.npz", "000002.npz"]
    for folder, some in (("two", names[1:2]), ("three", names)):
        for name in some:
            here, there = load_labels(tmp_path / "one" / name), load_labels(tmp_path / folder / name)
            assert len(here) == SMALL.tables * SMALL.steps
            for field in ("observation", "mask", "action", "cost", "stake"):
                assert (getattr(here, field) == getattr(there, field)).all()


def test_the_teacher_is_asked_where_another_agent_plays(tmp_path: Path) -> None:
    """`passer` plays against `rule`: it would never bid, the teacher does."""
    made(tmp_path / "l", agents=("rule", "passer"), files=1, tables=32)
    some = load_labels(tmp_path / "l" / "000000.npz")
    calls = some.mask[:, PASS] != 0
    assert (some.action[calls] != PASS).any()
    assert some.mask[np.arange(len(some)), some.action].all()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    made(tmp_path / "l", files=1)
    path = tmp_path / "l" / "000000.npz"
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(CheckpointError, match=r"000000\.npz: no file of labels, or damaged"):
        load_labels(path)
    with pytest.raises(OptionError, match="has no file of labels"):
        StoredLessons(tmp_path, Inputs(), 1, 1, 1)


def test_imitation_learns_costs_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    """Twelve times through three files it has learned what they say, though not more; two halves are the whole."""
    folder = made(tmp_path / "labels", tables=32)
    config = imitation.Config(
        run_dir=str(tmp_path / "whole"),
        labels=str(folder),
        epochs=12,
        files_at_once=2,
        turned=True,
        layers=(32,),
        minibatch=64,
        threads=1,
    )
    trainer = imitation.Trainer(config)
    metrics = [trainer.learn() for _ in range(trainer.iterations)]
    assert trainer.iterations == 12 * 2
    assert metrics[-1]["learn/cost"] < metrics[0]["learn/cost"] / 2
    assert metrics[-1]["learn/agreement_calls"] > metrics[0]["learn/agreement_calls"]
    imitation.train(config, Console(quiet=True))
    parts = replace(config, run_dir=str(tmp_path / "parts"))
    imitation.train(replace(parts, stop_after=5, checkpoint_every=5), Console(quiet=True))
    imitation.train(parts, Console(quiet=True))
    whole, again = (load_file(tmp_path / name / imitation.CHECKPOINT) for name in ("whole", "parts"))
    assert all(torch.equal(whole[name], again[name]) for name in whole)

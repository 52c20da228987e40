"""PPO: the same run twice, a run that was killed, options and checkpoints that can not be used, and learning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from safetensors import safe_open
from safetensors.torch import save_file

from baselines import ppo
from baselines.common.options import options_from_json
from baselines.common.runs import CHECKPOINT, POLICY
from baselines.ppo import Config, Trainer, read_arguments, train
from five_hundred_env.core.constants import PASS
from five_hundred_env.errors import CheckpointError, OptionError

SMALL = Config(
    tables=8,
    steps=24,
    total_decisions=4 * 8 * 24,
    minibatch=64,
    layers=(16,),
    critic_layers=(16,),
    threads=1,
    device="cpu",
    checkpoint_every=1,
)


def run(folder: Path, **changes: object) -> Path:
    """Train in a folder; return it."""
    config = replace(SMALL, run_dir=str(folder), **changes)  # type: ignore[arg-type]
    train(config, Console(quiet=True))
    return folder


def tensors(path: Path) -> dict[str, torch.Tensor]:
    """Return what a file holds."""
    with safe_open(path, framework="pt") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping


def same_checkpoints(one: Path, other: Path) -> bool:
    """Tell whether two runs stand at the same point, to the bit."""
    left, right = tensors(one / CHECKPOINT), tensors(other / CHECKPOINT)
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


# --- the same run ---------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_run_and_another_seed_another(tmp_path: Path) -> None:
    one, two, three = run(tmp_path / "1"), run(tmp_path / "2"), run(tmp_path / "3", seed=2)
    assert same_checkpoints(one, two)
    assert (one / "policy.onnx").read_bytes() == (two / "policy.onnx").read_bytes()
    assert not torch.equal(tensors(one / POLICY)["policy.weight"], tensors(three / POLICY)["policy.weight"])


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"opponents": ("greedy", "snapshots"), "opponent_share": 0.5, "snapshot_every": 1},
        {"source": "pettingzoo", "central": False, "reward": "tricks"},
        {"callers": "random", "callers_until": 0.9, "call_entropy_floor": 3.0, "card_entropy_floor": 1.0},
    ],
    ids=["tables", "opponents", "pettingzoo", "callers"],
)
def test_two_and_two_iterations_make_four(tmp_path: Path, changes: dict[str, object]) -> None:
    """A run that stops after two iterations, in mid-deal, and is continued twice ends where one without a stop ends."""
    whole = run(tmp_path / "whole", **changes)
    parts = run(tmp_path / "parts", **changes, stop_after=2)
    assert not same_checkpoints(whole, parts)
    run(parts, **changes, stop_after=1)
    run(parts, **changes)
    assert same_checkpoints(whole, parts)
    assert (whole / "policy.onnx").read_bytes() == (parts / "policy.onnx").read_bytes()


def test_a_kill_costs_what_came_after_the_last_checkpoint_and_nothing_else(tmp_path: Path) -> None:
    """Checkpoints at 2 and 4; a run that ends after 3 goes on from 2."""
    whole = run(tmp_path / "whole", checkpoint_every=2)
    parts = run(tmp_path / "parts", checkpoint_every=2, stop_after=3)
    run(parts, checkpoint_every=2)
    assert same_checkpoints(whole, parts)


def test_resume_reads_the_options_of_the_run(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", stop_after=1, learning_rate=0.002)
    config = read_arguments(["--resume", str(folder)])
    assert (config.learning_rate, config.layers, config.stop_after) == (0.002, (16,), 0)


def test_a_run_is_not_continued_with_other_options(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", stop_after=1)
    with pytest.raises(OptionError, match=r"run with learning_rate 0\.001, not 0\.5"):
        run(folder, learning_rate=0.5)


# --- options --------------------------------------------------------------------------------------------------


def test_the_command_line_goes_before_the_file_and_the_file_before_defaults(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("layers: [8, 4]\nlearning_rate: 1e-4\nepochs: 3\ncentral: false\ninit: null\n")
    config = read_arguments(["--config", str(file), "--epochs", "5", "--run-dir", "elsewhere"])
    assert config == Config(layers=(8, 4), learning_rate=1e-4, epochs=5, central=False, init=None, run_dir="elsewhere")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat: 1\n", r"run\.yaml: unknown key 'learning_rat'; did you mean 'learning_rate'"),
        ("- 1\n", "is a list, not a mapping"),
        ("a: [\n", "can not be read as YAML"),
    ],
)
def test_a_file_with_an_unknown_key_or_no_mapping_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(text)
    with pytest.raises(OptionError, match=message):
        read_arguments(["--config", str(file)])


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="can not be read"):
        read_arguments(["--config", str(tmp_path / "none.yaml")])
    with pytest.raises(OptionError, match="--config is followed by"):
        read_arguments(["--config"])


@pytest.mark.parametrize(
    ("arguments", "message"), [(["--learning-rat", "1"], "--learning-rat"), (["--epochs", "many"], "many")]
)
def test_a_wrong_command_line_is_an_error_that_names_it(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        read_arguments(arguments)
    assert error.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tables": 0}, "tables is at least 1, not 0"),
        ({"source": "magic"}, "source is one of tables, pettingzoo, not 'magic'"),
        ({"precision": "int4"}, "precision is one of"),
        ({"drop": ("hands",)}, "no field of the observation is called 'hands'"),
        ({"opponent_share": 0.5}, "opponents names none"),
        ({"card_entropy_floor": -1.0}, "card_entropy_floor is at least 0, not -1"),
        ({"opponent_share": 2.0, "opponents": ("greedy",)}, "a part of the tables"),
    ],
)
def test_an_option_out_of_range_is_an_error_that_names_it(changes: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Trainer(replace(SMALL, **changes))  # type: ignore[arg-type]


def test_main_shows_errors_and_returns_a_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ppo.main(["--resume", str(tmp_path)]) == 2
    assert "there is no such file" in " ".join(capsys.readouterr().err.split())


def test_every_option_is_documented_where_it_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    """The command line takes its help from there; these words stand below `discount` and `drop`."""
    with pytest.raises(SystemExit):
        read_arguments(["--help"])
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "gamma; a deal is short" in shown
    assert "networks do not look at" in shown


# --- checkpoints that can not be continued ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("finished") / "run")


def copy_with(finished: Path, folder: Path, **metadata: str) -> Path:
    """Copy a run's checkpoint with other metadata."""
    folder.mkdir()
    with safe_open(finished / CHECKPOINT, framework="pt") as file:
        found = dict(file.metadata())
    save_file(tensors(finished / CHECKPOINT), folder / CHECKPOINT, {**found, **metadata})
    return folder


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"environment_version": "-1"}, "environment_version '-1'"),
        ({"format_version": "99"}, "format_version '99'"),
        ({"format": "something"}, "format 'something'"),
        ({"algorithm": "imitation"}, "algorithm 'imitation'"),
    ],
)
def test_a_checkpoint_of_another_version_is_refused(
    finished: Path, tmp_path: Path, metadata: dict[str, str], message: str
) -> None:
    with pytest.raises(CheckpointError, match=message):
        run(copy_with(finished, tmp_path / "other", **metadata))


@pytest.mark.parametrize("keep", [0, 7, 1000, -1])
def test_a_checkpoint_that_is_cut_short_is_refused(finished: Path, tmp_path: Path, keep: int) -> None:
    (tmp_path / CHECKPOINT).write_bytes((finished / CHECKPOINT).read_bytes()[:keep])
    with pytest.raises(CheckpointError, match="cut short, or no safetensors file"):
        run(tmp_path)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_text("a shopping list\n" * 100)
    with pytest.raises(CheckpointError, match="cut short, or no safetensors file"):
        run(tmp_path)


def test_a_policy_file_is_no_checkpoint(finished: Path, tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes((finished / POLICY).read_bytes())
    with pytest.raises(CheckpointError, match=r"format 'five_hundred_env\.policy'"):
        run(tmp_path)


def test_a_checkpoint_that_lacks_something_is_refused(finished: Path, tmp_path: Path) -> None:
    folder = copy_with(finished, tmp_path / "other")
    some = tensors(folder / CHECKPOINT)
    with safe_open(folder / CHECKPOINT, framework="pt") as file:
        metadata = file.metadata()
    for missing, message in (("source", "source"), ("policy.head.weight", "head.weight")):
        save_file({name: t for name, t in some.items() if name != missing}, folder / CHECKPOINT, metadata)
        with pytest.raises(CheckpointError, match=message):
            run(folder)


def test_options_of_another_version_are_refused() -> None:
    with pytest.raises(OptionError, match="unknown key 'momentum'"):
        options_from_json(Config, '{"momentum": 1}', "here")


# --- learning -------------------------------------------------------------------------------------------------


def pay_for_passing(trainer: Trainer, iterations: int) -> list[float]:
    """Let it learn where a pass earns 1, a bid costs 1 and nothing else counts; return the part of passes each time."""
    shares = []
    for _ in range(iterations):
        rollout = trainer.play()
        calls = rollout.mask[..., PASS] != 0
        passes = calls & (rollout.action == PASS)
        shares.append(float(passes.sum() / calls.sum()))
        rollout.reward[:] = 0
        steps, tables = np.nonzero(calls)
        rollout.reward[steps, tables, rollout.seat[steps, tables]] = np.where(passes, 1, -1)[steps, tables]
        rollout.done[:] = True
        trainer.learn(rollout)
    return shares


LESSON = {"tables": 64, "minibatch": 256, "learning_rate": 0.003, "practice": 0.0, "total_decisions": 64 * 24 * 12}


def test_a_policy_learns_what_is_paid(tmp_path: Path) -> None:
    """It begins with two passes in three of the openings, and must all but give up what costs."""
    trainer = Trainer(replace(SMALL, run_dir=str(tmp_path), auction_prior=0.0, **LESSON))  # type: ignore[arg-type]
    shares = pay_for_passing(trainer, 12)
    assert shares[0] < 0.85
    assert shares[-1] > 0.98


def test_the_pull_towards_modest_calls_keeps_bids_alive(tmp_path: Path) -> None:
    """The same with a pull: where a bid's logit is driven down by p · cost and up by pull · (prior − p), p stays up."""
    trainer = Trainer(replace(SMALL, run_dir=str(tmp_path), auction_prior=0.5, **LESSON))  # type: ignore[arg-type]
    shares = pay_for_passing(trainer, 12)
    assert 0.6 < shares[-1] < 0.98


def test_opponents_are_not_learned_from(tmp_path: Path) -> None:
    """At the last half of the tables `passer` holds side 0 of even tables and side 1 of odd ones."""
    config = replace(SMALL, run_dir=str(tmp_path), opponents=("passer",), opponent_share=0.5, practice=0.0)
    rollout = Trainer(config).play()
    table = np.arange(8)
    theirs = (table >= 4) & (rollout.seat % 2 == table % 2)
    assert (rollout.learner == ~theirs).all()
    calls = theirs & (rollout.mask[..., PASS] != 0)
    assert calls.any()
    assert (rollout.action[calls] == PASS).all()


def test_a_floor_keeps_the_entropy_of_calls_up(tmp_path: Path) -> None:
    """What makes a policy all but give up bids leaves its entropy at about the floor, here 0.6 nats."""
    config = replace(SMALL, run_dir=str(tmp_path), auction_prior=0.0, **LESSON)  # type: ignore[arg-type]
    entropies = []
    for floor in (0.0, 0.6):
        trainer = Trainer(replace(config, call_entropy_floor=floor, floor_rate=2.0))
        pay_for_passing(trainer, 11)
        rollout = trainer.play()
        entropies.append(trainer.learn(rollout)["learn/auction_entropy"])
        assert (floor > 0) == bool(trainer.floors.bonus)
    assert entropies[0] < 0.2
    assert entropies[1] > 0.4


def test_callers_call_at_first_and_leave_table_by_table(tmp_path: Path) -> None:
    """Eight tables, two of them for practice; until half of the run `passer` calls at 6 · (1 - 2 · done) others.

    At the beginning these are all six, after a quarter of the run three, after a half none: they stand behind the two.
    """
    config = replace(
        SMALL, run_dir=str(tmp_path), practice=0.25, practice_until=1e9, callers="passer", callers_until=0.5
    )
    trainer = Trainer(config)
    for iteration, theirs in ((0, 8), (1, 5), (2, 2)):
        trainer.iteration = iteration
        rollout = trainer.play()
        calls = rollout.mask[..., PASS] != 0
        assert (rollout.learner == ~(calls & (np.arange(8) < theirs))).all()
        assert (rollout.action[:, 2:theirs][calls[:, 2:theirs]] == PASS).all()


def test_at_practice_tables_only_the_calls_are_others(tmp_path: Path) -> None:
    rollout = Trainer(replace(SMALL, run_dir=str(tmp_path), practice=0.5)).play()
    calls = rollout.mask[..., PASS] != 0
    assert (rollout.learner == ~(calls & (np.arange(8) < 4))).all()
    assert (calls & ~rollout.learner).any()

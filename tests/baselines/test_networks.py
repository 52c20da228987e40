"""Networks, and the files that a trained policy is played from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

from baselines.common.networks import (
    HIDDEN_SIZE,
    ILLEGAL_LOGIT,
    Critic,
    Inputs,
    Policy,
    load_policy,
    modest_calls,
    observation_scale,
    save_onnx,
    save_policy,
)
from five_hundred_env import Tables, actions
from five_hundred_env.agents import load_agent
from five_hundred_env.agents.network import OnnxNetwork, SafetensorsNetwork
from five_hundred_env.agents.suits import turn_actions
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import PASS
from five_hundred_env.core.observe import field
from five_hundred_env.errors import CheckpointError, OptionError

INPUTS = Inputs(["rule_*", "kitty"])


def positions() -> Tables:
    """Return tables in the middle of their deals, all phases among them."""
    tables = Tables(256, seed=3, episode="game")
    generator = np.random.default_rng(1)
    for _ in range(90):
        weight = tables.mask * generator.random(tables.mask.shape)
        weight[:, PASS] *= 8
        tables.step(weight.argmax(axis=1))
    return tables


def policy(activation: str = "relu") -> Policy:
    """Return a policy whose logits differ from action to action."""
    torch.manual_seed(5)
    made = Policy(INPUTS, (32, 16), activation)
    torch.nn.init.normal_(made.head.weight)
    return made


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_torch_numpy_and_onnx_agree(tmp_path: Path, activation: str) -> None:
    """The same logits from the module, the reader of safetensors and ONNX Runtime; illegal ones are filled in ONNX."""
    made, tables = policy(activation), positions()
    save_policy(made, tmp_path / "p.safetensors")
    save_onnx(made, tmp_path / "p.onnx")
    with torch.no_grad():
        here = made(torch.from_numpy(INPUTS.pack(tables.observation))).numpy()
    numpy = SafetensorsNetwork(tmp_path / "p.safetensors").logits(tables.observation, tables.mask)
    session = onnxruntime.InferenceSession(str(tmp_path / "p.onnx"), providers=["CPUExecutionProvider"])
    (there,) = session.run(["logits"], {"observation": tables.observation, "action_mask": tables.mask})
    legal = tables.mask != 0
    assert here.std() > 0.5
    np.testing.assert_allclose(numpy, here, atol=1e-4)
    np.testing.assert_allclose(there[legal], here[legal], atol=1e-4)
    assert (there[~legal] == np.float32(ILLEGAL_LOGIT)).all()


def test_a_turned_policy_is_the_same_network_in_both_files(tmp_path: Path) -> None:
    """Positions with clubs and diamonds as trumps are among them, and halved weights are as near as 11 bits allow."""
    torch.manual_seed(2)
    inputs = Inputs(["rule_*"], turned=True)
    made = Policy(inputs, (32, 16), modest=False)
    with torch.no_grad():
        made.head.weight.normal_()
    tables = positions()
    turns = inputs.turns(tables.observation)
    assert {1, 2} <= set(turns.tolist())
    with torch.no_grad():
        here = made(torch.from_numpy(inputs.pack(tables.observation))).numpy()
    here = turn_actions(here, turns)
    legal = tables.mask != 0
    for half, nearness in ((False, 1e-4), (True, 0.2)):
        save_policy(made, tmp_path / "p.safetensors", half=half)
        save_onnx(made, tmp_path / "p.onnx", half=half)
        numpy = SafetensorsNetwork(tmp_path / "p.safetensors").logits(tables.observation, tables.mask)
        there = OnnxNetwork(tmp_path / "p.onnx").logits(tables.observation, tables.mask)
        np.testing.assert_allclose(numpy, here, atol=nearness)
        np.testing.assert_allclose(there[legal], numpy[legal], atol=1e-4)
    with pytest.raises(CheckpointError, match="is shown suits turned, the policy is not"):
        load_policy(Policy(INPUTS, (32, 16)), tmp_path / "p.safetensors")


def test_both_files_play_as_agents_and_alike(tmp_path: Path) -> None:
    made, tables = policy(), positions()
    save_policy(made, tmp_path / "p.safetensors")
    save_onnx(made, tmp_path / "p.onnx")
    keys = np.arange(tables.n, dtype=np.uint64)
    chosen = [
        load_agent(tmp_path / name).act(tables.observation, tables.mask, keys) for name in ("p.safetensors", "p.onnx")
    ]
    assert (chosen[0] == chosen[1]).mean() > 0.99  # a tie within rounding may fall either way
    assert tables.mask[np.arange(tables.n), chosen[0]].all()
    assert play_match(tmp_path / "p.safetensors", "passer", 10, seed=1, bca=False).boards == 10


def test_a_policy_file_begins_another_policy(tmp_path: Path) -> None:
    made, tables = policy(), positions()
    save_policy(made, tmp_path / "p.safetensors")
    places = torch.from_numpy(INPUTS.pack(tables.observation))
    other = Policy(INPUTS, (32, 16))
    load_policy(other, tmp_path / "p.safetensors")
    torch.testing.assert_close(other(places), made(places))


@pytest.mark.parametrize(
    ("drop", "layers", "message"),
    [
        (["rule_*", "kitty"], (32, 8), "has layers"),
        (["rule_*", "kitty", "hand"], (32, 16), "looks at places of the observation that `drop` leaves out"),
    ],
)
def test_a_policy_of_another_shape_is_refused(
    tmp_path: Path, drop: list[str], layers: tuple[int, ...], message: str
) -> None:
    save_policy(policy(), tmp_path / "p.safetensors")
    with pytest.raises(CheckpointError, match=message):
        load_policy(Policy(Inputs(drop), layers), tmp_path / "p.safetensors")


def test_large_numbers_are_scaled_to_about_one() -> None:
    """500 points are 50 tens; 50 = 50 + 0 · 128, so 50 / 50 = 1. −380 points are −38: −38 / 50 = −0.76."""
    tables = Tables(1, seed=1, episode="game")
    tables.scores[0] = (500, -380)
    tables.rows[0, :] = tables.rows[0]
    saved = Tables.load(tables.save())
    scaled = saved.observation[0] * observation_scale()
    entry = field("scores")
    own = scaled[entry.start : entry.stop].reshape(2, 3).sum(axis=1)
    side = int(saved.seat[0]) % 2
    np.testing.assert_allclose(own, [1.0, -0.76] if side == 0 else [-0.76, 1.0], rtol=1e-6)


def test_the_first_policy_is_modest() -> None:
    """In an opening 26 calls are legal. Weights of the bids: 5 · (1 + e^−1.5 + e^−3 + e^−4.5 + e^−6) + e^−3 = 6.48.

    That of PASS is e^2.6 = 13.46: it is 13.46 / (13.46 + 6.48) = 0.675 of all; a bid of the ten level has
    e^−6 / 19.94 = 0.00012.
    """
    tables = Tables(1, seed=1)
    chance = modest_calls(torch.from_numpy(tables.mask))[0]
    assert chance[PASS].item() == pytest.approx(0.675, abs=0.002)
    assert chance[actions.encode("10H")].item() == pytest.approx(0.00012, abs=0.00001)
    assert chance[actions.encode("MIS")].item() == 0
    first = Policy(INPUTS, (32,)).log_probabilities(
        torch.from_numpy(INPUTS.pack(tables.observation)), torch.from_numpy(tables.mask)
    )
    torch.testing.assert_close(first.exp()[0], chance, atol=0.05, rtol=0)


def test_illegal_actions_have_no_chance_and_no_part_in_the_entropy() -> None:
    tables = positions()
    mask = torch.from_numpy(tables.mask)
    log_probabilities = policy().log_probabilities(torch.from_numpy(INPUTS.pack(tables.observation)), mask)
    chances = log_probabilities.exp()
    assert not chances[mask == 0].any()
    entropy = -(chances * log_probabilities).sum(-1)
    assert torch.isfinite(entropy).all()
    forced = mask.sum(-1) == 1
    assert forced.any()
    assert entropy[forced].abs().max() < 1e-6


def test_a_central_critic_takes_the_hidden_cards_too() -> None:
    places = torch.zeros(3, len(INPUTS) + HIDDEN_SIZE, dtype=torch.int8)
    assert Critic(INPUTS, (8,))(places).shape == (3,)
    assert Critic(INPUTS, (8,), central=False)(places[:, : len(INPUTS)]).shape == (3,)


def test_a_field_that_is_none_can_not_be_dropped() -> None:
    with pytest.raises(OptionError, match="no field of the observation is called 'hnad'"):
        Inputs(["hnad"])

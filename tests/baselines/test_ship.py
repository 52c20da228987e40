"""Shipping: a policy becomes the package's, halved and checked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

from baselines.common.networks import Inputs, Policy, save_policy
from baselines.ship import main, ship
from five_hundred_env import Tables
from five_hundred_env.agents import load_network
from five_hundred_env.agents.network import SafetensorsNetwork
from five_hundred_env.errors import CheckpointError


def test_a_shipped_policy_is_the_policy(tmp_path: Path) -> None:
    torch.manual_seed(3)
    made = Policy(Inputs(["rule_*"], turned=True), (32, 16), modest=False)
    torch.nn.init.normal_(made.head.weight)
    save_policy(made, tmp_path / "p.safetensors", {"algorithm": "ppo", "options": "{}"})
    files = ship([tmp_path / "p.safetensors"], tmp_path / "into" / "learned.safetensors")
    assert [path.name for path in files] == ["learned.safetensors", "learned.onnx"]
    assert files[0].stat().st_size < 0.6 * (tmp_path / "p.safetensors").stat().st_size
    tables = Tables(200, seed=2)
    keys = np.zeros(tables.n, np.uint64)
    before = load_network(tmp_path / "p.safetensors").act(tables.observation, tables.mask, keys)
    for path in files:
        assert (load_network(path).act(tables.observation, tables.mask, keys) == before).mean() > 0.97


def test_several_policies_are_averaged(tmp_path: Path) -> None:
    """Weights of 1, 2 and 6 have a mean of 3; the file says of what it is the mean."""
    paths = [tmp_path / f"{n}.safetensors" for n in (1, 2, 6)]
    for n, path in zip((1, 2, 6), paths, strict=True):
        policy = Policy(Inputs(), (8,), modest=False)
        for weight in policy.parameters():
            torch.nn.init.constant_(weight, n)
        save_policy(policy, path, {"algorithm": "ppo", "iteration": str(n)})
    files = ship(paths, tmp_path / "mean.safetensors")
    network = SafetensorsNetwork(files[0])
    assert (network.weights[1] == 3).all()
    assert all((bias == 3).all() for bias in network.biases)
    with safe_open(files[0], framework="numpy") as file:
        told = json.loads(file.metadata()["mean_of"])
    assert [entry["iteration"] for entry in told] == ["1", "2", "6"]


def test_policies_of_two_kinds_have_no_mean(tmp_path: Path) -> None:
    save_policy(Policy(Inputs(), (8,)), tmp_path / "a.safetensors")
    save_policy(Policy(Inputs(), (16,)), tmp_path / "b.safetensors")
    with pytest.raises(CheckpointError, match=r"b\.safetensors: has layers"):
        ship([tmp_path / "a.safetensors", tmp_path / "b.safetensors"], tmp_path / "mean.safetensors")
    assert not (tmp_path / "mean.safetensors").exists()


def test_what_is_too_large_is_not_shipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A layer of 1,000 over 1,096 places takes 2.2 MB at two bytes each."""
    save_policy(Policy(Inputs(), (1000,)), tmp_path / "p.safetensors")
    with pytest.raises(CheckpointError, match="bytes are more than 2000000"):
        ship([tmp_path / "p.safetensors"], tmp_path / "learned.safetensors")
    assert main([]) == 2
    assert "POLICY.safetensors" in capsys.readouterr().err

"""Shipping: a policy becomes the package's, halved and checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from baselines.common.networks import Inputs, Policy, save_policy
from baselines.ship import main, ship
from five_hundred_env import Tables
from five_hundred_env.agents import load_network
from five_hundred_env.errors import CheckpointError


def test_a_shipped_policy_is_the_policy(tmp_path: Path) -> None:
    torch.manual_seed(3)
    made = Policy(Inputs(["rule_*"], turned=True), (32, 16), modest=False)
    torch.nn.init.normal_(made.head.weight)
    save_policy(made, tmp_path / "p.safetensors", {"algorithm": "ppo", "options": "{}"})
    files = ship(tmp_path / "p.safetensors", tmp_path / "into" / "learned.safetensors")
    assert [path.name for path in files] == ["learned.safetensors", "learned.onnx"]
    assert files[0].stat().st_size < 0.6 * (tmp_path / "p.safetensors").stat().st_size
    tables = Tables(200, seed=2)
    keys = np.zeros(tables.n, np.uint64)
    before = load_network(tmp_path / "p.safetensors").act(tables.observation, tables.mask, keys)
    for path in files:
        assert (load_network(path).act(tables.observation, tables.mask, keys) == before).mean() > 0.97


def test_what_is_too_large_is_not_shipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A layer of 1,000 over 1,096 places takes 2.2 MB at two bytes each."""
    save_policy(Policy(Inputs(), (1000,)), tmp_path / "p.safetensors")
    with pytest.raises(CheckpointError, match="bytes are more than 2000000"):
        ship(tmp_path / "p.safetensors", tmp_path / "learned.safetensors")
    assert main([]) == 2
    assert "POLICY.safetensors" in capsys.readouterr().err

"""Ship: write the policy of a run, or the mean of several, as the agent `learned` of the package, in both forms.

::

    python -m baselines.ship runs/learned/policy.safetensors
    python -m baselines.ship runs/learned/policy.safetensors runs/learned_defence/policy.safetensors

Policies that began as the same one and learned on in different ways can be averaged, weight by weight: the mean keeps
much of what each has learned.

Source: Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without
increasing inference time", 2022.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from rich.console import Console
from safetensors import safe_open

from baselines.common.networks import Inputs, Policy, load_policy, save_onnx, save_policy
from five_hundred_env.agents.learned import WEIGHTS
from five_hundred_env.agents.network import SafetensorsNetwork
from five_hundred_env.errors import CheckpointError, FiveHundredError, OptionError

LARGEST = 2_000_000
"""Bytes that a shipped file may have."""


def ship(paths: Sequence[Path], into: Path = WEIGHTS) -> list[Path]:
    """Write the mean of policies with weights of half the size; return the files.

    Args:
        paths: Policy files of one kind: the same layers, suits shown alike.
        into: The safetensors file to write; the ONNX file is written beside it.

    Raises:
        CheckpointError: A file is no policy, or of another kind than the first one, or the result is too large.
    """
    network = SafetensorsNetwork(paths[0])
    layers = tuple(weight.shape[1] for weight in network.weights[:-1])
    # A policy file has columns of zeros for what its network does not look at: all inputs are as good.
    policy = Policy(Inputs(turned=network.turned), layers, network.activation, modest=False)
    states = []
    for path in paths:
        load_policy(policy, path)
        states.append({name: weight.clone() for name, weight in policy.state_dict().items()})
    policy.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    into.parent.mkdir(parents=True, exist_ok=True)
    files, notes = [into, into.with_suffix(".onnx")], _notes(paths)
    save_policy(policy, files[0], notes, half=True)
    save_onnx(policy, files[1], notes, half=True)
    for file_path in files:
        if file_path.stat().st_size > LARGEST:
            raise CheckpointError(f"{file_path}: {file_path.stat().st_size} bytes are more than {LARGEST}")
    return files


def _notes(paths: Sequence[Path]) -> dict[str, str]:
    """Return what policy files say of their making; of several, each as an entry of a list."""
    told = []
    for path in paths:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata()
        told.append({name: metadata[name] for name in ("algorithm", "iteration", "options") if name in metadata})
    return told[0] if len(told) == 1 else {"algorithm": "mean", "mean_of": json.dumps(told)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files; return the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if not words:
            raise OptionError("python -m baselines.ship POLICY.safetensors [POLICY.safetensors ...]")
        for path in ship([Path(word) for word in words]):
            Console().print(f"{path}: {path.stat().st_size} bytes", highlight=False, soft_wrap=True)
    except FiveHundredError as error:
        Console(stderr=True).print(f"error: {error}", style="red", highlight=False, markup=False, soft_wrap=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

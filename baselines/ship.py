"""Ship: write the policy of a run as the agent `learned` of the package, in both forms.

::

    python -m baselines.ship runs/learned/policy.safetensors
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from safetensors import safe_open

from baselines.common.networks import Inputs, Policy, load_policy, save_onnx, save_policy
from five_hundred_env.agents.learned import WEIGHTS
from five_hundred_env.agents.network import SafetensorsNetwork
from five_hundred_env.errors import CheckpointError, FiveHundredError, OptionError

LARGEST = 2_000_000
"""Bytes that a shipped file may have."""


def ship(path: Path, into: Path = WEIGHTS) -> list[Path]:
    """Write a policy with weights of half the size; return the files.

    Raises:
        CheckpointError: The file is no policy, or too large even so.
    """
    network = SafetensorsNetwork(path)
    layers = tuple(weight.shape[1] for weight in network.weights[:-1])
    # A policy file has columns of zeros for what its network does not look at: all inputs are as good.
    policy = Policy(Inputs(turned=network.turned), layers, network.activation, modest=False)
    load_policy(policy, path)
    with safe_open(path, framework="numpy") as file:
        told = file.metadata()
    notes = {name: told[name] for name in ("algorithm", "iteration", "options") if name in told}
    into.parent.mkdir(parents=True, exist_ok=True)
    files = [into, into.with_suffix(".onnx")]
    save_policy(policy, files[0], notes, half=True)
    save_onnx(policy, files[1], notes, half=True)
    for file_path in files:
        if file_path.stat().st_size > LARGEST:
            raise CheckpointError(f"{file_path}: {file_path.stat().st_size} bytes are more than {LARGEST}")
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files; return the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if len(words) != 1:
            raise OptionError("python -m baselines.ship POLICY.safetensors")
        for path in ship(Path(words[0])):
            Console().print(f"{path}: {path.stat().st_size} bytes", highlight=False, soft_wrap=True)
    except FiveHundredError as error:
        Console(stderr=True).print(f"error: {error}", style="red", highlight=False, markup=False, soft_wrap=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

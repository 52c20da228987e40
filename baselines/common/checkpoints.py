"""Checkpoints of a training run: tensors and text in one safetensors file, nothing that could be executed.

A checkpoint holds whatever the next step depends on, so that a run which was killed goes on bit for bit: weights, the
optimiser's moments, the states of the random generators, the tables in mid-deal, counters and options.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn, optim

from baselines.common.options import options_from_json
from five_hundred_env.core.constants import VERSION
from five_hundred_env.errors import CheckpointError, OptionError

FORMAT = "five_hundred_env.training"
FORMAT_VERSION = 1


class Checkpoint(NamedTuple):
    """What a file holds."""

    tensors: dict[str, Tensor]
    options: str  # JSON, as `options_to_json` writes it
    counters: dict[str, Any]


def save_checkpoint(path: Path, algorithm: str, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        path: Where to.
        algorithm: Who writes; another algorithm will not read it.
        checkpoint: The contents.
    """
    metadata = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "environment_version": str(VERSION),
        "algorithm": algorithm,
        "options": checkpoint.options,
        "counters": json.dumps(checkpoint.counters, sort_keys=True),
    }
    partial = path.with_suffix(".partial")
    save_file({name: tensor.contiguous() for name, tensor in checkpoint.tensors.items()}, partial, metadata)
    partial.replace(path)


def load_checkpoint(path: Path, algorithm: str) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        CheckpointError: The file is absent, cut short, no checkpoint, or of another version or algorithm.
    """
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no such file")
    try:
        with safe_open(path, framework="pt") as file:
            metadata: dict[str, str] = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError, ValueError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: cut short, or no safetensors file: {error}") from error
    expected = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "environment_version": str(VERSION),
        "algorithm": algorithm,
    }
    for key, value in expected.items():
        if metadata.get(key) != value:
            raise CheckpointError(
                f"{path}: its metadata say {key} {metadata.get(key)!r}; only {value!r} can be continued here"
            )
    try:
        return Checkpoint(tensors, metadata["options"], json.loads(metadata["counters"]))
    except (KeyError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path}: its metadata are damaged: {error}") from error


def check_same_options(options: Any, path: Path, algorithm: str, free: Sequence[str]) -> None:
    """Check that a run that is to be continued has the options that are asked for.

    Args:
        options: What is asked for, a dataclass.
        path: The checkpoint of the run.
        algorithm: Who continues it.
        free: Fields that may differ.

    Raises:
        OptionError: It has others; the message names the first.
        CheckpointError: The checkpoint can not be read.
    """
    found = options_from_json(type(options), load_checkpoint(path, algorithm).options, str(path))
    for entry in dataclasses.fields(options):
        was, wanted = getattr(found, entry.name), getattr(options, entry.name)
        if entry.name not in free and was != wanted:
            raise OptionError(
                f"{path} belongs to a run with {entry.name} {was!r}, not {wanted!r}; "
                "go on with --resume, choose another --run-dir, or remove the old one"
            )


def module_tensors(prefix: str, module: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a module under `prefix.`."""
    return {f"{prefix}.{name}": tensor.detach().cpu() for name, tensor in module.state_dict().items()}


def load_module(path: Path, prefix: str, module: nn.Module, tensors: dict[str, Tensor]) -> None:
    """Put weights that `module_tensors` took back into a module.

    Raises:
        CheckpointError: They are others than the module's.
    """
    own = {name[len(prefix) + 1 :]: tensor for name, tensor in tensors.items() if name.startswith(prefix + ".")}
    try:
        module.load_state_dict(own)
    except RuntimeError as error:
        raise CheckpointError(f"{path}: {error}") from error


def optimizer_tensors(prefix: str, optimizer: optim.Optimizer) -> dict[str, Tensor]:
    """Return the moments and step counts of an optimiser under `prefix.<parameter>.`."""
    return {
        f"{prefix}.{index}.{name}": torch.as_tensor(value).cpu()
        for index, state in optimizer.state_dict()["state"].items()
        for name, value in state.items()
    }


def load_optimizer(path: Path, prefix: str, optimizer: optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Put back what `optimizer_tensors` took.

    Raises:
        CheckpointError: It is that of another optimiser.
    """
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith(prefix + "."):
            index, _, key = name[len(prefix) + 1 :].partition(".")
            state.setdefault(int(index), {})[key] = tensor
    try:
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    except (RuntimeError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path}: {error}") from error


def bytes_tensor(data: bytes) -> Tensor:
    """Return bytes as a tensor."""
    return torch.from_numpy(np.frombuffer(data, np.uint8).copy())


def tensor_bytes(tensor: Tensor) -> bytes:
    """Return the bytes that `bytes_tensor` wrapped."""
    return bytes(tensor.numpy().tobytes())

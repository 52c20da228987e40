"""Read trained networks: safetensors checkpoints computed here, ONNX files through onnxruntime. No torch.

A checkpoint is a multi-layer perceptron over the observation as it is, int8 taken as numbers:

    x = activation(body.<i>.weight @ x + body.<i>.bias)      for each layer i, weight [out, in] float32
    logits = policy.weight @ x + policy.bias                 [A]

Its metadata, all text: `format` (`five_hundred_env.policy`), `format_version`, `environment_version`,
`observation_size`, `n_actions`, `layers` (JSON, the width of each layer of the body), `activation` (`relu` or `tanh`),
`suits` (`printed`, or `turned`: trumps are shown as spades or hearts, see `agents.suits`; from version 2 on).
Other tensors, such as those of a value head, are left alone. Nothing in a file is ever executed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from five_hundred_env.agents.base import Actions, Keys, check_batch
from five_hundred_env.agents.suits import told_turns, turn_actions, turn_places
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.constants import N_ACTIONS, NOOP, VERSION
from five_hundred_env.core.observe import OBSERVATION_SIZE, Bytes
from five_hundred_env.errors import AgentError, CheckpointError, MissingExtraError

FORMAT = "five_hundred_env.policy"
FORMAT_VERSION = 2
READABLE_VERSIONS = (1, 2)
SUFFIXES = (".safetensors", ".onnx")
ACTIVATIONS = ("relu", "tanh")
SUITS_SHOWN = ("printed", "turned")

Floats = npt.NDArray[np.float32]

_BLOCK = 64
"""Decisions that an ONNX network sees at once: always as many, so that results do not depend on batching."""


def load_network(path: str | Path, greedy: bool = True) -> NetworkAgent:
    """Return the agent of a trained network.

    Args:
        path: A file `*.safetensors` or `*.onnx`.
        greedy: Take the most likely action; otherwise sample with the keys.

    Raises:
        CheckpointError: The file is absent, cut short, foreign, or made for another environment.
        MissingExtraError: The library that reads it is not installed.
    """
    path = Path(path)
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no such file")
    if path.suffix == ".onnx":
        return NetworkAgent(path.stem, OnnxNetwork(path), greedy)
    return NetworkAgent(path.stem, SafetensorsNetwork(path), greedy)


class NetworkAgent:
    """An agent that plays by the logits of a network.

    Attributes:
        name: Its name, by default that of the file.
        greedy: Whether it takes the most likely action rather than sampling.
    """

    def __init__(self, name: str, network: SafetensorsNetwork | OnnxNetwork, greedy: bool = True) -> None:
        self.name = name
        self.greedy = greedy
        self.network = network

    def __repr__(self) -> str:
        return f"<agent {self.name}, a network>"

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision; a row without a legal action gets `--`.

        Raises:
            OptionError: The arrays do not fit each other or this environment.
            AgentError: The network answers with a number that is none.
        """
        observation, mask = check_batch(observation, mask, len(keys))
        logits = self._logits(observation, mask)
        if not self.greedy:
            logits = logits + _gumbel(np.asarray(keys, np.uint64))
        actions: Actions = _allowed(logits, mask).argmax(axis=1).astype(np.int64)
        actions[~mask.any(axis=1)] = NOOP
        return actions

    def probabilities(self, observation: Bytes, mask: Bytes) -> Floats:
        """Return how likely the network takes each legal action when it samples, `[B, A]`; rows sum up to 1 or 0.

        Raises:
            OptionError: As `act`.
            AgentError: As `act`.
        """
        observation, mask = check_batch(observation, mask, len(observation))
        allowed = _allowed(self._logits(observation, mask).astype(np.float64), mask)
        some = mask.any(axis=1, keepdims=True)
        weights = np.exp(allowed - np.where(some, allowed.max(axis=1, keepdims=True), 0))
        return np.asarray(weights / np.where(some, weights.sum(axis=1, keepdims=True), 1))

    def _logits(self, observation: Bytes, mask: Bytes) -> Floats:
        """Return the logits of each decision.

        Raises:
            AgentError: The network answers with a number that is none.
        """
        logits = self.network.logits(observation, mask)
        if np.isnan(logits).any():
            row = int(np.isnan(logits).any(axis=1).argmax())
            raise AgentError(f"agent {self.name!r} answered decision {row} with logits that are not numbers")
        return logits


def _allowed(logits: Floats, mask: Bytes) -> Floats:
    """Return logits in range, minus infinity for what is not legal."""
    largest = np.finfo(np.float32).max
    return np.where(mask != 0, np.clip(logits, -largest, largest), -np.inf)


def _gumbel(keys: Keys) -> Floats:
    """Return `[B, A]` noise that turns an argmax over logits into a sample, a pure function of the keys.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (the mixing function).
    """
    steps = np.arange(1, N_ACTIONS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = keys[:, None] + steps[None, :]
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)
    uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) / 2**53
    noise: Floats = (-np.log(-np.log(uniform))).astype(np.float32)
    return noise


class SafetensorsNetwork:
    """A checkpoint of this project: a multi-layer perceptron."""

    def __init__(self, path: Path) -> None:
        """Read and check a file.

        Raises:
            CheckpointError: The file is cut short, foreign, or made for another environment.
        """
        metadata, tensors = _read_safetensors(path)
        _check_metadata(path, metadata)
        self.activation = metadata.get("activation", "")
        if self.activation not in ACTIVATIONS:
            raise CheckpointError(
                f"{path}: activation {self.activation!r} is unknown; known are {', '.join(ACTIVATIONS)}"
            )
        suits = metadata.get("suits", "printed")
        if suits not in SUITS_SHOWN:
            raise CheckpointError(f"{path}: suits {suits!r} is unknown; known are {', '.join(SUITS_SHOWN)}")
        self.turned = suits == "turned"
        widths = [OBSERVATION_SIZE, *_layers(path, metadata), N_ACTIONS]
        names = [*(f"body.{n}" for n in range(len(widths) - 2)), "policy"]
        self.weights: list[Floats] = []
        self.biases: list[Floats] = []
        for name, inputs, outputs in zip(names, widths, widths[1:], strict=False):
            # Kept [in, out]: the pass adds up the rows of inputs that are not 0.
            weight = _tensor(path, tensors, f"{name}.weight", (outputs, inputs))
            self.weights.append(np.ascontiguousarray(weight.T))
            self.biases.append(_tensor(path, tensors, f"{name}.bias", (outputs,)))

    def logits(self, observation: Bytes, _mask: Bytes) -> Floats:
        """Return `[B, A]` logits; each row depends on its own observation only, to the bit."""
        if self.turned:
            turns = told_turns(observation)
            observation = turn_places(observation, turns, np.arange(OBSERVATION_SIZE))
        x = observation.astype(np.float32)
        last = len(self.weights) - 1
        for n, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            out = np.empty((len(x), len(bias)), np.float32)
            add_layer(x, weight, bias, out)
            if n < last:
                out = np.maximum(out, np.float32(0)) if self.activation == "relu" else np.tanh(out)
            x = out
        if self.turned:
            x = turn_actions(x, turns)
        return x


@kernel
def add_layer(x: Floats, weight: Floats, bias: Floats, out: Floats) -> None:
    """Multiply and add one layer, in an order that does not depend on the batch.

    Args:
        x: `[B, I] float32`; observations and rectified layers are mostly 0, which costs nothing.
        weight: `[I, J] float32`.
        bias: `[J] float32`.
        out: `[B, J] float32` to be filled.
    """
    for row in range(x.shape[0]):
        for j in range(out.shape[1]):
            out[row, j] = bias[j]
        for i in range(x.shape[1]):
            value = x[row, i]
            if value != 0:
                for j in range(out.shape[1]):
                    out[row, j] += value * weight[i, j]


def _read_safetensors(path: Path) -> tuple[dict[str, str], dict[str, npt.NDArray[Any]]]:
    """Return metadata and tensors of a file.

    Raises:
        CheckpointError: It is cut short or no safetensors file.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            metadata: dict[str, str] = file.metadata() or {}
            return metadata, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise CheckpointError(f"{path}: cut short, or no safetensors file: {error}") from error


def _check_metadata(path: Path, metadata: dict[str, str]) -> None:
    """Check that a checkpoint is one of this project, version and environment.

    Raises:
        CheckpointError: It is not.
    """
    if metadata.get("format") != FORMAT:
        raise CheckpointError(
            f"{path}: no policy of this project: its metadata say format {metadata.get('format')!r}, not {FORMAT!r}"
        )
    for key, values in (
        ("format_version", READABLE_VERSIONS),
        ("environment_version", (VERSION,)),
        ("observation_size", (OBSERVATION_SIZE,)),
        ("n_actions", (N_ACTIONS,)),
    ):
        if metadata.get(key) not in {str(value) for value in values}:
            raise CheckpointError(
                f"{path}: made for {key} {metadata.get(key, 'unknown')}, this version of the package has {values[-1]}"
            )


def _layers(path: Path, metadata: dict[str, str]) -> list[int]:
    """Return the widths of the body's layers.

    Raises:
        CheckpointError: The metadata do not tell them.
    """
    try:
        layers = json.loads(metadata.get("layers", ""))
    except json.JSONDecodeError:
        layers = None
    if isinstance(layers, list) and all(type(width) is int and width > 0 for width in layers):
        return layers
    raise CheckpointError(
        f"{path}: metadata `layers` is {metadata.get('layers')!r}, not a JSON list of widths such as [256, 256]"
    )


def _tensor(path: Path, tensors: dict[str, npt.NDArray[Any]], name: str, shape: tuple[int, ...]) -> Floats:
    """Return a tensor of a checkpoint as float32.

    Raises:
        CheckpointError: It is absent, of another shape, or holds what is no number.
    """
    if name not in tensors:
        raise CheckpointError(f"{path}: has no tensor {name!r}; it has {', '.join(sorted(tensors)) or 'none'}")
    tensor = tensors[name]
    if tensor.shape != shape:
        raise CheckpointError(f"{path}: tensor {name!r} is {list(tensor.shape)}, not {list(shape)}")
    if not np.isfinite(tensor).all():
        raise CheckpointError(f"{path}: tensor {name!r} holds numbers that are not finite")
    return np.ascontiguousarray(tensor, np.float32)


_ONNX_TYPES: dict[str, type[np.generic]] = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(int8)": np.int8,
    "tensor(uint8)": np.uint8,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(bool)": np.bool_,
}
_ONNX_WIDTHS = {"observation": OBSERVATION_SIZE, "action_mask": N_ACTIONS}


class OnnxNetwork:
    """A network of any framework: inputs `observation` and `action_mask`, output `logits`."""

    def __init__(self, path: Path) -> None:
        """Open and check a file, and try it once.

        Raises:
            CheckpointError: It is no ONNX file that this runtime can run, or its shapes are others.
            MissingExtraError: onnxruntime is not installed.
        """
        self.path = path
        self._session = _open_onnx(path)
        self._block = _BLOCK
        self._types: dict[str, type[np.generic]] = {}
        for entry in self._session.get_inputs():
            self._types[entry.name] = self._check_input(entry)
        if "observation" not in self._types:
            raise CheckpointError(f"{path}: has no input `observation`; its inputs are {', '.join(self._types)}")
        outputs = [entry.name for entry in self._session.get_outputs()]
        if "logits" not in outputs:
            raise CheckpointError(f"{path}: has no output `logits`; its outputs are {', '.join(outputs)}")
        self._check_version()
        self._try()

    def _check_input(self, entry: Any) -> type[np.generic]:
        """Return the number type of an input; a fixed number of rows becomes the block.

        Raises:
            CheckpointError: The input has another name, shape or type.
        """
        if entry.name not in _ONNX_WIDTHS:
            raise CheckpointError(f"{self.path}: input {entry.name!r} is neither `observation` nor `action_mask`")
        width = _ONNX_WIDTHS[entry.name]
        shape = list(entry.shape)
        if len(shape) != 2 or (isinstance(shape[1], int) and shape[1] != width):
            raise CheckpointError(f"{self.path}: input `{entry.name}` is {shape}, not [B, {width}]")
        if entry.type not in _ONNX_TYPES:
            raise CheckpointError(f"{self.path}: input `{entry.name}` is a {entry.type}, not a tensor of numbers")
        if isinstance(shape[0], int):
            self._block = shape[0]
        return _ONNX_TYPES[entry.type]

    def _check_version(self) -> None:
        """Compare the environment version, where the file's metadata tell it.

        Raises:
            CheckpointError: It is another one.
        """
        metadata = self._session.get_modelmeta().custom_metadata_map
        version = metadata.get("environment_version", str(VERSION))
        if version != str(VERSION):
            raise CheckpointError(
                f"{self.path}: made for environment_version {version}, this version of the package has {VERSION}"
            )

    def _try(self) -> None:
        """Run the network once on an empty observation.

        Raises:
            CheckpointError: It fails, or its logits have another shape.
        """
        try:
            logits = self._run(np.zeros((1, OBSERVATION_SIZE), np.int8), np.ones((1, N_ACTIONS), np.int8))
        except Exception as error:
            raise CheckpointError(f"{self.path}: fails on its first observation: {error}") from error
        if logits.shape != (self._block, N_ACTIONS):
            raise CheckpointError(f"{self.path}: `logits` are {list(logits.shape)}, not [{self._block}, {N_ACTIONS}]")

    def _run(self, observation: Bytes, mask: Bytes) -> npt.NDArray[Any]:
        """Run one block, filled up with empty rows."""
        values = {"observation": observation, "action_mask": mask}
        feed = {}
        for name, kind in self._types.items():
            block = np.zeros((self._block, values[name].shape[1]), kind)
            block[: len(observation)] = values[name]
            feed[name] = block
        logits: npt.NDArray[Any] = self._session.run(["logits"], feed)[0]
        return logits

    def logits(self, observation: Bytes, mask: Bytes) -> Floats:
        """Return `[B, A]` logits.

        Raises:
            AgentError: The network fails.
        """
        out = np.empty((len(observation), N_ACTIONS), np.float32)
        for start in range(0, len(observation), self._block):
            rows = slice(start, min(start + self._block, len(observation)))
            try:
                out[rows] = self._run(observation[rows], mask[rows])[: rows.stop - rows.start]
            except Exception as error:
                raise AgentError(f"agent {self.path} failed: {error}") from error
        return out


def _open_onnx(path: Path) -> Any:
    """Open an ONNX file on one thread, so that its sums have one order.

    Raises:
        CheckpointError: The file can not be opened.
        MissingExtraError: onnxruntime is not installed.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError(
            f"{path}: playing an ONNX network takes onnxruntime; install five_hundred_env[arena]"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise CheckpointError(f"{path}: cut short, or no ONNX file that this runtime can run: {error}") from error

"""Networks over observations: a policy, a critic, and the two files a trained policy is played from."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from five_hundred_env.agents.network import FORMAT, FORMAT_VERSION, SafetensorsNetwork
from five_hundred_env.agents.suits import ACTION_ORDER, PLACE_ORDER, TOLD, told_turns, turn_places
from five_hundred_env.core.actions import bid_level
from five_hundred_env.core.constants import (
    AUCTION,
    CALLS,
    FIRST_BID,
    LAST_BID,
    MIS,
    N_ACTIONS,
    OMIS,
    PASS,
    SEATS,
    VERSION,
)
from five_hundred_env.core.observe import (
    AT_BID,
    AT_PHASE,
    CARD_PLACES,
    OBSERVATION_FIELDS,
    OBSERVATION_SIZE,
    Bytes,
    place_names,
)
from five_hundred_env.errors import CheckpointError, OptionError

HIDDEN_SIZE = SEATS * CARD_PLACES
"""Places of what a centralised critic sees beside the observation: hands of left, partner, right, then the kitty."""

ILLEGAL_LOGIT = -1e9
"""Finite, so that entropies and gradients of illegal actions are 0 and not NaN."""

_TYPICAL_PLACES = 100
"""Places of an observation that are not 0, about: the fan-in that the first layer is drawn for."""

_BASE = 128  # of the digits that large numbers are written in

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": torch.relu, "tanh": torch.tanh}


def autocast(precision: str, device: str) -> AbstractContextManager[Any]:
    """Return the context in which networks are computed with a precision, `float32` or `bfloat16`."""
    return torch.autocast(device, torch.bfloat16) if precision == "bfloat16" else nullcontext()


def observation_scale() -> npt.NDArray[np.float32]:
    """Return `[O] float32` factors that bring each place to about -1 … 1.

    Numbers of three digits are scaled as one number: totals and target by 500 points, the deal's number by 16.
    """
    scale = np.zeros(OBSERVATION_SIZE, np.float32)
    for entry in OBSERVATION_FIELDS:
        places = scale[entry.start : entry.stop]
        if entry.low == -_BASE // 2:
            unit = 16 if entry.name == "deal_number" else 50
            places.reshape(-1, 3)[:] = np.float32(_BASE) ** np.arange(3) / unit
        else:
            places[:] = 1 / max(entry.high, -entry.low, 1)
    return scale


class Inputs:
    """Which places of an observation a network looks at; the fewer, the faster.

    Attributes:
        places: `[I] int64` the places, rising.
        scale: `[I] float32` factors of theirs.
        turned: Whether trumps are shown as spades or hearts (`five_hundred_env.agents.suits`).
    """

    def __init__(self, drop: Sequence[str] = (), turned: bool = False) -> None:
        """Choose the places.

        Args:
            drop: Fields to leave out; `rule_*` stands for all that begin so. Places that are 0 for any position are
                left out in any case.
            turned: Show trumps as spades or hearts.

        Raises:
            OptionError: No field has such a name.
        """
        names = place_names()
        kept = np.array([not name.endswith("unused") and "padding" not in name for name in names])
        for pattern in drop:
            fields = [entry for entry in OBSERVATION_FIELDS if fnmatchcase(entry.name, pattern)]
            if not fields:
                known = ", ".join(entry.name for entry in OBSERVATION_FIELDS)
                raise OptionError(f"drop: no field of the observation is called {pattern!r}; fields are {known}")
            for entry in fields:
                kept[entry.start : entry.stop] = False
        self.turned = turned
        self.places = np.flatnonzero(kept)
        self.scale = torch.from_numpy(observation_scale()[self.places])
        breaks = np.flatnonzero(np.diff(self.places) > 1) + 1
        self._runs = [slice(int(run[0]), int(run[-1]) + 1) for run in np.split(self.places, breaks)]

    def __len__(self) -> int:
        return len(self.places)

    def turns(self, observation: Bytes) -> npt.NDArray[np.int64]:
        """Return `[B]` how each of `[B, O] int8` is turned; 0 where suits are shown as printed."""
        return told_turns(observation) if self.turned else np.zeros(len(observation), np.int64)

    def pack(self, observation: Bytes, turns: npt.NDArray[np.int64] | None = None) -> Bytes:
        """Return `[..., I] int8` of `[..., O] int8`, turned as told, or as `turns` says."""
        if not self.turned:
            return np.concatenate([observation[..., run] for run in self._runs], axis=-1)
        flat = observation.reshape(-1, OBSERVATION_SIZE)
        packed = turn_places(flat, self.turns(flat) if turns is None else turns, self.places)
        return packed.reshape(*observation.shape[:-1], len(self))


class Perceptron(nn.Module):
    """A multi-layer perceptron over int8 places: `body.<i>`, then `head`.

    The first layer's weights are multiplied by `scale`, so that Adam's steps mean the same at every place.
    """

    scale: Tensor

    def __init__(self, scale: Tensor, outputs: int, layers: tuple[int, ...], activation: str, gain: float) -> None:
        """Draw the weights.

        Args:
            scale: `[I]` factors of the inputs.
            outputs: Width of the head.
            layers: Widths of the body.
            activation: `relu` or `tanh`.
            gain: Of the head's weights; small for a policy that begins near its biases.
        """
        super().__init__()
        self.register_buffer("scale", scale, persistent=False)
        self.activation = activation
        widths = [len(scale), *layers]
        self.body = nn.ModuleList(nn.Linear(*ends) for ends in pairwise(widths))
        self.head = nn.Linear(widths[-1], outputs)
        for n, layer in enumerate([*self.body, self.head]):
            assert isinstance(layer, nn.Linear)
            nn.init.zeros_(layer.bias)
            if layer is self.head:
                nn.init.orthogonal_(layer.weight, gain)
            elif n == 0:
                nn.init.normal_(layer.weight, std=math.sqrt(2 / _TYPICAL_PLACES))
            else:
                nn.init.orthogonal_(layer.weight, math.sqrt(2))

    def first_layer(self) -> tuple[Tensor, Tensor]:
        """Return weight and bias of the first layer as they apply to places as they are."""
        layer = self.body[0] if len(self.body) else self.head
        assert isinstance(layer, nn.Linear)
        return layer.weight * self.scale, layer.bias

    def forward(self, places: Tensor) -> Tensor:
        """Compute `[B, outputs] float32` from `[B, I] int8`."""
        x = places.to(torch.get_autocast_dtype(places.device.type) if torch.is_autocast_enabled() else torch.float32)
        for n, layer in enumerate([*self.body, self.head]):
            x = functional.linear(x, *self.first_layer()) if n == 0 else layer(x)
            if n < len(self.body):
                x = _ACTIVATIONS[self.activation](x)
        return x.float()


def modest_logits() -> Tensor:
    """Return `[A]` logits of calls that ruin nobody: a pass two times in three, and the higher a bid, the rarer."""
    logits = torch.zeros(N_ACTIONS)
    for bid in range(FIRST_BID, LAST_BID + 1):
        logits[bid] = -1.5 * (bid_level(bid) - 6)
    logits[MIS] = logits[OMIS] = -3.0
    logits[PASS] = 2.6
    return logits


def modest_calls(mask: Tensor) -> Tensor:
    """Return the modest probabilities `[B, A]` of the legal calls."""
    return torch.where(mask != 0, modest_logits().to(mask.device), ILLEGAL_LOGIT).softmax(-1)


class Policy(Perceptron):
    """Logits of the actions from an observation."""

    def __init__(self, inputs: Inputs, layers: tuple[int, ...], activation: str = "relu", modest: bool = True) -> None:
        """Draw the weights.

        Args:
            inputs: What it looks at.
            layers: Widths of the body.
            activation: `relu` or `tanh`.
            modest: Begin with passes two times in three, and bids of which the low ones are the likelier: random cards
                make a six now and then and a ten never, and who is ruined by every bid learns to bid nothing.
        """
        super().__init__(inputs.scale, N_ACTIONS, layers, activation, gain=0.01)
        self.inputs = inputs
        if modest:
            with torch.no_grad():
                self.head.bias.copy_(modest_logits())

    def log_probabilities(self, places: Tensor, mask: Tensor) -> Tensor:
        """Return `[B, A] float32` from `[B, I] int8` and `[B, A] int8`; illegal actions get about `ILLEGAL_LOGIT`."""
        logits = torch.where(mask != 0, self(places), ILLEGAL_LOGIT)
        return functional.log_softmax(logits, dim=-1)


class Critic(Perceptron):
    """The value of a position for the seat that observes it, hidden cards seen or not."""

    def __init__(self, inputs: Inputs, layers: tuple[int, ...], activation: str = "relu", central: bool = True) -> None:
        """Draw the weights.

        Args:
            inputs: What it looks at.
            layers: Widths of the body.
            activation: `relu` or `tanh`.
            central: Whether its input goes on with the `HIDDEN_SIZE` places of the hidden cards.
        """
        scale = inputs.scale
        if central:
            scale = torch.cat([scale, torch.ones(HIDDEN_SIZE)])
        super().__init__(scale, 1, layers, activation, gain=0.1)
        self.central = central

    def forward(self, places: Tensor) -> Tensor:
        """Compute `[B] float32` from `[B, I] int8`, or `[B, I + HIDDEN_SIZE]` when central."""
        return super().forward(places).squeeze(-1)


def policy_tensors(policy: Policy, half: bool = False) -> dict[str, Tensor]:
    """Return the weights under the names of a policy file, the scale of the inputs multiplied in.

    Args:
        policy: The policy.
        half: Round the weights to float16.
    """
    kind = torch.float16 if half else torch.float32
    tensors: dict[str, Tensor] = {}
    names = [*(f"body.{n}" for n in range(len(policy.body))), "policy"]
    for n, (name, layer) in enumerate(zip(names, [*policy.body, policy.head], strict=True)):
        assert isinstance(layer, nn.Linear)
        weight, bias = layer.weight, layer.bias
        if n == 0:
            scaled, _ = policy.first_layer()
            weight = torch.zeros(layer.out_features, OBSERVATION_SIZE)  # what is not looked at counts nothing
            weight[:, torch.from_numpy(policy.inputs.places)] = scaled.detach().float().cpu()
        tensors[f"{name}.weight"] = weight.detach().to("cpu", kind).contiguous().clone()
        tensors[f"{name}.bias"] = bias.detach().to("cpu", kind).contiguous().clone()
    return tensors


def policy_metadata(policy: Policy, notes: dict[str, str] | None = None) -> dict[str, str]:
    """Return what a policy file says about itself, plus notes of the run."""
    widths = [layer.out_features for layer in policy.body if isinstance(layer, nn.Linear)]
    return {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "environment_version": str(VERSION),
        "observation_size": str(OBSERVATION_SIZE),
        "n_actions": str(N_ACTIONS),
        "layers": json.dumps(widths),
        "activation": policy.activation,
        "suits": "turned" if policy.inputs.turned else "printed",
        **(notes or {}),
    }


def save_policy(policy: Policy, path: Path, notes: dict[str, str] | None = None, half: bool = False) -> None:
    """Write the safetensors file that `five_hundred_env.agents.load_agent` plays, whole or not at all.

    Args:
        policy: The policy.
        path: Where to.
        notes: What else the file says of itself.
        half: Round the weights to float16: half the size.
    """
    partial = path.with_suffix(".partial")
    save_file(policy_tensors(policy, half), partial, policy_metadata(policy, notes))
    partial.replace(path)


def load_policy(policy: Policy, path: Path) -> None:
    """Put the weights of a policy file into a policy.

    Raises:
        CheckpointError: The file can not be played here, has other layers, or looks at places that `policy` does not.
    """
    network = SafetensorsNetwork(path)
    if network.turned != policy.inputs.turned:
        shown = "turned" if network.turned else "as printed"
        raise CheckpointError(f"{path}: is shown suits {shown}, the policy is not; set `turned` alike")
    layers = [*policy.body, policy.head]
    shapes = [tuple(weight.shape) for weight in network.weights]
    own = [(layer.in_features, layer.out_features) for layer in layers if isinstance(layer, nn.Linear)]
    own[0] = (OBSERVATION_SIZE, own[0][1])
    if shapes != own or network.activation != policy.activation:
        raise CheckpointError(
            f"{path}: has layers {shapes} and {network.activation}, not {own} and {policy.activation}"
        )
    unseen = np.setdiff1d(np.arange(OBSERVATION_SIZE), policy.inputs.places)
    if network.weights[0][unseen].any():
        raise CheckpointError(f"{path}: looks at places of the observation that `drop` leaves out")
    with torch.no_grad():
        for n, (layer, weight, bias) in enumerate(zip(layers, network.weights, network.biases, strict=True)):
            assert isinstance(layer, nn.Linear)
            kept = weight[policy.inputs.places] / policy.scale.cpu().numpy()[:, None] if n == 0 else weight
            layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(kept.T)))
            layer.bias.copy_(torch.from_numpy(bias))


def save_onnx(policy: Policy, path: Path, notes: dict[str, str] | None = None, half: bool = False) -> None:
    """Write the policy as ONNX: `observation [B, O] int8` and `action_mask [B, A] int8` to `logits [B, A] float32`.

    The graph is put together by hand: a few products and sums need no tracer, and any runtime reads them.

    Args:
        policy: The policy.
        path: Where to; written whole or not at all.
        notes: What else the file says of itself.
        half: Round the weights to float16: half the size; they are computed with as float32.
    """
    tensors = policy_tensors(policy, half)
    constants = [numpy_helper.from_array(tensor.numpy(), name) for name, tensor in tensors.items()]
    constants.append(numpy_helper.from_array(np.array(ILLEGAL_LOGIT, np.float32), "illegal"))
    nodes = [helper.make_node("Cast", ["observation"], ["numbers"], to=TensorProto.FLOAT)]
    nodes += [helper.make_node("Cast", [name], [f"{name}.float"], to=TensorProto.FLOAT) for name in tensors]
    x = "numbers"
    if policy.inputs.turned:
        x = _onnx_turn(nodes, constants)
    layers = [*(f"body.{n}" for n in range(len(policy.body))), "policy"]
    for n, name in enumerate(layers):
        nodes.append(
            helper.make_node("Gemm", [x, f"{name}.weight.float", f"{name}.bias.float"], [f"sum.{n}"], transB=1)
        )
        x = f"sum.{n}"
        if n < len(layers) - 1:
            nodes.append(helper.make_node(policy.activation.capitalize(), [x], [f"active.{n}"]))
            x = f"active.{n}"
    if policy.inputs.turned:
        nodes.append(helper.make_node("GatherElements", [x, "actions"], ["back"], axis=1))
        x = "back"
    nodes.append(helper.make_node("Cast", ["action_mask"], ["legal"], to=TensorProto.BOOL))
    nodes.append(helper.make_node("Where", ["legal", x, "illegal"], ["logits"]))
    _write_onnx(nodes, constants, policy_metadata(policy, notes), path)


def _onnx_turn(nodes: list[onnx.NodeProto], constants: list[onnx.TensorProto]) -> str:
    """Add what turns the observation, and `actions`, the order of the logits; return the turned observation's name."""
    told = np.zeros((OBSERVATION_SIZE, 1), np.float32)
    told[AT_BID : AT_BID + CALLS, 0] = TOLD
    auction = np.zeros((OBSERVATION_SIZE, 1), np.float32)
    auction[AT_PHASE + AUCTION, 0] = 1
    for name, values in (
        ("told", told),
        ("auction", auction),
        ("one", np.ones(1, np.float32)),
        ("last", np.array([1])),
        ("place_order", PLACE_ORDER),
        ("action_order", ACTION_ORDER),
    ):
        constants.append(numpy_helper.from_array(values, name))
    for kind, inputs, output, options in (
        ("MatMul", ["numbers", "told"], "by_contract", {}),
        ("MatMul", ["numbers", "auction"], "in_auction", {}),
        ("Sub", ["one", "in_auction"], "after_auction", {}),
        ("Mul", ["by_contract", "after_auction"], "turn", {}),
        ("Squeeze", ["turn", "last"], "turn_number", {}),
        ("Cast", ["turn_number"], "turns", {"to": TensorProto.INT64}),
        ("Gather", ["place_order", "turns"], "places", {"axis": 0}),
        ("Gather", ["action_order", "turns"], "actions", {"axis": 0}),
        ("GatherElements", ["numbers", "places"], "turned", {"axis": 1}),
    ):
        nodes.append(helper.make_node(kind, inputs, [output], **options))
    return "turned"


def _write_onnx(
    nodes: list[onnx.NodeProto], constants: list[onnx.TensorProto], metadata: dict[str, str], path: Path
) -> None:
    """Check a graph and write it, whole or not at all."""
    graph = helper.make_graph(
        nodes,
        "policy",
        [
            helper.make_tensor_value_info("observation", TensorProto.INT8, ["B", OBSERVATION_SIZE]),
            helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["B", N_ACTIONS]),
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["B", N_ACTIONS])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model, full_check=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(model.SerializeToString())
    partial.replace(path)

"""Trained networks from files: what they compute, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.agents import load_agent, load_network
from five_hundred_env.core.constants import N_ACTIONS, NOOP, VERSION
from five_hundred_env.core.observe import AT_HAND, OBSERVATION_SIZE
from five_hundred_env.errors import AgentError, CheckpointError, MissingExtraError

safetensors = pytest.importorskip("safetensors.numpy")

Arrays = dict[str, np.ndarray[Any, np.dtype[np.float32]]]


def metadata(**changes: str) -> dict[str, str]:
    return {
        "format": "five_hundred_env.policy",
        "format_version": "1",
        "environment_version": str(VERSION),
        "observation_size": str(OBSERVATION_SIZE),
        "n_actions": str(N_ACTIONS),
        "layers": "[3, 2]",
        "activation": "relu",
        **changes,
    }


def tensors(seed: int = 0, **changes: Any) -> Arrays:
    """Return a network of layers 3 and 2 with random weights, and a value head that the reader leaves alone."""
    generator = np.random.default_rng(seed)
    shapes = {
        "body.0.weight": (3, OBSERVATION_SIZE),
        "body.0.bias": (3,),
        "body.1.weight": (2, 3),
        "body.1.bias": (2,),
        "policy.weight": (N_ACTIONS, 2),
        "policy.bias": (N_ACTIONS,),
        "value.weight": (1, 2),
    }
    made = {name: generator.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    return {name: tensor for name, tensor in {**made, **changes}.items() if tensor is not None}


def save(path: Path, arrays: Arrays | None = None, **changes: str) -> Path:
    safetensors.save_file(arrays or tensors(), path, metadata=metadata(**changes))
    return path


def seen(count: int = 1) -> tuple[Any, Any, Any]:
    games = [Game(seed=seed) for seed in range(count)]
    views = [game.observe(game.seat or 0) for game in games]
    return (
        np.stack([view["observation"] for view in views]),
        np.stack([view["action_mask"] for view in views]),
        np.random.default_rng(1).integers(0, 2**64, count, np.uint64),
    )


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_pass_is_that_of_matrices(tmp_path: Path, activation: str) -> None:
    arrays = tensors()
    agent = load_network(save(tmp_path / "policy.safetensors", arrays, activation=activation))
    observation, mask, keys = seen(20)
    squash = (lambda x: np.maximum(x, 0)) if activation == "relu" else np.tanh
    x = observation.astype(np.float64)
    for layer in ("body.0", "body.1"):
        x = squash(x @ arrays[f"{layer}.weight"].T + arrays[f"{layer}.bias"])
    logits = x @ arrays["policy.weight"].T + arrays["policy.bias"]
    assert np.allclose(agent.network.logits(observation, mask), logits, atol=1e-4)
    best = np.where(mask != 0, logits, -np.inf).argmax(axis=1)
    assert agent.act(observation, mask, keys).tolist() == best.tolist()
    assert agent.name == "policy"


def test_a_checkpoint_is_found_by_its_name(tmp_path: Path) -> None:
    observation, mask, keys = seen(3)
    path = save(tmp_path / "policy.safetensors")
    assert load_agent(str(path)).act(observation, mask, keys).tolist() == (
        load_network(path).act(observation, mask, keys).tolist()
    )


def test_results_do_not_depend_on_batching(tmp_path: Path) -> None:
    network = load_network(save(tmp_path / "policy.safetensors")).network
    observation, mask, _ = seen(50)
    together = network.logits(observation, mask)
    single = np.concatenate([network.logits(observation[n : n + 1], mask[n : n + 1]) for n in range(50)])
    assert together.tobytes() == single.tobytes()


def test_a_network_without_a_body_reads_the_observation(tmp_path: Path) -> None:
    """Weight 1 from the place of AS in the hand to 6S: bid by who holds it, else PASS by its bias of 0.5."""
    weight = np.zeros((N_ACTIONS, OBSERVATION_SIZE), np.float32)
    bias = np.zeros(N_ACTIONS, np.float32)
    weight[1, AT_HAND + 10] = 1
    bias[0] = 0.5
    path = save(tmp_path / "linear.safetensors", {"policy.weight": weight, "policy.bias": bias}, layers="[]")
    observation, mask, keys = seen(30)
    holds = observation[:, AT_HAND + 10]
    assert 0 < holds.sum() < 30
    assert load_network(path).act(observation, mask, keys).tolist() == holds.tolist()


def test_sampling_follows_the_softmax_and_the_keys(tmp_path: Path) -> None:
    """Logits ln 3 for PASS and 0 for 6S, the others -50: passes are three of four; 8,000 draws scatter by 39."""
    bias = np.full(N_ACTIONS, -50, np.float32)
    bias[0], bias[1] = np.log(3), 0
    weight = np.zeros((N_ACTIONS, OBSERVATION_SIZE), np.float32)
    path = save(tmp_path / "coin.safetensors", {"policy.weight": weight, "policy.bias": bias}, layers="[]")
    agent = load_network(path, greedy=False)
    observation, mask, _ = seen(1)
    count = 8000
    keys = np.random.default_rng(2).integers(0, 2**64, count, np.uint64)
    many = np.repeat(observation, count, 0), np.repeat(mask, count, 0)
    actions = agent.act(*many, keys)
    assert set(actions.tolist()) == {0, 1}
    assert abs((actions == 0).sum() - 6000) < 200
    assert agent.act(*many, keys).tolist() == actions.tolist()
    assert agent.act(observation, mask, keys[7:8])[0] == actions[7]


def test_probabilities_are_the_softmax_over_what_is_legal(tmp_path: Path) -> None:
    """The logits anew: their exponentials over the legal actions, divided by the sum; an idle row has none."""
    agent = load_network(save(tmp_path / "policy.safetensors"))
    observation, mask, _ = seen(3)
    mask[2] = 0
    chances = agent.probabilities(observation, mask)
    logits = agent.network.logits(observation, mask).astype(np.float64)
    for n in range(2):
        weights = np.exp(logits[n] - logits[n].max()) * mask[n]
        assert chances[n] == pytest.approx(weights / weights.sum())
    assert chances[2].sum() == 0


def test_an_idle_row_gets_the_idle_action(tmp_path: Path) -> None:
    agent = load_network(save(tmp_path / "policy.safetensors"))
    observation, mask, keys = seen(1)
    assert agent.act(observation, np.zeros_like(mask), keys).tolist() == [NOOP]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", "somebody.else", "no policy of this project"),
        ("format_version", "3", "made for format_version 3, this version of the package has 2"),
        ("suits", "upside-down", "suits 'upside-down' is unknown; known are printed, turned"),
        ("environment_version", "99", "made for environment_version 99"),
        ("observation_size", "1", "made for observation_size 1"),
        ("n_actions", "52", "made for n_actions 52"),
        ("layers", "many", "not a JSON list of widths"),
        ("layers", "[3, 0]", "not a JSON list of widths"),
        ("layers", "[3, 4]", r"'body.1.weight' is \[2, 3\], not \[4, 3\]"),
        ("layers", "[3, 2, 2]", "has no tensor 'body.2.weight'"),
        ("activation", "gelu", "activation 'gelu' is unknown"),
    ],
)
def test_another_version_or_shape_is_refused(tmp_path: Path, key: str, value: str, message: str) -> None:
    path = save(tmp_path / "policy.safetensors", **{key: value})
    with pytest.raises(CheckpointError, match=message) as caught:
        load_agent(path)
    assert str(path) in str(caught.value)


def test_weights_that_are_not_numbers_are_refused(tmp_path: Path) -> None:
    bias = np.full(N_ACTIONS, np.nan, np.float32)
    path = save(tmp_path / "policy.safetensors", tensors(**{"policy.bias": bias}))
    with pytest.raises(CheckpointError, match=r"'policy\.bias' holds numbers that are not finite"):
        load_agent(path)


@pytest.mark.parametrize("kept", [0, 4, 200, -1])
def test_a_file_cut_short_is_refused(tmp_path: Path, kept: int) -> None:
    path = save(tmp_path / "policy.safetensors")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(CheckpointError, match="cut short, or no safetensors file"):
        load_agent(path)


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.safetensors"
    path.write_text("Dear reader, these are no weights. " * 20)
    with pytest.raises(CheckpointError, match="no safetensors file"):
        load_agent(path)
    safetensors.save_file({"policy.weight": np.zeros((2, 2), np.float32)}, path)
    with pytest.raises(CheckpointError, match="no policy of this project"):
        load_agent(path)


@pytest.mark.parametrize(("library", "suffix"), [("onnxruntime", "onnx")])
def test_a_missing_library_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, suffix: str
) -> None:
    path = tmp_path / f"policy.{suffix}"
    path.write_bytes(b"weights")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"{library}; install five_hundred_env\[arena\]"):
        load_agent(path)


# --- ONNX -------------------------------------------------------------------------------------------------


def save_onnx(
    path: Path,
    *,
    width: int = OBSERVATION_SIZE,
    rows: str | int = "batch",
    actions: int = N_ACTIONS,
    names: tuple[str, str, str] = ("observation", "action_mask", "logits"),
    version: str | None = None,
    opset: int = 17,
    nan: bool = False,
) -> Path:
    """Write a linear network `observation @ W` with the weights of `linear_weights`; the mask goes in unused."""
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    observation, mask, logits = names
    weight = helper.make_tensor("W", kinds.FLOAT, [width, actions], linear_weights(width, actions, nan).ravel())
    nodes = [
        helper.make_node("Cast", [observation], ["x"], to=kinds.FLOAT),
        helper.make_node("MatMul", ["x", "W"], [logits]),
    ]
    graph = helper.make_graph(
        nodes,
        "policy",
        [
            helper.make_tensor_value_info(observation, kinds.INT8, [rows, width]),
            helper.make_tensor_value_info(mask, kinds.INT8, [rows, N_ACTIONS]),
        ],
        [helper.make_tensor_value_info(logits, kinds.FLOAT, [rows, actions])],
        [weight],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    if version is not None:
        helper.set_model_props(model, {"environment_version": version})
    path.write_bytes(model.SerializeToString())
    return path


def linear_weights(width: int = OBSERVATION_SIZE, actions: int = N_ACTIONS, nan: bool = False) -> Any:
    weights = np.random.default_rng(3).standard_normal((width, actions)).astype(np.float32)
    return np.full_like(weights, np.nan) if nan else weights


@pytest.fixture(autouse=True)
def _onnx_is_there(request: pytest.FixtureRequest) -> None:
    if "onnx" in request.node.name and "missing" not in request.node.name:
        pytest.importorskip("onnxruntime")


@pytest.mark.parametrize("rows", ["batch", 1, 5])
def test_an_onnx_network_plays_by_its_logits(tmp_path: Path, rows: str | int) -> None:
    """With a free number of rows as well as with one that is fixed in the file."""
    agent = load_agent(save_onnx(tmp_path / "policy.onnx", rows=rows, version=str(VERSION)))
    observation, mask, keys = seen(70)
    logits = observation.astype(np.float64) @ linear_weights()
    best = np.where(mask != 0, logits, -np.inf).argmax(axis=1)
    assert agent.act(observation, mask, keys).tolist() == best.tolist()
    assert agent.act(observation[9:10], mask[9:10], keys[9:10]).tolist() == best[9:10].tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"width": 7}, rf"`observation` is \['batch', 7\], not \[B, {OBSERVATION_SIZE}\]"),
        ({"actions": 52}, r"`logits` are \[64, 52\], not \[64, 80\]"),
        ({"names": ("obs", "action_mask", "logits")}, "input 'obs' is neither"),
        ({"names": ("observation", "action_mask", "policy")}, "has no output `logits`; its outputs are policy"),
        ({"version": "99"}, "made for environment_version 99"),
        ({"opset": 999}, "no ONNX file that this runtime can run"),
    ],
)
def test_an_onnx_network_of_another_shape_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CheckpointError, match=message):
        load_agent(save_onnx(tmp_path / "policy.onnx", **changes))


def test_an_onnx_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = save_onnx(tmp_path / "policy.onnx")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match="cut short, or no ONNX file"):
        load_agent(path)


def test_an_onnx_network_that_answers_nan_is_reported(tmp_path: Path) -> None:
    agent = load_agent(save_onnx(tmp_path / "policy.onnx", nan=True))
    with pytest.raises(AgentError, match="'policy' answered decision 0 with logits that are not numbers"):
        agent.act(*seen(2))

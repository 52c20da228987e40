"""ONNX files in and out, and buffers shared by dlpack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from five_hundred_env import Tables  # noqa: E402
from five_hundred_env.agents import load_network  # noqa: E402
from tests.examples.test_examples import load  # noqa: E402
from tests.integrations.laws import check_beats_random  # noqa: E402


def test_a_policy_goes_out_as_onnx_and_comes_in_as_an_agent(tmp_path: Path) -> None:
    """The agent of the file does what the argmax of the network's own logits says; 100 rows, no multiple of a block."""
    pytest.importorskip("onnxscript")
    example = load("onnx_policy")
    policy = example["train"](steps=3, tables=64)
    path = tmp_path / "policy.onnx"
    example["export"](policy, path)
    tables = Tables(100, seed=5)
    with torch.no_grad():
        logits = policy(torch.from_numpy(tables.observation), torch.from_numpy(tables.mask)).numpy()
    answers = load_network(path).act(tables.observation, tables.mask, tables.seeds)
    assert np.array_equal(answers, logits.argmax(axis=1))
    assert tables.mask[np.arange(100), answers].all()


@pytest.mark.slow
def test_a_file_beats_random(tmp_path: Path) -> None:
    pytest.importorskip("onnxscript")
    example = load("onnx_policy")
    path = tmp_path / "policy.onnx"
    example["export"](example["train"](steps=150), path)
    check_beats_random(str(path))


def test_torch_sees_the_buffers_themselves() -> None:
    """A view shows what a step writes: the mask of the first mover, then that of the seat to its left."""
    tables = Tables(8, seed=5)
    views: dict[str, Any] = {
        name: torch.from_dlpack(getattr(tables, name)) for name in ("observation", "mask", "reward", "seat")
    }
    before = views["seat"].clone()
    tables.step(np.zeros(8, np.int64))  # everybody passes
    for name, view in views.items():
        buffer = getattr(tables, name)
        assert view.data_ptr() == buffer.ctypes.data
        assert np.array_equal(view.numpy(), buffer)
    assert torch.equal(views["seat"], (before + 1) % 4)


def test_jax_reads_the_buffers() -> None:
    jnp = pytest.importorskip("jax.numpy")
    tables = Tables(8, seed=5)
    assert np.array_equal(jnp.from_dlpack(tables.mask).sum(axis=1), tables.mask.sum(axis=1))


def test_the_example_of_dlpack_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """`random` bids wildly, so that whoever never bids is paid."""
    assert load("dlpack")["main"](n=16, steps=50) > 0
    assert "points a deal" in capsys.readouterr().out

"""An agent of what torch has learned, whichever library trained it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import Bytes

Forward = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Observations `[B, O] int8` and masks `[B, A] int8` to logits `[B, A]`."""

_BLOCK = 64
"""Decisions that a network sees at once: always as many, so that results do not depend on batching."""


class TorchNetwork:
    """Logits of a torch function, computed block by block."""

    def __init__(self, forward: Forward, device: str | torch.device = "cpu") -> None:
        self._forward = forward
        self._device = device

    def logits(self, observation: Bytes, mask: Bytes) -> npt.NDArray[np.float32]:
        """Return `[B, A]` logits."""
        out = np.empty((len(observation), N_ACTIONS), np.float32)
        for start in range(0, len(observation), _BLOCK):
            rows = slice(start, min(start + _BLOCK, len(observation)))
            filled = [self._block(observation[rows]), self._block(mask[rows])]
            with torch.no_grad():
                logits = self._forward(*filled)
            out[rows] = logits.float().cpu().numpy()[: rows.stop - rows.start]
        return out

    def _block(self, rows: Bytes) -> torch.Tensor:
        """Return rows as a tensor, filled up with empty ones."""
        block = np.zeros((_BLOCK, rows.shape[1]), np.int8)
        block[: len(rows)] = rows
        return torch.from_numpy(block).to(self._device)


def torch_agent(name: str, forward: Forward, greedy: bool = True, device: str | torch.device = "cpu") -> NetworkAgent:
    """Return an agent that plays by the logits of a torch function.

    Args:
        name: How reports call it.
        forward: What computes the logits. It should not change while the agent plays.
        greedy: Take the most likely action; otherwise sample with the keys.
        device: Where `forward` takes its arguments.
    """
    network: Any = TorchNetwork(forward, device)
    return NetworkAgent(name, network, greedy)

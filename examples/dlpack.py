"""Look at the buffers of `Tables` from PyTorch, and from JAX where it is installed, without copying them.

A step overwrites the buffers, so a view shows the new position as soon as it is there: nothing is moved between the
environment and the network. Copy what is to be kept. JAX takes its arrays for constant: hand it the buffers anew after
each step, inside a function that is done before the next one.
"""

import importlib.util

import numpy as np
import torch
from torch.utils.dlpack import from_dlpack

from five_hundred_env import Tables
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS


def main(n: int = 256, steps: int = 200, seed: int = 7) -> float:
    """Play with PyTorch on views of the buffers, show one to JAX, and print a figure of the arena."""
    tables = Tables(n, seed=seed)
    mask = from_dlpack(tables.mask)  # [B, A] int8, the same memory
    reward = from_dlpack(tables.reward)  # [B, S] float32
    assert mask.data_ptr() == tables.mask.ctypes.data
    total = torch.zeros(4)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        actions = (torch.rand(n, N_ACTIONS, generator=generator) * mask).argmax(dim=1)
        tables.step(np.from_dlpack(actions))  # back the same way
        total += reward.abs().sum(dim=0)  # the view shows this step's rewards
    print(f"random play moved {float(total.sum()) * 100 / 4:,.0f} points in {n * steps:,} decisions")
    if importlib.util.find_spec("jax") is not None:
        import jax.numpy as jnp

        print("legal actions a table, counted by JAX:", float(jnp.from_dlpack(tables.mask).sum() / n))
    points = play_match(FirstLegal(), "random", boards=100, seed=1).points_per_deal
    print(f"the first legal action, chosen by PyTorch, against random: {points:+.1f} points a deal")
    return points


class FirstLegal:
    """An agent whose arrays PyTorch sees without a copy: passes, then plays its first legal card."""

    name = "first_legal"

    def act(self, observation: object, mask: np.ndarray, keys: object) -> np.ndarray:
        """Choose for each row of a batch."""
        del observation, keys
        answer: np.ndarray = np.from_dlpack(from_dlpack(mask).argmax(dim=1))
        return answer


if __name__ == "__main__":
    main()

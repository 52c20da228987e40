"""`learned`: a trained network that is shipped with the package; `weights/README.md` tells how it was made."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from five_hundred_env.agents.network import NetworkAgent, SafetensorsNetwork
from five_hundred_env.errors import OptionError

WEIGHTS = Path(__file__).parent / "weights" / "learned.safetensors"


class Learned(NetworkAgent):
    """The agent `learned`.

    Attributes:
        name: `learned`, or `learned:greedy=0`.
        version: Raised whenever its decisions change.
        sources: Files that its decisions depend on beside the code.
    """

    version = 2
    sources = (WEIGHTS,)

    def __init__(self, greedy: int = 1) -> None:
        """Read the weights, once.

        Args:
            greedy: 1 for the likeliest action, 0 to draw one with the keys.

        Raises:
            OptionError: `greedy` is neither.
        """
        if greedy not in (0, 1):
            raise OptionError(f"learned takes greedy=0 or greedy=1, not {greedy!r}")
        super().__init__("learned" if greedy else "learned:greedy=0", _network(), bool(greedy))

    def __repr__(self) -> str:
        return f"<agent {self.name} version {self.version}>"


@cache
def _network() -> SafetensorsNetwork:
    """Return the network of the package."""
    return SafetensorsNetwork(WEIGHTS)

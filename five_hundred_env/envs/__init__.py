"""The environments of PettingZoo and Gymnasium; the only place of the package that knows those libraries.

`register_all` makes them known by name. The modules themselves are loaded when an environment is made.
"""

from __future__ import annotations

import gymnasium

from five_hundred_env.core.constants import VERSION

__all__ = ["PETTINGZOO_ID", "SEAT_ID", "register_all"]

SEAT_ID = "FiveHundred/Seat-v0"
PETTINGZOO_ID = f"five_hundred/five_hundred-v{VERSION}"


def register_all() -> None:
    """Register the environments with Gymnasium, and with PettingZoo where it has a registry (1.27 and later)."""
    if SEAT_ID not in gymnasium.registry:
        gymnasium.register(
            SEAT_ID,
            entry_point="five_hundred_env.envs.seat:SeatEnv",
            vector_entry_point="five_hundred_env.envs.vector:SeatVectorEnv",
        )
    try:
        from pettingzoo.env_registry import registration
    except ImportError:
        return
    for kind, registry, function in (
        ("aec", registration.aec_registry, "env"),
        ("parallel", registration.parallel_registry, "parallel_env"),
    ):
        if PETTINGZOO_ID not in registry:
            registration.register(kind, PETTINGZOO_ID, entry_point=f"five_hundred_env.five_hundred_v0:{function}")

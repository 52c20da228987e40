"""Five Hundred for PettingZoo, version 0: `env`, `raw_env` and `parallel_env`."""

from __future__ import annotations

from five_hundred_env.envs.aec import env, raw_env
from five_hundred_env.envs.parallel import parallel_env

__all__ = ["env", "parallel_env", "raw_env"]

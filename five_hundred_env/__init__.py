"""Five Hundred (500), Australia's trick-taking game, as a reinforcement-learning environment."""

from __future__ import annotations

from five_hundred_env import errors, five_hundred_v0
from five_hundred_env.core import actions
from five_hundred_env.core.rules import Rules
from five_hundred_env.envs import register_all
from five_hundred_env.game import Game
from five_hundred_env.tables import Tables

__all__ = ["Game", "Rules", "Tables", "__version__", "actions", "errors", "five_hundred_v0"]

__version__ = "0.1.0"

register_all()

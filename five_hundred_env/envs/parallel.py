"""Five Hundred as a PettingZoo parallel environment, turn by turn.

Each step asks all four seats; the seat to move chooses, an idle seat has one legal action, the no-op `--`, and whatever
it sends is ignored.

Rules: R2.1, R10.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import ParallelEnv

from five_hundred_env.core.constants import N_ACTIONS, NOOP
from five_hundred_env.envs.aec import AGENTS, SEAT_OF, CheckedFiveHundred, Observation
from five_hundred_env.envs.table import FRAMES_A_SECOND, RENDER_MODES, Array
from five_hundred_env.errors import IllegalActionError, OptionError, OrderError
from five_hundred_env.tables import AnyRules

Dicts = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


IDLE = np.zeros(N_ACTIONS, np.int8)
"""The mask of a seat that has nothing to choose."""
IDLE[NOOP] = 1


class ParallelFiveHundred(ParallelEnv, EzPickle):
    """The parallel environment (`five_hundred_v0.parallel_env`); arguments as the AEC form has them.

    Attributes:
        agents: All four names, none after the end.
        mover: The name of the seat to move, None after the end.
        state_space: Space of `state()`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "five_hundred_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": FRAMES_A_SECOND,
    }

    def __init__(
        self,
        rules: AnyRules = "australian",
        episode: str = "game",
        reward: str = "points",
        max_deals: int = 100,
        illegal: str = "raise",
        mask_in: str = "obs",
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, rules, episode, reward, max_deals, illegal, mask_in, render_mode)
        self._turns = CheckedFiveHundred(rules, episode, reward, max_deals, illegal, mask_in, render_mode)
        self.render_mode = render_mode
        self.mask_in = mask_in
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = self._turns.action_spaces
        self.observation_spaces = self._turns.observation_spaces
        self.state_space = self._turns.state_space

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a seat's observations, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a seat's actions, the same object at each call."""
        return self.action_spaces[agent]

    @property
    def mover(self) -> str | None:
        """The name of the seat to move, None before `reset` and after the end."""
        return self._turns.agent_selection if self.agents else None

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode; arguments and errors as in the AEC form.

        Returns:
            Observations and infos of all four seats.
        """
        self._turns.reset(seed, options)
        self.agents = list(AGENTS)
        return self._observations()

    def step(self, actions: Mapping[str, Any]) -> Dicts:
        """Do the action of the seat to move; those of the others are ignored.

        Args:
            actions: Actions by seat; only the mover's has to be there.

        Returns:
            Observations, rewards, terminations, truncations and infos of all four seats.

        Raises:
            IllegalActionError: The mover's action is missing or no integer, or with ``illegal="raise"`` the rules
                forbid it; nothing has changed.
            OptionError: `actions` is no mapping.
            OrderError: `reset` has not been called, or the episode is over.
        """
        if not self.agents:
            raise OrderError("step was called before reset or after the end; call reset() first")
        if not isinstance(actions, Mapping):
            raise OptionError(f"actions are a mapping from seats to actions, not {actions!r}")
        mover = self._turns.agent_selection
        if mover not in actions:
            raise IllegalActionError(f"{mover} is to move, but there is no action of it among {dict(actions)!r}")
        self._turns.step(actions[mover])
        terminations = dict(self._turns.terminations)
        truncations = dict(self._turns.truncations)
        observations, infos = self._observations()
        if terminations[mover] or truncations[mover]:
            self.agents = []
        return observations, dict(self._turns.rewards), terminations, truncations, infos

    def _observations(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Return what the seats know, and infos; the mask of an idle seat allows `--` alone."""
        seen = self._turns.see_all()
        if self._turns.is_playing:
            masks = [IDLE.copy() for _ in AGENTS]
            mover = SEAT_OF[self._turns.agent_selection]
            masks[mover] = self._turns.see(mover)[1]
        else:
            masks = [np.zeros(N_ACTIONS, np.int8) for _ in AGENTS]
        if self.mask_in == "info":
            infos = {name: {"action_mask": mask} for name, mask in zip(AGENTS, masks, strict=True)}
            return dict(zip(AGENTS, seen, strict=True)), infos
        observations = {
            name: {"observation": observation, "action_mask": mask}
            for name, observation, mask in zip(AGENTS, seen, masks, strict=True)
        }
        return observations, {name: {} for name in AGENTS}

    def state(self) -> Array:
        """Return the whole deal, hidden cards included, as the AEC form does."""
        return self._turns.state()

    def render(self) -> Any:
        """Draw the table, as the AEC form does."""
        return self._turns.render()

    def close(self) -> None:
        """Close the window, if one is open."""
        self._turns.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**EzPickle.__getstate__(self), "turns": self._turns.__getstate__(), "agents": list(self.agents)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        EzPickle.__setstate__(self, state)
        self._turns.__setstate__(state["turns"])
        self.agents = list(state["agents"])


parallel_env = ParallelFiveHundred

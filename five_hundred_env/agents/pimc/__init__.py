"""`pimc`: perfect information Monte Carlo, a player that searches worlds which fit what it has seen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import numpy as np

from five_hundred_env.agents.base import Actions, Keys, check_batch, read_position
from five_hundred_env.agents.pimc.bidding import choose_call
from five_hundred_env.agents.pimc.kitty import choose_set
from five_hundred_env.agents.pimc.memory import Memory, Options, make_memory
from five_hundred_env.agents.pimc.play import choose_by_worlds
from five_hundred_env.core._jit import kernel, lowest
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import AUCTION, DISCARD, NOOP
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.state import N_COLUMNS, PHASE
from five_hundred_env.errors import OptionError


@kernel
def decide_pimc(view: Row, legal: int, key: int, m: Memory) -> int:
    """Choose as `pimc` does; a single legal action costs nothing."""
    phase = int(view[PHASE])
    if legal == 0:
        return NOOP
    if legal & (legal - 1) == 0:
        return first_action(phase) + lowest(legal)
    if phase == AUCTION:
        return choose_call(view, legal, key, m)
    if phase == DISCARD:
        return choose_set(view, legal, key, m)
    return choose_by_worlds(view, legal, key, m)


@kernel
def act_pimc(observation: Bytes, mask: Bytes, keys: Row, view: Row, actions: Row, m: Memory) -> None:
    """Fill the actions of `pimc`."""
    for n in range(len(keys)):
        legal = read_position(observation[n], mask[n], view)
        actions[n] = decide_pimc(view, legal, int(keys[n]), m)


class Pimc:
    """The agent `pimc`.

    Attributes:
        name: `pimc`, with the options that differ from the usual ones.
        version: Raised whenever its decisions change.
        options: Its parameters.
    """

    version = 1

    def __init__(self, **options: Any) -> None:
        """Make an agent.

        Args:
            options: Fields of `Options`.

        Raises:
            OptionError: There is no such option, or its value is out of range.
        """
        unknown = set(options) - {entry.name for entry in fields(Options)}
        if unknown:
            known = ", ".join(entry.name for entry in fields(Options))
            raise OptionError(f"pimc has no option {', '.join(sorted(unknown))}; its options are {known}")
        self.options = Options(**options)
        told = ",".join(f"{name}={value:g}" for name, value in sorted(options.items()))
        self.name = f"pimc:{told}" if told else "pimc"
        self._own = threading.local()

    def __repr__(self) -> str:
        return f"<agent {self.name} version {self.version}>"

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision; a row without a legal action gets `--`.

        Raises:
            OptionError: The arrays do not fit each other or this environment.
        """
        observation, mask = check_batch(observation, mask, len(keys))
        actions = np.empty(len(observation), np.int64)
        view = np.zeros(N_COLUMNS, np.int64)
        words = np.array(keys, np.uint64).view(np.int64)
        if self.options.seconds == 0:
            act_pimc(observation, mask, words, view, actions, self._memory())
            return actions
        for n in range(len(actions)):
            one = slice(n, n + 1)
            with self._timed() as memory:
                act_pimc(observation[one], mask[one], words[one], view, actions[one], memory)
        return actions

    @contextmanager
    def _timed(self) -> Iterator[Memory]:
        """Lend the working memory to one decision, which is told to end when its time is over."""
        # A stop of its own: a timer that is late can not end the next decision.
        stop = np.zeros(1, np.int64)
        timer = threading.Timer(self.options.seconds, stop.fill, (1,))
        timer.daemon = True
        timer.start()
        try:
            yield self._memory()._replace(stop=stop)
        finally:
            timer.cancel()

    def _memory(self) -> Memory:
        """Return the working memory of the calling thread."""
        memory: Memory | None = getattr(self._own, "memory", None)
        if memory is None:
            memory = make_memory(self.options)
            self._own.memory = memory
        return memory

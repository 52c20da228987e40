"""Agents in processes of their own: one can read neither another's memory nor the deal, and a late one is ended.

Only bytes cross the pipe, in both directions: arrays as they lie in memory, and text. Nothing is unpickled. The process
tells who its agent is, too, so that the one that asks need not load foreign code.
"""

from __future__ import annotations

import json
import multiprocessing
from multiprocessing.connection import Connection

import numpy as np

from five_hundred_env.arena.entrants import (
    FAILED,
    Actions,
    AgentSpec,
    Conduct,
    Entrant,
    Keys,
    check_limit,
    load,
    read_answer,
    warm_up,
)
from five_hundred_env.arena.identity import Identity, identify
from five_hundred_env.core.constants import N_ACTIONS
from five_hundred_env.core.observe import OBSERVATION_SIZE, Bytes
from five_hundred_env.errors import AgentError, FiveHundredError, OptionError

MOST_DEATHS = 20
"""After so many deaths or late answers an agent is not started again: it fails every further decision."""
START_SECONDS = 600.0
"""An agent may have to compile its kernels first."""
_READY, _ANSWER, _ERROR = b"R", b"A", b"E"


def serve(spec: str, pipe: Connection) -> None:
    """Load an agent and answer what comes through a pipe, until it is closed."""
    try:
        try:
            agent = load(spec)
        except FiveHundredError as error:
            pipe.send_bytes(_ERROR + str(error).encode())
            return
        warm_up(agent)
        pipe.send_bytes(_READY + json.dumps(identify(spec, agent).to_dict()).encode())
        while True:
            data = pipe.recv_bytes()
            count = len(data) // (OBSERVATION_SIZE + N_ACTIONS + 8)
            observation = np.frombuffer(data, np.int8, count * OBSERVATION_SIZE).reshape(count, OBSERVATION_SIZE)
            mask = np.frombuffer(data, np.int8, count * N_ACTIONS, observation.nbytes).reshape(count, N_ACTIONS)
            keys = np.frombuffer(data, np.uint64, count, observation.nbytes + mask.nbytes)
            try:
                answer = read_answer(agent.act(observation.copy(), mask.copy(), keys.copy()), count)
                reply = _ANSWER + answer.tobytes()
            except Exception as error:  # noqa: BLE001 - whatever a foreign agent raises is its own fault
                reply = _ERROR + f"{type(error).__name__}: {error}".encode()
            pipe.send_bytes(reply)
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return


class Isolated(Entrant):
    """An agent that is asked through a pipe.

    Args:
        spec: A name, a file or `module:attribute`.
        limit: Seconds a decision, on the mean of a batch, after which the process is ended.

    Raises:
        AgentError: There is no such agent, or its process does not start.
        OptionError: The agent was given as an object.
    """

    def __init__(self, spec: AgentSpec, limit: float | None = None) -> None:
        if not isinstance(spec, str):
            raise OptionError(f"agent {spec!r} can not be isolated; give its name, file or module:attribute")
        self.spec = spec
        self.limit = check_limit(limit)
        self.late_after = None  # the wait for the answer is what is limited here
        self.conduct = Conduct()
        self._deaths = 0
        self._identity = self._start()

    @property
    def identity(self) -> Identity:
        """Who the agent is, as its process has told it."""
        return self._identity

    def _start(self) -> Identity:
        """Start the process, wait until its agent is loaded, and return who it is.

        Raises:
            AgentError: There is no such agent, or the process ends, or does not answer.
        """
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=serve, args=(self.spec, other), daemon=True)
        self._process.start()
        other.close()
        reply = b""
        try:
            if self._pipe.poll(START_SECONDS):
                reply = self._pipe.recv_bytes()
            if reply[:1] == _READY:
                return Identity(**json.loads(reply[1:]))
        except (EOFError, OSError, ValueError, TypeError):
            reply = b""
        self._end()
        why = reply[1:].decode(errors="replace") or "it ends before it is loaded, or does not answer"
        raise AgentError(f"agent {self.spec!r} does not start in a process of its own: {why}")

    def _end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def close(self) -> None:
        """End the process."""
        if self._process.is_alive():
            self._end()

    def _ask(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Ask for a batch; when the process dies or raises, halve it until the decisions at fault are found."""
        count = len(keys)
        if self._deaths >= MOST_DEATHS:
            self.conduct.note("not started again", count)
            return np.full(count, FAILED, np.int64)
        reason = self._exchange(
            b"".join(np.ascontiguousarray(part).tobytes() for part in (observation, mask, keys)), count
        )
        if isinstance(reason, np.ndarray):
            return reason
        if count == 1 or reason == "late":
            self.conduct.note(reason, count)
            return np.full(count, FAILED, np.int64)
        half = count // 2
        parts = [
            self._ask(observation[part], mask[part], keys[part]) for part in (slice(None, half), slice(half, None))
        ]
        return np.concatenate(parts)

    def _exchange(self, data: bytes, count: int) -> Actions | str:
        """Send decisions and return the answer, or what went wrong; a process that is late or dead is replaced."""
        try:
            self._pipe.send_bytes(data)
            if not self._pipe.poll(None if self.limit is None else self.limit * count):
                reason = "late"
            else:
                reply = self._pipe.recv_bytes()
                if reply[:1] == _ANSWER and len(reply) == 1 + 8 * count:
                    return np.frombuffer(reply, np.int64, count, 1).copy()
                return reply[1:].decode(errors="replace")[:200]
        except (EOFError, OSError):
            reason = "died"
        self._deaths += 1
        self._end()
        if self._deaths < MOST_DEATHS:
            try:
                self._start()
            except AgentError:
                self._deaths = MOST_DEATHS
        return reason

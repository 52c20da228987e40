"""Contenders in processes of their own, played in turn; standard library only, since any environment runs it.

A contender is a callable that plays at least N decisions and returns how many. A worker process holds the contenders of
one library and answers over its pipes; the caller goes round all of them, slice by slice, so that a slow minute of the
machine falls on all alike.

Run as a program it is the worker: ``python -m benchmarks.harness benchmarks.peers:openspiel``.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent

Play = Callable[[int], int]
"""Plays at least N decisions and returns how many."""
Builders = Mapping[str, Callable[[], Play]]
"""What a group offers: names, and how each contender is made."""


@dataclass(frozen=True)
class Slice:
    """One turn of a contender."""

    decisions: int
    cpu: float
    """Seconds of all threads of its process."""
    wall: float
    """Seconds on the clock."""

    @property
    def per_cpu_second(self) -> float:
        """Decisions a CPU-second."""
        return self.decisions / max(self.cpu, 1e-9)

    @property
    def per_second(self) -> float:
        """Decisions a second on the clock."""
        return self.decisions / max(self.wall, 1e-9)


def take_slice(play: Play, decisions: int) -> Slice:
    """Let a contender play, on the clock."""
    wall, cpu = time.perf_counter(), time.process_time()
    played = play(decisions)
    return Slice(played, time.process_time() - cpu, time.perf_counter() - wall)


# --- inside a worker --------------------------------------------------------------------------------------------------


def serve(target: str, requests: Iterable[str], answers: IO[str]) -> None:
    """Make the contenders of a group and play as asked, a line of JSON each way.

    Args:
        target: ``module:function``; the function returns `Builders`.
        requests: Lines ``{"name": …, "decisions": …}``.
        answers: First one line that maps each name to None, or to the reason why it is missing; then a line a request.
    """
    module, _, function = target.partition(":")
    contenders: dict[str, Play] = {}
    reasons: dict[str, str | None] = {}
    builders: Builders = getattr(importlib.import_module(module), function)()
    for name, build in builders.items():
        try:
            contenders[name] = build()
            contenders[name](1)  # compiles, loads, warms caches
            reasons[name] = None
        except BaseException as error:  # noqa: BLE001 (listed with its reason; some libraries call sys.exit)
            reasons[name] = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    _say(answers, reasons)
    for line in requests:
        request = json.loads(line)
        turn = take_slice(contenders[request["name"]], request["decisions"])
        _say(answers, {"decisions": turn.decisions, "cpu": turn.cpu, "wall": turn.wall})


def _say(answers: IO[str], message: object) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def main() -> None:
    """Serve one group; what its libraries print goes to stderr, so that it can not garble the answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(sys.argv[1], sys.stdin, answers)


# --- outside ----------------------------------------------------------------------------------------------------------


class Worker:
    """A process that holds the contenders of one group.

    Args:
        python: Its interpreter.
        target: ``module:function`` of the group.
        names: The contenders that are expected of it.

    Attributes:
        missing: Name to reason, for each contender that can not play; known after `wait`.
        cpu: Seconds that its contenders have played.
    """

    def __init__(self, python: str, target: str, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.missing: dict[str, str] = {}
        self.cpu = 0.0
        self._process: subprocess.Popen[str] | None = None
        if not Path(python).exists():
            self.missing = dict.fromkeys(self.names, "its environment is not installed")
            return
        # A pipe that nobody reads would fill up and stop the process.
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (open as long as the process)
        self._process = subprocess.Popen(
            [python, "-m", "benchmarks.harness", target],
            cwd=ROOT,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def wait(self) -> None:
        """Wait until its contenders are made."""
        if self._process is None:
            return
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._process = None
            self.missing = dict.fromkeys(self.names, self._last_words()[-1])
            return
        reasons: dict[str, str | None] = json.loads(line)
        for name in self.names:
            reason = reasons.get(name, "its library does not offer it")
            if reason is not None:
                self.missing[name] = reason

    def play(self, name: str, decisions: int) -> Slice:
        """Let a contender play at least so many decisions."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"name": name, "decisions": decisions}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("\n".join([f"the process of {name} ended:", *self._last_words()[-20:]]))
        turn = Slice(**json.loads(answer))
        self.cpu += turn.cpu
        return turn

    def _last_words(self) -> list[str]:
        self._errors.seek(0)
        return self._errors.read().strip().splitlines() or ["its process ended"]

    def close(self) -> None:
        """End the process."""
        if self._process is None:
            return
        with suppress(OSError):
            self._process.communicate(timeout=20)
        self._process = None


@dataclass
class Series:
    """The slices of one contender, one a round."""

    slices: list[Slice] = field(default_factory=list)

    def rates(self, clock: str = "cpu") -> list[float]:
        """Return decisions a second of each round, ``"cpu"`` or ``"wall"``."""
        return [turn.per_cpu_second if clock == "cpu" else turn.per_second for turn in self.slices]


def calibrate(worker: Worker, name: str, seconds: float) -> int:
    """Return how many decisions keep a contender busy for about so many seconds on the clock."""
    decisions = 1
    while True:
        turn = worker.play(name, decisions)
        if turn.wall >= seconds / 8:
            return max(1, int(turn.decisions * seconds / turn.wall))
        decisions = max(decisions * 2, int(turn.decisions * min(8.0, seconds / 4 / max(turn.wall, 1e-6))))


def interleave(
    entrants: Iterable[tuple[str, Worker]], rounds: int, seconds: float, tell: Callable[[str], None]
) -> dict[str, Series]:
    """Play all entrants in turn, A B C … A B C ….

    Args:
        entrants: Names and their workers; missing ones are left out.
        rounds: Slices of each.
        seconds: Length of a slice.
        tell: Is told how far it is.
    """
    present = [(name, worker) for name, worker in entrants if name not in worker.missing]
    lengths = {name: calibrate(worker, name, seconds) for name, worker in present}
    series = {name: Series() for name, _ in present}
    for number in range(rounds):
        tell(f"round {number + 1} of {rounds}")
        for name, worker in present:
            series[name].slices.append(worker.play(name, lengths[name]))
    return series


@dataclass(frozen=True)
class Spread:
    """Median, least and greatest of a few figures."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> Spread:
        """Return the spread of some figures, at least one."""
        values = list(figures)
        return cls(median(values), min(values), max(values))


def ratio(ours: list[float], theirs: list[float]) -> Spread:
    """Return how many times theirs ours is, round by round."""
    return Spread.of(a / b for a, b in zip(ours, theirs, strict=True))


def busy_seconds() -> float | None:
    """Return the CPU seconds that all processes of this machine have used since it started; None where unknown."""
    try:
        words = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    except OSError:
        return None
    user, nice, system, _idle, _wait, irq, soft, steal = map(int, words[1:9])
    ticks: Any = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + soft + steal) / float(ticks)


if __name__ == "__main__":
    main()

"""Spread the boards of a match over a Ray cluster; the outcomes are those of one process.

A chunk of boards is one Ray task. A worker that is lost in mid-run loses its chunks, which Ray plays again elsewhere:
the outcome of a board depends on nothing but its number, and each chunk comes back once, so no board is lost or
counted twice.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from five_hundred_env.arena.boards import Rows
from five_hundred_env.arena.workers import Played, Task, check_by_name, play_in_worker
from five_hundred_env.errors import MissingExtraError, OptionError

LOCAL = "local"
RETRIES = 10
"""How often the chunk of a lost worker is played again."""


class RayWorkers:
    """Plays on a Ray cluster whose machines have this package installed.

    Args:
        address: Of the cluster, as `ray.init` takes it; ``local`` starts one on this machine.
        cpus: Processors of a cluster that is started here; None takes all.

    Raises:
        MissingExtraError: Ray is not installed.
        OptionError: There is no cluster at the address.
    """

    def __init__(self, address: str, cpus: int | None = None) -> None:
        try:
            ray = importlib.import_module("ray")
        except ImportError as error:
            raise MissingExtraError("a cluster needs Ray: pip install 'five_hundred_env[ray]'") from error
        self._ray: Any = ray
        self._own = not ray.is_initialized()
        if self._own:
            options: dict[str, Any] = {"num_cpus": cpus} if address == LOCAL else {}
            try:
                ray.init(address=address, log_to_driver=False, include_dashboard=False, **options)
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise OptionError(f"no Ray cluster answers at {address!r}: {error}") from None
        self._remote = ray.remote(max_retries=RETRIES)(play_in_worker)

    def play(self, task: Task, chunks: Iterable[Rows]) -> Iterator[Played]:
        """Play chunks of a match and yield each as it is done, in any order.

        Raises:
            OptionError: An agent was given as an object, which another process can not load.
        """
        check_by_name(task)
        limit = 2 * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        waiting: list[Any] = []
        rest = iter(chunks)
        while True:
            waiting += [self._remote.remote(task, numbers) for numbers in islice(rest, limit - len(waiting))]
            if not waiting:
                return
            done, waiting = self._ray.wait(waiting)
            for reference in done:
                played: Played = self._ray.get(reference)
                yield played

    def close(self) -> None:
        """Leave the cluster, and end it where it was started here."""
        if self._own:
            self._ray.shutdown()

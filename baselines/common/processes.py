"""One run in several processes, as `torchrun` starts them: each plays its part of the tables, all learn the same.

What is drawn is drawn for the whole batch in every process, from the same generators, and each takes its part; sums and
gradients are added up over all. So a run of N processes is that of one, up to the rounding of sums in another order.
Without torchrun there is one process, and nothing here costs anything.

Small things travel over gloo, between processors; gradients too, or over nccl where they lie on GPUs.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed import PrefixStore  # type: ignore[attr-defined]
from torch.distributed.rendezvous import rendezvous

from five_hundred_env.errors import FiveHundredError, OptionError

T = TypeVar("T")
N = TypeVar("N", bound=np.generic)

PATIENCE = timedelta(days=2)
"""How long a process waits for another: a tournament in between takes as long as it takes, and a lost process is
noticed without waiting."""
LAST_WORDS = timedelta(seconds=5)
"""How long a process that fails waits for the one that says why, before it ends."""


class LostProcessError(FiveHundredError, RuntimeError):
    """Another process of the run has ended."""


class Processes:
    """The processes of a run, seen from one of them; as it stands here, the only one.

    Attributes:
        rank: Number of this process, from 0; process 0 writes files and speaks.
        size: How many there are.
        local_rank: Number of this process on its machine.
        local_size: How many there are on its machine.
    """

    rank = 0
    size = 1
    local_rank = 0
    local_size = 1

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files and speaks."""
        return self.rank == 0

    def part(self, n: int) -> slice:
        """Return which of n tables are this process's own."""
        return part(n, self.rank, self.size)

    def gather_bytes(self, data: bytes) -> list[bytes]:
        """Return what each process gave, in their order; every process has to ask.

        Raises:
            LostProcessError: One of them has ended.
        """
        return [data]

    def gather(self, array: npt.NDArray[N]) -> npt.NDArray[N]:
        """Return `[T, B]` of all tables from `[T, b]` of each process's own."""
        if self.size == 1:
            return array
        parts = self.gather_bytes(np.ascontiguousarray(array).tobytes())
        return np.concatenate([np.frombuffer(data, array.dtype).reshape(len(array), -1) for data in parts], axis=1)

    def gather_rows(self, array: npt.NDArray[N]) -> npt.NDArray[N]:
        """Return the rows `[..., K]` that the processes have, one after the other."""
        if self.size == 1:
            return array
        parts = self.gather_bytes(np.ascontiguousarray(array).tobytes())
        return np.concatenate([np.frombuffer(data, array.dtype).reshape(-1, *array.shape[1:]) for data in parts])

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Put into each tensor, all on one device, its sum over the processes; every process has to ask.

        Raises:
            LostProcessError: One of them has ended.
        """

    def wait(self) -> None:
        """Go on when every process has come here.

        Raises:
            LostProcessError: One of them has ended.
        """
        self.gather_bytes(b"")

    def first_then_others(self, do: Callable[[], T]) -> T:
        """Do something in the first process, and in the others when it has gone well there."""
        if not self.first:
            self.wait()
        result = do()
        if self.first:
            self.wait()
        return result

    def check_alike(self, what: str, data: bytes) -> None:
        """Check that the processes have the same; every process has to ask.

        Raises:
            OptionError: They have not; such processes do not learn the same.
        """
        if len(set(self.gather_bytes(hashlib.sha256(data).digest()))) > 1:
            raise OptionError(
                f"{what} of the processes are not alike; start them with the same command, on like machines with the "
                "run's folder shared"
            )

    def claim_failure(self) -> bool:
        """Tell whether this process is the one that says what went wrong: the first that asks is."""
        return True

    def said(self) -> None:
        """Tell the other processes that what went wrong has been said."""

    def leave(self) -> None:
        """End what the processes have in common, when all has gone well."""


ALONE = Processes()


class TorchProcesses(Processes):
    """Several processes, which torch lets talk to each other."""

    def __init__(self) -> None:
        """Meet the others.

        Raises:
            OptionError: torchrun has not said where.
        """
        try:
            self.local_rank, self.local_size = int(os.environ["LOCAL_RANK"]), int(os.environ["LOCAL_WORLD_SIZE"])
            self.store, self.rank, self.size = next(rendezvous("env://", timeout=timedelta(minutes=5)))
        except (KeyError, ValueError, RuntimeError) as error:
            raise OptionError(f"start several processes with torchrun; what it sets is missing: {error}") from error
        if torch.cuda.is_available():
            torch.cuda.set_device(self.local_rank % torch.cuda.device_count())
        dist.init_process_group(
            "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo",
            store=PrefixStore("group", self.store),
            rank=self.rank,
            world_size=self.size,
            timeout=PATIENCE,
        )

    def gather_bytes(self, data: bytes) -> list[bytes]:
        """Return what each process gave, in their order; every process has to ask.

        Raises:
            LostProcessError: One of them has ended.
        """
        sizes = [torch.zeros(1, dtype=torch.int64) for _ in range(self.size)]
        self._try(lambda: dist.all_gather(sizes, torch.tensor([len(data)])))
        longest = max(int(size) for size in sizes)
        if longest == 0:
            return [b""] * self.size
        own = torch.zeros(longest, dtype=torch.uint8)
        own[: len(data)] = torch.from_numpy(np.frombuffer(data, np.uint8).copy())
        parts = [torch.empty_like(own) for _ in range(self.size)]
        self._try(lambda: dist.all_gather(parts, own))
        return [some.numpy().tobytes()[: int(size)] for some, size in zip(parts, sizes, strict=True)]

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Put into each tensor, all on one device, its sum over the processes; every process has to ask.

        Raises:
            LostProcessError: One of them has ended.
        """
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
        self._try(lambda: dist.all_reduce(flat))
        for tensor, total in zip(tensors, torch.split(flat, [tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(total.view_as(tensor))

    def _try(self, talk: Callable[[], Any]) -> None:
        """Talk to the others.

        Raises:
            LostProcessError: One of them has ended.
        """
        try:
            talk()
        except RuntimeError as error:
            raise LostProcessError(
                f"process {self.rank} has lost another process of the run, perhaps killed"
            ) from error

    def claim_failure(self) -> bool:
        """Tell whether this process is the one that says what went wrong: the first that asks is."""
        try:
            own: bool = self.store.add("failures", 1) == 1
            if not own:
                self.store.wait(["said"], LAST_WORDS)  # torchrun ends all when one has ended
        except RuntimeError:
            return False
        return own

    def said(self) -> None:
        """Tell the other processes that what went wrong has been said."""
        self.store.set("said", "yes")

    def leave(self) -> None:
        """End what the processes have in common, when all has gone well."""
        dist.destroy_process_group()


def part(n: int, rank: int, size: int) -> slice:
    """Return which of n tables belong to a process: next to each other, and as many to each as can be."""
    return slice(n * rank // size, n * (rank + 1) // size)


def join_processes() -> Processes:
    """Return the processes that torchrun has started together with this one, or this one alone.

    Raises:
        OptionError: torchrun has not said where they meet.
    """
    return TorchProcesses() if int(os.environ.get("WORLD_SIZE", "1")) > 1 else ALONE


def run_together(processes: Processes, run: Callable[[], None], tell: Callable[[str], None]) -> int:
    """Run something in each process, and tell once what goes wrong, in whichever it does.

    Args:
        processes: All of them.
        run: What each does.
        tell: Shows a message.

    Returns:
        The exit status.
    """
    try:
        run()
    except FiveHundredError as error:
        if processes.claim_failure():
            tell(str(error))
            processes.said()
        return 2
    except BaseException:
        if not processes.claim_failure():
            return 1
        processes.said()
        raise
    processes.leave()
    return 0

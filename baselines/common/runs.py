"""What every trainer does around its iterations: options, going on with a run, metrics, checkpoints, the tournament."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from rich.console import Console
from torch.utils.tensorboard import SummaryWriter

from baselines.common.checkpoints import check_same_options, load_checkpoint
from baselines.common.networks import Policy, save_onnx
from baselines.common.options import options_from_json, options_to_json, parse_options, take_option, write_yaml
from baselines.common.processes import Processes, join_processes, run_together
from baselines.common.reports import play_tournament_of, show_progress
from five_hundred_env.errors import FiveHundredError

CHECKPOINT = "checkpoint.safetensors"
POLICY = "policy.safetensors"

C = TypeVar("C")
"""Options of a run: a dataclass with `run_dir`, `stop_after`, `checkpoint_every`, `rules` and those of a tournament."""


class Trainer(Protocol):
    """A run.

    Attributes:
        config: Its options.
        folder: Where it leaves what it makes.
        processes: Who take part.
        policy: What learns.
        iteration: How many iterations are done.
        iterations: How many there are in all.
    """

    config: Any
    folder: Path
    processes: Processes
    policy: Policy
    iteration: int
    iterations: int

    def iterate(self) -> dict[str, float]:
        """Do one iteration, and return its metrics."""

    def line(self, metrics: dict[str, float]) -> str:
        """Return metrics of an iteration as a line to be read."""

    def save(self) -> None:
        """Write the checkpoint that `restore` reads, and the policy; asked in every process."""

    def restore(self) -> None:
        """Go on from the checkpoint of the run."""


AnyTrainer = TypeVar("AnyTrainer", bound=Trainer)


def read_run_arguments(cls: type[C], arguments: Sequence[str], algorithm: str, description: str) -> C:
    """Return the options of a command line: those of the run that `--resume FOLDER` names, or what is said.

    Raises:
        OptionError: A file can not be read or has an unknown key.
        CheckpointError: The run that is to be continued has no readable checkpoint.
    """
    rest, folder = take_option(arguments, "--resume")
    default: Any = cls()
    if folder is not None:
        path = Path(folder) / CHECKPOINT
        default = options_from_json(cls, load_checkpoint(path, algorithm).options, str(path))
        default = dataclasses.replace(default, run_dir=folder, stop_after=0)
    options: C = parse_options(cls, rest, f"python -m baselines.{algorithm}", description, default)
    return options


def complete(trainer: Trainer, algorithm: str, free: Sequence[str], console: Console) -> None:
    """Begin or continue a run and bring it to its end.

    Args:
        trainer: As it is at the beginning.
        algorithm: Whose checkpoints are read.
        free: Options that may differ from the run that is continued.
        console: Where it tells how far it is.

    Raises:
        FiveHundredError: The run that was found is another one or damaged.
    """
    config, processes = trainer.config, trainer.processes
    trainer.folder.mkdir(parents=True, exist_ok=True)
    if (trainer.folder / CHECKPOINT).exists():
        check_same_options(config, trainer.folder / CHECKPOINT, algorithm, free)
        trainer.restore()
        done = f"{trainer.iteration} of {trainer.iterations} iterations"
        console.print(f"{trainer.folder} holds a run of {done}; going on there.", highlight=False)
    elif processes.first:
        write_yaml(config, trainer.folder / "config.yaml")
    processes.check_alike("options and progress", f"{trainer.iteration} {options_to_json(config)}".encode())
    last = min(trainer.iterations, trainer.iteration + (config.stop_after or trainer.iterations))
    writing = SummaryWriter(str(trainer.folder), purge_step=trainer.iteration + 1) if processes.first else nullcontext()
    with writing as writer, show_progress(console) as progress:
        task = progress.add_task("iterations", total=trainer.iterations, completed=trainer.iteration)
        while trainer.iteration < last:
            metrics = trainer.iterate()
            number = trainer.iteration
            if writer is not None:
                for name, value in metrics.items():
                    writer.add_scalar(name, value, number)
            if number % config.checkpoint_every == 0 or number == trainer.iterations:
                trainer.save()
            if number % max(trainer.iterations // 10, 1) == 0:
                words = f"iteration {number}/{trainer.iterations}: {trainer.line(metrics)}"
                console.print(words, highlight=False, soft_wrap=True)
            progress.update(task, completed=number)
    if trainer.iteration == trainer.iterations and processes.first:
        save_onnx(trainer.policy, trainer.folder / "policy.onnx")


def run_main(
    arguments: Sequence[str] | None,
    algorithm: str,
    read: Callable[[Sequence[str]], Any],
    train: Callable[[Any, Console, Processes], AnyTrainer],
) -> int:
    """Train, then play the tournament; return the exit status.

    Args:
        arguments: Of the command line; None: those of this process.
        algorithm: What the policy is called in the tournament.
        read: Returns the options.
        train: Brings a run with these options to its end.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        processes = join_processes()
    except FiveHundredError as error:
        tell_error(str(error))
        return 2
    console = Console(quiet=not processes.first)

    def run() -> None:
        config = processes.first_then_others(lambda: read(given))
        trainer = train(config, console, processes)
        if config.tournament and trainer.iteration == trainer.iterations and processes.first:
            play_tournament_of(
                trainer.folder / POLICY,
                algorithm,
                config.tournament,
                config.tournament_boards,
                config.tournament_seed,
                config.rules,
                console,
            )

    return run_together(processes, run, tell_error)


def tell_error(text: str) -> None:
    """Show what went wrong."""
    Console(stderr=True).print(f"error: {text}", style="red", highlight=False, markup=False, soft_wrap=True)


def mean_metrics(parts: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of each metric; what a part has none of is no number there, and leaves the mean alone."""
    values = {name: np.array([part[name] for part in parts]) for name in parts[0]}
    return {name: float(np.nanmean(some)) for name, some in values.items() if not np.isnan(some).all()}

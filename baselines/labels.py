"""Labels: agents play, and search says what each card would have cost; imitation learns from the files.

::

    python -m baselines.labels --config configs/labels.yaml
    python -m baselines.imitation --config configs/learned_imitation.yaml

Each file holds the decisions of some tables and depends on its own number and the options alone: the files may be made
in any order by any number of processes, and a run that is killed loses only the files it was at.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from baselines.common.labelling import play_and_label, save_labels
from baselines.common.options import parse_options, write_yaml
from baselines.common.reports import show_progress
from five_hundred_env import Tables
from five_hundred_env.agents import load_agent
from five_hundred_env.core.philox import table_seed
from five_hundred_env.errors import FiveHundredError, OptionError


@dataclass(frozen=True)
class Config:
    """Options of a run that labels."""

    run_dir: str = "runs/labels"
    """Where the files go; those that are there are kept."""
    seed: int = 1
    """Of deals, keys and random actions."""
    rules: str = "australian"
    """Profile of the rules."""
    teacher: str = "rule"
    """Whose calls and discards are learned; cards are solved."""
    agents: tuple[str, ...] = ("rule",)
    """Who plays; each meets each."""
    wander: float = 0.08
    """How often a random card is played instead of the agent's."""
    wander_calls: float = 0.01
    """How often a random call is made instead of the agent's."""
    tables: int = 512
    """Tables of a file."""
    steps: int = 64
    """Decisions at each table."""
    files: int = 100
    """How many files."""
    first: int = 0
    """Number of the first one."""
    processes: int = 2
    """Processes that label at once."""


def label_file(config: Config, number: int) -> Path:
    """Make a file unless it is there; return its path."""
    path = file_path(config, number)
    if path.exists():
        return path
    seed = table_seed(config.seed, number)
    tables = Tables(config.tables, rules=config.rules, seed=seed % 2**64, episode="deal", skip_forced=True)
    teacher = load_agent(config.teacher)
    agents = [teacher if name == config.teacher else load_agent(name) for name in config.agents]
    seats = [(one, other) for one in agents for other in agents]
    wander = (config.wander_calls, config.wander)
    save_labels(play_and_label(tables, seats, teacher, config.steps, wander, seed % 2**64), path)
    return path


def file_path(config: Config, number: int) -> Path:
    """Return where a file goes."""
    return Path(config.run_dir) / f"{number:06d}.npz"


def label(config: Config, console: Console) -> None:
    """Make all files.

    Raises:
        FiveHundredError: An option is out of range, or an agent can not be loaded.
    """
    for name in ("tables", "steps", "files", "processes"):
        if getattr(config, name) < 1:
            raise OptionError(f"{name} is at least 1, not {getattr(config, name)}")
    folder = Path(config.run_dir)
    folder.mkdir(parents=True, exist_ok=True)
    for partial in folder.glob("*.partial"):
        partial.unlink()
    write_yaml(config, folder / "config.yaml")
    numbers = range(config.first, config.first + config.files)
    missing = [number for number in numbers if not file_path(config, number).exists()]
    with (
        show_progress(console) as progress,
        ProcessPoolExecutor(config.processes, multiprocessing.get_context("spawn")) as pool,
    ):
        task = progress.add_task("files", total=config.files, completed=config.files - len(missing))
        for future in as_completed([pool.submit(label_file, config, number) for number in missing]):
            future.result()
            progress.advance(task)


def read_arguments(arguments: Sequence[str]) -> Config:
    """Return the options of a command line.

    Raises:
        OptionError: A file can not be read or has an unknown key.
    """
    return parse_options(Config, arguments, "python -m baselines.labels", "Labels from search.", Config())


def main(arguments: Sequence[str] | None = None) -> int:
    """Label; return the exit status."""
    try:
        label(read_arguments(sys.argv[1:] if arguments is None else arguments), Console())
    except FiveHundredError as error:
        Console(stderr=True).print(f"error: {error}", style="red", highlight=False, markup=False, soft_wrap=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

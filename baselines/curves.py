"""Draw the curves of a run from what it wrote for tensorboard.

::

    python -m baselines.curves runs/quick [picture.png]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # type: ignore[import-untyped]

from five_hundred_env.errors import RecordError

Curves = dict[str, list[tuple[int, float]]]

PANELS = (
    ("parts of deals and contracts", ("deals/thrown_in", "deals/made")),
    ("points a contract", ("deals/contract_points",)),
    ("entropy, nats", ("learn/auction_entropy", "learn/entropy")),
    ("explained by the critic", ("learn/explained_variance",)),
)
"""Titles and metrics of the panels; a metric that a run lacks is left out."""


def read_curves(folder: Path) -> Curves:
    """Return iteration and value of each metric of a run.

    Raises:
        RecordError: The folder holds no metrics.
    """
    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    names = events.Tags()["scalars"]
    if not names:
        raise RecordError(f"{folder}: holds no metrics of a run")
    return {name: [(event.step, event.value) for event in events.Scalars(name)] for name in names}


def draw_curves(curves: Curves, path: Path) -> None:
    """Write the curves as a picture."""
    figure = Figure(figsize=(11, 6), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, (title, names) in zip(figure.subplots(2, 2).flat, PANELS, strict=True):
        for name in names:
            if name in curves:
                axes.plot(*zip(*curves[name], strict=True), label=name.partition("/")[2])
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("iteration")
        axes.grid(alpha=0.3)
        if len(names) > 1:
            axes.legend()
    figure.savefig(path, dpi=100, metadata={"Software": None})


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the curves of a run; return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) not in (1, 2):
        Console(stderr=True).print("usage: python -m baselines.curves RUN_DIR [PICTURE.png]", markup=False)
        return 2
    folder = Path(given[0])
    path = Path(given[1]) if len(given) == 2 else folder / "curves.png"
    try:
        draw_curves(read_curves(folder), path)
    except RecordError as error:
        Console(stderr=True).print(f"error: {error}", style="red", markup=False, soft_wrap=True)
        return 2
    Console().print(f"Curves: {path}", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())

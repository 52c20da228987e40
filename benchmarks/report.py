"""docs/benchmarks.md and its pictures from the figures of one run.

Everything on the page comes from the results: nothing is typed in by hand, and nothing depends on the day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.catalogue import OUR_DIFFERENCES, PEERS
from benchmarks.harness import ROOT, Series, Slice, Spread, ratio
from benchmarks.ours import MAIN_SIZE, SIZES, THREADS, rollout_name, tables_name

RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"
IMAGES = ROOT / "docs" / "images"
THROUGHPUT, SCALE = "throughput.png", "throughput_scale.png"

Results = dict[str, Any]

ENV, RAW_ENV = "five_hundred env()", "five_hundred raw_env()"
NUMPY_CHOICE = "five_hundred Tables, NumPy choice"
ONE, TWO = (tables_name(MAIN_SIZE, threads) for threads in THREADS)
ROLL_ONE, ROLL_TWO = (rollout_name(MAIN_SIZE, threads) for threads in THREADS)
OPENSPIEL, PGX = "openspiel bridge", "pgx bridge_bidding"
OPENSPIEL_RATE = 310_000  # decisions a CPU-second that OpenSpiel makes where the aims of fused rollouts were set
LOUD = 0.1  # cores that others may use before seconds on the clock are called doubtful


class Run:
    """The figures of one run, by name."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.series = {name: Series([Slice(*turn) for turn in turns]) for name, turns in results["slices"].items()}

    def rate(self, name: str, clock: str = "cpu") -> Spread | None:
        """Return decisions a second of a contender, None when it is missing."""
        return Spread.of(self.series[name].rates(clock)) if name in self.series else None

    def ratio(self, ours: str, theirs: str, clock: str = "cpu") -> Spread | None:
        """Return how many times theirs ours is, round by round; None when one is missing."""
        if ours not in self.series or theirs not in self.series:
            return None
        return ratio(self.series[ours].rates(clock), self.series[theirs].rates(clock))

    def start_seconds(self, use: str, kind: str, clock: str) -> float | None:
        """Return the seconds from Numba's import to the end of a first use, ``"cold"`` or ``"warm"``."""
        found = self.results.get("start", {}).get(use)
        runs = [] if found is None else [found["cold"]] if kind == "cold" else found["warm"]
        if not runs or any("missing" in run for run in runs):
            return None
        return float(median(run["package"][clock] + run["use"][clock] for run in runs))

    def training_share(self) -> float | None:
        """Return the part of a training run's seconds on the clock that is spent in the environment."""
        found = self.results.get("training")
        if not found or "missing" in found:
            return None
        return float(found["environment"]["wall"] / found["total"]["wall"])


# --- words ------------------------------------------------------------------------------------------------------------


def big(value: float) -> str:
    """Return a rate with three significant digits and thousands parted."""
    return f"{float(f'{value:.3g}'):,.0f}"


def times(spread: Spread | None) -> str:
    """Return a ratio and its range, or a dash."""
    if spread is None:
        return "–"
    digits = 1 if spread.median < 20 else 0
    if spread.median < 3:
        digits = 2
    return f"**{spread.median:,.{digits}f}×** ({spread.low:,.{digits}f} to {spread.high:,.{digits}f})"


def rates(spread: Spread | None) -> str:
    """Return a rate and its range, or a dash."""
    return "–" if spread is None else f"{big(spread.median)} ({big(spread.low)} to {big(spread.high)})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, figures on the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


# --- parts of the page ------------------------------------------------------------------------------------------------


def head(run: Run) -> str:
    """Say what was measured, how, and where."""
    results = run.results
    where, ours, peers = results["machine"], results["versions"]["ours"], results["versions"]["peers"]
    named = ", ".join(f"{name} {number}" for name, number in ours.items())
    theirs = ", ".join(f"{name} {number}" for name, number in peers.items()) or "not installed"
    load = results.get("other_load")
    quiet = "How busy the machine was otherwise is not known."
    if load is not None:
        quiet = f"Other processes took {load:.2f} of its {where['cores']} cores meanwhile."
        if load > LOUD:
            quiet += " Seconds on the clock, and with them what two threads gain, are doubtful in such a run."
    return f"""# Benchmarks

Random legal play, side by side in one run. Every contender does the same work at each decision: what is legal, the
observation of the seat to move, a uniformly random legal choice, the step, and a new game when one is over. They
play in turn, A B C … A B C …, {results["rounds"]} rounds of {results["slice_seconds"]} s each; figures are medians with
the least and the greatest round in brackets, ratios are taken round by round. A rate is decisions a CPU-second (all
threads of the process) unless it says "on the clock". **The ratios are the result**; rates are those of one machine.

`{results["command"]}` writes this page, in {results["elapsed_seconds"] / 60:.0f} minutes and the time to install the
peers. `python -m benchmarks.run --quick` takes a minute or two and writes nothing.

- Machine: {where["processor"]}, {where["cores"]} cores, {where["system"]}. {quiet}
- This package: {named}.
- Peers, in an environment of their own: {theirs}.
"""


def one_table(run: Run) -> str:
    """Compare what plays one table from Python."""
    names = [name for name in run.series if not name.startswith(("five_hundred Tab", "five_hundred roll", "choice"))]
    rows = [
        (name, rates(run.rate(name)), times(None if name == ENV else run.ratio(ENV, name)))
        for name in names
        if not name.startswith("pgx") and "make_vec" not in name
    ]
    return f"""## One table

{table(("one decision at a time, from Python", "decisions a CPU-second", "`env()` against it"), rows)}

"a class without rules" is what an AEC environment of these shapes costs before it knows a game: the same dictionaries
and copies, PettingZoo's own `last` and `agent_iter`.
"""


def many_tables(run: Run) -> str:
    """Compare batches and compiled rollouts with the peers."""
    rows = [
        (peer.name, rates(run.rate(peer.name)), *(times(run.ratio(name, peer.name)) for name in (ONE, ROLL_ONE)))
        for peer in PEERS
    ]
    vectors = [(name.removeprefix("five_hundred "), rates(run.rate(name))) for name in run.series if "make_vec" in name]
    return f"""## Many tables

`Tables` are stepped from Python, mask, observation, rewards and ends of episodes written at each step; a compiled
random choice reads the mask. `tables.rollout` stays in compiled code, mask and observation written all the same. Both
with {MAIN_SIZE:,} tables on one thread:

{table(("peer", "its decisions a CPU-second", "`Tables` against it", "`rollout` against it"), rows)}

A second thread, both cores busy, on the clock: `Tables` {times(run.ratio(TWO, ONE, "wall"))}, `rollout`
{times(run.ratio(ROLL_TWO, ROLL_ONE, "wall"))}.
Against Pgx's bridge bidding, both on both cores, on the clock: `Tables` {times(run.ratio(TWO, PGX, "wall"))}; `Tables`
on one core alone {times(run.ratio(ONE, PGX, "wall"))}.

![Decisions a second against the number of tables](images/{THROUGHPUT})

{grid(run)}

{table(("learners of `gymnasium.make_vec`, 1,024 at once", "their decisions a CPU-second"), vectors)}

### What the random choice costs

In a comparison of environments the choice should cost nothing. A masked choice in NumPy costs more than the step:

{choices(run)}
"""


def grid(run: Run) -> str:
    """Return throughput by size and threads, in thousands a second on the clock."""
    rows = []
    for size in SIZES:
        names = [make(size, threads) for make in (tables_name, rollout_name) for threads in THREADS]
        found = [run.rate(name, "wall") for name in names]
        rows.append((f"{size:,}", *("–" if rate is None else big(rate.median) for rate in found)))
    heads = [
        f"`{what}`, {threads} thread{'s' * (threads > 1)}" for what in ("Tables", "rollout") for threads in THREADS
    ]
    return "Decisions a second on the clock:\n\n" + table(("tables", *heads), rows)


def choices(run: Run) -> str:
    """Return the nanoseconds of choice and step."""
    kinds = (
        ("compiled choice alone", "choice alone, compiled"),
        ("NumPy choice alone", "choice alone, NumPy"),
        ("`Tables` with the compiled choice", ONE),
        ("`Tables` with the NumPy choice", NUMPY_CHOICE),
    )
    rows = []
    for label, name in kinds:
        rate = run.rate(name)
        rows.append(
            (label, *(("–", "–") if rate is None else (f"{1e9 / rate.median:.0f}", times(run.ratio(name, OPENSPIEL)))))
        )
    return table((f"{MAIN_SIZE:,} tables, one thread", "ns a decision", "against OpenSpiel's bridge"), rows)


def differences(run: Run) -> str:
    """Say where the comparison is not like for like, and what is missing."""
    lines = [f"- {peer.name}: {peer.difference}" for peer in PEERS]
    lines += [f"- {name}: {text}" for name, text in OUR_DIFFERENCES.items()]
    missing = run.results["missing"]
    gone = [f"- {peer.name} is missing here: {missing[peer.name]}." for peer in PEERS if peer.name in missing]
    gone += [f"- {name} is missing here: {reason}." for name, reason in missing.items() if "five_hundred" in name]
    return "\n".join(
        [
            "## What is not like for like",
            "",
            "Five Hundred: 80 actions, an observation of 1,096 places.",
            "",
            *lines,
            *gone,
            "",
        ]
    )


def memory(run: Run) -> str:
    """Say what a table takes, and how it grows."""
    found = [entry for entry in run.results["scale"] if "missing" not in entry]
    if not found:
        return "## Memory and scale\n\nNot measured.\n"
    arrays = found[-1]["arrays"]
    parts = [(f"`{name.lstrip('_')}`", f"{size:,.0f}") for name, size in arrays.items()]
    parts.append(("together", f"**{sum(arrays.values()):,.0f}**"))
    rows = []
    for entry in found:
        n, one, two = entry["n"], entry["step_seconds_1"], entry["step_seconds_2"]
        held = entry["resident"]
        rows.append(
            (
                f"{n:,}",
                "–" if held is None else f"{held / 2**20:,.0f}",
                "–" if held is None else f"{held / n:,.0f}",
                f"{entry['make_seconds']:.3f}",
                f"{one['wall'] * 1e3:,.2f}",
                f"{two['wall'] * 1e3:,.2f}",
                f"{one['cpu'] / n * 1e9:,.0f}",
            )
        )
    heads = (
        "tables",
        "MiB held",
        "bytes a table",
        "made in s",
        "step, ms",
        "two threads, ms",
        "CPU ns a table, one thread",
    )
    return f"""## Memory and scale

Bytes a table of the buffers that a batch owns; a step allocates nothing:

{table(("buffer", "bytes"), parts)}

What the process holds on top of an idle one, and seconds on the clock of a step (the choice left out):

{table(heads, rows)}

![Time and memory against the number of tables](images/{SCALE})

Growth is linear; what is left of it are caches: a batch that fits the second-level cache steps fastest.
"""


def start_up(run: Run) -> str:
    """Say what compiling and importing cost."""
    rows = []
    for use in run.results["start"]:
        cells = []
        for kind in ("cold", "warm"):
            for clock in ("wall", "cpu"):
                seconds = run.start_seconds(use, kind, clock)
                cells.append("–" if seconds is None else f"{seconds:.2f}")
        rows.append((use, *cells))
    heads = ("first use", "cold, on the clock", "cold, CPU", "warm, on the clock", "warm, CPU")
    return f"""## Start-up

Seconds from `import five_hundred_env` to the end of the first decision, above importing Numba. Cold: no kernel has ever
been compiled here, each row with an empty cache. Warm: they come from the cache.

{table(heads, rows)}
"""


def training(run: Run) -> str:
    """Say what a training run spends in the environment."""
    found, share = run.results.get("training"), run.training_share()
    if not found or share is None:
        return f"## Training\n\nNot measured: {(found or {}).get('missing', 'left out of this run')}.\n"
    rate = found["decisions"] / found["total"]["wall"]
    return f"""## Training

`baselines/ppo.py`, self-play with policy and critic of two layers of 256 on the processor, {found["threads"]} threads
of torch: {big(rate)} decisions a second on the clock, of which **{share:.1%}** is spent in `Tables` (step, observation,
mask and state).
"""


# --- targets ----------------------------------------------------------------------------------------------------------


class Target(NamedTuple):
    """A figure that was promised."""

    what: str
    least: float
    aim: float
    measured: Callable[[Run], float | None]
    show: str = "{:,.1f}×"
    at_most: bool = False
    """Whether smaller is better."""


def _median(ours: str, theirs: str, clock: str = "cpu") -> Callable[[Run], float | None]:
    def measured(run: Run) -> float | None:
        found = run.ratio(ours, theirs, clock)
        return None if found is None else found.median

    return measured


def _normalised(run: Run) -> float | None:
    found = run.ratio(ROLL_ONE, OPENSPIEL)
    return None if found is None else found.median * OPENSPIEL_RATE / 1e6


def _slowest(kind: str) -> Callable[[Run], float | None]:
    def measured(run: Run) -> float | None:
        uses = ("nothing",) if kind == "warm" else tuple(run.results["start"])
        found = [run.start_seconds(use, kind, "wall") for use in uses]
        known = [seconds for seconds in found if seconds is not None]
        return max(known) if known else None

    return measured


TARGETS = (
    Target(
        "`env()`, all checks, against PettingZoo's connect_four, raw", 6, 9, _median(ENV, "pettingzoo connect_four raw")
    ),
    Target("the same against connect_four with its wrappers", 10, 15, _median(ENV, "pettingzoo connect_four")),
    Target("`env()` against an AEC class without rules", 0.45, 0.75, _median(ENV, "a class without rules"), "{:.2f}×"),
    Target("`Tables` from Python, one thread, against OpenSpiel's bridge", 13, 25, _median(ONE, OPENSPIEL)),
    Target(
        "`Tables` against Pgx's bridge bidding, both on both cores, on the clock", 45, 90, _median(TWO, PGX, "wall")
    ),
    Target("the same a CPU-second, `Tables` on one thread", 45, 90, _median(ONE, PGX)),
    Target("`Tables`, one thread, against `env()`", 20, 20, _median(ONE, ENV)),
    Target(
        "`rollout`, one thread, million decisions a CPU-second where OpenSpiel makes 0.31",
        8,
        13,
        _normalised,
        "{:.1f}",
    ),
    Target("second thread, `Tables`, on the clock", 1.6, 1.9, _median(TWO, ONE, "wall"), "{:.2f}×"),
    Target("second thread, `rollout`, on the clock", 1.6, 1.9, _median(ROLL_TWO, ROLL_ONE, "wall"), "{:.2f}×"),
    Target("environment's share of a PPO run, at most", 0.05, 0.02, Run.training_share, "{:.1%}", at_most=True),
    Target("first use, compiling, s on the clock, at most", 15, 15, _slowest("cold"), "{:.1f}", at_most=True),
    Target("later imports above Numba's, s on the clock, at most", 0.5, 0.5, _slowest("warm"), "{:.2f}", at_most=True),
)


def verdict(target: Target, value: float | None) -> str:
    """Return whether a figure is what was promised."""
    if value is None:
        return "not measured"
    sign = -1 if target.at_most else 1
    if sign * value < sign * target.least:
        return "**no**"
    return "yes, the aim too" if sign * value >= sign * target.aim else "yes"


def targets(run: Run) -> str:
    """Return what was promised and what became of it."""
    rows = []
    for target in TARGETS:
        value = target.measured(run)
        shown = "–" if value is None else target.show.format(value)
        rows.append(
            (
                target.what,
                target.show.format(target.least),
                target.show.format(target.aim),
                shown,
                verdict(target, value),
            )
        )
    return f"## Targets\n\n{table(('what', 'at least', 'aim', 'measured', 'met'), rows)}\n"


def page(results: Results) -> str:
    """Return the page."""
    run = Run(results)
    parts = (head, one_table, many_tables, differences, memory, start_up, training, targets)
    return "\n".join(part(run) for part in parts)


def write_page(results: Results) -> None:
    """Write the page and its pictures."""
    PAGE.write_text(page(results), encoding="utf-8")
    IMAGES.mkdir(parents=True, exist_ok=True)
    run = Run(results)
    draw_throughput(run, IMAGES / THROUGHPUT)
    draw_scale(run, IMAGES / SCALE)


# --- pictures ---------------------------------------------------------------------------------------------------------

COLOURS = {"Tables": "#1b6ca8", "rollout": "#c8553d"}


def draw_throughput(run: Run, path: Path) -> None:
    """Draw decisions a second on the clock against the number of tables, with a few peers."""
    figure, axes = _canvas("tables", "decisions a second on the clock")
    for what, make in (("Tables", tables_name), ("rollout", rollout_name)):
        for threads, line in zip(THREADS, ("-", "--"), strict=True):
            found = [(size, run.rate(make(size, threads), "wall")) for size in SIZES]
            points = [(size, rate.median) for size, rate in found if rate is not None]
            label = f"{what}, {threads} thread{'s' * (threads > 1)}"
            axes.plot(*zip(*points, strict=True), line, marker="o", color=COLOURS[what], label=label)
    for name, place in ((ENV, 0.02), ("pettingzoo connect_four raw", 0.02), (OPENSPIEL, 0.98), (PGX, 0.98)):
        rate = run.rate(name, "wall")
        if rate is None:
            continue
        axes.axhline(rate.median, color="#777777", linewidth=0.8, linestyle=":")
        words = {"va": "bottom", "ha": "left" if place < 0.5 else "right", "fontsize": 8, "color": "#555555"}
        axes.text(place, rate.median, name, transform=axes.get_yaxis_transform(), **words)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=4, frameon=False)
    _save(figure, path)


def draw_scale(run: Run, path: Path) -> None:
    """Draw seconds a step and memory against the number of tables."""
    found = [entry for entry in run.results["scale"] if "missing" not in entry]
    figure, axes = _canvas("tables", "milliseconds a step on the clock")
    sizes = [entry["n"] for entry in found]
    for threads, line in zip(THREADS, ("-", "--"), strict=True):
        seconds = [entry[f"step_seconds_{threads}"]["wall"] * 1e3 for entry in found]
        axes.plot(
            sizes,
            seconds,
            line,
            marker="o",
            color=COLOURS["Tables"],
            label=f"step, {threads} thread{'s' * (threads > 1)}",
        )
    other = axes.twinx()
    other.set_yscale("log")
    other.set_ylabel("MiB held")
    held = [(entry["n"], entry["resident"] / 2**20) for entry in found if entry["resident"]]
    if held:
        other.plot(*zip(*held, strict=True), "-", marker="s", color=COLOURS["rollout"], label="memory (right)")
    lines = [*axes.get_lines(), *other.get_lines()]
    axes.legend(
        lines,
        [line.get_label() for line in lines],
        fontsize=8,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncol=3,
        frameon=False,
    )
    _save(figure, path)


def _canvas(x: str, y: str) -> tuple[Any, Any]:
    """Return a figure with logarithmic axes."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 4.5))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    """Write a picture, the same bytes for the same figures."""
    figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Software": None})
    import matplotlib.pyplot as plt

    plt.close(figure)

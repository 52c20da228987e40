"""What a run tells: figures of the deals it played, and a duplicate tournament of the policy it made."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from five_hundred_env.agents.network import load_network
from five_hundred_env.arena import TournamentResult, play_tournament, report
from five_hundred_env.core.constants import LAST_BID, MIS, OMIS, SIDES, STRAINS
from five_hundred_env.core.observe import Bytes, field


def _read(ends: Bytes, name: str) -> npt.NDArray[np.int64]:
    """Return a field of some observations."""
    entry = field(name)
    return ends[:, entry.start : entry.stop].astype(np.int64)


def deal_figures(ends: Bytes) -> dict[str, float]:
    """Return what happened in some deals.

    Args:
        ends: `[E, O] int8` observations at the end of E deals, E at least 1.

    Returns:
        Parts of the deals: `thrown_in`; of the contracts: `made`, `misere`, `open_misere`, `level_8_up`; and
        `contract_points`, what the contractor's side got more than the other, mean over the contracts.
    """
    bids = _read(ends, "bid")
    played = bids.any(axis=1)
    bid = bids.argmax(axis=1)[played]
    points = 10 * _read(ends, "points")[played]
    side = _read(ends, "bidder").argmax(axis=1)[played] % SIDES
    rows = np.arange(len(bid))
    gain = points[rows, side] - points[rows, 1 - side]
    count = max(len(bid), 1)
    return {
        "thrown_in": float(1 - played.mean()),
        "made": float(_read(ends, "made")[played, 1].sum() / count),
        "misere": float((bid == MIS).sum() / count),
        "open_misere": float((bid == OMIS).sum() / count),
        "level_8_up": float(((bid > 2 * STRAINS) & (bid <= LAST_BID)).sum() / count),
        "contract_points": float(gain.sum() / count),
    }


def show_progress(console: Console) -> Progress:
    """Return a progress bar that tells how much is done, how long it took, and how long the rest will take."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        speed_estimate_period=120,
    )


def play_tournament_of(
    policy: Path,
    name: str,
    against: tuple[str, ...],
    boards: int,
    seed: int,
    rules: str,
    console: Console,
) -> TournamentResult:
    """Let a policy play a duplicate tournament, show its tables, and write figures and picture beside the policy.

    Args:
        policy: Its file.
        name: How tables call it.
        against: The other agents.
        boards: Boards a match.
        seed: Of the boards.
        rules: Profile of the rules.
        console: Where the tables go.
    """
    agent = load_network(policy)
    agent.name = name
    result = play_tournament([agent, *against], boards, seed=seed, rules=rules)
    folder = policy.parent
    (folder / "tournament.json").write_text(json.dumps(result.to_dict(), indent=1) + "\n", encoding="utf-8")
    report.write_png(result, folder / "tournament.png")
    console.print(report.tables(result))
    console.print(f"Figures and picture: {folder / 'tournament.json'}, {folder / 'tournament.png'}", highlight=False)
    return result

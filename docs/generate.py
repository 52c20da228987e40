"""Write the tables of the documentation from the data that the code runs on: `python docs/generate.py [--check]`.

A page holds ``<!-- name -->`` and ``<!-- /name -->`` on lines of their own; what stands between them is replaced by the
table of that name. Names that are not known here belong to somebody else and are left alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from five_hundred_env import actions, five_hundred_v0
from five_hundred_env.core.constants import CALLS, FIRST_CARD, FIRST_NAME, VERSION
from five_hundred_env.core.observe import OBSERVATION_FIELDS, OBSERVATION_SIZE, STATE_SIZE
from five_hundred_env.core.rules import OPTIONS, PROFILES
from five_hundred_env.envs import PETTINGZOO_ID, SEAT_ID
from five_hundred_env.envs.aec import AGENTS

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^<!-- (?P<name>\w+) -->$.*?^<!-- /(?P=name) -->$", re.MULTILINE | re.DOTALL)


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    head = list(head)
    lines = [head, ["---"] * len(head), *[list(map(str, row)) for row in rows]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def action_table() -> str:
    """Return the ranges of action ids, and the ids of calls and cards one by one."""
    ranges = table(
        ("id", "action", "legal in the phases", "meaning"),
        (
            (
                span(entry.start, entry.stop),
                f"`{entry.names[0]}`" if len(entry.names) == 1 else f"`{entry.names[0]}` … `{entry.names[-1]}`",
                ", ".join(entry.phases) or "–",
                entry.meaning,
            )
            for entry in actions.ACTION_RANGES
        ),
    )
    calls = [f"{n} `{name}`" for n, name in enumerate(actions.CALL_NAMES)]
    by_suit = [
        [f"{n} `{actions.decode(n)}`" for n in range(start, min(start + 11, FIRST_NAME))]
        for start in range(FIRST_CARD, FIRST_NAME, 11)
    ]
    rows = [["calls", ", ".join(calls[:CALLS])]]
    rows += [
        [name, ", ".join(cards)]
        for name, cards in zip(("spades", "clubs", "diamonds", "hearts", "jokers"), by_suit, strict=True)
    ]
    return f"{ranges}\n\nOne by one:\n\n{table(('', 'ids'), rows)}"


def observation_table() -> str:
    """Return the fields of the observation."""
    rows = (
        (
            span(field.start, field.stop),
            f"`{field.name}`",
            " × ".join(map(str, field.shape)),
            f"{field.low} … {field.high}" if field.high > field.low else str(field.low),
            field.meaning.replace("|", "\\|"),
        )
        for field in OBSERVATION_FIELDS
    )
    return table(("places", "field", "shape", "values", "meaning"), rows)


def span(start: int, stop: int) -> str:
    """Return a half-open range as people write it."""
    return str(start) if stop == start + 1 else f"{start}–{stop - 1}"


def spec_table() -> str:
    """Return the figures of the environment."""
    rows = [
        ("import", "`from five_hundred_env import five_hundred_v0`"),
        (
            "registry",
            f'`pettingzoo.make("aec", "{PETTINGZOO_ID}")`, `"parallel"` likewise; `gymnasium.make("{SEAT_ID}")`',
        ),
        ("version", VERSION),
        ("agents", ", ".join(f"`{name}`" for name in AGENTS)),
        ("action space", f"`Discrete({actions.N_ACTIONS})`"),
        (
            "observation space",
            f"`Box(int8, ({OBSERVATION_SIZE},))`, with `action_mask` `Box(0, 1, int8, ({actions.N_ACTIONS},))`",
        ),
        ("state space", f"`Box(int8, ({STATE_SIZE},))`"),
        ("render modes", ", ".join(f"`{mode}`" for mode in five_hundred_v0.raw_env.metadata["render_modes"])),
    ]
    return table(("", ""), rows)


PROFILE_TEXT = {
    "australian": "the partnership game as Pagat describes it",
    "american": "North American tables: one round of calls, bids ranked by value, the first side at 500 wins",
    "wikipedia": "the account of Wikipedia: misère by value, a joker that may be led at any time",
    "casual": "the short account that many pages print: misère above the sevens, a free joker",
}

OPTION_TEXT = {
    "pack": (
        "which fours and how many jokers; five or six cards in the kitty and as many discards; 5 to 17: tiny hands",
        "Pagat, apps; research",
    ),
    "auction": ("each seat calls once, or a pass is not final", "Pagat, American tables"),
    "own_raise": ("the last bidder, left alone, may raise", "Pagat"),
    "misere_rank": ("where misère ranks, whether it needs a bid of seven, whether it exists", "Pagat, Wikipedia"),
    "open_misere_rank": ("where open misère ranks, whether it exists", "Pagat, apps"),
    "open_misere_shown": ("when the contractor's hand is laid open", "Pagat, house rules"),
    "misere_defence": ("points to the defence for each trick of a misère that is then played out", "American tables"),
    "joker_no_trumps": ("what the joker may do without trumps", "Pagat, Wikipedia"),
    "slam": ("what ten tricks in a small contract are worth", "Pagat"),
    "win": ("whether a side must win by a contract of its own", "Pagat, American tables"),
    "defence_cap": ("a total that points of defence do not lift a side above", "Pagat"),
    "target": ("the total that wins, its negative the mark for going out backwards", "apps, house rules"),
    "lose": ("whether a side can go out backwards", "apps"),
    "all_pass": ("what happens when nobody bids", "Pagat, house rules"),
}


def profile_table() -> str:
    """Return the named profiles."""
    rows = (
        (
            f"`{name}`",
            ", ".join(f"`{option}={value}`" for option, value in changes.items()) or "the defaults of every option",
            PROFILE_TEXT[name],
        )
        for name, changes in PROFILES.items()
    )
    return table(("profile", "options", "met"), rows)


def option_table() -> str:
    """Return the options of the rules, the default first."""
    rows = (
        (
            f"`{name}`",
            ", ".join(f"`{value}`" for value in values) + (", any multiple of ten" if name == "target" else ""),
            *OPTION_TEXT[name],
        )
        for name, values in OPTIONS.items()
    )
    return table(("option", "values, the default first", "what it changes", "met in"), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "actions": action_table,
    "observation": observation_table,
    "spec": spec_table,
    "profiles": profile_table,
    "options": option_table,
}


def fill(text: str) -> str:
    """Return a page with every known table renewed."""

    def renew(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in BLOCKS:
            return match[0]
        return f"<!-- {name} -->\n\n{BLOCKS[name]()}\n\n<!-- /{name} -->"

    return BLOCK.sub(renew, text)


def pages() -> list[Path]:
    """Return the pages that hold tables."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(path for path in found if BLOCK.search(path.read_text()))


def main() -> None:
    """Renew every page, or with --check fail when one is out of date."""
    stale = []
    for path in pages():
        text = path.read_text()
        if (renewed := fill(text)) != text:
            stale.append(str(path.relative_to(ROOT)))
            if "--check" not in sys.argv:
                path.write_text(renewed)
    if stale:
        print(f"{'out of date' if '--check' in sys.argv else 'renewed'}: {', '.join(stale)}")  # noqa: T201
        sys.exit("--check" in sys.argv)


if __name__ == "__main__":
    main()

"""The figures of docs/agents.md: what the built-in agents are worth, and what a board costs.

`python -m benchmarks.agents` prints them; `--boards N` and `--rules PROFILE` change what is played.
"""

from __future__ import annotations

import argparse
import sys
import time

from five_hundred_env.arena import play_match
from five_hundred_env.arena.match import ContractCounts, MatchResult

SEED = 1
LEVELS = ("6", "7", "8", "9", "10")


def print_match(result: MatchResult, label: str) -> None:
    """Print points a deal with their interval."""
    low, high = result.ci95
    sys.stdout.write(f"{label:<44} {result.points_per_deal:+8.1f}  [{low:+.1f}, {high:+.1f}]  {result.boards} boards\n")


def print_contracts(name: str, counts: ContractCounts) -> None:
    """Print how often each kind of contract was played and made."""
    sys.stdout.write(
        f"{name} is contractor on {counts.share:.1%} of its tables and makes {counts.made_rate or 0:.1%}\n"
    )
    groups = counts.by_level()
    rows = [(f"level {level}", groups[level]) for level in LEVELS if level in groups]
    rows += [(bid, counts.by_bid().get(bid, (0, 0))) for bid in ("MIS", "OMIS")]
    for label, (tried, made) in rows:
        rate = f"{made / tried:6.1%}" if tried else "     –"
        sys.stdout.write(f"  {label:<9} {tried / counts.tables:6.2%} of the tables, made {rate} of {tried}\n")


def main() -> None:
    """Play the matches and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=20_000, help="boards of each match")
    parser.add_argument("--rules", default="australian", help="a profile, or rules as text")
    arguments = parser.parse_args()

    def match(a: str, b: str, part: str = "all") -> MatchResult:
        return play_match(a, b, boards=arguments.boards, seed=SEED, rules=arguments.rules, part=part, bca=False)

    for agent in ("random", "greedy"):
        print_match(match(agent, "rule", "play"), f"{agent} card play, all else rule, against rule")
    for agent in ("random", "passer", "greedy", "overbidder", "misere_spammer"):
        print_match(match(agent, "rule"), f"{agent} against rule")
    match("rule", "rule")
    begun = time.process_time()
    own = match("rule", "rule")
    seconds = time.process_time() - begun
    first, second = own.contracts
    both = ContractCounts(first.tables, first.tried + second.tried, first.made + second.made)
    sys.stdout.write("\n")
    print_contracts("rule against rule", both)
    decisions = sum(conduct.decisions for conduct in own.conduct.values())
    sys.stdout.write(
        f"\na board of rule against rule, observations and bookkeeping included: {1e6 * seconds / own.boards:.0f} "
        f"microseconds of CPU, {1e6 * seconds / decisions:.2f} a decision\n"
    )


if __name__ == "__main__":
    main()

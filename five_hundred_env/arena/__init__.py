"""The arena: matches on duplicate boards, figures with honest intervals, cross tables.

`play_match("rule", "greedy", boards=2000, seed=1)` is where to begin.
"""

from five_hundred_env.arena.match import ContractCounts, MatchResult, play_match
from five_hundred_env.arena.single import play_game
from five_hundred_env.arena.statistics import Estimate
from five_hundred_env.arena.tournament import TournamentResult, play_tournament

__all__ = [
    "ContractCounts",
    "Estimate",
    "MatchResult",
    "TournamentResult",
    "play_game",
    "play_match",
    "play_tournament",
]

"""Search with all hands open: exact values of positions, contracts and discards; and whole reduced games.

The kernels `solve_row` and `solve_row_moves` work on state rows inside other kernels; a `Workspace` belongs to one
thread.
"""

from five_hundred_env.search.deals import Par, par, solve_table
from five_hundred_env.search.discards import solve_discards
from five_hundred_env.search.exact import BestResponse, GameTree, all_deals
from five_hundred_env.search.many import solve_many, solve_many_moves, solve_tables
from five_hundred_env.search.solver import solve_row, solve_row_moves
from five_hundred_env.search.values import solve, solve_moves
from five_hundred_env.search.workspace import Workspace, make_workspace
from five_hundred_env.search.worlds import Worlds, sample_worlds

__all__ = [
    "BestResponse",
    "GameTree",
    "Par",
    "Workspace",
    "Worlds",
    "all_deals",
    "make_workspace",
    "par",
    "sample_worlds",
    "solve",
    "solve_discards",
    "solve_many",
    "solve_many_moves",
    "solve_moves",
    "solve_row",
    "solve_row_moves",
    "solve_table",
    "solve_tables",
]

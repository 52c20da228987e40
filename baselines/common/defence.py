"""The solver as the defence of misères, to play against and to learn from.

A policy that plays itself bids misères as loosely as it defends against them, and a few thousand deals of self-play say
little about single cards of a defence. The solver sees all hands; with the contractor's on the table and the partner
out, that is one hand more than the defenders see themselves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from baselines.common.rollouts import Integers, Source, TablesSource
from five_hundred_env.core._jit import kernel
from five_hundred_env.core.constants import MIS, N_ACTIONS, PLAY
from five_hundred_env.core.observe import Bytes
from five_hundred_env.core.state import BID, BIDDER, PHASE, SEAT
from five_hundred_env.errors import OptionError
from five_hundred_env.search import Workspace, make_workspace, solve_row_moves
from five_hundred_env.search.solver import NO_VALUE, Values


class Defence:
    """The solver in the seats that defend against misères, at the first tables of a run."""

    def __init__(self, share: float, tables: int) -> None:
        """Seat the solver.

        Args:
            share: Part of the tables, 0 to 1.
            tables: How many tables the run has.

        Raises:
            OptionError: The share is out of range.
        """
        if not 0 <= share <= 1:
            raise OptionError(f"defence_share is a part of the tables, 0 to 1, not {share}")
        self.tables = round(share * tables)
        self._workspace: Workspace | None = None
        self._values: Values = np.zeros(N_ACTIONS, np.int64)

    def best(self, source: Source) -> tuple[Integers, Bytes]:
        """Return the tables `[N]` where the solver is to play, and `[N, A] int8`, 1 for every best action there."""
        own = max(0, self.tables - source.part.start)
        if not own:
            return np.empty(0, np.int64), np.empty((0, N_ACTIONS), np.int8)
        assert isinstance(source, TablesSource)
        rows = source.tables.rows[:own]
        defends = (rows[:, PHASE] == PLAY) & (rows[:, BID] >= MIS) & (rows[:, SEAT] != rows[:, BIDDER])
        tables = np.flatnonzero(defends)
        best = np.zeros((len(tables), N_ACTIONS), np.int8)
        if len(tables):
            if self._workspace is None:
                self._workspace = make_workspace()
            write_best(rows, tables, best, self._workspace, self._values)
        return tables, best


@kernel
def write_best(
    rows: npt.NDArray[np.int64], tables: Integers, best: npt.NDArray[np.int8], w: Workspace, values: Values
) -> None:
    """Mark every best action of a defender, who wants the contractor to take a trick, in some of the rows."""
    for n in range(len(tables)):
        highest = solve_row_moves(rows[tables[n]], w, values)
        for a in range(N_ACTIONS):
            if int(values[a]) != NO_VALUE and int(values[a]) == highest:
                best[n, a] = 1

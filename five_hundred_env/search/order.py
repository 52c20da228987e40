"""Which moves are tried first: weights of what can be seen of a move, as data.

A good order changes no value, only how soon it is found. The weights were fitted by random search on the number of
positions visited over deals drawn at random; columns are contracts without trumps and with trumps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.int64]

(
    LOW_LEAD,
    LEFT_RUFFS,
    RIGHT_RUFFS,
    TOP_TRUMP,
    TOP_CARD,
    TOP_AND_SECOND,
    PARTNER_TOP,
    PARTNER_TOP_AND_SECOND,
    PARTNER_RUFFS,
    RIGHT_TOP,
    RIGHT_TOP_PARTNER_SECOND,
    RIGHT_TOP_OWN_SECOND,
    LEFT_TOP_PARTNER_SECOND,
    LEFT_TOP_OWN_SECOND,
    TRUMP_LEAD,
    TRUMP_LENGTH,
    OWN_LENGTH,
    PARTNER_LENGTH,
) = range(18)

LEAD_WEIGHTS: Weights = np.array(
    [
        (2, 1),  # each rank further down
        (0, 82),  # taken off: the seat to the left can ruff
        (0, 56),  # taken off: the seat to the right can ruff
        (0, 18),  # the highest trump
        (19, 55),  # the highest card of another lane
        (1, -10),  # the next card is with the leader's side, too
        (42, 42),  # the partner has the highest card
        (-8, 2),  # and the next card is with the leader's side, too
        (0, 50),  # the partner can ruff
        (15, 5),  # the seat to the right has the highest card
        (-1, 8),  # and the partner the next
        (-9, 0),  # and the leader the next
        (40, 42),  # the seat to the left has the highest card, the partner the next
        (0, 27),  # or the leader the next
        (0, -1),  # a trump
        (0, -2),  # each trump in the hand
        (7, 0),  # each card of another lane in the hand
        (-3, -4),  # each card of it in the partner's hand
    ],
    np.int64,
)

(
    LOW_CARD,
    RUFF,
    THROWN_LENGTH,
    THROWN_TOP,
    THROWN_SINGLE,
    THROWN_GUARD,
    LAST_OVER_PARTNER,
    LAST_WINS,
    THIRD_OVER_PARTNER,
    THIRD_OVER_BEATEN,
    THIRD_WINS,
    SECOND_WINS,
    PARTNER_CAN_WIN,
    SECOND_SAFE,
    THIRD_SAFE,
    SECOND_RANK,
    THIRD_RANK,
) = range(17)

FOLLOW_WEIGHTS: Weights = np.array(
    [
        (5, 3),  # each rank further down
        (0, 13),  # taken off: a trump on another lane
        (-5, 0),  # a card thrown away: each card of its lane in the hand
        (7, -5),  # taken off: it is the highest of its lane
        (-77, -12),  # it is the only one
        (-50, 0),  # taken off: it guards the second highest
        (15, 5),  # last to play: it wins where the partner already did
        (100, 100),  # last to play: it wins
        (-1, 4),  # third to play: it wins over the partner
        (12, 25),  # and the partner would have been beaten
        (40, 49),  # third to play: it wins
        (53, 87),  # second to play: it wins
        (-60, -10),  # taken off: the partner can win by itself
        (47, 73),  # second to play: the next seat can not beat it
        (22, 39),  # third to play: the next seat can not beat it
        (0, -1),  # taken off: second to play and winning, each rank further down
        (2, 0),  # taken off: third to play, the same
    ],
    np.int64,
)

LEAD_KILLER = 30
"""Worth of a lead that decided the position last searched at this depth."""
LEAD_HINT = 40
"""Worth of a lead that decided the position of this shape last searched."""
FOLLOW_KILLER = 3
"""Worth of a card that decided the position last searched at this depth."""

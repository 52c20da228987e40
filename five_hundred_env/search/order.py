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
        (0, 80),  # taken off: the seat to the left can ruff
        (0, 93),  # taken off: the seat to the right can ruff
        (0, 28),  # the highest trump
        (19, 45),  # the highest card of another lane
        (1, -10),  # the next card is with the leader's side, too
        (42, 47),  # the partner has the highest card
        (-8, 2),  # and the next card is with the leader's side, too
        (0, 50),  # the partner can ruff
        (15, 6),  # the seat to the right has the highest card
        (-1, 8),  # and the partner the next
        (-14, 30),  # and the leader the next
        (36, 42),  # the seat to the left has the highest card, the partner the next
        (1, 27),  # or the leader the next
        (0, 1),  # a trump
        (0, -2),  # each trump in the hand
        (7, 0),  # each card of another lane in the hand
        (1, 3),  # each card of it in the partner's hand
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
        (-5, -3),  # a card thrown away: each card of its lane in the hand
        (47, -3),  # taken off: it is the highest of its lane
        (-82, -12),  # it is the only one
        (50, 32),  # taken off: it guards the second highest
        (15, 5),  # last to play: it wins where the partner already did
        (100, 100),  # last to play: it wins
        (-3, 7),  # third to play: it wins over the partner
        (28, 30),  # and the partner would have been beaten
        (50, 49),  # third to play: it wins
        (48, 84),  # second to play: it wins
        (-55, -10),  # taken off: the partner can win by itself
        (37, 63),  # second to play: the next seat can not beat it
        (22, 39),  # third to play: the next seat can not beat it
        (1, -3),  # taken off: second to play and winning, each rank further down
        (3, 0),  # taken off: third to play, the same
    ],
    np.int64,
)

JOKER_LEAD = 60
"""Worth of the lead of a suitless joker."""
JOKER_OVER_PARTNER = -20
"""Worth of a suitless joker on a trick that the partner has won so far."""
LEAD_KILLER = 31
"""Worth of a lead that decided the position last searched at this depth."""
LEAD_HINT = 95
"""Worth of a lead that decided the position of this shape last searched."""
FOLLOW_KILLER = 3
"""Worth of a card that decided the position last searched at this depth."""

# A first guess at the tricks of side 0, in 64ths of a trick for each card that it holds more than side 1: fitted by
# least squares to values of random positions with 10, 8 and 6 tricks left. Right within a trick for three positions in
# four without trumps, nine in ten with them.
GUESS_RANKS = 5
PLAIN_64: Weights = np.array([(62, 35), (28, 15), (11, 3), (6, 2), (1, 0)], np.int64)
"""By rank from the highest of a lane; columns as above."""
TRUMP_64: Weights = np.array([51, 30, 15, 7, -2], np.int64)
TRUMP_LENGTH_64 = 24
JOKER_64 = 45
LEAD_64: Weights = np.array([47, 14], np.int64)
"""Worth of the lead; columns as above."""

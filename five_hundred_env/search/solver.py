"""Values of positions with all hands open, as kernels over state rows.

Every kernel takes a row that it leaves as it is and a workspace of the calling thread. Values are those of
`search.solve`; which phases a kernel takes is said in its docstring, and callers see to it.

Rules: R5.1, R6.4, R7.6, R8.4, R9.2, R9.5, O.misere_defence.*, O.all_pass.no_trumps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import kernel, lowest, popcount
from five_hundred_env.core.actions import bid_strain
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import (
    CARDS,
    FIRST_BID,
    FIRST_CARD,
    FIRST_NAME,
    MIS,
    N_ACTIONS,
    NOMINATE,
    OVER,
    PLAY,
    SEATS,
    STRAINS,
)
from five_hundred_env.core.engine import apply, legal_mask
from five_hundred_env.core.kitty import has_nomination
from five_hundred_env.core.play import begin_play
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    N_COLUMNS,
    PHASE,
    RULE_HAND,
    RULE_MISERE_DEFENCE,
    SEAT,
    STRAIN,
    TAKEN,
)
from five_hundred_env.search import workspace as space
from five_hundred_env.search.moves import is_maximiser, names
from five_hundred_env.search.order import GUESS_RANKS, JOKER_64, LEAD_64, PLAIN_64, TRUMP_64, TRUMP_LENGTH_64
from five_hundred_env.search.position import load
from five_hundred_env.search.window import play_move, prove, take_back
from five_hundred_env.search.workspace import FRAME, FRAMES, HANDS, LANE, LOOSE, ONES, SCRATCH, Workspace

Values = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int64]

NO_VALUE = -1


@kernel
def most(row: Row, w: Workspace) -> int:
    """Return the highest value that the loaded position can have, in tricks counted from here on."""
    if int(row[BID]) >= MIS and int(row[RULE_MISERE_DEFENCE]) == 0:
        return 1
    return int(w[space.ROOT_LEFT])


@kernel
def value_between(w: Workspace, root: int, low: int, high: int, guess: int) -> int:
    """Return the tricks counted from a frame on; a value outside low … high becomes the nearer of the two."""
    while low < high:
        guess = min(max(guess, low + 1), high)
        w[root + space.NEED] = guess
        if prove(w, root):
            low = guess
            guess += 1
        else:
            high = guess - 1
            guess -= 1
    return low


@kernel
def to_value(row: Row, w: Workspace, counted: int) -> int:
    """Turn the tricks counted from the loaded position on into its value."""
    total = int(w[space.TAKEN_SO_FAR]) + counted
    if int(row[BID]) >= MIS:
        return total if int(row[RULE_MISERE_DEFENCE]) else min(total, 1)
    # Side 0 is counted, and stands for the contractor's side where there is no contractor.
    if int(row[BID]) and int(row[BIDDER]) & 1:
        return int(row[RULE_HAND]) - total
    return total


@kernel
def final_value(row: Row) -> int:
    """Return the value of a deal that was played."""
    bidder = int(row[BIDDER])
    if int(row[BID]) >= MIS:
        taken = int(row[TAKEN + bidder])
        return taken if int(row[RULE_MISERE_DEFENCE]) else min(taken, 1)
    side = bidder & 1 if int(row[BID]) else 0
    return int(row[TAKEN + side]) + int(row[TAKEN + side + 2])


@kernel
def guess_tricks(w: Workspace, high: int) -> int:
    """Return a first guess at the tricks counted: half of them, moved by what the sides hold more of."""
    # Half a trick more: the window above the value and the one below it end the search, and the upper is cheaper first.
    sum_64 = 32 * high + 64
    if int(w[space.MISERE]):
        return (high + 1) >> 1
    ours = int(w[HANDS]) | int(w[HANDS + 2])
    theirs = int(w[HANDS + 1]) | int(w[HANDS + 3])
    column = 1 if int(w[space.TRUMPS]) else 0
    plain = ONES & ~int(w[space.TRUMPS])
    for rank in range(GUESS_RANKS):
        more = popcount(ours & plain << rank) - popcount(theirs & plain << rank)
        sum_64 += int(PLAIN_64[rank, column]) * more
    sum_64 += JOKER_64 * (popcount(ours & LOOSE) - popcount(theirs & LOOSE))
    if column:
        for rank in range(GUESS_RANKS):
            sum_64 += int(TRUMP_64[rank]) * ((ours >> rank & 1) - (theirs >> rank & 1))
        sum_64 += TRUMP_LENGTH_64 * (popcount(ours & LANE) - popcount(theirs & LANE))
    lead = int(LEAD_64[column])
    sum_64 += -lead if int(w[FRAMES + space.SEAT]) & 1 else lead
    return sum_64 >> 6


@kernel
def copy_row(row: Row, into: Row) -> None:
    """Copy a state row into another."""
    for column in range(N_COLUMNS):
        into[column] = row[column]


@kernel
def solve_row(row: Row, w: Workspace) -> int:
    """Return the value of a position in the nominate, play or name phase, or at the end of a played deal."""
    phase = int(row[PHASE])
    if phase == OVER:
        return final_value(row)
    if phase == PLAY:
        return solve_better(row, w, True, NO_VALUE)
    return solve_choice(row, w, NO_VALUE)


@kernel
def wants_high(row: Row) -> bool:
    """Tell whether the seat to move wants a high value."""
    seat = int(row[SEAT])
    if int(row[BID]) >= MIS:
        return seat != int(row[BIDDER])
    ours = int(row[BIDDER]) & 1 if int(row[BID]) else 0
    return seat & 1 == ours


@kernel
def _better(row: Row, best: int, value: int) -> int:
    """Return which of two values the seat to move prefers; `NO_VALUE` is none."""
    if best == NO_VALUE:
        return value
    return max(best, value) if wants_high(row) else min(best, value)


@kernel
def solve_choice(row: Row, w: Workspace, best: int) -> int:
    """Return the value before a nomination or a name if the mover likes it better than `best`, else `best`."""
    legal = legal_mask(row)
    while legal:
        action = FIRST_NAME + lowest(legal)
        legal &= legal - 1
        best = _better(row, best, _solve_chosen(row, w, action, best))
    return best


@kernel
def _solve_chosen(row: Row, w: Workspace, action: int, best: int) -> int:
    """Return the value after a nomination or a name if the mover likes it better than `best`, else `best`.

    Where a second joker is nominated next, the best of that counts.
    """
    up = wants_high(row)
    first = w[SCRATCH : SCRATCH + N_COLUMNS]
    copy_row(row, first)
    apply(first, action)
    if int(first[PHASE]) != NOMINATE:
        return solve_better(first, w, up, best)
    second = w[SCRATCH + N_COLUMNS : SCRATCH + 2 * N_COLUMNS]
    legal = legal_mask(first)
    while legal:
        action = FIRST_NAME + lowest(legal)
        legal &= legal - 1
        copy_row(first, second)
        apply(second, action)
        best = _better(row, best, solve_better(second, w, up, best))
    return best


@kernel
def solve_better(row: Row, w: Workspace, up: bool, best: int) -> int:
    """Return the value of a position in the play if it is better than `best`, else `best`.

    Args:
        row: The position, with a card to be played.
        w: The workspace.
        up: Whether higher is better.
        best: The value to beat, `NO_VALUE` for none.
    """
    load(row, w)
    high = most(row, w)
    low = 0
    guess = guess_tricks(w, high)
    if best != NO_VALUE:
        # The counted side of the search may be the other one.
        flipped = to_value(row, w, 1) < to_value(row, w, 0)
        counted = best - int(w[space.TAKEN_SO_FAR])
        if flipped:
            counted = int(row[RULE_HAND]) - best - int(w[space.TAKEN_SO_FAR])
        if up != flipped:
            low = max(counted, 0)
            guess = low + 1
        else:
            high = min(counted, high)
            guess = high
    return to_value(row, w, value_between(w, FRAMES, low, high, guess))


@kernel
def solve_row_moves(row: Row, w: Workspace, values: Values) -> int:
    """Write the value of every legal action of the nominate, play or name phase; return the best.

    Args:
        row: The position.
        w: The workspace.
        values: `[N_ACTIONS] int64`, `NO_VALUE` written for what is not legal.
    """
    for action in range(N_ACTIONS):
        values[action] = NO_VALUE
    if int(row[PHASE]) == PLAY:
        return _solve_cards(row, w, values)
    best = NO_VALUE
    legal = legal_mask(row)
    while legal:
        action = FIRST_NAME + lowest(legal)
        legal &= legal - 1
        values[action] = _solve_chosen(row, w, action, NO_VALUE)
        best = _better(row, best, int(values[action]))
    return best


@kernel
def _solve_cards(row: Row, w: Workspace, values: Values) -> int:
    """Write the value of every card that may be played; return the best."""
    load(row, w)
    high = most(row, w)
    seat = int(row[SEAT])
    hand = int(w[HANDS + seat])
    legal = legal_mask(row)
    guess = guess_tricks(w, high)
    best = NO_VALUE
    for card in range(CARDS):
        if legal >> card & 1 == 0:
            continue
        place = int(w[space.PLACES + card])
        twin = _twin(w, hand, place, card, values)
        if twin >= 0:
            values[FIRST_CARD + card] = values[FIRST_CARD + twin]
            continue
        guess = _card_tricks(w, hand, place, high, guess)
        values[FIRST_CARD + card] = to_value(row, w, guess)
        best = _better(row, best, int(values[FIRST_CARD + card]))
    return best


@kernel
def _twin(w: Workspace, hand: int, place: int, card: int, values: Values) -> int:
    """Return a solved card that is as good as another, as its neighbour in the hand; -1 when there is none."""
    master = int(w[space.MASTER])
    for other in range(CARDS):
        if int(values[FIRST_CARD + other]) != NO_VALUE and other != card:
            there = int(w[space.PLACES + other])
            if there == master or place == master:
                continue
            if there >> 4 == place >> 4 and there & ~1 != 14 and place & ~1 != 14:
                between = (1 << max(there, place)) - (1 << min(there, place))
                if hand & between == between:
                    return other
    return -1


@kernel
def _card_tricks(w: Workspace, hand: int, place: int, high: int, guess: int) -> int:
    """Return the tricks counted when a card is played at frame 0; a joker led names the best suit."""
    named = place >> 4
    if int(w[FRAMES + space.INDEX]) or place & ~1 != 14:
        return _move_tricks(w, place | named << 6, 0, high, guess)
    maximiser = is_maximiser(w, int(w[FRAMES + space.SEAT]))
    low = 0
    free = names(w, FRAMES, hand)
    while free:
        move = place | lowest(free) << 6
        free &= free - 1
        if maximiser:
            low = _move_tricks(w, move, low, high, guess)
            guess = low + 1
        else:
            high = _move_tricks(w, move, low, high, guess)
            guess = high
    return low if maximiser else high


@kernel
def _move_tricks(w: Workspace, move: int, low: int, high: int, guess: int) -> int:
    """Return the tricks counted after a move at frame 0, no further from low … high than its ends."""
    while low < high:
        guess = min(max(guess, low + 1), high)
        w[FRAMES + space.NEED] = guess
        play_move(w, FRAMES, move)
        verdict = prove(w, FRAMES + FRAME)
        take_back(w, FRAMES)
        if verdict:
            low = guess
            guess += 1
        else:
            high = guess - 1
            guess -= 1
    return low


@kernel
def solve_discards_row(row: Row, w: Workspace, choices: Values, chosen: Values, values: Values) -> int:
    """Find the best of several choices of discards; return how many were found.

    A choice that can not be better than the last one found is refuted, not valued.

    Args:
        row: A position in the discard phase.
        w: The workspace.
        choices: `[N] int64` the cards to put away, masks; the likely ones first.
        chosen: `[M] int64`, written: the M best choices, the best first and equal ones as they stand in `choices`.
        values: `[M] int64`, written: their values.
    """
    kept = w[SCRATCH + 2 * N_COLUMNS : SCRATCH + 3 * N_COLUMNS]
    up = wants_high(row)
    found = 0
    for i in range(choices.size):
        full = found == values.size
        worst = int(values[found - 1]) if full else NO_VALUE
        copy_row(row, kept)
        cards = int(choices[i])
        while cards:
            apply(kept, FIRST_CARD + lowest(cards))
            cards &= cards - 1
        if int(kept[PHASE]) == NOMINATE:
            value = solve_choice(kept, w, worst)
        else:
            value = solve_better(kept, w, up, worst)
        if full and value == worst:
            continue
        at = found if not full else found - 1
        while at > 0 and int(values[at - 1]) != value and (int(values[at - 1]) < value) == up:
            values[at] = values[at - 1]
            chosen[at] = chosen[at - 1]
            at -= 1
        values[at] = value
        chosen[at] = choices[i]
        if not full:
            found += 1
    return found


@kernel
def begin_contract(row: Row, into: Row, bid: int, contractor: int) -> None:
    """Write the start of the play of a contract with the hands of `row`, which are taken as they are.

    Args:
        row: A row at the start of a deal, the hands as dealt.
        into: The row to write: in the nominate phase where the contract has one, else in the play.
        bid: The contract.
        contractor: Who plays it.

    Rules: R5.1, R6.1.
    """
    copy_row(row, into)
    into[BID] = bid
    into[BIDDER] = contractor
    into[STRAIN] = bid_strain(bid)
    into[SEAT] = contractor
    if has_nomination(into):
        into[PHASE] = NOMINATE
    else:
        into[PHASE] = PLAY
        begin_play(into, contractor)


@kernel
def solve_table_row(row: Row, w: Workspace, table: Values) -> None:
    """Value every strain and the misère for every contractor, the hands of a deal taken as they are.

    Args:
        row: A row in the auction.
        w: The workspace.
        table: `[24] int64`, written: four contractors for each of the strains, then for the misère.
    """
    start = w[SCRATCH + 2 * N_COLUMNS : SCRATCH + 3 * N_COLUMNS]
    for kind in range(STRAINS + 1):
        bid = MIS if kind == STRAINS else FIRST_BID + kind
        for contractor in range(SEATS):
            begin_contract(row, start, bid, contractor)
            table[SEATS * kind + contractor] = solve_row(start, w)


@kernel
def solve_rows(rows: Rows, w: Workspace, values: Values) -> None:
    """Write the values of `[N, N_COLUMNS]` rows of the phases that `solve_row` takes into `[N] int64`."""
    for i in range(values.size):
        values[i] = solve_row(rows[i], w)

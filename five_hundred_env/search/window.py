"""The search: do the maximising seats take a number of tricks, yes or no?

A zero-window search with an explicit stack. A frame is a position with one seat to play a card; a verdict is 1 when the
maximisers get what they need. With each verdict comes RELEVANT, the cards whose ranks it rests on: the same verdict
holds in every position of the same shape in which the same hands own the highest cards of each lane as far down as
that. This is what makes the table of `table` hit.

Rules: R6.2, R6.3, R7.1, R8.2.
"""

from __future__ import annotations

from five_hundred_env.core._jit import highest, kernel, popcount
from five_hundred_env.search.bounds import bound
from five_hundred_env.search.lanes import close_gaps, open_gaps
from five_hundred_env.search.moves import beats, is_maximiser, joker_story, list_moves, master_place, next_seat
from five_hundred_env.search.table import probe, store
from five_hundred_env.search.workspace import (
    ANSWER,
    BEST,
    COUNT,
    COUNTED,
    FRAME,
    FRAMES,
    HAND,
    HANDS,
    INDEX,
    KILLERS,
    LANE,
    LANES,
    LAST,
    LED,
    LEFT,
    MASTER,
    MASTER_OUT,
    MOVES,
    NEED,
    NODES,
    RELEVANT,
    REMOVED,
    SAVED,
    SEAT,
    STORY,
    SUITED,
    TRICK,
    TRIED,
    TRUMPS,
    WINNER,
    Workspace,
)


@kernel
def prove(w: Workspace, root: int) -> int:
    """Return 1 when the maximising seats take the tricks they need from the position in frame `root` on, else 0."""
    frame = root
    verdict = _open(w, frame)
    while True:
        if verdict < 0:
            if _advance(w, frame):
                frame += FRAME
                verdict = _open(w, frame)
                continue
            # Every move was tried, none was good for who plays here.
            verdict = 1 - is_maximiser(w, int(w[frame + SEAT]))
            w[RELEVANT] = w[frame + ANSWER]
            if int(w[frame + INDEX]) == 0:
                store(w, frame, verdict, -1)
        if frame == root:
            return verdict
        frame -= FRAME
        verdict = _retreat(w, frame, verdict)


@kernel
def _open(w: Workspace, frame: int) -> int:
    """Enter a frame: return a verdict if one can be had without search, else list its moves and return -1."""
    w[NODES] += 1
    present = int(w[HANDS]) | int(w[HANDS + 1]) | int(w[HANDS + 2]) | int(w[HANDS + 3])
    if int(w[frame + INDEX]) == 0:
        w[RELEVANT] = 0
        need = int(w[frame + NEED])
        left = int(w[frame + LEFT])
        if need <= 0:
            return 1
        if need > left:
            return 0
        # With a MASTER in play the name that a joker gets in the last trick matters.
        if left == 1 and int(w[MASTER]) < 0:
            return _last_trick(w, frame, present)
        verdict = bound(w, frame, present)
        if verdict < 0:
            verdict = probe(w, frame)
        if verdict >= 0:
            return verdict
    w[frame + ANSWER] = 0
    list_moves(w, frame, present)
    return -1


@kernel
def _last_trick(w: Workspace, frame: int, present: int) -> int:
    """Return the verdict on the last trick, which plays itself; one trick is needed."""
    trumps = int(w[TRUMPS])
    seat = int(w[frame + SEAT])
    winner = seat
    best = highest(int(w[HANDS + seat]))
    led = best >> 4
    for _ in range(int(w[LAST])):
        seat = next_seat(w, seat)
        place = highest(int(w[HANDS + seat]))
        if beats(place, best, trumps, led, -1):
            best = place
            winner = seat
    if best & ~1 != 14 and popcount(present & (LANE << (best & 48))) > 1:
        w[RELEVANT] = 1 << best
    return int(w[COUNTED]) >> winner & 1


@kernel
def _advance(w: Workspace, frame: int) -> bool:
    """Play the best move of a frame that is not tried, and fill the next frame; False when there is none."""
    tried = int(w[frame + TRIED])
    count = int(w[frame + COUNT])
    if tried >= count:
        return False
    here = frame + MOVES + tried
    chosen = int(w[here])
    at = here
    for other in range(here + 1, frame + MOVES + count):
        if int(w[other]) > chosen:
            chosen = int(w[other])
            at = other
    w[at] = w[here]
    w[here] = chosen
    w[frame + TRIED] = tried + 1
    play_move(w, frame, chosen & 255)
    return True


@kernel
def play_move(w: Workspace, frame: int, move: int) -> None:
    """Play a move, and fill the next frame."""
    seat = int(w[frame + SEAT])
    index = int(w[frame + INDEX])
    place = move & 63
    hand = int(w[HANDS + seat])
    w[frame + HAND] = hand
    w[HANDS + seat] = hand ^ 1 << place
    best = int(w[frame + BEST])
    winner = int(w[frame + WINNER])
    led = int(w[frame + LED])
    if index == 0:
        led = move >> 6
    child = frame + FRAME
    w[child + STORY] = joker_story(int(w[frame + STORY]), seat, move, index, led)
    master = master_place(w, int(w[frame + STORY]))
    if index == 0 or beats(place, best, int(w[TRUMPS]), led, master):
        best = place
        winner = seat
    trick = int(w[frame + TRICK]) | 1 << place
    if index < int(w[LAST]):
        w[child + SEAT] = next_seat(w, seat)
        w[child + INDEX] = index + 1
        w[child + LEFT] = w[frame + LEFT]
        w[child + NEED] = w[frame + NEED]
        w[child + LED] = led
        w[child + WINNER] = winner
        w[child + BEST] = best
        w[child + TRICK] = trick
        w[frame + REMOVED] = 0
        return
    # `_retreat` needs the whole trick and what took it.
    w[child + BEST] = best
    w[child + WINNER] = winner
    w[child + TRICK] = 0
    w[frame + REMOVED] = trick
    if master >= 0 and trick >> master & 1:
        w[child + STORY] |= MASTER_OUT
    w[child + SEAT] = winner
    w[child + INDEX] = 0
    w[child + LED] = -1
    w[child + LEFT] = int(w[frame + LEFT]) - 1
    w[child + NEED] = int(w[frame + NEED]) - (int(w[COUNTED]) >> winner & 1)
    for other in range(LANES):
        cards = int(w[HANDS + other])
        w[frame + SAVED + other] = cards
        w[HANDS + other] = close_gaps(cards, trick & SUITED)


@kernel
def take_back(w: Workspace, frame: int) -> None:
    """Give the cards of the last move of a frame back."""
    if int(w[frame + REMOVED]):
        for other in range(LANES):
            w[HANDS + other] = w[frame + SAVED + other]
    w[HANDS + int(w[frame + SEAT])] = w[frame + HAND]


@kernel
def _retreat(w: Workspace, frame: int, verdict: int) -> int:
    """Take the last move of a frame back; return the verdict if it decides the frame, else -1."""
    seat = int(w[frame + SEAT])
    relevant = int(w[RELEVANT])
    removed = int(w[frame + REMOVED])
    take_back(w, frame)
    if removed:
        relevant = open_gaps(relevant, removed & SUITED)
        relevant |= _by_rank(w, frame, removed, verdict)
    if verdict == is_maximiser(w, seat):
        w[RELEVANT] = relevant
        move = int(w[frame + MOVES + int(w[frame + TRIED]) - 1]) & 255
        w[KILLERS + (frame - FRAMES) // FRAME] = move
        if int(w[frame + INDEX]) == 0:
            store(w, frame, verdict, move)
        return verdict
    w[frame + ANSWER] = int(w[frame + ANSWER]) | relevant
    return -1


@kernel
def _by_rank(w: Workspace, frame: int, trick: int, verdict: int) -> int:
    """Return the card that took a trick if it took it by its rank, with its lower neighbours where they count.

    Its neighbours were not tried: a seat that failed with it must fail with any of them.
    """
    best = int(w[frame + FRAME + BEST])
    winner = int(w[frame + FRAME + WINNER])
    if best & ~1 == 14:
        return 0
    part = LANE << (best & 48)
    if popcount(trick & part) < 2:
        return 0
    card = 1 << best
    if verdict == is_maximiser(w, winner):
        return card
    hand = int(w[HANDS + winner]) & ~card
    nearest = best
    while hand >> (nearest + 1) & 1:
        nearest += 1
    return 1 << nearest & part | card

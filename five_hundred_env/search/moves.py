"""The moves worth trying at a frame, and in which order.

A move is `place | lane << 6`, the lane being the one that a suitless joker names when it is led. Of neighbours in
a hand only the highest is tried. Moves stand in a frame as `score << 8 | move`.

Rules: R6.2, R7.2, R7.3, R7.4, R7.5, R8.2, O.joker_no_trumps.*.
"""

from __future__ import annotations

from five_hundred_env.core._jit import highest, kernel, lowest, popcount
from five_hundred_env.core.rules import JOKER_FREE, JOKER_LAST_TRICK_LEAD, JOKER_NOT_SHOWN_VOID
from five_hundred_env.search.lanes import heads
from five_hundred_env.search.workspace import (
    BEST,
    COUNT,
    COUNTED,
    FRAME,
    FRAMES,
    HANDS,
    IDLE,
    INDEX,
    J2_PLACE,
    JK_PLACE,
    KILLERS,
    LANE,
    LANES,
    LAST,
    LED,
    LOOSE,
    MASTER,
    MASTER_OUT,
    MAXIMISERS,
    MISERE,
    MOVES,
    OPTION,
    SEAT,
    STORY,
    SUITED,
    TRIED,
    TRUMPS,
    WINNER,
    Workspace,
)

ALL_LANES = (1 << LANES) - 1
BASE = 4096
"""Added to every score: moves stay positive numbers."""


@kernel
def _add(w: Workspace, frame: int, move: int, score: int) -> None:
    """Put a move on the list of a frame."""
    n = int(w[frame + COUNT])
    if int(w[KILLERS + (frame - FRAMES) // FRAME]) == move:
        score += 25
    w[frame + MOVES + n] = (score + BASE) << 8 | move
    w[frame + COUNT] = n + 1


@kernel
def beats(place: int, best: int, trumps: int, led: int, master: int) -> bool:
    """Tell whether a card takes the trick from the one that stands; -1 when none does.

    Args:
        place: The card.
        best: The card that stands.
        trumps: LANE in a suit contract, else 0.
        led: The lane led.
        master: The place of a nominated JK that stands above a suitless J2, -1 for none.

    Rules: R6.3, R7.1, O.pack.46.
    """
    if best < 0:
        return True
    if best & ~1 == JK_PLACE:
        return place == JK_PLACE or (place == master and best == J2_PLACE and place >> 4 == led)
    if place & ~1 == JK_PLACE:
        return place == JK_PLACE or best != master
    if place >> 4 == best >> 4:
        return place < best
    return trumps != 0 and place < 16


@kernel
def master_place(w: Workspace, story: int) -> int:
    """Return the place of the nominated JK that a suitless J2 can not beat, -1 when there is none in play."""
    return -1 if story & MASTER_OUT else int(w[MASTER])


@kernel
def voids_shown(story: int, seat: int) -> int:
    """Return the lanes that a seat has failed to follow."""
    return story >> (LANES + LANES * seat) & ALL_LANES


@kernel
def names(w: Workspace, frame: int, hand: int) -> int:
    """Return the lanes that a suitless joker of a hand may name now; none when it may not be led.

    Rules: R7.4, R7.5, O.joker_no_trumps.*.
    """
    option = int(w[OPTION])
    story = int(w[frame + STORY])
    only_jokers = hand & SUITED == 0
    if option == JOKER_FREE:
        return ALL_LANES
    if option == JOKER_NOT_SHOWN_VOID:
        return ALL_LANES if only_jokers else ALL_LANES & ~voids_shown(story, int(w[frame + SEAT]))
    free = ALL_LANES & ~story
    if only_jokers:
        return free if free else ALL_LANES
    return 0 if option == JOKER_LAST_TRICK_LEAD else free


@kernel
def may_follow(w: Workspace, frame: int, hand: int) -> int:
    """Return the cards that the seat of a frame may play to a trick that was led.

    Rules: R6.2, R7.2, R7.3, O.joker_no_trumps.not_shown_void.
    """
    led = int(w[frame + LED])
    follow = hand & (LANE << (16 * led))
    if follow:
        return follow
    loose = hand & LOOSE
    if loose == 0:
        return hand
    shown = voids_shown(int(w[frame + STORY]), int(w[frame + SEAT]))
    if int(w[OPTION]) == JOKER_NOT_SHOWN_VOID and shown >> led & 1 and hand & SUITED:
        return hand & SUITED
    return loose if int(w[MISERE]) else hand


@kernel
def list_moves(w: Workspace, frame: int, present: int) -> None:
    """Write the moves of a frame, not yet in order.

    Args:
        w: The workspace.
        frame: Where the frame starts.
        present: All cards that are in a hand.
    """
    w[frame + COUNT] = 0
    w[frame + TRIED] = 0
    seat = int(w[frame + SEAT])
    hand = int(w[HANDS + seat])
    if int(w[frame + INDEX]):
        _list_following(w, frame, heads(may_follow(w, frame, hand)))
        return
    cards = heads(hand)
    if cards & LOOSE:
        joker = lowest(cards & LOOSE)
        free = names(w, frame, hand)
        for lane in range(LANES):
            if free >> lane & 1:
                _add(w, frame, joker | lane << 6, 0)
        cards &= SUITED
    if int(w[MISERE]):
        _list_misere_leads(w, frame, cards, present)
    else:
        _list_leads(w, frame, cards, present)


@kernel
def _list_leads(w: Workspace, frame: int, cards: int, present: int) -> None:
    """List the suited cards to lead."""
    seat = int(w[frame + SEAT])
    trumps = int(w[TRUMPS])
    hand = int(w[HANDS + seat])
    left_hand = int(w[HANDS + ((seat + 1) & 3)])
    partner = int(w[HANDS + ((seat + 2) & 3)])
    right_hand = int(w[HANDS + ((seat + 3) & 3)])
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        part = LANE << (place & 48)
        top = 1 << (place & 48)
        is_trump = trumps != 0 and place < 16
        score = place & 15
        if trumps and not is_trump:
            if (left_hand & part == 0 and left_hand & trumps) or (right_hand & part == 0 and right_hand & trumps):
                score -= 40
        if place & 15 == 0:
            score += 30 if is_trump else 60
        else:
            if top & partner:
                score += 40
            elif partner & part == 0 and partner & trumps and not is_trump:
                score += 35
            elif top & right_hand:
                score += 5
            if is_trump:
                score -= 2 * popcount(hand & part)
        _add(w, frame, place | place >> 4 << 6, score)


@kernel
def _list_following(w: Workspace, frame: int, cards: int) -> None:
    """List the cards to play to a trick that was led."""
    if cards & (cards - 1) == 0:
        w[frame + MOVES] = BASE << 8 | lowest(cards)
        w[frame + COUNT] = 1
        return
    if int(w[MISERE]):
        _list_misere_following(w, frame, cards)
        return
    seat = int(w[frame + SEAT])
    index = int(w[frame + INDEX])
    led = int(w[frame + LED])
    best = int(w[frame + BEST])
    trumps = int(w[TRUMPS])
    after = int(w[HANDS + ((seat + 1) & 3)])
    ours = (int(w[frame + WINNER]) ^ seat) & 1 == 0
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        score = place & 15
        if place < 16 and trumps and led:
            score -= 15
        if beats(place, best, trumps, led, -1):
            if index == int(w[LAST]):
                score += 0 if ours else 100
            else:
                if not ours:
                    score += 50
                part = LANE << (place & 48)
                if place >> 4 == led and after & part & ((1 << place) - 1) == 0:
                    if after & part or trumps == 0 or after & trumps == 0 or led == 0:
                        score += 20
                if not ours and index == 1:
                    score += 12 - (place & 15)
        _add(w, frame, place, score)


@kernel
def _list_misere_leads(w: Workspace, frame: int, cards: int, present: int) -> None:
    """List the suited cards to lead in a misère."""
    seat = int(w[frame + SEAT])
    counted = int(w[COUNTED])
    contractor = 0
    while counted >> contractor & 1 == 0:
        contractor += 1
    target = int(w[HANDS + contractor])
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        part = LANE << (place & 48)
        score = place & 15
        if seat != contractor:
            if target & part:
                score += 20
                if highest(target & part) < place:
                    score += 40
            else:
                score -= 20
        elif (present & ~target) & part & ((1 << place) - 1) == 0:
            score -= 50
        _add(w, frame, place | place >> 4 << 6, score)


@kernel
def _list_misere_following(w: Workspace, frame: int, cards: int) -> None:
    """List the cards to play to a trick of a misère that was led."""
    seat = int(w[frame + SEAT])
    led = int(w[frame + LED])
    best = int(w[frame + BEST])
    contractor = int(w[COUNTED]) >> seat & 1
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        rank = place & 15
        if contractor:
            # Duck as high as possible; throw away what is high.
            score = -rank
            if beats(place, best, 0, led, -1):
                score -= 50
        elif place >> 4 == led:
            # Stay low, so that the contractor has to take it.
            score = rank
        else:
            score = -rank
        _add(w, frame, place, score)


@kernel
def next_seat(w: Workspace, seat: int) -> int:
    """Return the seat that plays after another.

    Rules: R2.1, R8.2.
    """
    seat = (seat + 1) & 3
    if seat == int(w[IDLE]):
        seat = (seat + 1) & 3
    return seat


@kernel
def is_maximiser(w: Workspace, seat: int) -> int:
    """Return 1 for a seat that wants tricks counted, else 0."""
    return int(w[MAXIMISERS]) >> seat & 1


@kernel
def joker_story(story: int, seat: int, move: int, index: int, led: int) -> int:
    """Return the suits led and the voids shown after a move."""
    if index == 0:
        return story | 1 << (move >> 6)
    place = move & 63
    if place >> 4 != led or place & ~1 == 14:
        story |= 1 << (LANES + LANES * seat + led)
    return story

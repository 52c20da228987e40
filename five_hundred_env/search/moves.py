"""The moves worth trying at a frame, and in which order.

A move is `place | lane << 6`, the lane being the one that a suitless joker names when it is led. Of neighbours in
a hand only the highest is tried. Moves stand in a frame as `score << 8 | move`.

Rules: R6.2, R7.2, R7.3, R7.4, R7.5, R8.2, O.joker_no_trumps.*.
"""

from __future__ import annotations

from five_hundred_env.core._jit import highest, kernel, lowest, popcount
from five_hundred_env.core.rules import JOKER_FREE, JOKER_LAST_TRICK_LEAD, JOKER_NOT_SHOWN_VOID
from five_hundred_env.search.lanes import heads
from five_hundred_env.search.order import (
    FOLLOW_KILLER,
    FOLLOW_WEIGHTS,
    JOKER_LEAD,
    JOKER_OVER_PARTNER,
    LAST_OVER_PARTNER,
    LAST_WINS,
    LEAD_HINT,
    LEAD_KILLER,
    LEAD_WEIGHTS,
    LEFT_RUFFS,
    LEFT_TOP_OWN_SECOND,
    LEFT_TOP_PARTNER_SECOND,
    LOW_CARD,
    LOW_LEAD,
    OWN_LENGTH,
    PARTNER_CAN_WIN,
    PARTNER_LENGTH,
    PARTNER_RUFFS,
    PARTNER_TOP,
    PARTNER_TOP_AND_SECOND,
    RIGHT_RUFFS,
    RIGHT_TOP,
    RIGHT_TOP_OWN_SECOND,
    RIGHT_TOP_PARTNER_SECOND,
    RUFF,
    SECOND_RANK,
    SECOND_SAFE,
    SECOND_WINS,
    THIRD_OVER_BEATEN,
    THIRD_OVER_PARTNER,
    THIRD_RANK,
    THIRD_SAFE,
    THIRD_WINS,
    THROWN_GUARD,
    THROWN_LENGTH,
    THROWN_SINGLE,
    THROWN_TOP,
    TOP_AND_SECOND,
    TOP_CARD,
    TOP_TRUMP,
    TRUMP_LEAD,
    TRUMP_LENGTH,
)
from five_hundred_env.search.workspace import (
    BEST,
    COUNT,
    COUNTED,
    FRAME,
    FRAMES,
    HANDS,
    HINT,
    IDLE,
    INDEX,
    J2_PLACE,
    JK_PLACE,
    KILLERS,
    LANE,
    LANE_BITS,
    LANE_START,
    LANES,
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
    """Put a move on the list of a frame; one that decided a position of this shape or depth before comes early."""
    n = int(w[frame + COUNT])
    if int(w[frame + INDEX]):
        if int(w[KILLERS + (frame - FRAMES) // FRAME]) == move:
            score += FOLLOW_KILLER
    else:
        if int(w[frame + HINT]) == move + 1:
            score += LEAD_HINT
        if int(w[KILLERS + (frame - FRAMES) // FRAME]) == move:
            score += LEAD_KILLER
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
    follow = hand & (LANE << (LANE_BITS * led))
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
    master = master_place(w, int(w[frame + STORY]))
    if int(w[frame + INDEX]):
        legal = may_follow(w, frame, hand)
        _list_following(w, frame, heads(legal) | _after_master(legal, master))
        return
    cards = heads(hand) | _after_master(hand, master)
    if cards & LOOSE:
        joker = lowest(cards & LOOSE)
        free = names(w, frame, hand)
        for lane in range(LANES):
            if free >> lane & 1:
                _add(w, frame, joker | lane << 6, JOKER_LEAD)
        cards &= SUITED
    if int(w[MISERE]):
        _list_misere_leads(w, frame, cards, present)
    else:
        _list_leads(w, frame, cards)


@kernel
def _after_master(legal: int, master: int) -> int:
    """Return the neighbour below a nominated JK that stands above a suitless J2: that JK has no equal."""
    if master < 0 or legal >> master & 1 == 0:
        return 0
    return legal & 2 << master


@kernel
def _list_leads(w: Workspace, frame: int, cards: int) -> None:
    """List the suited cards to lead."""
    seat = int(w[frame + SEAT])
    trumps = int(w[TRUMPS])
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        if trumps and place < LANE_BITS:
            score = _trump_lead_score(w, seat, place)
        else:
            score = _plain_lead_score(w, seat, place, trumps)
        _add(w, frame, place | place >> 4 << 6, score)


@kernel
def _top_score(w: Workspace, seat: int, place: int, column: int) -> int:
    """Return the worth of a lead by who has the two highest cards of its lane."""
    top = 1 << (place & LANE_START)
    second = top << 1
    hand = int(w[HANDS + seat])
    partner = int(w[HANDS + ((seat + 2) & 3)])
    if top & hand or top & partner:
        score = int(LEAD_WEIGHTS[PARTNER_TOP, column]) if top & partner else 0
        if second & (hand | partner):
            both = PARTNER_TOP_AND_SECOND if top & partner else TOP_AND_SECOND
            score += int(LEAD_WEIGHTS[both, column])
        return score
    if top & int(w[HANDS + ((seat + 3) & 3)]):
        score = int(LEAD_WEIGHTS[RIGHT_TOP, column])
        if second & partner:
            score += int(LEAD_WEIGHTS[RIGHT_TOP_PARTNER_SECOND, column])
        if second & hand:
            score += int(LEAD_WEIGHTS[RIGHT_TOP_OWN_SECOND, column])
        return score
    if second & partner:
        return int(LEAD_WEIGHTS[LEFT_TOP_PARTNER_SECOND, column])
    return int(LEAD_WEIGHTS[LEFT_TOP_OWN_SECOND, column]) if second & hand else 0


@kernel
def _trump_lead_score(w: Workspace, seat: int, place: int) -> int:
    """Return the worth of the lead of a trump."""
    score = int(LEAD_WEIGHTS[LOW_LEAD, 1]) * place + int(LEAD_WEIGHTS[TRUMP_LEAD, 1])
    score += int(LEAD_WEIGHTS[TRUMP_LENGTH, 1]) * popcount(int(w[HANDS + seat]) & LANE)
    if place == 0:
        score += int(LEAD_WEIGHTS[TOP_TRUMP, 1])
    return score + _top_score(w, seat, place, 1)


@kernel
def _plain_lead_score(w: Workspace, seat: int, place: int, trumps: int) -> int:
    """Return the worth of the lead of a card that is no trump."""
    column = 1 if trumps else 0
    rank = place & 15
    part = LANE << (place & LANE_START)
    partner = int(w[HANDS + ((seat + 2) & 3)])
    score = int(LEAD_WEIGHTS[LOW_LEAD, column]) * rank
    score += int(LEAD_WEIGHTS[OWN_LENGTH, column]) * popcount(int(w[HANDS + seat]) & part)
    score += int(LEAD_WEIGHTS[PARTNER_LENGTH, column]) * popcount(partner & part)
    if trumps:
        left_hand = int(w[HANDS + ((seat + 1) & 3)])
        right_hand = int(w[HANDS + ((seat + 3) & 3)])
        if left_hand & part == 0 and left_hand & trumps:
            score -= int(LEAD_WEIGHTS[LEFT_RUFFS, 1])
        if right_hand & part == 0 and right_hand & trumps:
            score -= int(LEAD_WEIGHTS[RIGHT_RUFFS, 1])
        if rank and partner & part == 0 and partner & trumps:
            return score + int(LEAD_WEIGHTS[PARTNER_RUFFS, 1])
    if rank == 0:
        score += int(LEAD_WEIGHTS[TOP_CARD, column])
    return score + _top_score(w, seat, place, column)


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
    led = int(w[frame + LED])
    best = int(w[frame + BEST])
    trumps = int(w[TRUMPS])
    seat = int(w[frame + SEAT])
    hand = int(w[HANDS + seat])
    column = 1 if trumps else 0
    winning = _winning_score(w, frame, seat, column)
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        if place & ~1 == JK_PLACE:
            ours = (int(w[frame + WINNER]) ^ seat) & 1 == 0
            _add(w, frame, place, JOKER_OVER_PARTNER if ours else winning)
            continue
        score = int(FOLLOW_WEIGHTS[LOW_CARD, column]) * (place & 15)
        if place >> 4 != led:
            if trumps and place < LANE_BITS:
                score -= int(FOLLOW_WEIGHTS[RUFF, 1])
            else:
                score += _thrown_score(hand, place, column)
        if beats(place, best, trumps, led, -1):
            score += winning + _safe_score(w, frame, place, column)
        _add(w, frame, place, score)


@kernel
def _thrown_score(hand: int, place: int, column: int) -> int:
    """Return the worth of a card that is thrown away."""
    start = place & LANE_START
    length = popcount(hand & (LANE << start))
    score = int(FOLLOW_WEIGHTS[THROWN_LENGTH, column]) * length
    if place & 15 == 0:
        score -= int(FOLLOW_WEIGHTS[THROWN_TOP, column])
    if length == 1:
        score += int(FOLLOW_WEIGHTS[THROWN_SINGLE, column])
    elif length == 2 and hand >> (start + 1) & 1:
        score -= int(FOLLOW_WEIGHTS[THROWN_GUARD, column])
    return score


@kernel
def _can_beat(hand: int, best: int, led: int, trumps: int) -> bool:
    """Tell whether a hand holds a card for the trick that is higher than the one that stands."""
    follow = hand & (LANE << (LANE_BITS * led))
    if follow:
        return best >> 4 == led and lowest(follow) < best
    return hand & trumps != 0


@kernel
def _winning_score(w: Workspace, frame: int, seat: int, column: int) -> int:
    """Return the worth of winning the trick so far at a frame."""
    ours = (int(w[frame + WINNER]) ^ seat) & 1 == 0
    index = int(w[frame + INDEX])
    if index == 3:
        return int(FOLLOW_WEIGHTS[LAST_OVER_PARTNER if ours else LAST_WINS, column])
    best = int(w[frame + BEST])
    led = int(w[frame + LED])
    trumps = int(w[TRUMPS])
    if ours:
        score = int(FOLLOW_WEIGHTS[THIRD_OVER_PARTNER, column])
        if _can_beat(int(w[HANDS + ((seat + 1) & 3)]), best, led, trumps):
            score += int(FOLLOW_WEIGHTS[THIRD_OVER_BEATEN, column])
        return score
    if index == 2:
        return int(FOLLOW_WEIGHTS[THIRD_WINS, column])
    score = int(FOLLOW_WEIGHTS[SECOND_WINS, column])
    if _can_beat(int(w[HANDS + ((seat + 2) & 3)]), best, led, trumps):
        score -= int(FOLLOW_WEIGHTS[PARTNER_CAN_WIN, column])
    return score


@kernel
def _safe_score(w: Workspace, frame: int, place: int, column: int) -> int:
    """Return the worth of a card that wins the trick so far, by its rank and by what the next seat can do."""
    index = int(w[frame + INDEX])
    if index == 3:
        return 0
    led = int(w[frame + LED])
    after = int(w[HANDS + ((int(w[frame + SEAT]) + 1) & 3)])
    rank = place & 15
    score = 0
    if place >> 4 == led and not _can_beat(after, place, led, int(w[TRUMPS])):
        score += int(FOLLOW_WEIGHTS[SECOND_SAFE if index == 1 else THIRD_SAFE, column])
    if index == 2:
        score -= int(FOLLOW_WEIGHTS[THIRD_RANK, column]) * rank
    elif (int(w[frame + WINNER]) ^ int(w[frame + SEAT])) & 1:
        score -= int(FOLLOW_WEIGHTS[SECOND_RANK, column]) * rank
    return score


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
        part = LANE << (place & LANE_START)
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

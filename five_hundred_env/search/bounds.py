"""Tricks that can be counted without search, at the lead to a trick.

A verdict is 1 when the maximising seats take the tricks they need, 0 when they do not, -1 when the bounds do not tell.
With a verdict, RELEVANT holds the cards whose ranks it rests on.

Source: the quick tricks and later tricks of Bo Haglund's DDS, in a bit-parallel form.
"""

from __future__ import annotations

from five_hundred_env.core._jit import highest, kernel, popcount
from five_hundred_env.search.lanes import busy, lengths, tops
from five_hundred_env.search.workspace import (
    COUNTED,
    HANDS,
    JK_PLACE,
    LANE,
    LANE_BITS,
    LANES,
    LEFT,
    LOOSE,
    MASTER,
    MAXIMISERS,
    MISERE,
    NEED,
    ONES,
    RELEVANT,
    SEAT,
    SUITED,
    TRUMPS,
    Workspace,
)

UNKNOWN = -1
NO_LIMIT = 15 * ONES


@kernel
def bound(w: Workspace, frame: int, present: int) -> int:
    """Return a verdict on the trick that a frame is about to lead to."""
    if int(w[MISERE]):
        return _misere_bound(w, frame, present)
    seat = int(w[frame + SEAT])
    left = int(w[frame + LEFT])
    need = int(w[frame + NEED])
    mine = int(w[MAXIMISERS]) >> seat & 1
    # From here on the leader's side wants `goal` tricks of those that are left.
    goal = need if mine else left - need + 1
    if int(w[TRUMPS]):
        taken = _trump_bound(w, seat, left, goal, present)
    elif present & LOOSE:
        taken = _loose_bound(w, seat, left, goal, present)
    else:
        taken = _plain_bound(w, seat, left, goal, present)
    if taken < 0:
        return UNKNOWN
    return mine if taken else 1 - mine


@kernel
def _only(winners: int, spare: int) -> int:
    """Return runs of high cards without some that a count can spare, whole lanes first: the fewer, the more general."""
    for lane in range(LANES):
        part = winners & (LANE << (LANE_BITS * lane))
        size = popcount(part)
        if 0 < size <= spare:
            winners ^= part
            spare -= size
    while spare > 0:
        winners ^= 1 << highest(winners)
        spare -= 1
    return winners


@kernel
def _cash(w: Workspace, seat: int, present: int, goal: int) -> int:
    """Return the tricks that a seat on lead without trumps can take at once, its partner's winners included.

    It cashes its own highest cards; then, if it can lead a lower card to a winner of its partner, the partner goes on.
    """
    present &= SUITED
    hand = int(w[HANDS + seat]) & SUITED
    partner = int(w[HANDS + ((seat + 2) & 3)]) & SUITED
    own = tops(hand, present & ~hand)
    count = popcount(own)
    if count >= goal:
        w[RELEVANT] = _only(own, count - goal) & busy(present & ~hand)
        return count
    w[RELEVANT] = own & busy(present & ~hand)
    after = tops(partner, present & ~partner & ~own)
    if after == 0 or count + popcount(after) < goal:
        return count
    kept = 0
    reached = False
    for lane in range(LANES):
        part = LANE << (LANE_BITS * lane)
        winners = popcount(after & part)
        if winners:
            # The partner follows to the cards cashed before, with its lowest.
            winners = max(min(winners, popcount(partner & part) - popcount(own & part)), 0)
            kept += winners
            if winners and hand & part & ~own:
                reached = True
    if not reached:
        return count
    w[RELEVANT] |= after
    return count + kept


@kernel
def _plain_bound(w: Workspace, seat: int, left: int, goal: int, present: int) -> int:
    """Tell whether the leader's side takes `goal` tricks without trumps; -1 unknown."""
    if _cash(w, seat, present, goal) >= goal:
        return 1
    return _lost(w, seat, present, left - goal + 1)


@kernel
def _lost(w: Workspace, seat: int, present: int, enough: int) -> int:
    """Return 0 if the leader's opponents take `enough` tricks whatever is led; -1 unknown.

    When they hold the highest card of every lane of the leader they can take the lead.
    """
    left_hand = int(w[HANDS + ((seat + 1) & 3)])
    right_hand = int(w[HANDS + ((seat + 3) & 3)])
    first = busy(int(w[HANDS + seat])) & ONES
    if first & ~(left_hand | right_hand):
        return UNKNOWN
    relevant = 0
    if first & left_hand:
        if _cash(w, (seat + 1) & 3, present, enough) < enough:
            return UNKNOWN
        relevant = int(w[RELEVANT])
    if first & right_hand:
        if _cash(w, (seat + 3) & 3, present, enough) < enough:
            return UNKNOWN
        relevant |= int(w[RELEVANT])
    w[RELEVANT] = relevant | first
    return 0


@kernel
def _loose_bound(w: Workspace, seat: int, left: int, goal: int, present: int) -> int:
    """Tell whether the leader's side takes `goal` tricks while a suitless joker is out; -1 unknown.

    The highest joker takes the trick that it is played to, and every card is played. Who holds a joker can beat a high
    card only when it can not follow.
    """
    ours = (int(w[HANDS + seat]) | int(w[HANDS + ((seat + 2) & 3)])) & LOOSE
    theirs = present & LOOSE & ~ours
    joker = present & LOOSE & -(present & LOOSE)
    if int(w[MASTER]) >= 0:
        joker = 0
    w[RELEVANT] = 0
    if joker & theirs:
        if goal >= left:
            return 0
    elif joker:
        goal -= 1
        if goal <= 0:
            return 1
    if theirs == 0:
        return 1 if _cash(w, seat, present, goal) >= goal else UNKNOWN
    if _cash_under_joker(w, seat, present) >= goal:
        return 1
    if ours or joker == 0:
        return UNKNOWN
    enough = left - goal
    return _lost(w, seat, present, enough)


@kernel
def _cash_under_joker(w: Workspace, seat: int, present: int) -> int:
    """Return the tricks that a seat on lead cashes while an opponent that holds a joker follows."""
    hand = int(w[HANDS + seat])
    own = tops(hand & SUITED, present & SUITED & ~hand)
    w[RELEVANT] = own
    count = 0
    for lane in range(LANES):
        part = LANE << (LANE_BITS * lane)
        winners = popcount(own & part)
        for other in (1, 3):
            opponent = int(w[HANDS + ((seat + other) & 3)])
            if opponent & LOOSE:
                winners = min(winners, popcount(opponent & part))
        count += winners
    return count


@kernel
def _trump_bound(w: Workspace, seat: int, left: int, goal: int, present: int) -> int:
    """Tell whether the leader's side takes `goal` tricks of a suit contract; -1 unknown."""
    hand = int(w[HANDS + seat])
    partner = int(w[HANDS + ((seat + 2) & 3)])
    left_hand = int(w[HANDS + ((seat + 1) & 3)])
    right_hand = int(w[HANDS + ((seat + 3) & 3)])
    ours = (hand | partner) & LANE
    theirs = (left_hand | right_hand) & LANE
    left_trumps = popcount(left_hand & LANE)
    right_trumps = popcount(right_hand & LANE)
    # The highest trumps of a side take a trick each, unless two of them must fall together.
    run = tops(theirs, ours)
    enough = left - goal + 1
    if min(popcount(run), max(left_trumps, right_trumps)) >= enough:
        w[RELEVANT] = run & ((1 << enough) - 1) if ours else 0
        return 0
    run = tops(ours, theirs)
    own_trumps = popcount(hand & LANE)
    partner_trumps = popcount(partner & LANE)
    sure = min(popcount(run), max(own_trumps, partner_trumps))
    if theirs == 0:
        run = 0
    if sure >= goal:
        w[RELEVANT] = run & ((1 << goal) - 1)
        return 1
    most = max(left_trumps, right_trumps)
    draws = tops(hand & LANE, present & LANE & ~hand)
    drawn = most > 0 and popcount(draws) >= most
    limit = NO_LIMIT
    if not drawn:
        limit = _ruff_limit(left_hand, right_hand)
    room = left - max(own_trumps, partner_trumps)
    count = _cash_plain(w, hand, partner, present, limit, room, goal - sure)
    if sure + count < goal:
        return UNKNOWN
    w[RELEVANT] |= run | (draws if drawn else 0)
    return 1


@kernel
def _ruff_limit(left_hand: int, right_hand: int) -> int:
    """Return, in each lane, how often it can be led before an opponent that holds trumps is out of it."""
    limit = NO_LIMIT
    if left_hand & LANE:
        limit = lengths(left_hand)
    if right_hand & LANE:
        other = lengths(right_hand)
        if limit == NO_LIMIT:
            return other
        smaller = 0
        for lane in range(1, LANES):
            shift = LANE_BITS * lane
            smaller |= min(limit >> shift & 15, other >> shift & 15) << shift
        return smaller
    return limit


@kernel
def _cash_plain(w: Workspace, hand: int, partner: int, present: int, limit: int, room: int, goal: int) -> int:
    """Return the tricks that a seat on lead can take at once with plain cards in a suit contract.

    Args:
        w: The workspace; RELEVANT is written.
        hand: The leader's cards.
        partner: Its partner's.
        present: All cards.
        limit: By lane, how often it can be led without a ruff.
        room: Plain cards of the hand of the two that has fewer: that many tricks cost neither a trump.
        goal: Tricks wanted.
    """
    others = present & ~hand & ~LANE
    own = tops(hand & ~LANE, others)
    w[RELEVANT] = own & busy(others)
    count = 0
    for lane in range(1, LANES):
        shift = LANE_BITS * lane
        count += min(popcount(own & (LANE << shift)), limit >> shift & 15)
    if count >= goal:
        return min(count, room)
    after = tops(partner & ~LANE, present & ~partner & ~own & ~LANE)
    if after == 0:
        return min(count, room)
    kept = 0
    reached = False
    for lane in range(1, LANES):
        shift = LANE_BITS * lane
        part = LANE << shift
        winners = popcount(after & part)
        if winners:
            cashed = min(popcount(own & part), limit >> shift & 15)
            winners = min(winners, popcount(partner & part) - cashed, (limit >> shift & 15) - cashed)
            if cashed < popcount(own & part):
                winners = 0
            kept += max(winners, 0)
            if winners > 0 and hand & part & ~own:
                reached = True
    if not reached:
        return min(count, room)
    w[RELEVANT] |= after
    return min(count + kept, room)


@kernel
def _misere_bound(w: Workspace, frame: int, present: int) -> int:
    """Return a verdict on a misère: who wants tricks counted are the defenders.

    A contractor that is not on lead and in every lane stays below the defenders' cards, one by one from the lowest, is
    never made to take a trick: it plays its highest card below the one that stands, and throws its highest cards away.
    One that holds the highest suitless joker must play it some day, and takes that trick.
    """
    counted = int(w[COUNTED])
    seat = int(w[frame + SEAT])
    contractor = 0
    while counted >> contractor & 1 == 0:
        contractor += 1
    hand = int(w[HANDS + contractor])
    w[RELEVANT] = 0
    if hand & LOOSE:
        certain = hand >> JK_PLACE & 1 or not present >> JK_PLACE & 1
        return 1 if certain and int(w[frame + NEED]) <= popcount(hand & LOOSE) else UNKNOWN
    if seat == contractor or (int(w[MASTER]) >= 0 and present & LOOSE):
        return UNKNOWN
    others = present & ~hand & SUITED
    relevant = 0
    for lane in range(LANES):
        part = LANE << (LANE_BITS * lane)
        low = hand & part
        high = others & part
        if low and high:
            relevant |= part
            if not _stays_below(low, high):
                return UNKNOWN
    w[RELEVANT] = relevant & present
    return 0


@kernel
def _stays_below(low: int, high: int) -> bool:
    """Tell whether the cards of `low`, from the lowest, are each lower than their counterparts of `high`.

    Compared while both last; lower cards are higher places.
    """
    both = low | high
    lead = 0
    while both and low and high:
        # The lowest card is the highest bit.
        bit = 1 << highest(both)
        both ^= bit
        if low & bit:
            low ^= bit
            lead += 1
        else:
            high ^= bit
            lead -= 1
            if lead < 0:
                return False
    return True

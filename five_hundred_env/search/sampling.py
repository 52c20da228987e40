"""Worlds: whole deals that fit what a seat has seen, every fitting deal equally likely.

The cards that a view does not show lie in up to four places: three hands, and the cards put away (or the kitty, as
long as nobody has taken it). A card may lie in a place unless the seat has shown that it can not hold it:

- a seat that failed to follow a suit has none of it left (R6.2);
- a nominated joker that is not yet played is in its contractor's hand (R5.1);
- in a misère a seat that failed to follow without playing a suitless joker holds none (R7.3).

Cards that may lie in the same places form a group. The number of ways to fill the places is counted group by group for
all sizes that the places may still have; a world is drawn by walking that count: uniform, without a rejected draw.

Rules: R5.1, R5.3, R6.2, R7.2, R7.3, R8.3, R11.1, R11.2.
Source: Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14, 2001 (the use of worlds).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from five_hundred_env.core._jit import kernel, lowest, nth_bit, popcount, small_kernel
from five_hundred_env.core.bidding import LEGAL_BIDS
from five_hundred_env.core.cards import Row, effective_suit, suitless_jokers
from five_hundred_env.core.constants import AUCTION, CALLS, CARDS, DISCARD, JK, PASS, SEATS, SUITS
from five_hundred_env.core.philox import STREAM_WORLD, WORD, below, seed_words
from five_hundred_env.core.play import is_misere, voids_shown
from five_hundred_env.core.rules import JOKER_NOT_SHOWN_VOID
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    CARD_TRICK,
    DEAL_NUMBER,
    DEALER,
    DISCARDS,
    DISCARDS_LEFT,
    HAND,
    KITTY,
    LEADER,
    LED,
    LED_CARDS,
    MADE,
    N_COLUMNS,
    N_RULES,
    NAMED,
    NOMINATED,
    OPENING,
    PASSES,
    PHASE,
    PLAYED,
    RULE_CARDS,
    RULE_HAND,
    RULE_JOKER,
    RULE_KITTY,
    RULE_MISERE_RANK,
    RULE_OPEN_MISERE_RANK,
    SCORES,
    SEAT,
    STRAIN,
    TRICK,
    WINNER,
)

Floats = npt.NDArray[np.float64]

PLACES = 4
AWAY = 3  # the place that is no hand: discards, or the kitty
SIZES = 11  # a hand has 0 to 10 hidden cards

# Columns of the table of groups; a group's line holds its places, its cards and how many they are.
G_PLACES, G_CARDS, G_COUNT = range(3)
MOST_GROUPS = 1 << PLACES
HEAD = MOST_GROUPS  # one more line: number of groups, then the sizes of the places
FACTORIALS = np.array([float(np.prod(np.arange(1, n + 1, dtype=np.float64))) for n in range(CARDS + 1)])


class Sampler(NamedTuple):
    """The working memory of a sampler: one for each thread."""

    groups: Row
    """`[MOST_GROUPS + 2, 4] int64`."""
    ways: Floats
    """`[MOST_GROUPS + 1, SIZES ** 3] float64` ways to place the groups from here on, by free sizes of three places."""


def make_sampler() -> Sampler:
    """Return working memory for `prepare_worlds` and `draw_world`."""
    return Sampler(np.zeros((MOST_GROUPS + 2, 4), np.int64), np.zeros((MOST_GROUPS + 1, SIZES**3), np.float64))


@kernel
def prepare_worlds(view: Row, groups: Row, ways: Floats) -> float:
    """Find the groups of a view and count its worlds.

    Args:
        view: `[N_COLUMNS] int64` a view row, as `observe.read_observation` writes it.
        groups: See `Sampler`.
        ways: See `Sampler`.

    Returns:
        How many ways there are to lay the hidden cards; exact up to 2**53.
    """
    _find_places(view, groups)
    _find_groups(view, groups)
    count = int(groups[HEAD, 0])
    last = count - 1
    rest = 0
    for group in range(last, -1, -1):
        rest += int(groups[group, G_COUNT])
        _count_ways(groups, ways, group, rest, group == last)
    if count == 0:
        return 1.0
    sizes = groups[HEAD + 1]
    return float(ways[0, _index(int(sizes[0]), int(sizes[1]), int(sizes[2]))])


@small_kernel
def _index(a: int, b: int, c: int) -> int:
    """Return where the ways of three free sizes stand."""
    return (a * SIZES + b) * SIZES + c


@kernel
def _find_places(view: Row, groups: Row) -> None:
    """Write how many hidden cards each place holds."""
    for other in range(1, SEATS):
        held = int(view[RULE_HAND]) - popcount(int(view[PLAYED + other]))
        groups[HEAD + 1, other - 1] = 0 if int(view[HAND + other]) else held
    contractor = int(view[BIDDER])
    own = contractor == 0 and int(view[PHASE]) != AUCTION
    groups[HEAD + 1, AWAY] = 0 if own else int(view[RULE_KITTY])


@kernel
def _hidden_cards(view: Row) -> int:
    """Return the cards whose place the seat does not know, a mask."""
    known = int(view[DISCARDS])
    for seat in range(SEATS):
        known |= int(view[HAND + seat]) | int(view[PLAYED + seat])
    return int(view[RULE_CARDS]) & ~known


@kernel
def _find_groups(view: Row, groups: Row) -> None:
    """Write the groups, those with few places first and the freest last."""
    for line in range(MOST_GROUPS):
        groups[line, G_CARDS] = 0
    open_places = 0
    for place in range(PLACES):
        if int(groups[HEAD + 1, place]):
            open_places |= 1 << place
    jokerless = _jokerless_places(view)
    loose = suitless_jokers(view)
    hidden = _hidden_cards(view)
    while hidden:
        card = lowest(hidden)
        hidden &= hidden - 1
        places = _places_of(view, card, loose, jokerless) & open_places
        groups[places, G_CARDS] |= 1 << card
    # Lines are in use by their places first; now they close up in rising number of places.
    count = 0
    for size in range(PLACES + 1):
        for places in range(MOST_GROUPS):
            cards = int(groups[places, G_CARDS])
            if cards and popcount(places) == size:
                groups[count, G_PLACES] = places
                groups[count, 3] = cards
                groups[count, G_COUNT] = popcount(cards)
                count += 1
    for line in range(count):
        groups[line, G_CARDS] = groups[line, 3]
    groups[HEAD, 0] = count


@kernel
def _places_of(view: Row, card: int, loose: int, jokerless: int) -> int:
    """Return the places where a hidden card may lie, a mask."""
    everywhere = (1 << PLACES) - 1
    # Nothing is played before the auction has ended, nor in a deal that was thrown in.
    if int(view[PHASE]) in (AUCTION, DISCARD) or int(view[STRAIN]) < 0:
        return everywhere
    if card >= JK and 0 <= int(view[NOMINATED + card - JK]) < SUITS:
        contractor = int(view[BIDDER])
        return 1 << (contractor - 1) if contractor > 0 else 0
    if loose >> card & 1:
        return everywhere & ~jokerless
    suit = effective_suit(view, card)
    places = everywhere
    for other in range(1, SEATS):
        if voids_shown(view, other) >> suit & 1:
            places &= ~(1 << (other - 1))
    return places


@kernel
def _jokerless_places(view: Row) -> int:
    """Return the hands that have shown to hold no suitless joker, a mask of places.

    Rules: R7.3.
    """
    if not is_misere(view) or int(view[PHASE]) in (AUCTION, DISCARD):
        return 0
    suits = _led_suits(view)
    loose = suitless_jokers(view)
    places = 0
    for other in range(1, SEATS):
        cards = int(view[PLAYED + other]) & ~int(view[LED_CARDS]) & ~loose
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            trick = int(view[CARD_TRICK + (card >> 3)]) >> (8 * (card & 7)) & 255
            led = suits >> (4 * trick) & 15
            if led != effective_suit(view, card) and not _joker_barred(view, other, led, trick, suits):
                places |= 1 << (other - 1)
    return places


@kernel
def _joker_barred(view: Row, seat: int, led: int, trick: int, suits: int) -> bool:
    """Tell whether a seat could not play a suitless joker to a trick, having failed that suit before.

    Rules: O.joker_no_trumps.not_shown_void.
    """
    if int(view[RULE_JOKER]) != JOKER_NOT_SHOWN_VOID:
        return False
    cards = int(view[PLAYED + seat]) & ~int(view[LED_CARDS])
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        before = int(view[CARD_TRICK + (card >> 3)]) >> (8 * (card & 7)) & 255
        if before < trick and suits >> (4 * before) & 15 == led and effective_suit(view, card) != led:
            return True
    return False


@kernel
def _led_suits(view: Row) -> int:
    """Return the suit led to each trick, four bits each, trick t at bit 4 t."""
    suits = 0
    cards = int(view[LED_CARDS])
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        trick = int(view[CARD_TRICK + (card >> 3)]) >> (8 * (card & 7)) & 255
        suit = effective_suit(view, card)
        if suit < 0:
            suit = max(int(view[NAMED + card - JK]), 0)
        suits |= suit << (4 * trick)
    return suits


@kernel
def _count_ways(groups: Row, ways: Floats, group: int, rest: int, last: bool) -> None:
    """Count the ways to place this group and those after it, for all free sizes that sum up to `rest`."""
    sizes = groups[HEAD + 1]
    places = int(groups[group, G_PLACES])
    count = int(groups[group, G_COUNT])
    for a in range(int(sizes[0]) + 1):
        for b in range(int(sizes[1]) + 1):
            for c in range(int(sizes[2]) + 1):
                d = rest - a - b - c
                total = 0.0
                if 0 <= d <= int(sizes[AWAY]):
                    if last:
                        total = _fill(places, count, a, b, c, d)
                    else:
                        total = _sum_ways(ways, group, places, count, a, b, c, d)
                ways[group, _index(a, b, c)] = total


@small_kernel
def _fill(places: int, count: int, a: int, b: int, c: int, d: int) -> float:
    """Return the ways to put a group of cards into places, so many into each; 0 where a place is closed to it."""
    if (a and not places & 1) or (b and not places & 2) or (c and not places & 4) or (d and not places & 8):
        return 0.0
    return float(FACTORIALS[count] / (FACTORIALS[a] * FACTORIALS[b] * FACTORIALS[c] * FACTORIALS[d]))


@kernel
def _sum_ways(ways: Floats, group: int, places: int, count: int, a: int, b: int, c: int, d: int) -> float:
    """Sum the ways over all shares of a group that the free sizes allow."""
    total = 0.0
    for i in range((min(a, count) if places & 1 else 0) + 1):
        for j in range((min(b, count - i) if places & 2 else 0) + 1):
            for k in range((min(c, count - i - j) if places & 4 else 0) + 1):
                m = count - i - j - k
                if m > d or (m and not places & 8):
                    continue
                after = float(ways[group + 1, _index(a - i, b - j, c - k)])
                if after > 0.0:
                    total += _fill(places, count, i, j, k, m) * after
    return total


@kernel
def draw_world(view: Row, groups: Row, ways: Floats, key: int, number: int, row: Row) -> None:
    """Write a world drawn uniformly.

    Args:
        view: The view that `prepare_worlds` was called with.
        groups: As it left them.
        ways: As it left them.
        key: 64 random bits of the decision.
        number: Which world of the decision; the same key and number give the same world.
        row: `[N_COLUMNS] int64` to be filled with a state row, seats counted from the observing one.
    """
    for column in range(N_COLUMNS):
        row[column] = view[column]
    sizes = groups[HEAD + 1]
    a, b, c, d = int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[AWAY])
    away = 0
    step = 0
    last = int(groups[HEAD, 0]) - 1
    for group in range(last + 1):
        i, j, k, m = a, b, c, d
        if group < last:
            word, extra, _, _ = seed_words(key, number, step, STREAM_WORLD)
            step += 1
            draw = (word * 2097152 + (extra >> 11)) / 9007199254740992.0
            i, j, k, m = _draw_share(groups, ways, group, draw, a, b, c, d)
        cards = int(groups[group, G_CARDS])
        part, step = _draw_cards(cards, i, key, number, step)
        row[HAND + 1] |= part
        cards ^= part
        part, step = _draw_cards(cards, j, key, number, step)
        row[HAND + 2] |= part
        cards ^= part
        part, step = _draw_cards(cards, k, key, number, step)
        row[HAND + 3] |= part
        away |= cards ^ part
        a, b, c, d = a - i, b - j, c - k, d - m
    _put_away(row, away, key, number, step)


@kernel
def draw_worlds(view: Row, groups: Row, ways: Floats, key: int, rows: Row) -> None:
    """Fill `[N, N_COLUMNS] int64` with the worlds 0 to N - 1 of a decision, see `draw_world`."""
    for number in range(len(rows)):
        draw_world(view, groups, ways, key, number, rows[number])


@kernel
def _draw_share(
    groups: Row, ways: Floats, group: int, draw: float, a: int, b: int, c: int, d: int
) -> tuple[int, int, int, int]:
    """Return how many cards of a group go into each place, by the ways that each share leaves."""
    places = int(groups[group, G_PLACES])
    count = int(groups[group, G_COUNT])
    left = draw * float(ways[group, _index(a, b, c)])
    best_i, best_j, best_k = -1, 0, 0
    for i in range((min(a, count) if places & 1 else 0) + 1):
        for j in range((min(b, count - i) if places & 2 else 0) + 1):
            for k in range((min(c, count - i - j) if places & 4 else 0) + 1):
                m = count - i - j - k
                if m > d or (m and not places & 8):
                    continue
                share = _fill(places, count, i, j, k, m) * float(ways[group + 1, _index(a - i, b - j, c - k)])
                if share > 0.0:
                    best_i, best_j, best_k = i, j, k
                    left -= share
                    if left < 0.0:
                        return i, j, k, m
    # Rounding may leave a crumb: the last possible share takes it.
    return best_i, best_j, best_k, count - best_i - best_j - best_k


@kernel
def _draw_cards(cards: int, count: int, key: int, number: int, step: int) -> tuple[int, int]:
    """Return a uniform choice of so many of the cards, and the number of the next random draw."""
    held = popcount(cards)
    if count == held:
        return cards, step
    chosen = 0
    w0, w1, w2, w3 = 0, 0, 0, 0
    for n in range(count):
        if n & 3 == 0:
            w0, w1, w2, w3 = seed_words(key, number, step, STREAM_WORLD)
            step += 1
        card = 1 << nth_bit(cards, below(w0 & WORD, held - n))
        w0, w1, w2 = w1, w2, w3
        cards ^= card
        chosen |= card
    return chosen, step


@kernel
def _put_away(row: Row, away: int, key: int, number: int, step: int) -> None:
    """Lay the cards that are in no hand where they belong: the kitty, or the contractor's discards.

    The kitty of another contractor is any of the cards that went through the hand, each choice equally likely.
    """
    contractor = int(row[BIDDER])
    phase = int(row[PHASE])
    if phase == AUCTION or contractor < 0:
        row[KITTY] = away
    elif contractor > 0:
        if phase == DISCARD:
            row[KITTY] = away
            row[HAND + contractor] |= away
            row[DISCARDS_LEFT] = row[RULE_KITTY]
            return
        row[DISCARDS] = away
        held = int(row[HAND + contractor]) | int(row[PLAYED + contractor]) | away
        kitty, _ = _draw_cards(held, int(row[RULE_KITTY]), key, number, step)
        row[KITTY] = kitty


@kernel
def begin_auction(world: Row, row: Row) -> None:
    """Write a world back to the moment before its first call: the hands as dealt, nobody has spoken.

    With `next_call` the calls of a world can be replayed, and asked how likely each was with the hand behind it.

    Args:
        world: `[N_COLUMNS] int64` a whole row, as `draw_world` writes it.
        row: `[N_COLUMNS] int64` to be filled.
    """
    for column in range(N_COLUMNS):
        row[column] = world[column] if column < N_RULES else 0
    contractor = int(world[BIDDER]) if int(world[PHASE]) != AUCTION else -1
    row[KITTY] = world[KITTY]
    for seat in range(SEATS):
        held = int(world[HAND + seat]) | int(world[PLAYED + seat])
        if seat == contractor:
            held = (held | int(world[DISCARDS])) & ~int(world[KITTY])
        row[HAND + seat] = held
        row[TRICK + seat] = -1
    for side in range(2):
        row[SCORES + side] = world[SCORES + side]
        row[OPENING + side] = world[SCORES + side]
        row[NOMINATED + side] = -1
        row[NAMED + side] = -1
    row[DEALER] = world[DEALER]
    row[DEAL_NUMBER] = world[DEAL_NUMBER]
    row[PHASE] = AUCTION
    row[SEAT] = (int(world[DEALER]) + 1) % SEATS
    for column in (STRAIN, LED, LEADER, BIDDER, MADE, WINNER):
        row[column] = -1


@kernel
def next_call(world: Row, row: Row) -> int:
    """Return the call that came next in the auction of a world, -1 when there was none.

    Args:
        world: The world.
        row: `begin_auction` and the calls so far applied to it.
    """
    if int(row[CALLS_MADE]) >= int(world[CALLS_MADE]) or int(row[PHASE]) != AUCTION:
        return -1
    seat = int(row[SEAT])
    last = int(row[BID])
    if int(world[PASSES + seat]) >> last & 1:
        return PASS
    # Bids only rise, so a seat's next bid is the one from which its others are still legal.
    above = int(LEGAL_BIDS[int(row[RULE_MISERE_RANK]), int(row[RULE_OPEN_MISERE_RANK]), last])
    rest = int(world[BIDS + seat]) & ~int(row[BIDS + seat]) & above
    first = -1
    for bid in range(CALLS):
        if rest >> bid & 1:
            later = int(LEGAL_BIDS[int(row[RULE_MISERE_RANK]), int(row[RULE_OPEN_MISERE_RANK]), bid])
            if first < 0 or later >> first & 1:
                first = bid
    return first


@kernel
def resample(weights: Floats, count: int, wanted: int, key: int, chosen: Row) -> int:
    """Choose some of many candidates in proportion to their weights, evenly spaced: a candidate may be chosen often.

    Args:
        weights: `[count] float64`; replaced by how often each is chosen, divided by `wanted`.
        count: Candidates.
        wanted: How many are to be chosen.
        key: 64 random bits.
        chosen: Written with the candidates that were chosen, each once.

    Returns:
        How many different ones were chosen.

    Source: Kitagawa, "Monte Carlo filter and smoother for non-Gaussian nonlinear state space models", JCGS 5, 1996
        (systematic resampling).
    """
    total = 0.0
    for n in range(count):
        total += weights[n]
    word, _, _, _ = seed_words(key, 0, 1 << 31, STREAM_WORLD)
    step = total / wanted
    mark = (word + 0.5) / 4294967296.0 * step
    reached = 0.0
    taken = 0
    different = 0
    for n in range(count):
        reached += weights[n]
        copies = 0
        while taken < wanted and (mark < reached or n == count - 1):
            copies += 1
            taken += 1
            mark += step
        weights[n] = copies / wanted
        if copies:
            chosen[different] = n
            different += 1
    return different

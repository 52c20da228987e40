"""The five verbs over a row: start, deal, legal, apply, and what ends a phase. No rule stands here.

Every function trusts its caller: rows of `state.N_COLUMNS`, an action that `legal_mask` allows.
"""

from __future__ import annotations

from five_hundred_env.core._jit import kernel
from five_hundred_env.core.actions import bid_strain, first_action
from five_hundred_env.core.bidding import apply_call, legal_calls
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import (
    AUCTION,
    DISCARD,
    FIRST_CARD,
    FIRST_NAME,
    NAME,
    NO_TRUMPS,
    NOMINATE,
    OVER,
    PLAY,
)
from five_hundred_env.core.deal import deal_cards, next_seat, pass_deal, start_game
from five_hundred_env.core.kitty import (
    apply_discard,
    apply_nomination,
    has_nomination,
    legal_discards,
    legal_nominations,
    take_kitty,
)
from five_hundred_env.core.play import apply_card, apply_name, begin_play, legal_cards, legal_names
from five_hundred_env.core.rules import ALL_PASS_NO_TRUMPS
from five_hundred_env.core.scoring import play_ended, score_deal
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    DEALER,
    PHASE,
    RULE_ALL_PASS,
    SEAT,
    STRAIN,
    TRICK_CARDS,
)


@kernel
def new_game(row: Row, seed: int) -> None:
    """Begin a game under the rules of the row and deal its first cards.

    Rules: R2.2, R2.3.
    """
    start_game(row, seed)
    deal_cards(row)


@kernel
def next_deal(row: Row) -> None:
    """Pass the deal to the left and deal again; asked at OVER while nobody has won.

    Rules: R2.2, R3.7.
    """
    pass_deal(row)
    deal_cards(row)


@kernel
def legal_mask(row: Row) -> int:
    """Return the legal actions of the seat to move; bit 0 is the action `first_action(phase)`.

    Never empty before OVER, empty then.
    """
    phase = int(row[PHASE])
    if phase == PLAY:
        return legal_cards(row)
    if phase == AUCTION:
        return legal_calls(row)
    if phase == DISCARD:
        return legal_discards(row)
    if phase == NOMINATE:
        return legal_nominations(row)
    if phase == NAME:
        return legal_names(row)
    return 0


@kernel
def is_legal(row: Row, action: int) -> bool:
    """Tell whether an action id is legal now; any integer may be asked."""
    bit = action - first_action(int(row[PHASE]))
    # Wider than any mask, and narrow enough that a compiled shift does not wrap.
    return 0 <= bit < 63 and legal_mask(row) >> bit & 1 == 1


@kernel
def apply(row: Row, action: int) -> None:
    """Do a legal action and whatever follows from it without a choice."""
    phase = int(row[PHASE])
    if phase == PLAY:
        if apply_card(row, action - FIRST_CARD):
            row[PHASE] = NAME
        else:
            _after_card(row)
    elif phase == AUCTION:
        if apply_call(row, action):
            _after_auction(row)
    elif phase == DISCARD:
        if apply_discard(row, action - FIRST_CARD):
            _after_discards(row)
    elif phase == NOMINATE:
        if apply_nomination(row, action - FIRST_NAME):
            _play(row, int(row[BIDDER]))
    elif phase == NAME:
        apply_name(row, action - FIRST_NAME)
        row[PHASE] = PLAY
        _after_card(row)


@kernel
def _after_auction(row: Row) -> None:
    """Go from the auction to the kitty, to a deal without contractor, or to the end."""
    if int(row[BID]):
        row[STRAIN] = bid_strain(int(row[BID]))
        row[PHASE] = DISCARD
        take_kitty(row)
    elif int(row[RULE_ALL_PASS]) == ALL_PASS_NO_TRUMPS:
        row[STRAIN] = NO_TRUMPS
        _play(row, next_seat(row, int(row[DEALER])))
    else:
        _end(row)


@kernel
def _after_discards(row: Row) -> None:
    """Go from the discards to the nomination or to the play."""
    if has_nomination(row):
        row[PHASE] = NOMINATE
    else:
        _play(row, int(row[BIDDER]))


@kernel
def _play(row: Row, leader: int) -> None:
    """Go to the play."""
    row[PHASE] = PLAY
    begin_play(row, leader)


@kernel
def _after_card(row: Row) -> None:
    """Score the deal when its play has ended."""
    if int(row[TRICK_CARDS]) == 0 and play_ended(row):
        score_deal(row)
        _end(row)


@kernel
def _end(row: Row) -> None:
    """End the deal: nobody is to move."""
    row[PHASE] = OVER
    row[SEAT] = -1

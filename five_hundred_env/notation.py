"""Text for cards, deals and whole positions, and the history that a row holds.

A row remembers its whole deal, so everything here reads it back from there: the hands as dealt, the calls in order, the
tricks, the actions. Functions that read a row accept a view row as well; what the seat does not know is absent then.

A position is one line:
``five_hundred/0 rules=australian dealer=3 scores=0/0 deal=1 seed=7 hands=…/…/…/…/… actions=PASS,7H``.

Rules: R1.1 (cards), R2.3 (deals), R3.2 (calls), R5.1, R7.4 (names).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from five_hundred_env.core import actions, bidding, engine
from five_hundred_env.core.cards import CARD_IDS, CARD_NAMES, Row, effective_suit, suit_cards, suitless_jokers
from five_hundred_env.core.constants import (
    AUCTION,
    CALLS,
    CARDS,
    DECLINE,
    DISCARD,
    FIRST_CARD,
    FIRST_NAME,
    JK,
    MAX_TARGET,
    MIS,
    NAME,
    NO_TRUMPS,
    NOMINATE,
    NOT_NOMINATED,
    PASS,
    PHASES,
    PLAY,
    SEATS,
    SUIT_LETTERS,
    SUITS,
    VERSION,
)
from five_hundred_env.core.deal import clear_deal, next_seat
from five_hundred_env.core.play import idle_seat, voids_shown
from five_hundred_env.core.rules import LOSE_BACKWARDS, WIN_FIRST_TO_TARGET, Rules, rules_of_row
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    BIDS,
    CALLS_MADE,
    CARD_TRICK,
    DEAL_NUMBER,
    DEALER,
    DISCARDS,
    HAND,
    KITTY,
    LED,
    LED_CARDS,
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
    RULE_KITTY,
    RULE_LOSE,
    RULE_MISERE_RANK,
    RULE_OPEN_MISERE_RANK,
    RULE_TARGET,
    RULE_WIN,
    SCORES,
    SEAT,
    SEED,
    STRAIN,
    TRICK_CARDS,
)
from five_hundred_env.errors import IllegalActionError, NotationError, OptionError

POSITION_WORD = f"five_hundred/{VERSION}"
SEED_LIMIT = 2**64
MAX_DEAL_NUMBER = 1_000_000
"""Keeps the number of a deal within the digits of an observation."""


class Trick(NamedTuple):
    """One trick, complete or running."""

    leader: int
    plays: list[tuple[int, str]]
    """(seat, card) in the order played."""
    named: str | None
    """Suit that a suitless joker named when it was led, ``"=S"`` …, else None."""


def format_card(card: int) -> str:
    """Return a card's name."""
    return CARD_NAMES[card]


def mask_cards(mask: int) -> list[str]:
    """Return the names of the cards of a mask, in id order."""
    names = []
    while mask:
        lowest = mask & -mask
        names.append(CARD_NAMES[lowest.bit_length() - 1])
        mask ^= lowest
    return names


def format_hand(mask: int) -> str:
    """Return the cards of a mask run together, in id order."""
    return "".join(mask_cards(mask))


def parse_hand(text: str, where: str = "hand") -> int:
    """Return two-letter cards run together as a mask.

    Args:
        text: For example ``ASKD4HJK``.
        where: What is being read, for the error.

    Raises:
        NotationError: A card is unknown, cut in half or stands twice.
    """
    mask = 0
    for at in range(0, len(text), 2):
        name = text[at : at + 2]
        if name not in CARD_IDS:
            raise NotationError(f"{where} {text!r} holds {name!r} at place {at + 1}, which is no card")
        bit = 1 << CARD_IDS[name]
        if mask & bit:
            raise NotationError(f"{where} {text!r} holds {name} twice")
        mask |= bit
    return mask


def parse_deal(text: str, rules: Rules) -> list[int]:
    """Return the hands of seats 0 to 3 and the kitty of a deal as five masks.

    Args:
        text: Five groups of two-letter cards, parted by blanks.
        rules: Whose pack has to be dealt.

    Raises:
        NotationError: A group is missing, a card is missing, double or foreign, or a hand has a wrong size.

    Rules: R1.1, R2.3.
    """
    if not isinstance(text, str):
        raise NotationError(f"a deal is text of five groups of cards, not {text!r}")
    groups = text.split()
    if len(groups) != SEATS + 1:
        raise NotationError(f"deal {text!r} has {len(groups)} groups of cards; it has five: seats 0 to 3 and the kitty")
    names = [*(f"hand {seat}" for seat in range(SEATS)), "kitty"]
    masks: list[int] = []
    seen: dict[int, str] = {}
    pack = int(rules.row[RULE_CARDS])
    for group, name in zip(groups, names, strict=True):
        mask = parse_hand(group, name)
        for card in range(CARDS):
            if mask >> card & 1:
                if not pack >> card & 1:
                    raise NotationError(f"{name} holds {CARD_NAMES[card]}, which the pack {rules.pack} lacks (R1.1)")
                if card in seen:
                    raise NotationError(f"{name} holds {CARD_NAMES[card]}, which {seen[card]} holds too (R1.1)")
                seen[card] = name
        masks.append(mask)
    sizes = [*[int(rules.row[RULE_HAND])] * SEATS, int(rules.row[RULE_KITTY])]
    for mask, name, size in zip(masks, names, sizes, strict=True):
        if mask.bit_count() != size:
            missing = mask_cards(pack & ~sum(masks))
            lack = f"; dealt to nobody: {' '.join(missing)}" if missing else ""
            raise NotationError(f"{name} holds {mask.bit_count()} cards, it has {size} (R2.3){lack}")
    return masks


def format_deal(row: Row) -> str:
    """Return the deal that a row began with, as `parse_deal` reads it."""
    return " ".join(format_hand(mask) for mask in dealt_masks(row))


def dealt_masks(row: Row) -> list[int]:
    """Return the hands as dealt and the kitty, five masks."""
    masks = [int(row[HAND + seat]) | int(row[PLAYED + seat]) for seat in range(SEATS)]
    contractor = int(row[BIDDER])
    if int(row[PHASE]) != AUCTION and contractor >= 0:
        masks[contractor] = (masks[contractor] | int(row[DISCARDS])) & ~int(row[KITTY])
    return [*masks, int(row[KITTY])]


def read_calls(row: Row) -> list[tuple[int, int]]:
    """Return the calls of a deal in order, as (seat, call id).

    Rules: R3.1.
    """
    order = bidding.bid_order(int(row[RULE_MISERE_RANK]), int(row[RULE_OPEN_MISERE_RANK]))
    calls: list[tuple[int, int]] = []
    last = PASS
    out: set[int] = set()
    seat = int(next_seat(row, int(row[DEALER])))
    reenter = rules_of_row(row).auction == "reenter"
    while len(calls) < int(row[CALLS_MADE]):
        if seat not in out:
            if int(row[PASSES + seat]) >> last & 1:
                calls.append((seat, PASS))
                out.add(seat)
            else:
                above = order if last == PASS else order[order.index(last) + 1 :]
                last = next(bid for bid in above if int(row[BIDS + seat]) >> bid & 1)
                calls.append((seat, last))
                if reenter:
                    out.clear()
        seat = int(next_seat(row, seat))
    return calls


def trick_of_card(row: Row, card: int) -> int:
    """Return the trick that a card was played to, from 1; 0 when it was not."""
    return int(row[CARD_TRICK + (card >> 3)]) >> (8 * (card & 7)) & 255


def read_tricks(row: Row) -> list[Trick]:
    """Return the tricks of a deal in order, the running one last.

    Rules: R6.1.
    """
    idle = int(idle_seat(row))
    by_trick: dict[int, dict[int, int]] = {}
    leaders: dict[int, int] = {}
    for seat in range(SEATS):
        for card in range(CARDS):
            if int(row[PLAYED + seat]) >> card & 1:
                number = trick_of_card(row, card)
                by_trick.setdefault(number, {})[seat] = card
                if int(row[LED_CARDS]) >> card & 1:
                    leaders[number] = seat
    tricks = []
    for number in sorted(by_trick):
        cards = by_trick[number]
        leader = leaders[number]
        seats = [(leader + n) % SEATS for n in range(SEATS)]
        plays = [(seat, CARD_NAMES[cards[seat]]) for seat in seats if seat != idle and seat in cards]
        led = cards[leader]
        named = int(row[NAMED + led - JK]) if led >= JK else -1
        tricks.append(Trick(leader, plays, f"={SUIT_LETTERS[named]}" if named >= 0 else None))
    return tricks


def read_actions(row: Row) -> list[int]:
    """Return action ids that lead from the deal to this position, the discards in id order."""
    ids = [call for _, call in read_calls(row)]
    ids += [FIRST_CARD + card for card in range(CARDS) if int(row[DISCARDS]) >> card & 1]
    ids += [FIRST_NAME + int(row[NOMINATED + n]) for n in range(2) if int(row[NOMINATED + n]) != NOT_NOMINATED]
    for trick in read_tricks(row):
        for n, (_, card) in enumerate(trick.plays):
            ids.append(FIRST_CARD + CARD_IDS[card])
            if n == 0 and trick.named:
                ids.append(actions.encode(trick.named))
    return ids


def format_action(action: int) -> str:
    """Return an action in notation, or as it is when it has none."""
    return actions.ACTION_NAMES[action] if 0 <= action < actions.N_ACTIONS else str(action)


def legal_ids(row: Row) -> list[int]:
    """Return the legal action ids in rising order."""
    mask = int(engine.legal_mask(row))
    first = int(actions.first_action(int(row[PHASE])))
    return [first + bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def legal_names(row: Row) -> list[str]:
    """Return the legal actions in notation, in the order of their ids."""
    return [actions.ACTION_NAMES[action] for action in legal_ids(row)]


def format_position(row: Row, history: Sequence[int] | None = None) -> str:
    """Return a whole position as one line that `parse_position` reads.

    Args:
        row: A state row.
        history: The actions since the deal; without them they are read from the row, the discards in id order.
    """
    ids = read_actions(row) if history is None else history
    scores = int(row[OPENING]), int(row[OPENING + 1])
    return (
        f"{POSITION_WORD} rules={rules_of_row(row).to_text()} dealer={int(row[DEALER])} "
        f"scores={scores[0]}/{scores[1]} deal={int(row[DEAL_NUMBER])} seed={int(row[SEED]) % SEED_LIMIT} "
        f"hands={format_deal(row).replace(' ', '/')} "
        f"actions={','.join(actions.ACTION_NAMES[action] for action in ids)}"
    )


def action_number(action: Any) -> int | None:
    """Return an action given as a whole number of any type as an int, None for anything else."""
    if isinstance(action, bool | np.bool_):
        return None
    if isinstance(action, int | np.integer):
        return int(action)
    if isinstance(action, np.ndarray) and action.ndim == 0 and np.issubdtype(action.dtype, np.integer):
        return int(action)
    return None


def read_suits_led(row: Row) -> list[str]:
    """Return the suits led or named so far, ``"S"`` …, in the order in which they first were.

    Rules: R7.4.
    """
    suits: list[str] = []
    for trick in read_tricks(row):
        suit = int(effective_suit(row, CARD_IDS[trick.plays[0][1]]))
        if suit >= 0:
            letter = SUIT_LETTERS[suit]
        elif trick.named:
            letter = trick.named[1]
        else:
            continue
        if letter not in suits:
            suits.append(letter)
    return suits


def check_seed(seed: Any) -> int:
    """Return a seed as an integer of 64 bits.

    Raises:
        OptionError: It is no integer from 0 to 2**64 - 1.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < SEED_LIMIT:
        raise OptionError(f"a seed is an integer from 0 to 2**64 - 1, not {seed!r}")
    return int(seed)


def signed(seed: int) -> int:
    """Return 64 bits as a signed integer, as a row holds them."""
    return seed - SEED_LIMIT if seed >= SEED_LIMIT // 2 else seed


def check_seat(seat: Any, name: str = "dealer") -> int:
    """Return a seat as an integer.

    Raises:
        OptionError: It is no integer from 0 to 3.
    """
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= int(seat) < SEATS:
        raise OptionError(f"{name} is a seat from 0 to {SEATS - 1}, not {seat!r}")
    return int(seat)


def check_scores(scores: Any, rules: Rules) -> tuple[int, int]:
    """Return the totals that a game starts with, points by side.

    Raises:
        OptionError: They are not two multiples of ten that leave the game undecided.

    Rules: R10.1, R10.2, R10.3, O.win.first_to_target.
    """
    try:
        values = list(scores)
    except TypeError:
        values = []
    if len(values) != 2 or any(isinstance(v, bool) or not isinstance(v, int | np.integer) for v in values):
        raise OptionError(f"scores are two integers, the totals of side 0 and side 1, not {scores!r}")
    totals = (int(values[0]), int(values[1]))
    target = int(rules.row[RULE_TARGET])
    for side, total in enumerate(totals):
        if total % 10 or abs(total) > MAX_TARGET:
            raise OptionError(f"scores {totals}: {total} of side {side} is no multiple of ten up to {MAX_TARGET}")
        if total <= -target and int(rules.row[RULE_LOSE]) == LOSE_BACKWARDS:
            raise OptionError(f"scores {totals}: side {side} has already lost at {total} (R10.2)")
        if total >= target and int(rules.row[RULE_WIN]) == WIN_FIRST_TO_TARGET:
            raise OptionError(f"scores {totals}: side {side} has already won at {total} (win=first_to_target)")
    return totals


def check_deal_number(number: Any) -> int:
    """Return the number of a deal in its game as an integer.

    Raises:
        OptionError: It is no integer from 1 to `MAX_DEAL_NUMBER`.
    """
    fine = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not fine or not 1 <= int(number) <= MAX_DEAL_NUMBER:
        raise OptionError(f"a deal number is an integer from 1 to {MAX_DEAL_NUMBER}, not {number!r}")
    return int(number)


def deal_row(rules: Rules, deal: str, dealer: int, scores: Any = (0, 0), seed: int = 0, deal_number: int = 1) -> Row:
    """Return a state row at the first call of a given deal.

    Args:
        rules: The rules of the table.
        deal: Text as in `parse_deal`.
        dealer: A seat.
        scores: Totals before this deal, points by side.
        seed: Where later deals come from.
        deal_number: Number of this deal in its game, from 1.

    Raises:
        NotationError: The deal is no deal of the pack.
        OptionError: Dealer, scores, seed or deal number are out of range.
    """
    masks = parse_deal(deal, rules)
    row = np.zeros(N_COLUMNS, np.int64)
    row[:N_RULES] = rules.row
    row[DEALER] = check_seat(dealer)
    row[SCORES : SCORES + 2] = check_scores(scores, rules)
    row[SEED] = signed(check_seed(seed))
    row[DEAL_NUMBER] = check_deal_number(deal_number)
    clear_deal(row)
    row[HAND : HAND + SEATS] = masks[:SEATS]
    row[KITTY] = masks[SEATS]
    return row


def parse_position(text: str) -> tuple[Row, list[int]]:
    """Return the row of a position and the actions that led to it.

    Raises:
        NotationError: The text is no position, of another version, or an action in it is illegal.
        OptionError: Dealer, scores or seed are out of range.
        RulesError: The rules are unknown.
    """
    words = text.split() if isinstance(text, str) else []
    if not words or words[0] != POSITION_WORD:
        raise NotationError(f"a position starts with {POSITION_WORD!r}, not {words[:1] or text!r}")
    fields = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    keys = ("rules", "dealer", "scores", "deal", "seed", "hands", "actions")
    if len(words) != len(keys) + 1 or set(fields) != set(keys):
        raise NotationError(f"a position has the fields {' '.join(keys)}, not {' '.join(fields) or 'none'}")
    rules = Rules.from_text(fields["rules"])
    try:
        dealer, number, seed = int(fields["dealer"]), int(fields["deal"]), int(fields["seed"])
        scores = [int(score) for score in fields["scores"].split("/")]
    except ValueError as error:
        raise NotationError(f"dealer, deal, seed and scores of a position are integers: {error}") from None
    row = deal_row(rules, fields["hands"].replace("/", " "), dealer, scores, seed, number)
    history: list[int] = []
    for name in filter(None, fields["actions"].split(",")):
        action = actions.encode(name, PHASES[int(row[PHASE])])
        if not engine.is_legal(row, action):
            raise NotationError(
                f"action {len(history) + 1} of the position, {name}, is illegal: {explain(row, action)[1]}"
            )
        engine.apply(row, action)
        history.append(action)
    return row, history


def illegal_action(row: Row, action: Any, history: Sequence[int] | None = None) -> IllegalActionError:
    """Return the error that says why an action is illegal in a position."""
    seat = int(row[SEAT])
    if isinstance(action, int):
        name = format_action(action)
        rule, reason = explain(row, action)
    else:
        name = repr(action)
        rule, reason = PHASE_RULES[int(row[PHASE])], "that is no action id and no notation"
    position = format_position(row, history)
    legal = legal_names(row)
    verb = {AUCTION: "call", DISCARD: "discard"}.get(int(row[PHASE]), "play" if name in CARD_IDS else "choose")
    return IllegalActionError(
        f"seat {seat} may not {verb} {name}: {reason} ({rule}) in {position}; legal: {' '.join(legal)}",
        seat=seat,
        action=name,
        rule=rule,
        position=position,
        legal=legal,
    )


def out_of_turn(row: Row, seat: Any, action: Any, history: Sequence[int] | None = None) -> IllegalActionError:
    """Return the error of a seat that acts although another is to move."""
    mover = int(row[SEAT])
    rule = {AUCTION: "R3.1", DISCARD: "R4.1", NOMINATE: "R5.1"}.get(int(row[PHASE]), "R6.1")
    position = format_position(row, history)
    return IllegalActionError(
        f"seat {seat} may not act: seat {mover} is to move ({rule}) in {position}",
        seat=mover,
        action=str(action),
        rule=rule,
        position=position,
        legal=legal_names(row),
    )


PHASE_RULES = ("R3.2", "R4.1", "R5.1", "R6.2", "R7.4", "R6.4")
_ASKS = (
    "a call",
    "a discard",
    "a nomination",
    "a card",
    "the name of a suit",
    "nothing: the deal is over",
)


def explain(row: Row, action: int) -> tuple[str, str]:
    """Return the id of the rule that forbids an illegal action, and the reason in words."""
    phase = int(row[PHASE])
    first = int(actions.first_action(phase))
    width = {AUCTION: CALLS, DISCARD: CARDS, NOMINATE: SUITS + 1, PLAY: CARDS, NAME: SUITS}.get(phase, 0)
    if not first <= action < first + width:
        return PHASE_RULES[phase], f"the phase is {PHASES[phase]} and asks for {_ASKS[phase]}"
    if phase == AUCTION:
        return _explain_call(row, action)
    if phase == NOMINATE:
        if action == DECLINE:
            return "R5.1", "the nomination is over"
        return "R5.4", "it does not hold the joker, so it can only decline with =-"
    if phase == NAME:
        option = rules_of_row(row).joker_no_trumps
        if option == "not_shown_void":
            return (
                "O.joker_no_trumps.not_shown_void",
                "it has failed to follow that suit in this deal",
            )
        return "R7.4", "that suit has been led in this deal"
    hand = int(row[HAND + int(row[SEAT])])
    if not hand >> (action - FIRST_CARD) & 1:
        return PHASE_RULES[phase], f"it does not hold that card; it holds {' '.join(mask_cards(hand))}"
    return _explain_card(row)


def _explain_call(row: Row, call: int) -> tuple[str, str]:
    """Return rule and reason why a call is illegal."""
    rules = rules_of_row(row)
    last = int(row[BID])
    order = bidding.bid_order(int(row[RULE_MISERE_RANK]), int(row[RULE_OPEN_MISERE_RANK]))
    if call not in order:
        option = "misere_rank" if call == MIS else "open_misere_rank"
        return f"O.{option}.none", f"the rules have {option}=none"
    hand = int(row[RULE_HAND])
    if actions.tricks_to_make(call, hand) < 1 and call < MIS:
        least = next(bid for bid in order if bid < MIS and actions.tricks_to_make(bid, hand) > 0)
        lowest = actions.CALL_NAMES[least]
        return f"O.pack.{rules.pack}", f"with hands of {hand} it would promise no trick; the lowest bid is {lowest}"
    if last and order.index(call) <= order.index(last):
        return "R3.2", f"it does not rank above the last bid {actions.CALL_NAMES[last]}"
    return "R3.3", f"no bid at the seven level stands ({rules.to_text()})"


def _explain_card(row: Row) -> tuple[str, str]:
    """Return rule and reason why a card in hand may not be played."""
    hand = int(row[HAND + int(row[SEAT])])
    option = rules_of_row(row).joker_no_trumps
    if int(row[TRICK_CARDS]) == 0:
        if option in ("last_trick_lead", "not_shown_void"):
            return f"O.joker_no_trumps.{option}", "the suitless joker may not be led here"
        return (
            "R7.5",
            "all four suits have been led, so the suitless joker is led to the last trick only",
        )
    led = int(row[LED])
    follow = hand & int(suit_cards(row, led))
    if follow:
        rule = "R7.2" if int(row[STRAIN]) == NO_TRUMPS and hand & suitless_jokers(row) & ~follow else "R6.2"
        return rule, f"{SUIT_LETTERS[led]} was led and it holds {' '.join(mask_cards(follow))}"
    if option == "not_shown_void" and int(voids_shown(row, int(row[SEAT]))) >> led & 1:
        return (
            "O.joker_no_trumps.not_shown_void",
            f"it has failed to follow {SUIT_LETTERS[led]} before",
        )
    return "R7.3", "a hand that can not follow in a misère must play the suitless joker"

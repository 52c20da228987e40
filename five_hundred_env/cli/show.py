"""Games and bid tables as text, and as data for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from five_hundred_env.core.actions import ACTION_NAMES, CALL_NAMES, CALL_VALUES, tricks_to_make
from five_hundred_env.core.bidding import BIDDABLE, FIRST_SEVEN, bid_order
from five_hundred_env.core.cards import CARD_IDS, POWER, effective_suit
from five_hundred_env.core.constants import MIS, NO_TRUMPS, OMIS, SEATS, SUIT_LETTERS, TRICKS
from five_hundred_env.core.play import trick_winner
from five_hundred_env.core.rules import Rules
from five_hundred_env.core.state import LED, RULE_HAND, RULE_MISERE_RANK, RULE_OPEN_MISERE_RANK, TRICK
from five_hundred_env.game import DealResult, Game
from five_hundred_env.notation import Trick, mask_cards, parse_deal
from five_hundred_env.records import Record

SIDE_NAMES = ("0 and 2", "1 and 3")
GAP = "  "


def record_text(record: Record, deal: int | None = None) -> Iterator[str]:
    """Yield the lines that show a game.

    Args:
        record: The game.
        deal: Show this deal only, from 1.

    Raises:
        OptionError: The game has no such deal.
    """
    yield f"game of line {record.line}, rules {record.rules.to_text()}, seed {record.game.seed}"
    if record.agents is not None:
        yield "seats: " + GAP.join(f"{seat} {name}" for seat, name in enumerate(record.agents))
    for number in range(1, len(record.deals) + 1) if deal is None else [deal]:
        yield ""
        yield from deal_text(record.at_deal(number), number)
    yield ""
    game = record.game
    totals = f"{game.scores[0]:+d} to {game.scores[1]:+d}"
    if game.winner is None:
        yield f"broken off after {len(record.deals)} deals: {totals}"
    else:
        yield f"seats {SIDE_NAMES[game.winner]} win after {len(record.deals)} deals: {totals}"


def deal_text(game: Game, number: int) -> Iterator[str]:
    """Yield the lines that show one deal at its end."""
    played = game.history[-1]
    yield f"deal {number}, dealer {played.dealer}, totals {played.scores[0]:+d} {played.scores[1]:+d}"
    hands = parse_deal(played.deal, game.rules)
    for seat in range(SEATS):
        yield f"{GAP}hand {seat}:  {GAP.join(suits_text(hands[seat]))}"
    yield f"{GAP}kitty:   {' '.join(mask_cards(hands[SEATS]))}"
    yield from auction_text(game)
    if game.discards:
        yield f"{GAP}discards by {game.contractor}: {' '.join(game.discards)}"
    nominations = {joker: word for joker, word in game.nominations.items() if word is not None}
    if nominations:
        yield f"{GAP}nomination: " + ", ".join(f"{joker} {word}" for joker, word in nominations.items())
    yield from tricks_text(game)
    yield f"{GAP}{result_text(game.deal_result)}; totals {game.scores[0]:+d} {game.scores[1]:+d}"


def suits_text(mask: int) -> list[str]:
    """Return a hand suit by suit, high cards first, jokers in front."""
    cards = sorted(mask_cards(mask), key=lambda card: -int(POWER[0, NO_TRUMPS, CARD_IDS[card]]))
    groups = [" ".join(card for card in cards if card in ("JK", "J2"))]
    groups += [" ".join(card for card in cards if card[1] == suit) for suit in SUIT_LETTERS]
    return [group for group in groups if group]


def auction_text(game: Game) -> Iterator[str]:
    """Yield the auction as a table with a column for each seat, the first to speak on the left."""
    if not game.calls:
        return
    first = game.calls[0][0]
    seats = [(first + n) % SEATS for n in range(SEATS)]
    yield f"{GAP}auction: " + "".join(f"{seat:>6}" for seat in seats)
    row: dict[int, str] = {}
    for seat, call in game.calls:
        if seat in row or any(seats.index(seat) < seats.index(other) for other in row):
            yield _auction_row(row, seats)
            row = {}
        row[seat] = call
    yield _auction_row(row, seats)


def _auction_row(row: dict[int, str], seats: list[int]) -> str:
    return (f"{GAP}         " + "".join(f"{row.get(seat, ''):>6}" for seat in seats)).rstrip()


def tricks_text(game: Game) -> Iterator[str]:
    """Yield one line for each trick: cards by seat, the card led in brackets, a named suit, the winner."""
    tricks = game.trick_history
    if not tricks:
        return
    yield f"{GAP}tricks:  " + "".join(f"{seat:>6}" for seat in range(SEATS)) + f"{GAP}winner"
    for number, trick in enumerate(tricks, 1):
        cards = dict(trick.plays)
        cells = "".join(f"{_card(cards, seat, trick.leader):>6}" for seat in range(SEATS))
        winner = winner_of(game, trick)
        named = f"{GAP}names {trick.named}" if trick.named else ""
        yield f"{GAP}{number:>7}  {cells}{GAP}{'' if winner is None else winner:>6}{named}"


def _card(cards: dict[int, str], seat: int, leader: int) -> str:
    card = cards.get(seat, "")
    return f"[{card}]" if seat == leader else f"{card} "


def winner_of(game: Game, trick: Trick) -> int | None:
    """Return who stands highest in a trick of a finished or running deal; None for a trick not complete."""
    last = game.trick_history[-1]
    if trick == last and game.trick:
        return None
    row = game.row.copy()
    row[TRICK : TRICK + SEATS] = -1
    for seat, card in trick.plays:
        row[TRICK + seat] = CARD_IDS[card]
    row[LED] = _led(game, trick)
    return int(trick_winner(row))


def _led(game: Game, trick: Trick) -> int:
    """Return the suit that a trick asked for."""
    if trick.named:
        return SUIT_LETTERS.index(trick.named[1])
    return int(effective_suit(game.row, CARD_IDS[trick.plays[0][1]]))


def result_text(result: DealResult | None) -> str:
    """Return how a deal ended, in words."""
    if result is None:
        return "broken off"
    points = f"points {result.points[0]:+d} {result.points[1]:+d}"
    if result.contract is None:
        if not any(result.tricks):
            return "thrown in: nobody bid"
        return f"no contract, tricks {result.tricks[0]} to {result.tricks[1]}; {points}"
    how = "made" if result.made else "failed"
    return f"{result.contract} by {result.contractor} {how}, tricks {result.tricks[0]} to {result.tricks[1]}; {points}"


def record_data(record: Record, deal: int | None = None) -> dict[str, Any]:
    """Return a game as data for JSON; arguments and errors as for `record_text`."""
    numbers = range(1, len(record.deals) + 1) if deal is None else [deal]
    return {
        "line": record.line,
        "rules": record.rules.to_dict(),
        "seed": record.game.seed,
        "agents": None if record.agents is None else list(record.agents),
        "deals": [deal_data(record.at_deal(number), number) for number in numbers],
        "winner": record.game.winner,
        "scores": list(record.game.scores),
    }


def deal_data(game: Game, number: int) -> dict[str, Any]:
    """Return one deal at its end as data for JSON."""
    played = game.history[-1]
    hands = parse_deal(played.deal, game.rules)
    return {
        "number": number,
        "dealer": played.dealer,
        "scores_before": list(played.scores),
        "hands": [mask_cards(mask) for mask in hands[:SEATS]],
        "kitty": mask_cards(hands[SEATS]),
        "calls": [list(call) for call in game.calls],
        "discards": game.discards,
        "nominations": game.nominations,
        "tricks": [
            {
                "leader": trick.leader,
                "cards": [list(play) for play in trick.plays],
                "named": trick.named,
                "winner": winner_of(game, trick),
            }
            for trick in game.trick_history
        ],
        "actions": [ACTION_NAMES[action] for action in played.actions],
        "result": None if game.deal_result is None else asdict(game.deal_result),
        "scores": list(game.scores),
    }


def bid_data(rules: Rules) -> list[dict[str, Any]]:
    """Return the bids of a table in rising order, with values and remarks."""
    biddable = int(BIDDABLE[int(rules.row[RULE_HAND])])
    if rules.misere_rank == "after_seven" and not biddable >> FIRST_SEVEN & 1:
        biddable &= ~(1 << MIS)
    every = bid_order(int(rules.row[RULE_MISERE_RANK]), int(rules.row[RULE_OPEN_MISERE_RANK]))
    order = [bid for bid in every if biddable >> bid & 1]
    return [
        {"place": place, "bid": CALL_NAMES[bid], "value": CALL_VALUES[bid], "remark": _remark(bid, rules)}
        for place, bid in enumerate(order, 1)
    ]


def _remark(bid: int, rules: Rules) -> str:
    if bid == MIS:
        only = "; only over a bid at the seven level (R3.3)" if rules.misere_rank == "after_seven" else ""
        return f"misère: no trick, partner out{only}"
    if bid == OMIS:
        shown = "after the first trick" if rules.open_misere_shown == "after_first_trick" else "before the first lead"
        return f"open misère: the same, the hand shown {shown}"
    hand = int(rules.row[RULE_HAND])
    slam = rules.slam != "none" and CALL_VALUES[bid] < int(rules.slam)
    if hand < TRICKS:
        more = f"; {rules.slam} with all of them (R9.3)" if slam else ""
        return f"{tricks_to_make(bid, hand)} of {hand} tricks (D12){more}"
    return f"{rules.slam} with all ten tricks (R9.3)" if slam else ""


def bid_text(rules: Rules) -> Iterator[str]:
    """Yield the bids of a table in rising order, one a line."""
    yield f"bids in rising order, rules {rules.to_text()}"
    yield "place  bid   value  remark"
    for entry in bid_data(rules):
        yield f"{entry['place']:>5}  {entry['bid']:<4}  {entry['value']:>5}  {entry['remark']}".rstrip()

"""Deals and positions for the tests of the rules."""

from __future__ import annotations

from typing import Any

from five_hundred_env import Game

# Four hands, then the kitty. Each seat has a suit of its own.
SUITED = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H"
# Seat 0 has the top of every suit and seat 3 the bottom.
LAYERED = "ASKSACKCQCADKDAHKHQS JSTS9SJCTCQDJDQHJHTH 8S7S9C8CTD9D8D9H8H7H 6S5S7C6C5C7D6D6H5H4H JK5D4D"
# Seat 0 has six tricks in spades, then leads a diamond and seat 3 has four; nobody else has a spade or a high diamond.
SIX_FOUR = "ASKSQSJSTS9S7D6D5D4D KCQCJCTC9C8C7C6C5C8S ACKHQHJHTH9H8H7H6H7S ADKDQDJDTD9D8DAH6S5S JK5H4H"
SIX_FOUR_PLAY = (
    "AS 8S 7S 6S / KS 5C 6H 5S / QS 6C 7H AH / JS 7C 8H 8D / TS 8C 9H 9D / 9S 9C TH TD / "
    "7D TC JH AD / KD 6D JC QH / QD 5D QC KH / JD 4D KC AC"
)
# Seat 0 has the lowest cards of every suit: nothing it plays takes a trick in which a defender follows suit.
LOWEST = "5S6S7S5C6C7C4D5D4H5H AS9S8SAC9C8CADJD9D8H KSQSJSKCQCJCKDQDKHQH TSTCTD8D7D6DAHJHTH9H JK7H6H"

RANKS = "456789TJQKA"
SUITS = "SCDH"
FOURS = {"43": "DH", "43-low-four": "CH", "45": SUITS, "46": SUITS}
SHORT = {"5": "J", "9": "JA", "13": "JKA", "17": "JQKA"}


def cards(text: str) -> list[str]:
    """Split cards that are run together."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def pack_of(pack: str = "43") -> list[str]:
    """Return the cards of a pack by rank from the four up, the jokers last."""
    if pack in SHORT:
        return [*(rank + suit for rank in SHORT[pack] for suit in SUITS), "JK"]
    named = [rank + suit for rank in RANKS for suit in SUITS if rank != "4" or suit in FOURS[pack]]
    return [*named, "JK", *(["J2"] if pack == "46" else [])]


def fill(*hands: str, kitty: str = "", pack: str = "43") -> str:
    """Complete four hands and a kitty to a deal.

    What is left of the pack, by rank from the four up and the jokers last, fills seat 0, then 1, 2, 3 and the kitty.
    """
    groups = [cards(group) for group in [*hands, *[""] * (4 - len(hands)), kitty]]
    rest = [card for card in pack_of(pack) if not any(card in group for group in groups)]
    held = len(SHORT.get(pack, RANKS[1:]))
    for group, size in zip(groups, [*[held] * 4, len(pack_of(pack)) - 4 * held], strict=True):
        while len(group) < size:
            group.append(rest.pop(0))
    assert not rest
    return " ".join("".join(group) for group in groups)


def start(
    deal: str = SUITED, actions: str = "", dealer: int = 3, scores: tuple[int, int] = (0, 0), **options: Any
) -> Game:
    """Deal, then take actions; seat 0 calls first unless another dealer is named."""
    return take(Game.from_deal(deal, dealer=dealer, scores=scores, rules=options, seed=1), actions)


def take(game: Game, actions: str) -> Game:
    """Do actions that are parted by blanks; a slash between tricks is for the reader only."""
    for action in actions.replace("/", " ").split():
        game.apply(action)
    return game


def declare(deal: str, bid: str, actions: str = "", seat: int = 0, **options: Any) -> Game:
    """Deal, let a seat call first and get its bid, then take actions, the discards first."""
    scores = options.pop("scores", (0, 0))
    return start(deal, f"{bid} PASS PASS PASS {actions}", (seat - 1) % 4, scores, **options)


def play_out(game: Game, *preferred: str) -> Game:
    """Play on to the end of the deal: the first of some cards that is legal, else the first legal action."""
    while game.phase != "over":
        legal = game.legal()
        game.apply(next((card for card in preferred if card in legal), legal[0]))
    return game


def legal(game: Game) -> set[str]:
    """Return the legal actions as a set."""
    return set(game.legal())


def duel(bid: str, ladder: str, led: str, answer: str, pack: str = "43") -> int:
    """Return who takes the first trick when seat 0 leads a card and seat 1 answers with its only one of that suit.

    Args:
        bid: The contract, seat 0's.
        ladder: Every card of the suit that is led, left bower and jokers included where they belong to it. Seat 0 has
            all but the answer, so that seats 2 and 3 can not follow; they throw what is no trump.
        led: The card led.
        answer: The card of seat 1.
        pack: The pack.
    """
    own = [led, *(card for card in ladder.split() if card not in (led, answer))]
    held = len(SHORT.get(pack, RANKS[1:]))
    game = declare(fill("".join(own[:held]), answer, kitty="".join(own[held:]), pack=pack), bid, pack=pack)
    for card in game.kitty:
        game.apply(card)
    while game.phase == "nominate":
        game.apply("=-")
    take(game, f"{led} {answer}")
    same_colour = {"S": "SC", "C": "SC", "D": "DH", "H": "DH"}
    for _ in range(2):
        trumps = "K2" + same_colour.get(bid[-1], "")
        game.apply(next(card for card in game.legal() if card[1] not in trumps))
    (winner,) = [seat for seat in range(4) if game.tricks[seat] == 1]
    return winner

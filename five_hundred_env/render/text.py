"""The table as text for a terminal of 80 columns.

Rules: R11.1, R11.2.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import SEATS, SIDES
from five_hundred_env.game import Game
from five_hundred_env.render.scene import Scene, make_scene

WIDTH = 80
SYMBOLS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
_RED, _BOLD, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"
_CALL_WORDS = {"MIS": "misère", "OMIS": "open misère"}
_ASKED = {
    "auction": "to call",
    "discard": "to discard",
    "nominate": "to nominate the joker's suit or decline",
    "play": "to play a card",
    "name": "to name the suit of the joker led",
}
_LABEL, _COLUMN = 11, 9


def render_text(row_or_game: Row | Game, seat: int | None = None, colour: bool = False) -> str:
    """Return the table as lines of at most 80 columns.

    Args:
        row_or_game: A `Game`, or a state row `[N_COLUMNS] int64`.
        seat: The seat whose knowledge is shown; None opens every card.
        colour: Whether red suits and the seat to move are coloured with ANSI codes.

    Raises:
        OptionError: There is no position to show, or `seat` is no seat.

    Rules: R11.1, R11.2, R11.3.
    """
    scene = make_scene(row_or_game, seat)
    blocks = [_head(scene), _hands(scene), _middle(scene), _auction(scene), _score(scene)]
    text = "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks if block)
    return _paint(text) if colour else text


def format_card(card: str) -> str:
    """Return a card with the symbol of its suit, `A♠`; jokers stay `JK`, `J2`."""
    return card if card in ("JK", "J2") else card[0] + SYMBOLS[card[1]]


def format_call(call: str) -> str:
    """Return a call with the symbol of its suit, `7♥`; other words stay as they are."""
    return call[:-1] + SYMBOLS[call[-1]] if call[:-1].isdigit() else call


def describe_deal(scene: Scene) -> list[str]:
    """Return how a finished deal ended: the contract, the points, who has won the game or nothing.

    Nothing at all while it runs.
    """
    if scene.points is None:
        return []
    if scene.contract is None:
        played = any(scene.tricks)
        said = "Nobody bid: played without trumps." if played else "Nobody bid: thrown in."
    else:
        word = "made" if scene.made else "failed"
        said = f"{format_call(scene.contract)} by seat {scene.contractor} {word}."
    points = "  ".join(f"Side {side} {points:+d}." for side, points in enumerate(scene.points))
    winner = f"Side {scene.winner} wins the game." if scene.winner is not None else ""
    return [said, points, winner]


def describe_contract(scene: Scene) -> str:
    """Return what a contract promises, such as `7 tricks, 200 points`."""
    if scene.bid is None:
        return ""
    if scene.bid in _CALL_WORDS:
        return f"{_CALL_WORDS[scene.bid]}, {scene.value} points"
    return f"{scene.bid.rstrip('SCDHNT')} tricks, {scene.value} points"


def _paint(text: str) -> str:
    """Colour red suits and the line of the seat to move."""
    for symbol in "♦♥":
        text = text.replace(symbol, f"{_RED}{symbol}{_PLAIN}")
    lines = text.split("\n")
    return "\n".join(f"{_BOLD}>{_PLAIN}{line[1:]}" if line.startswith(">") else line for line in lines)


def _head(scene: Scene) -> list[str]:
    """Name the deal, the contract, and who is to move or how it ended."""
    title = f"Five Hundred, deal {scene.deal_number}, dealer seat {scene.dealer} ({scene.profile})"
    lines = textwrap.wrap(title, WIDTH, break_on_hyphens=False)
    bid = f"{format_call(scene.bid)} by seat {scene.bidder} ({describe_contract(scene)})" if scene.bid else "none"
    lines.append(_labelled("Last bid" if scene.phase == "auction" else "Contract", bid))
    if scene.nominations:
        lines.append(_labelled("Joker", ", ".join(_nomination(scene, *entry) for entry in scene.nominations)))
    if scene.seat is not None:
        return [*lines, _labelled("To move", f"seat {scene.seat} {_ASKED[scene.phase]}")]
    said, points, winner = describe_deal(scene)
    lines.append(_labelled("Over", f"{said}  {points}"))
    return [*lines, _labelled("", winner)] if winner else lines


def _labelled(label: str, text: str) -> str:
    """Return a line that begins with a word in its own column."""
    return f"{label:<{_LABEL}}{text}"


def _nomination(scene: Scene, joker: str, name: str) -> str:
    """Say what was nominated for a joker."""
    which = f"{joker} " if len(scene.nominations) > 1 else ""
    return which + ("not nominated" if name == "=-" else f"nominated as {SYMBOLS[name[1]]}")


def _hands(scene: Scene) -> list[str]:
    """List the seats with their tricks and hands; `>` marks the seat to move."""
    lines = ["  Seat   Tricks  Hand"]
    for seat in range(SEATS):
        mark = ">" if seat == scene.seat else " "
        you = "you" if seat == scene.observer else ""
        lines.append(f"{mark} {seat} {you:<4} {scene.tricks[seat]:>6}  {_hand(scene, seat)}")
    return lines


def _hand(scene: Scene, seat: int) -> str:
    """Return a hand, or how many cards lie face down, and what is special about the seat."""
    cards = scene.hands[seat]
    words = [show_cards(scene, cards) if cards else _face_down(scene.counts[seat])]
    words += ["contractor"] if seat == scene.contractor else []
    words += ["open to all"] if seat == scene.exposed else []
    words += ["laid aside"] if seat == scene.idle else []
    return "   ".join(filter(None, words))


def show_cards(scene: Scene, cards: Sequence[str]) -> str:
    """Return cards in their order, a wider gap between suits."""
    groups = [scene.groups[card] for card in cards]
    gaps = ["" if n == 0 else "  " if groups[n] != groups[n - 1] else " " for n in range(len(cards))]
    return "".join(gap + format_card(card) for gap, card in zip(gaps, cards, strict=True))


def _face_down(count: int) -> str:
    """Say how many cards nobody sees."""
    return f"{count} card{'' if count == 1 else 's'} face down" if count else "no cards"


def _middle(scene: Scene) -> list[str]:
    """Show the running trick, the last one, the suits led, kitty and discards."""
    lines = []
    if scene.trick:
        lines.append(
            _labelled(f"Trick {scene.trick_number}", _trick(scene.trick, scene.named, scene.standing, "wins so far"))
        )
    if scene.last_trick:
        shown = _trick(scene.last_trick, scene.last_named, scene.last_winner, "took it")
        lines.append(_labelled(f"Trick {scene.trick_number - 1}", shown))
    if scene.suits_led:
        lines.append(_labelled("Suits led", " ".join(SYMBOLS[suit] for suit in scene.suits_led)))
    kitty = _face_down(scene.kitty_size) if scene.kitty is None else show_cards(scene, scene.kitty)
    lines.append(_labelled("Kitty", kitty))
    if scene.discard_count:
        hidden = scene.discards is None
        lines.append(
            _labelled(
                "Discards", _face_down(scene.discard_count) if hidden else show_cards(scene, scene.discards or ())
            )
        )
    return lines


def _trick(plays: Iterable[tuple[int, str]], named: str | None, best: int | None, word: str) -> str:
    """Return the cards of a trick with their seats, the named suit, and who is or was best."""
    cards = [f"{seat}: {format_card(card)}" for seat, card in plays]
    if named:
        cards[0] += f" as {SYMBOLS[named[1]]}"
    return "   ".join(cards) + f"   (seat {best} {word})"


def _auction(scene: Scene) -> list[str]:
    """Show the calls in columns by seat, dealer's left first."""
    order = scene.calling_order
    header = [f"seat {seat}{'*' if seat == scene.dealer else ''}" for seat in order]
    lines = [_labelled("Auction", _columns(header)) + "   * dealer"]
    return lines + [_labelled("", _columns(row)) for row in auction_rows(scene)]


def auction_rows(scene: Scene) -> list[list[str]]:
    """Return the calls as a table, a row a round, columns in calling order; empty where a seat did not call."""
    order = scene.calling_order
    rows: list[list[str]] = []
    at = SEATS
    for seat, call in scene.calls:
        column = order.index(seat)
        if column < at:
            rows.append([""] * SEATS)
        rows[-1][column] = format_call(call)
        at = column + 1
    return rows


def _columns(words: Iterable[str]) -> str:
    """Return words in columns of equal width."""
    return "".join(f"{word:<{_COLUMN}}" for word in words)


def _score(scene: Scene) -> list[str]:
    """Show tricks, points of the finished deal and totals by side."""
    lines = ["Side               Tricks    Deal   Total"]
    for side in range(SIDES):
        seats = " and ".join(str(seat) for seat in range(side, SEATS, SIDES))
        deal = f"{scene.points[side]:+d}" if scene.points else ""
        lines.append(f"{side} (seats {seats})   {scene.side_tricks[side]:>6} {deal:>7} {scene.scores[side]:>7}")
    return lines

"""Card faces and backs as small pictures, drawn once and kept."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from five_hundred_env.render.pen import INK, PAPER, RED, SUIT_COLOURS, Colour, Pen
from five_hundred_env.render.text import SYMBOLS

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 84.0, 118.0
"""Units of a card of full size."""

_CARD: Colour = (254, 253, 249)
_EDGE: Colour = (150, 146, 138)
_BACK: Colour = (36, 66, 122)
_BACK_LINE: Colour = (104, 134, 190)
_GOLD: Colour = (214, 164, 52)
_PURPLE: Colour = (98, 58, 140)
_GREY: Colour = (96, 96, 104)
_COURT: dict[str, Colour] = {"J": (226, 234, 246), "Q": (248, 230, 232), "K": (250, 240, 212)}

_TOP, _UPPER, _MIDDLE = 0.17, 0.335, 0.5
_SIDES = (0.36, 0.64)
_COLUMN_OF_TWO = [(x, y) for x in _SIDES for y in (_TOP, 1 - _TOP)]
_COLUMN_OF_THREE = [*_COLUMN_OF_TWO, *((x, _MIDDLE) for x in _SIDES)]
_COLUMN_OF_FOUR = [*_COLUMN_OF_TWO, *((x, y) for x in _SIDES for y in (0.39, 1 - 0.39))]
_CENTRE = [(0.5, _MIDDLE)]
PIPS = {
    "4": _COLUMN_OF_TWO,
    "5": _COLUMN_OF_TWO + _CENTRE,
    "6": _COLUMN_OF_THREE,
    "7": [*_COLUMN_OF_THREE, (0.5, _UPPER)],
    "8": [*_COLUMN_OF_THREE, (0.5, _UPPER), (0.5, 1 - _UPPER)],
    "9": _COLUMN_OF_FOUR + _CENTRE,
    "T": [*_COLUMN_OF_FOUR, (0.5, 0.28), (0.5, 1 - 0.28)],
}
"""Where the symbols of a number card stand, as parts of its width and height."""


@lru_cache(maxsize=512)
def face(card: str, scale: float, style: str = "column") -> Image.Image:
    """Return a card, face up.

    Args:
        card: Notation of the rulebook.
        scale: Pixels a unit.
        style: ``column``: rank above suit in the corner; ``row``: beside it, for cards that overlap downwards;
            ``mini``: nothing but a large corner.
    """
    picture, pen = _blank(scale)
    if card in ("JK", "J2"):
        _draw_joker(pen, card, style)
        return picture
    rank, symbol = card[0], SYMBOLS[card[1]]
    if style == "row":
        pen.suit(symbol, WIDTH / 2, 73, 46)
    elif style == "column":
        _draw_middle(pen, rank, symbol)
    corner = picture.copy()
    corner.paste((0, 0, 0, 0), (0, 0, *corner.size))
    _draw_corner(Pen(corner, scale), rank, symbol, style)
    picture.alpha_composite(corner)
    if style == "column":
        picture.alpha_composite(corner.rotate(180))
    return picture


@lru_cache(maxsize=16)
def back(scale: float) -> Image.Image:
    """Return a card, face down.

    Args:
        scale: Pixels a unit.
    """
    picture, pen = _blank(scale)
    pen.box(6, 6, WIDTH - 12, HEIGHT - 12, _BACK, 6)
    for row in range(19):
        for column in range(7 - row % 2):
            x, y = 12 + 10 * column + 5 * (row % 2), 12 + 5.2 * row
            pen.polygon([(x, y - 3.7), (x + 3.4, y), (x, y + 3.7), (x - 3.4, y)], _BACK_LINE)
    return picture


def _blank(scale: float) -> tuple[Image.Image, Pen]:
    """Return an empty card and a pen for it."""
    from PIL import Image

    picture = Image.new("RGBA", (round(WIDTH * scale), round(HEIGHT * scale)), (*_EDGE, 0))
    pen = Pen(picture, scale)
    pen.box(0, 0, WIDTH - 1, HEIGHT - 1, (*_CARD, 255), 8, outline=(*_EDGE, 255), line=1)
    return picture, pen


def _draw_corner(pen: Pen, rank: str, symbol: str, style: str) -> None:
    """Write rank and suit into the upper left corner."""
    word = "10" if rank == "T" else rank
    ink = SUIT_COLOURS[symbol]
    if style == "row":
        end = pen.text(word, 7, 17, 25, ink, bold=True)
        pen.suit(symbol, end + 12, 17, 19)
    elif style == "mini":
        pen.text(word, 22, 26, 42 if rank != "T" else 36, ink, "m", bold=True)
        pen.suit(symbol, 22, 64, 32)
    else:
        pen.text(word, 13, 15, 21 if rank != "T" else 18, ink, "m", bold=True)
        pen.suit(symbol, 13, 33, 15)


def _draw_middle(pen: Pen, rank: str, symbol: str) -> None:
    """Draw the pips of a number card, the large one of an ace, the panel of a court card."""
    if rank == "A":
        pen.suit(symbol, WIDTH / 2, HEIGHT / 2, 46)
    for x, y in PIPS.get(rank, ()):
        pen.suit(symbol, x * WIDTH, y * HEIGHT, 16, turn=y > _MIDDLE)
    if rank in _COURT:
        pen.box(24, 14, WIDTH - 48, HEIGHT - 28, _COURT[rank], 4, outline=_GOLD, line=1.2)
        _draw_crown(pen, rank)
        pen.text(rank, WIDTH / 2, 63, 38, SUIT_COLOURS[symbol], "m", bold=True)
        pen.suit(symbol, WIDTH / 2, 90, 16)


def _draw_crown(pen: Pen, rank: str) -> None:
    """Draw what a court card wears: a crown of five or three points, or a cap with a feather."""
    left, right, top, bottom = 30.0, WIDTH - 30, 22.0, 41.0
    if rank == "J":
        pen.polygon([(left, bottom), (left + 2, 30), (left + 8, 26), (right - 6, 28), (right - 1, bottom)], _GOLD)
        pen.polygon([(left + 1, 37), (right - 2, 37), (right - 1, bottom), (left, bottom)], RED)
        pen.stroke([(right - 8, 36), (right - 3, 27), (right - 3, 21)], INK, 1.6)
        return
    tips = 5 if rank == "K" else 3
    gap = (right - left) / (tips - 1)
    points = [(left, bottom)]
    for n in range(tips):
        points.append((left + gap * n, top + (3 if n in (0, tips - 1) else 0)))
        points.append((left + gap * (n + 0.5), top + 11))
    points[-1] = (right, bottom)
    pen.polygon(points, _GOLD)
    for x, y in points[1::2]:
        pen.disc(x, y, 2.2, RED)


def _draw_joker(pen: Pen, card: str, style: str) -> None:
    """Draw a jester's cap over a star, the second joker in grey."""
    first = card == "JK"
    ink = _PURPLE if first else _GREY
    word = "JOKER" if first else "JOKER 2"
    if style == "mini":
        pen.text("JK" if first else "J2", 24, 26, 34, ink, "m", bold=True)
        _draw_star(pen, 22, 66, 19, _GOLD if first else _GREY)
        return
    if style == "row":
        pen.text(word, 7, 17, 17, ink, bold=True)
    else:
        for n, letter in enumerate(word.replace(" ", "")):
            pen.text(letter, 12, 15 + 14 * n, 15, ink, "m", bold=True)
    _draw_star(pen, 48, 92, 13, _GOLD if first else _GREY)
    red, dark = (RED, ink) if first else (_GREY, INK)
    pen.polygon([(30, 74), (24, 42), (36, 32), (48, 58), (48, 74)], red)
    pen.polygon([(66, 74), (72, 42), (60, 32), (48, 58), (48, 74)], dark)
    pen.polygon([(38, 74), (48, 30), (58, 74)], _GOLD)
    pen.box(28, 72, 40, 7, PAPER, 3, outline=dark)
    for x, y in ((24, 43), (48, 29), (72, 43)):
        pen.disc(x, y, 4.5, _GOLD)
        pen.disc(x, y, 2, red)


def _draw_star(pen: Pen, x: float, y: float, radius: float, fill: Colour) -> None:
    """Draw a star of five points about a centre."""
    turns = [(math.pi * n / 5 - math.pi / 2, radius if n % 2 == 0 else 0.42 * radius) for n in range(10)]
    pen.polygon([(x + r * math.cos(t), y + r * math.sin(t)) for t, r in turns], fill)

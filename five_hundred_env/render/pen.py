"""A pen for Pillow images: lengths in table units, text that may hold suit symbols, suits as drawn shapes.

The font that Pillow ships has no suit symbols, so they are drawn as polygons.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from five_hundred_env.errors import MissingExtraError

if TYPE_CHECKING:
    from PIL import Image, ImageFont

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, ...]

INK: Colour = (34, 34, 38)
RED: Colour = (196, 30, 42)
PAPER: Colour = (250, 246, 234)
SUIT_COLOURS = {"♠": INK, "♣": INK, "♦": RED, "♥": RED}
_SYMBOL = re.compile("([♠♣♦♥])")
_SYMBOL_WIDTH = 0.86
_STEPS = 48


def need_pillow() -> None:
    """Check that Pillow can be imported.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import PIL.Image  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "pictures are drawn with Pillow, which is not installed: pip install 'five_hundred_env[render]'"
        ) from error


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's own font, its size in pixels."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _heart() -> list[Point]:
    """Return a heart within -1 … 1, y downwards."""
    points = []
    for step in range(_STEPS):
        t = 2 * math.pi * step / _STEPS
        x = math.sin(t) ** 3
        y = (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16
        points.append((0.98 * x, -0.98 * y - 0.08))
    return points


def _stem(top: float) -> list[Point]:
    """Return the foot of a spade or a club."""
    left = [(-0.06, top), (-0.1, 0.62), (-0.2, 0.85), (-0.38, 1.0)]
    return left + [(-x, y) for x, y in reversed(left)]


def _circle(x: float, y: float, radius: float) -> list[Point]:
    """Return a circle as a polygon."""
    turns = [2 * math.pi * step / _STEPS for step in range(_STEPS)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


def _diamond() -> list[Point]:
    """Return a diamond whose sides are slightly hollow."""
    corners = [(0.0, -1.0), (0.76, 0.0), (0.0, 1.0), (-0.76, 0.0)]
    points = []
    for n, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(n + 1) % 4]
        for step in range(8):
            t = step / 8
            hollow = 1 - 0.3 * t * (1 - t)
            points.append((hollow * (x0 + t * (x1 - x0)), hollow * (y0 + t * (y1 - y0))))
    return points


SHAPES: dict[str, list[list[Point]]] = {
    "♥": [_heart()],
    "♦": [_diamond()],
    "♠": [[(0.92 * x, -y * 0.92 - 0.16) for x, y in _heart()], _stem(0.3)],
    "♣": [_circle(0, -0.5, 0.45), _circle(-0.48, 0.2, 0.45), _circle(0.48, 0.2, 0.45), _circle(0, 0, 0.3), _stem(0.0)],
}
"""Polygons of each suit within -1 … 1, y downwards."""


class Pen:
    """Draws on an image.

    Args:
        image: What to draw on.
        scale: Pixels a unit.
        origin: Where the units start, pixels.
    """

    def __init__(self, image: Image.Image, scale: float, origin: Point = (0, 0)) -> None:
        from PIL import ImageDraw

        self.image = image
        self.scale = scale
        self.origin = origin
        self._draw = ImageDraw.Draw(image)

    def at(self, x: float, y: float) -> tuple[int, int]:
        """Return a place in pixels."""
        return round(self.origin[0] + x * self.scale), round(self.origin[1] + y * self.scale)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: Colour | None,
        radius: float = 0,
        outline: Colour | None = None,
        line: float = 1,
    ) -> None:
        """Draw a rectangle with round corners."""
        corners = (*self.at(x, y), *self.at(x + width, y + height))
        pixels = max(1, round(line * self.scale))
        self._draw.rounded_rectangle(corners, round(radius * self.scale), fill, outline, pixels if outline else 0)

    def polygon(self, points: Iterable[Point], fill: Colour) -> None:
        """Draw a filled polygon."""
        self._draw.polygon([self.at(x, y) for x, y in points], fill)

    def stroke(self, points: Iterable[Point], fill: Colour, line: float = 1) -> None:
        """Draw a line through points."""
        self._draw.line([self.at(x, y) for x, y in points], fill, max(1, round(line * self.scale)), "curve")

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """Draw a filled circle about a centre."""
        self._draw.ellipse((*self.at(x - radius, y - radius), *self.at(x + radius, y + radius)), fill)

    def suit(
        self, symbol: str, x: float, y: float, size: float, fill: Colour | None = None, turn: bool = False
    ) -> None:
        """Draw a suit about a centre.

        Args:
            symbol: One of ♠♣♦♥.
            x: Centre.
            y: Centre.
            size: Height.
            fill: Colour; None for that of the suit.
            turn: Whether it stands on its head.
        """
        half = size / 2 * (-1 if turn else 1)
        for points in SHAPES[symbol]:
            self.polygon([(x + half * px, y + half * py) for px, py in points], fill or SUIT_COLOURS[symbol])

    def width(self, text: str, size: float) -> float:
        """Return how wide a text is, symbols included."""
        font = _font(self._pixels(size))
        parts = _SYMBOL.split(text)
        return sum(size * _SYMBOL_WIDTH if part in SHAPES else font.getlength(part) / self.scale for part in parts)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        fill: Colour = INK,
        anchor: str = "l",
        bold: bool = False,
    ) -> float:
        """Write a line whose middle is at height `y`, and return where it ends.

        Args:
            text: May hold ♠♣♦♥.
            x: Left end, middle or right end.
            y: Middle of the capitals.
            size: Height of the font.
            fill: Colour of the letters; suits have their own.
            anchor: ``l``, ``m`` or ``r``: what `x` is.
            bold: Whether the letters are heavier.
        """
        x -= self.width(text, size) * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor]
        font = _font(self._pixels(size))
        for part in _SYMBOL.split(text):
            if part in SHAPES:
                advance = size * _SYMBOL_WIDTH
                self.suit(part, x + advance / 2, y, size * 0.74)
            else:
                advance = font.getlength(part) / self.scale
                # The baseline, not the font's box: letters with tails must not move the others.
                place = self.at(x, y + size * 0.36)
                weight = max(1, round(size * self.scale / 44)) if bold else 0
                self._draw.text(place, part, fill, font, "ls", stroke_width=weight)
            x += advance
        return x

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Lay an RGBA image down, its upper left corner at a place."""
        self.image.paste(image, self.at(x, y), image)

    def _pixels(self, size: float) -> int:
        """Return a font size in pixels."""
        return max(1, round(size * self.scale))

"""The table as a picture.

Everything is laid out in units of a picture of 1120 × 800 and drawn at twice the size that was asked for, which smooths
the edges when it is halved. The observing seat sits below, the others clockwise: left, above, right.

Rules: R11.1, R11.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import SEATS, SIDES
from five_hundred_env.errors import OptionError
from five_hundred_env.game import Game
from five_hundred_env.render import faces
from five_hundred_env.render.pen import INK, PAPER, Colour, Pen, need_pillow
from five_hundred_env.render.scene import Scene, make_scene
from five_hundred_env.render.text import SYMBOLS, auction_rows, describe_deal, format_call

if TYPE_CHECKING:
    from PIL import Image

Pixels = npt.NDArray[np.uint8]

SIZE = (1120, 800)
SMALLEST, LARGEST = 64, 4096
_SMOOTH = 2

_WOOD: Colour = (58, 38, 26)
_RIM: Colour = (104, 70, 44)
_FELT_LIGHT: Colour = (38, 124, 82)
_FELT_DARK: Colour = (14, 74, 48)
_SHADE: Colour = (12, 58, 38)
_GOLD: Colour = (240, 196, 84)
_SOFT: Colour = (110, 104, 92)
_RULE: Colour = (214, 206, 186)
_CREAM: Colour = (232, 238, 226)

_TABLE = (10.0, 10.0, 826.0, 780.0)  # left, top, width, height
_CENTRE = (423.0, 380.0)
_PANEL_LEFT, _PANEL_WIDTH = 848.0, 262.0
_AUCTION_ROWS = 8


class Place(NamedTuple):
    """Where a seat's things lie, by its place on the picture; x and y are units."""

    plaque: tuple[float, float]
    """Upper left corner of the sign with its name."""
    hand: tuple[float, float]
    """Middle of the hand's edge: of its top edge where it runs across, of its left edge where it runs down."""
    across: bool
    size: float
    """Size of its cards, 1 for full."""
    step: float
    """Distance of its cards where there is room."""
    room: float
    """Length that the hand may take."""
    inward: tuple[float, float]
    """Direction of the middle of the table."""


PLACES = (
    Place((337, 600), (423, 664), True, 1.0, 52, 700, (0, -1)),
    Place((22, 160), (28, 415), False, 0.8, 32, 500, (1, 0)),
    Place((337, 132), (423, 22), True, 0.84, 42, 560, (0, 1)),
    Place((652, 160), (750, 415), False, 0.8, 32, 500, (-1, 0)),
)
"""Below, left, above, right."""

_PLAQUE = (172.0, 44.0)
_HIGHEST = 210.0
"""Where a hand that runs down may start."""


def render_image(row_or_game: Row | Game, seat: int | None = None, size: tuple[int, int] = SIZE) -> Pixels:
    """Return the table as a picture, `[H, W, 3] uint8`.

    The same knowledge gives the same picture, bit for bit.

    Args:
        row_or_game: A `Game`, or a state row `[N_COLUMNS] int64`.
        seat: The seat whose knowledge is shown; None opens every card.
        size: Width and height, pixels; the table keeps its proportions.

    Raises:
        MissingExtraError: Pillow is not installed.
        OptionError: There is no position to show, or `seat` or `size` are out of range.

    Rules: R11.1, R11.2, R11.3.
    """
    need_pillow()
    width, height = _check_size(size)
    scene = make_scene(row_or_game, seat)
    from PIL import Image

    scale, origin = _fit(width, height)
    image = _background(width, height).copy()
    pen = Pen(image, scale, origin)
    for place in range(SEATS):
        _draw_seat(pen, scene, (place + (seat or 0)) % SEATS, PLACES[place])
    _draw_centre(pen, scene)
    for draw, top in _PANELS:
        draw(pen, scene, top)
    return np.array(image.resize((width, height), Image.Resampling.BOX))


def _check_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return width and height in pixels.

    Raises:
        OptionError: They are no two integers within bounds.
    """
    values = tuple(size) if isinstance(size, Sequence) else ()
    whole = all(isinstance(v, int) and not isinstance(v, bool) and SMALLEST <= v <= LARGEST for v in values)
    if len(values) != 2 or not whole:
        raise OptionError(f"size is width and height, each {SMALLEST} to {LARGEST} pixels, not {size!r}")
    return values[0], values[1]


def _fit(width: int, height: int) -> tuple[float, tuple[float, float]]:
    """Return pixels a unit and where the units start, for the picture that will be halved."""
    scale = min(width / SIZE[0], height / SIZE[1]) * _SMOOTH
    return scale, ((width * _SMOOTH - SIZE[0] * scale) / 2, (height * _SMOOTH - SIZE[1] * scale) / 2)


@lru_cache(maxsize=4)
def _background(width: int, height: int) -> Image.Image:
    """Return the empty table: wood, a rim, and felt that is lighter in the middle."""
    from PIL import Image

    scale, origin = _fit(width, height)
    image = Image.new("RGB", (width * _SMOOTH, height * _SMOOTH), _WOOD)
    x, y, w, h = _TABLE
    Pen(image, scale, origin).box(x, y, w, h, _RIM, 40)
    cloth = np.zeros((height * _SMOOTH, width * _SMOOTH, 3), np.float32)
    rows = (np.arange(height * _SMOOTH, dtype=np.float32)[:, None] - origin[1]) / scale
    columns = (np.arange(width * _SMOOTH, dtype=np.float32)[None, :] - origin[0]) / scale
    far = np.clip(np.hypot((columns - _CENTRE[0]) / 520, (rows - _CENTRE[1]) / 480), 0, 1) ** 2
    cloth[:] = _FELT_LIGHT
    cloth += far[..., None] * (np.array(_FELT_DARK, np.float32) - np.array(_FELT_LIGHT, np.float32))
    mask = Image.new("L", image.size, 0)
    Pen(mask, scale, origin).box(x + 9, y + 9, w - 18, h - 18, (255,), 33)
    image.paste(Image.fromarray(np.rint(cloth).astype(np.uint8)), (0, 0), mask)
    return image


def _draw_seat(pen: Pen, scene: Scene, seat: int, place: Place) -> None:
    """Draw a seat's hand and its sign."""
    cards = scene.hands[seat]
    shown: Sequence[str | None] = [None] * scene.counts[seat] if cards is None else cards
    lifted = _lifted(scene, seat, shown)
    if shown:
        pile = seat == scene.idle and cards is None
        long = place.size * (faces.WIDTH if place.across else faces.HEIGHT)
        step = 3 if pile else min(place.step, (place.room - long) / max(1, len(shown) - 1))
        length = step * (len(shown) - 1) + long
        left, top = place.hand
        if place.across:
            left -= length / 2
        else:
            top = max(top - length / 2, _HIGHEST)
        for n, card in enumerate(shown):
            rise = 12 if card in lifted else 0
            x = left + rise * place.inward[0] + (n * step if place.across else 0)
            y = top + rise * place.inward[1] + (0 if place.across else n * step)
            _lay(pen, card, x, y, place.size, "column" if place.across else "row")
    _draw_plaque(pen, scene, seat, place)


def _lifted(scene: Scene, seat: int, cards: Sequence[str | None]) -> set[str]:
    """Return the cards to be lifted: those that may be played where others may not."""
    if seat != scene.seat or scene.phase != "play" or scene.legal is None or len(scene.legal) == len(cards):
        return set()
    return set(scene.legal)


def _lay(pen: Pen, card: str | None, x: float, y: float, size: float = 1.0, style: str = "column") -> None:
    """Lay a card down, None for one that lies face down."""
    scale = round(pen.scale * size, 4)
    pen.paste(faces.back(scale) if card is None else faces.face(card, scale, style), x, y)


def _draw_plaque(pen: Pen, scene: Scene, seat: int, place: Place) -> None:
    """Draw the sign of a seat: its number, tricks, dealer's mark and contract; golden when it is to move."""
    x, y = place.plaque
    moves = seat == scene.seat
    back, ink = (_GOLD, INK) if moves else (_SHADE, _CREAM)
    pen.box(x, y, *_PLAQUE, back, 10, outline=_GOLD if seat == scene.observer else None, line=2)
    pen.text(f"Seat {seat}", x + 12, y + 15, 17, ink, bold=True)
    pen.text(_status(scene, seat), x + 12, y + 33, 13, ink)
    if seat == scene.dealer:
        pen.disc(x + 86, y + 16, 10, PAPER)
        pen.text("D", x + 86, y + 16, 13, INK, "m", bold=True)
    if seat == scene.contractor and scene.contract:
        word = format_call(scene.contract)
        width = pen.width(word, 15) + 14
        right = x + _PLAQUE[0] - 7
        pen.box(right - width, y + 6, width, 21, PAPER, 6)
        pen.text(word, right - width / 2, y + 16, 15, INK, "m", bold=True)


def _status(scene: Scene, seat: int) -> str:
    """Return the small words on the sign of a seat."""
    words = ["you"] if seat == scene.observer else []
    if scene.phase == "auction":
        words += ["to call"] if seat == scene.seat else []
    elif seat == scene.idle:
        words.append("laid aside")
    else:
        words.append(f"{scene.tricks[seat]} trick{'' if scene.tricks[seat] == 1 else 's'}")
    return ", ".join(words + (["open"] if seat == scene.exposed else []))


def _direction(scene: Scene, seat: int) -> tuple[float, float]:
    """Return where a seat sits as seen from the middle."""
    inward = PLACES[(seat - (scene.observer or 0)) % SEATS].inward
    return -inward[0], -inward[1]


def _draw_centre(pen: Pen, scene: Scene) -> None:
    """Draw what lies in the middle: kitty and last calls, discards, the running trick, or how the deal ended."""
    if scene.phase == "auction":
        _draw_row(pen, [None] * scene.kitty_size if scene.kitty is None else scene.kitty)
        _draw_last_calls(pen, scene)
    elif scene.phase == "discard":
        _draw_row(pen, [None] * scene.discard_count if scene.discards is None else scene.discards)
    elif scene.phase == "over":
        _draw_result(pen, scene)
    else:
        _draw_trick(pen, scene)


def _draw_row(pen: Pen, cards: Sequence[str | None]) -> None:
    """Draw kitty or discards in the middle of the table."""
    size, step = 0.8, 30.0 if len(cards) > 3 else 44.0
    width = step * (len(cards) - 1) + size * faces.WIDTH
    for n, card in enumerate(cards):
        x = _CENTRE[0] - width / 2 + n * step
        _lay(pen, card, x, _CENTRE[1] - size * faces.HEIGHT / 2, size)


def _draw_last_calls(pen: Pen, scene: Scene) -> None:
    """Draw each seat's last call in front of it; the standing bid is golden."""
    for seat, call in dict(scene.calls).items():
        dx, dy = _direction(scene, seat)
        x, y = _CENTRE[0] + 190 * dx, _CENTRE[1] + 120 * dy
        stands = seat == scene.bidder and call == scene.bid
        fill = _GOLD if stands else _SHADE if call == "PASS" else PAPER
        word = "pass" if call == "PASS" else format_call(call)
        pen.box(x - 46, y - 22, 92, 44, fill, 14)
        pen.text(word, x, y, 24, _CREAM if call == "PASS" else INK, "m", bold=call != "PASS")


def _draw_trick(pen: Pen, scene: Scene) -> None:
    """Draw the running trick, each card before its seat, the highest framed."""
    for n, (seat, card) in enumerate(scene.trick):
        dx, dy = _direction(scene, seat)
        x = _CENTRE[0] + 96 * dx - faces.WIDTH / 2
        y = _CENTRE[1] + 66 * dy - faces.HEIGHT / 2
        if seat == scene.standing:
            pen.box(x - 5, y - 5, faces.WIDTH + 9, faces.HEIGHT + 9, _GOLD, 12)
        _lay(pen, card, x, y)
        if n == 0:
            word = f"leads {SYMBOLS[scene.named[1]]}" if scene.named else "leads"
            width = pen.width(word, 14) + 18
            middle, edge = x + faces.WIDTH / 2, y + (faces.HEIGHT + 16 if dy >= 0 else -16)
            pen.box(middle - width / 2, edge - 11, width, 22, PAPER, 11)
            pen.text(word, middle, edge, 14, INK, "m")


def _draw_result(pen: Pen, scene: Scene) -> None:
    """Write how the deal ended on a sheet in the middle of the table."""
    said, points, winner = describe_deal(scene)
    height = 150 if winner else 108
    top = _CENTRE[1] - height / 2
    pen.box(_CENTRE[0] - 190, top, 380, height, PAPER, 16, outline=_GOLD, line=4)
    pen.text(said.rstrip("."), _CENTRE[0], top + 34, 22, INK, "m", bold=True)
    pen.text(points.replace("  ", " · ").replace(".", ""), _CENTRE[0], top + 72, 19, INK, "m")
    if winner:
        pen.box(_CENTRE[0] - 130, top + 96, 260, 38, _GOLD, 12)
        pen.text(winner.rstrip("."), _CENTRE[0], top + 115, 21, INK, "m", bold=True)


def _sheet(pen: Pen, top: float, height: float, title: str) -> float:
    """Draw an empty panel with a title, and return where its contents may start."""
    pen.box(_PANEL_LEFT, top, _PANEL_WIDTH, height, PAPER, 12)
    pen.text(title, _PANEL_LEFT + 14, top + 17, 13, _SOFT, bold=True)
    return top + 30


def _draw_contract(pen: Pen, scene: Scene, top: float) -> None:
    """Draw the panel of the contract, or of the last bid."""
    auction = scene.phase == "auction"
    y = _sheet(pen, top, 152, "LAST BID" if auction else "CONTRACT")
    left = _PANEL_LEFT + 14
    pen.text(f"Deal {scene.deal_number}", _PANEL_LEFT + _PANEL_WIDTH - 14, top + 17, 13, _SOFT, "r")
    if scene.bid:
        end = pen.text(format_call(scene.bid), left, y + 26, 40 if len(scene.bid) < 4 else 32, INK, bold=True)
        pen.text(f"by seat {scene.bidder}", end + 14, y + 16, 16)
        need = "no trick" if "MIS" in scene.bid else f"{scene.bid.rstrip('SCDHNT')} tricks"
        pen.text(f"{need}, {scene.value} points", end + 14, y + 37, 14, _SOFT)
    else:
        pen.text("none", left, y + 26, 28, _SOFT)
    lines = []
    if scene.phase == "play" or scene.phase == "name":
        lines.append(f"Trick {scene.trick_number} of {scene.hand_size}")
    for joker, name in scene.nominations:
        which = "Joker" if joker == "JK" else "Joker 2"
        lines.append(f"{which} not nominated" if name == "=-" else f"{which} nominated as {SYMBOLS[name[1]]}")
    if scene.suits_led:
        lines.append("Suits led " + " ".join(SYMBOLS[suit] for suit in scene.suits_led))
    step = 20 if len(lines) < 4 else 17
    for n, line in enumerate(lines):
        pen.text(line, left, y + 66 + step * n, 15)


def _draw_turn(pen: Pen, scene: Scene, top: float) -> None:
    """Draw the line that says who is to move."""
    words = {
        "auction": "to call",
        "discard": "to discard",
        "nominate": "to nominate a suit",
        "play": "to play a card",
        "name": "to name a suit",
    }
    pen.box(_PANEL_LEFT, top, _PANEL_WIDTH, 34, _GOLD if scene.seat is not None else PAPER, 12)
    text = "The deal is over" if scene.seat is None else f"Seat {scene.seat} {words[scene.phase]}"
    pen.text(text, _PANEL_LEFT + 14, top + 17, 17, INK, bold=True)


def _draw_score(pen: Pen, scene: Scene, top: float) -> None:
    """Draw the panel of the sides: tricks, points of the deal, totals."""
    _sheet(pen, top, 104, "SIDE")
    right = _PANEL_LEFT + _PANEL_WIDTH - 14
    columns = (right - 118, right - 62, right)
    for word, x in zip(("TRICKS", "DEAL", "TOTAL"), columns, strict=True):
        pen.text(word, x, top + 17, 13, _SOFT, "r", bold=True)
    for side in range(SIDES):
        y = top + 48 + 34 * side
        seats = ", ".join(str(seat) for seat in range(side, SEATS, SIDES))
        pen.text(f"{side}", _PANEL_LEFT + 14, y, 20, bold=True)
        pen.text(f"seats {seats}", _PANEL_LEFT + 34, y, 14, _SOFT)
        pen.text(str(scene.side_tricks[side]), columns[0], y, 19, INK, "r")
        if scene.points is not None:
            pen.text(f"{scene.points[side]:+d}", columns[1], y, 16, INK, "r")
        pen.text(str(scene.scores[side]), columns[2], y, 21, INK, "r", bold=True)


def _draw_auction(pen: Pen, scene: Scene, top: float) -> None:
    """Draw the calls in columns by seat, dealer's left first; of a long auction the last rounds."""
    y = _sheet(pen, top, 252, "AUCTION")
    order = scene.calling_order
    width = (_PANEL_WIDTH - 20) / SEATS
    middles = [_PANEL_LEFT + 10 + width * (n + 0.5) for n in range(SEATS)]
    for seat, x in zip(order, middles, strict=True):
        pen.text(f"Seat {seat}", x, y + 8, 14, _SOFT, "m", bold=seat == scene.seat)
    pen.text("dealer", middles[-1], top + 17, 12, _SOFT, "m")
    pen.box(_PANEL_LEFT + 12, y + 20, _PANEL_WIDTH - 24, 1, _RULE)
    rows = auction_rows(scene)
    if len(rows) > _AUCTION_ROWS:
        rows = [["…"] * SEATS, *rows[1 - _AUCTION_ROWS :]]
    for n, row in enumerate(rows):
        for call, x in zip(row, middles, strict=True):
            last = call == format_call(scene.bid or "")
            word = "pass" if call == "PASS" else call
            if last:
                pen.box(x - 27, y + 25 + 24 * n, 54, 23, _GOLD, 6)
            pen.text(word, x, y + 37 + 24 * n, 17, _SOFT if word in ("pass", "…") else INK, "m", bold=last)


def _draw_put_aside(pen: Pen, scene: Scene, top: float) -> None:
    """Draw kitty and discards, open or face down."""
    pen.box(_PANEL_LEFT, top, _PANEL_WIDTH, 98, PAPER, 12)
    half = _PANEL_WIDTH / 2
    groups: list[tuple[str, int, Sequence[str] | None]] = [
        ("KITTY", scene.kitty_size, scene.kitty),
        ("DISCARDS", scene.discard_count, scene.discards),
    ]
    for n, (title, count, known) in enumerate(groups):
        left = _PANEL_LEFT + 14 + n * half
        pen.text(title, left, top + 17, 13, _SOFT, bold=True)
        cards: Sequence[str | None] = [None] * count if known is None else known
        size = 0.48 if len(cards) <= 3 else 0.37
        step = min(36.0, (half - 24 - size * faces.WIDTH) / max(1, len(cards) - 1))
        for at, card in enumerate(cards):
            _lay(pen, card, left + at * step, top + 31, size, "mini")


def _draw_last_trick(pen: Pen, scene: Scene, top: float) -> None:
    """Draw the last complete trick and who took it."""
    pen.box(_PANEL_LEFT, top, _PANEL_WIDTH, 112, PAPER, 12)
    pen.text("LAST TRICK", _PANEL_LEFT + 14, top + 17, 13, _SOFT, bold=True)
    if not scene.last_trick:
        return
    right = _PANEL_LEFT + _PANEL_WIDTH - 14
    named = f"{SYMBOLS[scene.last_named[1]]} named, " if scene.last_named else ""
    pen.text(f"{named}seat {scene.last_winner} took it", right, top + 17, 13, _SOFT, "r")
    for n, (seat, card) in enumerate(scene.last_trick):
        x = _PANEL_LEFT + 20 + 60 * n
        if seat == scene.last_winner:
            pen.box(x - 4, top + 28, 0.48 * faces.WIDTH + 7, 0.48 * faces.HEIGHT + 7, _GOLD, 7)
        _lay(pen, card, x, top + 31, 0.48, "mini")
        pen.text(f"seat {seat}", x + 0.24 * faces.WIDTH, top + 100, 12, _SOFT, "m")


_PANELS = (
    (_draw_contract, 10.0),
    (_draw_turn, 168.0),
    (_draw_score, 208.0),
    (_draw_auction, 318.0),
    (_draw_put_aside, 576.0),
    (_draw_last_trick, 680.0),
)
"""The panels at the right, and where each starts, units."""

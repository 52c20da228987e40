"""The table as a picture: its shape, what changes it, what must not."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.core.constants import SEATS
from five_hundred_env.errors import MissingExtraError, OptionError
from five_hundred_env.render import faces, render_image
from tests.render.positions import (
    DISCARDED,
    HEARTS,
    TABLES,
    TRICK_1,
    at,
    in_every_phase,
    mid_trick,
    random_positions,
    with_other_hidden_cards,
)

ROOT = Path(__file__).resolve().parents[2]
SMALL = (280, 200)
PHASES = ("auction", "discard", "nominate", "play", "name", "over")
NO_TRUMPS = ("8NT", "PASS", "PASS", "PASS", *DISCARDED)


def small(game: Game, seat: int | None = None) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Draw a position in a size that is fast and still tells every card from another."""
    return render_image(game, seat, SMALL)


def test_shape_and_type() -> None:
    """Height comes first, as in every picture array; the default is 1120 wide and 800 high."""
    picture = render_image(mid_trick())
    assert picture.shape == (800, 1120, 3)
    assert picture.dtype == np.uint8
    assert picture.flags.writeable
    assert render_image(mid_trick(), 1, (300, 400)).shape == (400, 300, 3)


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_differs_from_the_empty_table_and_from_the_others(phase: str) -> None:
    positions = in_every_phase()
    picture = small(positions[phase])
    assert picture.std() > 20, "cards, felt and panels are far apart in brightness"
    for other in PHASES:
        assert np.array_equal(picture, small(positions[other])) == (other == phase)


SECOND_TRICK = (*HEARTS, *DISCARDED, *TRICK_1, "JK")
ALTERED: dict[str, tuple[Callable[[], Game], Callable[[], Game]]] = {
    "a card": (lambda: at(*SECOND_TRICK, "6H"), lambda: at(*SECOND_TRICK, "7H")),
    "a call": (lambda: at("6H"), lambda: at("6D")),
    "the dealer": (lambda: at(dealer=0), lambda: at(dealer=1)),
    "a total": (lambda: at(scores=(0, 0)), lambda: at(scores=(0, 10))),
    "the nomination": (lambda: at(*NO_TRUMPS, "=S"), lambda: at(*NO_TRUMPS, "=H")),
    "the named suit": (lambda: at(*NO_TRUMPS, "=-", "JK", "=C"), lambda: at(*NO_TRUMPS, "=-", "JK", "=S")),
}  # fmt: skip


@pytest.mark.parametrize("what", ALTERED)
def test_what_everybody_knows_changes_the_picture_of_every_seat(what: str) -> None:
    one, other = (make() for make in ALTERED[what])
    for seat in (None, *range(SEATS)):
        assert not np.array_equal(small(one, seat), small(other, seat)), seat


@pytest.mark.rule("R11.2")
def test_a_discard_changes_the_contractor_s_picture_alone() -> None:
    """Seat 0 puts away 9C TD 5D or 9C TD 6D; the other seats know three cards face down either way."""
    one, other = at(*HEARTS, "9C", "TD", "5D"), at(*HEARTS, "9C", "TD", "6D")
    differs = [not np.array_equal(small(one, seat), small(other, seat)) for seat in range(SEATS)]
    assert differs == [True, False, False, False]


@pytest.mark.rule("R8.3")
def test_an_exposed_hand_changes_every_picture() -> None:
    """Seat 3 plays open misère and puts away 9D or QD; after the first trick all see which one it has kept."""
    bid = ("PASS", "PASS", "PASS", "OMIS")
    pictures = []
    for discard in ("9D", "QD"):
        game = at(*bid, discard, "6D", "7D", "=-", "8D", "TD", "KD")
        assert game.exposed is not None
        assert ("QD" if discard == "9D" else "9D") in game.exposed
        pictures.append([small(game, seat) for seat in range(SEATS)])
    for one, other in zip(*pictures, strict=True):
        assert not np.array_equal(one, other)


def test_the_same_position_gives_the_same_picture() -> None:
    """Kept card faces must come out unaltered: drawing again, also after other pictures, changes no bit."""
    first = small(mid_trick(), 1)
    small(at("6H"), 2)
    faces.face.cache_clear()
    faces.back.cache_clear()
    assert np.array_equal(first, small(mid_trick(), 1))
    assert np.array_equal(first, small(mid_trick().copy(), 1))


@pytest.mark.rule("R11.3")
@pytest.mark.parametrize("name", TABLES)
def test_hidden_cards_change_no_pixel(name: str) -> None:
    """One seat each at the rare phases and at every eighth other position of a deal."""
    rng = Random(f"pixels {name}")
    for n, game in enumerate(random_positions(TABLES[name], rng)):
        if n % 8 == 0 or game.phase not in ("auction", "play"):
            seat = rng.randrange(SEATS)
            row = with_other_hidden_cards(game, seat, rng)
            assert np.array_equal(render_image(row, seat, SMALL), small(game, seat))


def test_hidden_cards_do_change_the_open_table() -> None:
    """What the test above relies on: the altered rows are really other positions."""
    game = mid_trick()
    altered = with_other_hidden_cards(game, 1, Random(1))
    assert not np.array_equal(render_image(altered, None, SMALL), small(game))


def test_every_card_has_a_face_of_its_own() -> None:
    """46 cards and a back, in each of three styles: no two alike."""
    cards = [rank + suit for suit in "SCDH" for rank in "456789TJQKA"] + ["JK", "J2"]
    for style in ("column", "row", "mini"):
        pictures = {faces.face(card, 1.0, style).tobytes() for card in cards} | {faces.back(1.0).tobytes()}
        assert len(pictures) == 47, style


@pytest.mark.parametrize("size", [(0, 10), (1120, 9999), (100,), (100.5, 100), "big", (True, 100), None])
def test_a_wrong_size_is_refused(size: Any) -> None:
    with pytest.raises(OptionError, match="size is width and height, each 64 to 4096 pixels"):
        render_image(mid_trick(), None, size)


def test_without_pillow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtraError, match=r"five_hundred_env\[render\]"):
        render_image(mid_trick())


def test_the_pictures_of_the_documentation_are_drawn_by_their_script(tmp_path: Path) -> None:
    """Their size tells of the file; letters may differ between versions of Pillow, so pixels are not compared."""
    from PIL import Image

    runpy.run_path(str(ROOT / "docs" / "make_images.py"))["main"](tmp_path)
    drawn = sorted(path.name for path in tmp_path.iterdir())
    assert drawn == ["table.png", "table_auction.png", "table_open_misere.png"]
    for name in drawn:
        with Image.open(tmp_path / name) as new, Image.open(ROOT / "docs" / "images" / name) as kept:
            assert new.size == kept.size == (1120, 800)

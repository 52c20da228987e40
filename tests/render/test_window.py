"""The window, on a screen that does not exist."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from five_hundred_env.errors import MissingExtraError, OptionError
from five_hundred_env.render import Window, render_image
from tests.render.positions import mid_trick


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def test_it_shows_the_picture_that_it_is_given() -> None:
    """The surface on the screen holds the pixels, columns first as pygame has them."""
    window = Window()
    assert not window.is_open
    picture = render_image(mid_trick(), 0, (280, 200))
    assert window.show(picture)
    import pygame

    shown = pygame.surfarray.array3d(pygame.display.get_surface())
    assert np.array_equal(shown.transpose(1, 0, 2), picture)
    assert pygame.display.get_caption()[0] == "Five Hundred"
    window.close()
    assert not window.is_open


def test_it_takes_the_size_of_the_picture() -> None:
    import pygame

    window = Window("Table 7")
    for size in ((280, 200), (140, 100)):
        window.show(render_image(mid_trick(), 0, size))
        assert pygame.display.get_surface().get_size() == size
    window.close()


def test_a_person_may_close_it() -> None:
    import pygame

    window = Window()
    picture = render_image(mid_trick(), 0, (140, 100))
    assert window.show(picture)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not window.show(picture)
    assert not window.is_open
    assert not window.show(picture), "it stays closed"
    window.close()


@pytest.mark.parametrize(
    "wrong", [None, np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3)), np.zeros((2, 2, 4), np.uint8)]
)
def test_what_is_no_picture_is_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match=r"a picture \[H, W, 3\] uint8"):
        Window().show(wrong)


def test_without_pygame_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtraError, match=r"five_hundred_env\[render\]"):
        Window()

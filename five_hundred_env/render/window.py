"""A window on the screen that shows pictures, for `render_mode="human"`."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from five_hundred_env.errors import MissingExtraError, OptionError


class Window:
    """A window that opens with its first picture; a person may close it, and later pictures are then not shown.

    Args:
        title: What its frame says.

    Raises:
        MissingExtraError: pygame is not installed.
    """

    def __init__(self, title: str = "Five Hundred") -> None:
        self.title = title
        self._pygame = _import_pygame()
        self._screen: Any = None
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return self._screen is not None

    def show(self, image: npt.NDArray[np.uint8]) -> bool:
        """Show a picture, in a window of its size.

        Args:
            image: `[H, W, 3] uint8`.

        Returns:
            Whether it is on the screen; False once the window has been closed.

        Raises:
            OptionError: `image` is no picture.
        """
        if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise OptionError("a window shows a picture [H, W, 3] uint8")
        if self._closed:
            return False
        height, width = image.shape[:2]
        if self._screen is None or self._screen.get_size() != (width, height):
            self._pygame.display.init()
            self._screen = self._pygame.display.set_mode((width, height))
            self._pygame.display.set_caption(self.title)
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()
            return False
        surface = self._pygame.image.frombuffer(np.ascontiguousarray(image).tobytes(), (width, height), "RGB")
        self._screen.blit(surface, (0, 0))
        self._pygame.display.flip()
        return True

    def close(self) -> None:
        """Take it from the screen; closing twice does nothing."""
        if self._screen is not None:
            self._screen = None
            self._pygame.display.quit()
        self._closed = True


def _import_pygame() -> Any:
    """Import pygame without its greeting.

    Raises:
        MissingExtraError: It is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some versions look for their data with a deprecated library
            import pygame
    except ImportError as error:
        raise MissingExtraError(
            "the window is pygame's, which is not installed: pip install 'five_hundred_env[render]'"
        ) from error
    return pygame

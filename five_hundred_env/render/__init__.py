"""Text and pictures of a position, as one seat or everybody knows it; Pillow and pygame are imported when drawing."""

from __future__ import annotations

from five_hundred_env.render.picture import render_image
from five_hundred_env.render.text import format_call, format_card, render_text
from five_hundred_env.render.window import Window

__all__ = ["Window", "format_call", "format_card", "render_image", "render_text"]

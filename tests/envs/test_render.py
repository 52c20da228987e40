"""What environments draw."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest

from five_hundred_env import five_hundred_v0
from five_hundred_env.errors import MissingExtraError
from tests.envs.helpers import TEN_TRUMPS


def test_text_shows_what_the_seat_to_move_knows() -> None:
    """Seat 0 of TEN_TRUMPS sees its own ten of spades, and no king of diamonds, which seat 2 holds."""
    env = five_hundred_v0.env(render_mode="ansi")
    env.reset(options={"deal": TEN_TRUMPS, "dealer": 3})
    text = env.render()
    assert isinstance(text, str)
    assert "T♠" in text
    assert "K♦" not in text
    env.step(0)
    assert "T♠" not in env.render()


def test_no_mode_draws_nothing() -> None:
    env = five_hundred_v0.env()
    env.reset(seed=1)
    assert env.render() is None


@pytest.mark.parametrize("form", ["env", "raw_env", "parallel_env"])
def test_picture(form: str) -> None:
    pytest.importorskip("PIL")
    env = getattr(five_hundred_v0, form)(render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    assert len(np.unique(picture)) > 10


def make_env() -> Any:
    return five_hundred_v0.env(render_mode="human")


def make_seat() -> Any:
    return gymnasium.make("FiveHundred/Seat-v0", partner="random", opponents="random", render_mode="human").unwrapped


@pytest.mark.parametrize("make", [make_env, make_seat])
def test_window(make: Any, quick_screen: None) -> None:
    """In mode human a window shows the table at each step without being asked, and closes."""
    env = make()
    env.reset(seed=1)
    assert env._window.is_open
    env.step(0)
    assert env.render() is None
    window = env._window
    env.close()
    assert not window.is_open
    env.close()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pygame nothing but mode human fails, and says what to install."""
    pytest.importorskip("PIL")
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = five_hundred_v0.env(render_mode="human")
    with pytest.raises(MissingExtraError, match="pygame"):
        env.reset(seed=1)

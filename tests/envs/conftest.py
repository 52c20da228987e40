"""What several tests of environments use."""

from __future__ import annotations

import pytest

from five_hundred_env.envs import table


@pytest.fixture
def quick_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw into memory, as fast as it goes."""
    pytest.importorskip("pygame")
    pytest.importorskip("PIL")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(table, "FRAMES_A_SECOND", 100_000)

"""The random legal choice of contenders that are stepped one decision at a time, the same for all that have a mask."""

from __future__ import annotations

import random
from typing import Any


def random_legal(mask: Any) -> int:
    """Return one of the actions that a mask `[A]` allows, each as likely as the others."""
    legal = mask.nonzero()[0]
    return legal.item(int(random.random() * len(legal)))  # type: ignore[no-any-return]

"""The bonus that keeps entropy above a floor."""

from __future__ import annotations

import pytest

from baselines.common.floors import EntropyFloors
from five_hundred_env.errors import CheckpointError


def test_the_bonus_follows_what_is_missing() -> None:
    """Floor 0.5, rate 0.1: 0.3 nats add 0.02; 0.1 add 0.04; 0.8 take off 0.03; 2 would take more than is left."""
    floors = EntropyFloors(0.1, call=0.5, card=0.0)
    assert floors.bonus == {"call": 0.0}
    for entropy, bonus in ((0.3, 0.02), (0.1, 0.06), (0.8, 0.03), (2.0, 0.0), (None, 0.0), (0.4, 0.01)):
        floors.change("call", entropy)
        floors.change("card", entropy)
        assert floors.bonus == {"call": pytest.approx(bonus)}


def test_a_bonus_of_other_kinds_is_refused() -> None:
    floors = EntropyFloors(0.1, call=0.5)
    floors.load({"call": 0.25})
    assert floors.bonus == {"call": 0.25}
    with pytest.raises(CheckpointError, match="of \\['card'\\] were saved, not of \\['call'\\]"):
        floors.load({"card": 0.25})

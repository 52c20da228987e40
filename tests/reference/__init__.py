"""The rulebook written a second time: slowly, with strings, lists and sets.

The tests drive this game in lockstep with the compiled core and compare what is legal, who is to
move and what is scored. It is worth something only as long as it is independent: nothing here may
import ``five_hundred_env``, not even a constant, and nothing here may be written by looking at it.

Where the rulebook leaves a question open, the answer taken stands in the docstring of the method
that takes it.
"""

from tests.reference.game import ReferenceGame
from tests.reference.options import (
    DEFAULT_OPTIONS,
    OPTION_VALUES,
    PROFILES,
    call_order,
    call_value,
    complete_options,
    kitty_size,
    pack_cards,
)

__all__ = [
    "DEFAULT_OPTIONS",
    "OPTION_VALUES",
    "PROFILES",
    "ReferenceGame",
    "call_order",
    "call_value",
    "complete_options",
    "kitty_size",
    "pack_cards",
]

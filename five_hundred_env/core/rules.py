"""Rules: the options of a table, their profiles, and the integer row that the kernels read.

Rules: part B of the rulebook (O.*).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from five_hundred_env.core.cards import HAND_SIZES, KITTY_SIZES, PACK_CARDS, PACK_NAMES, Row
from five_hundred_env.core.constants import MAX_TARGET, SEATS
from five_hundred_env.core.state import (
    N_RULES,
    RULE_ALL_PASS,
    RULE_AUCTION,
    RULE_CARDS,
    RULE_DEFENCE_CAP,
    RULE_HAND,
    RULE_JOKER,
    RULE_KITTY,
    RULE_LOSE,
    RULE_MISERE_DEFENCE,
    RULE_MISERE_RANK,
    RULE_OPEN_MISERE_RANK,
    RULE_OPEN_MISERE_SHOWN,
    RULE_OWN_RAISE,
    RULE_PACK,
    RULE_PLACES,
    RULE_SEATS,
    RULE_SLAM,
    RULE_TARGET,
    RULE_WIN,
)
from five_hundred_env.errors import RulesError

Value = str | int

OPTIONS: dict[str, tuple[Value, ...]] = {
    "pack": PACK_NAMES,
    "auction": ("continuous", "one_round", "reenter"),
    "own_raise": ("no", "yes"),
    "misere_rank": ("after_seven", "above_sevens", "by_value", "none"),
    "open_misere_rank": ("below_10h", "top", "none"),
    "open_misere_shown": ("after_first_trick", "before_first_lead"),
    "misere_defence": (0, 10),
    "joker_no_trumps": ("nominate", "no_nomination", "last_trick_lead", "free", "not_shown_void"),
    "slam": (250, "none"),
    "win": ("own_contract", "first_to_target"),
    "defence_cap": ("none", 490, 460),
    "target": (500,),
    "lose": ("backwards", "none"),
    "all_pass": ("throw_in", "no_trumps"),
}
"""The options and their values, the default first; `target` takes any positive multiple of ten."""

CONTINUOUS, ONE_ROUND, REENTER = range(3)
SHOWN_AFTER_FIRST_TRICK, SHOWN_BEFORE_FIRST_LEAD = range(2)
JOKER_NOMINATE, JOKER_NO_NOMINATION, JOKER_LAST_TRICK_LEAD, JOKER_FREE, JOKER_NOT_SHOWN_VOID = range(5)
WIN_OWN_CONTRACT, WIN_FIRST_TO_TARGET = range(2)
LOSE_BACKWARDS, LOSE_NONE = range(2)
ALL_PASS_THROW_IN, ALL_PASS_NO_TRUMPS = range(2)

RULE_COLUMNS = {
    "pack": RULE_PACK,
    "auction": RULE_AUCTION,
    "own_raise": RULE_OWN_RAISE,
    "misere_rank": RULE_MISERE_RANK,
    "open_misere_rank": RULE_OPEN_MISERE_RANK,
    "open_misere_shown": RULE_OPEN_MISERE_SHOWN,
    "misere_defence": RULE_MISERE_DEFENCE,
    "joker_no_trumps": RULE_JOKER,
    "slam": RULE_SLAM,
    "win": RULE_WIN,
    "defence_cap": RULE_DEFENCE_CAP,
    "lose": RULE_LOSE,
    "all_pass": RULE_ALL_PASS,
}
"""The column of each option but `target`."""

_IN_POINTS = ("misere_defence", "slam", "defence_cap")
_PLACES_OF_PACK = ((0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3), (1, 2))
"""Which of the option's places in an observation are 1: one for each of the usual packs, two for a short pack."""
PLACES = {name: 4 if name == "pack" else len(OPTIONS[name]) for name in RULE_COLUMNS}
"""How many places of an observation an option takes; `target` has digits instead."""
MOST_PLACES = max(PLACES.values())
DIGITS, BASE = 3, 128  # of a number in an observation


def option_numbers(name: str) -> list[int]:
    """Return what a row holds for each value of an option: its place, or for points the points, 0 for ``none``."""
    if name in _IN_POINTS:
        return [0 if value == "none" else int(value) for value in OPTIONS[name]]
    return list(range(len(OPTIONS[name])))


def option_places(name: str, value: int) -> int:
    """Return the places of an observation that are 1 for a value of an option, a mask.

    Args:
        name: The option.
        value: The value's position in `OPTIONS`.
    """
    return sum(1 << place for place in _PLACES_OF_PACK[value]) if name == "pack" else 1 << value


def balanced_digits(value: int) -> list[int]:
    """Return three digits from -64 to 63 to base 128, lowest first."""
    digits = []
    for _ in range(DIGITS):
        digit = (value + BASE // 2) % BASE - BASE // 2
        digits.append(digit)
        value = (value - digit) // BASE
    return digits


@dataclass(frozen=True)
class Rules:
    """The rules of one table; every field is an option of part B, its default the `australian` profile.

    Raises:
        RulesError: A value is unknown, or two options contradict each other.
    """

    pack: str = "43"
    auction: str = "continuous"
    own_raise: str = "no"
    misere_rank: str = "after_seven"
    open_misere_rank: str = "below_10h"
    open_misere_shown: str = "after_first_trick"
    misere_defence: int = 0
    joker_no_trumps: str = "nominate"
    slam: Value = 250
    win: str = "own_contract"
    defence_cap: Value = "none"
    target: int = 500
    lose: str = "backwards"
    all_pass: str = "throw_in"

    def __post_init__(self) -> None:
        for name in OPTIONS:
            object.__setattr__(self, name, _canonical(name, getattr(self, name)))
        if self.own_raise == "yes" and self.auction == "one_round":
            raise RulesError(
                "own_raise='yes' contradicts auction='one_round': a seat that speaks once can not raise itself"
            )
        if self.defence_cap != "none":
            if self.win != "own_contract":
                raise RulesError(
                    f"defence_cap={self.defence_cap} contradicts win={self.win!r}: it asks for win='own_contract'"
                )
            if int(self.defence_cap) >= self.target:
                raise RulesError(
                    f"defence_cap={self.defence_cap} contradicts target={self.target}: the cap lies below the target"
                )

    @classmethod
    def profile(cls, name: str) -> Rules:
        """Return a named profile.

        Raises:
            RulesError: No profile has that name.
        """
        if name not in PROFILES:
            raise RulesError(f"no rules profile is called {name!r}; profiles are {', '.join(PROFILES)}")
        return cls(**PROFILES[name])

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Rules:
        """Return rules from option values; options that are not named take their default.

        Raises:
            RulesError: An option or a value is unknown, or two contradict each other.
        """
        return cls().replace(**options)

    def replace(self, **options: Any) -> Rules:
        """Return these rules with some options changed.

        Raises:
            RulesError: An option or a value is unknown, or two contradict each other.
        """
        for name in options:
            if name not in OPTIONS:
                raise RulesError(f"no option of the rules is called {name!r}; options are {', '.join(OPTIONS)}")
        return type(self)(**{**self.to_dict(), **options})

    def to_dict(self) -> dict[str, Any]:
        """Return every option and its value."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_text(self) -> str:
        """Return the rules as one word: a profile, and behind it the options that differ: ``australian,slam=none``."""
        own = self.to_dict()
        name = min(PROFILES, key=lambda p: sum(own[k] != v for k, v in Rules.profile(p).to_dict().items()))
        base = Rules.profile(name).to_dict()
        return ",".join([name, *(f"{key}={value}" for key, value in own.items() if value != base[key])])

    @classmethod
    def from_text(cls, text: str) -> Rules:
        """Return the rules that `to_text` wrote.

        Raises:
            RulesError: A profile, an option or a value is unknown.
        """
        name, *changes = text.split(",")
        options: dict[str, Any] = {}
        for change in changes:
            key, equals, value = change.partition("=")
            if not equals:
                raise RulesError(f"{change!r} in rules {text!r} is no option=value")
            options[key] = value
        return cls.profile(name).replace(**options)

    @cached_property
    def row(self) -> Row:
        """The rules as `[N_RULES] int64`, the front of a state row."""
        row = np.zeros(N_RULES, np.int64)
        places: list[int] = []
        for name, column in RULE_COLUMNS.items():
            value = OPTIONS[name].index(getattr(self, name))
            row[column] = option_numbers(name)[value]
            places += [option_places(name, value) >> n & 1 for n in range(PLACES[name])]
        places += balanced_digits(self.target // 10)
        row[RULE_PLACES:N_RULES].view(np.int8)[: len(places)] = places
        pack = PACK_NAMES.index(self.pack)
        row[RULE_SEATS] = SEATS
        row[RULE_TARGET] = self.target
        row[RULE_HAND] = HAND_SIZES[pack]
        row[RULE_KITTY] = KITTY_SIZES[pack]
        row[RULE_CARDS] = PACK_CARDS[pack]
        row.flags.writeable = False
        return row

    @property
    def hash(self) -> str:
        """A short hash that is equal for equal rules, on every machine."""
        text = ",".join(f"{name}={value}" for name, value in self.to_dict().items())
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def _canonical(name: str, value: Any) -> Value:
    """Return an option's value as `OPTIONS` writes it.

    Raises:
        RulesError: The option has no such value.
    """
    if name == "target":
        return _check_target(value)
    if not isinstance(value, bool):
        for known in OPTIONS[name]:
            if str(known) == str(value):
                return known
    values = ", ".join(str(known) for known in OPTIONS[name])
    raise RulesError(f"option {name} has no value {value!r}; values are {values}")


def _check_target(value: Any) -> int:
    """Return a target as an integer.

    Raises:
        RulesError: It is no positive multiple of ten, or larger than an observation can tell.
    """
    try:
        if isinstance(value, bool | float):
            raise TypeError
        target = int(value)
    except (TypeError, ValueError):
        target = 0
    if target <= 0 or target % 10 or target > MAX_TARGET:
        raise RulesError(f"option target has no value {value!r}; it is a positive multiple of ten up to {MAX_TARGET}")
    return target


PROFILES: dict[str, dict[str, Any]] = {
    "australian": {},
    "american": {
        "auction": "one_round",
        "misere_rank": "by_value",
        "win": "first_to_target",
        "misere_defence": 10,
    },
    "wikipedia": {"misere_rank": "by_value", "win": "first_to_target", "joker_no_trumps": "free"},
    "casual": {"misere_rank": "above_sevens", "joker_no_trumps": "free", "win": "first_to_target"},
}
"""Named sets of options; options that are not named take their default."""


def as_rules(rules: Rules | str | Mapping[str, Any]) -> Rules:
    """Return rules given as an object, a profile's name (or `Rules.to_text`), or a mapping of options.

    Raises:
        RulesError: The rules are unknown or contradictory, or of another type.
    """
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.from_text(rules)
    if isinstance(rules, Mapping):
        return Rules.from_dict(rules)
    raise RulesError(f"rules are a profile's name, a Rules or a mapping of options, not {rules!r}")


def rules_of_row(row: Row) -> Rules:
    """Return the rules that stand at the front of a state row."""
    options: dict[str, Any] = {
        name: OPTIONS[name][option_numbers(name).index(int(row[column]))] for name, column in RULE_COLUMNS.items()
    }
    return Rules(**options, target=int(row[RULE_TARGET]))

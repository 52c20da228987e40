"""Options of the rulebook's part B and what follows from them before a card is dealt.

Rules: R1.1, R3.2, R9.1 and the table of part B.
"""

from collections.abc import Mapping

Options = Mapping[str, object]

SUITS = ("S", "C", "D", "H")
STRAINS = ("S", "C", "D", "H", "NT")
RANKS = "456789TJQKA"
"""Ranks of a plain suit, lowest first."""
JOKERS = ("JK", "J2")
"""The jokers, the higher one first."""
MISERES = ("MIS", "OMIS")
SAME_COLOUR = {"S": "C", "C": "S", "D": "H", "H": "D"}

USUAL_PACKS = ("43", "43-low-four", "45", "46")
SHORT_PACKS = {"5": "J", "9": "JA", "13": "JKA", "17": "JQKA"}
"""Ranks that the suits of a short pack keep, lowest first (D12)."""

OPTION_VALUES: dict[str, tuple[object, ...]] = {
    "pack": (*USUAL_PACKS, *SHORT_PACKS),
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
    "target": (500,),  # the default; any other positive multiple of ten is right, too
    "lose": ("backwards", "none"),
    "all_pass": ("throw_in", "no_trumps"),
}
"""Values of every option, the default first. ``target`` lists its default only."""

DEFAULT_OPTIONS: dict[str, object] = {name: values[0] for name, values in OPTION_VALUES.items()}

PROFILES: dict[str, dict[str, object]] = {
    "australian": dict(DEFAULT_OPTIONS),
    "american": {
        **DEFAULT_OPTIONS,
        "auction": "one_round",
        "misere_rank": "by_value",
        "win": "first_to_target",
        "misere_defence": 10,
    },
    "wikipedia": {
        **DEFAULT_OPTIONS,
        "misere_rank": "by_value",
        "win": "first_to_target",
        "joker_no_trumps": "free",
    },
    "casual": {
        **DEFAULT_OPTIONS,
        "misere_rank": "above_sevens",
        "joker_no_trumps": "free",
        "win": "first_to_target",
    },
}


def is_multiple_of_ten(value: object) -> bool:
    """Tell whether a value is an integer (no bool) that ten divides."""
    return type(value) is int and value % 10 == 0


def complete_options(options: Options | None = None) -> dict[str, object]:
    """Return all options, missing ones at their default.

    Raises:
        ValueError: An option or a value is unknown, or two options contradict each other; the
            message names them.
    """
    given = dict(options or {})
    unknown = [name for name in given if name not in OPTION_VALUES]
    if unknown:
        raise ValueError(f"unknown options {unknown}; known are {list(OPTION_VALUES)}")
    full = {**DEFAULT_OPTIONS, **given}
    for name, value in full.items():
        _check_value(name, value)
    _check_together(full)
    return full


def _check_value(name: str, value: object) -> None:
    if name == "target":
        if not (isinstance(value, int) and is_multiple_of_ten(value) and value > 0):
            raise ValueError(f"target={value!r} is not a positive multiple of ten")
        return
    # Compare types as well: True is not 1, and 10.0 is not 10.
    known = OPTION_VALUES[name]
    if not any(type(value) is type(right) and value == right for right in known):
        raise ValueError(f"{name}={value!r} is unknown; known values are {list(known)}")


def _check_together(full: Options) -> None:
    if full["own_raise"] == "yes" and full["auction"] == "one_round":
        raise ValueError("own_raise=yes contradicts auction=one_round: each seat speaks once")
    cap, target = full["defence_cap"], full["target"]
    if isinstance(cap, int) and isinstance(target, int):
        if full["win"] != "own_contract":
            raise ValueError(f"defence_cap={cap} contradicts win={full['win']}")
        if cap >= target:
            raise ValueError(f"defence_cap={cap} contradicts target={target}: it must be lower")


def pack_cards(options: Options | None = None) -> list[str]:
    """Return the cards of the pack, suit by suit, jokers last. Rules: R1.1, ``pack``."""
    pack = str(complete_options(options)["pack"])
    if pack in SHORT_PACKS:
        return [*(rank + suit for suit in SUITS for rank in SHORT_PACKS[pack]), "JK"]
    suits_with_a_four = {"43": "DH", "43-low-four": "CH", "45": "SCDH", "46": "SCDH"}[pack]
    cards = [rank + suit for suit in SUITS for rank in RANKS if rank != "4" or suit in suits_with_a_four]
    return cards + ["JK"] + (["J2"] if pack == "46" else [])


def hand_size(options: Options | None = None) -> int:
    """Return the cards that each seat is dealt, and so the tricks of a deal. Rules: R2.3, D12."""
    pack = str(complete_options(options)["pack"])
    return {"5": 1, "9": 2, "13": 3, "17": 4}.get(pack, 10)


def kitty_size(options: Options | None = None) -> int:
    """Return what the four hands leave of the pack. Rules: R2.3, ``pack``."""
    return len(pack_cards(options)) - 4 * hand_size(options)


def call_order(options: Options | None = None) -> list[str]:
    """Return all bids in rising order. Rules: R3.2, ``misere_rank``, ``open_misere_rank``, D12."""
    full = complete_options(options)
    order = [f"{level}{strain}" for level in (6, 7, 8, 9, 10) for strain in STRAINS]
    below_misere = {"after_seven": "7NT", "above_sevens": "7NT", "by_value": "8S"}
    if full["misere_rank"] != "none":
        order.insert(order.index(below_misere[str(full["misere_rank"])]) + 1, "MIS")
    if full["open_misere_rank"] == "below_10h":
        order.insert(order.index("10H"), "OMIS")
    elif full["open_misere_rank"] == "top":
        order.append("OMIS")
    # A level leaves ten less itself to the others; where there are no more tricks than that it promises nothing.
    empty = {str(level) for level in (6, 7, 8, 9, 10) if hand_size(full) <= 10 - level}
    return [call for call in order if call in MISERES or call.rstrip("SCDHNT") not in empty]


def call_level(call: str) -> int | None:
    """Return the tricks of ten that a suit or no-trump bid promises, None for a misère and for PASS."""
    if call == "PASS" or call in MISERES:
        return None
    return int(call.rstrip("SCDHNT"))


def call_trumps(call: str | None) -> str | None:
    """Return the trump suit of a contract, None without trumps."""
    if call is None or call in MISERES or call.endswith("NT"):
        return None
    return call[-1]


def call_value(call: str) -> int:
    """Return the points a contract is worth, 0 for PASS. Rules: R9.1.

    Raises:
        ValueError: The call is none of the rulebook's 28.
    """
    if call == "PASS":
        return 0
    if call in MISERES:
        return {"MIS": 250, "OMIS": 500}[call]
    for level in (6, 7, 8, 9, 10):
        for steps, strain in enumerate(STRAINS):
            if call == f"{level}{strain}":
                return 40 + 20 * steps + 100 * (level - 6)
    raise ValueError(f"{call!r} is not a call")

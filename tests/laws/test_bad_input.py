"""Bad input is refused with who, what, which rule, where and what would be legal, and nothing has changed then."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game, Rules, Tables, actions
from five_hundred_env.errors import (
    FiveHundredError,
    IllegalActionError,
    NotationError,
    OptionError,
    OrderError,
    RecordError,
    RulesError,
)
from tests.laws.walk import PURE, every_table, walk

DEAL = "ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKDQDJDTD9D8D7D6D5D AHKHQHJHTH9H8H7H6H5H JK4D4H"
POSITIONS = {
    "auction": "",
    "discard": "6NT PASS PASS PASS",
    "nominate": "6NT PASS PASS PASS 4D 4H 5S",
    "play": "6NT PASS PASS PASS 4D 4H 5S =- AS",
    "name": "6NT PASS PASS PASS 4D 4H 5S =- JK",
}
NONSENSE: list[Any] = [
    *("", "7X", "11H", "5S ", "as", "10", "1S", "AX", "SA", "XX", "=X", "=", "-", "--", "pass", "J3", "7♥"),
    *(-1, 80, 1000, 2**40, 2**63, 2**70, -(2**70), 79),
    *(1.0, 7.5, float("nan"), float("inf"), None, True, False, b"PASS", ["PASS"], ("7H",), {}, object()),
    *(np.float64("nan"), np.float32(1), np.array([1]), np.array(1.0), np.bool_(True), np.int64(-3), np.uint64(2**63)),
]


def at(phase: str) -> Game:
    game = Game.from_deal(DEAL, dealer=3, seed=1, scores=(40, -120))
    for action in POSITIONS[phase].split():
        game.apply(action)
    assert game.phase == phase
    return game


def check_refused(game: Game, action: Any) -> IllegalActionError:
    """Apply an illegal action; check that the error says all it should and that nothing has changed."""
    before, text = game.row.copy(), game.to_text()
    with pytest.raises(IllegalActionError) as caught:
        game.apply(action)
    assert (game.row == before).all()
    assert game.to_text() == text
    error = caught.value
    assert error.seat == game.seat
    assert error.position == text
    assert Game.from_text(error.position) == game
    assert list(error.legal) == game.legal()
    assert error.rule is not None
    message = str(error)
    assert message.startswith(f"seat {game.seat} may not ")
    assert f"({error.rule})" in message
    assert text in message
    assert message.endswith("legal: " + " ".join(game.legal()))
    return error


@pytest.mark.parametrize("phase", POSITIONS)
def test_what_is_no_action_is_refused_in_every_phase(phase: str) -> None:
    """Texts that name nothing, numbers out of range, other types, NaN."""
    for nonsense in NONSENSE:
        check_refused(at(phase), nonsense)


@pytest.mark.parametrize("phase", POSITIONS)
def test_every_action_that_is_not_legal_is_refused(phase: str) -> None:
    """All 80 ids, as int and as NumPy integers; those that are legal are taken."""
    game = at(phase)
    allowed = set(game.legal_actions().tolist())
    for number in range(actions.N_ACTIONS):
        if number in allowed:
            accepted: Any = np.int8(number)
            assert game.copy().apply(accepted) == game.copy().apply(actions.decode(number)) != game
        else:
            error = check_refused(game, number)
            assert error.action == actions.decode(number)
            check_refused(game, np.array(number))


def test_illegal_actions_are_refused_wherever_they_come() -> None:
    """Every illegal id at positions of whole deals under many rules; the rule cited exists."""
    known = re.compile(r"R\d+\.\d+|O\.[a-z_]+\.[a-z0-9_-]+")
    for seed, options in every_table(*((1, 4) if PURE else (2, 25))):
        for step, (game, _, action) in enumerate(walk(seed, options)):
            if action is None or step % (23 if PURE else 11):
                continue
            allowed = set(game.legal_actions().tolist())
            for number in range(actions.N_ACTIONS):
                if number not in allowed and (number + step) % 5 == 0:
                    assert known.fullmatch(check_refused(game, number).rule or "")


@pytest.mark.parametrize(
    ("phase", "action", "rule", "words"),
    [
        ("auction", "MIS", "R3.3", "seat 0 may not call MIS"),
        ("auction", "AS", "R3.2", "seat 0 may not call AS: the phase is auction"),
        ("discard", "AC", "R4.1", "seat 0 may not discard AC: it does not hold that card; it holds 5S"),
        ("discard", "7S", None, ""),
        ("nominate", "AS", "R5.1", "asks for a nomination"),
        ("play", "AH", "R6.2", "seat 1 may not play AH: it does not hold that card; it holds 5C 6C"),
        ("play", "=S", "R6.2", "asks for a card"),
        ("name", "=-", "R7.4", "asks for the name of a suit"),
    ],
)
def test_a_refusal_says_who_what_and_why(phase: str, action: str, rule: str | None, words: str) -> None:
    """7S is a bid in the auction and a card at the discard, where seat 0 holds it: that one is legal."""
    game = at(phase)
    if rule is None:
        assert "7S" in game.apply(action).discards
        return
    error = check_refused(game, action)
    assert (error.rule, error.action) == (rule, action)
    assert words in str(error)


@pytest.mark.parametrize(
    ("phase", "mover"), [("auction", 0), ("discard", 0), ("nominate", 0), ("play", 1), ("name", 0)]
)
def test_a_seat_out_of_turn_is_refused(phase: str, mover: int) -> None:
    game = at(phase)
    text, legal = game.to_text(), game.legal()
    for seat in (0, 1, 2, 3, -1, 4, None):
        if seat in (mover, None):
            game.copy().apply(legal[0], seat=seat)
            continue
        with pytest.raises(IllegalActionError, match=rf"seat {seat} may not act: seat {mover} is to move") as caught:
            game.apply(legal[0], seat=seat)
        assert caught.value.position == text == game.to_text()
        assert list(caught.value.legal) == legal


def test_nothing_can_be_applied_after_the_end() -> None:
    game = at("auction")
    for _ in range(4):
        game.apply("PASS")
    text = game.to_text()
    for action in ("PASS", "AS", 3, None):
        with pytest.raises(OrderError, match=r"the deal is over.*next_deal"):
            game.apply(action)  # type: ignore[arg-type]
    assert game.to_text() == text


@pytest.mark.parametrize("phase", POSITIONS)
def test_the_next_deal_has_to_wait_for_the_end_of_this_one(phase: str) -> None:
    game = at(phase)
    text = game.to_text()
    with pytest.raises(OrderError, match=f"phase is {phase}"):
        game.next_deal()
    with pytest.raises(OrderError, match=f"phase is {phase}"):
        game.next_from(DEAL)
    assert game.to_text() == text


def test_a_wrong_next_deal_changes_nothing() -> None:
    game = at("auction")
    for _ in range(4):
        game.apply("PASS")
    text = game.to_text()
    with pytest.raises(NotationError):
        game.next_from(DEAL.replace("JK", "AS"))
    assert (game.to_text(), game.dealer, game.deal_number) == (text, 3, 1)


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (DEAL.replace("JK4D4H", "JK4D"), "kitty holds 2 cards, it has 3.*4H"),
        (DEAL.replace("5S ", " "), "hand 0 holds 9 cards, it has 10.*5S"),
        (DEAL.replace("5S ", "5S4D ").replace("JK4D", "JK"), "hand 0 holds 11 cards, it has 10"),
        (DEAL.replace("JK4D", "JKAS"), "kitty holds AS, which hand 0 holds too"),
        (DEAL.replace("KS", "AS"), "hand 0 .* holds AS twice"),
        (DEAL.replace("4H", "4S"), "kitty holds 4S, which the pack 43 lacks"),
        (DEAL.replace("4H", "J2"), "kitty holds J2, which the pack 43 lacks"),
        (DEAL.replace("4H", "4X"), "kitty .* holds '4X' at place 5, which is no card"),
        (DEAL.replace("4H", "4"), "holds '4' at place 5, which is no card"),
        (DEAL.replace("AS", "as"), "holds 'as'"),
        (DEAL.replace(" JK4D4H", ""), "has 4 groups"),
        (DEAL + " AS", "has 6 groups"),
        ("", "has 0 groups"),
        (None, "a deal is text"),
        (7, "a deal is text"),
        (DEAL.split(), "a deal is text"),
    ],
)
def test_a_deal_that_is_not_the_pack_is_refused(deal: Any, words: str) -> None:
    """Missing, double and foreign cards, hands of nine and eleven, text that is no deal."""
    with pytest.raises(NotationError, match=words):
        Game.from_deal(deal)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"dealer": 4}, "dealer is a seat from 0 to 3, not 4"),
        ({"dealer": -1}, "dealer"),
        ({"dealer": 1.0}, "dealer"),
        ({"dealer": True}, "dealer"),
        ({"dealer": "0"}, "dealer"),
        ({"seed": -1}, "a seed is an integer from 0"),
        ({"seed": 2**64}, "a seed"),
        ({"seed": 1.5}, "a seed"),
        ({"seed": "7"}, "a seed"),
        ({"scores": (5, 0)}, "multiple of ten"),
        ({"scores": (0, -500)}, r"side 1 has already lost.*R10\.2"),
        ({"scores": (float("nan"), 0)}, "scores are two integers"),
    ],
)
def test_dealer_seed_and_scores_out_of_range_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Game.from_deal(DEAL, **arguments)


@pytest.mark.parametrize("seat", [-1, 4, 1.0, None, True, "0"])
def test_only_seats_observe(seat: Any) -> None:
    with pytest.raises(OptionError, match="seat is a seat from 0 to 3"):
        at("play").observe(seat)


def altered(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (altered("five_hundred/0", "five_hundred/9"), NotationError, "a position starts with"),
        (altered("five_hundred/0 ", ""), NotationError, "a position starts with"),
        (altered("rules=australian", "rules=austrian"), RulesError, "austrian"),
        (altered("rules=australian", "rules=australian,slam"), RulesError, "slam"),
        (altered("dealer=3", "dealer=7"), OptionError, "dealer"),
        (altered("dealer=3", "dealer=x"), NotationError, "integers"),
        (altered("scores=40/-120", "scores=40"), OptionError, "scores"),
        (altered("scores=40/-120", "scores=45/0"), OptionError, "multiple of ten"),
        (altered(" seed=1", ""), NotationError, "fields"),
        (altered("seed=1", "seed=-1"), OptionError, "seed"),
        (altered("seed=1", "seed=1 seed=2"), NotationError, "fields"),
        (altered("JK", "AS"), NotationError, "AS"),
        (altered("actions=6NT", "actions=MIS"), NotationError, r"action 1 .*MIS, is illegal"),
        (altered("actions=6NT", "actions=6X"), NotationError, "6X"),
        (altered(",AS", ",AH"), NotationError, "action 9 .*AH, is illegal"),
        (lambda text: text[: len(text) // 2], NotationError, "fields"),
        (lambda _: "", NotationError, "a position starts with"),
    ],
)
def test_a_text_that_is_no_position_is_refused(
    change: Callable[[str], str], error: type[FiveHundredError], words: str
) -> None:
    text = at("play").to_text()
    assert change(text) != text
    with pytest.raises(error, match=words):
        Game.from_text(change(text))


@pytest.mark.parametrize("number", ["0", "-3", "1000001", "99999999999999999999"])
def test_a_deal_number_out_of_range_is_refused(number: str) -> None:
    text = at("auction").to_text().replace("deal=1 ", f"deal={number} ")
    with pytest.raises(OptionError, match=f"deal number .* not {number}"):
        Game.from_text(text)


@pytest.mark.parametrize("text", [None, 7, b"five_hundred/0"])
def test_a_position_is_text(text: Any) -> None:
    with pytest.raises(NotationError):
        Game.from_text(text)


@pytest.mark.parametrize("text", ["", "7X", "pass", None, 7, b"PASS"])
def test_encode_refuses_what_is_no_action(text: Any) -> None:
    with pytest.raises(NotationError):
        actions.encode(text)
    with pytest.raises(NotationError, match="no phase"):
        actions.encode("PASS", "deal")


@pytest.mark.parametrize("number", [-1, 80, 1.0, float("nan"), None, "x"])
def test_decode_refuses_what_is_no_id(number: Any) -> None:
    with pytest.raises(NotationError, match="0 to 79"):
        actions.decode(number)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([0, 0], r"shape \(3,\)"),
        ([[0, 0, 0]], r"shape \(3,\)"),
        (0, r"shape \(3,\)"),
        ([0.0, 0.0, 0.0], "integers"),
        ([0, 0, float("nan")], "integers"),
        (["PASS"] * 3, "integers"),
        ([True, False, True], "integers"),
    ],
)
def test_tables_refuse_actions_of_another_shape_or_type(given: Any, words: str) -> None:
    tables = Tables(n=3, seed=1)
    rows = tables.rows.copy()
    with pytest.raises(OptionError, match=words):
        tables.step(given)
    assert (tables.rows == rows).all()


@pytest.mark.parametrize("wrong", [79, 28, 74, -1, 80, 26, 2**40, -(2**62)])
def test_no_table_moves_when_one_action_is_illegal(wrong: int) -> None:
    """Table 2 of four; MIS (26) is illegal as an opening bid. The error names the table and quotes its position."""
    tables = Tables(n=4, seed=1)
    rows, seen = tables.rows.copy(), tables.observation.copy()
    with pytest.raises(IllegalActionError, match="table 2: ") as caught:
        tables.step([0, 0, wrong, 0])
    assert (tables.rows == rows).all()
    assert (tables.observation == seen).all()
    assert caught.value.position is not None
    assert Game.from_text(caught.value.position) == Game(seed=int(tables.seeds[2]))


@pytest.mark.parametrize(
    "arguments",
    [
        {"n": 0},
        {"n": -1},
        {"n": 1.5},
        {"n": True},
        {"n": 1, "episode": "match"},
        {"n": 1, "reward": "money"},
        {"n": 1, "max_deals": 0},
        {"n": 1, "max_deals": 10**9},
        {"n": 1, "threads": 0},
        {"n": 1, "seed": -1},
        {"n": 1, "rules": []},
    ],
)
def test_tables_refuse_arguments_out_of_range(arguments: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Tables(**arguments)


@pytest.mark.parametrize("rules", ["austrian", [Rules(), "austrian"], {"colour": "red"}, 7])
def test_tables_refuse_unknown_rules(rules: Any) -> None:
    with pytest.raises(RulesError):
        Tables(n=1, rules=rules)


def test_saved_tables_that_are_cut_or_foreign_are_refused() -> None:
    data = Tables(n=3, seed=1).save()
    for cut in (0, 1, 10, len(data) // 2, len(data) - 1):
        with pytest.raises(RecordError):
            Tables.load(data[:cut])
    with pytest.raises(RecordError):
        Tables.load(b"five hundred" * 50)


def test_wrong_rollouts_are_refused() -> None:
    tables = Tables(n=2, seed=1)
    for steps in (0, -1, 1.5, None):
        with pytest.raises(OptionError, match="steps"):
            tables.rollout(steps)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="agent"):
        tables.rollout(5, agent="nobody")

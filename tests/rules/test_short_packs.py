"""The short packs: the same game with one to four cards a hand (O.pack.5 to O.pack.17, D12)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from five_hundred_env import Game, Rules, actions
from five_hundred_env.core.cards import PACK_NAMES
from five_hundred_env.core.observe import (
    OBSERVATION_SIZE,
    OBSERVATION_WORDS,
    field,
    read_observation,
    write_observation,
)
from five_hundred_env.core.rules import rules_of_row
from five_hundred_env.core.state import N_COLUMNS, N_RULES, RULE_CARDS, RULE_HAND, RULE_KITTY
from five_hundred_env.errors import IllegalActionError, NotationError
from tests.rules.helpers import declare, duel, legal, start, take
from tests.rules.test_seats_and_deal import shuffled

STRAINS = ("S", "C", "D", "H", "NT")

# Thirteen cards. Seat 0 has three trumps of spades with the kitty, and every other seat a suit of its own.
ALL_TRUMPS = "JSJCAS KSACKC ADKDJD AHKHJH JK"
# Spades are trumps. Seat 1 takes JS with JK, seat 2 takes AC with JC (the left bower), seat 1 takes KD with AS.
ONE_TRICK = "JSJDJH JKASAC KSKDJC ADAHKH KC"
ONE_TRICK_PLAY = "KC / JS JK KS KH / AC JC AH JD / KD AD JH AS"
# Nine cards. Seat 0 has three low jacks with the kitty, seat 1 the aces above two of them.
LOW_JACKS = "JCJD ACAD JKAS JSAH JH"


def bids(*levels: int) -> set[str]:
    """Return every bid of some levels."""
    return {f"{level}{strain}" for level in levels for strain in STRAINS}


@pytest.mark.parametrize(
    ("pack", "ranks", "size"),
    [
        pytest.param("5", "J", 1, marks=pytest.mark.rule("O.pack.5")),
        pytest.param("9", "AJ", 2, marks=pytest.mark.rule("O.pack.9")),
        pytest.param("13", "AKJ", 3, marks=pytest.mark.rule("O.pack.13")),
        pytest.param("17", "AKQJ", 4, marks=pytest.mark.rule("O.pack.17")),
    ],
)
def test_the_cards_of_a_short_pack(pack: str, ranks: str, size: int) -> None:
    """Four suits of so many ranks and the joker; as many cards a hand as ranks, one in the kitty."""
    game = Game({"pack": pack}, seed=3)
    dealt = [card for hand in [*game.hands, game.kitty] for card in hand]
    assert sorted(dealt) == sorted([rank + suit for rank in ranks for suit in "SCDH"] + ["JK"])
    assert [len(hand) for hand in game.hands] == [size] * 4
    assert len(game.kitty) == 1


@pytest.mark.rule("D12")
@pytest.mark.rule("D11")
@pytest.mark.parametrize(("pack", "size"), [("5", 1), ("9", 2), ("13", 3), ("17", 4)])
def test_a_short_pack_is_dealt_in_one_packet_to_each_seat(pack: str, size: int) -> None:
    """From dealer's left, and the last card of the shuffled pack is the kitty."""
    for seed in (0, 7):
        game = Game({"pack": pack}, seed=seed)
        order = shuffled(seed, 1, pack)
        for n in range(4):
            assert set(game.hands[(game.dealer + 1 + n) % 4]) == set(order[size * n : size * (n + 1)])
        assert game.kitty == order[4 * size :]


@pytest.mark.rule("D12")
@pytest.mark.parametrize(
    ("pack", "levels"), [("5", (10,)), ("9", (9, 10)), ("13", (8, 9, 10)), ("17", (7, 8, 9, 10)), ("43", range(6, 11))]
)
def test_a_level_that_would_promise_no_trick_can_not_be_bid(pack: str, levels: tuple[int, ...]) -> None:
    """With h cards a hand level L promises L - (10 - h): the lowest are 10, 9, 8 and 7."""
    game = Game({"pack": pack}, seed=1)
    assert legal(game) == {"PASS", "OMIS"} | bids(*levels)


@pytest.mark.rule("D12")
def test_the_refusal_of_such_a_level_says_why() -> None:
    game = Game({"pack": "13"}, seed=1)
    with pytest.raises(IllegalActionError, match=r"7NT: with hands of 3 .* no trick.*8S \(O\.pack\.13\)") as caught:
        game.apply("7NT")
    assert caught.value.rule == "O.pack.13"


@pytest.mark.rule("D12")
def test_bids_keep_their_order() -> None:
    """Over 9H only 9NT, the tens and OMIS; over OMIS only 10H and 10NT."""
    assert legal(start(LOW_JACKS, "9H", pack="9")) == {"PASS", "9NT", "OMIS"} | bids(10)
    assert legal(start(LOW_JACKS, "OMIS", pack="9")) == {"PASS", "10H", "10NT"}


@pytest.mark.rule("D12")
@pytest.mark.parametrize(
    ("pack", "rank", "actions", "allowed"),
    [
        ("17", "after_seven", "", False),
        ("17", "after_seven", "7C", True),
        ("17", "after_seven", "8S", False),
        # No seven can be bid: misère would wait for ever.
        ("13", "after_seven", "", False),
        ("13", "after_seven", "8S", False),
        ("13", "above_sevens", "", True),
        ("13", "above_sevens", "8S", False),
        ("13", "by_value", "8S", True),
        ("13", "by_value", "8C", False),
        ("9", "by_value", "", True),
        ("9", "by_value", "9S", False),
        ("9", "none", "", False),
    ],
)
def test_where_misere_can_be_bid(pack: str, rank: str, actions: str, allowed: bool) -> None:
    game = take(Game({"pack": pack, "misere_rank": rank}, seed=1), actions)
    assert ("MIS" in legal(game)) == allowed


@pytest.mark.rule("D12")
@pytest.mark.rule("R9.3")
@pytest.mark.parametrize(
    ("bid", "points"),
    [
        ("8S", 250),  # worth 240: all three tricks are a slam
        ("9S", 340),
        ("10S", 440),
    ],
)
def test_all_tricks_of_a_short_pack(bid: str, points: int) -> None:
    """Seat 0 puts AS away and takes three tricks with JK, JS and JC."""
    game = declare(ALL_TRUMPS, bid, "AS / JK KS AD AH / JS AC KD KH / JC KC JD JH", pack="13")
    result = game.deal_result
    assert result is not None
    assert (result.made, result.tricks, result.points) == (True, (3, 0), (points, 0))


@pytest.mark.rule("D12")
@pytest.mark.rule("R9.2")
@pytest.mark.rule("R9.4")
@pytest.mark.parametrize(("bid", "made", "points"), [("8S", True, 240), ("9S", False, -340), ("10S", False, -440)])
def test_what_a_level_promises(bid: str, made: bool, points: int) -> None:
    """One trick of three: level 8 gives two away and is made, 9 gives one away and fails. Side 1 scores 20."""
    game = declare(ONE_TRICK, bid, ONE_TRICK_PLAY, pack="13")
    result = game.deal_result
    assert result is not None
    assert (result.made, result.tricks, result.points) == (made, (1, 2), (points, 20))


@pytest.mark.rule("D12")
@pytest.mark.rule("R9.3")
def test_without_slam_all_tricks_earn_nothing_extra() -> None:
    actions = "AS / JK KS AD AH / JS AC KD KH / JC KC JD JH"
    result = declare(ALL_TRUMPS, "8S", actions, pack="13", slam="none").deal_result
    assert result is not None
    assert result.points == (240, 0)


@pytest.mark.rule("D12")
@pytest.mark.rule("R8.2")
@pytest.mark.rule("R8.3")
@pytest.mark.rule("R10.1")
def test_open_misere_with_two_cards() -> None:
    """Seat 0 leads JC under AC; then JD lies open and goes under AD. Seat 2 sits out, 500 points win the game."""
    game = declare(LOW_JACKS, "OMIS", "JH", pack="9")
    assert legal(game) == {"=-"}  # the step stays, though the joker is elsewhere
    take(game, "=- JC")
    assert not game.exposed
    take(game, "AC AH")
    assert (game.seat, game.exposed) == (1, ["JD"])
    take(game, "AD JS JD")
    assert (game.tricks, game.scores, game.winner) == ([0, 2, 0, 0], (500, 0), 0)


@pytest.mark.rule("O.pack.5")
@pytest.mark.rule("D12")
def test_a_whole_deal_of_one_trick() -> None:
    """Seat 0 takes the joker, puts its jack away and nominates; 10NT is made with the one trick there is."""
    game = declare("JS JC JD JH JK", "10NT", "JS =- JK =H", pack="5")
    assert legal(game) == {"JC"}
    take(game, "JC JD JH")
    result = game.deal_result
    assert result is not None
    assert (result.made, result.tricks, result.points) == (True, (1, 0), (520, 0))
    assert game.winner == 0


@pytest.mark.rule("D12")
@pytest.mark.rule("R7.5")
def test_one_trick_without_trumps_and_without_contractor() -> None:
    """All pass: seat 0 leads JS, and the joker, without a suit, takes it for side 1."""
    game = start("JS JK JD JH JC", "PASS PASS PASS PASS JS JK JD JH", pack="5", all_pass="no_trumps")
    assert (game.phase, game.tricks, game.scores) == ("over", [0, 1, 0, 0], (0, 10))


@pytest.mark.rule("D12")
@pytest.mark.parametrize("trumps", ["S", "D"])
def test_there_are_bowers(trumps: str) -> None:
    """Joker, right bower, left bower, ace, king, queen."""
    other = {"S": "C", "D": "H"}[trumps]
    ladder = f"JK J{trumps} J{other} A{trumps} K{trumps} Q{trumps}"
    for higher, lower in pairwise(ladder.split()):
        assert duel(f"7{trumps}", ladder, led=lower, answer=higher, pack="17") == 1, (higher, lower)
        assert duel(f"7{trumps}", ladder, led=higher, answer=lower, pack="17") == 0, (higher, lower)


@pytest.mark.rule("D12")
@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        ("JSJCAS KSACKC ADKDJD AHKHJH QH", "QH, which the pack 13 lacks"),
        ("JSJC KSACKC ADKDJD AHKHJH ASJK", "hand 0 holds 2 cards, it has 3"),
        ("ASKSQSJSTS9S8S7S6S5S ACKCQCJCTC9C8C7C6C5C ADKD AHKH JK", "5S, which the pack 13 lacks"),
    ],
)
def test_a_deal_of_another_size_is_refused(deal: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Game.from_deal(deal, rules={"pack": "13"})


HASHES = {
    "australian": "710db20ea6f8",
    "american": "907c2a27b34a",
    "wikipedia": "023cb74238a4",
    "casual": "a2fda1227a74",
    "australian,pack=43-low-four": "5fdd5427d5f6",
    "australian,pack=45": "b488346571b0",
    "australian,pack=46": "c24c8f2a8d2e",
}
"""As they were before there were short packs: records, logs and networks name them."""


def test_the_usual_packs_are_what_they_were() -> None:
    """Hashes, the 1,096 places, and one place of the option for each usual pack; the golden games hold the rest."""
    assert {text: Rules.from_text(text).hash for text in HASHES} == HASHES
    assert OBSERVATION_SIZE == 1096
    assert (field("rule_pack").start, field("rule_pack").shape, field("rule_auction").start) == (960, (4,), 964)
    places = [observed({"pack": name})[960:964].tolist() for name in PACK_NAMES[:4]]
    assert places == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert actions.N_ACTIONS == 80


def observed(rules: dict[str, str]) -> np.ndarray:
    """Return what seat 0 observes of a fresh deal."""
    return Game(rules, seed=1).observe(0)["observation"]


@pytest.mark.rule("D12")
@pytest.mark.parametrize("pack", PACK_NAMES)
def test_an_observation_tells_the_pack(pack: str) -> None:
    """The sizes come back out of four places of 0 and 1, which are others for every pack."""
    game = Game({"pack": pack, "joker_no_trumps": "free"}, seed=1)
    words = np.zeros(OBSERVATION_WORDS, np.int64)
    write_observation(game.row, 2, words.view(np.int8), words)
    view = np.zeros(N_COLUMNS, np.int64)
    read_observation(words.view(np.int8), view)
    assert view[:N_RULES].tolist() == game.row[:N_RULES].tolist()
    assert rules_of_row(view) == game.rules
    assert [int(view[column]) for column in (RULE_HAND, RULE_KITTY)] == [len(game.hands[0]), len(game.kitty)]
    assert int(view[RULE_CARDS]).bit_count() == 4 * len(game.hands[0]) + len(game.kitty)
    assert set(words.view(np.int8)[960:964].tolist()) <= {0, 1}
    others = [observed({"pack": name})[960:964].tolist() for name in PACK_NAMES if name != pack]
    assert words.view(np.int8)[960:964].tolist() not in others

"""The table as text: what it says, what it hides, how wide it is."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.core.constants import SEATS
from five_hundred_env.core.state import N_COLUMNS
from five_hundred_env.errors import OptionError
from five_hundred_env.render import render_text
from tests.render.positions import (
    DISCARDED,
    HEARTS,
    TABLES,
    at,
    in_every_phase,
    mid_trick,
    random_positions,
    with_other_hidden_cards,
)


def test_a_running_trick_with_all_cards_open() -> None:
    """Every line by hand.

    Hearts are trumps: a hand shows joker, bowers, other hearts, then clubs, diamonds, spades. Seat 0 has taken the
    first trick and led the joker, which nothing beats. 8H is worth 40 + 3 * 20 + 2 * 100 = 300 points.
    """
    assert render_text(mid_trick()).split("\n") == [
        "Five Hundred, deal 1, dealer seat 3 (australian)",
        "Contract   8♥ by seat 0 (8 tricks, 300 points)",
        "To move    seat 3 to play a card",
        "",
        "  Seat   Tricks  Hand",
        "  0           1  J♥ J♦ A♥ K♥ Q♥  7♦ 6♦  5♠   contractor",
        "  1           0  7♥  A♣ K♣ Q♣ J♣ T♣  4♦  K♠",
        "  2           0  T♥ 9♥  6♣ 5♣  A♦ K♦  J♠ T♠",
        "> 3           0  5♥ 4♥  8♣ 7♣  Q♦ 9♦ 8♦  8♠ 7♠",
        "",
        "Trick 2    0: JK   1: 6♥   2: 8♥   (seat 0 wins so far)",
        "Trick 1    0: A♠   1: Q♠   2: 9♠   3: 6♠   (seat 0 took it)",
        "Suits led  ♠ ♥",
        "Kitty      7♦ 6♦ 5♦",
        "Discards   9♣  T♦ 5♦",
        "",
        "Auction    seat 0   seat 1   seat 2   seat 3*     * dealer",
        "           6♥       7♣       PASS     PASS",
        "           8♥       PASS",
        "",
        "Side               Tricks    Deal   Total",
        "0 (seats 0 and 2)        1             260",
        "1 (seats 1 and 3)        0             -40",
    ]


@pytest.mark.rule("R11.1", "R11.2")
def test_a_defender_sees_the_own_hand_and_backs() -> None:
    """Seats 0 to 2 have played to both tricks, seat 3 to one: 8, 8, 8 and 9 cards are left."""
    text = render_text(mid_trick(), 1)
    assert "  0           1  8 cards face down   contractor\n" in text
    assert "  1 you       0  7♥  A♣ K♣ Q♣ J♣ T♣  4♦  K♠\n" in text
    assert "  2           0  8 cards face down\n> 3           0  9 cards face down\n" in text
    assert "Kitty      3 cards face down\nDiscards   3 cards face down\n" in text


@pytest.mark.rule("R11.2")
def test_the_contractor_sees_kitty_and_own_discards() -> None:
    text = render_text(mid_trick(), 0)
    assert "Kitty      7♦ 6♦ 5♦\nDiscards   9♣  T♦ 5♦\n" in text
    assert text.count("face down") == 3


@pytest.mark.parametrize(
    ("phase", "asked"),
    [
        ("auction", "seat 2 to call"),
        ("discard", "seat 0 to discard"),
        ("nominate", "seat 0 to nominate the joker's suit or decline"),
        ("play", "seat 3 to play a card"),
        ("name", "seat 0 to name the suit of the joker led"),
    ],
)
def test_who_is_to_move_and_what_is_asked(phase: str, asked: str) -> None:
    text = render_text(in_every_phase()[phase])
    assert f"To move    {asked}\n" in text
    assert len(re.findall(r"^> ", text, re.MULTILINE)) == 1


def test_an_auction_shows_the_last_bid_and_hands_without_trumps() -> None:
    """Before the contract the joker stands alone and the suits follow black, red, black, red from spades."""
    text = render_text(at("6H", "7C"), 0)
    assert "Last bid   7♣ by seat 1 (7 tricks, 160 points)\n" in text
    assert "  0 you       0  JK  A♠ 5♠  A♥ K♥ Q♥ J♥  9♣  J♦ T♦\n" in text
    assert "Discards" not in text


@pytest.mark.rule("R4.1", "R4.3")
def test_the_contractor_discards_from_thirteen_cards() -> None:
    """One of three discards is made: the contractor holds twelve; the others know of 10 + 3 until it has finished."""
    game = at(*HEARTS, "9C")
    assert "Discards   9♣\n" in render_text(game, 0)
    assert "> 0 you       0  JK J♥ J♦ A♥ K♥ Q♥  T♦ 7♦ 6♦ 5♦  A♠ 5♠   contractor\n" in render_text(game, 0)
    assert "> 0           0  13 cards face down   contractor\n" in render_text(game, 2)
    assert "Discards" not in render_text(game, 2)


@pytest.mark.rule("R5.1", "R5.4")
def test_the_nomination_and_its_absence() -> None:
    """A joker nominated as spades is held above the ace of spades; declining says nothing about who holds it."""
    bid = ("8NT", "PASS", "PASS", "PASS", *DISCARDED)
    assert "Joker " not in render_text(at(*bid))
    named = render_text(at(*bid, "=S"), 0)
    assert "Joker      nominated as ♠\n" in named
    assert "  JK A♠ 5♠  A♥ K♥ Q♥ J♥  J♦ 7♦ 6♦   contractor" in named
    assert "Joker      not nominated\n" in render_text(at(*bid, "=-"), 3)


@pytest.mark.rule("R7.4")
def test_a_suitless_joker_shows_the_suit_it_names() -> None:
    """Seat 0 leads the joker and names clubs."""
    bid = ("8NT", "PASS", "PASS", "PASS", *DISCARDED, "=-", "JK")
    assert "Trick 1    0: JK   (seat 0 wins so far)\n" in render_text(at(*bid), 2)
    text = render_text(at(*bid, "=C", "TC"), 2)
    assert "Trick 1    0: JK as ♣   1: T♣   (seat 0 wins so far)\nSuits led  ♣\n" in text


@pytest.mark.rule("R8.2", "R8.3")
def test_open_misere_lays_a_hand_open_and_another_aside() -> None:
    """Seat 3 bids OMIS, leads 8D; 4D, KD from the others (seat 1 is idle), so seat 2 takes the first trick.

    Seat 3 puts away the kitty's diamonds; from the first trick on its other nine cards are public. Without trumps the
    suits are held spades, hearts, clubs, diamonds.
    """
    start = ("PASS", "PASS", "PASS", "OMIS", "5D", "6D", "7D", "=-")
    shown = "8♠ 7♠ 6♠  5♥ 4♥  8♣ 7♣  Q♦ 9♦   contractor   open to all\n"
    before = render_text(at(*start, "8D"), 0)
    assert "9 cards face down   contractor\n" in before
    assert "10 cards face down   laid aside\n" in before
    assert "Contract   OMIS by seat 3 (open misère, 500 points)\n" in before
    after = render_text(at(*start, "8D", "TD", "KD"), 0)
    assert "  3           0  " + shown in after
    assert "  1           0  10 cards face down   laid aside\n" in after
    assert "> 2           1  9 cards face down\n" in after


@pytest.mark.rule("R8.4", "R9.5")
def test_a_failed_misere_ends_with_points_and_a_winner() -> None:
    """Seat 0 bids OMIS with -10 for its side and leads JK as clubs: it wins the trick, -510 loses the game."""
    game = at("OMIS", "PASS", "PASS", "PASS", *DISCARDED, "=-", "JK", "=C", "TC", "7C", scores=(-10, 30))
    text = render_text(game, 1)
    assert "Over       OMIS by seat 0 failed.  Side 0 -500.  Side 1 +0.\n           Side 1 wins the game.\n" in text
    assert "0 (seats 0 and 2)        1    -500    -510\n1 (seats 1 and 3)        0      +0      30" in text
    assert "  3           0  9 cards face down\n" in text, "the end lays no hidden hand open"
    assert "To move" not in text


@pytest.mark.rule("R3.7")
def test_a_thrown_in_deal() -> None:
    text = render_text(at("PASS", "PASS", "PASS", "PASS"), 0)
    assert "Contract   none\nOver       Nobody bid: thrown in.  Side 0 +0.  Side 1 +0.\n" in text
    assert "Kitty      3 cards face down" in text


_TEN_TRICKS = (
    "JK 6H 8H 4H  JH 7H 9H 5H  JD 4D TH 8D  AH TC 5C 7C  KH JC 6C 8C  QH QC TS 9D  AS QS 9S 6S "
    "5S KS JS 7S  AC KD 8S 6D  KC AD QD 7D"
)
"""Hearts are trumps: six rounds of them and the ace of spades are seat 0's, then seat 1 takes three."""


@pytest.mark.rule("R9.2", "R9.4")
@pytest.mark.parametrize(
    ("bid", "said", "totals"),
    [
        ("7H", "7♥ by seat 0 made.  Side 0 +200.  Side 1 +30.", ("+200     460", "+30     -10")),
        ("8H", "8♥ by seat 0 failed.  Side 0 -300.  Side 1 +30.", ("-300     -40", "+30     -10")),
    ],
)
def test_the_result_of_a_deal(bid: str, said: str, totals: tuple[str, str]) -> None:
    """Seven tricks are enough for 7H, worth 40 + 60 + 100, not for 8H; the others get 3 * 10 either way."""
    text = render_text(at("6H", "7C", "PASS", "PASS", bid, "PASS", *DISCARDED, *_TEN_TRICKS.split()), 3)
    assert f"Over       {said}\n" in text
    assert f"0 (seats 0 and 2)        7    {totals[0]}\n1 (seats 1 and 3)        3     {totals[1]}" in text
    assert "Trick 10   1: K♣   2: A♦   3: Q♦   0: 7♦   (seat 1 took it)" in text
    assert "wins the game" not in text


@pytest.mark.parametrize("name", TABLES)
def test_every_position_fits_eighty_columns(name: str) -> None:
    for game in random_positions(TABLES[name], Random(name)):
        for seat in (None, len(game.calls) % SEATS):
            for line in render_text(game, seat).split("\n"):
                assert len(line) <= 80, line
                assert line == line.rstrip(), repr(line)


@pytest.mark.rule("R11.3")
@pytest.mark.parametrize("name", TABLES)
def test_hidden_cards_change_nothing(name: str) -> None:
    rng = Random(f"hidden {name}")
    for game in random_positions(TABLES[name], rng):
        for seat in range(SEATS):
            row = with_other_hidden_cards(game, seat, rng)
            assert render_text(row, seat) == render_text(game, seat)


def test_resampling_does_change_the_open_table() -> None:
    """What the test above relies on: the altered rows are really other positions."""
    game = mid_trick()
    assert render_text(with_other_hidden_cards(game, 1, Random(1))) != render_text(game)


def test_colour_adds_codes_and_nothing_else() -> None:
    """Red symbols stand in red; without the codes the text is the same."""
    plain, coloured = render_text(mid_trick()), render_text(mid_trick(), colour=True)
    assert "\x1b[31m♥\x1b[0m" in coloured
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


def test_a_row_and_its_game_give_the_same_text() -> None:
    game = mid_trick()
    assert render_text(game.row, 2) == render_text(game, 2)


@pytest.mark.parametrize("wrong", [None, "a position", np.zeros(3, np.int64), np.zeros(N_COLUMNS, np.int8)])
def test_what_is_no_position_is_refused(wrong: object) -> None:
    with pytest.raises(OptionError, match="a Game or a state row"):
        render_text(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 4, True, "0"])
def test_what_is_no_seat_is_refused(seat: object) -> None:
    with pytest.raises(OptionError, match="seat is a seat from 0 to 3"):
        render_text(Game(seed=1), seat)  # type: ignore[arg-type]

"""R2: seats, sides, who deals, and which card of the shuffled pack goes where."""

from __future__ import annotations

from collections import Counter

import pytest

from five_hundred_env import Game
from five_hundred_env.core.cards import CARD_NAMES
from five_hundred_env.core.philox import STREAM_DEAL, seed_words
from tests.rules.helpers import SIX_FOUR, SIX_FOUR_PLAY, declare, pack_of, play_out, start, take


@pytest.mark.rule("R2.1")
def test_the_turn_goes_round_from_0_to_3() -> None:
    game = start(dealer=1)
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.apply("PASS")
    assert seats == [2, 3, 0, 1]


# Seat 0 has five tricks in spades, then leads a diamond to the five tricks of seat 2.
PARTNERS = "ASKSQSJSTS8D7D6D5D4D 9S8S7S6S5S9C8C7C6C5C ADKDQDJDTDAHKHQHJHTH ACKCQCJCTC8H7H6H5H4H JK9D9H"


@pytest.mark.rule("R2.1")
def test_seats_0_and_2_are_one_side() -> None:
    """Five tricks of seat 0 and five of seat 2 make 10NT, side 0's; side 1 has none."""
    game = declare(PARTNERS, "10NT", "JK 9D 9H =- AS 9S AH 8H / KS 8S KH 7H / QS 7S QH 6H / JS 6S JH 5H / TS 5S TH 4H")
    take(game, "8D 9C AD AC / KD KC 7D 8C / QD QC 6D 7C / JD JC 5D 6C / TD TC 4D 5C")
    assert game.tricks == [5, 0, 5, 0]
    result = game.deal_result
    assert result is not None
    assert (result.made, result.tricks, result.points) == (True, (10, 0), (520, 0))


@pytest.mark.rule("R2.2")
def test_the_first_dealer_is_drawn_evenly() -> None:
    """2,000 seeds: 500 each expected, and 100 off is more than five standard deviations (19.4)."""
    dealers = Counter(Game(seed=seed).dealer for seed in range(2000))
    assert sorted(dealers) == [0, 1, 2, 3]
    assert all(400 < count < 600 for count in dealers.values())


@pytest.mark.rule("R2.2")
def test_the_deal_passes_to_the_left_after_every_deal() -> None:
    """After a deal thrown in, after one that was played, and from seat 3 to seat 0."""
    game = declare(SIX_FOUR, "6NT", f"JK 5H 4H =- {SIX_FOUR_PLAY}")
    assert (game.dealer, game.phase) == (3, "over")
    game.next_deal()
    assert (game.dealer, game.seat) == (0, 1)
    take(game, "PASS PASS PASS PASS").next_deal()
    assert (game.dealer, game.seat) == (1, 2)
    take(game, "PASS PASS PASS PASS").next_deal()
    assert (game.dealer, game.seat) == (2, 3)


@pytest.mark.rule("D1")
def test_the_first_deal_has_number_one() -> None:
    assert Game(seed=1).deal_number == 1
    game = start(actions="PASS PASS PASS PASS")
    assert game.deal_number == 1
    assert game.next_deal().deal_number == 2


def shuffled(seed: int, number: int, pack: str) -> list[str]:
    """Shuffle a pack as D11 says: cards lie in the order of their ids, and each place draws from those behind it."""
    order = sorted(pack_of(pack), key=CARD_NAMES.index)
    words: list[int] = []
    for block in range(12):
        words += map(int, seed_words(seed, block, number, STREAM_DEAL))
    for n in range(len(order)):
        drawn = n + (words[n] * (len(order) - n) >> 32)
        order[n], order[drawn] = order[drawn], order[n]
    return order


def dealt(order: list[str], dealer: int, to_kitty: tuple[int, int, int]) -> tuple[list[set[str]], set[str]]:
    """Deal packets by hand: three to each seat from dealer's left, some to the kitty; then four; then three."""
    hands: list[set[str]] = [set(), set(), set(), set()]
    kitty: set[str] = set()
    for packet, buried in zip((3, 4, 3), to_kitty, strict=True):
        for step in (1, 2, 3, 4):
            hands[(dealer + step) % 4] |= {order.pop(0) for _ in range(packet)}
        kitty |= {order.pop(0) for _ in range(buried)}
    assert not order
    return hands, kitty


@pytest.mark.parametrize(
    ("pack", "to_kitty"),
    [
        pytest.param("43", (1, 1, 1), marks=pytest.mark.rule("R2.3")),
        pytest.param("43-low-four", (1, 1, 1), marks=pytest.mark.rule("R2.3")),
        pytest.param("45", (2, 1, 2), marks=pytest.mark.rule("D10")),
        pytest.param("46", (2, 2, 2), marks=pytest.mark.rule("D10")),
    ],
)
@pytest.mark.rule("D11")
def test_cards_are_dealt_in_packets_from_dealers_left(pack: str, to_kitty: tuple[int, int, int]) -> None:
    """First and second deal of some games, dealt once more by hand out of the shuffled pack."""
    for seed in (0, 7, 2**63 + 5):
        game = Game({"pack": pack}, seed=seed)
        for number in (1, 2):
            signed = seed - 2**64 if seed >= 2**63 else seed
            hands, kitty = dealt(shuffled(signed, number, pack), game.dealer, to_kitty)
            assert [set(hand) for hand in game.hands] == hands
            assert set(game.kitty) == kitty
            if number == 1:
                take(game, "PASS PASS PASS PASS").next_deal()


@pytest.mark.rule("R2.3")
def test_every_card_goes_everywhere_about_as_often() -> None:
    """800 deals: the joker lies in the kitty 800 · 3 / 43 = 56 times (deviation 7.3), with seat 0 186 times (12)."""
    places: Counter[str] = Counter()
    for seed in range(800):
        game = Game(seed=seed)
        places.update(["kitty"] if "JK" in game.kitty else [f"seat {n}" for n in range(4) if "JK" in game.hands[n]])
    assert 20 < places["kitty"] < 92
    assert all(126 < places[f"seat {n}"] < 246 for n in range(4))


@pytest.mark.rule("D11")
def test_a_deal_depends_on_seed_and_number_alone() -> None:
    """Two games with one seed deal the same second deal, whatever was done in the first."""
    one, other = Game(seed=9), Game(seed=9)
    take(one, "PASS PASS PASS PASS").next_deal()
    play_out(take(other, "6S PASS PASS PASS")).next_deal()
    assert (one.hands, one.kitty, one.dealer) == (other.hands, other.kitty, other.dealer)

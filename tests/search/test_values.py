"""Values that a person can work out, what the public functions return, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.errors import OptionError, OrderError
from five_hundred_env.search import (
    make_workspace,
    par,
    solve,
    solve_discards,
    solve_many,
    solve_moves,
    solve_table,
)

TEN_TRICKS = "7S8S9STSJSQSKSASJCJK 5C6C7C8C9CTCQCKCAC5S 4D5D6D7D8D9DTDJDQDKD AD4H5H6H7H8H9HTHJHQH KHAH6S"
"""Seat 0 has the ten highest trumps of spades; every other suit lies whole, or nearly so, in one hand."""


def contract(bid: str, deal: str = TEN_TRICKS, rules: object = "australian", seat: int = 0) -> Game:
    """Return a game in which a seat has just won the auction with a bid."""
    game = Game.from_deal(deal, dealer=(seat + 3) % 4, rules=rules, seed=1)
    for call in (bid, "PASS", "PASS", "PASS"):
        game.apply(call)
    return game


def discard(game: Game, *cards: str) -> Game:
    """Put cards away."""
    for card in cards:
        game.apply(card)
    return game


def test_ten_top_trumps_take_ten_tricks() -> None:
    """Joker, both bowers, A K Q T 9 8 7 of trumps: nobody else has more than the 5 (the 6 is in the kitty)."""
    game = discard(contract("6S"), "KH", "AH", "6S")
    assert solve(game) == 10
    assert set(solve_moves(game).values()) == {10}


def test_no_trumps_with_and_without_a_loser() -> None:
    """Seat 0 has eight spades from the ace down, the nominated joker, and the jack of clubs under seat 1's queen.

    The only other spade at the table drops under the ace: eight spade tricks and the joker are nine, the jack of clubs
    loses to whatever seat 1 kept. Who puts that jack away keeps a tenth winner: the six of spades, or ace and king of
    hearts for the lowest spades.
    """
    game = contract("6NT")
    assert [(value, "JC" in cards) for cards, value in solve_discards(game)] == [(10, True)] * 3
    discard(game, "KH", "AH", "6S")
    assert solve(game) == 9
    assert solve_moves(game)["=C"] == 9


def test_a_misere_that_can_not_be_taken() -> None:
    """Seat 2 holds 4 … K of diamonds. Seat 3 has the ace, nobody else a diamond: the contractor's own lead decides.

    It leads the four, seat 3 must follow with the ace and takes the trick. After that the contractor holds 5 … K,
    nobody has a diamond to lead, and it never takes a trick: value 0.
    """
    game = discard(contract("OMIS", seat=2), "KH", "AH", "6S")
    game.apply("=-")
    assert solve(game) == 0
    assert solve_moves(game)["4D"] == 0


def test_a_misere_with_the_suitless_joker_fails() -> None:
    """It must be played some day, and takes that trick (R7.1, R7.3)."""
    game = discard(contract("OMIS"), "KH", "AH", "6S")
    assert solve(game) == 1
    assert solve_moves(game)["=-"] == 1


def test_tricks_taken_count() -> None:
    """The value of a position includes what was taken before it, and stays ten here to the end."""
    game = discard(contract("6S"), "KH", "AH", "6S")
    while game.phase != "over":
        assert solve(game) == 10
        game.apply(game.legal()[0])
    assert solve(game) == 10


@pytest.mark.parametrize("seed", range(4))
def test_the_best_move_has_the_value_of_the_position(seed: int) -> None:
    """Along a line of best moves the value never changes; the side to move has no better one."""
    game = Game("australian", seed=seed)
    game.apply(("7NT", "OMIS", "6H", "8NT")[seed])
    for _ in range(3):
        game.apply("PASS")
    discard(game, *solve_discards(game)[0][0])
    value = solve(game)
    while game.phase != "over":
        moves = solve_moves(game)
        assert list(moves) == game.legal()
        contractors = game.seat == game.contractor if seed == 1 else game.seat % 2 == game.contractor % 2
        best = (min if contractors else max) if seed == 1 else (max if contractors else min)
        assert best(moves.values()) == value
        game.apply(next(move for move, worth in moves.items() if worth == value))
    assert solve(game) == value


@pytest.mark.parametrize("bid", ["6D", "OMIS"])
def test_discards_are_the_best_of_all_choices(bid: str) -> None:
    """Every choice of three cards out of thirteen, valued one by one: 286 of them."""
    game = Game("american", seed=11)
    for call in (bid, "PASS", "PASS", "PASS"):
        game.apply(call)
    worth = {cards: solve(discard(game.copy(), *cards)) for cards in combinations(game.hands[game.contractor], 3)}
    assert len(worth) == 286
    best = min(worth.values()) if bid == "OMIS" else max(worth.values())
    everything = solve_discards(game, best=286)
    assert all(worth[tuple(cards)] == value for cards, value in everything)
    assert {value for _, value in everything} == set(worth.values())
    assert [value for _, value in everything] == sorted((v for _, v in everything), reverse=bid != "OMIS")
    assert solve_discards(game) == everything[:3]
    assert solve(game) == best


def test_a_table_agrees_with_single_contracts() -> None:
    """Seat 0 takes ten tricks in spades, and so does its partner with the lead: it can not be kept from them."""
    game = Game.from_deal(TEN_TRICKS, dealer=3, seed=1)
    table = solve_table(game)
    assert set(table) == {"S", "C", "D", "H", "NT", "MIS", "OMIS"}
    assert table["S"][0] == table["S"][2] == 10
    assert table["S"][1] == table["S"][3] == 0
    assert table["MIS"] == table["OMIS"]
    assert table["MIS"][0] == 1  # the joker can be nominated away, the top spades can not


def test_a_table_with_the_kitty_is_never_worse_for_the_contractor() -> None:
    game = Game.from_deal(TEN_TRICKS, dealer=3, seed=1)
    plain, taken = solve_table(game), solve_table(game, kitty=True)
    for strain in ("S", "C", "D", "H", "NT"):
        assert all(more >= less for more, less in zip(taken[strain], plain[strain], strict=True))


def test_par_of_a_worked_deal() -> None:
    """Side 0 makes 10S, worth 440, but a made open misère lies above it: side 1 takes 500.

    Seat 1 holds nine clubs without the jack and the five of spades: it leads that, ducks the jack of clubs once, and is
    never on lead again. Only 10H and 10NT are above OMIS; side 0 fails in both (nine tricks at most without trumps),
    which costs as much and more. Seat 0, first to call, can not do better than pass; seat 1 must not pass, or seat 2
    bids OMIS itself.
    """
    result = par(Game.from_deal(TEN_TRICKS, dealer=3, seed=1))
    assert (result.contract, result.contractor, result.tricks) == ("OMIS", 1, 0)
    assert result.points == (0, 500)
    assert result.calls == [(0, "PASS"), (1, "OMIS"), (2, "PASS"), (3, "PASS")]


STRAINS = ("S", "C", "D", "H", "NT")
ORDER = [f"{level}{strain}" for level in range(6, 11) for strain in STRAINS]
ORDER.insert(ORDER.index("8C"), "MIS")
ORDER.insert(ORDER.index("10H"), "OMIS")


def difference(bid: str, contractor: int, table: dict[str, tuple[int, ...]]) -> int:
    """Score a contract under the rules of `american`, side 0 minus side 1, from R9 anew."""
    sign = 1 if contractor % 2 == 0 else -1
    if bid.endswith("MIS"):
        taken = table[bid][contractor]
        value = 250 if bid == "MIS" else 500
        return sign * ((value if taken == 0 else -value) - 10 * taken)
    strain = bid.lstrip("0123456789")
    level = int(bid[: -len(strain)])
    taken = table[strain][contractor]
    value = 40 + 20 * STRAINS.index(strain) + 100 * (level - 6)
    if taken == 10 and value < 250:
        value = 250
    return sign * ((value if taken >= level else -value) - 10 * (10 - taken))


def one_round(calls: int, first: int, last: str | None, bidder: int, table: dict[str, tuple[int, ...]]) -> int:
    """Return the difference that the rest of an auction of four calls leads to."""
    if calls == 4:
        return difference(last, bidder, table) if last else 0
    seat = (first + calls) % 4
    bids = ORDER[ORDER.index(last) + 1 if last else 0 :]
    outcomes = [one_round(calls + 1, first, bid, seat, table) for bid in bids]
    outcomes.append(one_round(calls + 1, first, last, bidder, table))
    return max(outcomes) if seat % 2 == 0 else min(outcomes)


@pytest.mark.parametrize("seed", range(4))
def test_par_is_the_minimax_of_the_auction(seed: int) -> None:
    """Every auction of one round is tried, 27 bids and a pass at each call."""
    game = Game("american", seed=seed)
    result = par(game)
    expected = one_round(0, (game.dealer + 1) % 4, None, -1, solve_table(game))
    assert result.points[0] - result.points[1] == expected
    for _, call in result.calls:
        game.apply(call)
    assert (game.contract, game.contractor) == (result.contract, result.contractor)


def test_many_positions_on_any_number_of_threads() -> None:
    games = [discard(contract("6S"), "KH", "AH", "6S") for _ in range(3)]
    rows = np.array([game.row for game in games] * 20)
    done: list[int] = []
    assert solve_many(rows).tolist() == solve_many(rows, threads=3, progress=done.append).tolist() == [10] * 60
    assert sum(done) == 60


def test_errors_say_what_to_do() -> None:
    game = Game.from_deal(TEN_TRICKS, dealer=3, seed=1)
    with pytest.raises(OrderError, match="solve_table"):
        solve(game)
    with pytest.raises(OrderError, match="solve_table"):
        solve_moves(game)
    with pytest.raises(OrderError, match="'auction'"):
        solve_discards(game)
    with pytest.raises(OptionError, match="'auction'"):
        solve_many(game.row[None])
    with pytest.raises(OptionError, match="shape"):
        solve_many(np.zeros((2, 5), np.int64))
    with pytest.raises(OptionError, match="threads"):
        solve_many(game.row[None], threads=0)
    with pytest.raises(OptionError, match="bits"):
        make_workspace(30)
    for _ in range(4):
        game.apply("PASS")
    with pytest.raises(OrderError, match="thrown in"):
        solve(game)
    with pytest.raises(OrderError, match="over"):
        solve_moves(game)
    dealt = contract("6S")
    with pytest.raises(OrderError, match="solve_discards"):
        solve_moves(dealt)
    with pytest.raises(OptionError, match="best"):
        solve_discards(dealt, best=0)


@pytest.mark.parametrize("function", [solve, solve_moves, solve_discards, solve_table, par])
def test_what_is_no_game_is_named(function: Callable[[object], object]) -> None:
    with pytest.raises(OptionError, match=f"{function.__name__}: game is a Game, not str"):
        function(TEN_TRICKS)

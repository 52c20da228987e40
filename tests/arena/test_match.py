"""Matches on duplicate boards: what a board is worth, and that figures depend on the seed alone."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from five_hundred_env import Game
from five_hundred_env.arena import MatchResult, play_match
from five_hundred_env.arena.boards import AT
from five_hundred_env.arena.entrants import Conduct
from five_hundred_env.arena.workers import Pace, Played
from five_hundred_env.core.philox import table_seed
from five_hundred_env.errors import AgentError, OptionError, RulesError
from five_hundred_env.notation import SEED_LIMIT
from tests.arena import agents


def figures(result: MatchResult) -> str:
    return json.dumps(result.to_dict())


def test_points_per_deal_are_half_of_the_two_differences() -> None:
    """Table 1 has A at seats 0 and 2, table 2 at 1 and 3; a board is half of the sum of A's differences."""
    result = play_match("greedy", "random", boards=200)
    for outcome, score in zip(result.outcomes.tolist(), result.board_scores, strict=True):
        (first, second) = outcome
        at_table_1 = first[AT.points] - first[AT.points + 1]
        at_table_2 = second[AT.points + 1] - second[AT.points]
        assert score == (at_table_1 + at_table_2) / 2
    assert result.points_per_deal == pytest.approx(result.board_scores.mean())
    assert result.ci95[0] < result.points_per_deal < result.ci95[1]


def test_a_board_is_one_deal_played_twice_with_the_pairs_exchanged() -> None:
    """A bidder of 6S sits at 0 and 2, then at 1 and 3: the contractor's side is 0 at table 1 and 1 at table 2.

    The others pass, so the contract is 6S at every table, its contractor the bidder who spoke first.
    """
    result = play_match(agents.Opener(), "passer", boards=60)
    assert (result.outcomes[:, :, AT.bid] == 1).all()
    assert (result.outcomes[:, 0, AT.contractor] % 2 == 0).all()
    assert (result.outcomes[:, 1, AT.contractor] % 2 == 1).all()
    for number, (first, second) in enumerate(result.outcomes[:, :, AT.contractor].tolist()):
        dealer = Game(seed=table_seed(1, number) % SEED_LIMIT).dealer
        spoke = [(dealer + n) % 4 for n in range(1, 5)]
        assert first == next(seat for seat in spoke if seat % 2 == 0)
        assert second == next(seat for seat in spoke if seat % 2 == 1)


def test_an_agent_against_itself_is_worth_nothing() -> None:
    """Both tables of a board are then one and the same play, keys included."""
    result = play_match("random", "random", boards=100, games=5)
    assert result.names == ("random", "random (2)")
    assert not result.board_scores.any()
    assert result.ci95 == (0, 0)
    assert result.game_win_rate == 0.5
    assert np.array_equal(result.outcomes[:, 0, AT.points], result.outcomes[:, 1, AT.points])


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_figures_do_not_depend_on_the_batch(batch: int) -> None:
    play = {"boards": 40, "games": 3, "seed": 5}
    assert figures(play_match("greedy", "random", **play, batch=batch)) == figures(
        play_match("greedy", "random", **play)
    )


def test_figures_do_not_depend_on_the_workers() -> None:
    play = {"boards": 100, "games": 4, "seed": 5}
    spread = play_match("greedy", "random", **play, batch=16, workers=2)
    assert figures(spread) == figures(play_match("greedy", "random", **play))


def test_slow_agents_get_short_chunks() -> None:
    """Half a second a board: four boards make the two seconds of a chunk. Nothing is slower than a board at a time."""
    numbers = np.arange(30)
    pace = Pace(16)
    chunks = pace.chunks(numbers)
    assert len(next(chunks)) == Pace.FIRST == 8
    outcomes = np.zeros((8, 2, 15), np.int64)
    pace.learn(Played(numbers[:8], outcomes, [Conduct(100, 3.0), Conduct(100, 1.0)]))
    assert next(chunks).tolist() == [8, 9, 10, 11]
    pace.learn(Played(numbers[8:12], outcomes[:4], [Conduct(100, 99.0)]))
    assert next(chunks).tolist() == [12]
    pace.learn(Played(numbers[12:13], outcomes[:1], [Conduct(100, 0.0)]))
    assert [len(chunk) for chunk in chunks] == [16, 1]


def test_figures_depend_on_the_seed() -> None:
    one, other = (play_match("greedy", "random", boards=50, seed=seed) for seed in (1, 2))
    assert one.board_scores.tolist() != other.board_scores.tolist()


def test_more_boards_begin_with_the_same_ones() -> None:
    few, many = (play_match("greedy", "random", boards=boards) for boards in (20, 50))
    assert few.board_scores.tolist() == many.board_scores[:20].tolist()


def test_games_are_mirrored_on_the_same_deals() -> None:
    """A passer never has a contract, so it never wins; the opener wins or goes out backwards, at both tables."""
    result = play_match("passer", agents.HighBidder(), boards=1, games=10)
    assert (result.game_outcomes[:, :, AT.winner] == [0, 1]).all()
    assert result.game_win_rate == 1.0
    assert result.game_ci95 == (1, 1)
    # One 10NT costs 520: every game ends with its first deal, at -520 for the bidder's side.
    assert (result.game_outcomes[:, :, AT.deals] == 1).all()
    assert (result.game_outcomes[:, 0, AT.scores + 1] == -520).all()


def test_a_game_broken_off_counts_half() -> None:
    result = play_match("passer", "passer", boards=1, games=3, max_deals=2)
    assert (result.game_outcomes[:, :, AT.winner] == -1).all()
    assert (result.game_outcomes[:, :, AT.deals] == 2).all()
    assert result.game_scores.tolist() == [0.5, 0.5, 0.5]


def test_scores_stand_at_the_start_of_each_board() -> None:
    """Passers score nothing, so the totals stay."""
    result = play_match("passer", "passer", boards=5, scores=(480, -120))
    assert (result.outcomes[:, :, AT.scores] == 480).all()
    assert (result.outcomes[:, :, AT.scores + 1] == -120).all()


def test_drawn_scores_are_the_same_at_both_tables_and_undecided() -> None:
    result = play_match("passer", "passer", boards=300, scores=None)
    totals = result.outcomes[:, :, AT.scores : AT.scores + 2]
    assert np.array_equal(totals[:, 0], totals[:, 1])
    assert totals.min() >= -490
    assert totals.max() <= 490
    assert not (totals % 10).any()
    assert len(np.unique(totals)) > 80


def test_contracts_are_counted_by_pair() -> None:
    """Every table ends in 10NT by the bidder: 2 tables a board, all of them its own."""
    bidder, passer = play_match(agents.HighBidder(), "passer", boards=30).contracts
    assert (bidder.tables, bidder.contracts, bidder.share) == (60, 60, 1.0)
    assert bidder.by_level()["10"][0] == bidder.by_strain()["NT"][0] == 60
    assert list(bidder.by_bid()) == ["10NT"]
    assert (passer.contracts, passer.share, passer.made_rate) == (0, 0.0, None)


def test_misere_tries_are_counted() -> None:
    """The spammer opens OMIS at each table over passes."""
    spammer, _ = play_match("misere_spammer", "passer", boards=25).contracts
    assert spammer.by_bid()["OMIS"][0] == 50
    assert spammer.to_dict()["open_misere"]["tried"] == 50


def test_one_part_of_a_deal_may_be_contested() -> None:
    """With greedy bidding and kitty on both sides, contracts are those of greedy against itself."""
    play_only = play_match("random", "greedy", boards=50, part="play", common="greedy")
    whole = play_match("greedy", "greedy", boards=50)
    for column in (AT.bid, AT.contractor):
        assert np.array_equal(play_only.outcomes[:, :, column], whole.outcomes[:, :, column])
    assert play_only.points_per_deal < 0
    bidding_only = play_match("passer", "greedy", boards=50, part="bidding", common="greedy")
    assert bidding_only.contracts[0].contracts == 0
    assert bidding_only.common == "greedy"


def test_partners_may_be_mixed() -> None:
    """Of passer and high bidder only one bids: it is the contractor of every table, at seats of both parities."""
    result = play_match("passer+tests.arena.agents:HighBidder", "passer", boards=20)
    assert result.names[0] == "passer+scripted"
    seats = result.outcomes[:, :, AT.contractor]
    assert seats[::2].tolist() == [[2, 3]] * 10
    assert seats[1::2].tolist() == [[0, 1]] * 10


def test_rules_are_those_of_the_profile() -> None:
    """In one round with misère by value the spammer's OMIS still stands; the target of 100 ends a game sooner."""
    result = play_match("greedy", "passer", boards=3, games=5, rules="american,target=100")
    assert result.rules.target == 100
    assert result.game_outcomes[:, :, AT.scores].max() < 500


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boards": 0}, "boards is a number"),
        ({"games": -1}, "games is a number"),
        ({"seed": -1}, "a seed is"),
        ({"seed": 1.5}, "a seed is"),
        ({"scores": (5, 0)}, "multiple of ten"),
        ({"scores": (-500, 0)}, "already lost"),
        ({"part": "talk"}, "part is one of all, bidding, kitty, play"),
        ({"workers": 0}, "workers is a number"),
        ({"batch": 0}, "batch is a number"),
        ({"limit": 0}, "limit is a positive number"),
        ({"max_deals": 0}, "max_deals is a number"),
    ],
)
def test_wrong_numbers_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        play_match("random", "passer", **{"boards": 1, **arguments})


def test_unknown_agents_and_rules_are_refused() -> None:
    with pytest.raises(AgentError, match="no agent is called 'randm'"):
        play_match("randm", "passer", boards=1)
    with pytest.raises(RulesError, match="no rules profile is called 'austrian'"):
        play_match("random", "passer", boards=1, rules="austrian")


def test_an_agent_of_a_script_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of a script that is being run is called `__main__`, and has no spec to look up."""
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    monkeypatch.setattr(agents.Opener, "__module__", "__main__")
    assert play_match(agents.Opener(), "passer", boards=2).boards == 2


def test_objects_can_not_go_to_workers() -> None:
    with pytest.raises(OptionError, match="can not go to a worker process"):
        play_match(agents.Opener(), "passer", boards=2, workers=2)

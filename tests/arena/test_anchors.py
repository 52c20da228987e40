"""Frozen anchors: ratings that do not depend on who else takes part, and anchors that play as they did."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from five_hundred_env.arena import play_tournament, report
from five_hundred_env.arena.anchors import Anchor, Anchors, anchored_elo, anchored_points, load_anchors
from five_hundred_env.arena.identity import Identity
from five_hundred_env.arena.ratings import rate_against, rate_games, rate_points
from five_hundred_env.arena.statistics import estimate
from five_hundred_env.arena.tournament import make_anchors
from five_hundred_env.errors import OptionError, RecordError


def anchor(name: str, rating: float, elo: float = 0.0) -> Anchor:
    return Anchor(Identity(name, name, "1", ""), rating, (rating, rating), elo, (elo, elo))


FROZEN = [anchor("a", 0.0, 0.0), anchor("b", -60.0, -100.0), anchor("c", -110.0, -250.0)]


def test_a_rating_is_the_mean_over_the_anchors() -> None:
    """Against 0, -60, -110 an agent wins 10, 80, 120: 10, 20, 10 by each, 40/3 on the mean."""
    values = anchored_points([np.full(4, 10.0), np.full(4, 80.0), np.full(4, 120.0)], FROZEN)
    assert values.mean() == pytest.approx(40 / 3)


def test_a_copy_of_an_anchor_gets_its_rating() -> None:
    """In a round robin the least-squares rating is the mean over all of rating plus points, a copy at 0 included."""
    scores = {(0, 1): 75.0, (0, 2): 90.0, (1, 2): 51.0}
    ratings = [r.mean for r in rate_points([np.full(3, s) for s in scores.values()], list(scores), 3, 0, bca=False)]
    frozen = [anchor(name, rating) for name, rating in zip("abc", ratings, strict=True)]
    for own in range(3):
        met = [scores.get((own, other), -scores.get((other, own), 0.0)) for other in range(3)]
        values = anchored_points([np.full(3, points) for points in met], frozen)
        assert values.mean() == pytest.approx(ratings[own])


def test_a_rating_on_frozen_anchors_is_recovered_with_an_honest_interval() -> None:
    """An agent of strength 25, 120 boards against one anchor and 400 against two: 95 % of 500 intervals hold it."""
    generator = np.random.default_rng(11)
    hits = 0
    for _ in range(500):
        luck = generator.normal(0, 80, 400)
        scores = []
        for frozen, count in zip(FROZEN, (120, 400, 400), strict=True):
            noise = generator.normal(0, 150, count)
            scores.append(25 - frozen.rating + luck[:count] + noise)
        found = estimate(anchored_points(scores, FROZEN), bca=False, boards=120)
        hits += found.ci95[0] <= 25 <= found.ci95[1]
    assert hits / 500 == pytest.approx(0.95, abs=0.025)


def test_elo_on_frozen_anchors_is_that_of_the_whole_field() -> None:
    """Bradley-Terry on three agents gives -100 and -250; the third, rated against the first two frozen, agrees."""
    elo = [0.0, -100.0, -250.0]
    pairs = list(combinations(range(3), 2))
    won = np.array([1 / (1 + 10 ** ((elo[other] - elo[one]) / 400)) for one, other in pairs])
    whole = rate_games(won, pairs, 10**7, 3, anchor=0)
    rating, error = rate_against([1 - won[1], 1 - won[2]], [10**7, 10**7], elo[:2])
    assert rating == pytest.approx(whole[2], abs=0.01)
    assert 0 < error < 1


def test_elo_of_one_anchor_by_hand() -> None:
    """Three of four games and the prior's half a draw: 3.25 of 4.5, p = 0.7222, 400 log10(2.6) = 166 Elo.

    Its error: 173.7 / sqrt(4.5 p (1 - p)) = 173.7 / 0.950 = 182.8; half of the interval is 358.
    """
    rating, half = anchored_elo([0.75], [4], [anchor("a", 0.0)])
    assert rating == pytest.approx(165.99, abs=0.01)
    assert half == pytest.approx(358.3, abs=0.5)


SMALL = {"boards": 70, "games": 6, "seed": 8}


@pytest.fixture(name="small", scope="module")
def small_list() -> Anchors:
    return make_anchors(play_tournament(["passer", "greedy", "rule"], **SMALL, bca=False), "small")


def test_ratings_do_not_depend_on_who_else_takes_part(small: Anchors) -> None:
    """A list of one day and a list of another with more agents: the same rating for the same boards."""
    play = {**SMALL, "seed": 9, "bca": False, "anchors": small}
    alone = play_tournament(["overbidder"], **play)
    among = play_tournament(["misere_spammer", "overbidder", "random"], **play)
    assert alone.names == ("overbidder", "passer", "greedy", "rule")
    assert alone.ratings[0] == among.ratings[1]
    assert alone.elo is not None
    assert among.elo is not None
    assert alone.elo[0] == among.elo[1]
    free = [play_tournament(names, **{**play, "anchors": None}) for names in (alone.names, among.names)]
    assert free[0].ratings[0].mean != free[1].ratings[1].mean, "which least squares do not give"


def test_anchors_stay_where_they_were_frozen(small: Anchors, tmp_path: Path) -> None:
    small.write(tmp_path / "small.json")
    read = load_anchors(str(tmp_path / "small.json"))
    assert read == small
    result = play_tournament(["random"], boards=20, games=2, seed=5, bca=False, anchors=read)
    for own in read.anchors:
        place = result.names.index(own.identity.name)
        assert result.ratings[place].mean == own.rating
        assert "(fixed)" in report.rating_text(result, place)
    assert result.to_dict()["anchors"] == "small"
    assert "frozen anchors small (passer, greedy, rule), rule at zero" in report.markdown(result)


def test_the_shipped_anchors_play_as_they_did() -> None:
    """The list `v1` is checked board by board whenever it is used; `rule` version 1 is its zero."""
    frozen = load_anchors("v1")
    assert [own.identity.name for own in frozen.anchors] == ["random", "passer", "greedy", "rule"]
    assert frozen.zero == "rule"
    frozen.check(frozen.rules_hash, (0, 0), "all")


def test_anchors_that_do_not_fit_are_refused(small: Anchors) -> None:
    play = {"boards": 4, "anchors": small, "bca": False}
    with pytest.raises(OptionError, match="the anchors small are rated under the rules australian"):
        play_tournament(["random"], rules="american", **play)
    with pytest.raises(OptionError, match="rated on whole deals at 0 : 0"):
        play_tournament(["random"], scores=(100, 0), **play)
    with pytest.raises(OptionError, match="rated on whole deals at 0 : 0"):
        play_tournament(["random"], part="play", **play)


def test_anchors_that_have_changed_are_refused(small: Anchors) -> None:
    first = small.anchors[0]
    older = replace(first, identity=replace(first.identity, version="0"))
    with pytest.raises(OptionError, match="passer is rated in its version 0, and is version 1 here"):
        play_tournament(["random"], boards=4, anchors=replace(small, anchors=(older, *small.anchors[1:])))
    match = next(iter(small.play))
    with pytest.raises(OptionError, match="passer against greedy is not played as it was"):
        play_tournament(["random"], boards=4, anchors=replace(small, play={**small.play, match: "0" * 12}))


def test_lists_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no list of anchors is called 'v0'; lists are v1"):
        load_anchors("v0")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(RecordError, match="holds no list of anchors"):
        load_anchors(str(tmp_path / "x.json"))
    with pytest.raises(OptionError, match="mirrored games, and rule among the agents"):
        make_anchors(play_tournament(["passer", "rule"], boards=4), "x")

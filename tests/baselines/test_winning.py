"""The chance to win a game: the table, the fit, and the reward of a deal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from baselines import winning
from baselines.common.winning import (
    BUILT_IN,
    ChanceSource,
    WinTable,
    calibration,
    fit_logits,
    in_order,
    load_win_table,
    play_games,
)
from baselines.ppo import Config, Trainer
from five_hundred_env.agents import load_agent
from five_hundred_env.core.constants import PASS
from five_hundred_env.core.state import DEALER, SCORES
from five_hundred_env.errors import CheckpointError, OptionError

LN2, LN3 = float(np.log(2)), float(np.log(3))
SMALL = WinTable("australian", "nobody", 0, 0, 500, 500, ((-LN2, -9, -9), (LN3 - LN2, -LN2, -9), (9, 9, -LN2)))
"""Who deals has odds of 1 to 2 at even totals, and of 3 to 2 at 0 to −500."""

GRID = np.arange(-500, 501, 10)
US, THEM = (totals.ravel() for totals in np.meshgrid(GRID, GRID, indexing="ij"))


def chance(table: WinTable, us: int, them: int, we_deal: int) -> float:
    return float(table.chance(np.array([us]), np.array([them]), np.array([we_deal]))[0])


# --- the table ------------------------------------------------------------------------------------------------


def test_a_table_read_by_hand() -> None:
    """Odds of 1 to 2 are 1/3, of 3 to 2 are 3/5; half-way from −500 to 0 of theirs the log-odds are half of each."""
    assert chance(SMALL, 0, 0, 1) == pytest.approx(1 / 3)
    assert chance(SMALL, 0, 0, 0) == pytest.approx(2 / 3)
    assert chance(SMALL, 0, -500, 1) == pytest.approx(3 / 5)
    assert chance(SMALL, -500, 0, 0) == pytest.approx(2 / 5)
    odds = np.exp(0.5 * (LN3 - LN2) - 0.5 * LN2)
    assert chance(SMALL, 0, -250, 1) == pytest.approx(odds / (1 + odds))
    assert chance(SMALL, 510, 700, 1) == chance(SMALL, 500, 500, 1)


def test_the_table_that_comes_along_is_symmetric_and_in_order() -> None:
    """What one side gains the other loses; more points are never worse, more points of the others never better."""
    table = load_win_table(BUILT_IN)
    assert (table.rules, table.agent) == ("australian", "rule")
    for deal in (0, 1):
        ours = table.chance(US, THEM, np.full(len(US), deal))
        theirs = table.chance(THEM, US, np.full(len(US), 1 - deal))
        assert np.allclose(ours + theirs, 1, atol=1e-12)
        grid = ours.reshape(len(GRID), len(GRID))
        assert (np.diff(grid, axis=0) >= 0).all()
        assert (np.diff(grid, axis=1) <= 0).all()
        assert 0.4 < chance(table, 0, 0, deal) < 0.6
        assert chance(table, 400, -400, deal) > 0.75


def test_the_table_that_comes_along_foretells_games_that_it_has_not_seen() -> None:
    """800 games of another seed, at most one deal of each, in five parts: each within four standard errors, about."""
    starts = play_games(load_agent("rule"), "australian", 2, 400, 4711)
    rows = calibration(load_win_table(BUILT_IN), starts, 5, 1)
    assert 400 < sum(n for n, _, _ in rows) < len(np.unique(starts[:, 0])) == 800
    assert rows[0][1] < 0.45
    assert rows[-1][1] > 0.55
    for n, predicted, won in rows:
        assert abs(won - predicted) < 4 * np.sqrt(predicted * (1 - predicted) / n)


def test_a_saved_table_is_the_same_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    SMALL.save(path)
    assert load_win_table(path) == SMALL
    for text, message in (
        (path.read_text().replace("winning", "losing"), "holds 'five_hundred_env.losing'"),
        (path.read_text()[:-20], "damaged"),
        ("[1]", "damaged"),
        ('{"format": "five_hundred_env.winning", "format_version": 1}', "damaged"),
    ):
        path.write_text(text)
        with pytest.raises(CheckpointError, match=message):
            load_win_table(path)


# --- the fit --------------------------------------------------------------------------------------------------


def test_the_fit_finds_a_known_table() -> None:
    """200,000 deals whose winners are drawn with log-odds (us − them) / 200 − 0.3 of the dealer's side."""
    generator = np.random.default_rng(1)
    totals = generator.integers(-30, 31, (200_000, 2)) * 10
    dealer = generator.integers(0, 2, len(totals))
    rows = np.arange(len(totals))
    log_odds = (totals[rows, dealer] - totals[rows, 1 - dealer]) / 200 - 0.3
    won = np.where(generator.random(len(totals)) < 1 / (1 + np.exp(-log_odds)), dealer, 1 - dealer)
    starts = np.column_stack([rows, totals, dealer, won])
    logit = fit_logits(starts, 500, 100, 1e-5)
    nodes = np.arange(-200, 201, 100)
    assert np.abs(logit[3:8, 3:8] - ((nodes[:, None] - nodes) / 200 - 0.3)).max() < 0.2


def test_a_table_out_of_order_is_brought_into_order() -> None:
    """Along the first axis 1 before 0 becomes the mean of (1, 1) and (0, 0); what is in order stays."""
    assert in_order(np.array([[1.0], [0.0], [2.0]])).tolist() == [[0.5], [0.5], [2.0]]
    assert in_order(np.array([[0.0, 1.0]])).tolist() == [[0.5, 0.5]]
    good = np.array([[1.0, 0.0, -1.0], [2.0, 0.5, -0.5]])
    assert (in_order(good) == good).all()


def test_games_are_told_as_they_were_played() -> None:
    """Every game begins at 0 to 0; the side that deals changes with each deal; three games at each of four tables."""
    starts = play_games(load_agent("rule"), "australian", 3, 4, 2)
    assert np.unique(starts[:, 0]).tolist() == list(range(12))
    for game in range(12):
        deals = starts[starts[:, 0] == game]
        assert deals[0, 1:3].tolist() == [0, 0]
        assert (np.diff(deals[:, 3]) != 0).all()
        assert len(set(deals[:, 4].tolist())) == 1


def test_the_command_writes_a_table_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, picture = tmp_path / "table.json", tmp_path / "table.png"
    words = ["--games", "2", "--tables", "40", "--smoothness", "1e-3", "--path", str(path), "--picture", str(picture)]
    assert winning.main(words) == 0
    table = load_win_table(path)
    assert (table.games, table.seed, len(table.logit)) == (72, 1, 21)  # two at each of 36 of the 40 tables
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert "predicted" in capsys.readouterr().out
    assert winning.main(["--step", "30"]) == 2
    assert "step divides the target, 500" in capsys.readouterr().err


# --- the reward -----------------------------------------------------------------------------------------------


def test_a_deal_that_is_thrown_in_earns_the_side_that_dealt() -> None:
    """The totals stay and the others deal: who dealt goes from 1/3 to 2/3, the others from 2/3 to 1/3."""
    source = ChanceSource(8, 3, SMALL, "australian")
    dealer = source.tables.rows[:, DEALER].copy()
    for call in range(4):
        assert not source.reward.any()
        source.step(np.full(8, PASS))
        assert (source.done == (call == 3)).all()
    assert not source.ended.any()
    own = np.where(np.arange(4) % 2 == dealer[:, None] % 2, 1, -1)
    assert source.reward == pytest.approx(own / 3)


def test_the_last_deal_of_a_game_earns_what_is_missing_to_one_or_nothing() -> None:
    """At 480 to 0 with side 1 to deal the log-odds of side 1 are 0.96 · (−9) + 0.04 · (−ln 2) = −8.668.

    Side 0 has 0.99983: what is missing is 0.00017, and that is what winning earns it and costs side 1.
    """
    agent = load_agent("rule")
    source = ChanceSource(64, 5, SMALL, "australian")
    source.tables.rows[:, SCORES] = 480
    before = source.table.chance_of_rows(source.tables.rows)
    dealing = source.tables.rows[:, DEALER] % 2 == 1
    assert before[dealing] == pytest.approx(0.99983, abs=1e-5)
    waiting = np.ones(64, np.bool_)
    wins = 0
    while waiting.any():
        source.step(agent.act(source.observation, source.mask, np.zeros(64, np.uint64)))
        for table in np.flatnonzero(source.done & waiting):
            waiting[table] = False
            if source.ended[table]:
                won = source.reward[table, 0] > 0
                wins += won
                missing = (1 if won else 0) - before[table]
                assert source.reward[table] == pytest.approx(np.array([missing, -missing] * 2), abs=1e-6)
    assert wins > 10


def test_the_rewards_of_a_game_add_up_to_its_outcome() -> None:
    """From 1/3 or 2/3 at the beginning to 1 or 0 at the end."""
    agent = load_agent("rule")
    source = ChanceSource(16, 8, SMALL, "australian")
    begun, total, games = source.table.chance_of_rows(source.tables.rows), np.zeros(16), 0
    assert np.isin(begun.round(6), (0.333333, 0.666667)).all()
    for _ in range(300):
        source.step(agent.act(source.observation, source.mask, np.zeros(16, np.uint64)))
        total += source.reward[:, 0]
        assert (source.reward[~source.done] == 0).all()
        for table in np.flatnonzero(source.ended):
            end = begun[table] + total[table]
            assert min(abs(end), abs(end - 1)) < 1e-5
            begun[table], total[table] = source.table.chance_of_rows(source.tables.rows)[table], 0
            games += 1
    assert games > 16


def test_ppo_learns_from_chances(tmp_path: Path) -> None:
    config = Config(
        run_dir=str(tmp_path),
        reward="chance",
        episode="game",
        tables=8,
        steps=64,
        layers=(8,),
        critic_layers=(8,),
        threads=1,
        device="cpu",
    )
    trainer = Trainer(config)
    assert isinstance(trainer.source, ChanceSource)
    rollout = trainer.play()
    assert rollout.done.any()
    assert np.abs(rollout.reward).max() <= 1
    trainer.learn(rollout)
    for changes in ({"episode": "deal"}, {"rules": "american"}, {"source": "pettingzoo"}):
        with pytest.raises(OptionError, match="is for episode game, source tables and rules australian"):
            Trainer(replace(config, **changes))  # type: ignore[arg-type]

"""Reports show the figures of the result; tournament files are checked key by key."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
import yaml
from rich.console import Console

from five_hundred_env.arena import TournamentResult, play_tournament, report
from five_hundred_env.arena.config import BLOCKS, TournamentConfig, load_config
from five_hundred_env.arena.crossplay import play_cross
from five_hundred_env.arena.match import games_of, make_task
from five_hundred_env.arena.statistics import estimate
from five_hundred_env.arena.tournament import match_size
from five_hundred_env.arena.workers import fresh_seed
from five_hundred_env.core.philox import table_seed
from five_hundred_env.errors import OptionError
from tests.architecture.rulebook import ROOT
from tests.arena import agents

QUICK = ROOT / "configs" / "tournaments" / "quick.yaml"
CONFIGS = sorted((ROOT / "configs" / "tournaments").glob("*.yaml"))


@pytest.fixture(name="result", scope="module")
def small_tournament() -> TournamentResult:
    return play_tournament(["random", "greedy", "passer"], boards=60, games=4, seed=2)


def text_of(result: TournamentResult) -> str:
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(report.tables(result))
    return console.export_text()


def test_the_cross_table_is_antisymmetric(result: TournamentResult) -> None:
    for one in range(3):
        assert result.points(one, one) is None
        for other in range(3):
            if one != other:
                here, there = result.points(one, other), result.points(other, one)
                assert here is not None
                assert there is not None
                assert (here[0], here[1]) == (-there[0], there[1])
                assert result.win_rate(one, other) == pytest.approx(1 - (result.win_rate(other, one) or 0))


def test_the_terminal_shows_every_figure(result: TournamentResult) -> None:
    text = text_of(result)
    for (one, other), match in result.matches.items():
        assert report.cell_text(result, one, other).split("\n")[0] in text
        assert f"{match.points_per_deal:+.1f}" in text
    assert "60 boards a match, 4 mirrored games, rules australian, seed 2" in text
    assert re.search(r"Time a decision: .*random \d", text)


def test_the_best_agent_stands_first(result: TournamentResult) -> None:
    means = [result.ratings[agent].mean for agent in result.order]
    assert means == sorted(means, reverse=True)
    assert result.names[result.order[-1]] == "random"
    assert sum(means) == pytest.approx(0, abs=1e-6), "without rule the mean stands at zero"


def test_rule_stands_at_zero_where_it_plays() -> None:
    result = play_tournament(["greedy", "rule"], boards=50)
    assert result.anchor == "rule"
    assert result.ratings[1].mean == 0
    assert result.ratings[1].ci95 == (0, 0)
    assert result.ratings[0].mean == pytest.approx(result.matches[0, 1].points_per_deal)


def test_slow_agents_may_have_fewer_boards() -> None:
    """A cap of 20 boards and 2 games for passer: its matches are that short, the other one is not."""
    play = {"boards": 60, "games": 4, "seed": 2}
    result = play_tournament(["random", "greedy", "passer"], **play, caps={"passer": (20, 2)})
    sizes = {pair: (match.boards, match.games) for pair, match in result.matches.items()}
    assert sizes == {(0, 1): (60, 4), (0, 2): (20, 2), (1, 2): (20, 2)}
    whole = play_tournament(["random", "greedy", "passer"], **play)
    for pair, match in result.matches.items():
        assert match.board_scores.tolist() == whole.matches[pair].board_scores[: match.boards].tolist()
    assert "60 boards a match (20 in some), 4 mirrored games" in text_of(result)
    assert result.ratings[2].ci95[1] - result.ratings[2].mean > whole.ratings[2].ci95[1] - whole.ratings[2].mean
    no_games = play_tournament(["random", "greedy", "passer"], **play, caps={"passer": (20, 0)})
    assert no_games.elo is not None
    assert no_games.elo[2] is None
    assert no_games.elo[0] is not None


def test_a_cap_is_for_an_agent_with_any_options() -> None:
    caps = {"pimc": (30, 2)}
    assert match_size([("pimc:worlds=5", "pimc:worlds=5"), ("rule", "rule")], 100, 9, caps) == (30, 2)
    assert match_size([("rule", "pimc"), ("rule", "rule")], 100, 9, caps) == (30, 2)
    assert match_size([("rule", "rule"), ("greedy", "greedy")], 100, 9, caps) == (100, 9)
    assert match_size([("pimc", "pimc"), ("rule", "rule")], 20, 9, {"pimc": (30, None)}) == (20, 9)
    with pytest.raises(OptionError, match="boards of pimc is a number"):
        match_size([("pimc", "pimc"), ("rule", "rule")], 20, 9, {"pimc": (0, None)})


def test_differences_are_paired_over_boards(result: TournamentResult) -> None:
    """By hand for three agents: r0 - r1 on a board is (2 s01 + s02 - s12) / 3."""
    one, two, three = (match.board_scores for match in result.matches.values())
    expected = estimate((2 * one + two - three) / 3, bca=False)
    found = result.difference(0, 1)
    assert (found.mean, found.standard_error) == pytest.approx((expected.mean, expected.standard_error))
    grid = report.difference_grid(result)
    assert [row[:2] for row in grid[1:]] == [["greedy", "passer"], ["passer", "random"]]


def test_contracts_are_summed_over_matches(result: TournamentResult) -> None:
    greedy = report.contracts_of(result, 1)
    assert greedy.tables == 2 * 2 * 60
    parts = [result.matches[0, 1].contracts[1], result.matches[1, 2].contracts[0]]
    assert greedy.contracts == sum(part.contracts for part in parts)
    assert report.contracts_of(result, 2).contracts == 0


def test_the_html_page_needs_no_other_file(result: TournamentResult, tmp_path: Path) -> None:
    report.write_html(result, tmp_path / "new folder" / "report.html")
    page = (tmp_path / "new folder" / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    sources = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert len(sources) == 2
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert f"{result.matches[0, 1].standard_error:.2f}" in page


def test_names_can_not_break_the_page() -> None:
    result = play_tournament([agents.Opener("<b>&"), "passer"], boards=2)
    page = report.html(result)
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page


def test_markdown_is_the_same_each_time(result: TournamentResult) -> None:
    again = play_tournament(["random", "greedy", "passer"], boards=60, games=4, seed=2)
    assert report.markdown(again) == report.markdown(result)
    tables = [line for line in report.markdown(result).splitlines() if line.startswith("|")]
    assert tables[0] == "| agent | rating | Elo | greedy | passer | random |"


def test_pictures_are_png(result: TournamentResult, tmp_path: Path) -> None:
    report.write_png(result, tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_faults_are_reported() -> None:
    result = play_tournament([agents.Short("short"), "passer"], boards=3)
    text = text_of(result)
    assert "short lost 6 tables of short against passer by a fault." in text
    assert "short: AgentError: the answer to" in text


def test_partnerships_as_a_table() -> None:
    result = play_cross(["passer", "greedy"], "random", boards=20)
    table = report.partner_table(result)
    assert [column.header for column in table.columns] == ["agent", "with passer", "with greedy"]
    assert table.row_count == 2


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_files_are_tournaments_with_seed_blocks(path: Path) -> None:
    assert set(yaml.safe_load(path.read_text(encoding="utf-8"))["seeds"]) == {"dev", "test", "final"}
    seeds = {load_config(path, {"block": block}).match_seed for block in ("dev", "test", "final")}
    assert len(seeds) == 3


def test_blocks_share_no_deal() -> None:
    """Every deal of every block of every file: of its boards, its games, and of the fresh boards of a confirmation."""
    seen: set[int] = set()
    total = 0
    for path in CONFIGS:
        for block in BLOCKS:
            seed = load_config(path, {"block": block}).match_seed
            task = make_task("random", "passer", seed, "australian")
            again = make_task("random", "passer", fresh_seed(seed), "australian")
            for each in (task, games_of(task), again):
                seen.update(table_seed(each.setting.seed, number) for number in range(300))
                total += 300
    assert len(seen) == total == len(CONFIGS) * 3 * 3 * 300


def test_the_first_look_is_capped_for_agents_that_search() -> None:
    """Six matches: three of `pimc` with 40 boards and 2 games, three of 2000 and 100."""
    config = load_config(QUICK, {"agents": ["random", "greedy", "rule", "pimc"]})
    assert config.size == 3 * (40 + 2) + 3 * (2000 + 100)
    assert config.par > 0
    assert config.report is not None


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_given_values_go_before_those_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "agents: [random, passer]\nboards: 7\nseeds: {dev: 5, final: 6}\n")
    assert load_config(path) == TournamentConfig(agents=["random", "passer"], boards=7, seeds={"dev": 5, "final": 6})
    config = load_config(path, {"boards": 9, "block": "final"})
    assert (config.boards, config.match_seed, config.size) == (9, 6, 9)
    assert load_config(path, {"seed": 4}).match_seed == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("board: 7", "no key of a tournament is called 'board'; keys are agents, boards"),
        ("boards: many", "boards of a tournament is an integer, not 'many'"),
        ("boards: true", "boards of a tournament is an integer, not True"),
        ("isolate: 1", "isolate of a tournament is true or false, not 1"),
        ("caps: {pimc: 5}", "the cap of pimc is `boards` and, if wanted, `games`"),
        ("caps: {pimc: {games: 5}}", "the cap of pimc is `boards` and, if wanted, `games`"),
        ("caps: {pimc: {boards: 5, worlds: 3}}", "the cap of pimc is `boards`"),
        ("agents: [1, 2]", "agents of a tournament are text, not 1"),
        ("seeds: {train: 1}", "blocks of seeds are dev, test, final, not 'train'"),
        ("block: train", "blocks of seeds are dev, test, final, not 'train'"),
        ("- boards", "is no mapping"),
        ("boards: [", "can not be read"),
        ("!!python/object/apply:os.getcwd []", "can not be read"),
    ],
)
def test_senseless_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        load_config(write(tmp_path, text))


def test_a_block_without_a_seed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no seed for block 'final', only for dev"):
        load_config(write(tmp_path, "seeds: {dev: 1}"), {"block": "final"}).match_seed  # noqa: B018

"""The benchmark's arithmetic, and its page, by figures worked out by hand."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from benchmarks import harness, report
from benchmarks.catalogue import OUR_DIFFERENCES, PEERS
from benchmarks.choice import random_legal
from benchmarks.ours import NumpyChoice, batches, draw_legal, single
from five_hundred_env import Tables
from tests.speed.counting import needs_compiler


class Clockwork:
    """A worker whose contender plays a fixed number of decisions a second."""

    def __init__(self, rate: float, heard: list[str], missing: dict[str, str] | None = None) -> None:
        self.rate = rate
        self.heard = heard
        self.missing = missing or {}

    def play(self, name: str, decisions: int) -> harness.Slice:
        self.heard.append(name)
        seconds = decisions / self.rate
        return harness.Slice(decisions, seconds, seconds)


def results(**slices: list[tuple[int, float, float]]) -> dict[str, Any]:
    return {"slices": {name.replace("_", " "): turns for name, turns in slices.items()}, "missing": {}, "start": {}}


def test_contenders_play_in_turn_and_missing_ones_not_at_all() -> None:
    """Two rounds of A and B are A B A B once their slices are set; C can not play."""
    heard: list[str] = []
    entrants: list[Any] = [
        ("A", Clockwork(1000, heard)),
        ("B", Clockwork(10, heard)),
        ("C", Clockwork(1, heard, {"C": "not there"})),
    ]
    series = harness.interleave(entrants, rounds=2, seconds=2.0, tell=lambda _: None)
    assert heard[-4:] == ["A", "B", "A", "B"]
    assert set(series) == {"A", "B"}
    assert [turn.decisions for turn in series["A"].slices] == [2000, 2000]
    assert [turn.decisions for turn in series["B"].slices] == [20, 20]


def test_ratios_are_taken_round_by_round() -> None:
    """10/5, 30/5 and 12/4 are 2, 6 and 3; their median is 3. The ratio of the medians would be 12/5."""
    assert harness.ratio([10, 30, 12], [5, 5, 4]) == harness.Spread(median=3, low=2, high=6)


def test_a_slice_tells_both_clocks() -> None:
    """Six decisions in two CPU-seconds of two threads and one second on the clock."""
    turn = harness.Slice(decisions=6, cpu=2.0, wall=1.0)
    assert (turn.per_cpu_second, turn.per_second) == (3.0, 6.0)


def test_a_worker_lists_what_fails_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """One contender's library exits when it is made; the other plays seven decisions when five are asked for."""

    def leave() -> harness.Play:
        raise SystemExit("no table of deals")

    monkeypatch.setattr(harness, "fakes", lambda: {"bad": leave, "good": lambda: lambda n: n + 2}, raising=False)
    answers = io.StringIO()
    harness.serve("benchmarks.harness:fakes", ['{"name": "good", "decisions": 5}'], answers)
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert first == {"bad": "SystemExit: no table of deals", "good": None}
    assert second["decisions"] == 7


def test_a_missing_environment_is_a_reason_for_each_of_its_contenders() -> None:
    worker = harness.Worker("/dev/null/python", "benchmarks.peers:pgx", ["pgx leduc_holdem"])
    worker.wait()
    assert worker.missing == {"pgx leduc_holdem": "its environment is not installed"}


@needs_compiler
def test_the_compiled_choice_gives_each_legal_action_the_same_share() -> None:
    """Actions 0, 9 and 79 of 80: the first third of all 32-bit numbers draws 0, the second 9, the last 79."""
    mask = np.zeros(80, np.int8)
    mask[[0, 9, 79]] = 1
    words = mask.view(np.int64)
    third = 2**32 / 3
    drawn = [
        draw_legal(words, int(bits)) for bits in (0, third - 1, third + 1, 2 * third - 1, 2 * third + 1, 2**32 - 1)
    ]
    assert drawn == [0, 0, 9, 9, 79, 79]


def test_the_other_choices_draw_every_legal_action_and_no_other() -> None:
    """A thousand draws miss one of thirteen equal chances once in 10^34."""
    tables = Tables(1000, seed=1)
    tables.mask[:] = 0
    legal = [*range(3, 80, 6)]
    tables.mask[:, legal] = 1
    actions = np.zeros(1000, np.int64)
    NumpyChoice()(tables, actions)
    assert sorted(Counter(actions.tolist())) == legal
    assert sorted({random_legal(tables.mask[0]) for _ in range(1000)}) == legal


def test_a_target_is_met_by_its_figure() -> None:
    """At least 6, aim 9; and a share of at most 5 %, aim 2 %."""
    up = report.Target("up", 6, 9, lambda _: None)
    down = report.Target("down", 0.05, 0.02, lambda _: None, at_most=True)
    assert [report.verdict(up, value) for value in (5.9, 6.0, 9.0, None)] == [
        "**no**",
        "yes",
        "yes, the aim too",
        "not measured",
    ]
    assert [report.verdict(down, value) for value in (0.06, 0.05, 0.02)] == ["**no**", "yes", "yes, the aim too"]


def test_a_rollout_is_held_against_openspiel_in_the_same_run() -> None:
    """Twice as many decisions as OpenSpiel's 31 times: 62 times 0.31 million are 19.22 million."""
    run = report.Run(results())
    run.series[report.ROLL_ONE] = harness.Series([harness.Slice(620, 1.0, 1.0)])
    run.series[report.OPENSPIEL] = harness.Series([harness.Slice(10, 1.0, 1.0)])
    assert report._normalised(run) == pytest.approx(19.22)


def test_a_table_is_markdown_with_figures_on_the_right() -> None:
    assert report.table(("a", "b"), [("x", "1")]) == "| a | b |\n|---|---:|\n| x | 1 |"


def test_every_contender_of_a_peer_has_its_words_and_every_word_its_contender() -> None:
    assert len({peer.name for peer in PEERS}) == len(PEERS)
    assert all(peer.difference for peer in PEERS)
    assert set(OUR_DIFFERENCES) <= {*single(), *batches()}


def test_the_page_is_what_the_last_results_say() -> None:
    """`make bench` wrote both; whoever edits one runs it again, or ``python -m benchmarks.run --report``."""
    page = report.page(json.loads(report.RESULTS.read_text(encoding="utf-8")))
    assert report.PAGE.read_text(encoding="utf-8") == page
    assert all((report.IMAGES / name).is_file() for name in (report.THROUGHPUT, report.SCALE))


def test_the_page_lists_a_peer_that_is_missing() -> None:
    found = json.loads(report.RESULTS.read_text(encoding="utf-8"))
    found["slices"].pop("rlcard bridge")
    found["missing"]["rlcard bridge"] = "ImportError: no wheel"
    page = report.page(found)
    assert "| rlcard bridge | – | – | – |" in page
    assert "- rlcard bridge is missing here: ImportError: no wheel." in page

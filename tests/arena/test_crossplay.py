"""Mixed partnerships, probes, and agents in processes of their own."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from five_hundred_env.agents import load_agent
from five_hundred_env.arena import play_match
from five_hundred_env.arena.boards import AT
from five_hundred_env.arena.crossplay import PROBES, play_cross, probe
from five_hundred_env.arena.isolation import Isolated
from five_hundred_env.core.actions import bid_level
from five_hundred_env.core.observe import OBSERVATION_SIZE
from five_hundred_env.errors import AgentError, OptionError
from tests.arena import agents


def test_cross_play_has_every_partnership() -> None:
    result = play_cross(["passer", "greedy"], "random", boards=60)
    assert sorted(result.matches) == [(0, 0), (0, 1), (1, 1)]
    assert result.points(1, 0) == result.points(0, 1)
    own = play_match("greedy", "random", boards=60)
    assert result.points(1, 1).mean == own.points_per_deal


def test_the_loss_of_a_partnership_is_paired_over_boards() -> None:
    """Mixed minus the mean of the two pure pairs, board by board; a pair of copies loses nothing."""
    result = play_cross(["passer", "greedy"], "random", boards=60)
    scores = {pair: match.board_scores for pair, match in result.matches.items()}
    expected = (scores[0, 1] - (scores[0, 0] + scores[1, 1]) / 2).mean()
    assert result.loss(0, 1).mean == pytest.approx(expected)
    assert result.loss(0, 0).ci95 == (0, 0)


def test_cross_play_needs_two_agents() -> None:
    with pytest.raises(OptionError, match="two agents or more"):
        play_cross(["rule"])


def test_the_best_probe_is_confirmed_on_fresh_seeds() -> None:
    """Against one that bids 10NT blindly, passing gains 520 and more; the spammer overcalls nothing and passes too."""
    result = probe(agents.HighBidder(), ["random", "passer"], boards=30)
    assert result.best == "passer"
    assert result.searched["passer"].points_per_deal > result.searched["random"].points_per_deal
    assert result.confirmed.seed != result.searched["passer"].seed
    assert result.confirmed.ci95[0] > 300


def test_probes_bid_as_they_are_called() -> None:
    """Where the others pass: a level above rule, fewer contracts than rule, none."""
    over, under, never = (play_match(name, "passer", boards=150).contracts[0] for name in PROBES)
    rule = play_match("rule", "passer", boards=150).contracts[0]
    assert never.contracts == 0
    assert under.contracts < rule.contracts

    def mean_level(tried: np.ndarray) -> float:
        return sum(bid_level(bid) * int(tried[bid]) for bid in range(1, 26)) / int(tried[1:26].sum())

    assert mean_level(over.tried) > mean_level(rule.tried) + 0.5
    assert sum(under.tried[bid] for bid in range(21, 26)) == 0, "a level below ten at the most"


def test_isolated_agents_play_the_same() -> None:
    play = {"boards": 20, "games": 1, "seed": 3}
    alone = play_match("greedy", "random", **play, isolate=True)
    assert alone.to_dict() == play_match("greedy", "random", **play).to_dict()


class Dying(agents.Scripted):
    """Ends its process at certain keys; outside of a process of its own it only raises."""

    def answer(self, actions: np.ndarray) -> np.ndarray:
        if (self.keys % np.uint64(64) == 0).any():
            if os.environ.get("FIVE_HUNDRED_TEST_DIES"):
                os._exit(3)
            raise RuntimeError("out of luck")
        return actions


def test_an_agent_that_dies_loses_what_one_that_raises_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three decisions, one of them deadly: the batch is halved over new processes until that one is found."""
    monkeypatch.setenv("FIVE_HUNDRED_TEST_DIES", "1")
    entrant = Isolated("tests.arena.test_crossplay:Dying")
    try:
        mask = np.zeros((3, 80), np.int8)
        mask[:, 5:9] = 1
        observation = np.zeros((3, OBSERVATION_SIZE), np.int8)
        keys = np.array([3, 64, 5], np.uint64)
        answer = entrant.answer(observation, mask, keys)
    finally:
        entrant.close()
    assert answer[1] == -1
    expected = load_agent("random").act(observation, mask, keys)
    assert [answer[0], answer[2]] == [expected[0], expected[2]]
    assert entrant.conduct.faults == {"died": 1}


def test_a_late_process_is_ended() -> None:
    entrant = Isolated("tests.arena.agents:Slow", limit=0.02)
    try:
        mask = np.ones((2, 80), np.int8)
        observation = np.zeros((2, OBSERVATION_SIZE), np.int8)
        answer = entrant.answer(observation, mask, np.array([1, 2], np.uint64))
    finally:
        entrant.close()
    assert answer.tolist() == [-1, -1]
    assert entrant.conduct.faults == {"late": 2}


TELLS = """
import os
from pathlib import Path
from five_hundred_env.agents import load_agent

with Path(__file__).with_suffix(".pids").open("a") as file:
    file.write(f"{os.getpid()}\\n")

agent = load_agent("greedy")
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_isolated_code_runs_in_no_process_of_the_arena(tmp_path: Path, workers: int) -> None:
    """The file notes each process that it is run in; two of them, since its identity is asked for beforehand."""
    path = tmp_path / "tells.py"
    path.write_text(TELLS)
    result = play_match(str(path), "passer", boards=4, isolate=True, workers=workers)
    assert result.names == ("greedy", "passer")
    assert result.agents[0][0].spec == str(path)
    pids = path.with_suffix(".pids").read_text().split()
    assert 2 <= len(pids) <= 1 + workers
    assert len(set(pids)) == len(pids)
    assert str(os.getpid()) not in pids
    assert result.to_dict() == play_match(str(path), "passer", boards=4).to_dict()


def test_agents_that_can_not_be_isolated_are_refused() -> None:
    with pytest.raises(OptionError, match="can not be isolated"):
        Isolated(agents.Opener())
    with pytest.raises(AgentError, match="no agent is called"):
        Isolated("nobody")


def test_mixed_partners_change_seats_from_board_to_board() -> None:
    result = play_cross(["tests.arena.agents:HighBidder", "passer"], "passer", boards=4)
    assert result.matches[0, 1].outcomes[:, 0, AT.contractor].tolist() == [0, 2, 0, 2]

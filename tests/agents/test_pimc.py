"""`pimc`: legal everywhere, a function of observation and key, bounded, and right where open cards leave no doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from five_hundred_env import Game, actions
from five_hundred_env.agents import load_agent
from five_hundred_env.agents.pimc import Pimc
from five_hundred_env.core import engine, observe
from five_hundred_env.core.cards import Row
from five_hundred_env.core.state import HAND, N_COLUMNS, PHASE, SEAT
from five_hundred_env.errors import AgentError, OptionError
from five_hundred_env.search.sampling import draw_world, make_sampler, prepare_worlds
from five_hundred_env.search.solver import solve_row_moves
from five_hundred_env.search.workspace import NODES, make_workspace
from tests.laws.walk import PURE, every_table, walk

Bytes = npt.NDArray[np.int8]
SOLVER = make_workspace()


def look(row: Row) -> tuple[Bytes, Bytes]:
    """Return observation and mask of the seat to move."""
    words = np.zeros(observe.OBSERVATION_WORDS, np.int64)
    mask = np.zeros(observe.MASK_WORDS, np.int64)
    observe.write_observation(row, int(row[SEAT]), words.view(np.int8), words)
    observe.write_mask(int(row[PHASE]), engine.legal_mask(row), mask)
    return words.view(np.int8), mask.view(np.int8)


def decisions(deals_a_profile: int, sets: int, share: float) -> Iterator[tuple[Game, str]]:
    """Yield some positions with a choice out of deals of every profile and of random options."""
    rng = Random("pimc")
    for seed, options in every_table(deals_a_profile, sets):
        for game, reference, action in walk(seed, options):
            rare = reference.phase in ("nominate", "name")
            if action is not None and len(reference.legal()) > 1 and (rare or rng.random() < share):
                yield game, seed


def ask(agent: Pimc, rows: list[Row], keys: list[int]) -> list[int]:
    seen = [look(row) for row in rows]
    observation, mask = (np.stack([pair[part] for pair in seen]) for part in (0, 1))
    return [int(action) for action in agent.act(observation, mask, np.array(keys, np.uint64))]


@pytest.fixture(scope="module")
def positions() -> list[Row]:
    """Positions of every phase, with a choice; late ones of the play are commoner, they cost nothing."""
    rows: list[Row] = []
    for game, _ in decisions(*((1, 2) if PURE else (2, 25)), share=0.2):
        late = len(game.trick_history) >= (8 if PURE else 5)
        if late or (game.phase != "play" and not PURE) or len(rows) % 16 == 0:
            rows.append(game.row.copy())
    return rows


FAST = {"worlds": 3, "candidates": 2, "sets": 2}


def test_every_answer_is_legal(positions: list[Row]) -> None:
    """Every profile and random options, every phase, calls and discards searched."""
    phases: Counter[int] = Counter()
    for row, action in zip(positions, ask(Pimc(**FAST), positions, [*range(len(positions))]), strict=True):
        assert engine.is_legal(row, action)
        phases[int(row[PHASE])] += 1
    assert PURE or min(phases[phase] for phase in range(5)) >= 3, phases


def test_answers_depend_on_observation_and_key_alone(positions: list[Row]) -> None:
    """One by one, all at once or backwards, by this instance or a fresh one: the same answers."""
    keys = [17 * n for n in range(len(positions))]
    agent = Pimc(**FAST)
    batch = ask(agent, positions, keys)
    assert [ask(agent, [row], [key])[0] for row, key in zip(positions, keys, strict=True)] == batch
    assert ask(Pimc(**FAST), positions[::-1], keys[::-1])[::-1] == batch


def test_a_budget_changes_no_rule_of_that(positions: list[Row]) -> None:
    """Nodes are counted from a clean slate, so what was searched before does not move the bound."""
    keys = [*range(len(positions))]
    agent = Pimc(budget=300, **FAST)
    batch = ask(agent, positions, keys)
    assert all(engine.is_legal(row, action) for row, action in zip(positions, batch, strict=True))
    assert ask(agent, positions[::-1], keys[::-1])[::-1] == batch


def nodes(agent: Pimc, row: Row) -> int:
    memory = agent._memory()
    before = int(memory.solver[NODES])
    ask(agent, [row], [1])
    return int(memory.solver[NODES]) - before


def test_a_budget_bounds_the_nodes() -> None:
    """The bound is looked at after each world, so one world's search may pass it; twenty worlds may not."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "JD", "4D", "5D", "AS", "5S", "4H"]:
        game.apply(action)
    assert set(game.legal()) == {"6S", "7S", "8S", "9S", "TS", "JC"}
    free = nodes(Pimc(), game.row)
    assert nodes(Pimc(budget=1), game.row) < free / 4


def test_a_decision_that_is_told_to_end_ends() -> None:
    """As a timer does it: the sign is looked at after each world, so one is searched, not twenty."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "JD", "4D", "5D", "AS", "5S", "4H"]:
        game.apply(action)
    free = nodes(Pimc(), game.row)
    agent = Pimc()
    agent._memory().stop[0] = 1
    assert 0 < nodes(agent, game.row) < free / 4


def test_time_that_is_not_used_up_changes_nothing(positions: list[Row]) -> None:
    """A day is enough for the same answers; next to no time still leads to legal ones."""
    some, keys = positions[::4], [*range(len(positions[::4]))]
    assert ask(Pimc(seconds=86_400, **FAST), some, keys) == ask(Pimc(**FAST), some, keys)
    for row, action in zip(some, ask(Pimc(seconds=1e-6, **FAST), some, keys), strict=True):
        assert engine.is_legal(row, action)


def test_depth_leaves_early_tricks_to_rule() -> None:
    """Nine tricks and the running one are left: searched with a depth of ten, not with nine, nor with none."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "JD", "4D", "5D", "AS", "5S", "4H"]:
        game.apply(action)
    assert nodes(Pimc(depth=10), game.row) > 0
    assert nodes(Pimc(depth=9), game.row) == nodes(Pimc(depth=0), game.row) == 0
    assert ask(Pimc(depth=9), [game.row], [1]) == [
        int(load_agent("rule").act(*(part[None] for part in look(game.row)), np.array([1], np.uint64))[0])
    ]


def test_one_legal_action_is_not_searched() -> None:
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "JD", "4D", "5D", "AS"]:
        game.apply(action)
    assert game.legal() == ["5S"]
    assert nodes(Pimc(), game.row) == 0


DEAL = "4DQDKDADJSQSKSASJDJK 5S5C6C7C8C9CQCKCACTD 4H5H6H7H8H9HTHQHKHAH 6S7S8S9STSTCJC8D9DJH 5D6D7D"


def test_hidden_cards_change_no_answer(positions: list[Row]) -> None:
    """A world that looks the same to the seat to move, in other hands, gets the same answer.

    Rows of worlds count seats from the observing one; it sees the same bytes from there.
    """
    sampler = make_sampler()
    view, world = np.zeros(N_COLUMNS, np.int64), np.zeros(N_COLUMNS, np.int64)
    others = []
    for row in positions:
        observe.read_observation(look(row)[0], view)
        prepare_worlds(view, sampler.groups, sampler.ways)
        draw_world(view, sampler.groups, sampler.ways, 99, 0, world)
        others.append(world.copy())
    keys = [*range(len(positions))]
    assert sum(bool((a != b).any()) for a, b in zip(positions, others, strict=True)) > len(positions) / 2
    assert ask(Pimc(**FAST), positions, keys) == ask(Pimc(**FAST), others, keys)


def best_in_all(view: Row, ways: int) -> set[int]:
    """Return the cards that are best with open cards in every layout that fits a view with few of them."""
    sampler, world, values = make_sampler(), np.zeros(N_COLUMNS, np.int64), np.zeros(80, np.int64)
    prepare_worlds(view, sampler.groups, sampler.ways)
    drawn = {}
    for number in range(20 * ways):
        draw_world(view, sampler.groups, sampler.ways, 7, number, world)
        drawn[world[HAND : HAND + 4].tobytes()] = world.copy()
    assert len(drawn) == ways
    best = set(range(80))
    for row in drawn.values():
        value = solve_row_moves(row, SOLVER, values)
        best &= {int(action) for action in np.flatnonzero(values == value)}
    return best


def test_what_is_certain_is_played_as_open_cards_are() -> None:
    """Contractors, near the end: where some card is best in every layout that fits, one of those is played.

    Without spread and tie every trick counts for the side that takes it (10 points of defence), so the best of a layout
    is one value; in a misère it is 0 or 1. 600 worlds of up to 90 layouts leave
    hardly one out.
    """
    agent, sampler, view = (
        Pimc(tie=0, spread=0, worlds=600, candidates=1),
        make_sampler(),
        np.zeros(N_COLUMNS, np.int64),
    )
    checked = 0
    for seed, options in every_table(2 if PURE else 12, 0):
        for game, reference, _ in walk(seed, options):
            own = reference.phase == "play" and reference.seat == reference.contractor
            if not own or len(reference.past_tricks) < 7 or len(reference.legal()) < 2:
                continue
            observe.read_observation(look(game.row)[0], view)
            ways = int(prepare_worlds(view, sampler.groups, sampler.ways))
            best = best_in_all(view, ways) if ways <= 90 else set()
            if 0 < len(best) < len(reference.legal()):
                assert ask(agent, [game.row], [checked])[0] in best, game.to_text()
                checked += 1
    assert PURE or checked > 8


def test_options_are_told_behind_the_name() -> None:
    agent = load_agent("pimc:worlds=5,tie=2.5")
    assert isinstance(agent, Pimc)
    assert (agent.options.worlds, agent.options.tie) == (5, 2.5)
    assert agent.name == "pimc:tie=2.5,worlds=5"
    assert load_agent("pimc").name == "pimc"


@pytest.mark.parametrize(
    "spec", ["pimc:worlds=0", "pimc:world=3", "pimc:doubt=2", "pimc:sets=14", "pimc:depth=11", "pimc:seconds=-1"]
)
def test_options_out_of_range_are_refused(spec: str) -> None:
    with pytest.raises(OptionError, match=spec.partition(":")[2].partition("=")[0]):
        load_agent(spec)


def test_what_is_no_option_is_refused() -> None:
    with pytest.raises(AgentError, match="name=number"):
        load_agent("pimc:many")


def test_numbers_of_actions_are_the_environments() -> None:
    """The agent answers with ids of the action space: the first lead is a card, not a call."""
    game = Game.from_deal(DEAL, dealer=3)
    for action in ["6S", "PASS", "PASS", "PASS", "QD", "KD", "AD"]:
        game.apply(action)
    assert actions.decode(ask(Pimc(), [game.row], [3])[0]) in game.legal()

"""OpenSpiel: the game passes the library's checks, leaks nothing, and what is exact is the same on both sides."""

from __future__ import annotations

import copy
import pickle
import re
import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game, Rules, Tables
from five_hundred_env.agents import load_agent
from five_hundred_env.errors import IllegalActionError, OptionError, OrderError, RulesError
from five_hundred_env.search import GameTree
from tests.integrations.laws import Decision, check_episode

pyspiel = pytest.importorskip("pyspiel")
spiel = pytest.importorskip("five_hundred_env.integrations.openspiel")
policies = pytest.importorskip("open_spiel.python.policy")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
best_response = pytest.importorskip("open_spiel.python.algorithms.best_response")
evaluate_bots = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
external_sampling = pytest.importorskip("open_spiel.python.algorithms.external_sampling_mccfr")
outcome_sampling = pytest.importorskip("open_spiel.python.algorithms.outcome_sampling_mccfr")
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
load, state_at, state_of = spiel.load, spiel.state_at, spiel.state_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FIVE = "australian,pack=5,auction=one_round,joker_no_trumps=free,open_misere_rank=none"
"""The smallest game: one card a hand, each seat calls once; 1,751 positions a deal on average."""
NINE = "australian,pack=9,misere_rank=above_sevens"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("australian", {}),
    ("american,pack=46", {"reward": "win", "dealer": 1}),
    (NINE, {"episode": "game", "max_deals": 4}),
    ("casual,pack=13", {"episode": "game", "max_deals": 3, "deals": 6, "seed": 5}),
    ("wikipedia,pack=45,all_pass=no_trumps", {"deals": 4}),
    (NINE, {"deals": 300}),
]
IDS = [f"{rules} {parameters}" for rules, parameters in GAMES]


class Dice:
    """Random numbers as a resampling asks for them."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.RandomState(seed)

    def __call__(self) -> float:
        return float(self.random.random_sample())


def step(state: Any, random: np.random.RandomState) -> int:
    """Do a random action of chance or of the seat to move, passing often enough that auctions end low."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        action = int(random.choice(outcomes, p=chances))
    else:
        legal = state.legal_actions()
        action = 0 if 0 in legal and random.random_sample() < 0.6 else int(random.choice(legal))
    state.apply_action(action)
    return action


def dealt(game: Any, random: np.random.RandomState) -> Any:
    """Return a state after a random deal."""
    state = game.new_initial_state()
    while state.is_chance_node():
        step(state, random)
    return state


@pytest.mark.parametrize(("rules", "parameters"), GAMES, ids=IDS)
def test_the_checks_of_the_library(rules: str, parameters: dict[str, Any]) -> None:
    """Random simulation with clones, serialisation, observers, and the bounds of utilities and length."""
    pyspiel.random_sim_test(load(rules, **parameters), num_sims=4, serialize=True, verbose=False)


def test_parameters_and_rules_go_through_the_name_of_the_game() -> None:
    """`load` and OpenSpiel's own text name the same game; a pack without a number of its own goes by `options`."""
    game = load("casual,pack=9,slam=none", deals=3, seed=7)
    again = pyspiel.load_game(str(game))
    assert again.setup.rules == Rules.from_text("casual,pack=9,slam=none")
    assert again.setup.deals == game.setup.deals
    text = f"{spiel.NAME}(pack=9,profile=casual,options=slam:none,deals=3,seed=7)"
    assert pyspiel.load_game(text).setup.rules == game.setup.rules
    assert load("australian,pack=43-low-four").setup.rules.pack == "43-low-four"
    assert load().setup.rules == Rules()
    assert load().num_distinct_actions() == 80


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"rules": "bridge"}, RulesError, "bridge"),
        ({"episode": "match"}, OptionError, "episode"),
        ({"reward": "tricks"}, OptionError, "reward"),
        ({"deals": -1}, OptionError, "deals"),
        ({"dealer": 4}, OptionError, "dealer"),
        ({"seed": -1}, OptionError, "seed"),
        ({"players": 3}, OptionError, "no parameter 'players'"),
    ],
)
def test_what_is_no_parameter_is_refused(parameters: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load(**parameters)


def test_bounded_deals_are_those_of_tables() -> None:
    """Outcome n deals what `Game` deals with seed n of ``Tables(n=5, seed=3)``."""
    game = load(NINE, deals=5, seed=3)
    seeds = Tables(n=5, rules=NINE, seed=3).seeds
    for outcome, chance in game.new_initial_state().chance_outcomes():
        assert chance == pytest.approx(1 / 5)
        state = game.new_initial_state()
        state.apply_action(outcome)
        mine = Game(NINE, seed=int(seeds[outcome]))
        assert state.current_player() == mine.seat
        assert all((state.table.observe(seat) == mine.observe(seat)["observation"]).all() for seat in range(4))


def test_every_deal_is_one_sequence_of_outcomes_and_as_likely_as_any_other() -> None:
    """Five cards to five places: 120 deals of 1/120. The last card has only one place left and is no chance node."""
    game = load(FIVE, dealer=2)
    seen: Counter[str] = Counter()

    def deal(state: Any, chance: float) -> None:
        if not state.is_chance_node():
            assert len(state.history()) == 4
            seen[str(state)] += 1
            assert chance == pytest.approx(1 / 120)
            return
        for outcome, part in state.chance_outcomes():
            deal(state.child(outcome), chance * part)

    deal(game.new_initial_state(), 1.0)
    assert len(seen) == 120
    assert set(seen.values()) == {1}


def forced_outcome(state: Any, game: Game) -> int:
    """Return the outcome of chance that leads to the deal of a game."""
    table = state.table
    if table.pending == "dealer":
        return game.dealer
    card = str(state.action_to_string(-1, 0)).split()[0]
    return next((seat for seat in range(4) if card in game.hands[seat]), 4)


@pytest.mark.parametrize("episode", ["deal", "game"])
@pytest.mark.parametrize("rules", ["australian", "american,pack=46", "casual,pack=13"])
def test_it_plays_as_game_does(rules: str, episode: str) -> None:
    """Players, legal actions, observations and returns at every step of three random games of up to three deals."""
    table = load(rules, episode=episode, max_deals=3)
    random = np.random.RandomState(1)
    for seed in range(3):
        game, total = Game(rules, seed=seed), 0.0
        state = table.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                if game.phase == "over":
                    game.next_deal()
                state.apply_action(forced_outcome(state, game))
                continue
            assert (state.current_player(), state.legal_actions()) == (game.seat, game.legal_actions().tolist())
            tensor = state.information_state_tensor(int(game.seat or 0))
            assert tensor == game.observe(int(game.seat or 0))["observation"].tolist()
            assert state.returns() == [0.0] * 4
            game.apply(step(state, random))
            result = game.deal_result
            total += (result.points[0] - result.points[1]) / 100 if result else 0.0
        assert state.returns() == pytest.approx([total, -total, total, -total])
        assert episode == "deal" or game.is_over or game.deal_number == 3


@pytest.mark.parametrize("reward", ["points", "win"])
@pytest.mark.parametrize("rules", ["australian", "american,pack=13"])
def test_each_reward_arrives_on_its_seats_own_last_decision(rules: str, reward: str) -> None:
    """Through OpenSpiel's environment, as its learners see it: at their own turns, and once at the end."""
    for seed in range(8):
        environment = rl_environment.Environment(load(rules, deals=1, seed=seed, reward=reward))
        random = np.random.RandomState(seed)
        time_step = environment.reset()
        waiting: dict[int, Decision] = {}
        decisions: list[Decision] = []

        def close(seat: int, ends: bool, waiting: Any = waiting, decisions: Any = decisions, now: Any = None) -> None:
            last = waiting.pop(seat, None)
            if last is not None:
                decisions.append(Decision(seat, last.action, last.mask, float(now.rewards[seat]), ends))

        while not time_step.last():
            seat = time_step.observations["current_player"]
            if time_step.rewards is not None:
                close(seat, ends=False, now=time_step)
            legal = time_step.observations["legal_actions"][seat]
            action = int(random.choice(legal)) if random.random_sample() < 0.4 else legal[0]
            waiting[seat] = Decision(seat, action, np.isin(np.arange(80), legal))
            time_step = environment.step([action])
        for seat in range(4):
            close(seat, ends=True, now=time_step)
        start = int(Tables(n=1, rules=rules, seed=seed).seeds[0])
        check_episode(decisions, start, Rules.from_text(rules), "deal", reward)


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = dealt(load("australian", dealer=3), np.random.RandomState(1))
    before = str(state)
    with pytest.raises(IllegalActionError, match="seat 0 may not call"):
        state.apply_action(79)
    assert str(state) == before


def test_clones_go_their_own_way() -> None:
    random = np.random.RandomState(1)
    state = dealt(load("australian"), random)
    written = pyspiel.serialize_game_and_state(state.get_game(), state)
    others = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]  # noqa: S301 - our own bytes
    for other in (*others, pyspiel.deserialize_game_and_state(written)[1]):
        assert str(other) == str(state)
        assert other.history() == state.history()
        text, seat = state.information_state_string(0), state.current_player()
        step(other, random)
        assert (state.information_state_string(0), state.current_player()) == (text, seat)


def every_state(state: Any) -> Any:
    """Yield a state and all that follow it."""
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from every_state(state.child(action))


def test_texts_tell_states_apart_as_observations_do() -> None:
    """In two deals that look alike to seat 0 and all that may follow, for the seat to move and for the others."""
    game = load(FIVE, dealer=0)
    texts: dict[tuple[int, str], bytes] = {}
    for deal in ("JS JC JD JH JK", "JS JK JD JH JC"):
        position = Game.from_deal(deal, dealer=0, rules=FIVE, seed=1)
        for call in ("PASS", "PASS", "PASS"):
            position.apply(call)
        for state in every_state(state_at(game, position)):
            for seat in range(4):
                seen = state.table.observe(seat).tobytes()
                assert texts.setdefault((seat, state.information_state_string(seat)), seen) == seen
    assert len({(seat, seen) for (seat, _), seen in texts.items()}) == len(texts)


@pytest.mark.parametrize(("rules", "parameters"), GAMES, ids=IDS)
def test_resampling_keeps_what_a_seat_knows_and_tells_nothing_else(rules: str, parameters: dict[str, Any]) -> None:
    """At random states, for each seat: same text, tensor, mover and legal actions.

    The resampled state knows nothing of the true one: resampled with the same numbers it gives the same sequence
    again, so that the result is a function of what the seat has seen.
    """
    game = load(rules, **parameters)
    random = np.random.RandomState(4)
    others = 0
    for number in range(12):
        state = dealt(game, random)
        while not state.is_terminal():
            if not state.is_chance_node() and random.random_sample() < 0.15:
                for seat in range(4):
                    other = state.resample_from_infostate(seat, Dice(number))
                    assert other.information_state_string(seat) == state.information_state_string(seat)
                    assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
                    assert other.current_player() == state.current_player()
                    if seat == state.current_player():
                        assert other.legal_actions() == state.legal_actions()
                    again = other.resample_from_infostate(seat, Dice(number))
                    assert again.history() == other.history()
                    others += other.history() != state.history()
            step(state, random)
    assert others > 20


def test_resampling_is_uniform() -> None:
    """Before the first call of five cards seat 1 knows its own: 4! = 24 layouts, of which 2,400 draws give 100 each.

    A count scatters by sqrt(2400 / 24 * 23 / 24) = 9.8; 45 is more than four and a half times that.
    """
    state = dealt(load(FIVE, dealer=0), np.random.RandomState(1))
    dice = Dice(3)
    counts = Counter(str(state.resample_from_infostate(1, dice)) for _ in range(2400))
    assert len(counts) == 24
    assert all(abs(count - 100) < 45 for count in counts.values())


def test_states_are_not_resampled_while_cards_are_dealt() -> None:
    with pytest.raises(OrderError, match="still being dealt"):
        load().new_initial_state().resample_from_infostate(0, Dice(1))


# What is exact, on both sides


def bounded(deals: int, seed: int) -> tuple[Any, GameTree]:
    """Return a game with few deals, and the tree of the same deals."""
    seeds = Tables(n=deals, rules=FIVE, seed=seed).seeds
    return load(FIVE, deals=deals, seed=seed), GameTree([Game(FIVE, seed=int(start)) for start in seeds])


def check_agreement(game: Any, tree: GameTree, policy: Any) -> None:
    """Compare values, best responses and gaps of a policy with OpenSpiel's."""
    mine = spiel.tree_reader(game, tree)(policy)
    theirs = exploitability.nash_conv(game, policy, return_only_nash_conv=False)
    np.testing.assert_allclose(tree.gaps(mine), theirs.player_improvements, atol=1e-9)
    assert tree.nash_conv(mine) == pytest.approx(theirs.nash_conv)
    root = game.new_initial_state()
    answer = best_response.BestResponsePolicy(game, 1, policy, root)
    assert tree.best_response(mine, 1).value == pytest.approx(answer.value(root))


def test_exact_best_responses_and_nash_gaps_agree() -> None:
    """For the uniform policy, and for the average policy after 30 iterations of external and of outcome sampling."""
    game, tree = bounded(deals=2, seed=1)
    check_agreement(game, tree, policies.UniformRandomPolicy(game))
    np.random.seed(1)  # noqa: NPY002 - what the solvers draw from
    external = external_sampling.ExternalSamplingSolver(game)
    outcome = outcome_sampling.OutcomeSamplingSolver(game)
    for _ in range(30):
        external.iteration()
        outcome.iteration()
    check_agreement(game, tree, external.average_policy())
    check_agreement(game, tree, outcome.average_policy())


def test_as_many_information_sets_on_both_sides() -> None:
    """What OpenSpiel finds at its decision nodes, by seat, is what the tree has."""
    game, tree = bounded(deals=2, seed=1)
    texts = {
        (state.current_player(), state.information_state_string())
        for state in every_state(game.new_initial_state())
        if state.current_player() >= 0
    }
    counts = Counter(seat for seat, _ in texts)
    assert [counts[seat] for seat in range(4)] == np.bincount(tree.seats, minlength=4).tolist()


def test_a_tree_of_other_rules_is_refused() -> None:
    with pytest.raises(OptionError, match=r"position is one of .*pack=5.* game of .*pack=9"):
        spiel.tree_reader(load(NINE), bounded(deals=1, seed=1)[1])


# Players of the one in the other


def make_ismcts(game: Any, simulations: int) -> Any:
    """Return an agent that searches with OpenSpiel's information set MCTS (the Python one)."""

    def make_bot(random: np.random.RandomState) -> Any:
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        return ismcts.ISMCTSBot(game, evaluator, uct_c=8.0, max_simulations=simulations, random_state=random)

    return spiel.SpielAgent.of_bot(game, make_bot, "ismcts")


def check_legal(agent: Any, rules: str, steps: int) -> None:
    """Play at some tables, `Tables` refusing what is illegal; one decision alone is what it is among others."""
    tables = Tables(n=2, rules=rules, seed=4)
    keys = np.random.default_rng(1)
    for _ in range(steps):
        key = keys.integers(0, 2**64, 2, np.uint64)
        observation, mask = tables.observation.copy(), tables.mask.copy()
        chosen = agent.act(observation, mask, key)
        assert chosen[1] == agent.act(observation[1:], mask[1:], key[1:])[0]
        tables.step(chosen)


@pytest.mark.parametrize("rules", ["australian", "american,pack=46", "casual,pack=17"])
def test_ismcts_plays_every_pack_legally(rules: str) -> None:
    """The Python search, in states resampled from what its seat knows; the one of C++ crashes on games in Python."""
    check_legal(make_ismcts(load(rules), simulations=3), rules, steps=25)


@pytest.mark.parametrize("dealer", [-1, 2])
def test_a_policy_plays_legally_from_any_seat(dealer: int) -> None:
    """Whoever dealt is turned to where the game has its dealer."""
    game = load(FIVE, dealer=dealer)
    check_legal(spiel.SpielAgent.of_policy(game, policies.UniformRandomPolicy(game)), FIVE, steps=40)


def test_a_state_is_laid_out_for_an_observation() -> None:
    """Seat 2 to move with dealer 1 is player 0 with dealer 3: seats are turned by two."""
    position = Game.from_deal("JSJC ASAC JDJH ADAH JK", dealer=1, rules=NINE, seed=1)
    seen = position.observe(2)["observation"]
    state = state_of(load(NINE), seen, key=5)
    assert state.current_player() == 0
    assert state.information_state_string(0) == "seat 0 deal 1 dealer 3 scores 0/0 hand JDJH auction:"
    assert (state.table.observe(0) == seen).all()
    fixed = state_of(load(NINE, dealer=0), seen, key=5)
    assert fixed.current_player() == 1
    assert fixed.information_state_string(1) == "seat 1 deal 1 dealer 0 scores 0/0 hand JDJH auction:"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [({"deals": 3}, "deals=0"), ({"episode": "game"}, "episode='deal'"), ({"rules": "australian"}, "other rules")],
)
def test_what_can_not_be_laid_out_is_refused(parameters: dict[str, Any], words: str) -> None:
    seen = Game(NINE, seed=1).observe(0)["observation"]
    with pytest.raises(OptionError, match=words):
        state_of(load(**{"rules": NINE, **parameters}), seen, key=1)


def test_our_agents_are_bots() -> None:
    """`greedy` against `random` in OpenSpiel's own loop: 40 deals of the full pack, some 500 points a deal."""
    game = load("australian")
    random = np.random.RandomState(1)
    bots = [spiel.AgentBot(load_agent("greedy" if seat % 2 == 0 else "random"), seat, seed=1) for seat in range(4)]
    returns = [evaluate_bots.evaluate_bots(game.new_initial_state(), bots, random) for _ in range(40)]
    assert np.mean(returns, axis=0)[0] > 2.5
    np.testing.assert_allclose(np.sum(returns, axis=1), 0.0, atol=1e-9)


# Learning


@pytest.mark.slow
def test_the_example_learns_and_beats_random(capsys: pytest.CaptureFixture[str]) -> None:
    """MCCFR on all 120 deals of five cards, and ISMCTS on the full game; the gap of the uniform policy is 2.431."""
    learned, searched = runpy.run_path(str(EXAMPLES / "openspiel.py"))["main"]()
    gaps = [float(gap) for gap in re.findall(r"Nash gap ([\d.]+)", capsys.readouterr().out)]
    assert gaps[0] == 2.431
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.35
    for result in (learned, searched):
        assert result.ci95[0] > 0, (result.points_per_deal, result.ci95)

"""What environments refuse, and that refusing changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from five_hundred_env import actions, five_hundred_v0
from five_hundred_env.envs.aec import AGENTS
from five_hundred_env.errors import (
    FiveHundredError,
    IllegalActionError,
    NotationError,
    OptionError,
    OrderError,
    RulesError,
)
from tests.envs.helpers import SIX_SPADES, TEN_TRUMPS, Script, snapshot

FORMS = ["env", "raw_env", "parallel_env"]


@pytest.mark.parametrize(
    "action",
    [
        float("nan"),
        3.0,
        np.float32(0),
        "PASS",
        None,
        True,
        np.bool_(False),
        [0],
        np.array([0]),
        np.array(0.0),
        b"0",
        80,
        -1,
        79,
        2**31,
        2**63,
        -(2**63) - 1,
        2**70,
        np.uint64(2**63),
        np.int64(-1),
        actions.encode("AS"),
        actions.encode("MIS"),
        actions.encode("=-"),
        actions.encode("--"),
    ],
    ids=repr,
)
def test_what_is_no_legal_action_is_refused(action: Any) -> None:
    """Seat 0 opens the auction: it may pass, bid, or call OMIS; nothing else, and no number that is no integer."""
    env = five_hundred_v0.env()
    env.reset(seed=1, options={"dealer": 3})
    before = snapshot(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(action)
    assert snapshot(env) == before
    assert caught.value.seat == 0
    assert "PASS" in caught.value.legal
    assert caught.value.position is not None
    assert caught.value.position in str(caught.value)
    env.step(0)
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("action", [float("nan"), None, "PASS", True, 3.0], ids=repr)
def test_what_is_no_integer_is_an_error_even_where_illegal_actions_lose(action: Any) -> None:
    """A policy can lose by choosing badly; a value that is no choice is a mistake of the caller."""
    env = five_hundred_v0.env(illegal="lose")
    env.reset(seed=1)
    before = snapshot(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert snapshot(env) == before


@pytest.mark.parametrize("action", [80, -1, 2**63, 2**70, np.int64(-1)], ids=repr)
def test_integers_out_of_range_lose(action: Any) -> None:
    env = five_hundred_v0.env(illegal="lose")
    env.reset(seed=1)
    env.step(action)
    assert all(env.terminations.values())


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8, np.uint64, lambda n: np.array(n)])
@pytest.mark.parametrize("form", ["env", "raw_env"])
def test_integers_of_every_library_are_actions(kind: Any, form: str) -> None:
    env = getattr(five_hundred_v0, form)()
    env.reset(seed=1, options={"dealer": 3})
    env.step(kind(actions.encode("6S")))
    assert env.agent_selection == "player_1"
    assert env.last()[0]["action_mask"][actions.encode("6S")] == 0


def test_raw_env_refuses_illegal_actions_too() -> None:
    """`raw_env` trusts its caller with order and type, not with the rules."""
    env = five_hundred_v0.raw_env()
    env.reset(seed=1)
    before = snapshot(env)
    for action in (actions.encode("AS"), 79, 80, -1):
        with pytest.raises(IllegalActionError):
            env.step(action)
    assert snapshot(env) == before


@pytest.mark.parametrize("form", ["env", "raw_env"])
def test_before_reset(form: str) -> None:
    env = getattr(five_hundred_v0, form)()
    for call in (
        lambda: env.step(0),
        env.last,
        lambda: env.observe("player_0"),
        env.state,
        env.agent_iter,
        lambda: five_hundred_v0.env(render_mode="ansi").render(),
    ):
        with pytest.raises(OrderError, match="before reset"):
            call()
    assert not hasattr(env, "rewards")
    env.reset(seed=1)
    assert env.agents == list(AGENTS)


@pytest.mark.parametrize("form", ["env", "raw_env"])
def test_after_the_end(form: str) -> None:
    """Four passes end a deal. Each seat then takes None, and an action is an error; at last nobody is left."""
    env = getattr(five_hundred_v0, form)(episode="deal")
    env.reset(seed=1)
    for _ in range(4):
        env.step(0)
    before = snapshot(env)
    with pytest.raises(OrderError, match="only action is None") as caught:
        env.step(0)
    assert isinstance(caught.value, ValueError)
    assert snapshot(env) == before
    for _ in range(4):
        env.step(None)
    with pytest.raises(OrderError, match="every seat has left"):
        env.step(None)
    assert env.agents == []
    assert list(env.agent_iter()) == []
    assert env.state_space.contains(env.state())
    assert env.observation_space("player_1").contains(env.observe("player_1"))


def test_agent_iter_wants_a_step_each_time() -> None:
    """A loop that forgets to step would run for ever; a fresh one after a break is fine."""
    env = five_hundred_v0.env()
    env.reset(seed=1)
    turns = env.agent_iter()
    assert next(turns) == env.agent_selection
    with pytest.raises(OrderError, match="without step"):
        next(turns)
    for _ in env.agent_iter():
        break
    assert next(iter(env.agent_iter())) == env.agent_selection


def test_parallel_order() -> None:
    env = five_hundred_v0.parallel_env(episode="deal")
    with pytest.raises(OrderError):
        env.step({})
    with pytest.raises(OrderError):
        env.state()
    assert env.mover is None
    env.reset(seed=1)
    for _ in range(4):
        env.step({env.mover: 0})
    assert env.agents == []
    assert env.mover is None
    with pytest.raises(OrderError):
        env.step({"player_0": 0})


def test_parallel_actions() -> None:
    """What idle seats send is ignored, whatever it is; the mover's action is checked, and has to be there."""
    env = five_hundred_v0.parallel_env()
    env.reset(seed=1, options={"dealer": 3})
    nonsense = {"player_1": float("nan"), "player_2": "7H", "player_3": None}
    before = env.state()
    for actions_given in (nonsense, {}, {**nonsense, "player_0": actions.NOOP}, {"player_0": "PASS"}):
        with pytest.raises(IllegalActionError):
            env.step(actions_given)
        assert (env.state() == before).all()
        assert env.mover == "player_0"
    with pytest.raises(OptionError, match="mapping"):
        env.step([0, 0, 0, 0])
    env.step({**nonsense, "player_0": 0})
    assert env.mover == "player_1"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("rules", "bridge", RulesError),
        ("rules", {"pack": "52"}, RulesError),
        ("rules", 500, RulesError),
        ("episode", "match", OptionError),
        ("reward", "score", OptionError),
        ("reward", None, OptionError),
        ("max_deals", 0, OptionError),
        ("max_deals", 1.5, OptionError),
        ("illegal", "ignore", OptionError),
        ("mask_in", "observation", OptionError),
        ("render_mode", "svg", OptionError),
        ("render_mode", "", OptionError),
    ],
)
def test_unknown_arguments(form: str, name: str, value: Any, error: type[Exception]) -> None:
    """The message names what was given."""
    with pytest.raises(error) as caught:
        getattr(five_hundred_v0, form)(**{name: value})
    assert isinstance(caught.value, FiveHundredError)
    assert isinstance(caught.value, ValueError)
    assert str(value) in str(caught.value) or repr(value) in str(caught.value) or "52" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"dealer": 4}, OptionError),
        ({"dealer": -1}, OptionError),
        ({"dealer": "1"}, OptionError),
        ({"dealer": True}, OptionError),
        ({"scores": (5, 0)}, OptionError),
        ({"scores": (0, -500)}, OptionError),
        ({"scores": 7}, OptionError),
        ({"scores": (0, 0, 0)}, OptionError),
        ({"scores": (0.0, 0)}, OptionError),
        ({"deal": "AS KS QS JS TS"}, NotationError),
        ({"deal": TEN_TRUMPS.replace("5S", "6S")}, NotationError),
        ({"deal": TEN_TRUMPS.replace("5S", "4S")}, NotationError),
        ({"deal": TEN_TRUMPS[:-2]}, NotationError),
        ({"deal": TEN_TRUMPS, "dealer": 9}, OptionError),
        ({"deal": 7}, NotationError),
        ([("dealer", 1)], OptionError),
    ],
    ids=repr,
)
@pytest.mark.parametrize("form", FORMS)
def test_options_that_are_refused_change_nothing(form: str, options: Any, error: type[Exception]) -> None:
    """Before the first reset it stays unreset; in a game the game goes on."""
    env = getattr(five_hundred_v0, form)()
    with pytest.raises(error):
        env.reset(seed=1, options=options)
    with pytest.raises(OrderError):
        env.state()
    env.reset(seed=2)
    before = env.state()
    with pytest.raises(error):
        env.reset(seed=1, options=options)
    assert (env.state() == before).all()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "7", True], ids=repr)
@pytest.mark.parametrize("form", FORMS)
def test_seeds_that_are_refused(form: str, seed: Any) -> None:
    env = getattr(five_hundred_v0, form)()
    env.reset(seed=2)
    before = env.state()
    with pytest.raises(OptionError, match="seed"):
        env.reset(seed=seed)
    assert (env.state() == before).all()


def test_other_options_are_ignored() -> None:
    env = five_hundred_v0.env()
    env.reset(seed=3)
    before = env.state()
    env.reset(seed=3, options={"options": 1, "difficulty": "hard"})
    assert (env.state() == before).all()


def test_observe_of_nobody() -> None:
    env = five_hundred_v0.env()
    env.reset(seed=1)
    with pytest.raises(OptionError, match="player_4"):
        env.observe("player_4")


def test_a_refused_step_in_the_play_leaves_the_environment_bit_for_bit() -> None:
    """6S by seat 0: at each turn every seventh illegal id is tried."""
    env = five_hundred_v0.env(episode="deal", reward="tricks")
    env.reset(options={"deal": TEN_TRUMPS, "dealer": 3})
    choose = Script(SIX_SPADES)
    tried = 0
    while env.is_playing:
        mask = env.last()[0]["action_mask"]
        before = snapshot(env)
        for action in np.flatnonzero(mask == 0).tolist()[::7]:
            with pytest.raises(IllegalActionError):
                env.step(action)
            tried += 1
        assert snapshot(env) == before
        env.step(choose(mask))
    assert tried > 400

"""What holds for every built-in agent: legal actions, the same ones however decisions are batched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from five_hundred_env import Game, Rules
from five_hundred_env.agents import BUILT_IN, KernelAgent, load_agent
from five_hundred_env.agents.base import read_position
from five_hundred_env.agents.builtin import CODES, decide
from five_hundred_env.core._jit import COMPILED
from five_hundred_env.core.constants import NOOP
from five_hundred_env.core.state import N_COLUMNS
from five_hundred_env.errors import OptionError
from tests.agents.helpers import OPTION_SETS, ask, draw_keys, positions
from tests.rules.helpers import SUITED, fill, start

NAMES = list(BUILT_IN)
STEPS = 150 if COMPILED else 40


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda options: ",".join(map(str, options.values())) or "default")
def test_actions_are_legal_under_every_rule(name: str, options: dict[str, Any]) -> None:
    """`Tables.step` refuses an illegal action too; here the mask itself is asked."""
    agent = load_agent(name)
    for observation, mask, keys in positions(Rules(**options), agent, steps=STEPS):
        actions = agent.act(observation, mask, keys)
        assert mask[np.arange(len(keys)), actions].all()


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_depends_on_its_own_row_alone(name: str) -> None:
    """One call for sixteen rows, sixteen calls for one, and the rows in another order agree, twice over."""
    agent = load_agent(name)
    for observation, mask, keys in positions(Rules(), agent, steps=60 if COMPILED else 10, seed=2):
        together = agent.act(observation, mask, keys)
        single = [agent.act(observation[n : n + 1], mask[n : n + 1], keys[n : n + 1])[0] for n in range(len(keys))]
        order = np.random.default_rng(3).permutation(len(keys))
        assert together.tolist() == single
        assert agent.act(observation[order], mask[order], keys[order]).tolist() == together[order].tolist()
        assert agent.act(observation, mask, keys).tolist() == together.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_says_what_the_agent_says(name: str) -> None:
    agent = load_agent(name)
    assert isinstance(agent, KernelAgent)
    view = np.zeros(N_COLUMNS, np.int64)
    for observation, mask, keys in positions(Rules(pack="46"), agent, steps=60 if COMPILED else 10, seed=4):
        actions = agent.act(observation, mask, keys)
        for n in range(len(keys)):
            legal = read_position(observation[n], mask[n], view)
            key = int(keys.view(np.int64)[n])
            assert agent.decide(view, legal, key) == actions[n]
            assert decide(CODES[name], view, legal, key) == actions[n]


def test_every_built_in_agent_has_a_code() -> None:
    assert set(CODES) == set(BUILT_IN)


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_that_is_not_to_move_gets_the_idle_action(name: str) -> None:
    """With an empty mask (AEC) as well as with the idle seat's mask of the parallel form."""
    game = Game(seed=1)
    assert game.seat is not None
    observation = game.observe((game.seat + 1) % 4)["observation"][None]
    masks = np.zeros((2, 80), np.int8)
    masks[1, NOOP] = 1
    actions = load_agent(name).act(np.repeat(observation, 2, 0), masks, np.zeros(2, np.uint64))
    assert actions.tolist() == [NOOP, NOOP]


@pytest.mark.parametrize("name", NAMES)
def test_wrong_shapes_are_refused(name: str) -> None:
    game = Game(seed=1)
    seen = game.observe(game.seat or 0)
    with pytest.raises(OptionError, match=r"observations \[B, "):
        load_agent(name).act(seen["observation"], seen["action_mask"][None], np.zeros(1, np.uint64))
    with pytest.raises(OptionError, match=r"keys \[B\]"):
        load_agent(name).act(seen["observation"][None], seen["action_mask"][None], np.zeros(2, np.uint64))


def test_arrays_that_may_not_be_written_are_taken() -> None:
    game = Game(seed=1)
    seen = game.observe(game.seat or 0)
    arrays = [seen["observation"][None].copy(), seen["action_mask"][None].copy(), np.zeros(1, np.uint64)]
    expected = load_agent("rule").act(arrays[0], arrays[1], arrays[2])
    for array in arrays:
        array.flags.writeable = False
    assert load_agent("rule").act(arrays[0], arrays[1], arrays[2]).tolist() == expected.tolist()


def test_random_is_uniform_over_the_mask() -> None:
    """An opening seat has 27 calls without a misère (PASS, 25 bids, OMIS): 27,000 keys give 1,000 each.

    A binomial count scatters by 31; 150 is almost five times that.
    """
    game = Game(seed=1)
    seen = game.observe(game.seat or 0)
    count = 27_000
    keys = draw_keys(np.random.default_rng(5), count)
    observation, mask = (np.repeat(seen[name][None], count, 0) for name in ("observation", "action_mask"))
    counts = np.bincount(load_agent("random").act(observation, mask, keys), minlength=80)
    assert (counts > 0).tolist() == (seen["action_mask"] != 0).tolist()
    assert np.abs(counts[counts > 0] - 1000).max() < 150


def test_random_is_this_function_of_the_key() -> None:
    """Key k of 2**64 takes legal action number floor(27 k / 2**64): the first, the fourteenth and the last of 27.

    Legal are PASS, 1 to 25 and OMIS, 27; half of 2**64 gives number 13, which is action 13.
    """
    game = Game(seed=1)
    seen = game.observe(game.seat or 0)
    keys = np.array([0, 2**63, 2**64 - 1], np.uint64)
    observation, mask = (np.repeat(seen[name][None], 3, 0) for name in ("observation", "action_mask"))
    assert load_agent("random").act(observation, mask, keys).tolist() == [0, 13, 27]


def test_passer_passes_with_the_best_of_hands() -> None:
    """Ten spades: everyone else would bid."""
    assert ask("passer", start(SUITED)) == "PASS"


def test_the_misere_spammer_bids_what_misere_it_may() -> None:
    """MIS needs a seven (R3.3); without one it opens with OMIS (R3.4), over OMIS it passes."""
    assert ask("misere_spammer", start(SUITED)) == "OMIS"
    assert ask("misere_spammer", start(SUITED, "7H")) == "MIS"
    assert ask("misere_spammer", start(SUITED, "OMIS")) == "PASS"


def test_the_overbidder_bids_one_level_more_than_rule() -> None:
    """`rule` opens this hand with 7H (worked out in `test_rule`)."""
    game = start(fill("JHJDKHQH9H7HAS5C6D8D"))
    assert (ask("rule", game), ask("overbidder", game)) == ("7H", "8H")

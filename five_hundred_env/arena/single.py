"""One game between agents at a single table, as a `Game` that can be shown or recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from five_hundred_env import notation
from five_hundred_env.arena.boards import MAX_DECISIONS
from five_hundred_env.arena.entrants import FAILED, AgentSpec, Entrant
from five_hundred_env.core.constants import MAX_DEALS, SEATS
from five_hundred_env.core.philox import decision_key
from five_hundred_env.core.rules import Rules
from five_hundred_env.errors import AgentError, OptionError
from five_hundred_env.game import Game
from five_hundred_env.tables import check_count


def play_game(
    agents: Sequence[AgentSpec],
    seed: int = 1,
    rules: Rules | str | dict[str, Any] = "australian",
    max_deals: int = 100,
) -> Game:
    """Play a game and return it at its end, with its whole history.

    Args:
        agents: Two, who sit at seats 0 and 2, and 1 and 3; or one for each seat.
        seed: Where deals and keys come from.
        rules: The rules.
        max_deals: Deals after which the game is broken off.

    Raises:
        AgentError: There is no such agent, or one failed to answer with a legal action.
        OptionError: A number is out of range.
        RulesError: The rules are unknown.
    """
    if len(agents) not in (SEATS // 2, SEATS):
        raise OptionError(f"a game has two agents, one a side, or four, not {len(agents)}")
    entrants = [Entrant(agents[seat % len(agents)]) for seat in range(SEATS)]
    check_count(max_deals, "max_deals", "deals", MAX_DEALS)
    game = Game(rules, seed)
    while True:
        _play_deal(game, entrants, notation.signed(seed))
        if game.is_over or game.deal_number >= max_deals:
            return game
        game.next_deal()


def _play_deal(game: Game, entrants: Sequence[Entrant], seed: int) -> None:
    """Play a deal to its end."""
    made = 0
    while (seat := game.seat) is not None:
        legal = game.legal_actions()
        action = int(legal[0])
        if len(legal) > 1:
            seen = game.observe(seat)
            key = decision_key(seed, 0, game.deal_number * MAX_DECISIONS + made)
            keys = np.array([key], np.int64).view(np.uint64)
            action = int(entrants[seat].answer(seen["observation"][None], seen["action_mask"][None], keys)[0])
            if action == FAILED:
                faults = ", ".join(entrants[seat].conduct.faults)
                raise AgentError(
                    f"agent {entrants[seat].identity.name} at seat {seat} failed ({faults}) in {game.to_text()}"
                )
        game.apply(action)
        made += 1

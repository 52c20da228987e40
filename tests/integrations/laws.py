"""What every adapter has to get right, checked against a replay in `Game`, which knows no library.

A test records what the adapter hands to its learner, one `Decision` for each transition, and names the seed of the
episode. The replay asks `Game` whose turn it is and takes that seat's next decision, so decisions of different seats
may come in any order; those of one seat must be in the order of play. A seat that does not learn is recorded with
``reward=None``, and its rewards are not looked at.

Random bids lose a game in a deal or two; play by `careful_action`, so that games have deals between which a reward can
be misplaced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from five_hundred_env import Game, Rules, actions

TOLERANCE = 1e-5  # rewards pass through float32


@dataclass(frozen=True)
class Decision:
    """One transition as a learner gets it.

    Attributes:
        seat: Who acted, 0 to 3.
        action: Action id.
        mask: `[A]` legal actions that the decision was taken under, of any number type; None where it is not known.
        reward: What the transition says that it brought; None for a seat that does not learn.
        ends: Whether the transition says that its seat's episode ends with it; None where it is not known.
    """

    seat: int
    action: int
    mask: Any = None
    reward: float | None = None
    ends: bool | None = None


@dataclass
class Due:
    """What a decision should have brought: its seat's rewards up to its next one, and whether it was the last.

    Attributes:
        decision: As it was recorded.
        place: Its number in the order of play, from 0.
        reward: What was due.
        ends: Whether its seat had none after it.
    """

    decision: Decision
    place: int
    reward: float = 0.0
    ends: bool = False


def careful_action(mask: Any, generator: np.random.Generator) -> int:
    """Return a legal action: a pass four times out of five and else the lowest bid, outside the auction any card."""
    legal = np.flatnonzero(np.asarray(mask))
    if legal[0] == actions.encode("PASS") and len(legal) > 1:
        return int(legal[0] if generator.random() < 0.8 else legal[1])
    return int(generator.choice(legal))


def check_episode(
    decisions: Iterable[Decision],
    seed: int,
    rules: Rules | str = "australian",
    episode: str = "game",
    reward: str = "points",
    max_deals: int = 100,
) -> list[Due]:
    """Assert that an episode is whole and legal, with each reward on its seat's own last decision.

    Args:
        decisions: Every decision of the episode.
        seed: Of the episode, as `reset` was given it.
        rules: Of the table.
        episode: ``"game"`` or ``"deal"``.
        reward: ``"points"`` or ``"win"``.
        max_deals: Deals after which a game is cut.

    Returns:
        What was due, in the order of play.
    """
    due = replay(decisions, seed, rules, episode, reward, max_deals)
    for entry in due:
        said, where = entry.decision, f"decision {entry.place}, seat {entry.decision.seat}"
        if said.reward is not None:
            assert abs(said.reward - entry.reward) < TOLERANCE, (
                f"{where}: the transition says reward {said.reward}, due are {entry.reward}"
            )
        if said.ends is not None:
            assert bool(said.ends) == entry.ends, f"{where}: the transition says end {said.ends}, not {entry.ends}"
    for seat in range(4):
        paid = [entry for entry in due if entry.decision.seat == seat and entry.decision.reward is not None]
        total = sum(entry.decision.reward or 0.0 for entry in paid)
        assert abs(total - sum(entry.reward for entry in paid)) < TOLERANCE * max(1, len(paid))
    return due


def replay(
    decisions: Iterable[Decision], seed: int, rules: Rules | str, episode: str, reward: str, max_deals: int
) -> list[Due]:
    """Play the decisions in `Game`, assert that each is legal under the right mask, and return what was due."""
    waiting: dict[int, deque[Decision]] = {seat: deque() for seat in range(4)}
    for decision in decisions:
        waiting[int(decision.seat)].append(decision)
    game = Game(Rules.profile(rules) if isinstance(rules, str) else rules, seed=seed)
    due: list[Due] = []
    last: dict[int, Due] = {}
    deals = 0
    while True:
        while game.phase != "over":
            _play_one(game, waiting, due, last)
        deals += 1
        over = episode == "deal" or game.is_over or deals == max_deals
        for seat in range(4):
            gain = _gain(game, seat, episode, reward)
            assert gain == 0 or seat in last, f"seat {seat} is paid {gain} before its first decision"
            if seat in last:
                last[seat].reward += gain
                last[seat].ends = over
        if over:
            break
        game.next_deal()
    left = {seat: len(queue) for seat, queue in waiting.items() if queue}
    assert not left, f"the episode is over after {len(due)} decisions, but more were recorded, by seat: {left}"
    return due


def _play_one(game: Game, waiting: dict[int, deque[Decision]], due: list[Due], last: dict[int, Due]) -> None:
    """Play the decision of the seat to move."""
    seat = game.seat
    assert seat is not None
    assert waiting[seat], f"decision {len(due)}: seat {seat} is to move in {game.to_text()}, but nothing was recorded"
    decision = waiting[seat].popleft()
    legal = game.legal_actions().tolist()
    assert decision.action in legal, f"decision {len(due)}: seat {seat} did {decision.action}, legal were {legal}"
    if decision.mask is not None:
        assert np.flatnonzero(np.asarray(decision.mask)).tolist() == legal, f"decision {len(due)}: another mask"
    game.apply(int(decision.action))
    last[seat] = Due(decision, len(due))
    due.append(last[seat])


def _gain(game: Game, seat: int, episode: str, reward: str) -> float:
    """Return what the deal that is over brings a seat."""
    result = game.deal_result
    assert result is not None
    own, other = result.points[seat % 2], result.points[1 - seat % 2]
    if reward == "points":
        return (own - other) / 100
    assert reward == "win", f"no law for reward {reward!r}"
    if episode == "deal":
        return float((own > other) - (own < other))
    return 0.0 if game.winner is None else 1.0 if game.winner == seat % 2 else -1.0


def check_beats_random(agent: Any, boards: int = 200, seed: int = 1, by: float = 0) -> float:
    """Assert that an agent beats `random` on duplicate boards, the 95 % interval above `by`; return points a deal.

    An untrained policy that samples plays about as `random` does: a hundred points more are learned.
    """
    from five_hundred_env.arena import play_match

    result = play_match(agent, "random", boards=boards, seed=seed)
    assert result.ci95[0] > by, f"{result.points_per_deal:+.1f} points a deal, 95 % interval {result.ci95}"
    return float(result.points_per_deal)

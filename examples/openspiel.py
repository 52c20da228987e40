"""Learn with OpenSpiel: MCCFR on the smallest pack until its Nash gap is small, and ISMCTS on the full game."""

import time
from typing import Any

import numpy as np
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts

from five_hundred_env.arena import MatchResult, play_match
from five_hundred_env.integrations.openspiel import SpielAgent, load, tree_reader
from five_hundred_env.search import GameTree, all_deals

RULES = "australian,pack=5,auction=one_round,joker_no_trumps=free,open_misere_rank=none"
"""One card a hand, and each seat calls once: 120 deals, 210,144 positions, 40,088 information sets."""


class Solver(external_sampling_mccfr.ExternalSamplingSolver):
    """External sampling MCCFR that counts the decisions it visits."""

    decisions = 0

    def _lookup_infostate_info(self, info_state_key: str, num_legal_actions: int) -> Any:
        self.decisions += 1
        return super()._lookup_infostate_info(info_state_key, num_legal_actions)


def learn(rounds: int = 4, iterations: int = 150) -> SpielAgent:
    """Run MCCFR and print how far its average policy is from an equilibrium, the exact gaps of all seats summed up."""
    game = load(RULES, dealer=3)
    tree = GameTree(all_deals(RULES))
    read = tree_reader(game, tree)
    print(f"  no iterations: Nash gap {tree.nash_conv(tree.uniform()):.3f}")
    np.random.seed(1)  # noqa: NPY002 - what the solver draws from
    solver = Solver(game)
    seconds = 0.0
    for done in range(iterations, iterations * rounds + 1, iterations):
        start = time.perf_counter()
        for _ in range(iterations):
            solver.iteration()
        seconds += time.perf_counter() - start
        print(f"{done:4d} iterations: Nash gap {tree.nash_conv(read(solver.average_policy())):.3f}")
    print(f"{solver.decisions / seconds:,.0f} decisions a second while learning")
    return SpielAgent.of_policy(game, solver.average_policy(), "mccfr")


def search(simulations: int = 20) -> SpielAgent:
    """Return information set MCTS on the full game; of OpenSpiel's two the one in Python, the other crashes."""
    game = load("australian")

    def make_searcher(random: np.random.RandomState) -> ismcts.ISMCTSBot:
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        return ismcts.ISMCTSBot(game, evaluator, uct_c=8.0, max_simulations=simulations, random_state=random)

    return SpielAgent.of_bot(game, make_searcher, "ismcts")


def compete(agent: SpielAgent, boards: int) -> MatchResult:
    """Play the arena against `random` under the agent's rules, and print the figure."""
    result = play_match(agent, "random", boards=boards, seed=1, rules=agent.game.setup.rules)
    low, high = result.ci95
    print(f"{agent.name} against random: {result.points_per_deal:+.1f} points a deal, 95 % [{low:+.1f}, {high:+.1f}]")
    return result


def main() -> tuple[MatchResult, MatchResult]:
    """Learn, search, and return what both are worth against `random`."""
    return compete(learn(), boards=500), compete(search(), boards=5)


if __name__ == "__main__":
    main()

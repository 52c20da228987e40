"""Write an agent of your own and play it in a duplicate match against a built-in one."""

import numpy as np
import numpy.typing as npt

from five_hundred_env.agents import View
from five_hundred_env.arena import play_match


class Careful:
    """Bids six of its longest suit with five cards of it or more, otherwise passes; plays its first legal card."""

    name = "careful"

    def act(
        self, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], keys: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Choose an action for each position of a batch; this agent leaves nothing to chance."""
        del keys
        return np.array([self.choose(o, m) for o, m in zip(observation, mask, strict=True)], np.int64)

    def choose(self, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]) -> int:
        """Choose an action for one position."""
        view = View.from_observation(observation, mask)
        legal = np.flatnonzero(mask)
        if view.phase == "auction":
            suits = "".join(card[1] for card in view.hand if card not in ("JK", "J2"))
            longest = max("SCDH", key=suits.count)
            bid = 1 + "SCDH".index(longest)  # ids 1 to 4 are 6S 6C 6D 6H
            return bid if suits.count(longest) >= 5 and mask[bid] else 0
        return int(legal[0])


def main(boards: int = 100) -> float:
    """Play the match and return points a deal against `passer`."""
    result = play_match(Careful(), "passer", boards=boards, seed=1)
    print(f"careful against passer: {result.points_per_deal:+.1f} points a deal, 95 % interval {result.ci95}")
    return result.points_per_deal


if __name__ == "__main__":
    main()

"""A floor under the entropy of a policy: a bonus that grows while the entropy is below, and goes away above.

The bonus is the multiplier of the constraint that the entropy be at least the floor: after each iteration it rises by
`rate` times what was missing, in nats, and falls by as much as there was too much, never below nothing.

Source: Haarnoja et al., "Soft actor-critic algorithms and applications", 2018, section 5 (for an equal sign).
"""

from __future__ import annotations

from five_hundred_env.errors import CheckpointError, OptionError


class EntropyFloors:
    """Floors for several kinds of decisions.

    Attributes:
        bonus: By kind, the factor of the entropy in what is maximised, beside the one that is always there.
    """

    def __init__(self, rate: float, **floors: float) -> None:
        """Begin without a bonus.

        Args:
            rate: How fast the bonus changes, for each nat and iteration.
            **floors: By kind, nats; 0 for none.

        Raises:
            OptionError: A floor or the rate is negative.
        """
        for name, value in (
            ("floor_rate", rate),
            *((f"{kind}_entropy_floor", floor) for kind, floor in floors.items()),
        ):
            if value < 0:
                raise OptionError(f"{name} is at least 0, not {value}")
        self.rate = rate
        self.floors = {kind: floor for kind, floor in floors.items() if floor > 0}
        self.bonus = dict.fromkeys(self.floors, 0.0)

    def change(self, kind: str, entropy: float | None) -> None:
        """Bring the bonus of a kind nearer to what it has to be.

        Args:
            kind: Which decisions.
            entropy: Their mean entropy in an iteration, nats; None where there were none.
        """
        if kind in self.floors and entropy is not None:
            self.bonus[kind] = max(0.0, self.bonus[kind] + self.rate * (self.floors[kind] - entropy))

    def load(self, bonus: dict[str, float]) -> None:
        """Go on with a bonus of a run that was saved.

        Raises:
            CheckpointError: It is that of other kinds.
        """
        if bonus.keys() != self.floors.keys():
            raise CheckpointError(f"entropy floors of {sorted(bonus)} were saved, not of {sorted(self.floors)}")
        self.bonus = dict(bonus)

"""The exceptions of the package, in one tree.

::

    FiveHundredError
    ├── IllegalActionError   an action that the rules forbid in this position   (ValueError)
    ├── OrderError           a call at the wrong time: before reset, after the end (RuntimeError)
    ├── NotationError        text that names no card, call, deal or position    (ValueError)
    ├── RulesError           an unknown or contradictory option of the rules    (ValueError)
    ├── OptionError          an argument of an environment, a batch or a command (ValueError)
    ├── RecordError          a game record that is cut, foreign or false        (ValueError)
    ├── CheckpointError      a network file of another version, cut, or none    (ValueError)
    ├── AgentError           an agent that cannot be found or misbehaves        (RuntimeError)
    └── MissingExtraError    an optional library that is not installed          (ImportError)

Every message says who, what, which rule, where (as text that can be pasted) and what would be right.
"""

from __future__ import annotations

from collections.abc import Sequence


class FiveHundredError(Exception):
    """Base of all exceptions that this package raises on purpose."""


class IllegalActionError(FiveHundredError, ValueError):
    """An action that the rules forbid; the position is unchanged.

    Attributes:
        seat: The seat to move, or None when no seat is.
        action: What was asked for, in notation where it has one.
        rule: Id of the rule that forbids it, for example ``"R6.2"``.
        position: The position as text, to be pasted into ``Game.from_text``.
        legal: The legal actions in notation.
    """

    def __init__(
        self,
        message: str,
        *,
        seat: int | None = None,
        action: str | None = None,
        rule: str | None = None,
        position: str | None = None,
        legal: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.seat = seat
        self.action = action
        self.rule = rule
        self.position = position
        self.legal = tuple(legal)


class OrderError(FiveHundredError, RuntimeError):
    """A call at the wrong time: a step before reset or after the end."""


class NotationError(FiveHundredError, ValueError):
    """Text that names no card, call, suit, deal or position."""


class RulesError(FiveHundredError, ValueError):
    """An unknown or contradictory option of the rules."""


class OptionError(FiveHundredError, ValueError):
    """An argument out of its range: reward, episode, render mode, seed, batch size."""


class RecordError(FiveHundredError, ValueError):
    """A game record that is cut short, of another version, or holds an illegal action."""


class CheckpointError(FiveHundredError, ValueError):
    """A network file of another version, cut short, or no network file at all."""


class AgentError(FiveHundredError, RuntimeError):
    """An agent that cannot be found, or that answered with something that is no action."""


class MissingExtraError(FiveHundredError, ImportError):
    """A library that belongs to an extra which is not installed."""

"""What the functions of this package are given."""

from __future__ import annotations

from five_hundred_env.core.cards import Row
from five_hundred_env.errors import OptionError
from five_hundred_env.game import Game


def game_row(name: str, game: Game) -> Row:
    """Return a copy of the state row of a game.

    Raises:
        OptionError: It is no `Game`; the text begins with the name of the function that was called.
    """
    if not isinstance(game, Game):
        raise OptionError(f"{name}: game is a Game, not {type(game).__name__}")
    return game.row

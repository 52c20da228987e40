"""Draw the pictures of the table that the documentation shows: `python docs/make_images.py [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from five_hundred_env import Game
from five_hundred_env.render import render_image

DEAL = (
    "JKJHJDAHKHQHAS5S9CTD "  # seat 0
    "ACKCQCJCTCKSQS6H7H4D "  # seat 1
    "JSTS9STH9H8H5C6CADKD "  # seat 2
    "8S7S6S4H5H7C8CQD9D8D "  # seat 3
    "5D6D7D"  # kitty
)
AUCTION = ("6H", "7C", "PASS", "PASS", "8H", "PASS")
DISCARDS = ("9C", "TD", "5D")
TRICKS = "JH 7H 9H 4H  QH 6H 8H 5H  AS QS JS 7S  5S KS TS 6S  4D KD 8D"
OPEN_MISERE = (
    "PASS",
    "PASS",
    "PASS",
    "OMIS",
    "5D",
    "6D",
    "7D",
    "=-",
    "8D",
    "TD",
    "KD",
    "5C",
    "8C",
    "9C",
    "5S",
    "JS",
    "8S",
    "TH",
    "5H",
)

PICTURES = {
    "table.png": ((*AUCTION, *DISCARDS, *TRICKS.split()), 0),
    "table_auction.png": (AUCTION[:5], 1),
    "table_open_misere.png": (OPEN_MISERE, 0),
}
"""File, actions from the deal, and the seat that looks; None opens every card."""


def main(folder: Path) -> None:
    """Draw every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (actions, seat) in PICTURES.items():
        game = Game.from_deal(DEAL, dealer=3, scores=(260, -40), seed=1)
        for action in actions:
            game.apply(action)
        Image.fromarray(render_image(game, seat)).save(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "images")

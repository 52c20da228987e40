"""Records of whole games as JSON lines, written from a `Game` and checked action by action when read.

A file holds any number of games, one after the other. A game is a line of type `game` (format, versions, rules, seed,
who sat where), a line of type `deal` for each deal (cards, dealer, totals before it, every action in notation, the
result), and a line of type `end` (winner, number of deals, totals). What is read has been replayed under the rules:
a record that reads at all is a game that could have been played. Nothing in a file is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.constants import SEATS, VERSION
from five_hundred_env.core.rules import Rules
from five_hundred_env.errors import FiveHundredError, MissingExtraError, OptionError, RecordError
from five_hundred_env.game import DealResult, Game, PlayedDeal

try:
    import msgspec
except ImportError as missing:
    raise MissingExtraError("records need msgspec: pip install 'five_hundred_env[arena]'") from missing

FORMAT = "five_hundred.record"
FORMAT_VERSION = 1

Target = str | Path | IO[str]
S = TypeVar("S", bound=msgspec.Struct)


class GameLine(msgspec.Struct, tag="game", forbid_unknown_fields=True):
    """The first line of a game."""

    format: str
    version: int
    environment: int
    rules: dict[str, str | int]
    seed: int
    agents: list[str] | None = None


class ResultField(msgspec.Struct, forbid_unknown_fields=True):
    """How a deal ended, as `DealResult`."""

    contract: str | None
    contractor: int | None
    made: bool | None
    tricks: tuple[int, int]
    points: tuple[int, int]


class DealLine(msgspec.Struct, tag="deal", forbid_unknown_fields=True):
    """One deal; the result is null when the game was broken off in it."""

    deal: str
    dealer: int
    scores: tuple[int, int]
    actions: list[str]
    result: ResultField | None


class EndLine(msgspec.Struct, tag="end", forbid_unknown_fields=True):
    """The last line of a game."""

    winner: int | None
    deals: int
    scores: tuple[int, int]


_LINES: dict[str, type[GameLine] | type[DealLine] | type[EndLine]] = {
    "game": GameLine,
    "deal": DealLine,
    "end": EndLine,
}


@dataclass(frozen=True)
class Record:
    """A game that was read from a file and replayed.

    Attributes:
        game: The game at its end, with its whole history.
        agents: Who sat at seats 0 to 3, None when the file does not say.
        line: The line of the file where it begins, from 1.
    """

    game: Game
    agents: tuple[str, ...] | None
    line: int

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.game.rules

    @property
    def deals(self) -> list[PlayedDeal]:
        """The deals, each with its actions and its result."""
        return self.game.history

    def at_deal(self, number: int) -> Game:
        """Return the game as it stood at the end of a deal.

        Args:
            number: From 1.

        Raises:
            OptionError: The game has no such deal.
        """
        deals = self.deals
        if not 1 <= number <= len(deals):
            raise OptionError(f"the game has deals 1 to {len(deals)}, not {number}")
        played = deals[number - 1]
        game = Game.from_deal(played.deal, played.dealer, played.scores, self.rules, self.game.seed)
        for action in played.actions:
            game.apply(action)
        return game


def write_record(file: Target, game: Game, agents: Sequence[str] | None = None) -> None:
    """Write a game, finished or not, behind whatever a file holds.

    Args:
        file: A path, which is appended to, or an open text file.
        game: The game; it has to have begun with a first deal, `Game.from_text` knows no earlier ones.
        agents: Who sat at seats 0 to 3.

    Raises:
        OptionError: `agents` are not four names.
        RecordError: The game was read from a position in the middle of a game.
    """
    lines = "".join(line + "\n" for line in format_record(game, agents))
    opened = Path(file).open("a", encoding="utf-8") if isinstance(file, str | Path) else nullcontext(file)  # noqa: SIM115
    with opened as stream:
        stream.write(lines)


def format_record(game: Game, agents: Sequence[str] | None = None) -> Iterator[str]:
    """Yield the lines of a game's record; arguments and errors as for `write_record`."""
    history = game.history
    if game.deal_number != len(history):
        raise RecordError(
            f"this game stands in deal {game.deal_number} but knows only {len(history)} of its deals; "
            "record a game from its first deal on"
        )
    if agents is not None and (len(agents) != SEATS or not all(isinstance(name, str) for name in agents)):
        raise OptionError(f"agents of a record are the names at seats 0 to {SEATS - 1}, not {agents!r}")
    names = None if agents is None else list(agents)
    head = GameLine(FORMAT, FORMAT_VERSION, VERSION, game.rules.to_dict(), game.seed, names)
    lines: list[msgspec.Struct] = [head]
    for played in history:
        result = None if played.result is None else ResultField(**dict(played.result))
        actions = [ACTION_NAMES[action] for action in played.actions]
        lines.append(DealLine(played.deal, played.dealer, played.scores, actions, result))
    lines.append(EndLine(game.winner, len(history), game.scores))
    for line in lines:
        yield msgspec.json.encode(line).decode()


def read_records(file: Target) -> Iterator[Record]:
    """Read games one after the other, each replayed under its rules.

    Args:
        file: A path, or an open text file.

    Raises:
        RecordError: A line is no JSON, has a wrong type or an unknown field, is of another version, or holds an illegal
            action, a false result or total; or the file ends within a game. The message names file, line, deal and
            action.
    """
    if isinstance(file, str | Path):
        name = str(file)
        try:
            opened: Any = Path(file).open("rb")  # noqa: SIM115
        except OSError as error:
            raise RecordError(f"{name} can not be read: {error.strerror}") from None
    else:
        name = str(getattr(file, "name", "<stream>"))
        opened = nullcontext(file)
    with opened as stream:
        yield from _Reader(name).games(stream)


class _Reader:
    """Reads the lines of one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0

    def games(self, stream: Any) -> Iterator[Record]:
        lines = self._lines(stream)
        for kind, line in lines:
            if kind != "game":
                raise self.error(f"a game begins with a line of type game, not {kind}")
            yield self._game(line, lines)

    def _lines(self, stream: Any) -> Iterator[tuple[str, bytes]]:
        """Yield type and bytes of each line that is not blank."""
        for line in stream:
            self.number += 1
            data = line.encode() if isinstance(line, str) else line
            if not data.strip():
                continue
            try:
                entry = msgspec.json.decode(data)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                cut = "" if data.endswith(b"\n") else "; the file is cut there"
                raise self.error(f"this is no JSON ({error}){cut}") from None
            kind = entry.get("type") if isinstance(entry, dict) else None
            if kind not in _LINES:
                raise self.error(f"a line has a type, {', '.join(_LINES)}, not {kind!r}")
            if kind == "game":
                self._check_version(entry)
            yield kind, data

    def _check_version(self, entry: dict[str, Any]) -> None:
        """Refuse records of another format or version before their fields are looked at."""
        expected = {"format": FORMAT, "version": FORMAT_VERSION, "environment": VERSION}
        for field, value in expected.items():
            if entry.get(field) != value or isinstance(entry[field], bool):
                raise self.error(f"its {field} is {entry.get(field)!r}; this package reads {field} {value!r}")

    def _decode(self, data: bytes, kind: type[S]) -> S:
        """Return a line as a checked structure."""
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError as error:
            raise self.error(str(error)) from None

    def _game(self, line: bytes, lines: Iterator[tuple[str, bytes]]) -> Record:
        """Read and replay one game."""
        begun = self.number
        head = self._decode(line, GameLine)
        if head.agents is not None and len(head.agents) != SEATS:
            raise self.error(f"agents are {SEATS} names, not {len(head.agents)}")
        try:
            rules = Rules.from_dict(head.rules)
            Game(rules, head.seed)
        except FiveHundredError as error:
            raise self.error(str(error)) from None
        game: Game | None = None
        for kind, data in lines:
            if kind == "deal":
                game = self._deal(self._decode(data, DealLine), game, rules, head.seed)
            elif kind == "end" and game is not None:
                self._end(self._decode(data, EndLine), game)
                return Record(game, None if head.agents is None else tuple(head.agents), begun)
            else:
                raise self.error(
                    f"the game of line {begun} has not ended, so this is no place for a line of type {kind}"
                )
        raise self.error(f"the file is cut: the game of line {begun} has no line of type end")

    def _deal(self, line: DealLine, game: Game | None, rules: Rules, seed: int) -> Game:
        """Replay one deal of a game, the first one when there is no game yet."""
        number = 1 if game is None else game.deal_number + 1
        try:
            if game is None:
                game = Game.from_deal(line.deal, line.dealer, line.scores, rules, seed)
            else:
                game.next_from(line.deal)
        except FiveHundredError as error:
            raise self.error(str(error), number) from None
        if (game.dealer, game.scores) != (line.dealer, line.scores):
            raise self.error(
                f"dealer and totals before the deal are {game.dealer} and {_pair(game.scores)} after the deals so far, "
                f"not {line.dealer} and {_pair(line.scores)}",
                number,
            )
        for at, action in enumerate(line.actions, 1):
            try:
                game.apply(action)
            except FiveHundredError as error:
                raise self.error(str(error), number, at) from None
        stated = None if line.result is None else DealResult(**msgspec.structs.asdict(line.result))
        if game.deal_result != stated:
            raise self.error(f"the result is {game.deal_result}, not {stated}", number)
        return game

    def _end(self, line: EndLine, game: Game) -> None:
        """Compare the last line of a game with the game."""
        found = (game.winner, game.deal_number, game.scores)
        stated = (line.winner, line.deals, line.scores)
        for name, one, other in zip(("winner", "number of deals", "totals"), found, stated, strict=True):
            if one != other:
                raise self.error(f"the {name} of the game: {one}, not {other}")

    def error(self, text: str, deal: int | None = None, action: int | None = None) -> RecordError:
        """Return an error that says where."""
        place = f"{self.name}, line {self.number}"
        if deal is not None:
            place += f", deal {deal}"
        if action is not None:
            place += f", action {action}"
        return RecordError(f"{place}: {text}")


def _pair(scores: tuple[int, int]) -> str:
    return f"{scores[0]}/{scores[1]}"

"""The boards of a tournament as JSON lines, so that a run that was killed goes on where it was.

The first line says what is played: versions, rules, seed, the agents with their hashes. Every other line is one board
(or mirrored game) of one match with both its tables. A line that a kill has cut short at the end of the file is taken
away and its board played again; any other damage is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BufferedRandom
from pathlib import Path
from typing import Any

import numpy as np

from five_hundred_env import __version__
from five_hundred_env.arena.boards import AT, OUTCOME_COLUMNS, Rows
from five_hundred_env.arena.workers import Played, Task
from five_hundred_env.core.actions import CALL_NAMES
from five_hundred_env.core.constants import VERSION
from five_hundred_env.core.philox import table_seed
from five_hundred_env.errors import RecordError
from five_hundred_env.notation import SEED_LIMIT, format_hand, parse_hand

FORMAT = "five_hundred.boards"
FORMAT_VERSION = 1
FILE_NAME = "boards.jsonl"

Key = tuple[str, int, int]
"""Kind of task, positions of the two pairs."""


class BoardLog:
    """A file of boards, opened for reading what is there and adding to it.

    Args:
        directory: Where `boards.jsonl` lies or will lie.
        settings: What is played, everything that the outcomes depend on.

    Raises:
        RecordError: The file is of another version or another tournament, or it is damaged.
    """

    def __init__(self, directory: str | Path, settings: dict[str, Any]) -> None:
        self.path = Path(directory) / FILE_NAME
        self._head = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "package": __version__,
            "environment": VERSION,
            **settings,
        }
        self._outcomes: dict[Key, dict[int, Rows]] = {}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self._file: BufferedRandom = self.path.open("r+b")
        try:
            self._read()
        except RecordError:
            self._file.close()
            raise

    def _read(self) -> None:
        """Read what is there, cut off a torn last line, and write the head of a new file."""
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        self._file.truncate(whole)
        self._file.seek(whole)
        lines = data[:whole].splitlines()
        if not lines:
            self._write([self._head])
            return
        self._check_head(self._parse(lines[0], 1))
        for number, line in enumerate(lines[1:], 2):
            entry = self._parse(line, number)
            try:
                key = (entry["kind"], *entry["match"])
                outcome = np.stack([_read_table(table) for table in entry["tables"]])
                board = int(entry["number"])
            except (KeyError, TypeError, ValueError) as error:
                raise RecordError(f"{self.path}, line {number}: this is no board: {error!r}") from None
            if board in self._outcomes.setdefault(key, {}):
                raise RecordError(f"{self.path}, line {number}: {key[0]} {board} of match {key[1:]} stands there twice")
            self._outcomes[key][board] = outcome

    def _parse(self, line: bytes, number: int) -> dict[str, Any]:
        """Return a line as a mapping.

        Raises:
            RecordError: It is none.
        """
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise RecordError(f"{self.path}, line {number}: this is no JSON: {error}") from None
        if not isinstance(entry, dict):
            raise RecordError(f"{self.path}, line {number}: this is no board: {entry!r}")
        return entry

    def _check_head(self, head: dict[str, Any]) -> None:
        """Compare the head of the file with what is to be played.

        Raises:
            RecordError: They differ; the message names the first field.
        """
        for name in dict.fromkeys([*self._head, *head]):
            if head.get(name) != self._head.get(name):
                self._check_agents(head)
                raise RecordError(
                    f"{self.path} holds another run: its {name} is {head.get(name)!r}, not {self._head.get(name)!r}; "
                    "name another folder, or remove this one"
                )

    def _check_agents(self, head: dict[str, Any]) -> None:
        """Say so if the agents differ in what they depend on alone, not in who they are.

        Raises:
            RecordError: They do.
        """
        for then, now in zip(_agents(head), _agents(self._head), strict=False):
            if {**then, "hash": ""} == {**now, "hash": ""} and then.get("hash") != now.get("hash"):
                raise RecordError(
                    f"{self.path}: agent {now['name']} has changed since its boards were played: its version is still "
                    f"{now['version']}, but the hash of its code or file was {then.get('hash')} and is {now['hash']}. "
                    "Boards of two agents would be taken for those of one; name another folder, or bring the agent "
                    "back to what it was"
                )

    def _write(self, entries: list[dict[str, Any]]) -> None:
        lines = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)
        self._file.write(lines.encode())
        self._file.flush()

    def outcomes(self, key: Key) -> dict[int, Rows]:
        """Return `[2, OUTCOME_COLUMNS]` for each board of a match that is there."""
        return self._outcomes.get(key, {})

    def add(self, key: Key, task: Task, played: Played) -> None:
        """Write what has been played."""
        self._write(list(_entries(key, task, played)))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _agents(head: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the agents that a head names, one after the other; nothing where it is no such head."""
    pairs = [*(head.get("agents") or []), [head.get("common")]]
    return [agent for pair in pairs if isinstance(pair, list) for agent in pair if isinstance(agent, dict)]


def _entries(key: Key, task: Task, played: Played) -> Iterator[dict[str, Any]]:
    for number, outcome in zip(played.numbers.tolist(), played.outcomes, strict=True):
        yield {
            "kind": key[0],
            "match": list(key[1:]),
            "number": number,
            "seed": table_seed(task.setting.seed, number) % SEED_LIMIT,
            "tables": [_write_table(row) for row in outcome],
        }


def _write_table(row: Rows) -> dict[str, Any]:
    """Return an outcome row as a mapping."""
    numbers = row.tolist()
    return {
        "contract": CALL_NAMES[numbers[AT.bid]] if numbers[AT.bid] else None,
        "contractor": _none(numbers[AT.contractor]),
        "made": None if numbers[AT.made] < 0 else bool(numbers[AT.made]),
        "tricks": numbers[AT.tricks : AT.tricks + 2],
        "points": numbers[AT.points : AT.points + 2],
        "scores": numbers[AT.scores : AT.scores + 2],
        "winner": _none(numbers[AT.winner]),
        "deals": numbers[AT.deals],
        "fault": _none(numbers[AT.fault]),
        "discards": format_hand(numbers[AT.discards]),
        "nominated": numbers[AT.nominated : AT.nominated + 2],
    }


def _read_table(table: dict[str, Any]) -> Rows:
    """Return the outcome row that `_write_table` wrote.

    Raises:
        KeyError: A field is missing.
        TypeError: A field has another type.
        ValueError: A contract is unknown.
    """
    row = np.zeros(OUTCOME_COLUMNS, np.int64)
    row[AT.bid] = 0 if table["contract"] is None else CALL_NAMES.index(table["contract"])
    row[AT.made] = -1 if table["made"] is None else int(table["made"])
    for name in ("contractor", "winner", "fault"):
        row[getattr(AT, name)] = -1 if table[name] is None else int(table[name])
    row[AT.discards] = parse_hand(table["discards"], "discards")
    for name in ("tricks", "points", "scores", "nominated"):
        one, other = table[name]
        row[getattr(AT, name) : getattr(AT, name) + 2] = int(one), int(other)
    row[AT.deals] = int(table["deals"])
    return row


def _none(number: int) -> int | None:
    return None if number < 0 else number

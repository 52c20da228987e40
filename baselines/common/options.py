"""Options of a run: a dataclass, filled from a YAML file and the command line; an unknown key is an error."""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import tyro
import yaml

from five_hundred_env.errors import OptionError

T = TypeVar("T")


def parse_options(cls: type[T], arguments: Sequence[str], program: str, description: str, default: T) -> T:
    """Return the options that a command line asks for: defaults, then `--config FILE`, then `--key value`.

    Args:
        cls: A dataclass; each field is documented below its declaration.
        arguments: What follows the program's name.
        program: How the program is called.
        description: What `--help` says first.
        default: What holds where nothing is said.

    Raises:
        OptionError: The file is absent, no YAML, or has an unknown key.
        SystemExit: The command line has an unknown key or a value of a wrong type; the message names it.
    """
    rest, path = take_option(arguments, "--config")
    given = [] if path is None else read_yaml(cls, path)
    return tyro.cli(
        cls,
        args=[*given, *rest],
        default=default,
        prog=program,
        description=f"{description} --config FILE reads options from YAML; the command line overrides them.",
        config=(tyro.conf.FlagConversionOff,),
    )


def take_option(arguments: Sequence[str], name: str) -> tuple[list[str], str | None]:
    """Part an option that names a file or folder from the other arguments.

    Raises:
        OptionError: Nothing follows it.
    """
    rest: list[str] = []
    value = None
    words = iter(arguments)
    for word in words:
        if word == name:
            value = next(words, None)
            if value is None:
                raise OptionError(f"{name} is followed by a file or folder")
        elif word.startswith(name + "="):
            value = word.partition("=")[2]
        else:
            rest.append(word)
    return rest, value


def write_yaml(options: Any, path: Path) -> None:
    """Write the options as a file that `--config` reads."""
    data = {key: list(value) if isinstance(value, tuple) else value for key, value in vars(options).items()}
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")


def read_yaml(cls: type[Any], path: str | Path) -> list[str]:
    """Return the options of a YAML file as words of a command line.

    Raises:
        OptionError: The file is absent, no YAML mapping, or has an unknown key.
    """
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise OptionError(f"{path}: can not be read as YAML: {error}") from error
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise OptionError(f"{path}: is a {type(data).__name__}, not a mapping of options")
    words: list[str] = []
    for key, value in data.items():
        check_known(cls, str(key), str(path))
        words.append("--" + str(key).replace("_", "-"))
        words += [str(entry) for entry in value] if isinstance(value, list) else [str(value)]
    return words


def check_known(cls: type[Any], key: str, where: str) -> None:
    """Check that a dataclass has a field.

    Raises:
        OptionError: It has not; the message names the nearest one.
    """
    known = [entry.name for entry in dataclasses.fields(cls)]
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
    raise OptionError(f"{where}: unknown key {key!r}{hint}")


def options_to_json(options: Any) -> str:
    """Return the options as text that `options_from_json` reads."""
    return json.dumps(dataclasses.asdict(options), sort_keys=True)


def options_from_json(cls: type[T], text: str, where: str) -> T:
    """Return the options that `options_to_json` wrote.

    Raises:
        OptionError: The text has an unknown key, or is no mapping.
    """
    data = json.loads(text)
    if not isinstance(data, dict):
        raise OptionError(f"{where}: no mapping of options")
    for key in data:
        check_known(cls, key, where)
    return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in data.items()})

"""Docstrings, lengths and words of the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.rulebook import ROOT, suite_files
from tests.architecture.sources import (
    functions,
    parse,
    place,
    public_definitions,
    source_files,
)

LONGEST_FUNCTION = 60

# What the glossary of DESIGN.md replaces. Names that a foreign interface prescribes live in
# integrations/, which is therefore exempt.
BANNED_WORDS = {
    "player": "seat",
    "players": "seats",
    "team": "side",
    "teams": "sides",
    "bot": "agent",
    "bots": "agents",
    "declarer": "contractor",
    "maker": "contractor",
    "denomination": "strain",
    "widow": "kitty",
    "talon": "kitty",
    "payoff": "points or reward",
    "payoffs": "points or reward",
}


def test_everything_public_has_a_docstring() -> None:
    missing = []
    for path in source_files("five_hundred_env"):
        tree = parse(path)
        if ast.get_docstring(tree) is None:
            missing.append(f"{path.relative_to(ROOT)}: the module")
        missing += [
            f"{place(path, node)}: {name}"
            for name, node in public_definitions(tree.body)
            if ast.get_docstring(node) is None
        ]
    assert not missing, "without a docstring:\n" + "\n".join(missing)


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{place(path, node)}: {node.name} has {length} lines"
        for path in source_files("five_hundred_env", "baselines")
        for node in functions(parse(path))
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert not long, f"longer than {LONGEST_FUNCTION} lines:\n" + "\n".join(long)


def words(identifier: str) -> list[str]:
    """Split an identifier, snake or camel, into lower-case words."""
    return re.findall(r"[a-z]+", re.sub(r"([A-Z]+)", r" \1", identifier).lower())


def names_made(tree: ast.AST) -> Iterator[tuple[str, ast.stmt | ast.expr]]:
    """Yield the identifiers that a file introduces: definitions, parameters, assignments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr, node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            every = node.args
            for argument in (*every.posonlyargs, *every.args, *every.kwonlyargs):
                yield argument.arg, node


def test_identifiers_use_the_words_of_the_glossary() -> None:
    wrong = [
        f"{place(path, node)}: {name} says '{word}', write '{BANNED_WORDS[word]}'"
        for path in source_files("five_hundred_env", "baselines", "examples")
        if "integrations" not in path.parts
        for name, node in names_made(parse(path))
        for word in words(name)
        if word in BANNED_WORDS
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("declarer = 1", ["declarer"]),
        ("row.kitty_widow = 1", ["widow"]),
        ("def score(side, *, teamScore): ...", ["team"]),
        ("class BestBot: ...", ["bot"]),
        ("for player, card in trick: ...", ["player"]),
        ("f = lambda payoff: 0", ["payoff"]),
        ("both = bottom = 'player_0'", []),
        ("print(team)", []),
    ],
)
def test_the_search_for_banned_words_finds_them(source: str, found: list[str]) -> None:
    """A name that is only read was made elsewhere, and strings are no names."""
    made = [word for name, _ in names_made(ast.parse(source)) for word in words(name)]
    assert [word for word in made if word in BANNED_WORDS] == found


CAN_FAIL = re.compile(r"(^|[._])(assert\w*|check\w*|raises|warns|fail|\w*_test)$")


def can_fail(node: ast.AST) -> bool:
    """Tell whether a test holds an assertion or calls something that does."""
    return any(
        isinstance(part, ast.Assert)
        or (isinstance(part, ast.Call) and CAN_FAIL.search(ast.unparse(part.func)) is not None)
        for part in ast.walk(node)
    )


def test_every_test_can_fail() -> None:
    empty = [
        f"{place(path, node)}: {node.name}"
        for path in suite_files()
        for node in functions(parse(path))
        if node.name.startswith("test_") and not can_fail(node)
    ]
    assert not empty, "nothing in these tests can fail:\n" + "\n".join(empty)

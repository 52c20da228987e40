"""Read the rule ids: those that RULES.md defines, and those that the tests carry.

Tests are read from their sources, not from a run, so that the answer does not depend on which of
them were selected.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

RULE_ID = r"R\d+\.\d+|O\.[a-z0-9_]+\.[a-z0-9_-]+|D\d+"
_DEFINITION = re.compile(rf"^- \*\*({RULE_ID})\*\*", re.MULTILINE)


def rule_ids(text: str | None = None) -> list[str]:
    """Return the ids that RULES.md (or the given text) defines, in its order."""
    if text is None:
        text = (ROOT / "RULES.md").read_text(encoding="utf-8")
    return _DEFINITION.findall(text)


def repeated(ids: list[str]) -> list[str]:
    """Return the ids that occur more than once."""
    return [rule for rule, times in Counter(ids).items() if times > 1]


def _is_rule_marker(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule"


def _markers(nodes: list[ast.expr]) -> Iterator[str]:
    """Yield the ids of the rule markers among some expressions; they have to be literals."""
    for top in nodes:
        for node in ast.walk(top):
            if not _is_rule_marker(node):
                continue
            assert isinstance(node, ast.Call)
            for argument in node.args:
                if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
                    raise ValueError(f"line {node.lineno}: rule marker {ast.unparse(node)} is not a plain string")
                yield argument.value


def _is_test(node: ast.stmt) -> bool:
    named = isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    return named or (isinstance(node, ast.ClassDef) and node.name.startswith("Test"))


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"


def _is_skipped(nodes: list[ast.expr]) -> bool:
    return any("mark.skip" in ast.unparse(node) for node in nodes)


def proved_rules(source: str) -> set[str]:
    """Return the rule ids that the tests of one file carry.

    Counted are markers on test functions, on test classes that hold a test, on parameters, and a
    `pytestmark`. A marker on anything else, or on a test that is skipped outright, proves nothing.

    Raises:
        ValueError: A marker's id is not a string literal.
    """
    return _proved(ast.parse(source).body)


def _proved(body: list[ast.stmt]) -> set[str]:
    found: set[str] = set()
    if not any(_is_test(node) for node in body):
        return found
    for node in body:
        if isinstance(node, ast.Assign) and _is_pytestmark(node):
            found |= set(_markers([node.value]))
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and _is_test(node):
            if _is_skipped(node.decorator_list):
                continue
            inner = _proved(node.body) if isinstance(node, ast.ClassDef) else set()
            if isinstance(node, ast.FunctionDef) or any(_is_test(child) for child in node.body):
                found |= inner | set(_markers(node.decorator_list))
    return found


def suite_files() -> list[Path]:
    """Return the test files of the suite."""
    return sorted((ROOT / "tests").rglob("test_*.py"))

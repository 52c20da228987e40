"""Walk the sources of the project for the tests of this folder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.rulebook import ROOT

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def source_files(*folders: str) -> list[Path]:
    """Return the Python files below some folders of the checkout."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def parse(path: Path) -> ast.Module:
    """Parse a source file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(tree: ast.AST) -> Iterator[FunctionNode]:
    """Yield every function of a file, nested ones and methods included."""
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode):
            yield node


def public_definitions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, FunctionNode | ast.ClassDef]]:
    """Yield name and node of the public functions, classes and methods of a module's body."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try)):
            yield from public_definitions(node.body + node.orelse, prefix)
        if not isinstance(node, FunctionNode | ast.ClassDef) or node.name.startswith("_"):
            continue
        if any("overload" in ast.unparse(decorator) for decorator in node.decorator_list):
            continue
        yield prefix + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from public_definitions(node.body, f"{prefix}{node.name}.")


def place(path: Path, node: ast.stmt | ast.expr) -> str:
    """Return `path:line` as editors understand it."""
    return f"{path.relative_to(ROOT)}:{node.lineno}"

"""Rule markers for the whole suite: `@pytest.mark.rule("R6.2")` says which rule a test proves."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.architecture.rulebook import rule_ids

KNOWN_RULES = frozenset(rule_ids())


def _check_markers(item: pytest.Item) -> None:
    """Refuse a test whose rule marker names no rule of RULES.md."""
    for marker in item.iter_markers("rule"):
        if not marker.args:
            raise pytest.Collector.CollectError(f"{item.nodeid}: a rule marker without an id")
        unknown = [rule for rule in marker.args if rule not in KNOWN_RULES]
        if unknown:
            raise pytest.Collector.CollectError(f"{item.nodeid}: RULES.md has no rule {', '.join(map(repr, unknown))}")


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    """Check markers while a file is collected, so that the error names the file."""
    made = yield
    for item in made if isinstance(made, list) else [made]:
        if isinstance(item, pytest.Item):
            _check_markers(item)
    return made

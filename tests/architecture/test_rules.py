"""Every rule of RULES.md has a test, every test and every citation names a rule that exists."""

from __future__ import annotations

import re

import pytest

from tests.architecture.rulebook import (
    ROOT,
    RULE_ID,
    proved_rules,
    repeated,
    rule_ids,
    suite_files,
)

pytest_plugins = ["pytester"]

IN_PARAMETER = '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("R1.1"))])'


def test_rules_md_numbers_every_chapter_without_gaps() -> None:
    """Part A has eleven chapters; within each the rules are numbered from 1 on."""
    numbers = [tuple(map(int, rule[1:].split("."))) for rule in rule_ids() if rule[0] == "R"]
    chapters = sorted({chapter for chapter, _ in numbers})
    assert chapters == list(range(1, 12))
    for chapter in chapters:
        rules = [rule for of, rule in numbers if of == chapter]
        assert rules == list(range(1, len(rules) + 1)), f"R{chapter}"


def test_rules_md_defines_no_rule_twice() -> None:
    assert repeated(rule_ids()) == []


def test_rules_md_lists_every_option_value_and_profile() -> None:
    """The ids are O.<option>.<value>; `target` takes any number, there written `other`."""
    from five_hundred_env.core.rules import OPTIONS, PROFILES

    listed: dict[str, list[str]] = {}
    for rule in rule_ids():
        if rule.startswith("O."):
            _, option, value = rule.split(".")
            listed.setdefault(option, []).append(value)
    assert listed.pop("profile") == list(PROFILES)
    del listed["refused"]
    assert list(listed) == list(OPTIONS)
    for option, values in OPTIONS.items():
        more = {"pack": ["46-rank", "46-nominate", "46-last"], "target": ["other"]}.get(option, [])
        assert [value for value in listed[option] if value not in more] == [*map(str, values)], option
        assert [value for value in listed[option] if value in more] == more, option


def test_every_rule_has_a_test() -> None:
    proved: set[str] = set()
    for path in suite_files():
        try:
            proved |= proved_rules(path.read_text(encoding="utf-8"))
        except ValueError as error:
            pytest.fail(f"{path.relative_to(ROOT)}, {error}")
    missing = [rule for rule in rule_ids() if rule not in proved]
    assert not missing, f"{len(missing)} rules of RULES.md have no test: {' '.join(missing)}"


def test_every_cited_rule_exists() -> None:
    """Docstrings, comments and messages of the package cite rules; a wrong number misleads."""
    known = set(rule_ids())
    cited = re.compile(rf"(?<![\w.])(?:{RULE_ID})(?![\w-])")
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {rule}"
        for folder in ("five_hundred_env", "baselines")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for rule in cited.findall(line)
        if rule not in known and not re.fullmatch(r"D\d+", rule)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "proved"),
    [
        ('@pytest.mark.rule("R1.1")\ndef test_a(): ...', {"R1.1"}),
        ('@pytest.mark.rule("R1.1", "R1.2")\ndef test_a(): ...', {"R1.1", "R1.2"}),
        ('@pytest.mark.rule("R1.1")\ndef helper(): ...\ndef test_a(): ...', set()),
        ('pytestmark = pytest.mark.rule("R1.1")\ndef test_a(): ...', {"R1.1"}),
        ('pytestmark = pytest.mark.rule("R1.1")', set()),
        ('@pytest.mark.rule("R1.1")\n@pytest.mark.skip("later")\ndef test_a(): ...', set()),
        ('@pytest.mark.rule("R1.1")\nclass TestA:\n    x = 1', set()),
        ('@pytest.mark.rule("R1.1")\nclass TestA:\n    def test_a(self): ...', {"R1.1"}),
        ('class TestA:\n    @pytest.mark.rule("R1.1")\n    def test_a(self): ...', {"R1.1"}),
        (f"{IN_PARAMETER}\ndef test_a(x): ...", {"R1.1"}),
        ('# @pytest.mark.rule("R1.1")\ndef test_a(): ...', set()),
    ],
)
def test_only_markers_on_tests_that_run_count(source: str, proved: set[str]) -> None:
    assert proved_rules(source) == proved


def test_a_computed_marker_is_refused() -> None:
    with pytest.raises(ValueError, match=r"line 1: rule marker .* is not a plain string"):
        proved_rules("@pytest.mark.rule(NAME)\ndef test_a(): ...")


def test_an_unknown_rule_is_a_collection_error_that_names_the_file(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file cites R99.1, which no rulebook has; the other, sound one is collected."""
    conftest = (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(conftest)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini("[pytest]\nmarkers = rule(id): a rule\n")
    pytester.makepyfile(
        test_wrong='import pytest\n@pytest.mark.rule("R99.1")\ndef test_a(): pass\n',
        test_right='import pytest\n@pytest.mark.rule("R1.1")\ndef test_b(): pass\n',
    )
    result = pytester.runpytest_subprocess("--collect-only", "-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*ERROR collecting test_wrong.py*"])
    result.stdout.fnmatch_lines(["*RULES.md has no rule 'R99.1'*"])
    result.assert_outcomes(errors=1)
    assert "test_b" in result.stdout.str()

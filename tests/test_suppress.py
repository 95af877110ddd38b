from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest
from builders import finding
from hypothesis import given, settings
from hypothesis import strategies as st

from gradlint.check.suppressions import Ignore, Suppressions, screen, warnings
from gradlint.model.finding import Problem, Span
from gradlint.model.settings import Settings


def at(row: int, end_row: int | None = None, rule: str = "clip-after-step") -> object:
    return finding(rule=rule, span=Span(row, 1, end_row or row, 5))


# What silences nothing


@pytest.mark.parametrize(
    "text",
    [
        "step()\n",
        'x = "# gradlint: ignore"\n',
        'x = """\n# gradlint: ignore\n"""\n',
        "step()  # noqa\n",
        "step()  # see gradlint: ignore is a comment\n",
        "gradlint: ignore\n",
    ],
)
def test_no_ignore(text: str) -> None:
    assert Suppressions.parse(text) == Suppressions()


@pytest.mark.parametrize(
    "comment",
    [
        "# gradlint: ignroe",
        "# gradlint: ignored",
        "# gradlint: ignore-files",
        "# gradlint: ignore[]",
        "# gradlint: ignore[ , ]",
        "# gradlint: ignore[clip-after-step",
        "# gradlint: ignore [clip-after-step",
        "# gradlint:",
    ],
)
def test_a_comment_that_tries_and_fails_is_malformed(comment: str) -> None:
    assert Suppressions.parse(f"step()  {comment}\n") == Suppressions(malformed=(1,))


# What does


@pytest.mark.parametrize(
    ("comment", "ignore"),
    [
        ("# gradlint: ignore", Ignore(1, (), False)),
        ("#gradlint:ignore", Ignore(1, (), False)),
        ("# gradlint: ignore because of reasons", Ignore(1, (), False)),
        ("# gradlint: ignore[a]", Ignore(1, ("a",), False)),
        ("# gradlint: ignore[a,b , c]", Ignore(1, ("a", "b", "c"), False)),
        ("# gradlint: ignore [a] on purpose", Ignore(1, ("a",), False)),
        ("# noqa: E501  # gradlint: ignore[a]", Ignore(1, ("a",), False)),
        ("# gradlint: ignore-file", Ignore(1, (), True)),
        ("# gradlint: ignore-file[a]", Ignore(1, ("a",), True)),
    ],
)
def test_forms(comment: str, ignore: Ignore) -> None:
    assert Suppressions.parse(f"step()  {comment}\n").ignores == (ignore,)


@pytest.mark.parametrize(
    ("row", "end_row", "covered"),
    [(2, 2, True), (1, 2, True), (2, 4, True), (1, 4, True), (1, 1, False), (3, 4, False)],
)
def test_a_comment_counts_on_any_row_of_the_place(row: int, end_row: int, covered: bool) -> None:
    suppressions = Suppressions.parse("a\nb  # gradlint: ignore\nc\nd\n")
    assert suppressions.covers(at(row, end_row)) is covered


@pytest.mark.parametrize(
    ("names", "covered"),
    [
        ("[clip-after-step]", True),
        ("[clipping]", True),
        ("[missing-no-sync, clip-after-step]", True),
        ("[missing-no-sync]", False),
        ("", True),
    ],
)
def test_names(names: str, covered: bool) -> None:
    assert Suppressions.parse(f"x  # gradlint: ignore{names}").covers(at(1)) is covered
    assert Suppressions.parse(f"\n\nx  # gradlint: ignore-file{names}").covers(at(1)) is covered


@pytest.mark.parametrize("broken", ["f(", "  x\n y", "'''", "\x00", "\ud800", "def f(:\n\tx\n        y"])
def test_a_broken_file_is_read_line_by_line(broken: str) -> None:
    text = f"step()  # gradlint: ignore[clip-after-step]\n{broken}\n"
    assert Suppressions.parse(text).covers(at(1))


def test_windows_line_ends() -> None:
    text = "a\r\nb  # gradlint: ignore[clip-after-step]\r\n"
    assert Suppressions.parse(text).ignores == (Ignore(2, ("clip-after-step",), False),)


@given(st.text())
@settings(max_examples=500)
def test_any_text_can_be_read(text: str) -> None:
    Suppressions.parse(f"{text} # gradlint: ignore[{text}]\n{text}")


# What is unused


def test_used_ignores_are_not_unused() -> None:
    suppressions = Suppressions.parse("x  # gradlint: ignore[clip-after-step]\n# gradlint: ignore-file\n")
    assert suppressions.unused([at(1)]) == ()


def test_unused_ignores_are_cut_down_to_what_is_unused() -> None:
    suppressions = Suppressions.parse("x  # gradlint: ignore[clip-after-step, other]\n")
    assert suppressions.unused([at(1)]) == (Ignore(1, ("other",), False),)
    assert suppressions.unused([at(2)]) == (Ignore(1, ("clip-after-step", "other"), False),)


def test_a_bare_ignore_that_silences_nothing_is_unused() -> None:
    assert Suppressions.parse("x  # gradlint: ignore\n").unused([at(2)]) == (Ignore(1, (), False),)


# What is told


@pytest.fixture
def three_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        ("clip-after-step", "clipping", True),
        ("no-sync", "ddp", True),
        ("advice", "a", False),
    )
    rules = tuple(SimpleNamespace(name=n, category=c, default=d) for n, c, d in names)
    module = ModuleType("gradlint.rules.support.rule")
    vars(module).update(all_rules=lambda: rules)
    monkeypatch.setitem(sys.modules, "gradlint.rules.support.rule", module)


def told(text: str, *findings: object, settings: Settings | None = None) -> list[tuple[int, str]]:
    return list(warnings(Suppressions.parse(text), findings, settings or Settings()))


def test_nothing_to_tell_needs_no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gradlint.rules.support.rule", None)
    assert told("x = 1\n") == []


@pytest.mark.usefixtures("three_rules")
def test_warnings_in_order() -> None:
    text = """\
# gradlint: ignroe
x  # gradlint: ignore[clip-aftr-step]
y  # gradlint: ignore[no-sync]
"""
    assert told(text) == [
        (1, "not a gradlint comment; write `# gradlint: ignore[rule]`"),
        (2, "unknown rule 'clip-aftr-step'; did you mean 'clip-after-step'?"),
        (3, "unused `# gradlint: ignore[no-sync]`"),
    ]


@pytest.mark.usefixtures("three_rules")
def test_an_ignore_of_a_rule_that_did_not_run_is_not_called_unused() -> None:
    text = "x  # gradlint: ignore[advice]\ny  # gradlint: ignore\n"
    assert told(text) == [(2, "unused `# gradlint: ignore`")]
    assert told(text, settings=Settings(ignore=("no-sync",))) == []
    on = Settings(extend_select=("advice",))
    assert told(text, settings=on)[0] == (1, "unused `# gradlint: ignore[advice]`")


@pytest.mark.usefixtures("three_rules")
def test_a_used_ignore_is_not_told() -> None:
    assert told("x  # gradlint: ignore[clip-after-step]\n", at(1)) == []


@pytest.mark.usefixtures("three_rules")
def test_screen() -> None:
    text = "x  # gradlint: ignore[clip-after-step]\ny\nz  # gradlint: ignore[no-sync]\n"
    kept, problems = screen(text, "a.py", [at(1), at(2)], Settings())
    assert kept == (at(2),)
    assert problems == (Problem("a.py:3", "unused `# gradlint: ignore[no-sync]`"),)

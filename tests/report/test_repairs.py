"""The summary of `gradlint fix`: its form; what it counts is tested with the command."""

from __future__ import annotations

import re

import pytest
from builders import finding

from gradlint.fix.result import FixResult, Withdrawn
from gradlint.model.finding import Finding, Fix, Problem, Safety
from gradlint.report.repairs import Summary, render
from gradlint.report.style import Style

PAGE = Style()
MOVE = Fix(Safety.SAFE, "Clip before the step", (), "only the order changes", "Every update is clipped.")


def done(*applied: Finding, **more: object) -> FixResult:
    return FixResult("train.py", "old", "new", applied, **more)  # type: ignore[arg-type]


def test_a_repair() -> None:
    assert render(Summary([done(finding(fix=MOVE))], 1, False), PAGE) == (
        "train.py:6: clip-after-step: Clip before the step (safe: only the order changes)\n"
        "    Every update is clipped.\n"
        "\n"
        "Would fix 1 problem in 1 file.\n"
    )


def test_a_repair_without_reason_and_effect() -> None:
    out = render(Summary([done(finding(fix=Fix(Safety.SAFE, "Clip first", ())))], 1, True), PAGE)
    assert out == "train.py:6: clip-after-step: Clip first (safe fix)\n\nFixed 1 problem in 1 file.\n"


def test_a_long_effect_is_wrapped() -> None:
    one = finding(fix=Fix(Safety.SAFE, "Clip first", (), "", "word " * 40))
    lines = render(Summary([done(one)], 1, True), Style(width=60)).splitlines()
    assert len(lines) > 5
    assert all(len(line) <= 60 for line in lines)


def test_what_would_steer_the_terminal_is_not_shown() -> None:
    one = finding(path="a\x1b.py", message="two\nlines", fix=None)
    lie = Withdrawn(one, "bad\x1b")
    out = render(Summary([FixResult("a", "", "", (), (one,), (lie,))], 1, True), PAGE)
    assert "\x1b" not in out
    assert "a?.py:6:5: clip-after-step two?lines (no repair that keeps its promise was found)\n" in out


def test_colour_changes_nothing_but_the_colour() -> None:
    one = finding(fix=None)
    summary = Summary([done(finding(fix=MOVE), remaining=(one,), withdrawn=(Withdrawn(one, "no"),))], 1, True)
    coloured = render(summary, Style(colour=True))
    assert coloured.startswith("train.py:6: \x1b[1;31mclip-after-step\x1b[0m: Clip before")
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(summary, PAGE)


@pytest.mark.parametrize(
    ("summary", "line"),
    [
        (Summary([], 0, False), "No Python files were checked."),
        (Summary([], 1, True), "Nothing to fix in 1 file."),
        (Summary([], 12, False), "Nothing to fix in 12 files."),
        (
            Summary([FixResult("a.py", "", "", (), (finding(fix=None),))], 1, True),
            "Nothing to fix in 1 file; 1 problem remains.",
        ),
        (
            Summary([FixResult("a.py", "", "", problems=(Problem("a.py", "gone"),))], 0, True),
            "Nothing to fix in 0 files; 1 file could not be fixed.",
        ),
    ],
)
def test_the_count(summary: Summary, line: str) -> None:
    assert render(summary, PAGE).splitlines()[-1] == line

from __future__ import annotations

import re

import pytest
from builders import LOOP, finding, read, report, span, weights

from gradlint.model.finding import Evidence, Fix, Problem, Safety, Severity
from gradlint.model.ledger import Clip, Row
from gradlint.report import concise, statistics, text
from gradlint.report.style import Style

PAGE = Style()


def test_full() -> None:
    assert (
        text.render(report(finding()), read, PAGE)
        == """\
error[clip-after-step] train.py:6:5 [*]
  |
5 |     optimizer.step()
  |     ---------------- spends the gradient
6 |     clip_grad_norm_(model.parameters(), 1.0)
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  The gradient is clipped after `optimizer.step()` on line 5 has consumed it.
  The step reads `.grad` before the clip changes it. Every update is unclipped: one bad batch can
  move the weights without bound.

  `optimizer`, window of 1  g1  |  clip
    as executed             1   |  late
    as meant                1   |  clipped

  help: move the clip before the step (safe fix)

Found 1 problem in 1 file.
[*] 1 fixable with `gradlint fix --apply`.
"""
    )


def test_an_unsafe_fix_says_so() -> None:
    one = finding(fix=Fix(Safety.UNSAFE, "divide the loss by 4", ()))
    out = text.render(report(one), read, PAGE)
    assert "  help: divide the loss by 4 (unsafe: more than one repair is plausible)\n" in out
    assert out.startswith("error[clip-after-step] train.py:6:5\n")
    assert out.endswith("Found 1 problem in 1 file.\n1 fixable with `gradlint fix --apply --unsafe-fixes`.\n")


def test_a_fix_says_why_it_is_safe() -> None:
    one = finding(fix=Fix(Safety.SAFE, "Clip first", (), "only the order changes", "Every update is clipped."))
    assert "  help: Clip first (safe: only the order changes)\n" in text.render(report(one), read, PAGE)


def test_the_command_for_safe_and_unsafe_fixes() -> None:
    risky = finding(fix=Fix(Safety.UNSAFE, "divide the loss by 4", ()))
    out = text.render(report(finding(), risky, finding()), read, PAGE)
    assert out.endswith("[*] 2 fixable with `gradlint fix --apply` (1 more with `--unsafe-fixes`).\n")


def test_without_fix_and_evidence() -> None:
    out = text.render(report(finding(fix=None, evidence=None)), read, PAGE)
    assert out.endswith("move the weights without bound.\n\nFound 1 problem in 1 file.\n")


def test_a_file_that_is_gone_has_no_frame() -> None:
    out = text.render_finding(finding(), lambda path, cell: "", PAGE)
    assert out.startswith("error[clip-after-step] train.py:6:5 [*]\n  The gradient is clipped")


def test_a_cell_of_a_notebook_is_named() -> None:
    assert text.place(finding(cell=3)) == "train.py:cell 3:6:5"


@pytest.mark.parametrize("width", [40, 60, 100])
def test_prose_is_wrapped(width: int) -> None:
    lines = text.render_finding(finding(), read, Style(width=width)).split("\n")
    prose = [line for line in lines if "|" not in line]
    assert max(map(len, prose)) <= width


def test_colour_changes_nothing_but_the_colour() -> None:
    for severity in Severity:
        whole = report(finding(severity=severity))
        coloured = text.render(whole, read, Style(colour=True))
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == text.render(whole, read, PAGE)
        assert coloured != text.render(whole, read, PAGE)


def test_what_differs_in_the_ledger_is_coloured() -> None:
    out = text.render(report(finding()), read, Style(colour=True))
    assert "\x1b[31;1mlate\x1b[0m" in out
    assert "\x1b[32;1mclipped\x1b[0m" in out
    assert "\x1b[31;1m1\x1b[0m" not in out


def evidence(executed: Row, meant: Row, window: int | None = None) -> list[str]:
    one = finding(evidence=Evidence("opt", window, executed, meant), fix=None)
    lines = text.render_finding(one, read, PAGE).split("\n")
    return [line.strip() for line in lines[-3:]]


def test_a_gradient_that_is_not_consumed_weighs_nothing() -> None:
    executed, meant = Row(2, weights(1, first=4)), Row(2, weights("1/4", "1/4", first=3))
    assert evidence(executed, meant, 2) == [
        "`opt`, window of 2  g3   g4",
        "as executed       0    1",
        "as meant          1/4  1/4",
    ]


def test_books_that_do_not_differ_are_not_shown() -> None:
    one = finding(evidence=Evidence("opt", 1, Row(3, weights(1)), Row(3, weights(1))), fix=None)
    assert text.render_finding(one, read, PAGE).endswith("move the weights without bound.")


def test_unknown_weights() -> None:
    assert evidence(Row(1, weights(None)), Row(1, weights(1)))[1] == "as executed  ?"


def test_long_windows_are_folded() -> None:
    executed, meant = Row(1, weights(*[1] * 64)), Row(1, weights(*["1/64"] * 64))
    assert evidence(executed, meant, 64) == [
        "`opt`, window of 64  g1…g64",
        "as executed        1",
        "as meant           1/64",
    ]


def test_all_facts_that_differ_are_shown() -> None:
    executed = Row(1, weights(1), True, Clip.SCALED, all_reduces=4, scheduler_moves=4)
    meant = Row(1, weights(1), False, Clip.RIGHT, all_reduces=1, scheduler_moves=1)
    assert evidence(executed, meant) == [
        "`opt`          g1  |  scaled  clip     all-reduce  scheduler",
        "as executed  1   |  yes     scaled   4           4",
        "as meant     1   |  no      clipped  1           1",
    ]


# The other formats for people


def test_concise() -> None:
    one, two = finding(), finding(rule="missing-no-sync", severity=Severity.WARNING, fix=None)
    assert concise.render(report(one, two), PAGE) == (
        "train.py:6:5: clip-after-step [*] The gradient is clipped after `optimizer.step()` on line 5"
        " has consumed it.\n"
        "train.py:6:5: missing-no-sync The gradient is clipped after `optimizer.step()` on line 5"
        " has consumed it.\n"
        "Found 2 problems in 1 file.\n"
        "[*] 1 fixable with `gradlint fix --apply`.\n"
    )


def test_concise_is_one_line_whatever_the_names() -> None:
    one = finding(path="a\nb.py", message="two\nlines")
    assert concise.render(report(one), PAGE).startswith("a?b.py:6:5: clip-after-step [*] two?lines\n")


def test_statistics() -> None:
    one, two = finding(), finding(rule="missing-no-sync", severity=Severity.WARNING, fix=None)
    assert statistics.render(report(two, one, two), PAGE) == (
        "    2  missing-no-sync  warning\n"
        "    1  clip-after-step  error    1 fixable\n"
        "\n"
        "Found 3 problems in 1 file.\n"
        "[*] 1 fixable with `gradlint fix --apply`.\n"
    )


@pytest.mark.parametrize(
    ("whole", "line"),
    [
        (report(files=0, regions=0), "No Python files were checked."),
        (report(files=2, regions=0), "No training loop found: 2 files."),
        (
            report(files=0, regions=0, problems=(Problem("a.py", "gone"),)),
            "No Python files were checked; 1 file could not be checked.",
        ),
        (report(files=12, regions=3), "No problems found: 12 files, 3 training loops."),
        (
            report(files=2, regions=1, problems=(Problem("a.py", "gone"),)),
            "No problems found: 2 files, 1 training loop; 1 file could not be checked.",
        ),
        (
            report(finding(fix=None), finding(path="b.py", fix=None), problems=(Problem("a.py", "gone"),)),
            "Found 2 problems in 2 files; 1 file could not be checked.",
        ),
    ],
)
def test_summary(whole: object, line: str) -> None:
    assert text.render(whole, read, PAGE).rstrip("\n").split("\n")[-1] == line


def test_the_frame_marks_what_the_finding_says() -> None:
    one = finding(span=span(LOOP, "loss.backward()"), related=())
    assert "4 |     loss.backward()\n  |     ^^^^^^^^^^^^^^^\n" in text.render_finding(one, read, PAGE)

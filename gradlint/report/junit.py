"""JUnit's XML, as Jenkins and most other servers read it: a suite for each file, a failed case for each finding.

A loop that was not judged, or only in part, is a case that was skipped.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from gradlint.report.counts import count
from gradlint.report.style import printable
from gradlint.report.text import place, repair
from gradlint.report.unjudged import sentence
from gradlint.report.where import elsewhere

if TYPE_CHECKING:
    from gradlint.model.finding import Finding, Problem, Report, Unjudged
    from gradlint.report.where import Where

_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def render(report: Report, where: Where) -> str:
    """The report; a run that found nothing, and had nothing to skip, is one case that passed."""
    suites = [
        _suite(where.name_of(path), [_failure(one, where) for one in found], failures=True)
        for path, found in ((path, list(group)) for path, group in groupby(report.findings, key=lambda one: one.path))
    ]
    suites += [_suite(where.name_of(one.path), [_error(one, where)], failures=False) for one in report.problems]
    suites += [
        _suite(where.name_of(path), [_skipped(one, where) for one in group], skipped=True)
        for path, group in groupby(report.unjudged, key=lambda one: one.path)
    ]
    if not suites:
        checked = f"{count(report.files, 'file')}, {count(report.regions, 'training loop')}"
        suites = [_suite("gradlint", [_case(f"no findings: {checked}", "gradlint", "")])]
    failed, errors, skipped = len(report.findings), len(report.problems), len(report.unjudged)
    cases = max(1, failed + errors + skipped)
    head = f'<testsuites name="gradlint" tests="{cases}" failures="{failed}" errors="{errors}">'
    return _HEAD + "\n".join([head, *suites, "</testsuites>"]) + "\n"


def _suite(name: str, cases: list[str], *, failures: bool | None = None, skipped: bool = False) -> str:
    number = len(cases)
    failed, errors = (number if failures else 0), (number if failures is False else 0)
    counts = f'tests="{number}" failures="{failed}" errors="{errors}"' + (f' skipped="{number}"' if skipped else "")
    return "\n".join([f"  <testsuite name={_quoted(name)} {counts}>", *cases, "  </testsuite>"])


def _case(name: str, classname: str, inner: str) -> str:
    head = f"    <testcase name={_quoted(name)} classname={_quoted(classname)}"
    return f"{head}>\n{inner}\n    </testcase>" if inner else f"{head}/>"


def _failure(finding: Finding, where: Where) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    body = [f"{place(finding)}: {finding.severity.value}", f"{finding.why} {finding.impact}".strip()]
    body += elsewhere(finding, where)
    body += [f"help: {repair(finding.fix)}"] if finding.fix is not None else []
    body.append(finding.url)
    text = escape("\n".join(printable(line) for line in body))
    head = f"<failure type={_quoted(finding.severity.value)} message={_quoted(finding.message)}>"
    name = f"{finding.rule} at {cell}{finding.span.row}:{finding.span.column}"
    return _case(name, where.name_of(finding.path), f"      {head}{text}</failure>")


def _error(problem: Problem, where: Where) -> str:
    inner = f'      <error type="not-checked" message={_quoted(problem.message)}/>'
    return _case("not checked", where.name_of(problem.path), inner)


def _skipped(one: Unjudged, where: Where) -> str:
    cell = "" if one.cell is None else f"cell {one.cell}:"
    what = "judged in part" if one.partly else "not judged"
    inner = f"      <skipped message={_quoted(sentence(one))}/>"
    return _case(f"{what} at {cell}{one.span.row}:{one.span.column}", where.name_of(one.path), inner)


def _quoted(text: str) -> str:
    return quoteattr(printable(text))

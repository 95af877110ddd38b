"""Annotations for GitHub: one workflow command a finding, shown beside the line it is about.

GitHub reads them from the log of a job: `::error title=...,file=train.py,line=6,...::The gradient ...`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.finding import Severity
from gradlint.report.style import printable
from gradlint.report.where import elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradlint.model.finding import Finding, Report
    from gradlint.report.where import Where

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, where: Where) -> str:
    """A line for every finding and for every file that could not be checked; empty when there is none."""
    lines = [_finding(finding, where) for finding in report.findings]
    lines += [_problem(one.path, one.message, where.name_of) for one in report.problems]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding, where: Where) -> str:
    span = where.span_of(finding.path, finding.cell, finding.span)
    place = {"line": str(span.row), "endLine": str(span.end_row)}
    if span.row == span.end_row:  # GitHub takes columns only within one line
        place |= {"col": str(span.column), "endColumn": str(max(span.column, span.end_column - 1))}
    properties = {"title": f"gradlint ({finding.rule})", "file": where.name_of(finding.path), **place}
    cell = "" if finding.cell is None else f"Cell {finding.cell}, line {finding.span.row}: "
    text = printable(f"{cell}{finding.message} {finding.impact}".strip())
    lines = [text, *map(printable, elsewhere(finding, where))]
    return _command(_LEVELS[finding.severity], properties, "\n".join(lines))


def _problem(path: str, message: str, name_of: Callable[[str], str]) -> str:
    return _command("error", {"title": "gradlint", "file": name_of(path)}, f"Not checked: {printable(message)}")


def _command(name: str, properties: dict[str, str], text: str) -> str:
    shown = ",".join(f"{key}={_property(printable(value))}" for key, value in properties.items())
    return f"::{name} {shown}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

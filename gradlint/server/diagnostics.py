"""Findings as diagnostics."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
)

from gradlint.model.finding import Severity, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.model.finding import Finding
    from gradlint.server.client import Client
    from gradlint.server.others import Others
    from gradlint.server.session import Checked
    from gradlint.server.units import Unit

SOURCE = "gradlint"
_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.INFO: DiagnosticSeverity.Information,
}


def diagnostics(unit: Unit, checked: Checked, client: Client, others: Others) -> dict[str, list[Diagnostic]]:
    """What to show in each part of a unit, by the part's URI.

    Args:
        unit: what was checked.
        checked: what was found.
        client: what the editor understands.
        others: where other files' places are.
    """
    report = checked.report
    out: dict[str, list[Diagnostic]] = {part.uri: [] for part in unit.parts}
    for finding in report.findings:
        out[unit.location(finding.span).uri].append(of_finding(unit, finding, client, others))
    for finding in checked.elsewhere:
        if not others.holds(finding.path):
            out[unit.uri] += _shown_here(unit, finding, client, others)
    for problem in report.problems:
        span = _row(unit, _named(problem.message))
        where = unit.location(span)
        message = f"not checked: {problem.message}"
        out[where.uri].append(Diagnostic(where.range, message, DiagnosticSeverity.Information, source=SOURCE))
    for warning in report.warnings:
        row = warning.path.rpartition(":")[2]
        where = unit.location(_row(unit, int(row) if row.isdecimal() else 1))
        out[where.uri].append(Diagnostic(where.range, warning.message, DiagnosticSeverity.Warning, source=SOURCE))
    return out


def of_finding(unit: Unit, finding: Finding, client: Client, others: Others) -> Diagnostic:
    """One finding: what is wrong, why, what it does to training, and what else takes part."""
    related = [
        DiagnosticRelatedInformation(
            others.location(one.path, one.span) if one.path else unit.location(one.span), one.message
        )
        for one in finding.related
        if one.path or one.span != finding.span
    ]
    return Diagnostic(
        range=unit.location(finding.span).range,
        message="\n".join(filter(None, (finding.message, f"{finding.why} {finding.impact}".strip()))),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=CodeDescription(finding.url) if client.links else None,
        source=SOURCE,
        related_information=related if client.related else None,
    )


def _shown_here(unit: Unit, finding: Finding, client: Client, others: Others) -> Iterator[Diagnostic]:
    """What is said of a file that nobody sees, at the lines of this one that take part."""
    place = f"{os.path.basename(finding.path)}:{finding.row}"
    there = DiagnosticRelatedInformation(others.location(finding.path, finding.span), finding.message)
    here = {one.span.row: one.span for one in reversed(finding.related) if one.path == unit.path}
    for _, span in sorted(here.items()):
        yield Diagnostic(
            range=unit.location(span).range,
            message=f"{place}: {finding.message}",
            severity=DiagnosticSeverity.Information,
            code=finding.rule,
            code_description=CodeDescription(finding.url) if client.links else None,
            source=SOURCE,
            related_information=[there] if client.related else None,
        )


def _named(message: str) -> int:
    """The line that a problem's message names, else the first."""
    match = re.search(r"\bat line (\d+)", message)
    return int(match[1]) if match else 1


def _row(unit: Unit, row: int) -> Span:
    """A whole row, from its first character that is no blank."""
    part = unit.part(row)
    row = min(max(row, 1), part.end)
    line = part.lines.rows[row - part.start - 1]
    return Span(row, len(line) - len(line.lstrip()) + 1, row, len(line) + 1)

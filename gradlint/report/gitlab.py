"""GitLab's code quality report: a list of issues, each with a fingerprint that outlives moved lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gradlint.check.fingerprint import fingerprints, named
from gradlint.model.finding import Severity, Span
from gradlint.report.where import elsewhere

if TYPE_CHECKING:
    from gradlint.model.finding import Finding, Problem, Report
    from gradlint.report.where import Where

    Json = dict[str, object]

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report, where: Where) -> str:
    """The findings, and the files that could not be checked, as one JSON list."""
    marks = fingerprints(report.findings, where.read, where.name_of)
    issues = [_issue(one, mark, where) for one, mark in zip(report.findings, marks, strict=True)]
    issues += [_problem(one, where) for one in report.problems]
    return json.dumps(issues, indent=2) + "\n"


def _issue(finding: Finding, mark: str, where: Where) -> Json:
    span = where.span_of(finding.path, finding.cell, finding.span)
    cell = "" if finding.cell is None else f"cell {finding.cell}, line {finding.span.row}: "
    return {
        "description": f"{finding.rule}: {cell}{finding.message}",
        "check_name": finding.rule,
        "categories": ["Bug Risk"],
        "content": {"body": "\n".join([f"{finding.why} {finding.impact}".strip(), *elsewhere(finding, where)])},
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": mark,
        "location": _location(where.name_of(finding.path), span),
    }


def _problem(problem: Problem, where: Where) -> Json:
    name = where.name_of(problem.path)
    return {
        "description": f"gradlint: not checked: {problem.message}",
        "check_name": "not-checked",
        "categories": ["Bug Risk"],
        "severity": "blocker",
        "fingerprint": named("not-checked", name, problem.message),
        "location": _location(name, Span(1, 1, 1, 1)),
    }


def _location(name: str, span: Span) -> Json:
    return {"path": name, "lines": {"begin": span.row, "end": span.end_row}}

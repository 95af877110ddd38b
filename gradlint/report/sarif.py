"""SARIF 2.1.0, for code scanning: rules with their pages, findings with event logs, repairs and fingerprints."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from gradlint.check.fingerprint import fingerprints
from gradlint.model.finding import Severity
from gradlint.report.flow import flow
from gradlint.report.unjudged import sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gradlint.model.finding import Finding, Fix, Report, Span, Unjudged
    from gradlint.report.flow import Stop
    from gradlint.report.where import Where
    from gradlint.rules.support.rule import Rule

    Json = dict[str, object]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HOME = "https://github.com/torch-gradlint/gradlint"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report, where: Where, rules: Sequence[Rule], page: Callable[[str], str], version: str) -> str:
    """The whole log.

    Args:
        report: what was found.
        where: how the reader sees the files.
        rules: all rules, whether they found something or not.
        page: a rule's page.
        version: gradlint's own.
    """
    index = {rule.name: number for number, rule in enumerate(rules)}
    marks = fingerprints(report.findings, where.read, where.name_of)
    run = {
        "tool": {"driver": _driver(rules, page, version)},
        "invocations": [_invocation(report, where)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, mark, index, where) for one, mark in zip(report.findings, marks, strict=True)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver(rules: Sequence[Rule], page: Callable[[str], str], version: str) -> Json:
    return {
        "name": "gradlint",
        "fullName": f"gradlint {version} (torch-gradlint)",
        "informationUri": _HOME,
        "semanticVersion": version,
        "version": version,
        "rules": [_rule(rule, page(rule.name)) for rule in rules],
    }


def _rule(rule: Rule, page: str) -> Json:
    return {
        "id": rule.name,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary} {rule.effect}".strip()},
        "help": {"text": page, "markdown": page},
        "helpUri": f"{_HOME}/blob/main/rules/{rule.name}.md",
        "defaultConfiguration": {"enabled": rule.default, "level": _LEVELS[rule.severity]},
        "properties": {
            "category": rule.category,
            "tags": ["pytorch", "correctness", rule.category],
            "precision": "high",
            "problem.severity": {"note": "recommendation"}.get(_LEVELS[rule.severity], _LEVELS[rule.severity]),
        },
    }


def _invocation(report: Report, where: Where) -> Json:
    notes = [_note("error", f"Not checked: {one.message}", one.path, where) for one in report.problems]
    for one in report.unjudged:
        what = "Judged in part" if one.partly else "Not judged"
        notes.append(_note("note", f"{what}: {sentence(one)}", one.path, where, one))
    return {"executionSuccessful": not report.problems, "toolExecutionNotifications": notes}


def _note(level: str, text: str, path: str, where: Where, unjudged: Unjudged | None = None) -> Json:
    """Something to say of a file, or of a loop in it, that is no result."""
    place: Json = {"artifactLocation": _artifact(where.name_of(path))}
    if unjudged is not None:
        place["region"] = _region(where.span_of(path, unjudged.cell, unjudged.span))
    return {"level": level, "message": {"text": text}, "locations": [{"physicalLocation": place}]}


def _result(finding: Finding, mark: str, index: dict[str, int], where: Where) -> Json:
    message = f"{finding.message} {finding.why} {finding.impact}".strip()
    out: Json = {
        "ruleId": finding.rule,
        "ruleIndex": index.get(finding.rule, -1),
        "level": _LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [_location(finding, finding.span, where)],
        "relatedLocations": [
            {
                "id": number,
                **_location(replace(finding, path=one.path or finding.path, cell=one.cell), one.span, where),
                "message": {"text": one.message},
            }
            for number, one in enumerate(finding.related, 1)
        ],
        "partialFingerprints": {"primaryLocationLineHash": mark, "gradlint/v1": mark},
        "properties": {"category": finding.category, "confidence": finding.confidence.value},
    }
    stops = flow(finding, where.traces(finding.path))
    if stops:
        out["codeFlows"] = [{"threadFlows": [{"locations": [_stop(one, finding, where) for one in stops]}]}]
    if finding.fix is not None and finding.cell is None:
        out["fixes"] = [_fix(finding.fix, where.name_of(finding.path))]
    return out


def _stop(stop: Stop, finding: Finding, where: Where) -> Json:
    from gradlint.model.finding import Span

    event = stop.event
    place = where.span_of(stop.path, finding.cell, Span(event.row, event.column, event.row, event.column))
    region: Json = {"startLine": place.row, "startColumn": place.column}
    return {
        "location": {**_physical(replace(finding, path=stop.path), region, where), "message": {"text": stop.text}},
        "nestingLevel": stop.depth,
        "importance": "essential" if stop.essential else "important",
    }


def _location(finding: Finding, span: Span, where: Where) -> Json:
    return _physical(finding, _region(where.span_of(finding.path, finding.cell, span)), where)


def _physical(finding: Finding, region: Json, where: Where) -> Json:
    artifact = _artifact(where.name_of(finding.path))
    location: Json = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    if finding.cell is not None:
        location["logicalLocations"] = [{"name": f"cell {finding.cell}", "kind": "element"}]
    return location


def _region(span: Span) -> Json:
    return {
        "startLine": span.row,
        "startColumn": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, name: str) -> Json:
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}} for edit in fix.edits
    ]
    return {
        "description": {"text": f"{fix.title} ({fix.safety.value})"},
        "artifactChanges": [{"artifactLocation": _artifact(name), "replacements": replacements}],
    }


def _artifact(name: str) -> Json:
    """A file by its URI: one that is relative begins at the root of the checkout."""
    from pathlib import PurePath
    from urllib.parse import quote

    if PurePath(name).is_absolute():
        return {"uri": PurePath(name).as_uri()}
    return {"uri": quote(name.encode("utf-8", "surrogateescape")), "uriBaseId": "%SRCROOT%"}

"""The JSON report, version 1: stable, for programs. Rows and columns are 1-based."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gradlint.report.summary import fixable
from gradlint.report.unjudged import counts

if TYPE_CHECKING:
    from gradlint.model.finding import Cure, Evidence, Finding, Fix, Report, Span, Unjudged
    from gradlint.model.ledger import Row

    Json = dict[str, object]

VERSION = 1


def render(report: Report) -> str:
    """The whole report as one JSON object, as `report.schema.json` describes it."""
    judged, partly, blind = counts(report)
    whole = {
        "version": VERSION,
        "findings": [finding_json(finding) for finding in report.findings],
        "unjudged": [_unjudged(one) for one in report.unjudged],
        "errors": [{"path": one.path, "message": one.message} for one in report.problems],
        "summary": {
            "files": report.files,
            "regions": report.regions,
            "judged": judged,
            "judged_in_part": partly,
            "not_judged": blind,
            "findings": len(report.findings),
            "fixable": fixable(report.findings),
        },
    }
    return json.dumps(whole, indent=2) + "\n"


def finding_json(finding: Finding) -> Json:
    """One finding as JSON data."""
    return {
        "rule": finding.rule,
        "category": finding.category,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "doubts": list(finding.doubts),
        "path": finding.path,
        "cell": finding.cell,
        **_span(finding.span),
        "message": finding.message,
        "why": finding.why,
        "impact": finding.impact,
        "evidence": None if finding.evidence is None else _evidence(finding.evidence),
        "related": [
            {
                "path": one.path or finding.path,
                "cell": one.cell,
                "row": one.span.row,
                "column": one.span.column,
                "message": one.message,
            }
            for one in finding.related
        ],
        "fix": None if finding.fix is None else _fix(finding.fix),
        "fix_elsewhere": list(finding.elsewhere),
        "url": finding.url,
    }


def _unjudged(one: Unjudged) -> Json:
    return {
        "path": one.path,
        "cell": one.cell,
        **_span(one.span),
        "function": one.function,
        "judged": "in part" if one.partly else "no",
        "kind": one.kind,
        "reason": one.reason,
        "cure": None if one.cure is None else _cure(one.cure),
    }


def _cure(cure: Cure) -> Json:
    kind = "configuration" if cure.row is None else "comment"
    return {"kind": kind, "line": cure.line, "says": cure.says, "cell": cure.cell, "row": cure.row}


def _span(span: Span) -> Json:
    return {
        "row": span.row,
        "column": span.column,
        "end_row": span.end_row,
        "end_column": span.end_column,
    }


def _evidence(evidence: Evidence) -> Json:
    return {
        "optimizer": evidence.optimizer,
        "window": evidence.window,
        "executed": _row(evidence.executed),
        "meant": _row(evidence.meant),
    }


def _row(row: Row) -> Json:
    return {
        "update": row.update,
        "weights": [{"label": weight.label, "value": weight.text(), "extra": weight.extra} for weight in row.weights],
        "scaled": row.scaled,
        "clip": row.clip.value,
        "all_reduces": row.all_reduces,
        "scheduler_moves": row.scheduler_moves,
    }


def _fix(fix: Fix) -> Json:
    return {
        "safety": fix.safety.value,
        "title": fix.title,
        "reason": fix.reason,
        "effect": fix.effect,
        "edits": [{"cell": edit.cell, **_span(edit.span), "content": edit.content} for edit in fix.edits],
    }

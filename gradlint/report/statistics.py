"""How often each rule reports, the most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from gradlint.report.summary import fixable, summary

if TYPE_CHECKING:
    from gradlint.model.finding import Finding, Report
    from gradlint.report.style import Style


def render(report: Report, style: Style) -> str:
    """A line for each rule: how often, its name, its severity, how many have a repair."""
    groups = _by_rule(report)
    wide = max((len(rule) for rule in groups), default=0)
    lines = []
    for rule, found in groups.items():
        severity = style.severity(found[0].severity, f"{found[0].severity.value:7}")
        repairs = fixable(found)
        note = f"  {repairs} fixable" if repairs else ""
        lines.append(f"{len(found):5}  {rule:{wide}}  {severity}{note}".rstrip())
    return "\n".join([*lines, *([""] if lines else []), summary(report)]) + "\n"


def render_json(report: Report) -> str:
    """The same as a JSON list."""
    rows = [
        {
            "rule": rule,
            "category": found[0].category,
            "severity": found[0].severity.value,
            "count": len(found),
            "fixable": fixable(found),
        }
        for rule, found in _by_rule(report).items()
    ]
    return json.dumps(rows, indent=2) + "\n"


def _by_rule(report: Report) -> dict[str, list[Finding]]:
    counts = Counter(finding.rule for finding in report.findings)
    rules = sorted(counts, key=lambda rule: (-counts[rule], rule))
    return {rule: [one for one in report.findings if one.rule == rule] for rule in rules}

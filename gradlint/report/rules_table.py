"""The list of all rules, for people, for programs, and for the documentation."""

from __future__ import annotations

import json
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from gradlint.report.measured import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gradlint.report.measured import Measured
    from gradlint.report.style import Style
    from gradlint.rules.support.rule import Rule


_INDENT = " " * 6


def render_text(rules: Sequence[Rule], known: Mapping[str, Measured], style: Style) -> str:
    """The rules by category: severity, repair, whether on by default, how often right; below it what they find."""
    wide = max((len(rule.name) for rule in rules), default=0)
    blocks = []
    for category, group in groupby(rules, key=lambda rule: rule.category):
        lines = [style.paint(category, "bold")]
        for rule in group:
            severity = style.severity(rule.severity, f"{rule.severity.value:7}")
            state = "on " if rule.default else style.paint("off", "dim")
            fix = f"fix: {rule.safety.value:6}"
            lines.append(f"  {rule.name:{wide}}  {severity}  {state}  {fix}  right: {_of(known, rule).short()}")
            lines += [_INDENT + style.paint(line, "dim") for line in wrap(rule.summary, style.width - len(_INDENT))]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def render_json(rules: Sequence[Rule], known: Mapping[str, Measured]) -> str:
    """The rules as a JSON list."""
    rows = [
        {
            "name": rule.name,
            "category": rule.category,
            "severity": rule.severity.value,
            "default": rule.default,
            "fix": rule.safety.value,
            "summary": rule.summary,
            "measured": _counts(_of(known, rule)),
        }
        for rule in rules
    ]
    return json.dumps(rows, indent=2) + "\n"


def _of(known: Mapping[str, Measured], rule: Rule) -> Measured:
    return known.get(rule.name, NOTHING)


def _counts(measured: Measured) -> dict[str, object] | None:
    """How often a rule was right; nothing where none of its findings was read."""
    if measured == NOTHING:
        return None
    share = None if measured.share is None else round(measured.share, 3)
    return {
        "right": measured.right,
        "wrong": measured.wrong,
        "debatable": measured.debatable,
        "share": share,
        "date": measured.date,
        "now": {
            "right": measured.right - measured.right_gone,
            "wrong": measured.wrong - measured.wrong_gone,
            "share": None if measured.now is None else round(measured.now, 3),
        },
    }


def render_markdown(rules: Sequence[Rule], known: Mapping[str, Measured]) -> str:
    """The rules as a Markdown table whose names link to their pages from the root of the repository."""
    lines = ["| rule | category | severity | default | fix | right | finds |", "|---|---|---|---|---|---|---|"]
    for rule in rules:
        cells = (
            f"[{rule.name}](rules/{rule.name}.md)",
            rule.category,
            rule.severity.value,
            "on" if rule.default else "off",
            rule.safety.value,
            _of(known, rule).short(),
            rule.summary.replace("|", "\\|"),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"

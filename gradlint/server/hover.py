"""Hovering: the books and the rule's page, where a finding or a comment names a rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from gradlint.model.finding import Span
from gradlint.report import pages
from gradlint.report.books import evidence_table
from gradlint.report.style import Style

if TYPE_CHECKING:
    from gradlint.model.finding import Finding, Report
    from gradlint.server.client import Client
    from gradlint.server.units import Unit

_COMMENT = re.compile(r"#\s*gradlint:\s*ignore(?:-file)?\s*\[([^\]]*)\]")


def hover(unit: Unit, report: Report, place: tuple[int, int], client: Client) -> Hover | None:
    """What to tell about a place.

    Args:
        unit: the program as it is now.
        report: what was found in it.
        place: the unit's row and column.
        client: what the editor understands.
    """
    here = [one for one in report.findings if _holds(one.span, place)]
    if here:
        text = "\n\n---\n\n".join(_of_finding(one) for one in here)
        return _shown(text, client, unit, here[0].span)
    span = _named(unit, place)
    if span is None:
        return None
    line = _line(unit, span.row)
    return _shown(pages.read(line[span.column - 1 : span.end_column - 1]), client, unit, span)


def _of_finding(finding: Finding) -> str:
    """The update as executed beside as meant, and the page."""
    table = [] if finding.evidence is None else evidence_table(finding.evidence, Style())
    books = "\n".join(["```text", *table, "```", "", ""]) if table else ""
    try:
        return books + pages.read(finding.rule).rstrip()
    except pages.PageError:
        return books + finding.message


def _shown(text: str, client: Client, unit: Unit, span: Span) -> Hover:
    kind = MarkupKind.Markdown if client.markdown else MarkupKind.PlainText
    return Hover(MarkupContent(kind, text), unit.location(span).range)


def _named(unit: Unit, place: tuple[int, int]) -> Span | None:
    """Where a comment names a rule at this place."""
    row, column = place
    comment = _COMMENT.search(_line(unit, row))
    if comment is None:
        return None
    for name in re.finditer(r"[\w-]+", comment[1]):
        start = comment.start(1) + name.start() + 1
        span = Span(row, start, row, start + len(name[0]))
        if _holds(span, (row, column)) and name[0] in pages.names():
            return span
    return None


def _line(unit: Unit, row: int) -> str:
    part = unit.part(row)
    return part.lines.rows[row - part.start - 1]


def _holds(span: Span, place: tuple[int, int]) -> bool:
    return (span.row, span.column) <= place <= (span.end_row, span.end_column)

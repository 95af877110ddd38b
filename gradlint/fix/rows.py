"""Rows of a text that was repaired, as rows of the text that the user has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from gradlint.model.finding import Finding, Related, Span
from gradlint.model.record import replace
from gradlint.syntax.source import split_lines

_LINE = re.compile(r"\bline (\d+)\b(?! of \S+\.py\b)")
"""A line of the text itself: those of other files are called by these."""


class Rows:
    """Where the rows of a current text stand in the original one; a new row stands where the last known one does."""

    def __init__(self, text: str) -> None:
        self._at: Sequence[int] = range(1, len(split_lines(text)) + 2)

    def follow(self, before: str, after: str) -> None:
        """Go on to the text after one more repair."""
        old, new = split_lines(before), split_lines(after)
        at: list[int] = []
        changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        moved = _moved(old, changes)
        for tag, start, _, first, last in changes:
            for number in range(first, last):
                place = start + number - first if tag in ("equal", "replace") else start - 1
                if tag != "equal" and moved.get(new[number].strip()):
                    place = moved[new[number].strip()].pop(0)
                at.append(self.of(min(place, len(old) - 1) + 1))
        self._at = [*at, self.of(len(old) + 1)]

    def of(self, row: int) -> int:
        """The original row of a row, both 1-based."""
        known = self._at
        return known[min(max(row, 1), len(known)) - 1]

    def told(self, finding: Finding) -> Finding:
        """A finding of the current text, said of the original one."""
        return replace(
            finding,
            span=self._span(finding.span),
            message=self._text(finding.message),
            why=self._text(finding.why),
            impact=self._text(finding.impact),
            related=tuple(self._related(one) for one in finding.related),
        )

    def _related(self, related: Related) -> Related:
        if related.path:
            return related
        return replace(related, span=self._span(related.span), message=self._text(related.message))

    def _span(self, span: Span) -> Span:
        row = self.of(span.row)
        return span._replace(row=row, end_row=row + span.end_row - span.row)

    def _text(self, text: str) -> str:
        return _LINE.sub(lambda found: f"line {self.of(int(found[1]))}", text)


def _moved(old: Sequence[str], changes: Sequence[tuple[str, int, int, int, int]]) -> dict[str, list[int]]:
    """Where the lines stood that are gone from their place, by what they say: a repair may have moved them."""
    found: dict[str, list[int]] = {}
    for tag, start, end, _, _ in changes:
        for number in range(start, end) if tag in ("delete", "replace") else ():
            if old[number].strip():
                found.setdefault(old[number].strip(), []).append(number)
    return found

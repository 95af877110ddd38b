"""Lines in the words of a rule, which knows no file by name: `line 12`, with a mark of its module at first."""

from __future__ import annotations

import re

from gradlint.model.finding import Span

LINE_MARK = "\x1f"
PLACED = re.compile(rf"(?P<line>line \d+){LINE_MARK}(?P<module>\d+){LINE_MARK}")


def line_of(span: Span) -> str:
    """`line 12`; of a module among several, with its mark."""
    mark = f"{LINE_MARK}{span.module}{LINE_MARK}" if span.module else ""
    return f"line {span.row}{mark}"

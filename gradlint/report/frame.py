"""The code frame: the lines that matter, their numbers, and what is marked in them.

   |
12 |     optimizer.step()
   |     ---------------- spends the gradient
 … |
15 |     clip_grad_norm_(model.parameters(), 1.0)
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
"""

from __future__ import annotations

import textwrap
import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING

from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.model.finding import Finding, Severity, Span
    from gradlint.report.style import Style

_TALLEST = 4
_TAB = "    "


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to underline. `severity` is set on the finding's own place only."""

    span: Span
    message: str
    severity: Severity | None = None


def marks_of(finding: Finding) -> tuple[Mark, ...]:
    """The finding's own place and the related ones of the same file and cell, one mark for a place."""
    related = [one for one in finding.related if one.cell == finding.cell and not one.path]
    own = [one.message for one in related if one.span == finding.span]
    others = [Mark(one.span, one.message) for one in related if one.span != finding.span]
    return (Mark(finding.span, "; ".join(own), finding.severity), *others)


def marks_elsewhere(finding: Finding) -> dict[str, tuple[Mark, ...]]:
    """The related places in other files, by these."""
    found: dict[str, tuple[Mark, ...]] = {}
    for one in finding.related:
        if one.path:
            found[one.path] = (*found.get(one.path, ()), Mark(one.span, one.message))
    return found


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines of one file with what is marked in them; marks of rows that are not there are none."""

    lines: Sequence[str]
    marks: Sequence[Mark]

    @classmethod
    def of(cls, lines: Sequence[str], marks: Sequence[Mark]) -> Drawing:
        """A drawing of what there is."""
        return cls(lines, [mark for mark in marks if 1 <= mark.span.row <= len(lines)])

    @property
    def gutter(self) -> int:
        """How wide the row numbers are."""
        return len(str(_rows(self.lines, self.marks)[-1])) if self.marks else 0


def draw(lines: Sequence[str], marks: Sequence[Mark], style: Style) -> list[str]:
    """The frame's lines; none when no marked row exists in `lines`."""
    drawing = Drawing.of(lines, marks)
    return drawn(drawing, drawing.gutter, style)


def drawn(drawing: Drawing, gutter: int, style: Style) -> list[str]:
    """The frame's lines, with that much room for row numbers."""
    lines, marks = drawing.lines, drawing.marks
    if not marks:
        return []
    rows = _rows(lines, marks)
    bar = style.paint(f"{'':{gutter}} |", "blue")
    out = [bar]
    for before, row in zip([rows[0] - 1, *rows], rows, strict=False):
        if row > before + 1:
            out.append(style.paint(style.glyphs(f"{'…':>{gutter}} |"), "blue"))
        here = sorted((m for m in marks if m.span.row == row), key=lambda m: m.span)
        line = _fit(lines[row - 1], here, style.width - gutter - 3)
        number = style.paint(f"{row:>{gutter}} |", "blue")
        out.append(f"{number} {style.glyphs(line.text)}".rstrip())
        for mark in here:
            out += [f"{bar} {text}" for text in _underline(line, mark, style, gutter)]
    return [*out, bar]


def _rows(lines: Sequence[str], marks: Sequence[Mark]) -> list[int]:
    """The rows to show: the marked ones, a neighbour each side of a lone one, gaps of one."""
    rows: set[int] = set()
    for mark in marks:
        last = mark.span.end_row - (mark.span.end_column == 1)
        rows.update(range(mark.span.row, max(mark.span.row, min(last, len(lines))) + 1)[:_TALLEST])
    if len({mark.span.row for mark in marks}) == 1:
        rows |= {min(rows) - 1, max(rows) + 1}
    rows |= {row + 1 for row in rows if row + 2 in rows}
    marked = {mark.span.row for mark in marks}
    inside = sorted(row for row in rows if 1 <= row <= len(lines))
    while inside[0] not in marked and not lines[inside[0] - 1].strip():
        del inside[0]
    while inside[-1] not in marked and not lines[inside[-1] - 1].strip():
        del inside[-1]
    return inside


@dataclass(frozen=True, slots=True)
class _Line:
    """A source line as drawn; `offsets[i]` is where its character `i` begins on the screen."""

    text: str
    offsets: tuple[int, ...]

    def screen(self, column: int) -> int:
        """Where the 1-based source column begins."""
        return self.offsets[max(0, min(column - 1, len(self.offsets) - 1))]


def _fit(source: str, marks: Sequence[Mark], width: int) -> _Line:
    """Draw `source` in `width` columns, cut so that what is marked stays in sight."""
    cells = [_cell(char) for char in source.rstrip()]
    offsets = list(accumulate((_width(cell) for cell in cells), initial=0))
    if offsets[-1] <= width:
        return _Line("".join(cells), tuple(offsets))
    need = max((offsets[min(m.span.column - 1, len(cells))] for m in marks), default=0)
    shift = 0 if need < width * 2 // 3 else need - width // 3
    first = next(i for i, offset in enumerate(offsets) if offset >= shift)
    last = max(i for i, offset in enumerate(offsets) if offset - offsets[first] <= width - 2)
    head, tail = "…" if first else "", "…" if last < len(cells) else ""
    edge = len(head)
    moved = (min(max(offset - offsets[first] + edge, 0), width) for offset in offsets)
    end = offsets[last] - offsets[first] + edge
    return _Line(head + "".join(cells[first:last]) + tail, tuple(min(at, end) for at in moved))


def _cell(char: str) -> str:
    if char == "\t":
        return _TAB
    return char if char.isprintable() else "?"


def _width(cell: str) -> int:
    """Columns that `cell` takes on a screen."""
    if cell.isascii():
        return len(cell)
    if unicodedata.combining(cell):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in {"W", "F"} else 1


def _underline(line: _Line, mark: Mark, style: Style, gutter: int) -> Iterator[str]:
    """The marker under a line and its message, beside it or, when long, below it."""
    start = line.screen(mark.span.column)
    single = mark.span.end_row == mark.span.row
    end = line.screen(mark.span.end_column) if single else line.offsets[-1]
    length = max(1, end - start)
    looks = _Looks(style, mark.severity)
    below = looks.paint(("-" if mark.severity is None else "^") * length)
    room = style.width - gutter - 3
    if not mark.message:
        yield " " * start + below
    elif start + length + 1 + len(mark.message) <= room:
        yield f"{' ' * start}{below} {looks.paint(mark.message)}"
    else:
        yield " " * start + below
        indent = min(start, max(0, room - 50))
        for text in textwrap.wrap(mark.message, max(20, room - indent)):
            yield " " * indent + looks.paint(text)


@dataclass(frozen=True, slots=True)
class _Looks:
    style: Style
    severity: Severity | None

    def paint(self, text: str) -> str:
        if self.severity is None:
            return self.style.paint(text, "bold", "blue")
        return self.style.severity(self.severity, text)

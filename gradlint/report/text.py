"""The full report: place, code, message, the ledger as executed beside as meant, and the repair."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from gradlint.model.finding import Safety
from gradlint.model.placed import tail
from gradlint.report.style import printable
from gradlint.report.summary import mark, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gradlint.model.finding import Finding, Fix, Report, Span
    from gradlint.report.style import Style

    Read = Callable[[str, int | None], str]

_PAD = "  "


def render(report: Report, read: Read, style: Style, *, everything: bool = False) -> str:
    """Draw every finding, then a line that sums up, and what was not judged.

    Args:
        report: What was found.
        read: The text of a file, or of one cell of a notebook; empty if it is gone.
        style: What the screen can show.
        everything: Whether to list all loops that were not judged, instead of the first few.
    """
    blocks = [render_finding(finding, read, style) for finding in report.findings]
    return "\n\n".join([*blocks, summary(report, everything=everything)]) + "\n"


def render_finding(finding: Finding, read: Read, style: Style) -> str:
    """Draw one finding, without a line break at its end."""
    from gradlint.report.books import evidence_table  # a clean file has no use for these two

    out = [_header(finding, style), *_frames(finding, read, style), *_prose(finding, style)]
    if finding.doubts:
        out += ["", *_doubts(finding, style)]
    table = [] if finding.evidence is None else evidence_table(finding.evidence, style)
    if table:
        out += ["", *(f"{_PAD}{line}" for line in table)]
    if finding.fix is not None:
        out += ["", *_wrapped(f"help: {repair(finding.fix)}", style, style.paint("help:", "bold", "green"))]
    elif finding.elsewhere:
        out += ["", *_wrapped(f"help: {elsewhere(finding)}", style, style.paint("help:", "bold", "green"))]
    return "\n".join(out)


def _frames(finding: Finding, read: Read, style: Style) -> Iterator[str]:
    """The code of the finding's file, then that of each other file which takes part in it."""
    from gradlint.report.frame import Drawing, drawn, marks_elsewhere, marks_of

    own = Drawing.of(_lines(read(finding.path, finding.cell)), marks_of(finding))
    others = {path: Drawing.of(_lines(read(path, None)), marks) for path, marks in marks_elsewhere(finding).items()}
    gutter = max(one.gutter for one in (own, *others.values()))
    yield from drawn(own, gutter, style)
    for one in (one for one in finding.related if one.path):
        drawing = others.pop(one.path, None)
        if drawing is not None:
            yield style.paint(f"{'':{gutter}}::: {place_in(one.path, one.span)}", "blue")
            yield from drawn(drawing, gutter, style)


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


def elsewhere(finding: Finding) -> str:
    """Which files its repair changes, where that is one that `fix` makes only if it may."""
    own, paths = finding.path, finding.elsewhere
    named = [tail(path, *(other for other in {own, *paths} if other != path)) for path in paths]
    listed = ", ".join(named[:-1]) + " and " * bool(named[1:]) + named[-1]
    return f"the repair changes {listed}: use `gradlint fix --project`"


def repair(fix: Fix) -> str:
    """`title (safe: reason)`."""
    reason = fix.reason or ("more than one repair is plausible" if fix.safety is Safety.UNSAFE else "")
    note = f"{fix.safety.value}: {reason.rstrip('.')}" if reason else f"{fix.safety.value} fix"
    return f"{fix.title} ({note})"


def place(finding: Finding) -> str:
    """`path:row:column`, with the cell in a notebook."""
    cell = "" if finding.cell is None else f":cell {finding.cell}"
    return f"{printable(finding.path)}{cell}:{finding.span.row}:{finding.span.column}"


def place_in(path: str, span: Span) -> str:
    """`path:row:column`."""
    return f"{printable(path)}:{span.row}:{span.column}"


def _header(finding: Finding, style: Style) -> str:
    severity = style.severity(finding.severity, finding.severity.value)
    rule = style.paint(f"[{finding.rule}]", "bold")
    return f"{severity}{rule} {place(finding)} {mark(finding)}".rstrip()


def _prose(finding: Finding, style: Style) -> list[str]:
    """The message, then why and what it does to training, as one paragraph."""
    width = style.width - len(_PAD)
    message = textwrap.wrap(printable(finding.message), width)
    reason = textwrap.wrap(printable(f"{finding.why} {finding.impact}".strip()), width)
    return [_PAD + style.paint(line, "bold") for line in message] + [_PAD + r for r in reason]


def _doubts(finding: Finding, style: Style) -> list[str]:
    """Why the finding may be wrong, a line for each reason."""
    head = f"doubt: {finding.confidence.value} confidence, for"
    return _wrapped(f"{head} {', and '.join(finding.doubts)}", style, style.paint("doubt:", "bold", "yellow"))


def _wrapped(text: str, style: Style, head: str) -> list[str]:
    """`text` wrapped under its first word, which is shown as `head`."""
    word = text.split(maxsplit=1)[0]
    indent = _PAD + " " * (len(word) + 1)
    lines = textwrap.wrap(printable(text), style.width, initial_indent=_PAD, subsequent_indent=indent)
    return [lines[0].replace(word, head, 1), *lines[1:]]

"""A rule's page on a terminal: headings bold, code set off. Without colour it stays Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradlint.report.style import Style


def render(page: str, style: Style) -> str:
    """Draw the Markdown text `page`."""
    if not style.colour:
        return page if page.endswith("\n") else f"{page}\n"
    out: list[str] = []
    in_code = False
    for line in page.rstrip("\n").split("\n"):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif in_code:
            out.append(f"    {_code(line, style)}")
        else:
            out.append(_prose(line, style))
    return "\n".join(out) + "\n"


def _code(line: str, style: Style) -> str:
    """A line of code, its comment set off; the line that is reported in red."""
    code, mark, comment = line.partition("#")
    looks = ("red", "bold") if comment.strip().startswith("error") else ("dim",)
    return style.paint(code, "cyan") + style.paint(mark + comment, *looks)


def _prose(line: str, style: Style) -> str:
    if line.startswith("#"):
        return style.paint(line.lstrip("# "), "bold")
    line = re.sub(r"\*\*(.+?)\*\*", lambda m: style.paint(m[1], "bold"), line)
    return re.sub(r"`([^`]+)`", lambda m: style.paint(m[1], "cyan"), line)

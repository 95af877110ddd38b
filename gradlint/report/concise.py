"""One line a finding, as editors and compilers write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.report.style import printable
from gradlint.report.summary import mark, summary
from gradlint.report.text import place

if TYPE_CHECKING:
    from gradlint.model.finding import Report
    from gradlint.report.style import Style


def render(report: Report, style: Style, *, everything: bool = False) -> str:
    """`path:row:column: rule message` for every finding, `[*]` before what has a safe repair; then the summary."""
    lines = [
        " ".join([f"{place(one)}:", style.severity(one.severity, one.rule), *mark(one).split(), printable(one.message)])
        for one in report.findings
    ]
    return "\n".join([*lines, summary(report, everything=everything)]) + "\n"

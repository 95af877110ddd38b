"""What `gradlint fix` did or would do: each repair with its reason, what is left, and the count."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from gradlint.model.finding import Safety
from gradlint.model.record import dataclass
from gradlint.report.counts import count
from gradlint.report.style import printable
from gradlint.report.summary import across, unsafe
from gradlint.report.text import elsewhere, place, repair

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.fix.result import FixResult
    from gradlint.model.finding import Finding
    from gradlint.report.style import Style

_PAD = "    "


@dataclass(frozen=True, slots=True)
class Summary:
    """What to tell of a run.

    Attributes:
        results: of every file with a finding or a problem; one that could not be written applied nothing.
        files: how many files were read.
        written: whether the repairs were carried out, or only shown.
    """

    results: Sequence[FixResult]
    files: int
    written: bool


def render(summary: Summary, style: Style) -> str:
    """The repairs, those that kept no promise, what remains (when written), and one line that counts."""
    blocks = [
        [line for result in summary.results for one in result.applied for line in _repair(one, style)],
        [] if summary.written else [line for result in summary.results for line in _unkept(result, style)],
        [line for result in summary.results for line in _remaining(result, style)] if summary.written else [],
        [_count(summary), *_tidied(summary)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _repair(finding: Finding, style: Style) -> Iterator[str]:
    """`path:row: rule: title (safe: reason)`, and below it what changes in training."""
    fix = finding.fix
    cell = "" if finding.cell is None else f":cell {finding.cell}"
    where = f"{printable(finding.path)}{cell}:{finding.row}"
    rule = style.severity(finding.severity, finding.rule)
    if fix is None:
        yield f"{where}: {rule}"
        return
    yield f"{where}: {rule}: {printable(repair(fix))}"
    others = sorted({edit.path for edit in fix.edits} - {""})
    if others:
        yield f"{_PAD}changes {printable(', '.join(others))}"
    for line in textwrap.wrap(printable(fix.effect), style.width - len(_PAD)):
        yield _PAD + line


def _unkept(result: FixResult, style: Style) -> Iterator[str]:
    """Findings whose repairs were tried, and what came of it."""
    for one in result.withdrawn:
        rule = style.severity(one.finding.severity, one.finding.rule)
        yield f"{place(one.finding)}: {rule}: {UNKEPT} ({printable(one.reason)})"


UNKEPT = "no repair that keeps its promise was found"


def _remaining(result: FixResult, style: Style) -> Iterator[str]:
    for one in result.remaining:
        rule = style.severity(one.severity, one.rule)
        yield f"{place(one)}: {rule} {printable(one.message)} ({why_left(one, result)})"


def why_left(finding: Finding, result: FixResult) -> str:
    """Why a finding is still there."""
    if any((one.finding.rule, one.finding.message) == (finding.rule, finding.message) for one in result.withdrawn):
        return UNKEPT
    if finding.fix is None:
        return elsewhere(finding) if finding.elsewhere else "no automatic fix"
    if result.problems:
        return "its file was not written"
    return "unsafe fix: use --unsafe-fixes" if finding.fix.safety is Safety.UNSAFE else "not applied"


def _count(summary: Summary) -> str:
    """How many problems in how many files, and how many are left."""
    applied = [one for result in summary.results for one in result.applied]
    left = [one for result in summary.results for one in result.remaining]
    failed = len({problem.path for result in summary.results for problem in result.problems})
    tail = f"; {_left(left, bool(applied))}" if left else ""
    tail += f"; {count(failed, 'file')} could not be fixed" if failed else ""
    if applied:
        files = count(len({path for one in applied for path in _files(one)}), "file")
        verb = "Fixed" if summary.written else "Would fix"
        return f"{verb} {count(len(applied), 'problem')} in {files}{tail}."
    if not summary.files and not failed:
        return "No Python files were checked."
    return f"Nothing to fix in {count(summary.files, 'file')}{tail}."


def _files(finding: Finding) -> set[str]:
    """The files that its repair changes."""
    edits = finding.fix.edits if finding.fix is not None else ()
    return {edit.path or finding.path for edit in edits} or {finding.path}


def _tidied(summary: Summary) -> list[str]:
    """How many comments silenced nothing, if any."""
    number = sum(result.tidied for result in summary.results)
    verb = "Removed" if summary.written else "Would remove"
    return [f"{verb} {count(number, 'unused comment')}."] if number else []


def _left(left: Sequence[Finding], others: bool) -> str:
    """What remains, beside others that do not."""
    number = str(len(left)) if others else count(len(left), "problem")
    remain = f"{number} {'remains' if len(left) == 1 else 'remain'}"
    ways = ((unsafe(left), "--unsafe-fixes"), (across(left), "--project"))
    found = [f"{number} fixable with {option}" for number, option in ways if number]
    return f"{remain} ({', '.join(found)})" if found else remain

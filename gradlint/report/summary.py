"""How a report ends: what was found, and which command repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.finding import Safety
from gradlint.report.counts import count, nothing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.model.finding import Finding, Report


def summary(report: Report, *, everything: bool = False) -> str:
    """How many problems in how many files and what repairs them, or what was checked; then what was not judged.

    It never says that a loop is right: doubted and silenced findings are not counted. Nor does it say that there are no
    problems where nothing was judged.

    Args:
        report: What was found.
        everything: Whether to list all loops that were not judged, instead of the first few.
    """
    if not report.unjudged:
        return _found(report)
    from gradlint.report.unjudged import lines

    return "\n".join([_found(report), *lines(report, everything=everything)])


def _found(report: Report) -> str:
    failed = len(report.problems)
    missing = f"; {count(failed, 'file')} could not be checked" if failed else ""
    if report.findings:
        files = len({finding.path for finding in report.findings})
        found = count(len(report.findings), "problem")
        repairs = _repairs(report.findings)
        blind = f"\n{_blind(report)}:" if report.unjudged else ""
        return f"Found {found} in {count(files, 'file')}{missing}." + (f"\n{repairs}" if repairs else "") + blind
    if not report.unjudged:
        return nothing(report.files, report.regions, missing)
    from gradlint.report.unjudged import counts

    judged, partly, _ = counts(report)
    head = "No problems found" if judged or partly else "Nothing was judged"
    return f"{head}: {count(report.files, 'file')}, {_blind(report)}{missing}:"


def _blind(report: Report) -> str:
    from gradlint.report.unjudged import told

    return told(report)


def fixable(findings: Sequence[Finding]) -> int:
    """How many findings carry a repair, safe or not."""
    return sum(finding.fix is not None for finding in findings)


def mark(finding: Finding) -> str:
    """`[*]` for a finding that `gradlint fix --apply` repairs."""
    return "[*]" if finding.fix is not None and finding.fix.safety is Safety.SAFE else ""


def unsafe(findings: Sequence[Finding]) -> int:
    """How many findings carry an unsafe repair."""
    return sum(finding.fix is not None and finding.fix.safety is Safety.UNSAFE for finding in findings)


def across(findings: Sequence[Finding]) -> int:
    """How many findings have a repair that changes other files of the project."""
    return sum(bool(finding.elsewhere) for finding in findings)


def _repairs(findings: Sequence[Finding]) -> str:
    """Which command repairs how many of them."""
    plausible = unsafe(findings)
    safe = fixable(findings) - plausible
    ways = ((plausible, "--unsafe-fixes"), (across(findings), "--project"))
    others = [(number, option) for number, option in ways if number]
    if safe:
        more = ", ".join(f"{number} more with `{option}`" for number, option in others)
        return f"[*] {safe} fixable with `gradlint fix --apply`{f' ({more})' if more else ''}."
    return " ".join(f"{number} fixable with `gradlint fix --apply {option}`." for number, option in others)

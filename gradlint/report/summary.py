"""How a report ends: what was found, and which command repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.finding import Safety
from gradlint.report.counts import count, nothing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.finding import Finding, Report


def summary(report: Report) -> str:
    """How many problems in how many files and what repairs them, or what was checked.

    It never says that a loop is right: doubted and silenced findings are not counted.
    """
    failed = len(report.problems)
    missing = f"; {count(failed, 'file')} could not be checked" if failed else ""
    if report.findings:
        files = len({finding.path for finding in report.findings})
        found = count(len(report.findings), "problem")
        repairs = _repairs(report.findings)
        return f"Found {found} in {count(files, 'file')}{missing}." + (f"\n{repairs}" if repairs else "")
    return nothing(report.files, report.regions, missing)


def fixable(findings: Sequence[Finding]) -> int:
    """How many findings carry a repair, safe or not."""
    return sum(finding.fix is not None for finding in findings)


def mark(finding: Finding) -> str:
    """`[*]` for a finding that `gradlint fix --apply` repairs."""
    return "[*]" if finding.fix is not None and finding.fix.safety is Safety.SAFE else ""


def unsafe(findings: Sequence[Finding]) -> int:
    """How many findings carry an unsafe repair."""
    return sum(finding.fix is not None and finding.fix.safety is Safety.UNSAFE for finding in findings)


def _repairs(findings: Sequence[Finding]) -> str:
    """Which command repairs how many of them."""
    plausible = unsafe(findings)
    safe = fixable(findings) - plausible
    if safe:
        more = f" ({plausible} more with `--unsafe-fixes`)" if plausible else ""
        return f"[*] {safe} fixable with `gradlint fix --apply`{more}."
    return f"{plausible} fixable with `gradlint fix --apply --unsafe-fixes`." if plausible else ""

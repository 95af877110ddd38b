"""What the linter is sure of, beside what was measured: where the two contradict each other, nothing is confirmed.

The wet run measures without the linter's help, so that each is evidence for the other. Only here, after the verdict,
are they held against each other: a loop in which `check` is sure of an error is not called right. One of the two is
wrong about it, and nobody knows which.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gradlint.finding import Confidence, Finding, Severity
from gradlint.verify.files import sliced_text
from gradlint.verify.judge import reachable
from gradlint.verify.reasons import Reason
from gradlint.verify.result import FileResult, Loop, Shown, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.config import Settings


def compared(result: FileResult, text: str, settings: Settings | None = None, *, always: bool = False) -> FileResult:
    """The verdicts on a text, without confirmations that the linter contradicts.

    The linter is asked where a loop is confirmed, or always; then each loop has its sure errors.
    """
    if not always and not any(loop.verdict is Verdict.CONFIRMED for loop in result.loops):
        return result
    errors = sure_errors(text, result.path, settings)
    sliced, _ = sliced_text(text, result.path)
    if not errors or sliced is None:
        return result
    regions = {(region.name, region.row): region for region in sliced.regions}
    loops = []
    for loop in result.loops:
        region = regions.get((loop.name, loop.row))
        mine = errors if region is None else _inside(errors, reachable(sliced, region))
        loops.append(_doubted(loop, mine))
    return replace(result, loops=tuple(loops))


def sure_errors(text: str, path: str, settings: Settings | None = None) -> tuple[Finding, ...]:
    """The errors that `check` reports without a doubt; what a comment or the configuration silences is none."""
    from gradlint.config import Settings
    from gradlint.engine import check_text

    report = check_text(text, path, settings or Settings())
    sure = (one for one in report.findings if one.confidence is Confidence.HIGH)
    return tuple(one for one in sure if one.severity is Severity.ERROR)


def _inside(errors: Sequence[Finding], nodes: Sequence[ast.AST]) -> list[Finding]:
    """The errors that stand in what a loop may walk, or name a line there."""
    spans = [(getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0) for node in nodes]
    return [one for one in errors if any(_meets(one, first, last) for first, last in spans)]


def _meets(error: Finding, first: int, last: int) -> bool:
    rows = (error.row, *(related.span.row for related in error.related))
    return any(first <= row <= last for row in rows)


def _doubted(loop: Loop, errors: Sequence[Finding]) -> Loop:
    """A loop with the sure errors in it; it was confirmed in vain where there are some."""
    shown = tuple(Shown(one.rule, one.row, one.message) for one in errors)
    if not shown or loop.verdict is not Verdict.CONFIRMED:
        return replace(loop, errors=shown)
    told = f"line {shown[0].row}: {shown[0].rule}, though nothing that was measured shows it"
    return replace(loop, errors=shown, verdict=Verdict.INCONCLUSIVE, reason=Reason.LINTER.value, detail=told)

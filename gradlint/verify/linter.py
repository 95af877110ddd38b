"""What the linter is sure of, beside what was measured: where the two contradict each other, nothing is said for sure.

    measured                      the linter                                  the verdict
    -------------------------     ----------------------------------------    ------------
    nothing wrong                 sees nothing for sure                       confirmed
    nothing wrong                 is sure of a mistake                        inconclusive
    a mistake                     is sure of that mistake                     differs
    a mistake                     sees none of them                           inconclusive

The wet run measures without the linter's help, so that each is evidence for the other. Only here, after the verdict,
are they held against each other. Where they contradict each other one of the two is wrong, and nobody knows which.
What the linter could not judge is no evidence by itself either: what hides the loop from the one (functions that a
table calls in turn, an iterator that looks ahead) may have lost the other its gradients.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gradlint.model.finding import Confidence, Finding
from gradlint.verify.files import sliced_text
from gradlint.verify.judge import reachable
from gradlint.verify.measures import LEFT_BEHIND
from gradlint.verify.reasons import Reason
from gradlint.verify.result import FileResult, Loop, Shown, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.model.finding import Unjudged
    from gradlint.model.settings import Settings


def compared(result: FileResult, text: str, settings: Settings | None = None, *, always: bool = False) -> FileResult:
    """The verdicts on a text, without those that the linter contradicts.

    The linter is asked where a verdict was reached, or always; then each loop has what the linter is sure of in it.
    """
    if not always and all(loop.verdict is Verdict.INCONCLUSIVE for loop in result.loops):
        return result
    sliced, _ = sliced_text(text, result.path)
    if sliced is None:
        return result
    said = opinion(text, result.path, settings)
    regions = {(region.name, region.row): region for region in sliced.regions}
    loops = []
    for loop in result.loops:
        region = regions.get((loop.name, loop.row))
        nodes = None if region is None else reachable(sliced, region)
        mine, seen = (found if nodes is None else _inside(found, nodes) for found in (said.sure, said.every))
        blind = nodes is None or any(_covers(nodes, one.span.row) for one in said.unjudged)
        why = "could not judge all of the loop" if blind else "judged the loop"
        loops.append(_undecided(_doubted(loop, mine), frozenset(one.rule for one in seen), why))
    return replace(result, loops=tuple(loops))


@dataclass(frozen=True)
class Opinion:
    """What the linter says of a text: for sure, for sure if every rule is on, and which loops it has not judged."""

    sure: tuple[Finding, ...]
    every: tuple[Finding, ...]
    unjudged: tuple[Unjudged, ...]


def opinion(text: str, path: str, settings: Settings | None = None) -> Opinion:
    """What `check` says without a doubt; what a comment or the configuration silences is left out of `sure`."""
    from gradlint.check.engine import check_text
    from gradlint.model.settings import Settings

    settings = settings or Settings()
    report = check_text(text, path, settings)
    sure = _sure(report.findings)
    if not settings.narrowed:
        return Opinion(sure, sure, report.unjudged)
    every = check_text(text, path, Settings(custom=settings.custom)).findings
    return Opinion(sure, _sure(every), report.unjudged)


def _sure(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(one for one in findings if one.confidence is Confidence.HIGH)


_ANYWHERE = "method-not-called"


def _inside(findings: Sequence[Finding], nodes: Sequence[ast.AST]) -> list[Finding]:
    """The findings that stand in what a loop may walk, or name a line there; an uncalled method is missed in all."""
    return [
        one
        for one in findings
        if one.rule == _ANYWHERE
        or any(_covers(nodes, row) for row in (one.row, *(related.span.row for related in one.related)))
    ]


def _covers(nodes: Sequence[ast.AST], row: int) -> bool:
    spans = ((getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0) for node in nodes)
    return any(first <= row <= last for first, last in spans)


def _doubted(loop: Loop, findings: Sequence[Finding]) -> Loop:
    """A loop with what the linter is sure of in it; it was confirmed in vain where there is something."""
    shown = tuple(Shown(one.rule, one.row, one.message) for one in findings)
    if not shown or loop.verdict is not Verdict.CONFIRMED:
        return replace(loop, errors=shown)
    told = f"line {shown[0].row}: {shown[0].rule}, though nothing that was measured shows it"
    return replace(loop, errors=shown, verdict=Verdict.INCONCLUSIVE, reason=Reason.LINTER.value, detail=told)


def _undecided(loop: Loop, rules: frozenset[str], why: str) -> Loop:
    """A loop that differs in vain where the linter sees nothing of the kind."""
    measured_alone = any(LEFT_BEHIND in one.text for one in loop.shown)
    if loop.verdict is not Verdict.DIFFERS or loop.rules & rules or measured_alone:
        return loop
    told = f"{min(loop.rules)} was measured, though the linter, which {why}, sees none"
    return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=Reason.UNEXPLAINED.value, detail=told)

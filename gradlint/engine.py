"""The engine: text in, findings out.

    text --lower--> program --explore--> regions, worlds --fold--> books --rules--> hits --judge--> findings

`judge` merges what the worlds say: a presence rule needs one world, an absence rule is excused by
one world in which the missing thing happens; the consequence of another mistake stands back; every
doubt lowers confidence, and only what is certain is reported by default.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.finding import Confidence, Finding, Problem, Report, Span
from gradlint.source import DepthError, SourceError, read_text

if TYPE_CHECKING:
    from gradlint.config import Settings
    from gradlint.dryrun.explore import Region
    from gradlint.program import Program
    from gradlint.rule import Case, Hit, Rule
    from gradlint.trace import RegionTrace

TOKENS = ("backward", "loss_scaler", "NativeScaler")
"""A file that holds none of these has no training loop."""

RECURSION = 5_000

_CONFIDENCE = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)


@contextmanager
def deep() -> Iterator[None]:
    """Room for long sums and deep nesting: Python's own parser reads what its default limit cannot walk."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def check_paths(paths: Sequence[Path], settings: Settings, problems: Sequence[Problem] = ()) -> Report:
    """Check files that were already discovered.

    Args:
        paths: the files, in the order in which findings are reported.
        settings: which rules, how sure.
        problems: what discovery already complained about.
    """
    findings: list[Finding] = []
    found = list(problems)
    warnings: list[Problem] = []
    regions = 0
    for path in paths:
        try:
            report = check_text(read_text(path), str(path), settings)
        except SourceError as error:
            found.append(Problem(str(path), error.message))
            continue
        findings += report.findings
        found += report.problems
        warnings += report.warnings
        regions += report.regions
    return Report(tuple(findings), tuple(found), len(paths), regions, tuple(warnings))


def check_text(text: str, path: str, settings: Settings) -> Report:
    """Check one file's text; an unparsable text becomes a problem, never an exception."""
    from gradlint.source import parse

    try:
        if not any(token in text for token in TOKENS):
            with suppress(DepthError):
                parse(text)
            return _without_loop(text, path, settings)
        from gradlint.lower import lower

        with deep():
            program = lower(text, path)
            findings, regions = _findings(program, settings)
    except SourceError as error:
        return Report((), (Problem(path, error.message),), 1, 0)
    except RecursionError:
        return Report((), (Problem(path, "nests too deeply to be read; split the expression"),), 1, 0)
    from gradlint.suppress import screen

    kept, warnings = screen(text, path, findings, settings)
    wanted = tuple(finding for finding in kept if settings.pedantic or finding.confidence is Confidence.HIGH)
    return Report(wanted, (), 1, regions, warnings)


def _without_loop(text: str, path: str, settings: Settings) -> Report:
    """A file that parses and holds no loop: only its comments can be wrong."""
    from gradlint.suppress import MARK, screen

    return Report((), (), 1, 0, screen(text, path, (), settings)[1] if MARK in text else ())


def trace_text(text: str, path: str, line: int | None) -> tuple[RegionTrace, ...]:
    """The events, worlds and ledgers of every region, or of the one that runs `line`.

    Raises:
        SourceError: the text cannot be parsed.
    """
    from gradlint.dryrun.explore import regions
    from gradlint.lower import lower
    from gradlint.tracing import trace_region

    with deep():
        found = [(region, trace_region(region, path)) for region in regions(lower(text, path))]
    if line is None:
        return tuple(trace for _, trace in found if trace.worlds)
    near = [trace for region, trace in found if any(span.row <= line <= span.end_row for span in region.covered)]
    return tuple(near or [trace for _, trace in found if trace.row <= line <= trace.end_row])


# ---------------------------------------------------------------------------------- judging


@dataclass(slots=True)
class _Merged:
    """What all worlds of all regions say of one rule at one place."""

    hit: Hit
    region: int
    subjects: set[tuple[int, str]] = field(default_factory=set)


def _findings(program: Program, settings: Settings) -> tuple[list[Finding], int]:
    from gradlint.dryrun.explore import regions
    from gradlint.rule import all_rules

    rules = [rule for rule in all_rules() if settings.enabled(rule.name, rule.category, rule.default)]
    merged: dict[tuple[str, Span], _Merged] = {}
    cleared: set[tuple[str, Span]] = set()
    count = 0
    for number, region in enumerate(regions(program)):
        count += 1
        for case in cases(region, program):
            _collect(rules, case, number, merged, cleared)
    findings = [
        _finding(rule, entry.hit, program.path)
        for rule in rules
        for (name, span), entry in merged.items()
        if name == rule.name and (name, span) not in cleared and not _yields(rule, entry, merged, cleared)
    ]
    return sorted(findings, key=lambda finding: (finding.span, finding.rule)), count


def cases(region: Region, program: Program) -> Iterable[Case]:
    """What the rules see of a region: one case for each world."""
    from gradlint.dryrun.fold import fold
    from gradlint.rule import Case

    windows = {key: region.plan.bindings[key] for key in region.plan.windows if key in region.plan.bindings}
    for trail in region.worlds:
        yield Case(
            region.entry.name,
            tuple(trail.events),
            tuple(fold(trail)),
            region.looped,
            windows,
            frozenset(region.plan.starts | region.plan.guessed),
            trail.truncated,
            program.uncalled,
            program.clears,
        )


def _collect(
    rules: Sequence[Rule],
    case: Case,
    region: int,
    merged: dict[tuple[str, Span], _Merged],
    cleared: set[tuple[str, Span]],
) -> None:
    for rule in rules:
        if rule.absence:
            cleared.update((rule.name, span) for span in rule.cleared(case))
        for hit in rule.check(case):
            key = (rule.name, hit.span)
            known = merged.get(key)
            if known is None:
                known = merged[key] = _Merged(hit, region)
            elif len(hit.doubts) < len(known.hit.doubts):
                known.hit = hit
            known.subjects.add((region, hit.subject))


def _yields(
    rule: Rule,
    entry: _Merged,
    merged: dict[tuple[str, Span], _Merged],
    cleared: set[tuple[str, Span]],
) -> bool:
    """True when this is the consequence of another mistake in the same books."""
    for (name, span), other in merged.items():
        if name not in rule.yields_to or (name, span) in cleared:
            continue
        for region, subject in entry.subjects:
            if any(
                region == there and (subject == whose or not subject or not whose) for there, whose in other.subjects
            ):
                return True
    return False


def _finding(rule: Rule, hit: Hit, path: str) -> Finding:
    return Finding(
        rule=rule.name,
        category=rule.category,
        severity=rule.severity,
        confidence=_CONFIDENCE[min(len(hit.doubts), 2)],
        path=path,
        span=hit.span,
        message=hit.message,
        why=hit.why,
        impact=hit.impact,
        evidence=hit.evidence,
        related=hit.related,
    )

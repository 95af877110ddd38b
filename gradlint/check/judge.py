"""Judging: what the scenarios of every region say, as findings.

`judge` merges what the scenarios say: a presence rule needs one scenario, an absence rule is excused by
one scenario in which the missing thing happens; the consequence of another mistake stands back; every
doubt lowers confidence, and only what is certain is reported by default.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from gradlint.check.cases import cases, heard
from gradlint.check.leading import leads, may_lead, turned
from gradlint.check.surroundings import ground
from gradlint.check.updated import by_who_leads_there
from gradlint.model.finding import Confidence, Finding, Related, Span, Unjudged
from gradlint.model.placed import LINE_MARK, PLACED, tail
from gradlint.model.record import dataclass, replace

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.account.work import Work
    from gradlint.check.programs import Ran
    from gradlint.check.surroundings import Ground
    from gradlint.model.edits import Repair
    from gradlint.model.program import Program
    from gradlint.rules.support.hit import Hit
    from gradlint.rules.support.rule import Rule

RECURSION = 5_000

_CONFIDENCE = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)


class _Room:
    """The recursion limit, which all threads share: the first to come raises it, the last to go restores it.

    So it is with the search for garbage: a look makes trees and programs that are all in use, and what a run leaves
    behind goes without being searched for.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._before = 0
        self._collects = False

    def enter(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, RECURSION))
                self._collects = gc.isenabled()
                gc.disable()
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                sys.setrecursionlimit(self._before)
                if self._collects:
                    gc.enable()


_ROOM = _Room()


@contextmanager
def deep() -> Iterator[None]:
    """Room for long sums and deep nesting: Python's own parser reads what its default limit cannot walk."""
    _ROOM.enter()
    try:
        yield
    finally:
        _ROOM.leave()


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding of any confidence, with the ways to mend it and the rule that made it.

    `subject` is the optimizer that it is about, if any, `regions` the functions in which it was seen.
    """

    finding: Finding
    repairs: tuple[Repair, ...]
    rule: Rule
    subject: str = ""
    regions: frozenset[str] = frozenset()


def judge(text: str, path: str, enabled: Callable[[Rule], bool]) -> Look:
    """Every finding in a text, whatever its confidence, and how many loops there are.

    Args:
        text: Python source.
        path: the name that findings carry.
        enabled: which rules to ask.

    Raises:
        SourceError: the text cannot be parsed.
        RecursionError: it nests too deeply.
    """
    return look(text, path, enabled)


@dataclass(frozen=True, slots=True)
class Excuse:
    """Where what a rule misses does happen: in which region, in which of its scenarios."""

    region: str
    decisions: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What became of what a rule said of a place.

    It is a finding unless one scenario excuses it, or it stood `back` for another rule at another place, in the file
    `back_in` where that is another one. A rule may be excused without having said anything.
    """

    rule: Rule
    span: Span
    hit: Hit | None
    excuse: Excuse | None = None
    back: tuple[str, Span] | None = None
    back_in: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """All that was seen in a text: findings, what happens in each scenario of each region, how many loops there are.

    `cases` are those scenarios themselves, `places` which functions each region runs, `ran` the regions of the
    `program` and of those that call it; all where work is counted. `beside` are the other files that these regions run,
    `told` those of which something is said that has to do with this one; where work is not counted.
    """

    judged: tuple[Judged, ...]
    works: tuple[Work, ...]
    loops: int
    unjudged: tuple[Unjudged, ...] = ()
    said: tuple[Said, ...] = ()
    cases: tuple[Case, ...] = ()
    places: tuple[tuple[str, frozenset[Span]], ...] = ()
    ran: tuple[Ran, ...] = ()
    program: Program | None = None
    number: int = 0
    beside: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


def look(
    text: str, path: str, enabled: Callable[[Rule], bool], on: Ground | None = None, *, count: bool = False
) -> Look:
    """`judge`, and what was seen on the way: with `count` the work of all scenarios.

    Raises:
        SourceError: the text cannot be parsed.
        RecursionError: it nests too deeply.
    """
    from gradlint.check.programs import ran

    with deep():
        return _judged(*ran(text, path, on or ground(), count=count), enabled, count=count)


@dataclass(slots=True)
class _Merged:
    """What all scenarios of all regions say of one rule at one place; `alone`, by these, where nothing leads to it."""

    hit: Hit
    region: int
    subjects: set[tuple[int, str]] = field(default_factory=set)
    hits: dict[int, Hit] = field(default_factory=dict)
    scenarios: set[_Scenario] = field(default_factory=set)
    alone: dict[_Scenario, Hit] = field(default_factory=dict)

    def add(self, hit: Hit, region: int) -> None:
        """One more hit: the one with the fewest doubts speaks, of all and in its region."""
        self.subjects.add((region, hit.subject))
        if region not in self.hits or len(hit.doubts) < len(self.hits[region].doubts):
            self.hits[region] = hit

    def only(self, regions: set[int]) -> _Merged:
        """What is said in some regions only."""
        hit = min((self.hits[number] for number in sorted(regions)), key=lambda one: len(one.doubts))
        subjects = {one for one in self.subjects if one[0] in regions}
        return _Merged(hit, min(regions), subjects, {number: self.hits[number] for number in regions})


_Scenario: TypeAlias = "tuple[int, tuple[tuple[str, bool], ...]]"
"""A region, and what was decided in it."""

_Cleared: TypeAlias = "dict[tuple[str, Span], dict[int, Excuse]]"
"""By rule and place, in which regions what the rule misses does happen."""


def _judged(program: Program, every: Iterable[Ran], enabled: Callable[[Rule], bool], *, count: bool) -> Look:
    from gradlint.check.sight.loops import Sight
    from gradlint.interpret.explore import exceptions, second_look

    found: list[Case] = []
    works: list[Work] = []
    places: list[tuple[str, frozenset[Span]]] = []
    judging = Judging(program, enabled)
    sight = Sight(program)
    kept: list[Ran] = []
    beside: set[int] = set()
    for number, ran in enumerate(every):
        kept += [ran] if count else []
        beside |= ran.modules
        region, whole = ran.region, ran.program
        places.append((ran.name(program), frozenset(region.covered)))
        judging.begin(number, ran)
        seen = sight.begin(region)
        for again in (region, second_look(whole, region)):
            for case in () if again is None else cases(again, whole):
                if count:
                    works += _work(case, again=again is not region)
                    found += [case] if again is region else []
                else:
                    seen.look(case)
                judging.hear(case, number)
        for exception in exceptions(whole, region):
            for case in cases(exception, whole):
                judging.hear_exception(case, number)
    loops, unjudged = (0, ()) if count else sight.loops()
    said = judging.said()
    unjudged = unjudged if judging.rules else ()
    number = program.main.number
    findings = tuple(one for one in judging.findings(said) if one.finding.span.module == number)
    if not count:
        told = {one.span.module for one in said if one.hit is not None and one.excuse is None}
        look = Look(findings, (), loops, unjudged, said, places=tuple(places), number=number)
        return replace(look, beside=_paths(program, beside), told=_paths(program, told))
    return Look(
        findings, tuple(works), loops, unjudged, said, tuple(found), tuple(places), tuple(kept), program, number
    )


def _paths(program: Program, modules: Iterable[int]) -> tuple[str, ...]:
    """The other files of a program among some modules."""
    own = program.main.number
    return tuple(sorted(program.module(number).path for number in modules if number != own))


class Judging:
    """Gathers what the rules say of every case, and makes findings of it."""

    def __init__(self, program: Program, enabled: Callable[[Rule], bool]) -> None:
        from gradlint.check.callers import Callers
        from gradlint.rules.support.rule import all_rules

        self.rules = tuple(rule for rule in all_rules() if enabled(rule))
        self._program = program
        self._merged: dict[tuple[str, Span], _Merged] = {}
        self._cleared: _Cleared = {}
        self._otherwise: _Cleared = {}
        self._shipped: set[tuple[str, Span]] = set()
        self._divided: set[tuple[str, Span]] = set()
        self._names: dict[int, str] = {}
        self._callers = Callers()

    def begin(self, region: int, ran: Ran) -> None:
        """A region comes."""
        self._names[region] = ran.name(self._program)
        self._callers.begin(region, ran)

    def hear(self, case: Case, region: int) -> None:
        """Ask all rules about one scenario of a region."""
        self._names.setdefault(region, case.scenario.region)
        decisions, otherwise = case.scenario.decisions, case.scenario.otherwise
        excuse = Excuse(self._names[region], decisions)
        for rule in self.rules:
            for span in rule.cleared(case) if rule.absence else ():
                cleared = self._otherwise if otherwise else self._cleared
                cleared.setdefault((rule.name, span), {}).setdefault(region, excuse)
                self._callers.hear((rule.name, span), case, region)
        said = heard(case, self.rules)
        for rule, hit in said:
            entry = self._heard(rule, hit, case, region)
            if len(hit.doubts) < len(entry.hit.doubts):
                entry.hit = hit
            entry.scenarios.add((region, decisions))
            led = any(leads(other.name, one, rule, hit) for other, one in said)
            if not (led or case.scenario.truncated):
                entry.alone.setdefault((region, decisions), hit)

    def hear_exception(self, case: Case, region: int) -> None:
        """Ask about a run that is none of the usual: what is right in all others is no excuse there.

        Of rare ways out only some rules speak.
        """
        accident = case.scenario.accident
        for rule in self.rules if accident is None else [rule for rule in self.rules if rule.rare]:
            excused = frozenset(rule.cleared(case)) if accident is None else frozenset()
            for hit in rule.check(case):
                if hit.span not in excused:
                    self._heard(rule, hit, case, region)
                    self._cleared.pop((rule.name, hit.span), None)

    def _heard(self, rule: Rule, hit: Hit, case: Case, region: int) -> _Merged:
        """What is merged at a place, with what a rule says of it in one more case."""
        key = rule.name, hit.span
        entry = self._merged.setdefault(key, _Merged(hit, region))
        entry.add(hit, region)
        if not case.scenario.otherwise:
            self._shipped.add(key)
        self._callers.hear(key, case, region)
        return entry

    def said(self) -> tuple[Said, ...]:
        """What became of all that the rules said, and where they were excused."""
        by_name = {rule.name: rule for rule in self.rules}
        for key, by in self._otherwise.items():  # excuses of scenarios that differ from what is shipped
            if key not in self._shipped:
                self._cleared[key] = {**by, **self._cleared.get(key, {})}
        self._divide()
        said = [self._said(by_name[name], span, entry) for (name, span), entry in self._merged.items()]
        excused = ((key, _first(by)) for key, by in self._cleared.items() if key not in self._merged)
        return (*said, *(Said(by_name[name], span, None, excuse) for (name, span), excuse in excused))

    def _divide(self) -> None:
        """Where one caller is right and another is not, what is said holds for this one only."""
        for key, by in list(self._cleared.items()):
            entry = self._merged.get(key)
            wrong = set() if entry is None else entry.hits.keys() - by.keys()
            if entry is not None and wrong and self._callers.plain(key, by) == by.keys():
                wrong = self._callers.plain(key, wrong)
                if wrong:
                    self._merged[key] = entry.only(wrong)
                    self._divided.add(key)
                    del self._cleared[key]

    def _said(self, rule: Rule, span: Span, entry: _Merged) -> Said:
        key = rule.name, span
        excuse = _first(self._cleared[key]) if key in self._cleared else None
        holds = {region for region, _ in entry.subjects}
        hit = _told(self._callers.named(key, entry.hit, holds, only=key in self._divided), self._program)
        back = self._yields(rule, entry) if excuse is None else None
        if back is not None and (alone := self._alone(entry, back)) is not None:
            hit, back = _told(self._callers.named(key, alone, holds), self._program), None
        if doubt := by_who_leads_there(rule, hit, self._program.module(span.module).path):
            hit = replace(hit, doubts=(*hit.doubts, doubt))
        elsewhere = back is not None and back[1].module != span.module
        path = self._program.module(back[1].module).path if back is not None and elsewhere else ""
        return Said(rule, span, hit, excuse, back, path)

    def _alone(self, entry: _Merged, back: tuple[str, Span]) -> Hit | None:
        """What is said for sure in a scenario in which nothing leads to it, of a region in which something does.

        A switch makes the mistake that leads to it, and it is there without: one question is answered the other way.
        """
        led = self._merged[back].scenarios
        for (region, decided), hit in entry.alone.items():
            others = [other for there, other in led if there == region]
            if others and not hit.doubts and not any(set(decided).isdisjoint(turned(other)) for other in others):
                return hit
        return None

    def _yields(self, rule: Rule, entry: _Merged) -> tuple[str, Span] | None:
        """The rule and the place of another mistake in the same books, or of the same call, that leads to this one."""
        if entry.hit.stands:
            return None
        for (name, span), other in self._merged.items():
            if not may_lead(name, span, rule, entry.hit) or (name, span) in self._cleared:
                continue
            for region, subject in entry.subjects:
                if any(
                    region == there and (subject == whose or not subject or not whose)
                    for there, whose in other.subjects
                ):
                    return name, span
        return None

    def findings(self, said: Sequence[Said]) -> tuple[Judged, ...]:
        """What is left of it, whatever the confidence, by place."""
        found = [
            self._judged(one.rule, one.hit, self._merged[one.rule.name, one.span])
            for one in said
            if one.hit is not None and one.excuse is None and one.back is None
        ]
        return tuple(sorted(found, key=lambda one: (one.finding.span, one.finding.rule)))

    def _judged(self, rule: Rule, hit: Hit, entry: _Merged) -> Judged:
        regions = frozenset(self._names[number] for number, _ in entry.subjects)
        return Judged(_finding(rule, hit, self._program), hit.repairs, rule, hit.subject, regions)


def _first(by: dict[int, Excuse]) -> Excuse:
    """The excuse that was heard first."""
    return next(iter(by.values()))


def _work(case: Case, *, again: bool) -> list[Work]:
    """What happens in a scenario; not looked at where nothing is repaired."""
    from gradlint.account.work import work_of

    return [work_of(case, again=again)]


def _finding(rule: Rule, hit: Hit, program: Program) -> Finding:
    assert all((hit.message, hit.why, hit.impact)), f"{rule.name} leaves out what it says, why, or what it costs"
    home = hit.span.module
    return Finding(
        rule=rule.name,
        category=rule.category,
        severity=rule.severity,
        confidence=_CONFIDENCE[min(len(hit.doubts), 2)],
        path=program.module(home).path,
        span=hit.span,
        message=hit.message,
        why=hit.why,
        impact=hit.impact,
        evidence=hit.evidence,
        related=tuple(_related(home, one, program) for one in hit.related),
        doubts=hit.doubts,
    )


def _told(hit: Hit, program: Program) -> Hit:
    """What a rule said, with the files of the lines that it names."""
    home = hit.span.module
    if home == 0:
        return hit
    return replace(
        hit,
        message=told_from(home, hit.message, program),
        why=told_from(home, hit.why, program),
        impact=told_from(home, hit.impact, program),
        doubts=tuple(told_from(home, one, program) for one in hit.doubts),
        related=tuple(replace(one, message=told_from(one.span.module, one.message, program)) for one in hit.related),
    )


def _related(home: int, one: Related, program: Program) -> Related:
    """Another line of a mistake, with its file where that is another one."""
    number = one.span.module
    return one if number == home else replace(one, path=program.module(number).path)


def told_from(home: int, words: str, program: Program) -> str:
    """Words in which the lines of other files are named with these."""

    def named(match: re.Match[str]) -> str:
        number = int(match["module"])
        if number == home:
            return match["line"]
        return f"{match['line']} of {tail(program.module(number).path, program.module(home).path)}"

    return PLACED.sub(named, words) if LINE_MARK in words else words

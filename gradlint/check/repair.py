"""Repair, look again, believe only what is seen.

    finding ──repairs, the best first──► text ──check again──► kept │ next one │ withdrawn

This goes on until nothing is left to repair; one repair of one finding is a matter of `gradlint.check.proposal`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from functools import lru_cache

from gradlint.account.accounts import account_of
from gradlint.check.cases import forget
from gradlint.check.changes import edits_between
from gradlint.check.effort import TOO_LONG, is_too_much, measured
from gradlint.check.judge import Judged
from gradlint.check.looked import remembered
from gradlint.check.proposal import Proposal, judged_in, propose
from gradlint.check.surroundings import Ground, changed, ground
from gradlint.check.trial import remembered_trial
from gradlint.fix.layout import layout_of
from gradlint.fix.result import FixResult, Other, Withdrawn
from gradlint.fix.rows import Rows
from gradlint.model.finding import Confidence, Finding, Fix, Problem, Safety
from gradlint.model.record import dataclass, replace
from gradlint.model.settings import Settings
from gradlint.syntax.source import SourceError

MAX_REPAIRS = 60
"""Repairs in one file; far more than anybody's loops need."""


@dataclass(frozen=True, slots=True)
class _How:
    """Which findings are repaired, and how: `unsafe` repairs, too; `across` files of the project."""

    settings: Settings
    unsafe: bool = False
    across: bool = False


@dataclass(frozen=True, slots=True)
class _Texts:
    """How far a run of repairs has come: the file's text, and what became of others."""

    text: str
    others: tuple[Other, ...] = ()

    def after(self, proposal: Proposal) -> _Texts:
        """What they are after one more repair."""
        known = {one.path: one for one in self.others}
        for one in proposal.others:
            known[one.path] = replace(known[one.path], text=one.text) if one.path in known else one
        return _Texts(proposal.text, tuple(known.values()))

    def beside(self) -> AbstractContextManager[None]:
        """Look at the file beside the others."""
        return changed({one.path: one.text for one in self.others})


def fix_text(text: str, path: str, settings: Settings, *, unsafe: bool = False, across: bool = False) -> FixResult:
    """Repair one text until nothing is left to repair.

    Args:
        text: Python source.
        path: the name that findings carry; nothing is read from it or written to it.
        settings: which rules, how sure.
        unsafe: apply repairs that are only probably right, too.
        across: change other files of the project where a repair needs it.
    """
    try:
        return _fixed(text, path, _How(settings, unsafe, across))
    finally:
        _forget()


def _fixed(text: str, path: str, how: _How) -> FixResult:
    applied: list[Finding] = []
    broken: dict[tuple[str, str], Withdrawn] = {}
    now, settings = _Texts(text), how.settings
    try:
        for step in _steps(text, path, how, broken):
            applied += step.mended
            now = step.texts
        with now.beside():
            found = judged_in(now.text, path)
            remaining = [one.finding for one in _wanted(now.text, found, settings)]
    except SourceError as error:
        return FixResult(path, text, text, problems=(Problem(path, error.message),))
    except RecursionError:
        message = "nests too deeply to be read; split the expression"
        return FixResult(path, text, text, problems=(Problem(path, message),))
    with now.beside():
        remaining = _each(now.text, remaining, found, how)
    others = tuple(one for one in now.others if one.text != one.before)
    return FixResult(path, text, now.text, tuple(applied), tuple(remaining), tuple(broken.values()), others=others)


@dataclass(frozen=True, slots=True)
class _Step:
    """One repair: the findings that are gone with it, as said of the first text, and the texts after it."""

    mended: tuple[Finding, ...]
    texts: _Texts


def _steps(text: str, path: str, how: _How, broken: dict[tuple[str, str], Withdrawn]) -> Iterator[_Step]:
    """Every repair in its iteration; `broken` collects the findings whose repairs were tried and kept no promise."""
    now, rows = _Texts(text), Rows(text)
    patience = Patience()
    for _ in range(MAX_REPAIRS):
        with now.beside():
            wanted = _wanted(now.text, judged_in(now.text, path), how.settings)
            step = _next(now.text, wanted, how, broken, patience)
        if step is None:
            return
        finding, proposal = step
        before = {(one.finding.rule, rows.of(one.finding.row)): rows.told(one.finding) for one in wanted}
        mended = rows.told(finding)
        rows.follow(now.text, proposal.text)
        now = now.after(proposal)
        with now.beside():
            still = _wanted(now.text, judged_in(now.text, path), how.settings)
        left = [(one.finding.rule, rows.of(one.finding.row)) for one in still]
        also = _gone_besides(before, left, mended)
        broken.clear()  # in the new text they may succeed, and stand on other lines
        yield _Step((mended, *(replace(one, fix=mended.fix) for one in also)), now)


def _gone_besides(
    before: Mapping[tuple[str, int], Finding], left: Sequence[tuple[str, int]], mended: Finding
) -> list[Finding]:
    """The findings that went with the repair of another: as many of each rule as there are fewer."""
    fewer = Counter(rule for rule, _ in before)
    fewer.subtract(rule for rule, _ in left)
    fewer[mended.rule] -= 1
    found: list[Finding] = []
    for key, one in before.items():
        if fewer[one.rule] > 0 and key not in left and key != (mended.rule, mended.row):
            fewer[one.rule] -= 1
            found.append(one)
    return found


def _next(
    text: str, wanted: Sequence[Judged], how: _How, broken: dict[tuple[str, str], Withdrawn], patience: Patience
) -> tuple[Finding, Proposal] | None:
    """The first wanted finding that can be mended, with what becomes of the texts.

    Those that could not be in an earlier text come last.
    """
    for one in sorted(wanted, key=lambda one: patience.knows(one.finding)):
        key = (one.finding.rule, one.finding.message)
        if not one.repairs or key in broken:
            continue
        proposal = patience.proposed(text, one, how)
        if proposal.fix is None:
            if proposal.mistaken:
                broken[key] = Withdrawn(one.finding, proposal.reason)
        elif how.unsafe or proposal.safe:
            return replace(one.finding, fix=proposal.fix), proposal
        patience.left.add((one.finding.rule, one.finding.message))
    return None


def marked(text: str, findings: Sequence[Finding], judged: Sequence[Judged], settings: Settings) -> list[Finding]:
    """Findings with the fix that would mend each of them: safe for exactly those that `fix` mends without being asked.

    A repair that needs those before it has their edits, too.
    """
    if not findings:
        return []
    try:
        return _marked(text, findings, judged, _How(settings))
    finally:
        _forget()


def _marked(text: str, findings: Sequence[Finding], judged: Sequence[Judged], how: _How) -> list[Finding]:
    singly = _each(text, findings, judged, how)
    if not any(one.fix for one in singly):
        return singly
    mended: dict[tuple[str, int], Fix] = {}
    for step in _steps(text, findings[0].path, how, {}):
        for one in step.mended:
            if one.fix is not None:
                edits = edits_between(text, step.texts.text)
                mended.setdefault((one.rule, one.row), replace(one.fix, edits=edits))
    return [_as_fixed(one, mended) for one in singly]


def _forget() -> None:
    """Let go of all that was run for the repairs of one file: of another one nothing of it is asked."""
    for memory in (_proposed_at, remembered, remembered_trial, account_of, layout_of):
        memory.cache_clear()
    forget()


def _as_fixed(one: Finding, mended: Mapping[tuple[str, int], Fix]) -> Finding:
    """A finding marked as a run of all repairs has shown it."""
    through = mended.get((one.rule, one.row))
    safe = one.fix is not None and one.fix.safety is Safety.SAFE
    if (through is not None) is safe:
        return one
    if through is not None:
        return replace(one, fix=through, elsewhere=())
    assert one.fix is not None
    return replace(one, fix=replace(one.fix, safety=Safety.UNSAFE, reason="another repair comes first"))


def _each(text: str, findings: Sequence[Finding], judged: Sequence[Judged], how: _How) -> list[Finding]:
    """Findings with the fix that would mend each of them alone, where one was seen to."""
    by_place = {(one.finding.rule, one.finding.span): one for one in judged}
    out: list[Finding] = []
    patience = Patience()
    for finding in findings:
        one = by_place.get((finding.rule, finding.span))
        proposal = patience.proposed(text, one, how) if one is not None and one.repairs else Proposal(None, text)
        out.append(replace(finding, fix=proposal.fix, elsewhere=proposal.elsewhere))
    return out


@dataclass(slots=True)
class Patience:
    """How long the repairs of one file have been tried, and for which findings none was made."""

    spent: int = 0
    left: set[tuple[str, str]] = field(default_factory=set)

    def knows(self, finding: Finding) -> bool:
        """Whether a finding was left as it is before."""
        return (finding.rule, finding.message) in self.left

    def proposed(self, text: str, one: Judged, how: _How) -> Proposal:
        """The repair of a finding, while there is any patience left."""
        if is_too_much(self.spent):
            return Proposal(None, text, TOO_LONG, mistaken=True)
        proposal = _proposed(text, one, how)
        self.spent += proposal.spent
        return proposal


def _proposed(text: str, one: Judged, how: _How) -> Proposal:
    """`propose`, remembered: `check` asks for each finding by itself, and once more in a run of all repairs."""
    path = one.finding.path
    found = judged_in(text, path)
    at = next((number for number, other in enumerate(found) if _same(other, one)), None)
    if at is None:
        return _measured(text, one, found, how.settings, across=how.across)
    return _proposed_at(text, path, at, how.settings, how.across, ground())


def _same(one: Judged, other: Judged) -> bool:
    return one.finding.span == other.finding.span and one.finding.rule == other.finding.rule


@lru_cache(maxsize=64)
def _proposed_at(text: str, path: str, at: int, settings: Settings, across: bool, _ground: Ground) -> Proposal:
    found = judged_in(text, path)
    return _measured(text, found[at], found, settings, across=across)


def _measured(text: str, one: Judged, found: Sequence[Judged], settings: Settings, *, across: bool) -> Proposal:
    with measured() as effort:
        proposal = propose(text, one, found, settings, across=across)
    return replace(proposal, spent=effort.spent)


def _wanted(text: str, found: Sequence[Judged], settings: Settings) -> list[Judged]:
    """What the user asked to hear of: by selection, confidence and comments."""
    from gradlint.check.suppressions import screen

    chosen = [
        one
        for one in found
        if settings.enabled(one.finding.rule, one.finding.category, one.rule.default)
        and (settings.pedantic or one.finding.confidence is Confidence.HIGH)
    ]
    path = chosen[0].finding.path if chosen else ""
    kept, _ = screen(text, path, [one.finding for one in chosen], settings)
    return [one for one in chosen if one.finding in kept]

"""One repair of one finding: carried out, looked at, and kept only if it does what it promises.

A repair is kept when its finding is gone and no other has come. One that uncovers what its own
mistake had hidden (a rule that yields to it) is kept, too, when no better one is at hand. One that changes other
files of the project than that of its finding is made only where it may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gradlint.account.work import lost
from gradlint.check.changes import Change, all_edits, beside, carried_out, edits_between
from gradlint.check.effort import TOO_LONG, is_too_much
from gradlint.check.judge import Judged
from gradlint.check.looked import looked
from gradlint.check.safety import Candidate, changed_rows, doubt_about, regions_of
from gradlint.check.surroundings import ground
from gradlint.fix.bound import unbound_since
from gradlint.fix.layout import Refused
from gradlint.fix.local import shares
from gradlint.fix.result import Other
from gradlint.fix.target import too_new
from gradlint.fix.uncalled import as_it_runs
from gradlint.model.finding import Confidence, Edit, Fix, Safety
from gradlint.model.record import dataclass, replace
from gradlint.model.settings import Settings
from gradlint.syntax.source import SourceError, tree_of

if TYPE_CHECKING:
    from gradlint.account.work import Work
    from gradlint.model.edits import Repair

MAX_FOLLOWING = 3
"""Mistakes that one repair may bring to light and mend with its own."""

_FAILED = "the repair does not remove its finding"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A repair that was carried out and looked at, or the reason why there is none.

    Attributes:
        fix: what is done.
        text: the text after it.
        reason: why there is none.
        mistaken: it could be carried out and did not keep its promise.
        others: the other files that it changes.
        elsewhere: where there is none, the files that one would change that may not be made.
        spent: the statements that were run to see all that.
    """

    fix: Fix | None
    text: str
    reason: str = ""
    mistaken: bool = False
    others: tuple[Other, ...] = ()
    elsewhere: tuple[str, ...] = ()
    spent: int = 0

    @property
    def safe(self) -> bool:
        """Whether it is certain."""
        return self.fix is not None and self.fix.safety is Safety.SAFE


def propose(
    text: str,
    one: Judged,
    found: Sequence[Judged],
    settings: Settings,
    *,
    alone: bool = False,
    across: bool = False,
) -> Proposal:
    """The best repair of a finding that keeps its promise: the first that is safe, else the first.

    Args:
        text: the text that was judged.
        one: the finding.
        found: everything that was found in the text, whatever its confidence.
        settings: of which rules repairs may go along with this one; the oldest Python that must read the text.
        alone: leave what a repair brings up as it is, instead of mending that with it.
        across: other files may be changed, too; a repair that needs none comes first.
    """
    attempts = [_Attempt(text, one, found, repair, settings) for repair in one.repairs]
    near = _best(text, [attempt for attempt in attempts if not attempt.reaches], alone=alone)
    far = [attempt for attempt in attempts if attempt.reaches]
    if near.safe or alone or not far:
        return near
    if not across:
        return near if near.fix is not None else _left(near, far)
    best = _best(text, far, alone=True)
    return best if best.safe or (near.fix is None and (best.fix is not None or not near.reason)) else near


def _best(text: str, attempts: Sequence[_Attempt], *, alone: bool) -> Proposal:
    made: list[Proposal] = []
    reason, mistaken = "", False
    for others in (False,) if alone else (False, True):
        for attempt in attempts:
            if is_too_much():
                return made[0] if made else Proposal(None, text, reason or TOO_LONG, mistaken=True)
            try:
                proposal = attempt.together() if others else attempt.by_itself()
            except (Refused, SourceError) as refusal:
                reason = reason or str(refusal)
                continue
            except _Unkept as broken:
                reason, mistaken = reason or str(broken), True
                continue
            if proposal is not None and (alone or proposal.safe):
                return proposal if alone or others else attempt.with_what_it_uncovers(proposal)
            made += [] if proposal is None else [proposal]
    return made[0] if made else Proposal(None, text, reason, mistaken)


def _left(near: Proposal, far: Iterable[_Attempt]) -> Proposal:
    """What is said of a finding whose repairs change files that may not be changed."""
    reason = near.reason
    for attempt in far:
        try:
            changes = attempt.changes()
        except (Refused, SourceError, _Unkept) as refusal:
            reason = reason or str(refusal)
            continue
        return replace(near, reason="", mistaken=False, elsewhere=_files(changes))
    return replace(near, reason=reason)


def _files(changes: Iterable[Change]) -> tuple[str, ...]:
    return tuple(one.path for one in changes if one.after != one.before)


class _Unkept(Exception):
    """A repair was carried out and does not keep its promise."""


@dataclass(slots=True)
class _Attempt:
    """One repair of a finding: carried out by itself, or together with those of the mistakes that it uncovers."""

    text: str
    one: Judged
    found: Sequence[Judged]
    repair: Repair
    settings: Settings
    uncovers: str = ""

    @property
    def reaches(self) -> bool:
        """Whether other files are changed."""
        home = self.one.finding.span.module
        try:
            return set(shares(self.repair, home)) != {home}
        except Refused:
            return False

    def by_itself(self) -> Proposal:
        """The texts after this repair alone.

        Raises:
            Refused: it cannot be carried out.
            _Unkept: it does not keep its promise.
        """
        changes = self.changes()
        fix = _judged_fix(changes, all_edits(changes), (self.one,), (self.repair,))
        others = tuple(Other(one.path, one.before, one.after) for one in changes[1:])
        return Proposal(fix, changes[0].after, others=others)

    def changes(self) -> tuple[Change, ...]:
        """What becomes of the files, if nothing speaks against it.

        Raises:
            Refused: it cannot be carried out.
            _Unkept: it does not keep its promise.
        """
        changes = carried_out(self.text, self.one, self.repair)
        for change in changes:
            _check_target(change.before, change.after, self.settings.target_version)
        found, after = list(self.found), list[Judged]()
        for change in changes:
            with beside(changes, change, after=True):
                after += judged_in(change.after, change.path)
            with beside(changes, change, after=False):
                found += () if change is changes[0] else judged_in(change.before, change.path)
        kept, why = _kept(self.one, found, after)
        self.uncovers = changes[0].after if why != _FAILED and not changes[1:] else ""
        if not kept:
            raise _Unkept(why)
        for change in changes:
            _check_work(changes, change, [self.one])
            _check_bound(change.before, change.after)
        return changes

    def with_what_it_uncovers(self, proposal: Proposal) -> Proposal:
        """A safe repair, with those of the mistakes that it brings to light where that is safe as well."""
        try:
            whole = self.together()
        except (Refused, SourceError, _Unkept):
            return proposal
        return whole if whole is not None and whole.safe else proposal

    def together(self) -> Proposal | None:
        """The text after this repair and those that it needs; nothing where it needs none, or may not have them."""
        path = self.one.finding.path
        runs = as_it_runs(self.text, (self.repair,), self.one.finding.span.module)
        found = self.found if runs == self.text else judged_in(runs, path)
        if not self.uncovers or _uncovered(found, judged_in(self.uncovers, path)) is None:
            return None
        current = self.uncovers
        mended, repairs = [self.one], [self.repair]
        for _ in range(MAX_FOLLOWING):
            looked = judged_in(current, path)
            news = _uncovered(found, looked)
            if news is None:
                return self._all_of(current, mended, repairs, looked)
            if not self.settings.enabled(news.finding.rule, news.finding.category, news.rule.default):
                return None
            following = propose(current, news, looked, self.settings, alone=True)
            if following.fix is None:
                return None
            mended.append(news)
            repairs.append(next(one for one in news.repairs if one.title == following.fix.title))
            current = following.text
        return None

    def _all_of(
        self, after: str, mended: list[Judged], repairs: list[Repair], looked: Sequence[Judged]
    ) -> Proposal | None:
        """Several repairs as one, if nothing speaks against it."""
        edits = edits_between(self.text, after)
        path, number = self.one.finding.path, self.one.finding.span.module
        whole = Change(path, self.text, after, edits, self.repair, number)
        if not _kept(self.one, self.found, looked)[0] or _lost_work((whole,), whole, mended):
            return None
        _check_bound(self.text, after)
        return Proposal(_judged_fix((whole,), edits, tuple(mended), tuple(repairs)), after)


def _uncovered(found: Sequence[Judged], looked: Sequence[Judged]) -> Judged | None:
    """The first sure finding that was not there before."""
    known = Counter(one.finding.rule for one in found if one.finding.confidence is Confidence.HIGH)
    for one in looked:
        if one.finding.confidence is Confidence.HIGH:
            known[one.finding.rule] -= 1
            if known[one.finding.rule] < 0:
                return one
    return None


def _judged_fix(
    changes: tuple[Change, ...], edits: tuple[Edit, ...], mended: tuple[Judged, ...], repairs: tuple[Repair, ...]
) -> Fix:
    """The fix of the first of some findings, safe only where nothing speaks against it in any file."""
    fix = _fix(mended[0], repairs[0], edits)
    if any(_safety(one, repair) is not Safety.SAFE for one, repair in zip(mended, repairs, strict=True)):
        return replace(fix, safety=Safety.UNSAFE)
    shared = repairs if len(changes) == 1 else ()
    for change in changes:
        if change.before != change.after:
            doubt = doubt_about(_candidate(changes, change, mended, shared or (change.share,)))
            if doubt:
                return replace(fix, safety=Safety.UNSAFE, reason=doubt)
    return fix


def _candidate(
    changes: tuple[Change, ...], change: Change, mended: tuple[Judged, ...], repairs: tuple[Repair, ...]
) -> Candidate:
    """One file of a repair, to be judged in all regions that run what is changed in it, beside the others."""
    with beside(changes, change, after=False):
        look = looked(change.before, change.path, ground())
    rows = {row for edit in change.edits for row in range(edit.span.row, edit.span.end_row + 1)}
    regions = regions_of(look.places, rows, look.number)
    if not regions:
        regions = tuple(mended[0].regions) if change is changes[0] else tuple(name for name, _ in look.places)
    others = [one for one in changes if one is not change]
    return Candidate(
        change.before,
        change.after,
        change.path,
        repairs,
        mended,
        regions,
        change.number,
        tuple((one.path, one.before) for one in others),
        tuple((one.path, one.after) for one in others),
    )


def _kept(one: Judged, before: Sequence[Judged], after: Sequence[Judged]) -> tuple[bool, str]:
    """Whether a repair did what it promised, and what it brought up."""
    was, now = _count(before), _count(after)
    rule = one.finding.rule
    if now[rule] >= was[rule]:
        return False, _FAILED
    high = Confidence.HIGH
    sure_was = Counter(judged.finding.rule for judged in before if judged.finding.confidence is high)
    sure_now = {judged.finding.rule: judged for judged in after if judged.finding.confidence is high}
    counts = Counter(judged.finding.rule for judged in after if judged.finding.confidence is high)
    new = [name for name in sure_now if counts[name] > sure_was[name]]
    hidden = [name for name in new if rule in sure_now[name].rule.yields_to | sure_now[name].rule.yields_here_to]
    if len(hidden) < len(new):
        return False, f"the repair brings {', '.join(sorted(set(new) - set(hidden)))}"
    return True, ", ".join(sorted(hidden))


def _count(found: Sequence[Judged]) -> Counter[str]:
    return Counter(one.finding.rule for one in found)


def _check_target(before: str, after: str, target: str) -> None:
    """Accept a repaired text for the oldest Python of the project.

    Raises:
        Refused: it could read the text before, and not this one.
    """
    if too_new(before, after, target):
        raise Refused(f"the repair needs a newer Python than {target}")


def _check_work(changes: Sequence[Change], change: Change, mended: Sequence[Judged]) -> None:
    """Accept a repaired text that does all that was done before.

    Raises:
        Refused: something is lost, or done twice.
    """
    reason = _lost_work(changes, change, mended)
    if reason:
        raise Refused(reason)


def _check_bound(before: str, after: str) -> None:
    """Accept a repaired text in which each name is bound where it was, wherever it is read.

    Raises:
        Refused: one is set under a guard now, and read elsewhere.
    """
    found = unbound_since(tree_of(before), tree_of(after), changed_rows(before, after))
    if found:
        raise Refused(f"`{found[0][0]}` may not be bound where it is read: `{found[0][1][:60]}`")


def _lost_work(changes: Sequence[Change], change: Change, mended: Sequence[Judged]) -> str:
    """What a repaired text no longer does, or does twice, save what the mended mistakes are about."""
    mends = frozenset(kind for one in mended for kind in one.rule.mends)
    with beside(changes, change, after=False):
        before = _works(change.before, change.path)
    with beside(changes, change, after=True):
        after = _works(change.after, change.path)
    return lost(before, after, mends)


def judged_in(text: str, path: str) -> tuple[Judged, ...]:
    """Everything the default rules find in a text; a file's repairs look at the same texts again and again."""
    return looked(text, path, ground()).judged


def _works(text: str, path: str) -> tuple[Work, ...]:
    """What the loops of a text do."""
    return looked(text, path, ground()).works


def _fix(one: Judged, repair: Repair, edits: tuple[Edit, ...]) -> Fix:
    return Fix(_safety(one, repair), repair.title, edits, repair.doubt or one.rule.reason, one.rule.effect)


def _safety(one: Judged, repair: Repair) -> Safety:
    doubted = one.finding.confidence is not Confidence.HIGH
    if repair.unsafe or doubted:
        return Safety.UNSAFE
    return Safety.SAFE if repair.safe else one.rule.safety

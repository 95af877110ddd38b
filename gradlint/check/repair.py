"""Repair, look again, believe only what is seen.

    finding ──repairs, the best first──► text ──check again──► kept │ next one │ withdrawn

A repair is kept when its finding is gone and no other has come. One that uncovers what its own
mistake had hidden (a rule that yields to it) is kept, too, when no better one is at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.account.work import Work, lost
from gradlint.check.judge import Judged
from gradlint.check.looked import looked
from gradlint.check.safety import Candidate, changed_rows, doubt_about, regions_of
from gradlint.check.surroundings import Ground, ground
from gradlint.fix.bound import unbound_since
from gradlint.fix.layout import Crowded, Layout, Refused, carry_out, newline_of
from gradlint.fix.local import local
from gradlint.fix.realise import as_edits, realise
from gradlint.fix.result import FixResult, Withdrawn
from gradlint.fix.rows import Rows
from gradlint.fix.target import too_new
from gradlint.fix.uncalled import as_it_runs
from gradlint.fix.unfold import spread
from gradlint.model.finding import Confidence, Edit, Finding, Fix, Problem, Safety, Span
from gradlint.model.settings import Settings
from gradlint.syntax.source import SourceError, split_lines, tree_of

if TYPE_CHECKING:
    from gradlint.model.edits import Repair

MAX_REPAIRS = 60
"""Repairs in one file; far more than anybody's loops need."""

MAX_FOLLOWING = 3
"""Mistakes that one repair may bring to light and mend with its own."""

MAX_SPREADS = 8
_FAILED = "the repair does not remove its finding"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A repair that was carried out and looked at, or the reason why there is none.

    `mistaken` marks a repair that could be carried out and did not keep its promise.
    """

    fix: Fix | None
    text: str
    reason: str = ""
    mistaken: bool = False


def fix_text(text: str, path: str, settings: Settings, *, unsafe: bool = False) -> FixResult:
    """Repair one text until nothing is left to repair.

    Args:
        text: Python source.
        path: the name that findings carry; nothing is read from it or written to it.
        settings: which rules, how sure.
        unsafe: apply repairs that are only probably right, too.
    """
    applied: list[Finding] = []
    broken: dict[tuple[str, str], Withdrawn] = {}
    current = text
    try:
        for step in _steps(text, path, settings, unsafe, broken):
            applied += step.mended
            current = step.text
        remaining = [one.finding for one in _wanted(current, _look(current, path), settings)]
    except SourceError as error:
        return FixResult(path, text, text, problems=(Problem(path, error.message),))
    except RecursionError:
        message = "nests too deeply to be read; split the expression"
        return FixResult(path, text, text, problems=(Problem(path, message),))
    remaining = _each(current, remaining, _look(current, path), settings)
    return FixResult(path, text, current, tuple(applied), tuple(remaining), tuple(broken.values()))


@dataclass(frozen=True, slots=True)
class _Step:
    """One repair: the findings that are gone with it, as said of the first text, and the text after it."""

    mended: tuple[Finding, ...]
    text: str


def _steps(
    text: str, path: str, settings: Settings, unsafe: bool, broken: dict[tuple[str, str], Withdrawn]
) -> Iterator[_Step]:
    """Every repair in its iteration; `broken` collects the findings whose repairs were tried and kept no promise."""
    current, rows = text, Rows(text)
    for _ in range(MAX_REPAIRS):
        wanted = _wanted(current, _look(current, path), settings)
        step = _next(current, wanted, settings, unsafe, broken)
        if step is None:
            return
        finding, after = step
        before = {(one.finding.rule, rows.of(one.finding.row)): rows.told(one.finding) for one in wanted}
        mended = rows.told(finding)
        rows.follow(current, after)
        current = after
        left = [(one.finding.rule, rows.of(one.finding.row)) for one in _wanted(after, _look(after, path), settings)]
        also = _gone_besides(before, left, mended)
        broken.clear()  # in the new text they may succeed, and stand on other lines
        yield _Step((mended, *(replace(one, fix=mended.fix) for one in also)), after)


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
    text: str,
    wanted: Sequence[Judged],
    settings: Settings,
    unsafe: bool,
    broken: dict[tuple[str, str], Withdrawn],
) -> tuple[Finding, str] | None:
    """The first wanted finding that can be mended, with the text after it."""
    for one in wanted:
        key = (one.finding.rule, one.finding.message)
        if not one.repairs or key in broken:
            continue
        proposal = _proposed(text, one, settings)
        if proposal.fix is None:
            if proposal.mistaken:
                broken[key] = Withdrawn(one.finding, proposal.reason)
        elif unsafe or proposal.fix.safety is Safety.SAFE:
            return replace(one.finding, fix=proposal.fix), proposal.text
    return None


def marked(text: str, findings: Sequence[Finding], judged: Sequence[Judged], settings: Settings) -> list[Finding]:
    """Findings with the fix that would mend each of them: safe for exactly those that `fix` mends without being asked.

    A repair that needs those before it has their edits, too.
    """
    if not findings:
        return []
    singly = _each(text, findings, judged, settings)
    if not any(one.fix for one in singly):
        return singly
    mended: dict[tuple[str, int], Fix] = {}
    for step in _steps(text, findings[0].path, settings, False, {}):
        for one in step.mended:
            if one.fix is not None:
                mended.setdefault((one.rule, one.row), replace(one.fix, edits=edits_between(text, step.text)))
    return [_as_fixed(one, mended) for one in singly]


def _as_fixed(one: Finding, mended: Mapping[tuple[str, int], Fix]) -> Finding:
    """A finding marked as a run of all repairs has shown it."""
    through = mended.get((one.rule, one.row))
    safe = one.fix is not None and one.fix.safety is Safety.SAFE
    if (through is not None) is safe:
        return one
    if through is not None:
        return replace(one, fix=through)
    assert one.fix is not None
    return replace(one, fix=replace(one.fix, safety=Safety.UNSAFE, reason="another repair comes first"))


def _each(text: str, findings: Sequence[Finding], judged: Sequence[Judged], settings: Settings) -> list[Finding]:
    """Findings with the fix that would mend each of them alone, where one was seen to."""
    by_place = {(one.finding.rule, one.finding.span): one for one in judged}
    out: list[Finding] = []
    for finding in findings:
        one = by_place.get((finding.rule, finding.span))
        fix = _proposed(text, one, settings).fix if one is not None and one.repairs else None
        out.append(replace(finding, fix=fix))
    return out


def _proposed(text: str, one: Judged, settings: Settings) -> Proposal:
    """`propose`, remembered: `check` asks for each finding by itself, and once more in a run of all repairs."""
    path = one.finding.path
    found = _look(text, path)
    at = next((number for number, other in enumerate(found) if _same(other, one)), None)
    if at is None:
        return propose(text, one, found, settings)
    return _proposed_at(text, path, at, settings, ground())


def _same(one: Judged, other: Judged) -> bool:
    return one.finding.span == other.finding.span and one.finding.rule == other.finding.rule


@lru_cache(maxsize=64)
def _proposed_at(text: str, path: str, at: int, settings: Settings, _ground: Ground) -> Proposal:
    found = _look(text, path)
    return propose(text, found[at], found, settings)


def propose(
    text: str,
    one: Judged,
    found: Sequence[Judged],
    settings: Settings,
    *,
    alone: bool = False,
) -> Proposal:
    """The best repair of a finding that keeps its promise: the first that is safe, else the first.

    Args:
        text: the text that was judged.
        one: the finding.
        found: everything that was found in the text, whatever its confidence.
        settings: of which rules repairs may go along with this one; the oldest Python that must read the text.
        alone: leave what a repair brings up as it is, instead of mending that with it.
    """
    attempts = [_Attempt(text, one, found, repair, settings) for repair in one.repairs]
    made: list[Proposal] = []
    reason, mistaken = "", False
    for others in (False,) if alone else (False, True):
        for attempt in attempts:
            try:
                proposal = attempt.together() if others else attempt.by_itself()
            except (Refused, SourceError) as refusal:
                reason = reason or str(refusal)
                continue
            except _Unkept as broken:
                reason, mistaken = reason or str(broken), True
                continue
            if proposal is not None and (alone or _is_safe(proposal)):
                return proposal
            made += [] if proposal is None else [proposal]
    return made[0] if made else Proposal(None, text, reason, mistaken)


def _is_safe(proposal: Proposal) -> bool:
    return proposal.fix is not None and proposal.fix.safety is Safety.SAFE


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

    def by_itself(self) -> Proposal:
        """The text after this repair alone.

        Raises:
            Refused: it cannot be carried out.
            _Unkept: it does not keep its promise.
        """
        after, edits = _carried_out(self.text, self.one, self.repair)
        _check_target(self.text, after, self.settings.target_version)
        kept, why = _kept(self.one, self.found, _look(after, self.one.finding.path))
        self.uncovers = after if why != _FAILED else ""
        if not kept:
            raise _Unkept(why)
        _check_work(self.text, after, [self.one])
        _check_bound(self.text, after)
        return Proposal(_judged_fix(self.text, after, edits, (self.one,), (self.repair,)), after)

    def together(self) -> Proposal | None:
        """The text after this repair and those that it needs; nothing where it needs none, or may not have them."""
        path = self.one.finding.path
        runs = as_it_runs(self.text, (self.repair,))
        found = self.found if runs == self.text else _look(runs, path)
        if not self.uncovers or _uncovered(found, _look(self.uncovers, path)) is None:
            return None
        current = self.uncovers
        mended, repairs = [self.one], [self.repair]
        for _ in range(MAX_FOLLOWING):
            looked = _look(current, path)
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
        if not _kept(self.one, self.found, looked)[0] or _lost_work(self.text, after, mended):
            return None
        _check_bound(self.text, after)
        edits = edits_between(self.text, after)
        return Proposal(_judged_fix(self.text, after, edits, tuple(mended), tuple(repairs)), after)


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
    text: str, after: str, edits: tuple[Edit, ...], mended: tuple[Judged, ...], repairs: tuple[Repair, ...]
) -> Fix:
    """The fix of the first of some findings, safe only where nothing speaks against it."""
    fix = _fix(mended[0], repairs[0], edits)
    if any(_safety(one, repair) is not Safety.SAFE for one, repair in zip(mended, repairs, strict=True)):
        return replace(fix, safety=Safety.UNSAFE)
    path = mended[0].finding.path
    rows = {row for edit in edits for row in range(edit.span.row, edit.span.end_row + 1)}
    look = looked(text, path, ground())
    regions = regions_of(look.places, rows, look.number)
    candidate = Candidate(text, after, path, repairs, mended, regions or tuple(mended[0].regions))
    doubt = doubt_about(candidate)
    return replace(fix, safety=Safety.UNSAFE, reason=doubt) if doubt else fix


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
    hidden = [name for name in new if rule in sure_now[name].rule.yields_to]
    if len(hidden) < len(new):
        return False, f"the repair brings {', '.join(sorted(set(new) - set(hidden)))}"
    return True, ", ".join(sorted(hidden))


def _count(found: Sequence[Judged]) -> Counter[str]:
    return Counter(one.finding.rule for one in found)


def _carried_out(text: str, one: Judged, repair: Repair) -> tuple[str, tuple[Edit, ...]]:
    """The text after a repair; crowded lines that it touches are spread first.

    Raises:
        Refused: the repair cannot be carried out on this text, or needs another file.
    """
    ended = text.endswith(("\n", "\r"))
    current, judged = text if ended else text + newline_of(split_lines(text)), one
    for _ in range(MAX_SPREADS):
        layout = Layout(current)
        try:
            cuts = realise(layout, local(repair, one.finding.span.module))
        except Crowded as crowded:
            current = spread(layout, crowded.statement)
            judged, repair = _again(current, judged, repair)
            continue
        after = carry_out(current, cuts)
        after = after if ended else after.rstrip("\r\n")
        return after, as_edits(layout, cuts) if current == text else edits_between(text, after)
    raise Refused("too many statements share their lines")


def _check_target(before: str, after: str, target: str) -> None:
    """Accept a repaired text for the oldest Python of the project.

    Raises:
        Refused: it could read the text before, and not this one.
    """
    if too_new(before, after, target):
        raise Refused(f"the repair needs a newer Python than {target}")


def _check_work(before: str, after: str, mended: Sequence[Judged]) -> None:
    """Accept a repaired text that does all that was done before.

    Raises:
        Refused: something is lost, or done twice.
    """
    reason = _lost_work(before, after, mended)
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


def _lost_work(before: str, after: str, mended: Sequence[Judged]) -> str:
    """What a repaired text no longer does, or does twice, save what the mended mistakes are about."""
    path = mended[0].finding.path
    mends = frozenset(kind for one in mended for kind in one.rule.mends)
    return lost(_works(before, path), _works(after, path), mends)


def _again(text: str, one: Judged, repair: Repair) -> tuple[Judged, Repair]:
    """The same finding and repair in a text whose lines were spread."""
    same = [found for found in _look(text, one.finding.path) if found.finding.rule == one.finding.rule]
    at = one.repairs.index(repair)
    near = [found for found in same if found.finding.row >= one.finding.row and len(found.repairs) > at]
    if not near:
        raise Refused("two statements share a line")
    return near[0], near[0].repairs[at]


def _look(text: str, path: str) -> tuple[Judged, ...]:
    """Everything the default rules find in a text; a file's repairs look at the same texts again and again."""
    return looked(text, path, ground()).judged


def _works(text: str, path: str) -> tuple[Work, ...]:
    """What the loops of a text do."""
    return looked(text, path, ground()).works


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


def _fix(one: Judged, repair: Repair, edits: tuple[Edit, ...]) -> Fix:
    return Fix(_safety(one, repair), repair.title, edits, repair.doubt or one.rule.reason, one.rule.effect)


def _safety(one: Judged, repair: Repair) -> Safety:
    doubted = one.finding.confidence is not Confidence.HIGH
    if repair.unsafe or doubted:
        return Safety.UNSAFE
    return Safety.SAFE if repair.safe else one.rule.safety


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """The whole lines in which two texts differ, as edits of the first."""
    old, new = split_lines(before), split_lines(after)
    out: list[Edit] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            out.append(Edit(Span(first + 1, 1, last + 1, 1), "".join(new[start:end])))
    return tuple(out)

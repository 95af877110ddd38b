"""Repair, look again, believe only what is seen.

    finding ──repairs, the best first──► text ──check again──► kept │ next one │ withdrawn

A repair is kept when its finding is gone and no other has come. One that uncovers what its own
mistake had hidden (a rule that yields to it) is kept, too, when no better one is at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.config import Settings
from gradlint.custom import Custom, current
from gradlint.finding import Confidence, Edit, Finding, Fix, Problem, Safety, Span
from gradlint.fix.layout import Crowded, Layout, Refused, carry_out, newline_of
from gradlint.fix.realise import as_edits, realise
from gradlint.fix.result import FixResult, Withdrawn
from gradlint.fix.unfold import spread
from gradlint.judge import Judged, Look, look
from gradlint.source import SourceError, split_lines
from gradlint.target import too_new
from gradlint.work import Work, lost

if TYPE_CHECKING:
    from gradlint.edits import Repair
    from gradlint.rule import Rule

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
    withdrawn: dict[tuple[str, str], Withdrawn] = {}
    current = text
    try:
        for _ in range(MAX_REPAIRS):
            found = _look(current, path)
            step = _next(current, found, settings, unsafe, withdrawn)
            if step is None:
                break
            finding, current = step
            applied.append(finding)
            withdrawn.clear()  # in the new text they may succeed, and stand on other lines
        remaining = [one.finding for one in _wanted(current, _look(current, path), settings)]
    except SourceError as error:
        return FixResult(path, text, text, problems=(Problem(path, error.message),))
    except RecursionError:
        message = "nests too deeply to be read; split the expression"
        return FixResult(path, text, text, problems=(Problem(path, message),))
    remaining = marked(current, remaining, _look(current, path), settings.target_version)
    return FixResult(path, text, current, tuple(applied), tuple(remaining), tuple(withdrawn.values()))


def _next(
    text: str,
    found: Sequence[Judged],
    settings: Settings,
    unsafe: bool,
    withdrawn: dict[tuple[str, str], Withdrawn],
) -> tuple[Finding, str] | None:
    """The first wanted finding that can be mended, with the text after it."""
    for one in _wanted(text, found, settings):
        key = (one.finding.rule, one.finding.message)
        if not one.repairs or key in withdrawn:
            continue
        proposal = propose(text, one, found, target=settings.target_version)
        if proposal.fix is None:
            if proposal.mistaken:
                withdrawn[key] = Withdrawn(one.finding, proposal.reason)
        elif unsafe or proposal.fix.safety is Safety.SAFE:
            return replace(one.finding, fix=proposal.fix), proposal.text
    return None


def marked(text: str, findings: Sequence[Finding], judged: Sequence[Judged], target: str = "") -> list[Finding]:
    """Findings with the fix that would mend each of them, where one was seen to."""
    by_place = {(one.finding.rule, one.finding.span): one for one in judged}
    everything = _look(text, findings[0].path) if findings else ()
    out: list[Finding] = []
    for finding in findings:
        one = by_place.get((finding.rule, finding.span))
        fix = propose(text, one, everything, target=target).fix if one is not None and one.repairs else None
        out.append(replace(finding, fix=fix))
    return out


def propose(text: str, one: Judged, found: Sequence[Judged], *, alone: bool = False, target: str = "") -> Proposal:
    """The best repair of a finding that keeps its promise.

    Args:
        text: the text that was judged.
        one: the finding.
        found: everything that was found in the text, whatever its confidence.
        alone: leave what a repair brings up as it is, instead of mending that with it.
        target: the oldest Python that must be able to read the text, if any.
    """
    second: Proposal | None = None
    reason, mistaken = "", False
    for repair in one.repairs:
        try:
            after, edits = _carried_out(text, one, repair)
            _check_target(text, after, target)
            kept, why = _kept(one, found, _look(after, one.finding.path))
            if kept:
                _check_work(text, after, [one])
        except (Refused, SourceError) as refusal:
            reason = reason or str(refusal)
            continue
        if not kept:
            if not alone and why != _FAILED and second is None:
                second = _with_what_follows(text, one, found, repair, after, target)
            reason, mistaken = reason or why, True
            continue
        proposal = Proposal(_fix(one, repair, edits), after)
        if not why:
            return proposal
        second = second or proposal
    return second or Proposal(None, text, reason, mistaken)


def _with_what_follows(
    text: str, one: Judged, found: Sequence[Judged], repair: Repair, after: str, target: str
) -> Proposal | None:
    """A repair together with those of the mistakes that its own had hidden, if nothing is left in the end."""
    current, safety = after, _safety(one, repair)
    mended = [one]
    for _ in range(MAX_FOLLOWING):
        looked = _look(current, one.finding.path)
        known = Counter(judged.finding.rule for judged in found if judged.finding.confidence is Confidence.HIGH)
        news: list[Judged] = []
        for judged in looked:
            if judged.finding.confidence is Confidence.HIGH:
                known[judged.finding.rule] -= 1
                news += [judged] if known[judged.finding.rule] < 0 else []
        if not news:
            fix = replace(_fix(one, repair, edits_between(text, current)), safety=safety)
            sound = _kept(one, found, looked)[0] and not _lost_work(text, current, mended)
            return Proposal(fix, current) if sound else None
        mended.append(news[0])
        following = propose(current, news[0], looked, alone=True, target=target)
        if following.fix is None:
            return None
        current = following.text
        safety = safety if following.fix.safety is Safety.SAFE else Safety.UNSAFE
    return None


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
        Refused: the repair cannot be carried out on this text.
    """
    ended = text.endswith(("\n", "\r"))
    current, judged = text if ended else text + newline_of(split_lines(text)), one
    for _ in range(MAX_SPREADS):
        layout = Layout(current)
        try:
            cuts = realise(layout, repair)
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
    return _looked(text, path, current()).judged


def _works(text: str, path: str) -> tuple[Work, ...]:
    """What the loops of a text do."""
    return _looked(text, path, current()).works


@lru_cache(maxsize=64)
def _looked(text: str, path: str, _custom: Custom) -> Look:
    """`_look`, for the project's own words, which `judge` finds by itself."""
    return look(text, path, _by_default, count=True)


def _by_default(rule: Rule) -> bool:
    return rule.default


def _wanted(text: str, found: Sequence[Judged], settings: Settings) -> list[Judged]:
    """What the user asked to hear of: by selection, confidence and comments."""
    from gradlint.suppress import screen

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
    return Fix(_safety(one, repair), repair.title, edits, one.rule.reason, one.rule.effect)


def _safety(one: Judged, repair: Repair) -> Safety:
    doubted = one.finding.confidence is not Confidence.HIGH
    return Safety.UNSAFE if repair.unsafe or doubted else one.rule.safety


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """The whole lines in which two texts differ, as edits of the first."""
    old, new = split_lines(before), split_lines(after)
    out: list[Edit] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            out.append(Edit(Span(first + 1, 1, last + 1, 1), "".join(new[start:end])))
    return tuple(out)

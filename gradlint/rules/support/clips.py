"""Clips by their place in the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from gradlint.account.case import Case
from gradlint.model.books import Book, Clip, Contribution, Update, real
from gradlint.model.edits import Delete, Insert, Iterate, Measure, Move, Repair
from gradlint.model.events import Event, Kind, Step
from gradlint.model.finding import Span
from gradlint.model.record import dataclass
from gradlint.model.roots import overlaps, related_parts
from gradlint.rules.support.moves import ahead_of_step, at_each_step, before_step, beside, once, synchronised
from gradlint.rules.support.scaling import unscale, unscales_before
from gradlint.rules.support.telling import place


@dataclass(frozen=True, slots=True, eq=False)
class ClipSite:
    """All that happened at one clip call, by the calls that lead there: (book, update or `None` after the last, clip)."""

    span: Span
    uses: list[tuple[Book, Update | None, Clip]] = field(default_factory=list)

    @property
    def useless(self) -> bool:
        """True when it never found a fresh gradient in any book."""
        return not any(clip.live for _, _, clip in self.uses)

    @property
    def exhausted(self) -> bool:
        """True when its parameters had all been read before."""
        return any(clip.detail.exhausted for _, _, clip in self.uses)


def early_clip(update: Update) -> tuple[Clip, Event] | None:
    """The one clip of a window that stands in its last micro-batch before the last backward, with that backward.

    Where one micro-batch has several losses, it stands behind several of them: one alone may be clipped on purpose.
    """
    clips = [clip for clip in update.clips if not clip.detail.infinite]
    if len(clips) != 1 or len(update.consumed) < 2:
        return None
    last = update.consumed[-1].event
    stands = clips[0].event.number < last.number and real(clips[0].event.stamp) == real(last.stamp)
    inside = [item for item in update.consumed if item.batch == update.consumed[-1].batch]
    alone = len(inside) == 1 if len(update.consumed_batches) > 1 else _but_one(update, clips[0], last)
    return (clips[0], last) if stands and clips[0].live and alone else None


def _but_one(update: Update, clip: Clip, last: Event) -> bool:
    """Whether a clip holds the gradients of several losses, and only that of the last is missing."""
    before = {item.event.span for item in update.consumed if item.order < clip.event.number}
    behind = [item for item in update.consumed if item.order > clip.event.number]
    roots, models = clip.detail.roots or frozenset(), behind[0].detail.models if behind else frozenset()
    same = any(related_parts(one, other) for one in roots for other in models)
    functions = {last.function, clip.event.function, update.step.function}
    return len(before) > 1 and len(behind) == 1 and same and len(functions) == 1 and update.sure and not update.writes


def clip_sites(case: Case) -> list[ClipSite]:
    """Every clip call of a case; infinite limits only measure and are left out."""
    found: dict[tuple[Span, tuple[Span, ...]], ClipSite] = {}
    for book in case.books:
        places: list[tuple[Update | None, Clip]] = [(update, clip) for update in book.updates for clip in update.clips]
        places += [(None, clip) for clip in book.rest.clips]
        for update, clip in places:
            if not clip.detail.infinite:
                where = clip.event.span, clip.event.calls
                site = found.setdefault(where, ClipSite(clip.event.span))
                site.uses.append((book, update, clip))
    return list(found.values())


def clips_beside(update: Update, clip: Clip, wrong: Callable[[Clip], bool]) -> list[Event]:
    """A clip and those beside it that are as wrong, as where each group of parameters has its own."""
    found = [one for one in update.clips if one is clip or (beside(one.event, clip.event) and one.detail.movable)]
    return list(dict.fromkeys(one.event for one in found if one is clip or (not one.detail.infinite and wrong(one))))


def in_closure(case: Case, event: Event, step: Event) -> tuple[Repair, ...]:
    """The way to move an event behind the backward, in the closure that a step calls, from within it or from around."""
    if not isinstance(step.detail, Step) or not step.detail.closure:
        return ()
    inner = [one for one in case.of(Kind.BACKWARD) if one.function == event.function != step.function]
    if event.function == step.function:
        begun = event.number if event.number < step.number else _last_before(case, step)
        asked = [one for one in case.of(Kind.BACKWARD) if begun < one.number < step.number]
        inner = [one for one in asked if one.function != step.function and one.span.module == step.span.module]
    if not inner:
        return ()
    title, behind = "Clip after the backward", Insert(event.text, inner[-1].span, "after loop", of=inner[-1].span)
    if len(inner[-1].stamp) > len(event.stamp):
        return (Repair(title, (Delete(event.span), behind)),)
    return (Repair(title, (Move((event.span,), inner[-1].span, after=True),)),)


def _last_before(case: Case, step: Event) -> int:
    """The number of the step, or the end of the turn, before one that calls a closure; -1 where it is the first."""
    before = (one for one in case.events[: step.number] if one.kind is Kind.STEP or real(one.stamp) != real(step.stamp))
    inside = (one.number for one in before if one.function == step.function)
    return max(inside, default=-1)


def useless_beside(sites: Iterable[ClipSite], clip: Clip, step: Event) -> list[Event]:
    """A clip, and those that are as useless beside it, as where each group of parameters has its own."""
    found = [clip.event]
    for site in sites:
        for _, update, other in site.uses if site.useless else ():
            late = step.number < other.event.number and (update is None or update.previous is step)
            if late and other.detail.movable and not other.detail.exhausted and beside(other.event, clip.event):
                found.append(other.event)
    return sorted(dict.fromkeys(found), key=lambda event: event.number)


def clip_before_the_step(case: Case, clips: list[Event], step: Event) -> tuple[Repair, ...]:
    """The ways to clip before a step what is clipped behind it."""
    title, clip = "Clip before the step", clips[0]
    if any(event.span == step.span for event in case.of(Kind.BACKWARD)):
        return ()  # one call goes backward and steps: the clip belongs into it
    late = [event for event in unscales_before(case, clip) if event.number > step.number]
    if late:
        return before_step(title, case, [*late, *clips], step)
    return (*in_closure(case, clip, step), *before_step(title, case, clips, step, unscale(case, step, step.span)))


def clip_behind_the_backward(case: Case, clip: Clip, update: Update) -> tuple[Repair, ...]:
    """The ways to clip before the step what is clipped before the backward."""
    if not clip.detail.movable:
        return ()
    alike = clips_beside(update, clip, lambda other: other.live == clip.live and not other.detail.exhausted)
    return (
        *in_closure(case, clip.event, update.step),
        *before_step("Clip before the step", case, alike, update.step),
    )


def is_partial(update: Update, clip: Clip, meant: Sequence[Contribution]) -> bool:
    """Whether another micro-batch of the window that is meant comes after a clip."""
    if clip.detail.infinite or not clip.live or clip.detail.exhausted or len({item.batch for item in meant}) < 2:
        return False
    if early_clip(update) is not None:
        return False  # it comes once, but before the last backward: another rule tells it
    kept = set(map(id, meant))
    seen = {item.batch for item in clip.live if id(item) in kept}  # what was cleared on purpose is no part of the sum
    if not seen:
        return False
    later = (item for item in update.consumed if item.order > clip.event.number and item.batch not in seen)
    return any(overlaps(item.detail.models, clip.detail.roots) is not False for item in later)


def clip_once(case: Case, update: Update, clip: Clip, meant: Sequence[Contribution]) -> tuple[Repair, ...]:
    """The ways to clip the whole of a window once."""
    if not clip.detail.movable:
        return ()
    alike = clips_beside(update, clip, lambda other: is_partial(update, other, meant))
    again = any(
        one.event.text == clip.event.text and one.event.span not in {other.span for other in alike}
        for one in update.clips
        if not is_partial(update, one, meant)
    )
    spared = (Repair("Clip only before the step", tuple(Delete(one.span) for one in alike)),) if again else ()
    behind = Insert(clip.event.text, clip.event.span, "after loop", of=clip.event.span)
    once = (
        (Repair("Clip once, behind the loop", (Delete(clip.event.span), behind)),) if _in_closure(update, clip) else ()
    )
    limited = [*unscales_before(case, clip.event), *alike]
    return (
        *synchronised("Clip only when gradients synchronise", update, clip.event),
        *spared,
        *once,
        *before_step("Clip once, before the step", case, limited, update.step),
        *ahead_of_step("Clip once, before the step and what reads the gradients", case, limited, update.step),
        *at_each_step("Clip once, before each step", case, update.optimizer, limited, after=False),
        *_measured(case, update, alike, clipped=again),
    )


def _measured(case: Case, update: Update, clips: Sequence[Event], *, clipped: bool) -> tuple[Repair, ...]:
    """The way to have clips only measure at each micro-batch, for those who read the norm; `clipped` are steps already.

    Where a scale is taken out for a clip, by a scaler or a library, or gradients are changed by hand, that is left alone.
    """
    steps = [event for event in case.of(Kind.STEP) if event.subject == update.optimizer]
    scaled = any(item.detail.scaled_by or item.detail.framework for item in update.consumed)
    plain = all(isinstance(one.detail, Step) and one.detail.via == "plain" for one in steps)
    if scaled or update.writes or case.of(Kind.UNSCALE) or not plain:
        return ()
    edits = list[Measure]()
    for clip in clips:
        what, to = place(clip, update.step), once(place(step, clip) for step in steps)
        edits.append(Measure(what, () if clipped else to, clip.span if what != clip.span else None))
    return (Repair("Measure at each micro-batch, and clip once, before the step", tuple(edits)),)


def _in_closure(update: Update, clip: Clip) -> bool:
    """Whether a clip stands in a loop of the closure that a step calls."""
    return update.detail.closure and clip.event.function != update.step.function and len(update.batches) > 1


def keep_in_a_list(clip: Event) -> tuple[Repair, ...]:
    """The ways to keep the parameters that a clip is given, where reading them once uses them up."""
    title, doubt = (
        "Keep the parameters in a list",
        "other parameters may be trained later than those that the list would hold",
    )
    return (
        Repair(title, (Iterate(clip.span),)),
        Repair(f"{title} from their first use on", (Iterate(clip.span, late=True),)),
        Repair("Name the parameters anew where they are clipped", (Iterate(clip.span, anew=True),)),
        Repair(f"{title} where they are named", (Iterate(clip.span, anyway=True),), unsafe=True, doubt=doubt),
    )

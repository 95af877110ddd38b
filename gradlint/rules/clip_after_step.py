"""Clipping what has already been spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Clip, real
from gradlint.model.edits import Repair
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import ClipSite, clip_sites
from gradlint.rules.support.doubts import doubts
from gradlint.rules.support.moves import before_step, beside, in_closure, unscale, unscales_before
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import inside, line, related, spot


class ClipAfterStep(Rule):
    """A clip that only ever finds gradients which the step before it has consumed."""

    name = "clip-after-step"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.CLIP})
    excused_by = frozenset({Deed.ADD})
    summary = "Gradients are clipped after the optimizer step they should have limited."
    reason = "the clip only changes places with the step"
    effect = "Every update is clipped to the limit."
    yields_to = frozenset({"clip-per-micro-batch", "clip-exhausted-parameters"})
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each useless clip that follows a step in the same iteration."""
        sites = clip_sites(case)
        for site in sites:
            if not site.useless or any(clip.detail.exhausted for _, _, clip in site.uses):
                continue
            for book, update, clip in site.uses:
                last = book.updates[-1] if update is None and book.updates else None
                step = update.previous if update is not None else last.step if last else None
                if step is None or real(step.stamp) != real(clip.event.stamp) or _filled(case, step, clip.event):
                    continue
                shown = update if update is not None else last
                yield Hit(
                    spot(case, clip.event, step),
                    f"Gradients are clipped after `{step.text}` on {line(step)} has already used them.",
                    "A step consumes the gradients as they are; clipping later changes only what the next zero_grad() clears.",
                    "No update is ever clipped: the limit has no effect on training.",
                    book.optimizer,
                    (
                        related(step, "the gradients are consumed here"),
                        *inside(clip.event, spot(case, clip.event, step), step),
                    ),
                    evidence(shown, book) if shown else None,
                    () if shown is None else doubts(shown, case),
                    _repairs(case, _beside(sites, clip, step), step) if clip.detail.movable else (),
                    stretch=(step.number, clip.event.number),
                )
                break


def _filled(case: Case, step: Event, clip: Event) -> bool:
    """Whether there may be gradients again: made by hand, or of a backward that no update in sight has for its own."""
    if any(step.number < write.number < clip.number for write in case.of(Kind.WRITE)):
        return True
    spent = {item.event.number for book in case.books for item in book.gathered()}
    return any(step.number < one.number < clip.number and one.number not in spent for one in case.of(Kind.BACKWARD))


def _beside(sites: Iterable[ClipSite], clip: Clip, step: Event) -> list[Event]:
    """A clip, and those that are as useless beside it, as where each group of parameters has its own."""
    found = [clip.event]
    for site in sites:
        for _, update, other in site.uses if site.useless else ():
            late = step.number < other.event.number and (update is None or update.previous is step)
            if late and other.detail.movable and not other.detail.exhausted and beside(other.event, clip.event):
                found.append(other.event)
    return sorted(dict.fromkeys(found), key=lambda event: event.number)


def _repairs(case: Case, clips: list[Event], step: Event) -> tuple[Repair, ...]:
    title, clip = "Clip before the step", clips[0]
    if any(event.span == step.span for event in case.of(Kind.BACKWARD)):
        return ()  # one call goes backward and steps: the clip belongs into it
    late = [event for event in unscales_before(case, clip) if event.number > step.number]
    if late:
        return before_step(title, case, [*late, *clips], step)
    return (*in_closure(case, clip, step), *before_step(title, case, clips, step, unscale(case, step, step.span)))

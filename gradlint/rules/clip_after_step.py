"""Clipping what has already been spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradlint.account.case import Case
from gradlint.model.books import Clip, Update, real
from gradlint.model.events import Deed, Event, Kind, Step, Write
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import (
    ClipSite,
    clip_before_the_step,
    clip_sites,
    useless_beside,
)
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.late_clips import as_meant, follows, wanted_elsewhere
from gradlint.rules.support.leftovers import KEEPS
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line, spot


class ClipAfterStep(Rule):
    """A clip that only ever finds gradients which the step before it has consumed."""

    name = "clip-after-step"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Gradients are clipped after the optimizer step they should have limited."
    reason = "the clip only changes places with the step"
    effect = "Every update is clipped to the limit."
    speaks = frozenset({Field.CLIP})
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})
    excused_by = frozenset({Deed.ADD})
    yields_to = frozenset({"clip-per-micro-batch"})
    yields_here_to = frozenset({"clip-exhausted-parameters"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each useless clip that follows a step in the same iteration, or stands behind the loop of it."""
        sites = clip_sites(case)
        for site in sites:
            for book, update, clip in site.uses if site.useless and not site.exhausted else ():
                shown = update if update is not None else next(reversed(book.updates), None)
                step = shown and (shown.previous if update is not None else shown.step)
                if shown and step and follows(case, step, clip.event) and not _filled(case, step, clip.event):
                    yield _hit(case, sites, shown, clip, step)
                    break


def _hit(case: Case, sites: Sequence[ClipSite], update: Update, clip: Clip, step: Event) -> Hit:
    moved = clip_before_the_step(case, useless_beside(sites, clip, step), step) if clip.detail.movable else ()
    return (
        Hit.at(spot(case, clip.event, step))
        .says(f"Gradients are clipped after `{step.text}` on {line(step)} has already used them.")
        .because(
            "A step consumes the gradients as they are; clipping later changes only what the next zero_grad() clears."
        )
        .costs("No update is ever clipped: the limit has no effect on training.")
        .of(case, update)
        .whenever(when=clip.event.stamp == step.stamp)
        .without_row(when=len(real(step.stamp)) != len(real(clip.event.stamp)))
        .shows(step, "the gradients are consumed here")
        .inside(clip.event, step)
        .between(step, clip.event)
        .unless(KEEPS, when=isinstance(step.detail, Step) and step.detail.rewrites)
        .unless("another network may be given the clipped gradients", when=_handed_on(case, clip.event))
        .unless(*wanted_elsewhere(case, step, clip.event))
        .mended(*as_meant(moved, step, clip.event))
    )


def _handed_on(case: Case, clip: Event) -> bool:
    """Whether gradients of nobody knows whom are written behind a clip, and something steps then, in its iteration.

    clip_grad_norm_(fast.parameters(), 0.2)
    for p, q in zip(fast.parameters(), slow.parameters()): q.grad = p.grad.clone()
    slow_optimizer.step()
    """
    behind = [event for event in case.events[clip.number + 1 :] if real(event.stamp) == real(clip.stamp)]
    writes = [event for event in behind if isinstance(event.detail, Write) and event.detail.roots is None]
    return any(event.kind is Kind.STEP and event.number > writes[0].number for event in behind) if writes else False


def _filled(case: Case, step: Event, clip: Event) -> bool:
    """Whether there may be gradients again: made by hand, or of a backward that no update in sight has for its own.

    A loss that is a number here has got none in sight. Where nothing goes backward, that is done out of sight.
    """
    if not case.of(Kind.BACKWARD):
        return True
    if any(step.number < number <= clip.number for number in case.scenario.log.raised):
        return True
    if any(step.number < write.number < clip.number for write in case.of(Kind.WRITE)):
        return True
    spent = {item.event.number for book in case.books for item in book.gathered()}
    return any(step.number < one.number < clip.number and one.number not in spent for one in case.of(Kind.BACKWARD))

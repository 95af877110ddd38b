"""Clipping what has already been spent."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.books import real
from gradlint.edits import Repair
from gradlint.finding import Safety, Severity
from gradlint.ledger import Field
from gradlint.mend import before_step, in_closure, unscale, unscales_before
from gradlint.rule import (
    Case,
    Hit,
    Rule,
    clip_sites,
    doubts,
    evidence,
    inside,
    line,
    related,
    spot,
)
from gradlint.trail import Deed, Event, Kind


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
        for site in clip_sites(case):
            if not site.useless or any(clip.detail.exhausted for _, _, clip in site.uses):
                continue
            for book, update, clip in site.uses:
                last = book.updates[-1] if update is None and book.updates else None
                step = update.previous if update is not None else last.step if last else None
                if step is None or real(step.stamp) != real(clip.event.stamp):
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
                    _repairs(case, clip.event, step) if clip.detail.movable else (),
                    stretch=(step.number, clip.event.number),
                )
                break


def _repairs(case: Case, clip: Event, step: Event) -> tuple[Repair, ...]:
    title = "Clip before the step"
    if any(event.span == step.span for event in case.of(Kind.BACKWARD)):
        return ()  # one call goes backward and steps: the clip belongs into it
    late = [event for event in unscales_before(case, clip) if event.number > step.number]
    if late:
        return before_step(title, case, [*late, clip], step)
    return (*in_closure(case, clip, step), *before_step(title, case, [clip], step, unscale(case, step, step.span)))

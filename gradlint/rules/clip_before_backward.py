"""Clipping before there is anything to clip."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Clip, Update, real
from gradlint.model.edits import Repair
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import clip_sites, early_clip
from gradlint.rules.support.doubts import doubts, stretch
from gradlint.rules.support.moves import before_step, clips_beside, in_closure
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import inside, line, related, spot


class ClipBeforeBackward(Rule):
    """A clip that runs before the backward of its own iteration and finds nothing fresh."""

    name = "clip-before-backward"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.CLIP})
    excused_by = frozenset({Deed.ADD})
    summary = "Gradients are clipped before the backward that creates them."
    reason = "the clip only moves to where its gradients are"
    effect = "Every update is clipped to the limit."
    yields_to = frozenset({"clip-after-step", "clip-exhausted-parameters"})
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each useless clip whose iteration has its backward later."""
        for site in clip_sites(case):
            if not site.useless or any(clip.detail.exhausted for _, _, clip in site.uses):
                continue
            for book, update, clip in site.uses:
                if update is None or not update.consumed or any(other.live for other in update.clips):
                    continue
                backward = update.consumed[0].event
                if backward.number < clip.event.number or not _around(clip.event, update, backward):
                    continue
                previous = update.previous
                if previous is not None and real(previous.stamp) == real(clip.event.stamp):
                    continue
                yield Hit(
                    spot(case, clip.event, backward),
                    f"Gradients are clipped before `{backward.text}` on {line(backward)} computes them.",
                    "At this point the gradients are empty or left over from the update before.",
                    f"The gradients used on {line(update.step)} are never clipped: the limit has no effect on training.",
                    book.optimizer,
                    (
                        related(backward, "the gradients are computed here"),
                        related(update.step, "and used here"),
                        *inside(clip.event, spot(case, clip.event, backward), backward),
                    ),
                    evidence(update, book),
                    doubts(update, case),
                    _repairs(case, clip, update),
                    stretch=(stretch(update)[0], clip.event.number),
                )
                break
        for book in case.books:
            found = ((update, early_clip(update)) for update in book.updates)
            yield from (_early(case, book, update, *early) for update, early in found if early is not None)


def _around(clip: Event, update: Update, backward: Event) -> bool:
    """Whether a clip runs in the turn of the backward, or in that of the step around a loop over micro-batches."""
    here, inner = real(clip.stamp), real(backward.stamp)
    return here == inner or (here == real(update.step.stamp) and here == inner[: len(here)])


def _early(case: Case, book: Book, update: Update, clip: Clip, backward: Event) -> Hit:
    last = "micro-batch" if len(update.consumed_batches) > 1 else "loss"
    return Hit(
        spot(case, clip.event, backward),
        f"Gradients are clipped before `{backward.text}` on {line(backward)} adds the last of the window.",
        f"At this point the gradient of the last {last} is still missing.",
        f"What the step on {line(update.step)} uses is not held to the limit, and its last {last} counts more.",
        book.optimizer,
        (related(backward, "the last gradient is computed here"), related(update.step, "and used here")),
        evidence(update, book),
        doubts(update, case),
        _repairs(case, clip, update),
        stretch=(clip.event.number, update.step.number),
    )


def _repairs(case: Case, clip: Clip, update: Update) -> tuple[Repair, ...]:
    if not clip.detail.movable:
        return ()
    beside = clips_beside(update, clip, lambda other: other.live == clip.live and not other.detail.exhausted)
    return (
        *in_closure(case, clip.event, update.step),
        *before_step("Clip before the step", case, beside, update.step),
    )

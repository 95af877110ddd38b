"""Clipping part of a sum."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.books import Book, Clip, Update
from gradlint.finding import Safety, Severity
from gradlint.rule import (
    Case,
    Hit,
    Rule,
    doubts,
    evidence,
    guard_related,
    inside,
    line,
    place,
    related,
)


class ClipPerMicroBatch(Rule):
    """A clip that runs while the window is still being accumulated."""

    name = "clip-per-micro-batch"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Partially accumulated gradients are clipped at every micro-batch."

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip inside a window."""
        for book in case.books:
            for update in book.updates:
                for clip in update.clips:
                    if _partial(update, clip):
                        yield self._hit(case, book, update, clip)

    def _hit(self, case: Case, book: Book, update: Update, clip: Clip) -> Hit:
        size = len(update.consumed_batches)
        return Hit(
            place(clip.event, update.step),
            f"Gradients are clipped at every micro-batch, but the update on {line(update.step)} sums {case.times(size, update)} of them.",
            "Each clip shrinks the running sum before the next gradient is added, so micro-batches count unequally.",
            "Early micro-batches lose weight against late ones, and the update's norm is not held to the limit's meaning.",
            book.optimizer,
            (
                *inside(clip.event, place(clip.event, update.step)),
                *guard_related(update),
                related(update.step, f"one update for {case.times(size, update)} micro-batches"),
            ),
            evidence(update, book),
            doubts(update, case, opaque=False),
        )


def _partial(update: Update, clip: Clip) -> bool:
    """True when another micro-batch of the window comes after the clip."""
    if clip.detail.infinite or not clip.live or clip.detail.exhausted or len(update.consumed_batches) < 2:
        return False
    seen = {item.batch for item in clip.live}
    return any(item.order > clip.event.number and item.batch not in seen for item in update.consumed)

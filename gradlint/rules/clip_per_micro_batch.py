"""Clipping part of a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Clip, Contribution, Update
from gradlint.model.edits import Repair
from gradlint.model.events import Deed, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import early_clip
from gradlint.rules.support.doubts import doubts
from gradlint.rules.support.leftovers import lost_of_window
from gradlint.rules.support.moves import before_step, clips_beside, synchronised, unscales_before
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import guard_related, inside, line, related, spot


class ClipPerMicroBatch(Rule):
    """A clip that runs while the window is still being accumulated."""

    name = "clip-per-micro-batch"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.CLIP})
    excused_by = frozenset({Deed.STEP, Deed.CLEAR})
    summary = "Gradients are clipped after every micro-batch although the optimizer steps once per window."
    reason = "the limit is one for the update, as the loop steps once for the window"
    effect = "The norm of the whole window's gradient is held to the limit, once for each update."
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip inside a window."""
        for book in case.books:
            for update in book.updates:
                meant = _meant(case, book, update)
                for clip in update.clips:
                    if _partial(update, clip, meant):
                        yield self._hit(case, book, update, clip, meant)

    def _hit(self, case: Case, book: Book, update: Update, clip: Clip, meant: Sequence[Contribution]) -> Hit:
        size = len({item.batch for item in meant})
        sums = "sums" if size == len(update.consumed_batches) else "should sum"
        each = sum(other.event.span == clip.event.span for other in update.clips) > 1
        times, step = case.times(size, update), line(update.step)
        what = (
            f"at every micro-batch, but the update on {step} {sums} {times} of them"
            if each
            else f"before the last of the {times} micro-batches that the update on {step} {sums}"
        )
        return Hit(
            spot(case, clip.event, update.step),
            f"Gradients are clipped {what}.",
            "Each clip shrinks the running sum before the next gradient is added, so micro-batches count unequally.",
            "Early micro-batches lose weight against late ones, and the update's norm is not held to the limit's meaning.",
            book.optimizer,
            (
                *inside(clip.event, spot(case, clip.event, update.step), update.step),
                *guard_related(update),
                related(update.step, f"one update for {times} micro-batches"),
            ),
            evidence(update, book),
            doubts(update, case),
            _repairs(case, update, clip, meant) if clip.detail.movable else (),
            stretch=(clip.event.number, update.step.number),
        )


def _meant(case: Case, book: Book, update: Update) -> tuple[Contribution, ...]:
    """What an update sums, and what it would if a zero in its window did not take that away."""
    return (*(item for item, _ in lost_of_window(case, book, update)), *update.consumed)


def _repairs(case: Case, update: Update, clip: Clip, meant: Sequence[Contribution]) -> tuple[Repair, ...]:
    beside = clips_beside(update, clip, lambda other: _partial(update, other, meant))
    events = [*unscales_before(case, clip.event), *beside]
    moves = before_step("Clip once, before the step", case, events, update.step)
    return (*synchronised("Clip only when gradients synchronise", update, clip.event), *moves)


def _partial(update: Update, clip: Clip, meant: Sequence[Contribution]) -> bool:
    """True when another micro-batch of the window comes after the clip."""
    if clip.detail.infinite or not clip.live or clip.detail.exhausted or len({item.batch for item in meant}) < 2:
        return False
    if early_clip(update) is not None:
        return False  # it comes once, but before the last backward: another rule tells it
    kept = set(map(id, meant))
    seen = {item.batch for item in clip.live if id(item) in kept}  # what was cleared on purpose is no part of the sum
    if not seen:
        return False
    return any(item.order > clip.event.number and item.batch not in seen for item in update.consumed)

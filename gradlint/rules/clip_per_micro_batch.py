"""Clipping part of a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradlint.account.case import Case
from gradlint.model.books import Clip, Contribution, Update
from gradlint.model.events import Deed, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import clip_once, is_partial
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.lost import lost_of_window
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import in_words
from gradlint.rules.support.telling import line, spot


class ClipPerMicroBatch(Rule):
    """A clip that runs while the window is still being accumulated."""

    name = "clip-per-micro-batch"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Gradients are clipped after every micro-batch although the optimizer steps once per window."
    reason = "the limit is one for the update, as the loop steps once for the window"
    effect = "The norm of the whole window's gradient is held to the limit, once for each update."
    speaks = frozenset({Field.CLIP})
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})
    excused_by = frozenset({Deed.STEP, Deed.CLEAR})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip inside a window."""
        for book in case.books:
            for update in book.updates:
                meant = (*(item for item, _ in lost_of_window(case, book, update)), *update.consumed)
                yield from (_hit(case, update, clip, meant) for clip in update.clips if is_partial(update, clip, meant))


def _hit(case: Case, update: Update, clip: Clip, meant: Sequence[Contribution]) -> Hit:
    """What is said of a clip in a window of all that is meant, with what a zero in it takes away."""
    batches = len({item.batch for item in meant})
    sums = "sums" if batches == len(update.consumed_batches) else "should sum"
    each = sum(other.event.span == clip.event.span for other in update.clips) >= max(2, batches)
    size, step = in_words(case, batches, update), line(update.step)
    size = "several" if size.endswith(" - 1") else size  # a rest that an epoch leaves: others sum more
    what = (
        f"at every micro-batch, but the update on {step} {sums} {size} of them"
        if each
        else f"before the last of the {size} micro-batches that the update on {step} {sums}"
    )
    return (
        Hit.at(spot(case, clip.event, update.step))
        .says(f"Gradients are clipped {what}.")
        .because(
            "Each clip shrinks the running sum before the next gradient is added, so micro-batches count unequally."
        )
        .costs(
            "Early micro-batches lose weight against late ones, and the update's norm is not held to the limit's meaning."
        )
        .of(case, update)
        .inside(clip.event, update.step)
        .guarded(update)
        .unless("another optimizer steps with what is clipped here", when=_for_another(case, update, clip))
        .shows(update.step, f"one update for {size} micro-batches")
        .between(clip.event, update.step)
        .mended(*clip_once(case, update, clip, meant))
    )


def _for_another(case: Case, update: Update, clip: Clip) -> bool:
    """Whether one norm is that of another optimizer's gradients, too, which steps with each micro-batch."""
    whole = (other for book in case.books if update not in book.updates for other in book.updates)
    return any(
        len(other.consumed_batches) < len(update.consumed_batches)
        and any(one.event is clip.event for one in other.clips)
        for other in whole
    )

"""Clips by their place in the source."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradlint.account.case import Case
from gradlint.model.books import Book, Clip, Update, real, related_parts
from gradlint.model.events import Event
from gradlint.model.finding import Span


@dataclass(frozen=True, slots=True, eq=False)
class ClipSite:
    """All that happened at one clip call: (book, update or `None` after the last, clip)."""

    span: Span
    uses: list[tuple[Book, Update | None, Clip]] = field(default_factory=list)

    @property
    def useless(self) -> bool:
        """True when it never found a fresh gradient in any book."""
        return not any(clip.live for _, _, clip in self.uses)


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
    found: dict[Span, ClipSite] = {}
    for book in case.books:
        places: list[tuple[Update | None, Clip]] = [(update, clip) for update in book.updates for clip in update.clips]
        places += [(None, clip) for clip in book.trailing]
        for update, clip in places:
            if not clip.detail.infinite:
                site = found.setdefault(clip.event.span, ClipSite(clip.event.span))
                site.uses.append((book, update, clip))
    return list(found.values())

"""What shows that a loop means to accumulate, and who divides by its window."""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.libraries.conventions.switches import AMP_GUARD
from gradlint.model.books import Update
from gradlint.model.finding import Span


def intends_window(case: Case, update: Update) -> bool:
    """True when the source plainly counts micro-batches: a modulus, a counter, or a named window."""
    guard = update.guard
    if guard is not None and guard.plain and guard.text:
        return True
    if len(update.batches) > 1 and all(item.detail.counted for item in update.consumed):
        return True  # Accelerate counts them
    return case.scenario.chunked or any(WINDOW_NAME.search(name) for name in case.scenario.windows)


def boundary(update: Update) -> tuple[Span | None, bool]:
    """The guard at which a window ends, and how it goes there: one that counts before one on mixed precision."""
    guard = update.guard
    if guard is not None and not guard.counted:
        inside = {one.span for item in update.consumed[-1:] for one in item.event.guards}
        own = [one for one in update.step.guards if one.span not in inside]
        counting = [one for one in own if one.counted]
        plain = [one for one in own if not AMP_GUARD.search(one.text)]
        if counting or AMP_GUARD.search(guard.text):
            found = counting or plain
            guard = found[-1] if found else None
    return (None, True) if guard is None else (guard.span, guard.taken)

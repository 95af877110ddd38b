"""What shows that a loop means to accumulate, and who divides by its window."""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.model.books import Update
from gradlint.model.events import Backward, Event, Kind, Schedule, Step
from gradlint.model.finding import Span


def intends_window(case: Case, update: Update) -> bool:
    """True when the source plainly counts micro-batches: a modulus, a counter, or a named window."""
    guard = update.guard
    if guard is not None and guard.plain and guard.text:
        return True
    if len(update.batches) > 1 and all(item.detail.counted for item in update.consumed):
        return True  # Accelerate counts them
    return case.chunked or any(WINDOW_NAME.search(name) for name in case.windows)


def divided_twice(case: Case) -> list[tuple[Event, str, str]]:
    """Backwards whose loss the loop has divided by the window that the library divides by: window and library, too.

    A loop that steps DeepSpeed's engine less often than it runs backward has a window of its own.
    """
    backwards = [(event, event.detail) for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
    steps = [event for event in case.of(Kind.STEP) if isinstance(event.detail, Step) and event.detail.via == "engine"]
    found: dict[Span, tuple[Event, str, str]] = {}
    for event, detail in backwards:
        if detail.twice:
            found.setdefault(event.span, (event, detail.twice, "Accelerate"))
        if detail.framework == "engine" and len(backwards) == len(steps):
            for name in filter(WINDOW_NAME.search, detail.factor.texts):
                found.setdefault(event.span, (event, name, "DeepSpeed"))
    return list(found.values())


def by_engine(case: Case) -> list[tuple[Event, Event, str]]:
    """Moves of the loop's own schedule beside every step of an engine that accumulates, with step and window."""
    backwards = [event.detail for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
    steps = [event for event in case.of(Kind.STEP) if isinstance(event.detail, Step)]
    parts = {part.number for detail in backwards for part in detail.factor.parts if part.library == "DeepSpeed"}
    engines = all(event.detail.via == "engine" for event in steps if isinstance(event.detail, Step))
    if len(parts) != 1 or not engines or len(backwards) != len(steps):
        return []
    found: dict[str, tuple[Event, Event, str]] = {}
    for move in case.of(Kind.SCHEDULE):
        own = isinstance(move.detail, Schedule) and move.detail.origin == "made" and not move.detail.framework
        step = next((step for step in steps if step.stamp == move.stamp and step.guards == move.guards), None)
        if own and step is not None and not getattr(move.detail, "positional", True):
            found.setdefault(move.subject, (move, step, str(1 / min(parts))))
    return list(found.values())

"""Effort: what it takes to see whether a repair keeps its promise.

    with measured() as effort:
        propose(...)
    effort.spent              statements in all that was looked at and tried for it

What is remembered of an earlier look counts like one that is run: a repair takes the same whoever asks, and whenever.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field

from gradlint.model.record import dataclass

MAX_EFFORT = 400_000
"""Statements for which repairs of one file are tried, some 15 seconds: most files take a tenth of that, or less."""

TOO_LONG = "not tried: the loops around it take too long"


@dataclass(slots=True)
class Effort:
    """The statements that were spent, and on what: the same look counts once."""

    spent: int = 0
    _known: set[Hashable] = field(default_factory=set)

    def add(self, what: Hashable, spent: int) -> None:
        """One more look or trial, if it is not known."""
        if what not in self._known:
            self._known.add(what)
            self.spent += spent


_NOW: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def measured() -> Iterator[Effort]:
    """Count what is spent in a block; blocks inside count for themselves only."""
    token = _NOW.set(Effort())
    try:
        effort = _NOW.get()
        assert effort is not None
        yield effort
    finally:
        _NOW.reset(token)


def is_too_much(spent: int | None = None) -> bool:
    """Whether so much was spent, or by now in the block that counts, that nothing more is tried."""
    effort = _NOW.get()
    now = spent if spent is not None else 0 if effort is None else effort.spent
    return now > MAX_EFFORT


def note(what: Hashable, spent: int) -> None:
    """Something was looked at or tried that takes so many statements."""
    effort = _NOW.get()
    if effort is not None:
        effort.add(what, spent)

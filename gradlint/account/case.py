"""A case: one region in one scenario, as rules see it, and facts that several of them ask for."""

from __future__ import annotations

from collections.abc import Mapping

from gradlint.model.books import Book, Update
from gradlint.model.events import Backward, Event, EventLog, Forward, Kind, Stamp
from gradlint.model.finding import Span
from gradlint.model.mentions import Mentions
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """What a region was run with, and all that happened then.

    Attributes:
        region: The name of the function that the region begins with.
        log: What happened, and what was assumed.
        looped: False when the loop is elsewhere.
        size: The window that the loop was run for.
        windows: The names of symbolic windows, with the value chosen for each.
        starts: Counters whose first value nobody can see.
        chunked: Whether a loop cuts its batches into micro-batches, or means to divide its losses.
        samples: Whether windows are counted in samples, or words, of which each batch may have another number.
        units: For each limit of a counter of samples what it goes on by in a batch, both empty where they have no name.
        way_out: The guard of the rare way out that was taken, if any.
    """

    region: str
    log: EventLog
    looped: bool
    size: int
    windows: Mapping[str, int]
    starts: frozenset[str]
    chunked: bool
    samples: bool
    units: Mapping[str, str]
    way_out: str
    shipped: Mapping[str, bool]

    @property
    def decisions(self) -> tuple[tuple[str, bool], ...]:
        """What this scenario assumes of the switches."""
        return tuple(sorted(self.log.decisions.items()))

    @property
    def otherwise(self) -> bool:
        """Whether a switch is another way than in the project's file of settings."""
        return bool(self.shipped) and any(self.shipped.get(key, on) is not on for key, on in self.log.decisions.items())

    @property
    def truncated(self) -> bool:
        """Whether the loop was too long to be run to its end."""
        return self.log.truncated

    @property
    def accident(self) -> tuple[int, Stamp] | None:
        """When a rare way out was taken: the number of the next event, and the iteration."""
        return self.log.accident


@dataclass(frozen=True, eq=False)
class Case:
    """One region in one scenario: what happened, the books of it, and what the program mentions elsewhere."""

    scenario: Scenario
    books: tuple[Book, ...]
    program: Mentions

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order."""
        return tuple(self.scenario.log.events)

    @cached_property
    def _by_kind(self) -> Mapping[Kind, tuple[Event, ...]]:
        found: dict[Kind, list[Event]] = {}
        for event in self.events:
            found.setdefault(event.kind, []).append(event)
        return {kind: tuple(events) for kind, events in found.items()}

    def of(self, *kinds: Kind) -> tuple[Event, ...]:
        """All events of some kinds, in order."""
        if len(kinds) == 1:
            return self._by_kind.get(kinds[0], ())
        return tuple(event for event in self.events if event.kind in kinds)

    @cached_property
    def _by_place(self) -> Mapping[Span, tuple[Event, ...]]:
        found: dict[Span, list[Event]] = {}
        for event in self.events:
            found.setdefault(event.span, []).append(event)
        return {span: tuple(events) for span, events in found.items()}

    def at(self, place: Span) -> tuple[Event, ...]:
        """What happened at a place, in order."""
        return self._by_place.get(place, ())

    @cached_property
    def updates(self) -> tuple[Update, ...]:
        """All updates, optimizer by optimizer."""
        return tuple(update for book in self.books for update in book.updates)

    def book_of(self, update: Update) -> Book:
        """The book that an update stands in."""
        return next(book for book in self.books if book.optimizer == update.optimizer)

    @cached_property
    def used_forwards(self) -> frozenset[int]:
        """The forwards, by their number, that some backward goes through."""
        return frozenset(
            number
            for event in self.of(Kind.BACKWARD)
            if isinstance(event.detail, Backward)
            for number in event.detail.forwards
            if isinstance(detail := self.events[number].detail, Forward) and detail.attached
        )

    @cached_property
    def trained(self) -> frozenset[str]:
        """The networks that some backward goes through."""
        return frozenset(self.events[number].subject for number in self.used_forwards)

    @cached_property
    def wasted_forwards(self) -> frozenset[int]:
        """The forwards whose gradients no step uses, as those of an attack on the network, which are cleared again."""
        gathered = {number for book in self.books for item in book.gathered() for number in item.detail.forwards}
        return frozenset(
            gathered - {number for one in self.updates for item in one.consumed for number in item.detail.forwards}
        )

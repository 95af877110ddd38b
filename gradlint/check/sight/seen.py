"""What was seen of one loop in all its scenarios. Cheap, for it is looked at for every loop."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from gradlint.interpret.told import TOLD
from gradlint.model.events import Backward, Event, Kind, Opaque, Step, Zero
from gradlint.model.record import dataclass
from gradlint.model.roots import overlaps

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.interpret.entries import Entry
    from gradlint.model.books import Update
    from gradlint.model.finding import Span


@dataclass(slots=True, eq=False)
class Ran:
    """What was run of a file for one loop.

    Attributes:
        covered: the functions that were run.
        reached: the names of those that ran a backward.
        through: the calls that led to one.
    """

    covered: set[Span]
    reached: set[str] = field(default_factory=set)
    through: set[Span] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Seen:
    """One loop.

    Attributes:
        entry: where it begins.
        ran: what was run for it.
        backwards: the first event of each backward, by its place.
        steps: the same for steps.
        booked: the places of backwards that are in some optimizer's books.
        held: the calls within an update that were given its optimizer and cannot be followed, by their place.
        handed: all calls that were given an optimizer, or are methods of one, and cannot be followed.
        known: the optimizers that are cleared.
        strange: the backwards whose loss comes from other models than the optimizer has, with that one's step.
        unsure: guards of which nobody knows when they let the optimizer step: (place, text).
        consumed: whether an update consumed something, or would have, had it not been wiped.
        truncated: whether a run was cut short.
    """

    entry: Entry
    ran: Ran
    backwards: dict[Span, Event] = field(default_factory=dict)
    steps: dict[Span, Event] = field(default_factory=dict)
    booked: set[Span] = field(default_factory=set)
    held: dict[Span, Event] = field(default_factory=dict)
    handed: dict[Span, Event] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    strange: dict[Span, tuple[Event, Event]] = field(default_factory=dict)
    unsure: dict[Span, str] = field(default_factory=dict)
    consumed: bool = False
    truncated: bool = False

    def look(self, case: Case) -> None:
        """Add what happens in one scenario."""
        self.truncated = self.truncated or case.scenario.truncated
        for event in case.events:
            if event.kind is Kind.BACKWARD:
                self.backwards.setdefault(event.span, event)
                self.ran.reached.add(event.function)
                self.ran.through.update(event.calls)
            elif event.kind is Kind.STEP:
                self.steps.setdefault(event.span, event)
            elif isinstance(event.detail, Opaque) and event.detail.optimizers:
                self.handed.setdefault(event.span, event)
            elif isinstance(event.detail, Zero) and event.detail.optimizer is not None:
                self.known.add(event.detail.optimizer)
        for book in case.books:
            self.booked.update(item.event.span for item in book.rest.live)
            self.booked.update(item.event.span for item, _ in book.tail_wiped)
            for update in book.updates:
                self._update(update)

    def _update(self, update: Update) -> None:
        self.consumed = self.consumed or bool(update.consumed or update.wiped or update.stale)
        for event in update.opaques:
            iterations = any(iteration.kind in ("batch", "micro") for iteration in event.stamp)
            makes = event.text.partition("(")[0].rpartition(".")[2][:1].isupper()
            told = event.span in self.steps
            if isinstance(event.detail, Opaque) and event.detail.optimizers and iterations and not (makes or told):
                self.held.setdefault(event.span, event)
        for item in update.consumed:
            if overlaps(item.detail.models or None, update.detail.params) is False:
                self.strange.setdefault(item.event.span, (item.event, update.step))
        self.booked.update(item.event.span for item in (*update.consumed, *update.stale))
        self.booked.update(item.event.span for item, _ in update.wiped)
        if update.unsure and update.guard is not None:
            self.unsure.setdefault(update.guard.span, update.guard.text)

    @property
    def works(self) -> bool:
        """Whether anything was added to gradients or spent."""
        return bool(self.backwards or self.steps)

    @property
    def foreign(self) -> list[Event]:
        """The steps whose books somebody else keeps, and nobody has told that this is so.

        Where updates are judged, `x.step()` of what is no optimizer is an engine's only if it runs backward, too.
        """
        engine = self.framework == "engine" or not self.consumed
        via = ("engine", "wrapper") if engine else ("wrapper",)
        steps = [(event, event.detail) for event in self.steps.values() if isinstance(event.detail, Step)]
        return [event for event, detail in steps if detail.via in via and detail.framework != TOLD]

    @property
    def settled(self) -> bool:
        """Whether somebody has told that a call makes whole updates."""
        return any(isinstance(event.detail, Step) and event.detail.framework == TOLD for event in self.steps.values())

    @property
    def lost(self) -> list[Event]:
        """The backwards that reach no optimizer's books, although others do."""
        if self.settled or not self.booked:
            return []
        return [event for place, event in self.backwards.items() if place not in self.booked]

    @property
    def judged(self) -> bool:
        """Whether some update was judged, or is nobody's business here."""
        return self.consumed or self.settled

    @property
    def clear(self) -> bool:
        """Whether all of it was judged."""
        return self.judged and not (
            self.truncated or self.held or self.unsure or self.lost or self.strange or self.foreign
        )

    @property
    def framework(self) -> str:
        """The library by which the loop runs backward, if it has a name."""
        kinds = [event.detail.framework for event in self.backwards.values() if isinstance(event.detail, Backward)]
        return "engine" if "engine" in kinds else next(filter(None, kinds), "")

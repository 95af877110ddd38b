"""A hit: what a rule says of one place in one scenario, built word by word.

Hit.at(update.step)                      where
.says("...")                             what is wrong, and which lines take part
.because("...")                          why that is so
.costs("...")                            what it does to training, in numbers
.of(case, update)                        whose books are wrong, the row that shows it, what is doubtful of it
.shows(backward, "computed here")        another line of the mistake
.unless("...", when=update.writes)       a reason to be less than sure
.whenever(when=...)                      wrong in whichever micro-batch the step comes
.between(backward, update.step)          where something out of sight would excuse it
.mended(*repairs)                        the ways to mend it, the best first
"""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Update
from gradlint.model.edits import Repair
from gradlint.model.events import Event
from gradlint.model.finding import Evidence, Related, Span
from gradlint.model.record import dataclass, replace
from gradlint.rules.support.doubts import NO_WINDOW, TOO_LONG, doubts
from gradlint.rules.support.telling import place


@dataclass(frozen=True, slots=True)
class Hit:
    """A mistake at a place in one scenario.

    `doubts` are reasons to be less than sure; `subject` names whose books are wrong, so that
    rules which `yield_to` others can stand back; `evidence` is the row of the ledger that shows it.
    A mistake that `stands` would be left when those others are mended: it never stands back. What would excuse it
    happens in its `stretch`, from one event's number to another's; without one there is no excuse.
    """

    span: Span
    message: str = ""
    why: str = ""
    impact: str = ""
    subject: str = ""
    related: tuple[Related, ...] = ()
    evidence: Evidence | None = None
    doubts: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    stands: bool = False
    stretch: tuple[int, int] | None = None

    @classmethod
    def at(cls, where: Event | Span) -> Hit:
        """A hit at an event, or at a place."""
        return cls(where.span if isinstance(where, Event) else where)

    def says(self, message: str) -> Hit:
        """What is wrong, and which lines take part."""
        return replace(self, message=message)

    def because(self, why: str) -> Hit:
        """Why that is so."""
        return replace(self, why=why)

    def costs(self, impact: str) -> Hit:
        """What it does to training, in numbers."""
        return replace(self, impact=impact)

    def about(self, subject: str) -> Hit:
        """Whose books are wrong: the key of an optimizer."""
        return replace(self, subject=subject)

    def of(self, case: Case, update: Update) -> Hit:
        """The update that shows it: whose books are wrong, the row of the ledger, and what is doubtful of it."""
        row = evidence(update, case.book_of(update))
        return replace(self.about(update.optimizer), evidence=row).unless(*doubts(case, update))

    def without_row(self, *, when: bool) -> Hit:
        """No row of the ledger, where the update that shows it is the last one: how long a loop turns is not known."""
        return replace(self, evidence=None) if when else self

    def shows(self, where: Event | Span | None, message: str) -> Hit:
        """Another line of the mistake, if there is one."""
        if where is None:
            return self
        span = where.span if isinstance(where, Event) else where
        return replace(self, related=(*self.related, Related(span, message)))

    def inside(self, event: Event, against: Event) -> Hit:
        """The event itself, when this stands at the call of its helper; that call, when it stands in the helper.

        Args:
            event: what is out of place.
            against: what it is out of place against; the call of a helper is one that this is not in.
        """
        if self.span != event.span:
            return self.shows(event, "it happens here")
        call = place(event, against)
        return self if call == self.span else self.shows(call, "it is called here")

    def guarded(self, update: Update) -> Hit:
        """The guard around a step, when it has one of its own."""
        return self if update.guard is None else self.shows(update.guard.span, "the window ends here")

    def unless(self, *reasons: str, when: object = True) -> Hit:
        """Reasons to be less than sure, where something holds."""
        return replace(self, doubts=(*self.doubts, *reasons)) if when else self

    def whenever(self, *, when: bool = True) -> Hit:
        """It is wrong whichever micro-batch the step comes with, and however the loop goes on: all of it was seen.

        That nobody can tell the window is no doubt then, nor that the run was cut off behind it.
        """
        kept = tuple(one for one in self.doubts if one not in (*NO_WINDOW, TOO_LONG))
        return replace(self, doubts=kept) if when else self

    def between(self, first: Event | int, last: Event | int) -> Hit:
        """From which event to which something out of sight would excuse it."""
        start, end = (one.number if isinstance(one, Event) else one for one in (first, last))
        return replace(self, stretch=(start, end))

    def within(self, stretch: tuple[int, int]) -> Hit:
        """The same, as the numbers of two events."""
        return replace(self, stretch=stretch)

    def mended(self, *repairs: Repair) -> Hit:
        """The ways to mend it, the best first."""
        return replace(self, repairs=repairs)

    def left_by_others(self) -> Hit:
        """It stays when the mistakes are mended that its rule yields to, and never stands back for them."""
        return replace(self, stands=True)

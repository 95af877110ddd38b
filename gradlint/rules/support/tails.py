"""The rest of an epoch that fills no window: who takes it, and who clears it."""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Repair, Tail
from gradlint.model.events import Event, Kind
from gradlint.rules.support.counting import begins_early
from gradlint.rules.support.windows import boundary


def leaked(book: Book) -> tuple[Update, Contribution] | None:
    """An update that consumed more than a window because of an earlier epoch, and the first that it inherited."""
    for update in book.updates:
        window = book.window_of(update) or 1
        old = [item for item in update.consumed if item.epoch != update.consumed[-1].epoch]
        rest = len({item.batch for item in old})  # each may go backward several times
        if old and window > 1 and (len(update.consumed_batches) > window or begins_early(book, update, rest)):
            return update, old[0]
    return None


def clears_the_window(book: Book, zero: Event) -> bool:
    """True of a zero that clears the window itself, under the window's own test: it was not meant for the rest."""
    for update in book.updates:
        if any(other.span == zero.span for _, other in update.wiped):
            around = {guard.text for item in update.consumed for guard in item.event.guards}
            tests = {guard.text for guard in update.step.guards if guard.known} - around
            return any(guard.known and guard.text in tests for guard in zero.guards)
    return False


def meant_for(book: Book, item: Contribution) -> Update:
    """The update that a micro-batch came too late for: the last one before it in its loop, else any."""
    loops = [iteration.loop for iteration in item.batch]
    before = [one for one in book.updates if one.step.number < item.event.number and one.consumed_batches]
    loop = [one for one in before if [iteration.loop for iteration in one.consumed_batches[-1]] == loops]
    return (loop or book.updates)[-1]


def step_at_the_end(update: Update, *, counted: bool = True) -> tuple[Repair, ...]:
    """The way to step at the end of the loader, too; a safe one where nothing is `counted` by updates."""
    span, _ = boundary(update)
    if span is None:
        return ()
    doubt = "" if counted else "no schedule in sight goes by the number of updates"
    edits = (Tail(span), Tail(span, behind=True))
    return tuple(Repair("Step at the end of the loader, too", (one,), safe=not counted, doubt=doubt) for one in edits)


def goes_by_updates(case: Case) -> bool:
    """Whether a schedule moves inside of an epoch: its length may be a number of updates."""
    return any(iteration.kind in ("batch", "micro") for event in case.of(Kind.SCHEDULE) for iteration in event.stamp)

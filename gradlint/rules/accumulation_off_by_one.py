"""A first window of the wrong size."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradlint.books import Book, Update
from gradlint.edits import Modulus, Repair
from gradlint.finding import Safety, Severity
from gradlint.ledger import Field
from gradlint.mend import boundary
from gradlint.rule import Case, Hit, Rule, doubts, evidence, line, related, tail, window_stretch
from gradlint.trail import Deed, Kind


class AccumulationOffByOne(Rule):
    """The first update comes a micro-batch too early or too late, because the count starts wrong, or every one too late."""

    name = "accumulation-off-by-one"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.WINDOW})
    excused_by = frozenset({Deed.STEP})
    summary = "The first accumulation window is one micro-batch long, or one too short or too long."
    reason = "the first window gets the length of all the others"
    effect = "Every update takes a whole window, from the first on."
    yields_to = frozenset({"zero-grad-in-accumulation"})
    mends = frozenset({Kind.STEP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each step whose first window differs from its steady one."""
        for book in case.books:
            pair = _odd(book, case.size)
            if pair is not None:
                yield self._hit(case, book, *pair)
            elif (late := _late(case, book)) is not None:
                yield self._over(case, book, *late)

    def _over(self, case: Case, book: Book, update: Update, window: str) -> Hit:
        count = len(update.batches)
        return Hit(
            update.place,
            f"Every update on {line(update.step)} takes one micro-batch more than `{window}`.",
            f"The count is only larger than `{window}` when one more has been added: a full window is `>=`.",
            f"Each update uses {count} micro-batches with weights meant for {count - 1}.",
            book.optimizer,
            (related(update.step, f"one update for {count}"),),
            evidence(update, book),
            doubts(update, case),
            (Repair(f"Step when `{window}` micro-batches are counted", (Modulus(update.place, 1),)),),
            stretch=window_stretch(update),
        )

    def _hit(self, case: Case, book: Book, first: Update, steady: Update) -> Hit:
        count, full = case.times(len(first.batches), first), case.times(len(steady.batches), first)
        odd = f"{count} micro-batch" + ("es" if len(first.batches) > 1 else "")
        guard = first.guard
        found = list(doubts(first, case))
        if case.starts:
            found.append(f"where `{min(case.starts)}` starts cannot be seen")
        return Hit(
            guard.span if guard else first.step.span,
            f"The first update on {line(first.step)} takes {odd}, every later one {full}.",
            "The guard counts from the wrong number: with an index that starts at 0 the window ends at `(i + 1) % N == 0`.",
            f"The first update of every epoch uses {odd} {_meant(first)} {full}, and all windows are shifted.",
            book.optimizer,
            (related(first.step, f"first step after {count}, then after every {full}"),),
            evidence(first, book),
            tuple(found),
            _repairs(first),
            stretch=(window_stretch(first)[0], steady.step.number),
        )


def _meant(update: Update) -> str:
    """What is wrong with the number of micro-batches in an update: where nothing divides them, it has no other weights."""
    return "with weights meant for" if any(item.factor.divided for item in update.consumed) else "instead of"


def _late(case: Case, book: Book) -> tuple[Update, str] | None:
    """An update of windows that are all one too long, and the name that their count has to exceed: `pending > accum`."""
    for update in book.updates:
        found = _OVER.search(update.guard.text) if update.guard is not None and update.guard.plain else None
        size = book.window_of(update)
        names = {tail(name) for name, value in case.windows.items() if value + 1 == size}
        if found and tail(found["window"]) in names and len(update.consumed_batches) == size and not update.wiped:
            return update, found["window"]
    return None


_OVER = re.compile(r"^[\w.]+ (?:>|==|>=) (?P<window>[A-Za-z_][\w.]*)$")


def _repairs(first: Update) -> tuple[Repair, ...]:
    span, _ = boundary(first)
    if span is None:
        return ()
    return tuple(Repair("Count the micro-batches from 1", (Modulus(span, by),)) for by in (1, -1))


def _odd(book: Book, size: int) -> tuple[Update, Update] | None:
    """(first, steady) updates of one step site in the first epoch, when their sizes differ."""
    sites = {update.step.span for update in book.updates}
    for site in sites:
        same = [update for update in book.updates if update.step.span == site]
        first = same[0]
        epoch = [update for update in same if update.epoch == first.epoch]
        if first.previous is not None or len(epoch) < 2 or not first.consumed or first.guard is None or first.wiped:
            continue
        if any(item.epoch != first.epoch for item in first.consumed):
            continue  # an epoch before, with an optimizer of its own, has left them
        steady = epoch[1]
        full = len(steady.batches)
        if len(epoch) == 2 and full < len(first.batches) and full != size:
            continue  # a short epoch: a window and its rest
        third = len(epoch[2].batches) if len(epoch) > 2 else full
        regular = third == full or (third < full and epoch[2] is epoch[-1])  # windows may grow
        if full >= 2 and len(first.batches) != full and regular and len(steady.batches) == len(steady.consumed_batches):
            return first, steady
    return None

"""A first window of the wrong size."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update
from gradlint.model.edits import Modulus, Repair
from gradlint.model.events import Deed, Guard, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.counting import odd_first, one_too_long
from gradlint.rules.support.doubts import doubts, window_stretch
from gradlint.rules.support.moves import boundary
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


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
            pair = odd_first(book, case.size)
            if pair is not None:
                yield self._hit(case, book, *pair)
            elif (late := one_too_long(case, book)) is not None:
                yield self._over(case, book, *late)

    def _over(self, case: Case, book: Book, update: Update, guard: Guard, window: str) -> Hit:
        count = len(update.batches)
        return Hit(
            guard.span,
            f"Every update on {line(update.step)} takes one micro-batch more than `{window}`.",
            _why(guard, window),
            f"Each update uses {count} micro-batches with weights meant for {count - 1}.",
            book.optimizer,
            (related(update.step, f"one update for {count}"),),
            evidence(update, book),
            doubts(update, case),
            (Repair(f"Step when `{window}` micro-batches are counted", (Modulus(guard.span, 1),)),),
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


def _why(guard: Guard, window: str) -> str:
    if ">=" not in guard.text and ">" in guard.text:
        return f"The count is only larger than `{window}` when one more has been added: a full window is `>=`."
    return (
        f"The count is asked before the micro-batch that was just added is counted: it reaches `{window}` one too late."
    )


def _meant(update: Update) -> str:
    """What is wrong with the number of micro-batches in an update: where nothing divides them, it has no other weights."""
    return "with weights meant for" if any(item.factor.divided for item in update.consumed) else "instead of"


def _repairs(first: Update) -> tuple[Repair, ...]:
    span, _ = boundary(first)
    if span is None:
        return ()
    return tuple(Repair("Count the micro-batches from 1", (Modulus(span, by),)) for by in (1, -1))

"""A first window of the wrong size."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Update
from gradlint.model.edits import Modulus, Repair
from gradlint.model.events import Deed, Guard, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.counting import count_from_one, divides, odd_first, one_too_long, only_once, why_too_long
from gradlint.rules.support.doubts import stepped_sooner, window_stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import first_in_words, in_words
from gradlint.rules.support.telling import line


class AccumulationOffByOne(Rule):
    """The first update comes too early or too late, because the count starts wrong; or every one comes too late, or none."""

    name = "accumulation-off-by-one"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The first accumulation window is one micro-batch long, or one too short or too long."
    reason = "the first window gets the length of all the others"
    effect = "Every update takes a whole window, from the first on."
    speaks = frozenset({Field.WINDOW})
    mends = frozenset({Kind.STEP})
    excused_by = frozenset({Deed.STEP})
    yields_to = frozenset({"zero-grad-in-accumulation"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each step whose first window differs from its steady one."""
        for book in case.books:
            pair = odd_first(case, book)
            if pair is not None:
                yield _first(case, *pair)
            elif (late := one_too_long(case, book)) is not None:
                yield _every(case, *late)
            elif (only := only_once(case, book)) is not None:
                yield _once(case, book, *only)


def _once(case: Case, book: Book, only: Update, guard: Guard) -> Hit:
    count, full = len(only.batches), in_words(case, case.scenario.size, only)
    odd = f"{count} micro-batch" + ("es" if count > 1 else "")
    return (
        Hit.at(guard.span)
        .says(
            f"The first window of {line(only.step)} ends after {odd}, and with more than one in a window no other ends."
        )
        .because(
            f"What is counted to `{full}` is raised only where the optimizer steps: it stands still until it steps again."
        )
        .costs("The optimizer steps once in the whole training; all later gradients are added up and never used.")
        .of(case, only)
        .shows(only.step, "steps once")
        .shows(book.rest.live[0].event, "these gradients are never used")
        .between(only.step, book.rest.live[-1].event)
    )


def _every(case: Case, update: Update, guard: Guard, window: str) -> Hit:
    count = len(update.batches)
    return (
        Hit.at(guard.span)
        .says(f"Every update on {line(update.step)} takes one micro-batch more than `{window}`.")
        .because(why_too_long(guard, window))
        .costs(f"Each update uses {count} micro-batches with weights meant for {count - 1}.")
        .of(case, update)
        .shows(update.step, f"one update for {count}")
        .within(window_stretch(update))
        .mended(Repair(f"Step when `{window}` micro-batches are counted", (Modulus(guard.span, 1),)))
    )


def _first(case: Case, first: Update, steady: Update) -> Hit:
    count, full = first_in_words(case, first), in_words(case, len(steady.batches), first)
    odd = f"{count} micro-batch" + ("es" if len(first.batches) > 1 else "")
    meant = "with weights meant for" if divides(first) else "instead of"
    starts, beside = case.scenario.starts, stepped_sooner(case, steady)
    return (
        Hit.at(first.place)
        .says(f"The first update on {line(first.step)} takes {odd}, every later one {full}.")
        .because(
            "The guard counts from the wrong number: with an index that starts at 0 the window ends at `(i + 1) % N == 0`."
        )
        .costs(f"The first update of every epoch uses {odd} {meant} {full}, and all windows are shifted.")
        .of(case, first)
        .shows(first.step, f"first step after {count}, then after every {full}")
        .unless(f"where `{min(starts, default='')}` starts cannot be seen", when=starts)
        .unless("another optimizer steps with each of these losses, and this one may just rest", when=beside)
        .between(window_stretch(first)[0], steady.step)
        .mended(*(() if beside else count_from_one(first)))
    )

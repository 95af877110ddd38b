"""Synchronising gradients that are not needed yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Update
from gradlint.model.events import Deed
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import window_stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.reducing import how_to_wait, is_counted, reduce_once, reduced_often
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import in_words
from gradlint.rules.support.telling import line


class MissingNoSync(Rule):
    """DDP all-reduces at every micro-batch of a window."""

    name = "missing-no-sync"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "Gradients are all-reduced after every micro-batch although only the last one of a window needs it."
    reason = "the sum over the window is reduced once instead of in parts"
    effect = "One all-reduce for each update; the gradients stay the same."
    speaks = frozenset({Field.SYNC})
    excused_by = frozenset({Deed.STEP, Deed.SYNC})
    yields_to = frozenset({"forward-outside-no-sync", "zero-grad-in-accumulation"})
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each optimizer with an update that costs several all-reduces."""
        for book in case.books:
            found = sorted(filter(reduced_often, book.updates), key=lambda update: _is_ragged(book, update))
            yield from (_hit(case, book, update) for update in found[:1])

    def cleared(self, case: Case) -> Iterable[Span]:
        """Backward calls that do run without synchronising."""
        return [item.event.span for one in case.updates for item in one.consumed if item.detail.synced is False]


def _is_ragged(book: Book, update: Update) -> bool:
    return len(update.consumed_batches) != book.window_of(update)


def _hit(case: Case, book: Book, update: Update) -> Hit:
    size = in_words(case, len(update.consumed_batches), update)
    counted, open_ended = is_counted(update), book.open_ended(update)
    known = not open_ended and not counted
    each = f"of the {size} backward passes" if known else "backward pass"
    return (
        Hit.at(update.consumed[0].event)
        .of(case, update)
        .whenever(when=counted)
        .says(f"DDP all-reduces the gradients in each {each} before the step on {line(update.step)}.")
        .because(f"Only the last backward of a window needs to synchronise; {how_to_wait(update.consumed[0].detail)}")
        .costs(f"{size if known else 'Several'} all-reduces for each update instead of 1; the gradients are right.")
        .guarded(update)
        .shows(update.step, f"one update for {size if known else 'these'} micro-batches")
        .unless("only a ragged window shows it", when=_is_ragged(book, update))
        .unless(
            "Apex's `scale_loss` puts aside what came before: the last all-reduce averages its own backward only",
            when=any(item.detail.stashed for item in update.consumed[1:]),
        )
        .unless("which backward is the last of an update is decided while the loop runs", when=open_ended)
        .within(window_stretch(update))
        .mended(*reduce_once(case, update))
    )

"""Synchronising gradients that are not needed yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update
from gradlint.model.events import Backward, Deed
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import NO_WINDOW, doubts, window_stretch
from gradlint.rules.support.reducing import CONTEXT, counted, reduce_once
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import guard_related, line, related


class MissingNoSync(Rule):
    """DDP all-reduces at every micro-batch of a window."""

    name = "missing-no-sync"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    speaks = frozenset({Field.SYNC})
    excused_by = frozenset({Deed.STEP, Deed.SYNC})
    summary = "Gradients are all-reduced after every micro-batch although only the last one of a window needs it."
    reason = "the sum over the window is reduced once instead of in parts"
    effect = "One all-reduce for each update; the gradients stay the same."
    absence = True
    yields_to = frozenset({"forward-outside-no-sync", "zero-grad-in-accumulation"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each update that costs several all-reduces."""
        for book in case.books:
            found = [update for update in book.updates if _reduced_often(update)]
            full = (update for update in found if len(update.consumed_batches) == book.window_of(update))
            update = next(full, found[0] if found else None)
            if update is not None:
                yield self._hit(case, book, update)

    def _hit(self, case: Case, book: Book, update: Update) -> Hit:
        backward = update.consumed[0].event
        size = case.times(len(update.consumed_batches), update)
        guessed = counted(update)
        found = [doubt for doubt in doubts(update, case) if not (guessed and doubt in NO_WINDOW)]
        if len(update.consumed_batches) != book.window_of(update):
            found.append("only a ragged window shows it")
        if any(item.detail.stashed for item in update.consumed[1:]):
            found.append(
                "Apex's `scale_loss` puts aside what came before: the last all-reduce averages its own backward only"
            )
        known = not book.open_ended(update) and not guessed
        if book.open_ended(update):
            found.append("which backward is the last of an update is decided while the loop runs")
        return Hit(
            backward.span,
            f"DDP all-reduces the gradients in each {f'of the {size} backward passes' if known else 'backward pass'} before the step on {line(update.step)}.",
            f"Only the last backward of a window needs to synchronise; {_advice(update.consumed[0].detail)}",
            f"{size if known else 'Several'} all-reduces for each update instead of 1; the gradients are right.",
            book.optimizer,
            (
                *guard_related(update),
                related(update.step, f"one update for {size if known else 'these'} micro-batches"),
            ),
            evidence(update, book),
            tuple(found),
            reduce_once(case, update),
            stretch=window_stretch(update),
        )

    def cleared(self, case: Case) -> Iterable[Span]:
        """Backward calls that do run without synchronising."""
        return [
            item.event.span
            for book in case.books
            for update in book.updates
            for item in update.consumed
            if item.detail.synced is False
        ]


def _advice(detail: Backward) -> str:
    if detail.wrapper == "apex":
        return "Apex's `DistributedDataParallel` has no `no_sync()`, that of `torch.nn.parallel` has."
    context = CONTEXT.get(detail.framework, "no_sync()")
    return f"run forward and backward of the others inside `{context}`."


def _reduced_often(update: Update) -> bool:
    """Whether each of several micro-batches of an update is all-reduced."""
    reduced = (item for item in update.consumed if item.detail.synced and item.detail.wrapper in ("ddp", "apex"))
    synced = {item.batch for item in reduced}
    return len(synced) >= 2 and len(synced) == len(update.consumed_batches)

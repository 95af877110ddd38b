"""Synchronising gradients that are not needed yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.books import Book, Update, real
from gradlint.edits import NoSync, Repair
from gradlint.finding import Safety, Severity, Span
from gradlint.ledger import Field
from gradlint.mend import boundary, wrapped
from gradlint.rule import Case, Hit, Rule, doubts, evidence, guard_related, line, place, related, window_stretch
from gradlint.trail import Backward, Deed, Event, Forward, Kind


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
        found = list(doubts(update, case))
        if len(update.consumed_batches) != book.window_of(update):
            found.append("only a ragged window shows it")
        known = not book.open_ended(update)
        if not known:
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
            _repairs(case, update),
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


_CONTEXT = {"fabric": "no_backward_sync(model)", "accelerate": "accelerator.no_sync(model)"}
"""What Fabric and Accelerate have instead: their models need no `no_sync` of their own, and may run in one process."""


def _advice(detail: Backward) -> str:
    if detail.wrapper == "apex":
        return "Apex's `DistributedDataParallel` has no `no_sync()`, that of `torch.nn.parallel` has."
    context = _CONTEXT.get(detail.framework, "no_sync()")
    return f"run forward and backward of the others inside `{context}`."


def _reduced_often(update: Update) -> bool:
    """Whether each of several micro-batches of an update is all-reduced."""
    reduced = (item for item in update.consumed if item.detail.synced and item.detail.wrapper in ("ddp", "apex"))
    synced = {item.batch for item in reduced}
    return len(synced) >= 2 and len(synced) == len(update.consumed_batches)


def _beside(event: Event, backward: Event) -> bool:
    """A forward of a wrapped model in the micro-batch of a backward."""
    wrapped_too = isinstance(event.detail, Forward) and bool(event.detail.wrapper) and event.detail.attached
    return wrapped_too and real(event.stamp) == real(backward.stamp)


def _repairs(case: Case, update: Update) -> tuple[Repair, ...]:
    item = update.consumed[0]
    if item.detail.framework in _CONTEXT or update.detail.framework in _CONTEXT:
        return ()
    found = [case.events[number] for number in item.detail.forwards]
    trained = [event for event in found if isinstance(event.detail, Forward) and event.detail.attached]
    forwards = [event for event in trained if isinstance(event.detail, Forward) and event.detail.wrapper == "ddp"]
    if any(isinstance(event.detail, Forward) and event.detail.part for event in forwards):
        return ()  # the model that is called has no `no_sync` of its own
    if not forwards:
        return ()
    first, last = forwards[0], item.event
    if len({event.subject for event in case.of(Kind.FORWARD) if _beside(event, last)}) > 1:
        return ()  # the context of one model leaves the others to synchronise
    model = wrapped(first)
    if not model:
        return ()
    shared = [call for call, other in zip(first.calls, last.calls, strict=False) if call == other]
    spans = [(place(first, last), place(last, first)), *((call, call) for call in reversed(shared))]
    edits = [NoSync(*pair, model, *boundary(update)) for pair in spans]
    start, end = update.consumed[0].event.number, update.consumed[-1].event.number
    used = any(start < event.number < end for kind in (Kind.CLIP, Kind.WRITE, Kind.READ) for event in case.of(kind))
    doubt = "between two micro-batches a rank would see its own gradients only" if used else ""
    return tuple(Repair("Synchronise once for each update", (edit,), used, doubt) for edit in edits)

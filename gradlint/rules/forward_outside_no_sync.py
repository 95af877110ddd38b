"""A forward that has already decided to synchronise."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Enter, Repair
from gradlint.model.events import Backward, Event, Forward, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class ForwardOutsideNoSync(Rule):
    """`backward` inside DDP's `no_sync()`, but its forward outside."""

    name = "forward-outside-no-sync"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "Only the backward stands inside `no_sync()`, which has no effect under DDP."
    reason = "forward and backward stay in their order"
    effect = "One all-reduce for each update; the gradients stay the same."
    speaks = frozenset({Field.SYNC})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each forward outside the context of its backward."""
        for event in case.of(Kind.BACKWARD):
            for number in event.detail.outside if isinstance(event.detail, Backward) else ():
                forward = case.events[number]
                yield (
                    Hit.at(forward)
                    .about(_only_user(case, event))
                    .says(f"The forward pass runs outside the `no_sync()` that its backward on {line(event)} is in.")
                    .because(
                        "DDP decides in the forward pass whether the next backward synchronises; `no_sync()` around the backward alone has no effect."
                    )
                    .costs("Every micro-batch still costs an all-reduce: the context saves nothing.")
                    .shows(event, "this backward still synchronises")
                    .unless(
                        "the call cannot be followed",
                        when=isinstance(forward.detail, Forward) and forward.detail.assumed,
                    )
                    .mended(Repair("Run the forward pass inside `no_sync()`", (Enter(forward.span, event.span),)))
                )


def _only_user(case: Case, backward: Event) -> str:
    """The one optimizer that uses what a backward leaves; empty for several."""
    books = [
        book.optimizer
        for book in case.books
        if any(item.event is backward for update in book.updates for item in update.consumed)
    ]
    return books[0] if len(books) == 1 else ""

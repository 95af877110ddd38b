"""A forward that has already decided to synchronise."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Enter, Repair
from gradlint.model.events import Backward, Forward, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class ForwardOutsideNoSync(Rule):
    """`backward` inside DDP's `no_sync()`, but its forward outside."""

    name = "forward-outside-no-sync"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    speaks = frozenset({Field.SYNC})
    summary = "Only the backward stands inside `no_sync()`, which has no effect under DDP."
    reason = "forward and backward stay in their order"
    effect = "One all-reduce for each update; the gradients stay the same."

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each forward outside the context of its backward."""
        for event in case.of(Kind.BACKWARD):
            detail = event.detail
            if not isinstance(detail, Backward):
                continue
            for number in detail.outside:
                forward = case.events[number]
                assumed = isinstance(forward.detail, Forward) and forward.detail.assumed
                yield Hit(
                    forward.span,
                    f"The forward pass runs outside the `no_sync()` that its backward on {line(event)} is in.",
                    "DDP decides in the forward pass whether the next backward synchronises; `no_sync()` around the backward alone has no effect.",
                    "Every micro-batch still costs an all-reduce: the context saves nothing.",
                    related=(related(event, "this backward still synchronises"),),
                    doubts=("the call cannot be followed",) if assumed else (),
                    repairs=(Repair("Run the forward pass inside `no_sync()`", (Enter(forward.span, event.span),)),),
                )

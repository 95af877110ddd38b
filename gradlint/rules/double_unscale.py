"""Unscaling twice."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import TOO_LONG, called_anew, contradictory
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.scaling import unscale_once
from gradlint.rules.support.telling import line


class DoubleUnscale(Rule):
    """Two `unscale_` calls for one optimizer with no `update()` between them."""

    name = "double-unscale"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "`scaler.unscale_` runs twice for one optimizer without a `scaler.update()` in between."
    reason = "one call for each update is all that the scaler allows"
    effect = "The loop no longer ends in a RuntimeError."
    speaks = frozenset({Field.FAULT, Field.CLIP, Field.SCALE})
    mends = frozenset({Kind.UNSCALE, Kind.CLIP})
    excused_by = frozenset({Deed.UPDATE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit at each second `unscale_`."""
        open_calls: dict[str, Event] = {}
        stepped: set[str] = set()
        for event in case.of(Kind.UNSCALE, Kind.UPDATE, Kind.STEP):
            if event.kind is Kind.UPDATE:
                open_calls.clear()
                stepped.clear()
            elif event.kind is Kind.STEP:
                open_calls.pop(event.subject, None)
                open_calls.pop("*", None)  # that call may have been for this optimizer
                stepped.add(event.subject)
            elif event.subject in open_calls:
                yield _hit(case, event, open_calls[event.subject])
            elif event.subject not in stepped:
                open_calls[event.subject] = event


def _hit(case: Case, event: Event, first: Event) -> Hit:
    same = event.span == first.span
    place = "in the micro-batch before" if same else f"on {line(first)}"
    return (
        Hit.at(event)
        .says(f"The gradients of `{called(event.subject)}` are unscaled again after `unscale_` {place}.")
        .because("`unscale_` may be called once for each optimizer between two calls of `scaler.update()`.")
        .costs("PyTorch raises a RuntimeError here; with the scaler switched off the mistake stays hidden.")
        .about(event.subject)
        .shows(None if same else first, "already unscaled here")
        .unless("the two calls may exclude each other", when=contradictory(first, event))
        .unless(
            "nothing shows which optimizer it is, and it may be another one each time",
            when=event.subject == "*" and same,
        )
        .unless("the caller may update the scaler between its calls", when=called_anew(case, first, event))
        .unless(TOO_LONG, when=case.scenario.truncated)
        .between(first, event)
        .mended(*unscale_once(case, event, first))
    )

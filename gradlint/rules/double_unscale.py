"""Unscaling twice."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case, called
from gradlint.model.books import real
from gradlint.model.edits import Delete, Repair
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory
from gradlint.rules.support.moves import before_step
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class DoubleUnscale(Rule):
    """Two `unscale_` calls for one optimizer with no `update()` between them."""

    name = "double-unscale"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.FAULT, Field.CLIP, Field.SCALE})
    excused_by = frozenset({Deed.UPDATE})
    summary = "`scaler.unscale_` runs twice for one optimizer without a `scaler.update()` in between."
    reason = "one call for each update is all that the scaler allows"
    effect = "The loop no longer ends in a RuntimeError."
    mends = frozenset({Kind.UNSCALE, Kind.CLIP})

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
    place = f"on {line(first)}" if first.span != event.span else "in the micro-batch before"
    found: tuple[str, ...] = ("the two calls may exclude each other",) if contradictory(first, event) else ()
    if event.subject == "*" and event.span == first.span:
        found += ("nothing shows which optimizer it is, and it may be another one each time",)
    return Hit(
        event.span,
        f"The gradients of `{called(event.subject)}` are unscaled again after `unscale_` {place}.",
        "`unscale_` may be called once for each optimizer between two calls of `scaler.update()`.",
        "PyTorch raises a RuntimeError here; with the scaler switched off the mistake stays hidden.",
        event.subject,
        () if first.span == event.span else (related(first, "already unscaled here"),),
        repairs=_repairs(case, event, first),
        doubts=found + (("the loop is too long to run to its end",) if case.truncated else ()),
        stretch=(first.number, event.number),
    )


def _repairs(case: Case, event: Event, first: Event) -> tuple[Repair, ...]:
    if first.span != event.span:
        return (Repair("Unscale once", (Delete(event.span),)),)
    step = next((one for one in case.of(Kind.STEP) if one.number > event.number and one.subject == event.subject), None)
    if step is None:
        return ()
    later = [one for one in case.of(Kind.CLIP) if event.number < one.number < step.number]
    clips = {one.span: one for one in later if real(one.stamp) == real(event.stamp)}
    guards = {guard.span for guard in step.guards} - {guard.span for guard in event.guards}
    inner = [one for one in later if guards & {guard.span for guard in one.guards}]
    if inner:
        return before_step("Unscale once, before the clip", case, [event], inner[0])
    return (
        *before_step("Unscale once, before the step", case, [event, *clips.values()], step),
        *before_step("Unscale once, before the step", case, [event], step),
    )

"""Clearing the gradients just before they would be used."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Update
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import SEVERAL, brought_back
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.lost import IN_PART, clear_behind, dropped_on_purpose, in_part, stepped_between
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line, spot


class ZeroGradBeforeStep(Rule):
    """A zero between the backward and the step: the step finds nothing."""

    name = "zero-grad-before-step"
    category = "lifecycle"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The gradients are zeroed between the backward and the step, so the step has nothing to apply."
    reason = "only the place of zero_grad changes"
    effect = "The optimizer uses the gradients that were computed for it."
    speaks = frozenset({Field.WINDOW, Field.OLD, Field.OTHERS})
    mends = frozenset({Kind.ZERO})
    excused_by = frozenset({Deed.ADD, Deed.STEP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each zero after which a step has nothing left."""
        for book in case.books:
            for update in book.updates:
                if update.wiped and not update.consumed and not brought_back(update, update.wiped[-1][1]):
                    yield _hit(case, update)
                    break


def _hit(case: Case, update: Update) -> Hit:
    (item, zero), step = update.wiped[-1], update.step
    return (
        Hit.at(spot(case, zero, step))
        .says(
            f"The gradients that `{item.event.text}` computes on {line(item.event)} are cleared before "
            f"`{step.text}` on {line(step)} can use them."
        )
        .because("zero_grad() belongs after the step or before the backward pass.")
        .costs("The step finds no gradients: the model does not learn, only weight decay and momentum move it.")
        .of(case, update)
        .shows(item.event, "computed here")
        .shows(step, "nothing left to use here")
        .inside(zero, step)
        .unless(SEVERAL, when=not item.sure)
        .unless(IN_PART, when=in_part(update, item, zero))
        .unless("another loss goes backward between the clear and the step", when=_filled_again(case, zero, step))
        .unless("another optimizer has used them already", when=stepped_between(case, update, item, zero))
        .unless(*dropped_on_purpose(case, update, zero))
        .between(item.event, step)
        .mended(*clear_behind(case, update, zero))
    )


def _filled_again(case: Case, zero: Event, step: Event) -> bool:
    """Whether another backward stands behind the clear: the step may be meant for its gradients."""
    return any(event.kind is Kind.BACKWARD for event in case.events[zero.number + 1 : step.number])

"""A method that is named but not called."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Call, Insert, Repair
from gradlint.model.events import Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.modes import kept_asleep
from gradlint.rules.support.rule import Rule


class MethodNotCalled(Rule):
    """`optimizer.step` as a statement: the parentheses are missing and nothing happens."""

    name = "method-not-called"
    category = "lifecycle"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "A method such as `optimizer.zero_grad` stands alone as a statement, without the parentheses that would call it."
    reason = "the line does nothing without the parentheses"
    effect = "The method runs."
    speaks = frozenset(Field)
    mends = frozenset(Kind)

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each bare method reference; most are told by their names, others by what the owner turns out to be."""
        for span, receiver, method in dict.fromkeys((*case.program.uncalled, *case.scenario.log.uncalled)):
            yield (
                Hit.at(span)
                .says(f"`{receiver}.{method}` names the method but does not call it.")
                .because("Without parentheses the expression is computed and thrown away.")
                .costs(_IMPACT.get(method, "The statement does nothing."))
                .about(receiver)
                .mended(_called(case, span, receiver, method))
            )


def _called(case: Case, span: Span, receiver: str, method: str) -> Repair:
    """The call, and with `train` those that have kept parts in evaluation mode until now."""
    asleep = kept_asleep(case, receiver) if method == "train" else ()
    return Repair("Call the method", (Call(span), *(Insert(code, span, "after") for code in asleep)))


_IMPACT = {
    "zero_grad": "Gradients are never cleared: every update contains all updates before it.",
    "step": "Nothing is updated by this line: the step never happens.",
    "update": "The loss scale is never adapted and the scaler's state is never reset.",
    "train": "The model stays in the mode it was in: dropout and batch norm may stay off.",
    "eval": "The model stays in training mode: dropout and batch norm stay on.",
}

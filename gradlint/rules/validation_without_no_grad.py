"""Evaluations that build graphs."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.evaluations import (
    announced,
    asked_at,
    needs_no_graph,
    quietly,
    unannounced,
    without_training,
)
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class ValidationWithoutNoGrad(Rule):
    """A model that is trained runs in evaluation mode with gradients on, and nothing goes back through it."""

    name = "validation-without-no-grad"
    category = "hygiene"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "A trained model is evaluated with gradients on: each forward keeps a graph that no backward uses."
    reason = "no backward goes through these forwards"
    effect = "Less memory and time for each evaluation; the numbers stay the same."
    speaks = frozenset({Field.FORWARD, Field.KEPT})
    mends = frozenset({Kind.FORWARD})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each loop that evaluates so, at its first forward."""
        if not case.scenario.truncated and case.of(Kind.STEP):
            found, spoken = announced(case)
            for mode, forward in (*found, *((None, one) for one in unannounced(case, spoken))):
                left_alone = case.program.switches | case.program.painted
                if not any(span.line in left_alone for span in (forward.span, *forward.calls)):
                    yield _hit(case, mode, forward)


def _hit(case: Case, mode: Event | None, forward: Event) -> Hit:
    where = asked_at(mode, forward)
    what = f"`{forward.text}`" if where == forward.span else f"`{forward.text}` on {line(forward)}, which this runs,"
    hit = (
        Hit.at(where)
        .says(f"{what} evaluates with gradients on: it keeps a graph that no backward uses.")
        .because("Nothing here switches gradients off, or says that it is an evaluation.")
        .costs(
            "Every batch holds the activations of all layers, as in training: more memory, smaller batches, less speed."
        )
        .about(called(forward.subject))
        .unless(*needs_no_graph(case, forward))
    )
    call, when = without_training(case, forward)
    hit = hit.shows(forward if where != forward.span else None, "it runs here")
    if mode is None:
        return hit
    return (
        hit.because(
            f"`{mode.text}` on {line(mode)} switches dropout and batch norm over, not the gradients; nothing here does.{when}"
        )
        .shows(mode, "this does not switch gradients off")
        .shows(call if call != where else None, "called here, it trains nothing")
        .mended(*quietly(case, mode, forward))
    )

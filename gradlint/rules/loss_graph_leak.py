"""A running total that keeps every graph alive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Repair
from gradlint.model.events import Backward, Event, Kept, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.model.record import replace
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.keeping import (
    backward_of,
    counts_hits,
    detach,
    hoarded,
    is_begun_anew,
    kept_alone,
    kept_for_training,
    until,
    updates_beside,
)
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class LossGraphLeak(Rule):
    """A loss with its graph is added to something that outlives the iteration."""

    name = "loss-graph-leak"
    category = "hygiene"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "A running total or a list keeps loss tensors with their graph."
    reason = "only the graph goes; the number stays"
    effect = "Memory stays flat; the gradients do not change."
    speaks = frozenset({Field.KEPT})
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each sum or list that gathers attached losses."""
        trained = kept_for_training(case)
        for event in case.of(Kind.KEEP):
            detail = event.detail
            if isinstance(detail, Kept) and detail.site not in trained:
                backward = backward_of(case, event, detail)
                if backward is not None:
                    yield _hit(case, event, detail, backward)
        yield from (_evaluated(keep, detail, forward) for keep, detail, forward in hoarded(case))

    def cleared(self, case: Case) -> Iterable[Span]:
        """Sums that some scenario runs backward through."""
        trained = kept_for_training(case)
        return [one.span for one in case.of(Kind.KEEP) if isinstance(one.detail, Kept) and one.detail.site in trained]


def _hit(case: Case, event: Event, detail: Kept, backward: Event) -> Hit:
    verb = _VERBS.get(detail.how, "added to")
    own = isinstance(backward.detail, Backward) and not detail.bases.isdisjoint(backward.detail.bases)
    what = "The loss of" if own else "What comes from the same output as the loss of"
    return (
        Hit.at(event)
        .says(f"{what} {line(backward)} is {verb} `{detail.target}` together with its graph.")
        .because(
            "What is put together still points at every iteration's graph; use `detach()`."
            if detail.how == "join"
            else "The sum is a tensor that still points at every iteration's graph; use `loss.item()` or `loss.detach()`."
        )
        .costs(f"Memory grows with every iteration until the {until(case, detail)}.")
        .shows(backward, "this loss still carries its graph")
        .unless("it is begun anew now and then", when=is_begun_anew(case, detail))
        .unless(f"`{detail.beside}` sets it anew, and may be called in turn", when=bool(detail.beside))
        .unless("its loop may go through the parts of one batch", when=not updates_beside(case, event))
        .mended(*(_asked_first(one, detail) for one in detach(event, detail, backward)))
    )


_VERBS = {"append": "appended to", "join": "joined to", "listed": "held in"}


def _asked_first(repair: Repair, detail: Kept) -> Repair:
    """A repair of what is joined: outputs that are put together may be gone through again, by `autograd.grad`, say."""
    doubt = "what is put together may still be gone through"
    return replace(repair, unsafe=True, doubt=repair.doubt or doubt) if detail.how == "join" else repair


def _evaluated(keep: Event, detail: Kept, forward: Event) -> Hit:
    return (
        Hit.at(keep)
        .says(f"The loss of this evaluation goes to `{detail.target}` together with its graph.")
        .because(
            "No backward runs through it, so nothing of the graph is freed: use `.item()`, and evaluate under `no_grad`."
        )
        .costs("Memory grows with every batch by the activations of all layers, until the device has none left.")
        .shows(forward, "runs with gradients on")
        .unless("an accuracy is counted, and has no graph", when=counts_hits(detail))
        .mended(kept_alone("Detach the loss", keep, detail))
    )

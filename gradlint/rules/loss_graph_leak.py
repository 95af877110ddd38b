"""A running total that keeps every graph alive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Detach, HandOver, Repair
from gradlint.model.events import Backward, Event, Kept, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.phases import batches, beside, hoarded, only_at_first
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class LossGraphLeak(Rule):
    """A loss with its graph is added to something that outlives the iteration."""

    name = "loss-graph-leak"
    category = "hygiene"
    severity = Severity.WARNING
    safety = Safety.SAFE
    speaks = frozenset({Field.KEPT})
    absence = True
    summary = "A running total or a list keeps loss tensors with their graph."
    reason = "only the graph goes; the number stays"
    effect = "Memory stays flat; the gradients do not change."

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each sum or list that gathers attached losses."""
        backwards = [event for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
        spent: dict[int, Event] = {}
        trained: set[tuple[int, int]] = set()
        for event in backwards:
            assert isinstance(event.detail, Backward)
            trained |= event.detail.kept
            for base in event.detail.bases:
                spent[base] = event
        anew = {
            kept.site for event in case.of(Kind.KEEP) if isinstance(kept := event.detail, Kept) and _begun_anew(kept)
        }
        for event in case.of(Kind.KEEP):
            detail = event.detail
            if not isinstance(detail, Kept) or detail.site in trained or not _outlives(event, detail):
                continue
            if only_at_first(case, event, backwards):
                continue
            backward = next((spent[base] for base in detail.bases if base in spent), None)
            backward = backward or beside(event, detail, backwards)
            if backward is not None:
                found = ["it is begun anew now and then"] if detail.site in anew else []
                found += [] if _updates(case, event) else ["its loop may go through the parts of one batch"]
                yield _hit(event, detail, backward, tuple(found))
        yield from (_evaluated(keep, forward) for keep, forward in hoarded(case))

    def cleared(self, case: Case) -> Iterable[Span]:
        """Sums that some scenario runs backward through."""
        trained = {
            site for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward) for site in event.detail.kept
        }
        return [
            event.span
            for event in case.of(Kind.KEEP)
            if isinstance(event.detail, Kept) and event.detail.site in trained
        ]


def _outlives(event: Event, detail: Kept) -> bool:
    """True when the target is older than the batch it is written in."""
    iterations = batches(event)
    return detail.born is not None and bool(iterations) and iterations[-1] not in detail.born


def _updates(case: Case, event: Event) -> bool:
    """Whether something is updated, or cleared, in the loop that gathers losses."""
    loops = {iteration.loop for iteration in event.stamp if iteration.kind == "batch"}
    spent = case.of(Kind.STEP, Kind.ZERO, Kind.OPAQUE)
    return any(iteration.loop in loops for one in spent for iteration in one.stamp)


def _begun_anew(detail: Kept) -> bool:
    """True of a target that was set anew in the batch loop, in a later iteration than the first: its graphs go each time."""
    return detail.born is not None and any(
        iteration.kind == "batch" and iteration.number > 0 for iteration in detail.born
    )


def _hit(event: Event, detail: Kept, backward: Event, found: tuple[str, ...]) -> Hit:
    verb = "appended to" if detail.how == "append" else "added to"
    own = isinstance(backward.detail, Backward) and not detail.bases.isdisjoint(backward.detail.bases)
    what = (
        f"The loss of {line(backward)}" if own else f"What comes from the same output as the loss of {line(backward)}"
    )
    return Hit(
        event.span,
        f"{what} is {verb} `{detail.target}` together with its graph.",
        "The sum is a tensor that still points at every iteration's graph; use `loss.item()` or `loss.detach()`.",
        "Memory grows with every iteration until the total is dropped.",
        related=(related(backward, "this loss still carries its graph"),),
        doubts=found,
        repairs=_repairs(event, detail, backward),
    )


def _evaluated(keep: Event, forward: Event) -> Hit:
    assert isinstance(keep.detail, Kept)
    return Hit(
        keep.span,
        f"The loss of this evaluation goes to `{keep.detail.target}` together with its graph.",
        "No backward runs through it, so nothing of the graph is freed: use `.item()`, and evaluate under `no_grad`.",
        "Memory grows with every batch by the activations of all layers, until the device has none left.",
        related=(related(forward, "runs with gradients on"),),
        repairs=(Repair("Detach the loss", (Detach(keep.span, parts=keep.detail.parts),)),),
    )


def _repairs(event: Event, detail: Kept, backward: Event) -> tuple[Repair, ...]:
    """Where the loss is handed to a helper that keeps it: others may hand it plain numbers."""
    title, shared = "Detach the loss", event.function != backward.function
    calls = reversed(event.calls) if shared else ()
    given = (Repair(title, (Detach(call, given=True),)) for call in calls)
    doubt = "the loss comes from another function, which may hand over a plain number" if shared else ""
    returned = (Repair(title, (HandOver(backward.span),)),) if shared else ()
    return (*given, *returned, Repair(title, (Detach(event.span, parts=detail.parts),), shared, doubt))

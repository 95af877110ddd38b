"""The same shuffle in every epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.finding import Safety, Severity, Span
from gradlint.rule import Case, Hit, Rule, called
from gradlint.trail import Kind


class MissingSetEpoch(Rule):
    """A `DistributedSampler` is iterated for several epochs without `set_epoch`."""

    name = "missing-set-epoch"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "A DistributedSampler is never told the epoch."
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each sampler whose loader runs more than once untold."""
        told = {event.subject for event in case.of(Kind.SET_EPOCH)}
        epochs: dict[str, int] = {}
        for event in case.of(Kind.EPOCH):
            if told & {event.subject, "*"} or not any(turn.kind == "epoch" for turn in event.stamp):
                continue
            epochs[event.subject] = epochs.get(event.subject, 0) + 1
            if epochs[event.subject] == 2:
                yield Hit(
                    event.span,
                    f"`{called(event.subject)}` is a DistributedSampler, but `set_epoch` is never called.",
                    "It seeds its shuffle with the epoch number, which stays 0 unless `set_epoch(epoch)` is called before each epoch.",
                    "Every epoch sees the data in the same order and with the same split over the ranks.",
                )

    def cleared(self, case: Case) -> Iterable[Span]:
        """Epoch loops of a world in which `set_epoch` is called."""
        told = {event.subject for event in case.of(Kind.SET_EPOCH)}
        return [event.span for event in case.of(Kind.EPOCH) if told & {event.subject, "*"}]

"""The same shuffle in every epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.modes import evaluates
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.samplers import (
    begun_anew,
    is_told,
    is_told_anew,
    outermost,
    trains_another,
)
from gradlint.rules.support.telling_samplers import repairs


class MissingSetEpoch(Rule):
    """A `DistributedSampler` is iterated for several epochs without `set_epoch`."""

    name = "missing-set-epoch"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "A shuffling `DistributedSampler` is used over several epochs without `set_epoch`."
    reason = "`set_epoch` only changes the seed of the shuffle"
    effect = "Every epoch sees the data in a new order."
    speaks = frozenset({Field.EPOCHS})
    mends = frozenset({Kind.SET_EPOCH})
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each sampler and loop in which its loader runs more than once untold."""
        passes: dict[tuple[str, int], list[Event]] = {}
        told = set[tuple[str, int]]()
        for event in case.of(Kind.EPOCH):
            if not is_told_anew(case, event) and (_feeds(case, event) if begun_anew(event) else _trains(case, event)):
                key = event.subject, outermost(event)
                before = passes.setdefault(key, [])
                again = [one for one in before if not trains_another(case, one, event)]
                before.append(event)
                if len(again) == 1 and key not in told and not is_told(case, event):
                    told.add(key)
                    yield _hit(case, event)

    def cleared(self, case: Case) -> Iterable[Span]:
        """Epoch loops of a scenario in which `set_epoch` is called."""
        return [event.span for event in case.of(Kind.EPOCH) if is_told_anew(case, event)]


def _hit(case: Case, event: Event) -> Hit:
    """A sampler without a name is reached through its loader."""
    unnamed = event.subject.startswith("new:")
    elsewhere = any(one.subject == event.subject for one in case.of(Kind.SET_EPOCH))
    sampler = "The sampler of this loader" if unnamed else f"`{called(event.subject)}`"
    where = "not called in this loop" if elsewhere else "never called"
    return (
        Hit.at(event)
        .says(f"{sampler} is a DistributedSampler, but `set_epoch` is {where}.")
        .because(
            "It seeds its shuffle with the epoch number, which stays 0 unless `set_epoch(epoch)` is called before each epoch."
        )
        .costs("Every epoch sees the data in the same order and with the same split over the ranks.")
        .mended(*repairs(case, event, () if unnamed else (called(event.subject),)))
    )


def _feeds(case: Case, anew: Event) -> bool:
    """Whether what is begun anew is trained on in this very turn: an evaluation in between has it for itself."""
    behind = (event for event in case.events[anew.number + 1 :] if event.stamp[: len(anew.stamp)] == anew.stamp)
    kinds = [event.kind for event in behind if event.kind in (Kind.EVAL, Kind.BACKWARD, Kind.STEP)]
    asked = evaluates(anew.function) or evaluates(called(anew.subject))
    return bool(kinds) and kinds[0] is not Kind.EVAL and not asked


def _trains(case: Case, epoch: Event) -> bool:
    """Whether a pass over a loader may train: what only runs forwards, or never steps, may have any order."""
    if not case.of(Kind.STEP) or not any(iteration.kind == "epoch" for iteration in epoch.stamp):
        return False
    kinds: set[Kind] = set()
    for event in case.events[epoch.number + 1 :]:
        beside = event.kind is Kind.EPOCH and len(event.stamp) <= len(epoch.stamp)  # no evaluation within the pass
        if beside or event.stamp[: len(epoch.stamp)] != epoch.stamp:
            break
        kinds.add(event.kind)
    return Kind.FORWARD not in kinds or bool(kinds & {Kind.BACKWARD, Kind.STEP})

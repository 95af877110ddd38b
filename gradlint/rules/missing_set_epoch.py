"""The same shuffle in every epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.modes import evaluates
from gradlint.rules.support.rule import Rule


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
        """One hit for each sampler whose loader runs more than once untold."""
        told = {event.subject for event in case.of(Kind.SET_EPOCH)}
        epochs: dict[str, int] = {}
        for event in case.of(Kind.EPOCH):
            if not told & {event.subject, "*"} and (
                _feeds(case, event) if _begun_anew(event) else _trains(case, event)
            ):
                epochs[event.subject] = epochs.get(event.subject, 0) + 1
                if epochs[event.subject] == 2:
                    yield _hit(event)

    def cleared(self, case: Case) -> Iterable[Span]:
        """Epoch loops of a scenario in which `set_epoch` is called."""
        told = {event.subject for event in case.of(Kind.SET_EPOCH)}
        return [event.span for event in case.of(Kind.EPOCH) if told & {event.subject, "*"}]


def _hit(event: Event) -> Hit:
    """A sampler without a name is reached through its loader."""
    unnamed = event.subject.startswith("new:")
    sampler = "The sampler of this loader" if unnamed else f"`{called(event.subject)}`"
    names = (
        () if _begun_anew(event) else ("{loader}.sampler",) if unnamed else (called(event.subject), "{loader}.sampler")
    )
    calls = (Insert(f"{name}.set_epoch({{target}})", event.span, "first") for name in names)
    return (
        Hit.at(event)
        .says(f"{sampler} is a DistributedSampler, but `set_epoch` is never called.")
        .because(
            "It seeds its shuffle with the epoch number, which stays 0 unless `set_epoch(epoch)` is called before each epoch."
        )
        .costs("Every epoch sees the data in the same order and with the same split over the ranks.")
        .mended(*(Repair("Tell the sampler the epoch", (call,)) for call in calls))
    )


def _begun_anew(event: Event) -> bool:
    """Whether an iterator is made anew in the midst of the training: nothing there counts the epochs."""
    return bool(event.stamp) and event.stamp[-1].kind in ("batch", "micro")


def _feeds(case: Case, anew: Event) -> bool:
    """Whether what is begun anew is trained on in this very turn: an evaluation in between has it for itself."""
    behind = (event for event in case.events[anew.number + 1 :] if event.stamp[: len(anew.stamp)] == anew.stamp)
    kinds = [event.kind for event in behind if event.kind in (Kind.EVAL, Kind.BACKWARD, Kind.STEP)]
    return bool(kinds) and kinds[0] is not Kind.EVAL and not evaluates(anew.function)


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

"""The same shuffle in every epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case, called
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.moves import evaluates
from gradlint.rules.support.rule import Hit, Rule


class MissingSetEpoch(Rule):
    """A `DistributedSampler` is iterated for several epochs without `set_epoch`."""

    name = "missing-set-epoch"
    category = "distributed"
    severity = Severity.WARNING
    safety = Safety.SAFE
    speaks = frozenset({Field.EPOCHS})
    summary = "A shuffling `DistributedSampler` is used over several epochs without `set_epoch`."
    reason = "`set_epoch` only changes the seed of the shuffle"
    effect = "Every epoch sees the data in a new order."
    absence = True
    mends = frozenset({Kind.SET_EPOCH})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each sampler whose loader runs more than once untold."""
        told = {event.subject for event in case.of(Kind.SET_EPOCH)}
        epochs: dict[str, int] = {}
        for event in case.of(Kind.EPOCH):
            anew = _begun_anew(event)
            if told & {event.subject, "*"} or not (anew or any(iteration.kind == "epoch" for iteration in event.stamp)):
                continue
            if not (_feeds(case, event) if anew else _trains(case, event)):
                continue
            epochs[event.subject] = epochs.get(event.subject, 0) + 1
            if epochs[event.subject] == 2:
                yield Hit(
                    event.span,
                    f"{_named(event.subject)} is a DistributedSampler, but `set_epoch` is never called.",
                    "It seeds its shuffle with the epoch number, which stays 0 unless `set_epoch(epoch)` is called before each epoch.",
                    "Every epoch sees the data in the same order and with the same split over the ranks.",
                    repairs=tuple(
                        Repair("Tell the sampler the epoch", (Insert(code, event.span, "first"),))
                        for code in ([] if anew else _codes(event.subject))
                    ),
                )

    def cleared(self, case: Case) -> Iterable[Span]:
        """Epoch loops of a scenario in which `set_epoch` is called."""
        told = {event.subject for event in case.of(Kind.SET_EPOCH)}
        return [event.span for event in case.of(Kind.EPOCH) if told & {event.subject, "*"}]


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
    if not case.of(Kind.STEP):
        return False
    kinds: set[Kind] = set()
    for event in case.events[epoch.number + 1 :]:
        beside = event.kind is Kind.EPOCH and len(event.stamp) <= len(epoch.stamp)  # no evaluation within the pass
        if beside or event.stamp[: len(epoch.stamp)] != epoch.stamp:
            break
        kinds.add(event.kind)
    return Kind.FORWARD not in kinds or bool(kinds & {Kind.BACKWARD, Kind.STEP})


def _named(sampler: str) -> str:
    return "The sampler of this loader" if sampler.startswith("new:") else f"`{called(sampler)}`"


def _codes(sampler: str) -> list[str]:
    """The call, with the loop's variable; a sampler without a name is reached through its loader."""
    named = [] if sampler.startswith("new:") else [called(sampler)]
    return [f"{name}.set_epoch({{target}})" for name in (*named, "{loader}.sampler")]

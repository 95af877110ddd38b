"""Training in evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.events import Event, Kind, Mode
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.model.roots import comprises
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.modes import back_to_training, evaluated_on_purpose, undoes
from gradlint.rules.support.moves import beside
from gradlint.rules.support.phases import asked, holds, is_trained, passed_through, resting, uncertain
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line, place


class MissingTrainMode(Rule):
    """`eval()` in the loop, and the next training forward comes without `train()`."""

    name = "missing-train-mode"
    category = "hygiene"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The model is put into eval mode during training and not put back before the next training forward."
    reason = "the mode that training means is set before it goes on"
    effect = "Dropout and batch norm work again in every epoch after the first evaluation."
    speaks = frozenset({Field.MODE})
    mends = frozenset({Kind.TRAIN, Kind.EVAL})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each `eval()` that a later training forward still feels."""
        if not case.of(Kind.EVAL):
            return
        used = case.used_forwards - case.wasted_forwards
        training = used - passed_through(case) if case.of(Kind.STEP) else frozenset()
        trained, partly, evaluated = set[str](), set[str](), set[str]()
        off, latest = dict[str, Event](), dict[str, Event]()
        rests, asleep = resting(case, training)
        for event in case.events:
            if event.kind is Kind.EVAL and event.subject in rests:
                continue
            if event.kind is Kind.TRAIN:
                for root in [root for root in off if undoes(event, root)]:
                    del off[root]
                partly |= {root for root in off if holds(case, latest[root], root, event.subject)}
            elif event.kind is Kind.EVAL and (not event.stamp or _is_setup(event)):
                off.pop(event.subject, None)  # outside of all loops it is meant: a student is now a teacher
            elif event.kind is Kind.EVAL and _alike(event):
                continue  # what has one mode only needs none
            elif event.kind is Kind.EVAL and (
                roots := {one for one in trained - asleep if comprises(event.subject, one)}
            ):
                off |= {root: event for root in roots if root not in off}
                latest |= dict.fromkeys(roots, event)
                evaluated -= roots
                partly -= roots
            elif event.number in training:
                at_rest = (one for one in asked(event) if one in off and one in evaluated)
                root = next((one for one in at_rest if is_trained(case, one, surely=one != event.subject)), "")
                last = off.get(root)
                if last is not None and not any(evaluated_on_purpose(case, one, event) for one in (last, latest[root])):
                    on = {case.events[number].subject for number in training if number > event.number}
                    also = [one for key, one in off.items() if key != root and key in on]
                    yield (
                        _hit(case, last, event, also)
                        .unless("a part of the model is put back into training mode", when=root in partly)
                        .unless(*uncertain(case, root, last, event))
                    )
                trained.update(asked(event))
            elif event.kind is Kind.FORWARD:
                evaluated.update(asked(event))
                evaluated |= {root for root in off if comprises(root, event.subject)}


def _is_setup(event: Event) -> bool:
    """Whether an object that is being made puts what it was given into evaluation mode: for as long as it lives."""
    return event.function.rpartition(".")[2] == "__init__"


def _alike(event: Event) -> bool:
    return isinstance(event.detail, Mode) and event.detail.alike


def _hit(case: Case, off: Event, forward: Event, also: list[Event]) -> Hit:
    return (
        Hit.at(place(off, forward))
        .says(
            f"`{off.text}` is not undone before training goes on: the forward pass on {line(forward)} runs in evaluation mode."
        )
        .because(f"Nothing calls `{off.receiver}.train()` between the evaluation and the next training batch.")
        .costs("From the first evaluation on, dropout is off and batch norm uses frozen statistics.")
        .shows(forward, "trains in evaluation mode")
        .inside(off, forward)
        .mended(*back_to_training(case, off, forward, [one for one in also if beside(one, off)]))
    )

"""Training in evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case, used_forwards, wasted_forwards
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Kind, Mode
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.moves import as_before, beside, evaluates, receiver
from gradlint.rules.support.phases import evaluates_itself, heads, is_trained, puts_back, resting, undoes, unlikely
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import inside, line, place, related


class MissingTrainMode(Rule):
    """`eval()` in the loop, and the next training forward comes without `train()`."""

    name = "missing-train-mode"
    category = "hygiene"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.MODE})
    summary = "The model is put into eval mode during training and not put back before the next training forward."
    reason = "the mode that training means is set before it goes on"
    effect = "Dropout and batch norm work again in every epoch after the first evaluation."
    mends = frozenset({Kind.TRAIN, Kind.EVAL})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each `eval()` that a later training forward still feels."""
        training = used_forwards(case) - wasted_forwards(case) if case.of(Kind.STEP) else set()
        trained: set[str] = set()
        off: dict[str, Event] = {}
        partly: set[str] = set()
        evaluated: set[str] = set()
        rests = resting(case, training)
        for event in case.events:
            if event.kind is Kind.EVAL and event.subject in rests:
                continue
            if event.kind is Kind.TRAIN:
                for root in [root for root in off if undoes(event, root)]:
                    del off[root]
                partly |= {root for root in off if event.subject.startswith(f"{root}.")}
            elif event.kind is Kind.EVAL and not event.stamp:
                off.pop(event.subject, None)  # outside of all loops it is meant: a student is now a teacher
            elif event.kind is Kind.EVAL and _alike(event) and len(trained) > 1:
                continue  # beside other networks, that which has one mode only needs none
            elif event.kind is Kind.EVAL and event.subject in trained:
                off.setdefault(event.subject, event)
                evaluated.discard(event.subject)
                partly.discard(event.subject)
            elif event.number in training:
                left = event.subject in off and event.subject in evaluated and is_trained(case, event.subject)
                if left and not _meant(case, off[event.subject], event):
                    found = (*_doubts(case, event.subject, partly), *unlikely(case, off[event.subject], event))
                    on = {case.events[number].subject for number in training if number > event.number}
                    also = [one for root, one in off.items() if root != event.subject and root in on]
                    yield _hit(case, off[event.subject], event, found, also)
                trained.add(event.subject)
            elif event.kind is Kind.FORWARD:
                evaluated.add(event.subject)
                evaluated |= {root for root in off if event.subject.startswith(f"{root}.")}


def _alike(event: Event) -> bool:
    return isinstance(event.detail, Mode) and event.detail.alike


def _meant(case: Case, off: Event, forward: Event) -> bool:
    """Whether a model is trained in evaluation mode on purpose.

    `eval()` stands at the head of the very loop that trains (a linear probe), a switch has left out the `train()` that
    would undo it, or the mode that was noted is put back only behind the training.
    """
    spared = any(root == forward.subject and off.number < number <= forward.number for number, root in case.spared)
    return heads(off, forward) or spared or puts_back(case, off, forward)


def _doubts(case: Case, root: str, partly: set[str]) -> Iterator[str]:
    if root in partly:
        yield "a part of the model is put back into training mode"
    owner = root.rpartition(".")[0]
    called = {event.subject for event in case.of(Kind.FORWARD)}
    for event in case.of(Kind.TRAIN) if owner else ():
        if event.subject not in called and event.subject.rpartition(".")[0] == owner:
            yield f"`{receiver(event)}`, which is put into training mode, may be the same network"
            return


def _hit(case: Case, off: Event, forward: Event, found: tuple[str, ...], also: list[Event]) -> Hit:
    return Hit(
        place(off, forward),
        f"`{off.text}` is not undone before training goes on: the forward pass on {line(forward)} runs in evaluation mode.",
        f"Nothing calls `{receiver(off)}.train()` between the evaluation and the next training batch.",
        "From the first evaluation on, dropout is off and batch norm uses frozen statistics.",
        related=(related(forward, "trains in evaluation mode"), *inside(off, place(off, forward))),
        doubts=found,
        repairs=_repairs(case, off, forward, [one for one in also if beside(one, off)]),
    )


def _repairs(case: Case, off: Event, forward: Event, also: list[Event]) -> tuple[Repair, ...]:
    """Ways back to training mode for a network, and for those that `also` were put into `eval()` beside it."""
    title, name, callee = "Go back to training mode", receiver(off), forward.text.partition("(")[0]
    here, there = place(forward, off), place(off, forward)
    rest = [as_before(case, receiver(one), one, forward) for one in also]
    code = "\n".join([as_before(case, name, off, forward), *rest])
    epoch = [Repair(title, (Insert(code, here, where),)) for where in ("epoch", "loop")]
    inner = [Repair(title, (Insert(code, there, "end"),))]
    if callee.replace(".", "").isidentifier():
        known = "\n".join([as_before(case, callee, off, forward), *rest])
        own = evaluates(off.function) and any(one.function == forward.function for one in case.of(Kind.BACKWARD))
        epoch += [Repair(title, (Insert(known, here, "epoch"),))] if here == forward.span and callee != name else []
        inner += [Repair(title, (Insert(known, forward.span, "before loop"),))] if own else []
    batch = any(iteration.kind in ("batch", "micro") for iteration in off.stamp) and len(off.stamp) >= len(
        forward.stamp
    )
    behind = [Repair(title, (Insert(code, there, "after"),))]
    evaluated = evaluates(off.function) or (batch and evaluates_itself(case, off, forward))
    behind += [Repair(title, (Insert(code, off.span, "end"),))] if evaluated and off.span != there else []
    return tuple([*inner, *epoch, *behind] if batch else [*epoch, *inner, *(behind if evaluated else [])])

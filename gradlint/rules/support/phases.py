"""Phases of one training: a network is trained, and then others beside it.

train_encoder(loader)        steps `encoder_opt`
encoder.eval()
train_policy(loader)         steps `policy_opt`
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from gradlint.account.case import Case
from gradlint.libraries.conventions.calls import TRAINS
from gradlint.model.events import Event, Forward, Guard, Kind, Mode, Step
from gradlint.model.roots import comprises, inside, owns, within
from gradlint.rules.support.modes import evaluates, undoes
from gradlint.rules.support.telling import line, place


def _called_once(case: Case, last: Event, again: Event) -> Iterator[str]:
    """Doubts that `again` comes after `last`: only a second call of all phases leads there, and nobody shows one."""
    call = last.stamp[0]
    if call.kind != "call" or again.stamp[:1] == (call,):
        return
    steps = [event for event in case.of(Kind.STEP) if event.stamp[:1] == (call,)]
    before = {step.subject for step in steps if step.number < last.number}
    behind = {step.subject for step in steps if step.number > last.number}
    if before and behind and not before & behind:
        yield "other optimizers train behind it, and nothing shows that all of it is run again"


def _in_iteration(case: Case, off: Event) -> Iterator[str]:
    """The doubt that what evaluates now and then asks the same count as what goes back to training an iteration later."""
    asked, name = " ".join(guard.text for guard in off.guards), off.subject.partition("#")[0]
    for back in case.of(Kind.TRAIN) if asked else ():
        counts = [guard for guard in back.guards if guard.counted and guard.text in asked]
        if back.subject.partition("#")[0] == name and counts and not _behind(off, back, counts[-1]):
            yield f"{line(back)} goes back to training where the next turn asks the same count"
            return


def _behind(off: Event, back: Event, count: Guard) -> bool:
    """Whether the way back stands in one branch with what evaluates, further down: what has passed it comes to no other."""
    shared = any((guard.span, guard.taken) == (count.span, count.taken) for guard in off.guards)
    return shared and place(off, back).row < place(back, off).row


def _tests(function: str) -> bool:
    return evaluates(function) and not TRAINS.search(function.rpartition(".")[2])


def _unlikely(case: Case, last: Event, again: Event) -> Iterator[str]:
    """Doubts that a training forward comes `again` after the `last` switch of a mode, and nothing in between."""
    yield from _called_once(case, last, again)
    yield from _in_iteration(case, last)
    if not case.scenario.looped and last.function == again.function and _tests(again.function):
        yield "a test adapts the network, and nothing shows what the next one begins with"
    if any(
        root == again.subject and last.number < number <= again.number
        for number, root in case.scenario.log.models.renewed
    ):
        yield "what is called again in between may make another network"


def uncertain(case: Case, root: str, last: Event, again: Event) -> Iterator[str]:
    """All doubts that a network is trained `again` behind the `last` switch of its mode."""
    yield from _may_be_another(case, root)
    if isinstance(last.detail, Mode) and last.detail.chosen:
        yield "what the network was handed chooses its layers, and none of these may ask for the mode"
    yield from _unlikely(case, last, again)
    yield from _left_at_rest(case, root, last, again)
    if _awake_for_backward(case, root, last):
        yield "training mode is switched on for the backward alone: its forward passes may be in the other on purpose"
    if not _is_learned_from(case, again):
        yield "no step in sight uses the gradients of that forward"
    plain = (case.events[number] for number in case.used_forwards)
    if _is_assumed(again) and any(one.subject == again.subject and not _is_assumed(one) for one in plain):
        yield "nobody sees whether what is handed the network runs it: it is trained elsewhere"


def _left_at_rest(case: Case, root: str, last: Event, again: Event) -> Iterator[str]:
    """Doubts that a network is meant to wake which nothing ever wakes: it is frozen, or others are put back beside it."""
    if _woken(case, root):
        return
    held = case.scenario.log.models.held
    learns = any(root in (one.detail.params or ()) for one in case.updates)
    if not learns and (root in held or f"{root}." in held):
        yield "some of its parameters want no gradients, and nothing ever puts it into training mode"
    owned = [owns(one.detail.params, root) for one in case.updates if not one.detail.bare]
    beside = {one.subject for one in case.of(Kind.EVAL) if (one.function, one.stamp) == (last.function, last.stamp)}
    woken = {one.subject for one in case.of(Kind.TRAIN) if last.number < one.number < again.number}
    if True not in owned and beside & woken:
        yield "others that were put into evaluation mode with it are put back, and nothing shows that it is trained"


def _awake_for_backward(case: Case, root: str, last: Event) -> bool:
    """Whether a network goes backward, and no more, between a `train()` and the `eval()` behind it."""
    on = max(
        (one.number for one in case.of(Kind.TRAIN) if one.number < last.number and undoes(one, root)), default=None
    )
    between = case.events[on + 1 : last.number] if on is not None else []
    backward = any(one.kind is Kind.BACKWARD for one in between)
    return backward and not any(one.kind is Kind.FORWARD and root in asked(one) for one in between)


def _is_learned_from(case: Case, forward: Event) -> bool:
    """Whether some update in sight uses the gradients of a forward at that place."""
    used = (number for update in case.updates for item in update.consumed for number in item.detail.forwards)
    return any(case.events[number].span == forward.span for number in used)


def _is_assumed(forward: Event) -> bool:
    return isinstance(forward.detail, Forward) and forward.detail.assumed


def resting(case: Case, training: frozenset[int]) -> tuple[set[str], set[str]]:
    """Networks that are put into `eval()` before they are trained, and never back: dropout rests on purpose.

    Behind them those of which the same is true of what holds them.
    """
    first: dict[str, int] = {}
    for number in sorted(training):
        for root in asked(case.events[number]):
            first.setdefault(root, number)
    awake = {event.subject for event in case.of(Kind.TRAIN)}
    rests = {root for root in first.keys() - awake if _rests(case, root, case.events[first[root]])}
    return rests, {root for root in rests if not _woken(case, root)}


def _woken(case: Case, root: str) -> bool:
    """Whether a `train()` puts a network back, or what holds it."""
    return any(undoes(back, root) for back in case.of(Kind.TRAIN))


def _rests(case: Case, root: str, first: Event) -> bool:
    """Whether a network is put into `eval()` right before its first training, or ahead of all and in the same turn."""
    kinds = (Kind.TRAIN, Kind.EVAL, Kind.FORWARD)
    earlier = (event for event in case.of(*kinds) if event.number < first.number)
    before = [event for event in earlier if root in asked(event) or _sets(event, root)]
    offs = [event for event in before if event.kind is Kind.EVAL]
    if not offs or evaluates(offs[-1].function):
        return False
    asleep = _ahead(offs[0]) and not evaluates(offs[0].function) and not _woken(case, root)
    if asleep and _leads(offs[-1], first) and not _ahead(offs[-1]):
        return True
    last = [event for event in before if not _beside(event, first)][-1]
    return last.kind is Kind.EVAL and (_ahead(last) or _leads(last, first))


def _sets(event: Event, root: str) -> bool:
    """Whether a mode is that of a network as a part of what it is set on."""
    return event.kind is not Kind.FORWARD and within(root, event.subject)


def _leads(off: Event, forward: Event) -> bool:
    """Whether an `eval()` comes first in the turn of a loop in which a network is trained, by whatever function."""
    return len(off.stamp) < len(forward.stamp) and forward.stamp[: len(off.stamp)] == off.stamp


def _beside(event: Event, forward: Event) -> bool:
    """Whether a network is asked once more for what it learns of: in one turn of one function, or once, to see it run."""
    kept = isinstance(event.detail, Forward) and event.detail.attached and event.function == forward.function
    return kept and (event.stamp == forward.stamp or (_ahead(event) and not evaluates(event.function)))


def _ahead(off: Event) -> bool:
    """Whether it stands outside of all loops."""
    return all(iteration.kind == "call" for iteration in off.stamp)


def holds(case: Case, off: Event, root: str, part: str) -> bool:
    """Whether a network has this part: by its name, or as one that was put into `eval()` with it, since it holds it."""
    behind = takewhile(lambda one: _at_once(off, one), case.events[off.number + 1 :])
    return inside(part, root) or (off.subject == root != part and any(one.subject == part for one in behind))


def _at_once(off: Event, other: Event) -> bool:
    """Whether one call puts both into `eval()`."""
    return other.kind is Kind.EVAL and (other.span, other.calls, other.stamp) == (off.span, off.calls, off.stamp)


def asked(event: Event) -> tuple[str, ...]:
    """The networks that a forward asks: the one that is called, and those that it was given and calls."""
    return (event.subject, *event.detail.reaches) if isinstance(event.detail, Forward) else (event.subject,)


def is_trained(case: Case, root: str, *, surely: bool = False) -> bool:
    """Whether some optimizer may have its parameters, or `train()` is called on it; else it is frozen on purpose."""
    if any(event.subject == root for event in case.of(Kind.TRAIN)):
        return True
    steps = [event.detail for event in case.of(Kind.STEP) if isinstance(event.detail, Step)]
    owned = [owns(step.params, root) for step in steps if not step.bare]
    return True in owned or (not surely and None in owned)


def passed_through(case: Case) -> frozenset[int]:
    """The forwards that serve others only: a mask, a prompt or what stands behind it is trained through the network.

    Then bare parameters are updated, or an optimizer of other networks steps, while the network has one of its own.
    """
    through: set[int] = set()
    own: set[int] = set()
    trains = _trained_by(case)
    for update in case.updates:
        for number in {number for item in update.consumed for number in item.detail.forwards}:
            forward = case.events[number]
            apart = all(owns(update.detail.params, root) is False for root in asked(forward))
            others = trains.get(forward.subject, set()) - {update.step.subject}
            (through if update.detail.bare or (apart and others) else own).add(number)
    return frozenset(through - own)


def _trained_by(case: Case) -> dict[str, set[str]]:
    """The optimizers that may have the parameters of a network, and step behind its forwards."""
    found: dict[str, set[str]] = {}
    for update in case.updates:
        roots = {case.events[number].subject for item in update.consumed for number in item.detail.forwards}
        for root in roots:
            if owns(update.detail.params, root) is not False and not update.detail.bare:
                found.setdefault(root, set()).add(update.step.subject)
    return found


def _may_be_another(case: Case, root: str) -> Iterator[str]:
    """The doubt that what is put into training mode beside a network, and never called itself, is the same one."""
    owner = root.rpartition(".")[0]
    names = {event.subject for event in case.of(Kind.FORWARD)}
    for event in case.of(Kind.TRAIN) if owner else ():
        beside = event.subject.rpartition(".")[0] == owner and not comprises(event.subject, root)
        if event.subject not in names and beside:
            yield f"`{event.receiver}`, which is put into training mode, may be the same network"
            return

"""Training and evaluation mode: what is called an evaluation, and how a network goes back to training."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.libraries.conventions.calls import EVALUATES
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Kind, Mode
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.model.roots import comprises, inside
from gradlint.rules.support.telling import place


def evaluates(function: str) -> bool:
    """Whether a function is called an evaluation: a rollout, say, may have its mode on purpose."""
    return EVALUATES.search(function.rpartition(".")[2])


def _as_before(case: Case, name: str, off: Event, forward: Event) -> str:
    """The call that goes back to training mode, and those that have kept parts in evaluation mode until now."""
    parts: list[Event] = []
    for event in case.of(Kind.TRAIN, Kind.EVAL):
        if event.number >= off.number:
            break
        part = inside(event.subject, off.subject) or inside(event.receiver, name)
        if event.kind is Kind.TRAIN:
            parts = [one for one in parts if not undoes(event, one.subject)]
        elif event.kind is Kind.EVAL and part and _always(event, forward):
            parts.append(event)
    calls = (_by_that_name(name, off, event, forward) for event in parts)
    return "\n".join(dict.fromkeys([f"{name}.train()", *filter(None, calls)]))


def _by_that_name(name: str, off: Event, part: Event, forward: Event) -> str:
    """The call that has kept a part in evaluation mode, as it reads where the network is called so; empty for none.

    def set_up(model): model.stem.eval()        net.stem.eval(), where `net` is handed over
    """
    if _same_names(part, forward):
        return part.text
    if part.function.endswith(".train"):
        return ""  # the network's own `train` does so each time
    inside = part.subject.removeprefix(off.subject)
    plain = inside != part.subject and inside.replace(".", "").isidentifier() and part.receiver.endswith(inside)
    return f"{name}{inside}.eval()" if plain else ""


def undoes(back: Event, root: str) -> bool:
    """Whether a `train()` puts back this network: it is called on it, on what holds it, or on each of a list of them.

    for net in nets: net.train()
    for i in range(len(nets)): nets[i].train()      where nobody knows how many there are, the first stands for all
    """
    whole = back.subject.removesuffix("[*]")
    if back.stamp and back.stamp[-1].kind != "call" and _COUNTED.search(back.receiver):
        whole = _FIRST.sub("", back.subject)
    return root == back.subject or comprises(whole, root)


_COUNTED = pattern(r"\[[A-Za-z_]\w*\]$")


_FIRST = pattern(r"\[0\]$")


def kept_asleep(case: Case, name: str) -> tuple[str, ...]:
    """The calls that have kept parts of a network in evaluation mode, in one go: none where it was never put into it.

    net.train()
    net.body.eval()             the statistics of the body stay as they are
    for epoch in epochs:
        run(net)
        net.eval()
        net.train               would wake the body, too
    """
    off = next((one for one in case.of(Kind.EVAL) if one.receiver == name), None)
    calls = _as_before(case, name, off, off).split("\n")[1:] if off is not None else []
    return ("\n".join(calls),) if calls else ()


def _always(event: Event, other: Event) -> bool:
    """Whether an event asks nothing, or once and for all only what the other does: `if __name__ == "__main__":`."""
    around = {(guard.span, guard.taken) for guard in other.guards}
    return not event.guards or (not event.stamp and {(guard.span, guard.taken) for guard in event.guards} <= around)


def _same_names(event: Event, other: Event) -> bool:
    """Whether what an event is called on means the same beside the other: in one function, or `self` of one class."""
    owner, _, _ = event.function.rpartition(".")
    of_self = bool(owner) and event.text.startswith("self.") and other.function.rpartition(".")[0] == owner
    return event.function == other.function or of_self


def heads(off: Event, forward: Event) -> bool:
    """Whether an `eval()` stands at the head of the very loop that trains, in its function."""
    shorter = len(off.stamp) < len(forward.stamp)
    return off.function == forward.function and shorter and forward.stamp[: len(off.stamp)] == off.stamp


def _puts_back(case: Case, off: Event, forward: Event) -> bool:
    """Whether what put a network into `eval()` puts back the mode that it noted, and `forward` stands in between."""
    return any(
        isinstance(back.detail, Mode)
        and back.detail.noted
        and back.number > forward.number
        and (back.subject, back.function, back.stamp) == (off.subject, off.function, off.stamp)
        for back in case.of(Kind.TRAIN)
    )


def _evaluates_itself(case: Case, off: Event, forward: Event) -> bool:
    """Whether a function evaluates by itself, now and then: a rollout that each update learns from may mean it so."""
    if {guard.span for guard in off.guards} <= {guard.span for guard in forward.guards}:
        return False
    around = [one for one in case.events[off.number : forward.number] if one.calls == off.calls]
    asked = any(one.kind is Kind.FORWARD and one.subject == off.subject for one in around)
    return asked and not any(one.kind is Kind.BACKWARD for one in around)


def evaluated_on_purpose(case: Case, off: Event, forward: Event) -> bool:
    """Whether a model is trained in evaluation mode on purpose.

    `eval()` stands at the head of the very loop that trains (a linear probe), a switch has left out the `train()` that
    would undo it, or the mode that was noted is put back only behind the training.
    """
    log = case.scenario.log
    spared = any(
        root == forward.subject and off.number < number <= forward.number for number, root in log.models.spared
    )
    return heads(off, forward) or spared or _puts_back(case, off, forward)


def _from_outside(case: Case, title: str, here: Span, offs: list[Event], forward: Event) -> Iterator[Repair]:
    """Ways back to training mode where others call what evaluates, and know the network by other names.

    solver.check(batches)       `self.net.eval()` in it
    solver.net.train()
    """
    calls = [(off.calls.index(at), at) for off in offs if (at := place(off, forward)) in off.calls]
    if len(calls) != len(offs):
        return
    codes = [f"{off.receiver}.train()" for off in offs]
    kept = [event for event in case.of(Kind.EVAL) if _keeps(case, event, offs[0], calls[0][0])]
    codes[-1] = "\n".join(dict.fromkeys((codes[-1], *(event.text for event in kept))))
    for to, where in ((here, "epoch"), (here, "loop"), (None, "end")):
        parts = zip(codes, offs, calls, strict=True)
        yield Repair(title, tuple(Insert(code, to or at, where, off.calls[n:]) for code, off, (n, at) in parts))


def _keeps(case: Case, event: Event, off: Event, depth: int) -> bool:
    """Whether whoever calls what evaluates has put a part of the network into evaluation mode, once and for all."""
    part = inside(event.subject, off.subject) and event.calls == off.calls[:depth] and _always(event, off)
    since = (one for one in case.of(Kind.TRAIN) if event.number < one.number < off.number)
    return part and event.number < off.number and not any(one.subject == off.subject for one in since)


def back_to_training(case: Case, off: Event, forward: Event, also: list[Event]) -> tuple[Repair, ...]:
    """Ways back to training mode for a network, and for those that `also` were put into `eval()` beside it."""
    title, name, callee = "Go back to training mode", off.receiver, forward.callee
    here, there = place(forward, off), place(off, forward)
    rest = [_as_before(case, one.receiver, one, forward) for one in also]
    code = "\n".join([_as_before(case, name, off, forward), *rest])
    epoch = [Repair(title, (Insert(code, here, where),)) for where in ("epoch", "loop")]
    inner = [Repair(title, (Insert(code, there, "end"),))]
    if callee.replace(".", "").isidentifier():
        known = "\n".join([_as_before(case, callee, off, forward), *rest])
        own = evaluates(off.function) and any(one.function == forward.function for one in case.of(Kind.BACKWARD))
        epoch += [Repair(title, (Insert(known, here, "epoch"),))] if here == forward.span and callee != name else []
        inner += [Repair(title, (Insert(known, forward.span, "before loop"),))] if own else []
    deeper = len(off.stamp) >= len(forward.stamp)
    batch = any(iteration.kind in ("batch", "micro") for iteration in off.stamp) and deeper
    behind = [Repair(title, (Insert(code, there, "after"),))]
    evaluated = evaluates(off.function) or (batch and _evaluates_itself(case, off, forward))
    behind += [Repair(title, (Insert(code, off.span, "end"),))] if evaluated and off.span != there else []
    near = [*inner, *epoch, *behind] if batch else [*epoch, *inner, *(behind if evaluated else [])]
    return (*near, *_from_outside(case, title, here, [off, *also], forward))

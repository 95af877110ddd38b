"""Evaluations that build graphs."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case, called, tail, used_forwards
from gradlint.libraries.conventions.calls import DRAWS
from gradlint.model.events import Event, Forward, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.moves import receiver
from gradlint.rules.support.phases import is_handed_over, needs_no_graph, only_evaluated, quietly, unannounced
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related

_TRAINS = (Kind.TRAIN, Kind.BACKWARD, Kind.STEP)


class ValidationWithoutNoGrad(Rule):
    """A model that is trained runs in evaluation mode with gradients on, and nothing goes back through it."""

    name = "validation-without-no-grad"
    category = "hygiene"
    severity = Severity.WARNING
    safety = Safety.SAFE
    speaks = frozenset({Field.FORWARD, Field.KEPT})
    summary = "A trained model is evaluated with gradients on: each forward keeps a graph that no backward uses."
    reason = "no backward goes through these forwards"
    effect = "Less memory and time for each evaluation; the numbers stay the same."
    mends = frozenset({Kind.FORWARD})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each loop that evaluates so, at its first forward."""
        if case.truncated or not case.of(Kind.STEP):
            return
        used = used_forwards(case)
        trained = {case.events[number].subject for number in used}
        ways = {case.events[number].text.split("(", 1)[0] for number in used}
        off: dict[str, Event] = {}
        idle: list[tuple[Event, Event]] = []
        trains: list[tuple[Event, Event]] = []
        busy = {event.function for event in case.of(Kind.OPAQUE)}
        for event in case.events:
            if event.kind is Kind.TRAIN:
                off = {root: mode for root, mode in off.items() if not f"{root}.".startswith(f"{event.subject}.")}
            elif event.kind is Kind.EVAL and event.subject in trained:
                off[event.subject] = event
            elif event.kind is Kind.FORWARD and event.subject in off:
                mode = off[event.subject]
                if event.number in used or is_handed_over(event):
                    trains.append((mode, event))
                elif _recurs(mode, event) and (_plainly(mode, event, ways) or _beneath(case, mode, event, ways)):
                    idle.append((mode, event))
        for mode, event in only_evaluated(idle, trains):
            if event.function not in busy and not _spoken_of(case, event):
                yield _hit(case, mode, event)
        spoken = busy.union(event.function for _, event in (*idle, *trains))
        for event in unannounced(case, used):
            if event.function not in spoken and not _spoken_of(case, event):
                yield _hit(case, None, event)


def _spoken_of(case: Case, forward: Event) -> bool:
    """Whether the function of a forward, or one that calls it, has a word about switching gradients off."""
    return any(span.row in case.switches for span in (forward.span, *forward.calls))


def _recurs(mode: Event, forward: Event) -> bool:
    """Whether a loop over the data follows, or is around both; once at the end, or a few samples for the eye, costs little."""
    if DRAWS.search(forward.function) or not isinstance(forward.detail, Forward):
        return False
    if len(forward.stamp) > len(mode.stamp) or forward.detail.each:
        return True
    return forward.stamp == mode.stamp and any(iteration.kind != "call" for iteration in mode.stamp)


def _plainly(mode: Event, forward: Event, ways: set[str]) -> bool:
    """Whether a function puts a model into evaluation mode and calls it, or a method that trains it, with gradients on."""
    name, callee = receiver(mode), forward.text.split("(", 1)[0]
    plain = callee in (name, f"{name}.forward", f"{name}.module") or (callee in ways and callee.startswith(f"{name}."))
    attached = isinstance(forward.detail, Forward) and forward.detail.keeps
    return attached and mode.function == forward.function and plain


def _beneath(case: Case, mode: Event, forward: Event, ways: set[str]) -> bool:
    """Whether a model is put into evaluation mode before a call that runs it, with gradients on, and trains nothing."""
    depth, iterations = len(mode.calls), len(mode.stamp)
    if forward.calls[:depth] != mode.calls or len(forward.calls) == depth or forward.stamp[:iterations] != mode.stamp:
        return False
    way = forward.calls[: depth + 1]
    inside = (
        event
        for event in case.of(*_TRAINS)
        if event.calls[: depth + 1] == way and event.stamp[:iterations] == mode.stamp
    )
    name = forward.text.split("(", 1)[0].removesuffix(".forward").removesuffix(".module")
    plain = "." not in name or name in ways or tail(name) in (tail(receiver(mode)), tail(called(forward.subject)))
    attached = isinstance(forward.detail, Forward) and forward.detail.keeps
    return attached and plain and not DRAWS.search(mode.function) and not any(inside)


def _hit(case: Case, mode: Event | None, forward: Event) -> Hit:
    call = forward.span if mode is None or mode.function == forward.function else forward.calls[len(mode.calls)]
    why = "Nothing here switches gradients off, or says that it is an evaluation."
    if mode is not None:
        why = (
            f"`{mode.text}` on {line(mode)} switches dropout and batch norm over, not the gradients; nothing here does."
        )
    return Hit(
        forward.span,
        f"`{forward.text}` evaluates with gradients on: it keeps a graph that no backward uses.",
        why,
        "Every batch holds the activations of all layers, as in training: more memory, smaller batches, less speed.",
        subject=called(forward.subject),
        related=(related(mode, "this does not switch gradients off"),) if mode else (),
        doubts=tuple(needs_no_graph(case, forward)),
        repairs=quietly(case, mode, forward, call) if mode else (),
    )

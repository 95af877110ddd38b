"""Samplers: which of their passes are told the epoch.

for epoch in range(5):                      a warm-up, told nothing
    run(loader)
for epoch in range(epochs):
    loader.sampler.set_epoch(epoch)
    run(loader)
"""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.model.events import Event, Kind, Pass, Stamp, Step
from gradlint.model.finding import Span
from gradlint.model.roots import overlaps


def is_told(case: Case, epoch: Event) -> bool:
    """Whether the sampler is told in the loop of this pass, or since the pass before it.

    What a warm-up goes through is not told by the main loop behind it. Who tells a sampler that nobody can see may tell
    this one, and so may the loop that begins a loader anew.
    """
    passes = [one.number for one in case.of(Kind.EPOCH) if one.subject == epoch.subject and one.number < epoch.number]
    last = passes[-1] if passes else -1
    for event in case.of(Kind.SET_EPOCH):
        if event.subject == "*":
            return True
        if event.subject == epoch.subject:
            loop, before = outermost(event), event.number < epoch.number
            if begun_anew(epoch) or loop == outermost(epoch) or (before and event.number > last):
                return True
    return False


def is_told_anew(case: Case, epoch: Event) -> bool:
    """Whether the sampler is told of this pass, and not only once before the loop: what it is told then, all passes have."""
    later = [one for one in case.of(Kind.EPOCH) if one.subject == epoch.subject and outermost(one) == outermost(epoch)]
    return is_told(case, epoch) and (len(later) < 2 or is_told(case, later[1]))


def outermost(event: Event) -> int:
    """The loop around all others that an event is in, -1 outside of loops."""
    return next((iteration.loop for iteration in event.stamp if iteration.kind != "call"), -1)


def begun_anew(event: Event) -> bool:
    """Whether an iterator is made anew in the midst of the training: nothing there counts the epochs."""
    return bool(event.stamp) and event.stamp[-1].kind in ("batch", "micro")


def passed_often(case: Case, event: Event) -> bool:
    """Whether one turn of the loop at whose head the epoch would be told has several passes, all in one order.

    for number in range(rounds):
        for epoch in range(epochs): run(loader)
    """
    loops = event.detail.loops if isinstance(event.detail, Pass) else 0
    turns = [_turn(one, loops) for one in case.of(Kind.EPOCH) if one.subject == event.subject]
    return loops > 0 and turns.count(_turn(event, loops)) > 1


def numbered_by(case: Case, event: Event) -> tuple[Span, ...]:
    """The loops around a pass whose turns tell all passes of its sampler apart, the outermost first; none if others do."""
    alike = [one for one in case.of(Kind.EPOCH) if one.subject == event.subject and outermost(one) == outermost(event)]
    heads = event.detail.heads if isinstance(event.detail, Pass) else ()
    turns = {_turn(one, len(one.stamp)) for one in alike}
    same = all(isinstance(one.detail, Pass) and one.detail.heads == heads for one in alike)
    return heads if same and len(turns) == len(alike) and not begun_anew(event) else ()


def trains_another(case: Case, one: Event, other: Event) -> bool:
    """Whether two passes of a sampler train other networks: members that are compared on one order.

    for width in widths:
        net = Net(width)
        run(net, loader)
    """
    return overlaps(_trained(case, one), _trained(case, other)) is False


def _trained(case: Case, epoch: Event) -> frozenset[str]:
    """The networks whose parameters are moved in one pass; none where anything of it is unknown."""
    later = (one.number for one in case.of(Kind.EPOCH) if one.subject == epoch.subject and one.number > epoch.number)
    end = next(later, len(case.events))
    steps = [event for event in case.of(Kind.STEP) if epoch.number < event.number < end]
    owned = [event.detail.params if isinstance(event.detail, Step) else None for event in steps]
    return frozenset().union(*(one for one in owned if one)) if all(owned) else frozenset()


def _turn(event: Event, loops: int) -> Stamp:
    return tuple(iteration for iteration in event.stamp if iteration.kind != "call")[:loops]

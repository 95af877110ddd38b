"""Beginnings: from where a count goes on that says since when a schedule moves.

self.step = torch.load(path)["step"]
while self.step < total:
    if self.step > 0: self.scheduler.step()     not in the first iteration of a run
    ...
    self.step += 1
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.lineage import classes_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import Tracked, Unknown, Value
from gradlint.interpret.windows import bind_start
from gradlint.model.effects import Gate
from gradlint.model.program import Attr, Expr, If, Logic, Not, Read, Test
from gradlint.model.program.whole import Function


def learn_beginnings(machine: Machine, frame: Frame, node: If) -> None:
    """Bind the first numbers of the counts that a guard around the move of a schedule asks, where nobody sees them.

    They begin with 0, whatever a checkpoint may say: a run that is resumed has taken its first steps before.

    Raises:
        Restart: one of them was bound.
    """
    if Gate.SCHEDULER not in node.then_gates or Gate.STEP in node.then_gates or not machine.course.stamp:
        return
    for place in _asked(node.test):
        value = evaluate(machine, frame, place) if _is_moved_on(machine, frame, place) else None
        if isinstance(value, Unknown):
            bind_start(machine.plan, machine.sizes, value)


def _asked(test: Expr) -> Iterator[Read | Attr]:
    """What a test holds against something, or takes for true or false."""
    if isinstance(test, (Read, Attr)):
        yield test
    elif isinstance(test, Not):
        yield from _asked(test.value)
    elif isinstance(test, Logic):
        for part in test.parts:
            yield from _asked(part)
    elif isinstance(test, Test):
        yield from (side for side in (test.left, test.right) if isinstance(side, (Read, Attr)))


def _is_moved_on(machine: Machine, frame: Frame, place: Read | Attr) -> bool:
    """Whether something is counted up: by the function a variable, by a method of its class an attribute."""
    if isinstance(place, Read):
        return place.name in frame.function.counters
    return any(place.name in one.counted for one in _methods(machine, evaluate(machine, frame, place.base)))


def _methods(machine: Machine, owner: Value) -> Iterator[Function]:
    if isinstance(owner, Tracked) and owner.cls is not None:
        for cls in classes_of(machine.program, owner.cls):
            yield from cls.methods.values()

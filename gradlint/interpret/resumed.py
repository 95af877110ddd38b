"""Counters of a run that may be taken up: what nobody can tell whether it is done leaves them as a fresh run has them.

step = 0
if args.resume:
    step = checkpoint["step"]       a fresh run counts on from 0
for batch in loader: ...

if args.resume:
    step = args.first_step
else:
    step = 0                        so it does here

Ahead of all loops that holds for a number that can be read, too (`step = 1`), and for what an object counts with. In a
loop such a number is the count itself: `if bad: pending = 0`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.aftermath import Aftermath
from gradlint.interpret.frame import Frame
from gradlint.interpret.lineage import classes_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.traits import exact
from gradlint.interpret.values import Tracked, Value
from gradlint.model.effects import Gate
from gradlint.model.program import Assign, Class, Const, Expr, If, Program, Read, Stmt
from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True)
class Fresh:
    """Where counters stood before a guard: the variables of its function, and what objects at hand count with.

    What one way sets to a number, and another to what nobody knows, is `either`: it is not that number.
    """

    names: tuple[tuple[str, int], ...] = ()
    held: tuple[tuple[Tracked, str, int], ...] = ()
    ahead: bool = False
    either: tuple[tuple[str, int, Value], ...] = ()

    def put_back(self, frame: Frame) -> None:
        """Have the counters stand where a fresh run has them."""
        for name, number in self.names:
            if self.ahead or exact(frame.values.get(name)) is None:
                frame.values[name] = number
        for name, number, unknown in self.either:
            if exact(frame.values.get(name)) == number:
                frame.values[name] = unknown
        for one, name, number in self.held:
            if one.attrs.get(name) != number:
                one.attrs[name] = number


NOTHING_COUNTED = Fresh()


def fresh_counters(machine: Machine, frame: Frame, node: If, left: Aftermath, *, decided: bool) -> Fresh:
    """Where counters stand before a guard that may set them to where a run was left, or on its other way."""
    if decided:
        return NOTHING_COUNTED
    ahead = not node.then_gates & _WORK and all(iteration.kind == "call" for iteration in machine.course.stamp)
    if node.other:
        begins = ahead and not node.other_gates & _WORK
        return _begun(machine, node, left.either & frame.function.counters) if begins else NOTHING_COUNTED
    resumes = left.resumes
    found = {name: frame.values.get(name) for name in resumes & frame.function.counters} if resumes else {}
    names = tuple((name, value) for name, value in found.items() if type(value) is int)
    held = tuple(_held(machine.program, frame)) if ahead else ()
    return Fresh(names, held, ahead) if names or held else NOTHING_COUNTED


def _begun(machine: Machine, node: If, names: frozenset[str]) -> Fresh:
    """The counters that one way sets to a number, and the other to what nobody can read.

    A fresh run begins at 0 where the other way asks settings, or what was saved; any other number is one of two.
    """
    then, other = _set(node.then), _set(node.other)
    fresh, either = list[tuple[str, int]](), list[tuple[str, int, Value]]()
    for name in sorted(names & then.keys() & other.keys()):
        numbers = [one.value for one in (then[name], other[name]) if isinstance(one, Const) and type(one.value) is int]
        named = any(isinstance(one, Read) for one in (then[name], other[name]))
        if numbers == [0] and not named:
            fresh.append((name, 0))
        elif len(numbers) == 1:
            either.append((name, numbers[0], machine.unknown(name)))
    return Fresh(tuple(fresh), either=tuple(either)) if fresh or either else NOTHING_COUNTED


def _set(suite: tuple[Stmt, ...]) -> dict[str, Expr]:
    """What a suite sets variables to."""
    return {one.target.name: one.value for one in suite if isinstance(one, Assign) and isinstance(one.target, Read)}


_WORK = Gate.BACKWARD | Gate.STEP
"""What trains counts on from there: `if args.warm: trainer.feed(first)`."""


def _held(program: Program, frame: Frame) -> Iterator[tuple[Tracked, str, int]]:
    """What the objects that a function has at hand count with, where it is a number."""
    for value in frame.values.values():
        if value.__class__ is Tracked and value.cls is not None:
            for name in _counted_by(program, value.cls):
                number = value.attrs.get(name)
                if type(number) is int:
                    yield value, name, number


def _counted_by(program: Program, cls: Class) -> frozenset[str]:
    """The attributes that the methods of a class count with: `self.step += 1`."""
    methods = (method for one in classes_of(program, cls) for method in one.methods.values())
    return frozenset[str]().union(*(method.counted for method in methods))

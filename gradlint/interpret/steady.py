"""Steadiness: when the iterations of a loop have become alike, the next ones would be, too.

    iteration 0 ─ iteration 1 ─ iteration 2 ──► the same events at the same places, decided by the same numbers: enough

A number decides where a modulus is taken, numbers are compared, iterations are counted, or the last one is asked for.
Where it is another one in each iteration, all are run, for a later one may differ, unless it only counts up and is far
from where it would (`step % 100 == 0`). All are run, too, where gradients gather for a step behind the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias

from gradlint.interpret.machine import Machine
from gradlint.model.events import Event, Kind

_Said: TypeAlias = "tuple[list[Event], list[object]]"
"""What came of an iteration: its events, and the numbers that decided."""

ITERATIONS = 3
"""At least so many: the first may find what no later one finds, and two must agree."""
FAR = 4
"""So many times the length of a loop a count may go on: other loops, and the next epoch, count on from there."""


class Steady:
    """Watches the iterations of one loop; to be asked before each of them."""

    __slots__ = ("_before", "_begun", "_events", "_iterations", "_machine", "_numbers")

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._begun = self._events = len(machine.log.events)
        self._numbers = len(machine.course.numbers)
        self._before: _Said = ([], [])
        self._iterations = 0

    def reached(self) -> bool:
        """Whether the last two iterations were alike; begins another iteration otherwise."""
        machine = self._machine
        said = (machine.log.events[self._events :], machine.course.numbers[self._numbers :])
        far = FAR * machine.plan.batches
        alike = self._iterations >= ITERATIONS and _alike(self._before, said, far) and not self._gathers()
        self._before, self._events, self._numbers = said, len(machine.log.events), len(machine.course.numbers)
        self._iterations += 1
        machine.plan.shortened |= alike
        return alike

    def _gathers(self) -> bool:
        """Whether all leave their gradients for a step behind the loop: how many there are says what it takes."""
        kinds = {event.kind for event in self._machine.log.events[self._begun :]}
        return Kind.BACKWARD in kinds and Kind.STEP not in kinds


def _alike(one: _Said, other: _Said, far: int) -> bool:
    if len(one[0]) != len(other[0]) or len(one[1]) != len(other[1]):
        return False
    if one[1] != other[1] and not all(_decide_alike(*pair, far) for pair in zip(one[1], other[1], strict=True)):
        return False
    return all(
        left.kind is right.kind and left.span == right.span and _named_alike(left.subject, right.subject)
        for left, right in zip(one[0], other[0], strict=True)
    )


def _named_alike(one: str, other: str) -> bool:
    """Whether two events are about one object, or about one that is made anew in each iteration: `optimizer#3`."""
    return one == other or one.partition("#")[0] == other.partition("#")[0]


def _decide_alike(one: object, other: object, far: int) -> bool:
    """Whether numbers decide the same, and will go on to do so as they count up from one to the other."""
    if one == other:
        return True
    if not (isinstance(one, tuple) and isinstance(other, tuple)) or one[0] != other[0] or one[0] not in _DECIDES:
        return False
    if not all(isinstance(number, (int, Fraction)) for number in (*one[1:], *other[1:])):
        return False
    decides = _DECIDES[one[0]]
    (_, left, right), (_, then, by) = one, other
    first = decides(left, right)
    return all(decides(then + step * (then - left), by + step * (by - right)) == first for step in range(far + 1))


def _modulus_decides(left: int | Fraction, right: int | Fraction) -> object:
    """What stays as it is while a modulus only counts up."""
    return None if right in (0, 1) else left // right


_DECIDES: Mapping[str, Callable[..., object]] = {
    "%": _modulus_decides,
    "//": _modulus_decides,
    "==": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}

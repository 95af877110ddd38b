"""Steadiness: when the iterations of a loop have become alike, the next ones would be, too.

    iteration 0 ─ iteration 1 ─ iteration 2 ──► the same events at the same places, decided by the same numbers: enough

A number decides where a modulus is taken, numbers are compared, iterations are counted, or the last one is asked for.
Where it is another one in each iteration, all are run, for a later one may differ; so are they where gradients gather
for a step behind the loop.
"""

from __future__ import annotations

from typing import TypeAlias

from gradlint.interpret.machine import Machine
from gradlint.model.events import Event, Kind

_Said: TypeAlias = "tuple[list[Event], list[object]]"
"""What came of an iteration: its events, and the numbers that decided."""

ITERATIONS = 3
"""At least so many: the first may find what no later one finds, and two must agree."""


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
        alike = self._iterations >= ITERATIONS and _alike(self._before, said) and not self._gathers()
        self._before, self._events, self._numbers = said, len(machine.log.events), len(machine.course.numbers)
        self._iterations += 1
        return alike

    def _gathers(self) -> bool:
        """Whether all leave their gradients for a step behind the loop: how many there are says what it takes."""
        kinds = {event.kind for event in self._machine.log.events[self._begun :]}
        return Kind.BACKWARD in kinds and Kind.STEP not in kinds


def _alike(one: _Said, other: _Said) -> bool:
    if len(one[0]) != len(other[0]) or one[1] != other[1]:
        return False
    return all(
        left.kind is right.kind and left.span == right.span and left.subject == right.subject
        for left, right in zip(one[0], other[0], strict=True)
    )

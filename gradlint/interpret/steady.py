"""Steadiness: when the turns of a loop have become alike, the next ones would be, too.

    turn 0 ─ turn 1 ─ turn 2 ──► the same events at the same places, decided by the same numbers: enough

A number decides where a modulus is taken, numbers are compared, turns are counted, or the last turn is asked for. Where
it is another one in each turn, all turns are run, for a later one may differ; so are they where gradients are gathered
for a step behind the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gradlint.model.events import Kind

if TYPE_CHECKING:
    from gradlint.interpret.machine import Machine
    from gradlint.model.events import Event

_Said: TypeAlias = "tuple[list[Event], list[object]]"
"""What came of a turn: its events, and the numbers that decided."""

TURNS = 3
"""At least so many: the first may find what no later one finds, and two must agree."""


class Steady:
    """Watches the turns of one loop; to be asked before each of them."""

    __slots__ = ("_before", "_begun", "_events", "_machine", "_numbers", "_turns")

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._begun = self._events = len(machine.trail.events)
        self._numbers = len(machine.numbers)
        self._before: _Said = ([], [])
        self._turns = 0

    def reached(self) -> bool:
        """Whether the last two turns were alike; begins another turn otherwise."""
        machine = self._machine
        said = (machine.trail.events[self._events :], machine.numbers[self._numbers :])
        alike = self._turns >= TURNS and _alike(self._before, said) and not self._gathers()
        self._before, self._events, self._numbers = said, len(machine.trail.events), len(machine.numbers)
        self._turns += 1
        return alike

    def _gathers(self) -> bool:
        """Whether all turns leave their gradients for a step behind the loop: how many there are says what it takes."""
        kinds = {event.kind for event in self._machine.trail.events[self._begun :]}
        return Kind.BACKWARD in kinds and Kind.STEP not in kinds


def _alike(one: _Said, other: _Said) -> bool:
    if len(one[0]) != len(other[0]) or one[1] != other[1]:
        return False
    return all(
        left.kind is right.kind and left.span == right.span and left.subject == right.subject
        for left, right in zip(one[0], other[0], strict=True)
    )

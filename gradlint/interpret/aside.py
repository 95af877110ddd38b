"""Aside: loops that only make something, and of which a run through several files leaves out the most.

for i in range(dim):                    a table of all colours: thousands of statements,
    for j in range(dim):                and none of them says anything of the training
        for k in range(dim):
            table[i, j, k] = lines[n].split()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gradlint.interpret.dispatch import NEXT
from gradlint.interpret.facts import MAIN
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.budget import Abandoned
from gradlint.interpret.values import Series, Table, Value
from gradlint.model.effects import Gate
from gradlint.model.program import For, While

_Going: TypeAlias = "Callable[[Machine, Frame, Any], int]"
_TELLS = MAIN | Gate.FORWARD
_MADE = _TELLS & ~Gate.WEIGHT
"""What tells something where objects are made: no loss is weighed there, though a count may be called like one."""


def aside(going: _Going) -> _Going:
    """How a kind of loop is run: not to its end where it only makes something, and nothing was trained before.

    Whoever asks a generator may train with each of what it yields.
    """

    def run(machine: Machine, frame: Frame, node: For | While) -> int:
        budget = machine.budget
        making = machine.stack.preparing
        tells = frame.function.generator or node.gates & (_MADE if making else _TELLS)
        if not budget.several or tells or not (making or budget.barren):
            return going(machine, frame, node)
        before = {name: (value, _size(value)) for name, value in frame.values.items()}
        limit = budget.begin()
        try:
            return going(machine, frame, node)
        except Abandoned:
            if budget.statements > limit:
                raise
            _leave_open(machine, frame, before)
            return NEXT
        finally:
            budget.limit = limit

    return run


def _leave_open(machine: Machine, frame: Frame, before: Mapping[str, tuple[Value, int]]) -> None:
    """What a loop would have gone on to change is no longer known."""
    for name, value in frame.values.items():
        old, size = before.get(name, (value, -1))
        if value is not old or _size(value) != size:
            frame.values[name] = machine.unknown(name)


def _size(value: Value) -> int:
    return len(value.items) if isinstance(value, (Series, Table)) else 0

"""Registries: which of the project's classes or functions an option chooses, where nobody knows the option.

`TRAINERS[args.kind](network, optimizer)` makes a `Plain` in one scenario and a `Windowed` in another.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.arithmetic import compare
from gradlint.interpret.atoms import decide
from gradlint.interpret.lineage import classes_of, role_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import MISSING, Constructor, Missing, Partial, Routine, Table, Unknown, Value
from gradlint.model.effects import Gate
from gradlint.model.program import Function, Program

_WORK = Gate.BACKWARD | Gate.STEP | Gate.MODE
MOST = 4
"""So many of a registry's entries are tried; each takes a scenario of its own."""


def chosen_by_option(machine: Machine, table: Table, index: Value) -> Value | Missing:
    """What a dictionary of classes or functions holds under a key that nobody knows: each that works has its turn.

    Of networks, losses and other things that neither train nor evaluate there is no choice here: they are alike to a
    loop.
    """
    if not isinstance(index, Unknown) or index.varying or table.open:
        return MISSING
    if not all(isinstance(item, (Routine, Partial, Constructor)) for item in table.items.values()):
        return MISSING
    working = [(key, item) for key, item in table.items.items() if _works(machine.program, item)][:MOST]
    if len(working) < 2:
        return MISSING
    *others, (_, last) = working
    for key, item in others:
        if not isinstance(key, str) or decide(machine, compare(machine, "==", index, key), True, 1):
            return item
    return last


def _works(program: Program, item: Value) -> bool:
    """Whether what an entry is, or its objects do, trains or evaluates."""
    return any(_WORK & one.gates for one in _functions(program, item))


def _functions(program: Program, item: Value) -> Iterator[Function]:
    match item:
        case Routine(function):
            yield function
        case Partial(target):
            yield from _functions(program, target)
        case Constructor(cls):
            if role_of(program, cls) is None:  # a network that overrides `train` is still a network
                yield from (one for each in classes_of(program, cls) for one in each.methods.values())

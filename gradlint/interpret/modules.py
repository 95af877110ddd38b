"""Modules: what an import means in a run, and the names of a module that the run did not begin in.

from engine import fit          a function of another file, run like one of this
from config import WINDOW       what its body, which is run for what it makes, leaves under that name
import engine                   engine.fit: the same
import torch                    none of the project's: a name, of which the libraries may know what it does
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from gradlint.interpret.dispatch import PREPARING, run
from gradlint.interpret.entries import WORK
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.registering import register
from gradlint.interpret.series import open_table
from gradlint.interpret.state.budget import Infeasible
from gradlint.interpret.values import Constructor, Imported, Routine, Series, Table, Tracked, Value
from gradlint.model.program import Define, If, Module, Program
from gradlint.model.program.whole import MAX_REEXPORTS


def imported(machine: Machine, importer: int, name: str) -> tuple[Value, str]:
    """What an import in a module means, by its qualified name, and what the rest of the name asks of that."""
    program = machine.program
    if (importer, name) in program.foreign:
        return Imported(name, importer), ""
    found = program.load(program.module(importer), name)
    held = None if found is None or not found[1] else _held(machine, *found)
    if held is not None:
        return held
    if found is None:
        program.foreign.add((importer, name))
    return Imported(name, importer), ""


def set_in(machine: Machine, base: Imported, name: str, value: Value) -> None:
    """`engine.WINDOW = 8`: a name of another module, from outside."""
    found = machine.program.load(machine.program.module(base.importer), base.name)
    if found is not None and not found[1]:
        prepared(machine, found[0]).values[name] = value


def _held(machine: Machine, module: Module, name: str, deep: int = MAX_REEXPORTS) -> tuple[Value, str] | None:
    """What a module has under the first part of a dotted name, which it may have imported itself."""
    first, _, rest = name.partition(".")
    frame = prepared(machine, module)
    if first in frame.values:
        return frame.values[first], rest
    there = module.imports.get(first)
    for way in _ways(machine.program, module, name):
        found = machine.program.load(module, way)
        if found is not None and found[1] and deep:
            held = _held(machine, *found, deep - 1)
            if held is not None:
                return held
        elif there is not None:
            return Imported(way, module.number), ""
    return None


def _ways(program: Program, module: Module, name: str) -> list[str]:
    """By what names a module may have imported something."""
    first, _, rest = name.partition(".")
    there = module.imports.get(first)
    if there is None:
        return list(program.ways(module, name))
    return [f"{there}.{rest}" if rest else there]


def prepared(machine: Machine, module: Module) -> Frame:
    """The names of a module after its body has been run for what it makes."""
    known = module.number in machine.globals
    frame = machine.enter(module)
    if not known:
        prepare(machine, module)
    return frame


def prepare(machine: Machine, module: Module) -> None:
    """Run a module's own definitions, so that constants and module-level objects are known."""
    frame = machine.enter(module)
    known = set(machine.objects.overrides)
    main = module is machine.program.main
    with machine.stack.silently(), _apart(machine), nullcontext() if main else machine.loading.filling():
        bring(machine, module)
        for node in module.body.body:
            if isinstance(node, Define):
                if not _is_held(frame, node):
                    run(machine, frame, (node,))
                    continue
                register(machine, frame, node)
                continue
            if node.gates & WORK or (isinstance(node, If) and "__name__" in node.text):
                continue
            try:
                run(machine, frame, (node,))
            except Infeasible:
                continue
    for name in module.updated:
        value = frame.values.get(name)
        if isinstance(value, Table):
            open_table(machine, value, name)
    if not main:
        _open_switches(machine, known)


def _is_held(frame: Frame, node: Define) -> bool:
    """Whether a function or class has its name already, as all have before anything of a module is run."""
    held = frame.values.get(node.name)
    if isinstance(held, Routine):
        return held.function is node.value
    return isinstance(held, Constructor) and held.cls is node.value


def _open_switches(machine: Machine, known: set[str]) -> None:
    """What another file sets a switch to is what it is as shipped: `cfg.clip = False`."""
    overrides = machine.objects.overrides
    for key in overrides.keys() - known:
        if isinstance(overrides[key], bool):
            del overrides[key]


def bring(machine: Machine, module: Module) -> None:
    """The files that its imports lead to and that fill something are to be run, as Python does.

    That takes long, and shows only in what they fill: they wait until that is looked up.
    """
    machine.loading.add(machine.program.link.registering(module))


def filled(machine: Machine, name: str, value: Value) -> bool:
    """Fill what is looked up by a name, if others do that: a dictionary, a list, an object of the project.

    Returns:
        Whether anything was run for that.
    """
    if not machine.loading.waiting or not isinstance(value, (Table, Series, Tracked)):
        return False
    due = machine.loading.due(name)
    for module in map(machine.program.link.at, due):
        if module is not None:
            prepared(machine, module)
    return bool(due)


@contextmanager
def _apart(machine: Machine) -> Iterator[None]:
    """Outside of all loops, guards and contexts: an import runs a module once, wherever it stands."""
    course, scenario, contexts = machine.course, machine.scenario, machine.contexts
    stamp = course.stamp
    before = course.last, course.heads, scenario.guards, contexts.entered
    course.stand(())
    course.last, course.heads, scenario.guards, contexts.entered = [], [], [], []
    try:
        yield
    finally:
        course.stand(stamp)
        course.last, course.heads, scenario.guards, contexts.entered = before


PREPARING.append(prepared)

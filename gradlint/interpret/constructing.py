"""Objects of the project's own classes: what they are called, and how much of their `__init__` is run.

self.trainer = Trainer(model, optimizer)     run: what it keeps works on gradients
meter = AverageMeter()                       a dull class keeps what a short `__init__` stores
"""

from __future__ import annotations

from gradlint.interpret.effects.gradients import roots_of
from gradlint.interpret.functions import invoke_method
from gradlint.interpret.lineage import classes_of, method_of, role_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.results import SMALL
from gradlint.interpret.shuffled import furnish
from gradlint.interpret.traits import is_device, is_number
from gradlint.interpret.values import SPREAD, Constructor, Tracked, Unknown, Value
from gradlint.model.effects import Gate
from gradlint.model.finding import Span
from gradlint.model.program import Class, Function
from gradlint.model.roles import Role


def _new_key(machine: Machine, cls: Class, span: Span) -> str:
    """What a new object is called until a variable names it: made at another place it is another one."""
    key = f"new:{cls.name}"
    first = machine.names.made.setdefault(key, span.line)
    key = key if first == span.line else f"{key}@{span.begins}"
    return machine.local_name(key, machine.course.stamp) if role_of(machine.program, cls) is Role.MODEL else key


def construct(machine: Machine, made: Constructor, args: list[Value], keywords: dict[str, Value], span: Span) -> Value:
    """An object of a class of this file; its `__init__` runs where the class can touch the books."""
    cls = made.cls
    role = role_of(machine.program, cls)
    tracked = Tracked(_new_key(machine, cls, span), role, cls, origin="made")
    tracked.make.worded = any(map(_switches, (*args, *keywords.values())))
    if role is Role.OPTIMIZER:
        tracked.params = roots_of(args[0]) if args else None
        return tracked
    gates = Gate.NOTHING
    for current in classes_of(machine.program, cls):
        for function in current.methods.values():
            gates |= function.gates
    found = method_of(machine.program, cls, "__init__")
    if role in (Role.LOADER, Role.SAMPLER):
        if found is None:
            furnish(machine.course, tracked, args, keywords)
            return tracked
        gates |= Gate.ROLE
        tracked.make.extra["shuffle"] = False  # as long as nobody says so
    if role is Role.MODEL and _within_model(machine, cls):
        return tracked
    if found is not None and gates & (Gate.BACKWARD | Gate.STEP | Gate.ROLE | Gate.CLIP | Gate.WEIGHT | Gate.ZERO):
        with machine.stack.silently():
            invoke_method(machine, found[0], tracked, args, keywords, span)
    elif found is not None:
        _plain_fields(machine, tracked, found[0], args, keywords)
    elif cls.declares:
        given = dict(zip(cls.declares, args, strict=False)) | keywords
        tracked.born |= dict.fromkeys(cls.declares, machine.course.stamp)
        tracked.attrs |= {name: value for name, value in given.items() if not name.startswith("**")}
    return tracked


def _switches(value: Value) -> bool:
    """A word, `False` or 0: what a layer may hang on."""
    return isinstance(value, str) or value is False or (is_number(value) and value == 0)


def _within_model(machine: Machine, cls: Class) -> bool:
    """Whether a network is made as a part of another, of which nobody asks how it was made."""
    running = machine.stack.functions
    return any(
        one.name == "__init__" and one.owner is not None and one.owner != cls.name and _is_network(machine, one)
        for one in running
    )


def _is_network(machine: Machine, function: Function) -> bool:
    owner = machine.program.home(function).classes.get(function.owner or "")
    return owner is not None and role_of(machine.program, owner) is Role.MODEL


def _plain_fields(
    machine: Machine, tracked: Tracked, init: Function, args: list[Value], keywords: dict[str, Value]
) -> None:
    """A dull class keeps what its `__init__` stores directly, and what it was handed where that is long."""
    if len(init.body) <= SMALL:
        with machine.stack.silently():
            invoke_method(machine, init, tracked, args, keywords, init.span)
    elif tracked.role is Role.MODEL:
        named = [one.name for one in init.parameters[1:] if not one.star]
        tracked.make.handed |= dict(zip(named, args, strict=False)) | keywords
        if any(_may_be_several(one) for one in args) or any(name.startswith(SPREAD) for name in keywords):
            tracked.make.handed[SPREAD] = None


def _may_be_several(argument: Value) -> bool:
    """Whether an argument may stand for more than one: `*sizes`, whose items nobody knows."""
    return isinstance(argument, Unknown) and not is_device(argument)

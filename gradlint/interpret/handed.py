"""What a class is handed over by whoever makes it, and may run: a trunk, a list of blocks.

class Head(nn.Module):
    def __init__(self, trunk, size):
        self.trunk = trunk
        self.size = size                      nothing calls that: a number

    def forward(self, x):
        return self.trunk(x)
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator

from gradlint.interpret.limits import dotted, name_of, nodes, parts_of_function, whole
from gradlint.interpret.lineage import classes_of
from gradlint.model.program import (
    Arith,
    Assign,
    Attr,
    Augment,
    Bind,
    Call,
    Choose,
    Class,
    Comprehension,
    Const,
    Dictionary,
    Display,
    Expr,
    For,
    Function,
    Item,
    Logic,
    Program,
    Read,
    Star,
)


def given_to(program: Program, classes: tuple[Class, ...], deep: int = 3) -> frozenset[str]:
    """The members of `self` that come from outside, and are called, gone through or handed to what may call them.

    Args:
        program: what the classes stand in.
        classes: a class and its bases that are in sight.
        deep: how many calls are followed that hand such a thing on.
    """
    methods = [inner for cls in classes for method in cls.methods.values() for inner in whole(method)]
    handed = {name for method in methods for name in _handed(method)}
    return frozenset(handed & {name for method in methods for name in _run(program, method, deep)})


def _handed(method: Function) -> Iterator[str]:
    """The members of `self` that are parameters of a method, or hold some: `nn.ModuleList(blocks)`."""
    names = {one.name for one in method.parameters if one.name != "self" and not _is_plain(one.default)}
    for part in parts_of_function(method):
        if isinstance(part, (Assign, Augment)):
            for one in part.target.items if isinstance(part.target, Display) else (part.target,):
                target = one.base if isinstance(one, Item) else one
                if _is_own(target) and not names.isdisjoint(_carried(part.value)):
                    yield name_of(target)
        elif isinstance(part, Call) and isinstance(part.func, Attr) and part.func.name in _FILLING:
            taken = {name for one in part.args for name in _carried(one)} if _is_own(part.func.base) else set[str]()
            yield from () if names.isdisjoint(taken) else (name_of(part.func.base),)


def _is_plain(default: Expr | None) -> bool:
    """Whether a parameter is a number or a word where nobody gives it."""
    return isinstance(default, Const) and default.value is not None


def _carried(value: object) -> Iterator[str]:
    """The names of what something is, or holds as it is; not of what a layer is made with."""
    if isinstance(value, Read):
        yield value.name
    elif isinstance(value, Call):
        base = (value.func.base,) if isinstance(value.func, Attr) else ()
        yield from _each(value.args if name_of(value.func) in _CARRYING else base)
    elif isinstance(value, Comprehension):
        taken = {one.name for one in nodes(value.target) if isinstance(one, Read)}
        yield from _each((value.element, *(() if taken.isdisjoint(_carried(value.element)) else (value.iterable,))))
    elif isinstance(value, (Attr, Item)):
        yield from _carried(value.base)
    elif isinstance(value, Dictionary):
        yield from _each(one for _, one in value.items)
    elif isinstance(value, Display):
        yield from _each(value.items)
    elif isinstance(value, Logic):
        yield from _each(value.parts)
    elif isinstance(value, Choose):
        yield from _each((value.then, value.other))
    elif isinstance(value, (Star, Bind)):
        yield from _carried(value.value)


def _each(values: Iterable[object]) -> Iterator[str]:
    return (name for one in values for name in _carried(one))


def _run(program: Program, method: Function, deep: int) -> Iterator[str]:
    """What of `self` a method calls, goes through to call it, or hands to what may."""
    parts = parts_of_function(method)
    called = {name_of(part.func) for part in parts if isinstance(part, Call) and isinstance(part.func, Read)}
    for part in parts:
        if isinstance(part, Call):
            yield from _members(part.func)
            if _may_run(program, method, part, deep):
                yield from (
                    name for one in (*part.args, *(word for _, word in part.keywords)) for name in _members(one)
                )
        elif isinstance(part, (For, Comprehension)):
            taken = {one.name for one in nodes(part.target) if isinstance(one, Read)}
            yield from () if taken.isdisjoint(called) and not _calls_one(part, taken) else _members(part.iterable)
        elif isinstance(part, Assign) and not _is_own(part.target) and isinstance(part.value, (Attr, Item)):
            yield from _members(part.value)


def _calls_one(loop: For | Comprehension, taken: set[str]) -> bool:
    """Whether what a loop takes is called in it, or a part of it: `block.conv(x)`."""
    return any(isinstance(one, Call) and _root(one.func) in taken for one in nodes(loop))


def _may_run(program: Program, method: Function, call: Call, deep: int) -> bool:
    """Whether a call may run what it is given: torch's checkpoint, what calls it, and what is out of sight."""
    path = dotted(call.func)
    if name_of(call.func) in _CALLING:
        return True
    if not path or path.partition(".")[0] in ("self", *_HOUSES, *_LOOKING) or name_of(call.func) in _LOOKING:
        return False
    found = program.defined(program.home(method), path)
    if found is None or not deep:
        return "." not in path
    if isinstance(found, Class):
        return bool(given_to(program, classes_of(program, found), deep - 1))
    return _runs_given(found)


def _runs_given(function: Function) -> bool:
    """Whether a function calls a parameter, or goes through one."""
    names = {one.name for one in function.parameters}
    parts: Iterable[object] = parts_of_function(function)
    called = any(isinstance(one, Call) and _root(one.func) in names for one in parts)
    return called or any(isinstance(one, (For, Comprehension)) and _root(one.iterable) in names for one in parts)


def _members(part: object) -> Iterator[str]:
    """The members of `self` that something is, or is reached through: `self.block`, `self.blocks[0].conv`."""
    while isinstance(part, (Attr, Item)) and not _is_own(part):
        part = part.base
    if not isinstance(part, (Call, Arith)):  # a call is looked at for itself, and what is computed is a number
        yield from (one.name for one in nodes(part) if _is_own(one))
    elif isinstance(part, Call) and name_of(part.func) in _CARRYING:
        yield from (name for one in part.args for name in _members(one))


def _root(part: object) -> str:
    while isinstance(part, (Attr, Item)):
        part = part.base
    return name_of(part)


def _is_own(part: object) -> bool:
    return isinstance(part, Attr) and isinstance(part.base, Read) and part.base.name == "self"


_CARRYING = frozenset(
    "Sequential ModuleList ModuleDict DataParallel list tuple dict deepcopy copy zip enumerate reversed".split()
)
"""What holds, or hands out, what it was given as it is."""
_CALLING = frozenset({"checkpoint", "checkpoint_sequential", "functional_call", "vmap", "grad_and_value"})
"""What of torch calls a network that it is given."""
_FILLING = frozenset({"append", "extend", "insert", "add_module", "register_module"})
_HOUSES = frozenset({"torch", "nn", "F", "np", "math", "numpy"})
_LOOKING = frozenset(dir(builtins)) - {"map", "filter"}

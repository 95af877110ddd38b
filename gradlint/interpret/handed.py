"""What a class is handed over by whoever makes it, and may run: a trunk, a list of blocks.

class Head(nn.Module):
    def __init__(self, trunk, size):
        self.trunk = trunk
        self.size = size                      nothing calls that: a number

    def forward(self, x):
        return self.trunk(x)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.interpret.limits import BUILT_IN, dotted, name_of, nodes, parts_of_function, whole
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
from gradlint.model.record import dataclass


def given_to(program: Program, classes: tuple[Class, ...], deep: int = 3) -> frozenset[str]:
    """The members of `self` that come from outside, and are called, gone through or handed to what may call them.

    Args:
        program: what the classes stand in.
        classes: a class and its bases that are in sight.
        deep: how many calls are followed that hand such a thing on.
    """
    methods = [inner for cls in classes for method in cls.methods.values() for inner in whole(method)]
    handed = {name for method in methods for name in _Handing(program, method, deep).members()}
    if not handed or any(_runs_all(method) for method in methods):
        return frozenset(handed)
    return frozenset(handed & {name for method in methods for name in _run(program, method, deep)} | handed & {ADDED})


def given_through(program: Program, classes: tuple[Class, ...], given: frozenset[str]) -> dict[str, Expr | None] | None:
    """The parameters of `__init__` through which what is given comes, each with its default.

    Args:
        program: what the classes stand in.
        classes: a class and its bases that are in sight.
        given: members that `given_to` has found.

    Returns:
        `None` where another method takes some of it, too.
    """
    init = next((cls.methods["__init__"] for cls in classes if "__init__" in cls.methods), None)
    methods = [inner for cls in classes for method in cls.methods.values() for inner in whole(method)]
    others = {name for one in methods if one is not init for name in _Handing(program, one, 3).members()}
    if init is None or not given.isdisjoint(others):
        return None
    through = _Handing(program, init, 3)
    return {
        one.name: one.default for one in init.parameters if not given.isdisjoint(through.members(frozenset({one.name})))
    }


ADDED = "(added)"
"""Stands for what is handed over and added under a name that nobody sees."""


@dataclass(frozen=True, slots=True)
class _Handing:
    """What a method does with what it is handed."""

    program: Program
    method: Function
    deep: int

    def members(self, some: frozenset[str] | None = None) -> Iterator[str]:
        """The members of `self` that are parameters of the method, or `some`, or hold one: `nn.ModuleList(blocks)`."""
        names = {one.name for one in self.method.parameters if one.name != "self" and not _is_plain(one.default)}
        names &= names if some is None else some
        parts = parts_of_function(self.method)
        for _ in range(2 if names else 0):  # what goes through a local, and through another
            names |= {name for part in parts for name in self._passed_on(part, names)}
        for part in parts if names else ():
            if isinstance(part, (Assign, Augment)):
                for one in part.target.items if isinstance(part.target, Display) else (part.target,):
                    target = one.base if isinstance(one, Item) else one
                    if is_of_self(target) and not names.isdisjoint(self._carried(part.value)):
                        yield name_of(target)
            elif isinstance(part, Call) and self._fills(part, names):
                base = part.func.base if isinstance(part.func, Attr) else None
                yield name_of(base) if is_of_self(base) else ADDED

    def _passed_on(self, part: object, names: set[str]) -> Iterator[str]:
        """The locals that hold something of that: `parts = [trunk]`, `parts.append(trunk)`."""
        if isinstance(part, (Assign, Augment)) and not names.isdisjoint(self._carried(part.value)):
            yield from (one.name for one in nodes(part.target) if isinstance(one, Read) and one.name != "self")
        elif isinstance(part, (For, Comprehension)) and not names.isdisjoint(self._carried(part.iterable)):
            yield from (one.name for one in nodes(part.target) if isinstance(one, Read))
        elif isinstance(part, Call) and isinstance(part.func, Attr) and self._fills(part, names):
            yield from (part.func.base.name,) if isinstance(part.func.base, Read) else ()

    def _fills(self, call: Call, names: set[str]) -> bool:
        """Whether a call adds something of that to `self`, to a member or to a list."""
        filling = isinstance(call.func, Attr) and call.func.name in _FILLING
        return filling and any(not names.isdisjoint(self._carried(one)) for one in call.args)

    def _carried(self, value: object) -> Iterator[str]:
        """The names of what something is, or holds as it is; not of what a layer is made with."""
        if isinstance(value, Read):
            yield value.name
        elif isinstance(value, Call):
            base = (value.func.base,) if isinstance(value.func, Attr) else ()
            yield from self._each((*base, *value.args) if self._keeps(value) else base)
        elif isinstance(value, Comprehension):
            taken = {one.name for one in nodes(value.target) if isinstance(one, Read)}
            yield from self._carried(value.element)
            yield from () if taken.isdisjoint(self._carried(value.element)) else self._carried(value.iterable)
        elif isinstance(value, (Attr, Item)):
            yield from self._carried(value.base)
        elif isinstance(value, Dictionary):
            yield from self._each(one for _, one in value.items)
        elif isinstance(value, Display):
            yield from self._each(value.items)
        elif isinstance(value, Logic):
            yield from self._each(value.parts)
        elif isinstance(value, Choose):
            yield from self._each((value.then, value.other))
        elif isinstance(value, (Star, Bind)):
            yield from self._carried(value.value)

    def _each(self, values: Iterable[object]) -> Iterator[str]:
        return (name for one in values for name in self._carried(one))

    def _keeps(self, call: Call) -> bool:
        """Whether what a call gives may hold what it is given: a row of layers, a helper, a network that runs it."""
        if name_of(call.func) in _CARRYING:
            return True
        path = dotted(call.func)
        if not path or path.partition(".")[0] in ("self", *_HOUSES) or name_of(call.func) in _LOOKING:
            return False
        found = self.program.defined(self.program.home(self.method), path)
        if isinstance(found, Class):
            return bool(self.deep) and bool(given_to(self.program, classes_of(self.program, found), self.deep - 1))
        return isinstance(found, Function)


def _runs_all(method: Function) -> bool:
    """Whether a method goes through all that the network holds: `for part in self.children():`."""
    calls = (part.func for part in parts_of_function(method) if isinstance(part, Call))
    return any(is_of_self(func) and name_of(func) in _ALL for func in calls)


def _is_plain(default: Expr | None) -> bool:
    """Whether a parameter is a number or a word where nobody gives it."""
    return isinstance(default, Const) and not isinstance(default.value, (bool, type(None)))


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
            yield from () if taken.isdisjoint(called) and not _calls_one(part, taken) else _gone_through(part.iterable)
        elif isinstance(part, Assign) and not is_of_self(part.target) and isinstance(part.value, (Attr, Item)):
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
    while isinstance(part, (Attr, Item)) and not is_of_self(part):
        part = part.base
    if not isinstance(part, (Call, Arith)):  # a call is looked at for itself, and what is computed is a number
        yield from (one.name for one in nodes(part) if is_of_self(one))
    elif isinstance(part, Call) and name_of(part.func) in _CARRYING:
        yield from (name for one in part.args for name in _members(one))


def _gone_through(part: object) -> Iterator[str]:
    """The members that a loop goes through: `chain(self.first, self.last)`, `list(self.first) + [self.last]`."""
    if isinstance(part, Call):
        yield from (name for one in part.args for name in _gone_through(one)) if name_of(part.func) != "range" else ()
    elif isinstance(part, Arith):
        yield from (name for one in (part.left, part.right) for name in _gone_through(one))
    else:
        yield from _members(part)


def _root(part: object) -> str:
    while isinstance(part, (Attr, Item)):
        part = part.base
    return name_of(part)


def is_of_self(part: object) -> bool:
    """Whether something is a member of `self`."""
    return isinstance(part, Attr) and isinstance(part.base, Read) and part.base.name == "self"


_CARRYING = frozenset(
    "Sequential ModuleList ModuleDict DataParallel list tuple dict deepcopy copy zip enumerate reversed".split()
)
"""What holds, or hands out, what it was given as it is."""
_ALL = frozenset("children modules named_children named_modules _modules".split())
"""What gives all parts of a network."""
_CALLING = frozenset({"checkpoint", "checkpoint_sequential", "functional_call", "vmap", "grad_and_value"})
"""What of torch calls a network that it is given."""
_FILLING = frozenset({"append", "extend", "insert", "add_module", "register_module", "update"})
_HOUSES = frozenset({"torch", "nn", "F", "np", "math", "numpy"})
_LOOKING = BUILT_IN - {"map", "filter"}

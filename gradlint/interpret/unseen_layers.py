"""What of a network is made out of sight: what is not understood here may be any layer.

self.turn = timm.create_model(name)         another package makes it
self.norm = TABLE[kind](size)               a table, a name of the module, `getattr(nn, kind)`
layer = kinds[0]; self.last = layer(8)      a local that holds a class
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cached_property

from gradlint.interpret.limits import BUILT_IN, dotted, name_of, nodes, parts_of_function, parts_of_whole, whole
from gradlint.interpret.lineage import classes_of
from gradlint.libraries.packages import WITHOUT_LAYERS
from gradlint.model.program import (
    Arith,
    Assign,
    Attr,
    Augment,
    Call,
    Choose,
    Class,
    Closure,
    Comprehension,
    Const,
    Define,
    Display,
    For,
    Function,
    Item,
    Logic,
    Module,
    Program,
    Read,
)


class Unseen:
    """What a class with its bases, or a function, makes or calls that nobody can look into."""

    def __init__(self, program: Program, one: Class | Function) -> None:
        self.program = program
        self.classes = classes_of(program, one) if isinstance(one, Class) else ()
        own = [method for cls in self.classes for method in cls.methods.values()]
        self.outer = [*own, one] if isinstance(one, Function) else own

    def is_there(self) -> bool:
        """Whether anything is."""
        bases = self.bases()
        if any(not _is_bare(base) or base.rpartition(".")[2] in _IN_A_ROW for base in bases):
            return True
        return any(self._hides(function) for function in self.outer)

    def bases(self) -> set[str]:
        """The qualified names of the bases that are out of sight."""
        names = {cls.name for cls in self.classes}
        return {base for cls in self.classes for base in cls.bases if base.rpartition(".")[2] not in names}

    @cached_property
    def _members(self) -> frozenset[str]:
        """What `self` has: methods, what these set, and fields that are plain."""
        found = set(_OF_EVERY_NETWORK)
        for method in (inner for function in self.outer for inner in whole(function)):
            found.add(method.name)
            found |= {name_of(one) for one in _targets(method) if isinstance(one, Attr) and name_of(one.base) == "self"}
        for cls in self.classes:
            home = self.program.home(cls)
            fields = (one for one in cls.fields if isinstance(one, Assign))
            found |= {name_of(one.target) for one in fields if self._is_plain(home, one.value)}
        return frozenset(found)

    @cached_property
    def _brought(self) -> frozenset[str]:
        """The members that are what another file or library has made: `self.kinds = KINDS`."""
        return frozenset(
            name_of(part.target)
            for function in self.outer
            for part in parts_of_function(function)
            if isinstance(part, Assign) and _is_of_self(part.target) and self._is_brought(function, part.value)
        )

    def _is_brought(self, function: Function, value: object) -> bool:
        """Whether a value is imported, and neither torch's nor a function or class in sight."""
        home, path = self.program.home(function), dotted(value)
        return path.partition(".")[0] in home.imports and not self._is_made(home, value)

    def _hides(self, outer: Function) -> bool:
        functions = list(whole(outer))
        scope = {name for one in functions for name in (*one.local, *(given.name for given in one.parameters))}
        scope |= {part.name for one in functions for part in parts_of_function(one) if isinstance(part, Define)}
        return any(
            (isinstance(part, Call) and self._calls_unseen(function, part))
            or (isinstance(part, Read) and part.name not in scope and self._is_of_module(function, part.name))
            for function in functions
            for part in parts_of_whole(function)
        )

    def _calls_unseen(self, function: Function, call: Call) -> bool:
        """Whether a call may make layers that nobody sees."""
        path = dotted(_held_in(call.func))
        first, _, rest = path.partition(".")
        if not path:
            return not isinstance(call.func, Attr)  # what `blocks()[0].view(...)` is a method of is looked at itself
        home = self.program.home(function)
        if self.program.defined(home, path) is not None:
            return False
        if first == "self":
            member = rest.partition(".")[0]
            listed = isinstance(call.func, Item) and member in self._brought
            return bool(rest) and bool(self.classes) and (member not in self._members or listed)
        if first in BUILT_IN:
            return first in _BY_NAME
        there = home.imports.get(first)
        if there is not None:
            return _may_bring(f"{there}.{rest}" if rest else there)
        if rest:
            return first == "cls"
        return any(one.name == first for one in function.parameters) or not self._is_bound_plainly(function, first)

    def _is_bound_plainly(self, function: Function, name: str) -> bool:
        """Whether a local that is called was made here, belongs to `self`, or is a function of its own."""
        home, bound = self.program.home(function), False
        for part in parts_of_function(function):
            if isinstance(part, Define) and part.name == name:
                bound = True
            elif isinstance(part, Assign) and name in _names_in(part.target):
                if not (_is_of_self(part.value) or self._is_made(home, part.value)):
                    return False
                bound = True
            elif isinstance(part, (For, Comprehension)) and name in _names_in(part.target):
                if not _is_of_self(part.iterable):
                    return False
                bound = True
        return bound

    def _is_made(self, home: Module, value: object) -> bool:
        """Whether a value is the result of a call, or a function or class that is in sight."""
        if isinstance(value, (Choose, Logic)):
            parts = (value.then, value.other) if isinstance(value, Choose) else value.parts
            return all(self._is_made(home, one) for one in parts)
        if isinstance(value, (Call, Closure)):
            return True
        path = dotted(value)
        there = home.imports.get(path.partition(".")[0]) if path else None
        return self.program.defined(home, path) is not None if there is None else not _may_bring(there)

    def _is_of_module(self, function: Function, name: str) -> bool:
        """Whether a name that a function reads is set around it, to something that may hold layers."""
        home = self.program.home(function)
        if name in home.imports or name in BUILT_IN or self.program.defined(home, name) is not None:
            return False
        values = [
            part.value
            for part in parts_of_function(home.body)
            if isinstance(part, Assign) and name in _names_in(part.target)
        ]
        return not values or not all(self._is_plain(home, one) for one in values)

    def _is_plain(self, home: Module, value: object) -> bool:
        """Whether a value is a number or a word, or made of such, or a function or class in sight."""
        computed = all(isinstance(one, (Const, Arith, Display)) for one in nodes(value))
        return computed or (bool(dotted(value)) and self._is_made(home, value))


def _targets(method: Function) -> Iterator[object]:
    for part in parts_of_function(method):
        if isinstance(part, (Assign, Augment)):
            several = part.target.items if isinstance(part.target, Display) else (part.target,)
            yield from (one.base if isinstance(one, Item) else one for one in several)


def _names_in(target: object) -> set[str]:
    return {one.name for one in nodes(target) if isinstance(one, Read)}


def _held_in(called: object) -> object:
    """What holds something that is called: `self.blocks` of `self.blocks[i][j](x)`; everything else is itself."""
    held = called
    while isinstance(held, Item):
        held = held.base
    return held if isinstance(held, Attr) and name_of(held.base) == "self" else called


def _is_of_self(value: object) -> bool:
    """Whether something belongs to `self`, or is gone through with what does."""
    return any(isinstance(one, Attr) and name_of(one.base) == "self" for one in nodes(value))


def _may_bring(qualified: str) -> bool:
    """Whether what an import brings may make layers: not what is of torch by its name, nor what has none."""
    root = qualified.partition(".")[0]
    if root in _LOADING or qualified.startswith(_HUBS):
        return True
    return root not in WITHOUT_LAYERS | sys.stdlib_module_names


def _is_bare(base: str) -> bool:
    """Whether a base brings no layers that ask for the mode: torch's own, and what is of Python."""
    return base.rpartition(".")[2] in _BARE or base.partition(".")[0] in WITHOUT_LAYERS | sys.stdlib_module_names


_IN_A_ROW = frozenset({"Sequential", "ModuleList", "ModuleDict"})
"""Bases that call, or hold, whatever they are filled with."""
_BARE = frozenset({"Module", "LightningModule", "ABC", "object", "Generic", "Protocol"})
"""Bases that bring no layers."""
_BY_NAME = frozenset({"getattr", "eval", "exec", "globals", "locals", "vars", "__import__"})
_LOADING = frozenset({"importlib", "pickle", "marshal", "dill", "cloudpickle", "runpy"})
_HUBS = ("torch.hub", "torch.jit", "torch.package", "torch.load", "torch.nn.Module.")
_OF_EVERY_NETWORK: Iterable[str] = frozenset(
    "apply buffers children cpu cuda double eval extra_repr float forward get_buffer get_parameter get_submodule half "
    "load_state_dict modules named_buffers named_children named_modules named_parameters parameters register_buffer "
    "register_forward_hook register_parameter requires_grad_ state_dict to train type zero_grad log log_dict print "
    "save_hyperparameters".split()
)
"""Methods of torch's `Module`, and of Lightning's, that make no layers."""

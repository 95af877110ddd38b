"""Classes of networks that hold nothing but layers with one mode, whatever else their methods call.

self.first = nn.Linear(8, 64)                 what it holds is made of such layers
self.hidden = nn.ModuleList()
self.hidden.append(nn.ReLU())
normal = Normal(self.first(x), 1.0)           no mode reaches this: it gets neither `self` nor what is not known of it
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from gradlint.interpret.limits import name_of, nodes, parts_of_function
from gradlint.libraries.tensors import SMOOTH
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
    Do,
    Expr,
    For,
    Function,
    Item,
    Read,
    Return,
    Star,
)
from gradlint.model.record import dataclass
from gradlint.model.roles import Role


@dataclass(frozen=True, slots=True)
class Plain:
    """What has one mode by its name.

    Attributes:
        layers: the layers of torch whose forward does not ask for the mode.
        own: whether a class of the project is such a network, or a function chooses one; `None` for what is none of it.
    """

    layers: frozenset[str]
    own: Callable[[str], bool | None]

    def has(self, call: Call) -> bool:
        """Whether what a call makes is such a layer, such a network, a parameter, a criterion or an optimizer."""
        name = name_of(call.func)
        known = self.own(name) if isinstance(call.func, Read) else None
        if known is not None:
            return known
        if name.startswith("InstanceNorm") and may_keep_statistics(call):
            return False
        return name in self.layers | {"Parameter"} or (call.effect is not None and call.effect.role in _NO_NETWORKS)


def may_keep_statistics(norm: Call) -> bool:
    """Whether an `InstanceNorm` is told to keep running statistics, or may be."""
    told = any(not word or word.startswith("*") or word == "track_running_stats" for word, _ in norm.keywords)
    return told or len(norm.args) > _BEFORE_STATISTICS or any(isinstance(one, Star) for one in norm.args)


_BEFORE_STATISTICS = 4
"""Where the fifth place of an `InstanceNorm` is given, it may keep running statistics."""
_NO_NETWORKS = (Role.OPTIMIZER, Role.SCHEDULER, Role.CRITERION)


def holds_plain_layers(classes: tuple[Class, ...], plain: Plain, *, within: bool = False) -> bool:
    """Whether all that a network's methods ask of `self` is made of layers of these names, and none gets `self` whole.

    What it was given from elsewhere may be anything, as long as nobody calls it.

    Args:
        classes: its class and the bases that are in sight: no others.
        plain: the layers whose forward does not ask for the mode.
        within: whether it is a part of such a network: it needs no layer of its own.
    """
    methods = [method for cls in classes for method in cls.methods.values()]
    held: dict[str, bool] = {}
    for name, value in (one for method in methods for one in _held_by(method)):
        held[name] = held.get(name, True) and _is_made_of(value, plain)
    fields = {name_of(one.target) for cls in classes for one in cls.fields if isinstance(one, Assign)}
    own = {method.name for method in methods}
    sure = {name for name in held if held[name]}
    at_rest = held.keys() - {name for method in methods for name in _busy(method, sure, plain)}
    known = fields | own | sure | at_rest | _BOOKKEEPING
    made = within or any(name in plain.layers for method in methods for name in method.called)
    return made and all(map(_keeps_itself, methods)) and {name for one in methods for name in _asked(one)} <= known


def chooses(function: Function) -> bool:
    """Whether all that a function hands out are functions of torch: `F.tanh`, `torch.relu`; none that drops some."""
    parts = parts_of_function(function)
    made = {name_of(part.target) for part in parts if isinstance(part, Assign)}
    values = [part.value for part in parts if isinstance(part, (Return, Assign))]
    return any(isinstance(part, Return) for part in parts) and all(_is_function(one, made) for one in values)


def _is_function(value: object, made: Container[str]) -> bool:
    """Whether it is one of torch's functions, or a name that such a function was given here."""
    if isinstance(value, Read):
        return value.name in made
    known = isinstance(value, Attr) and name_of(_root(value)) in _HOUSES
    return known and name_of(value).islower() and "drop" not in name_of(value)


_HOUSES = frozenset({"F", "torch", "nn"})


def _busy(method: Function, sure: Container[str], plain: Plain) -> Iterator[str]:
    """What of `self` is called, gone through, or handed to somebody who may call it: but for torch and plain layers."""
    parts = parts_of_function(method)
    sized = {id(part.iterable) for part in parts if isinstance(part, Comprehension) and _only_sizes(part, plain)}
    for part in parts:
        if isinstance(part, Call):
            yield from _own_of(part.func)
            looks = id(part) in sized or _only_looks(part, sure, plain)
            given = () if looks else (*part.args, *(value for _, value in part.keywords))
            yield from (name for one in given for name in _own_of(one))
        elif isinstance(part, (For, Comprehension)) and not _only_counts(part):
            counted = isinstance(part.iterable, Call) and name_of(part.iterable.func) == "range"
            yield from () if counted else _own_of(part.iterable)
        elif isinstance(part, Assign) and not _is_own(part.target):
            yield from _own_of(part.value) if isinstance(part.value, (Attr, Item)) else ()


def _only_counts(loop: For | Comprehension) -> bool:
    """Whether a comprehension only computes with what it goes through: `[round(r * n) for r in self.ratios]`."""
    if not (isinstance(loop, Comprehension) and isinstance(loop.target, Read) and isinstance(loop.element, _COMPUTED)):
        return False
    name = loop.target.name
    parts = list(nodes(loop.element))
    read = sum(isinstance(part, Read) and part.name == name for part in parts)
    sides = [side for part in parts if isinstance(part, Arith) for side in (part.left, part.right)]
    return read == sum(isinstance(side, Read) and side.name == name for side in sides)


def _only_sizes(loop: Comprehension, plain: Plain) -> bool:
    """Whether what lists hold is only told to layers that are made: `[Linear(a, b) for a, b in zip(w, w[1:])]`."""
    zips = isinstance(loop.iterable, Call) and name_of(loop.iterable.func) == "zip"
    return (
        zips
        and isinstance(loop.element, Call)
        and plain.has(loop.element)
        and all(isinstance(one, Read) for one in loop.element.args)
    )


_COMPUTED = (Arith, Call)


def _root(part: object) -> object:
    while isinstance(part, (Attr, Item)):
        part = part.base
    return part


def _only_looks(call: Call, sure: Container[str], plain: Plain) -> bool:
    """Whether a call takes what it is given for a number or a tensor: torch's own, and those of plain layers."""
    if name_of(call.func) in _CALLING:
        return False
    own = _is_own(call.func) and name_of(call.func) in sure
    return own or name_of(_root(call.func)) in _LOOKING or name_of(call.func) in SMOOTH or plain.has(call)


def _own_of(part: object) -> Iterator[str]:
    """The members of `self` that something is, or is reached through: `self.block`, `self.blocks[0].conv`."""
    while isinstance(part, (Attr, Item)) and not _is_own(part):
        part = part.base
    if not isinstance(part, (Call, Arith)):  # a call is looked at for itself, and what is computed is a number
        yield from (one.name for one in nodes(part) if _is_own(one))


def _held_by(method: Function) -> Iterator[tuple[str, Expr]]:
    """What a method stores in `self`, in a list that it holds, or as a buffer."""
    for part in parts_of_function(method):
        if isinstance(part, (Assign, Augment)):
            several = isinstance(part.target, Display)
            for one in part.target.items if isinstance(part.target, Display) else [part.target]:
                target = one.base if isinstance(one, Item) else one
                if _is_own(target):
                    yield name_of(target), part.target if several else part.value
        elif isinstance(part, Do) and isinstance(part.value, Call) and isinstance(part.value.func, Attr):
            call, func = part.value, part.value.func
            if _is_own(func.base) and func.name in _FILLING:
                yield from ((name_of(func.base), one) for one in call.args)
            elif name_of(func) == "register_buffer" and call.args and isinstance(call.args[0], Const):
                yield str(call.args[0].value), Const(0)


def _is_own(target: object) -> bool:
    return isinstance(target, Attr) and name_of(target.base) == "self" and isinstance(target.base, Read)


def _is_made_of(value: Expr, plain: Plain) -> bool:
    """Whether something is such a layer, several of them, a parameter or a number."""
    if isinstance(value, Display):
        return all(_is_made_of(one, plain) for one in value.items)
    if isinstance(value, Star):
        return _is_made_of(value.value, plain)
    if isinstance(value, Choose):
        return _is_made_of(value.then, plain) and _is_made_of(value.other, plain)
    if isinstance(value, Comprehension):
        return isinstance(value.element, Call) and _is_made_of(value.element, plain)
    if isinstance(value, Call):
        several = name_of(value.func) in _SEVERAL and all(_is_made_of(one, plain) for one in value.args)
        return several or plain.has(value)
    return isinstance(value, Const)


def _asked(method: Function) -> Iterator[str]:
    """The names that a method reads of `self`."""
    parts = parts_of_function(method)
    set_there = {id(part.target) for part in parts if isinstance(part, Assign)}
    return (part.name for part in parts if isinstance(part, Attr) and _is_own(part) and id(part) not in set_there)


def _keeps_itself(method: Function) -> bool:
    """Whether `self` is only asked for its members, and called: what gets it whole may ask for its mode."""
    parts = parts_of_function(method)
    whole = sum(isinstance(part, Read) and part.name == "self" for part in parts)
    asked = sum(_is_own(part) for part in parts)
    calls = [part for part in parts if isinstance(part, Call)]
    called = sum(isinstance(part.func, Read) and part.func.name == "self" for part in calls)
    above = sum(name_of(part.func) == "super" and any(name_of(one) == "self" for one in part.args) for part in calls)
    inner = any(_holds_itself(part) for part in parts)
    return whole == asked + called + above and not inner


def _holds_itself(part: object) -> bool:
    """Whether a nested function or class has `self` at hand, whole or in part."""
    if not isinstance(part, (Define, Closure)):
        return False
    function = part.function if isinstance(part, Closure) else part.value
    if not isinstance(function, Function):
        return True
    inside = parts_of_function(function)
    return any((isinstance(one, Read) and one.name == "self") or _holds_itself(one) for one in inside)


_LOOKING = frozenset("range len isinstance print int float str min max torch nn F np math numpy".split())
_CALLING = frozenset({"checkpoint", "checkpoint_sequential", "functional_call", "vmap", "grad_and_value"})
"""What of torch calls a network that it is given."""
_FILLING = frozenset({"append", "extend", "insert"})
_SEVERAL = frozenset({"Sequential", "ModuleList"})
_BOOKKEEPING = frozenset({"register_buffer", "parameters", "to", "cuda", "cpu", "float", "half", "state_dict"})
"""What every network has, and what does not ask for its mode."""

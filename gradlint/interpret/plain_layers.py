"""Classes of networks that hold nothing but layers with one mode, whatever else their methods call.

self.first = nn.Linear(8, 64)                 what it holds is made of such layers
self.hidden = nn.ModuleList()
self.hidden.append(nn.ReLU())
normal = Normal(self.first(x), 1.0)           no mode reaches this: it gets neither `self` nor what is not known of it
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.limits import name_of, parts_of_function
from gradlint.model.program import (
    Assign,
    Attr,
    Augment,
    Call,
    Class,
    Closure,
    Comprehension,
    Const,
    Define,
    Display,
    Do,
    Expr,
    Function,
    Item,
    Read,
)


def holds_plain_layers(classes: tuple[Class, ...], plain: frozenset[str]) -> bool:
    """Whether all that a network's methods ask of `self` is made of layers of these names, and none gets `self` whole.

    Args:
        classes: its class and the bases that are in sight: no others.
        plain: the layers whose forward does not ask for the mode.
    """
    methods = [method for cls in classes for method in cls.methods.values()]
    held: dict[str, bool] = {}
    for name, value in (one for method in methods for one in _held_by(method)):
        held[name] = held.get(name, True) and _is_made_of(value, plain)
    fields = {name_of(one.target) for cls in classes for one in cls.fields if isinstance(one, Assign)}
    known = fields | {method.name for method in methods} | {name for name in held if held[name]} | _BOOKKEEPING
    made = any(name in plain for method in methods for name in method.called)
    return made and all(map(_keeps_itself, methods)) and {name for one in methods for name in _asked(one)} <= known


def _held_by(method: Function) -> Iterator[tuple[str, Expr]]:
    """What a method stores in `self`, in a list that it holds, or as a buffer."""
    for part in parts_of_function(method):
        if isinstance(part, (Assign, Augment)):
            target = part.target.base if isinstance(part.target, Item) else part.target
            if _is_own(target):
                yield name_of(target), part.value
        elif isinstance(part, Do) and isinstance(part.value, Call) and isinstance(part.value.func, Attr):
            call, func = part.value, part.value.func
            if _is_own(func.base) and func.name in _FILLING:
                yield from ((name_of(func.base), one) for one in call.args)
            elif name_of(func) == "register_buffer" and call.args and isinstance(call.args[0], Const):
                yield str(call.args[0].value), Const(0)


def _is_own(target: object) -> bool:
    return isinstance(target, Attr) and name_of(target.base) == "self" and isinstance(target.base, Read)


def _is_made_of(value: Expr, plain: frozenset[str]) -> bool:
    """Whether something is such a layer, several of them, a parameter or a number."""
    if isinstance(value, Display):
        return all(_is_made_of(one, plain) for one in value.items)
    if isinstance(value, Comprehension):
        return isinstance(value.element, Call) and _is_made_of(value.element, plain)
    if isinstance(value, Call):
        several = name_of(value.func) in _SEVERAL and all(_is_made_of(one, plain) for one in value.args)
        return several or name_of(value.func) in plain | {"Parameter"}
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
    inner = any(isinstance(part, (Define, Closure)) for part in parts)
    return whole == asked + called + above and not inner


_FILLING = frozenset({"append", "extend", "insert"})
_SEVERAL = frozenset({"Sequential", "ModuleList"})
_BOOKKEEPING = frozenset({"register_buffer", "parameters", "to", "cuda", "cpu", "float", "half", "state_dict"})
"""What every network has, and what does not ask for its mode."""

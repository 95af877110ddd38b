"""The calls of a function as the source spells them; looked for only where something was not judged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from gradlint.model.effects import Action, Effect, Gate
from gradlint.model.program import Attr, Call, Class, Function, Item, Program, Read, Star, Told, Works
from gradlint.model.roles import Role
from gradlint.model.written import names_of

if TYPE_CHECKING:
    from gradlint.model.program import Expr

_BACKWARD = frozenset({"backward", "manual_backward"})


def functions(program: Program) -> Iterator[Function]:
    """The module's body and every function that may add to gradients or spend them, nested ones too."""
    todo = [*program.functions.values(), *(one for cls in program.classes.values() for one in cls.methods.values())]
    yield program.body
    while todo:
        function = todo.pop()
        if function.works is not Works.NOT:
            yield function
            todo += function.inside.nested


def calls(function: Function, gates: Gate | None = None) -> Iterator[Call]:
    """Every call in a function, in order; with `gates` only those in statements that can do one of these."""
    for node in function.body:
        yield from _calls(node, gates)


def _calls(node: Any, gates: Gate | None) -> Iterator[Call]:
    if isinstance(node, tuple):
        for part in node:
            yield from _calls(part, gates)
    elif (names := _parts_of(node.__class__)) and (gates is None or getattr(node, "gates", gates) & gates):
        for name in names:
            yield from _calls(getattr(node, name), gates)
        if isinstance(node, Call):
            yield node


@cache
def _parts_of(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node; none of what is no node, and of what is looked into by itself."""
    return () if issubclass(kind, (Function, Class, Effect, Gate)) else names_of(kind)


def backwards(function: Function) -> list[Call]:
    """The calls in a function that run backward themselves."""
    return [call for call in calls(function, Gate.BACKWARD) if _is_backward(call)]


def _is_backward(call: Call) -> bool:
    if call.effect is not None:
        return call.effect.action in (Action.BACKWARD, Action.LIBRARY_BACKWARD)
    return isinstance(call.func, Attr) and call.func.name in _BACKWARD


def name_of(node: Expr) -> str:
    """`self.opt` as the source spells it, items as `told.Told` takes them; empty for anything else."""
    if isinstance(node, Told):
        return node.name
    if isinstance(node, Read):
        return node.name
    if isinstance(node, Attr):
        base = name_of(node.base)
        return f"{base}.{node.name}" if base else ""
    if isinstance(node, Item):
        key = getattr(node.index, "value", None)
        base = name_of(node.base)
        return f"{base}.{key}" if base and isinstance(key, str) and key.isidentifier() else base
    return ""


def hint_of(node: Expr) -> Role | None:
    """The role that the spelling of a name suggests, or that it was told to have."""
    if isinstance(node, Told):
        return node.role
    if isinstance(node, Item):
        return node.hint or hint_of(node.base)
    return node.hint if isinstance(node, (Read, Attr)) else None


def given(call: Call) -> list[Expr]:
    """The arguments of a call."""
    values = [*call.args, *(value for _, value in call.keywords)]
    return [value.value if isinstance(value, Star) else value for value in values]


def owner_of(call: Call) -> Expr:
    """Whose method is called; of a function the function itself."""
    return call.func.base if isinstance(call.func, Attr) else call.func


def reads_gradients(function: Function) -> bool:
    """Whether a function reads `x.grad`, for something else than to write or clear it."""
    return any(_reads(node) for node in function.body)


def _reads(node: Any) -> bool:
    if isinstance(node, tuple):
        return any(_reads(part) for part in node)
    if isinstance(node, Attr) and node.name == "grad" and node.qualified is None:
        return True
    return any(_reads(getattr(node, name)) for name in _parts_of(node.__class__) if name != "target")

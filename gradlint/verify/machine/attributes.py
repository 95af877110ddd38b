"""Attributes and items of anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gradlint.verify.machine import binder
from gradlint.verify.machine.values import Closure, Method, Native, Object, Ref, Thing, Unknown, Value, key_of
from gradlint.verify.slice.index import Class, dotted
from gradlint.verify.slice.words import LIFECYCLE, by_spelling
from gradlint.verify.world.model import Model

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine


class PlainMethod(Thing):
    """A method of a plain list, dictionary, string or number."""

    def __init__(self, owner: Value, name: str) -> None:
        self.owner = owner
        self.name = name


class UnknownMethod(Thing):
    """A method of something unknown: it may be called, or read as an attribute."""


def get(machine: Machine, owner: Value, name: str, row: int) -> Value:
    """`owner.name`."""
    if owner is None and name not in LIFECYCLE:
        return Unknown(f"None.{name}", data=True)  # its guard was answered elsewhere, and nothing hangs on it
    binder.reject_none(owner, name, row)
    if isinstance(owner, Object):
        return _of_object(machine, owner, name)
    if isinstance(owner, Thing):
        return owner.get(name)
    if isinstance(owner, Ref):
        if name == "inf":
            return float("inf")
        return Ref(f"{owner.name}.{name}")
    if isinstance(owner, Unknown):
        return _of_unknown(machine, owner, name)
    if isinstance(owner, Class):
        return _of_class(machine, owner, name)
    if isinstance(owner, (Closure, Method)):
        return Unknown(name)
    return PlainMethod(owner, name)


def _of_object(machine: Machine, owner: Object, name: str) -> Value:
    if name in owner.attributes:
        return owner.attributes[name]
    from gradlint.verify.machine import calls

    found = calls.method_of(machine, owner.cls, name)
    if found is not None:
        closure = calls.bound(found, owner)
        if any(dotted(one).endswith("property") for one in found[0].decorator_list):
            return calls.closure(machine, closure, [], {})
        return closure
    constant = _constant(machine, owner.cls, name)
    if constant is not None:
        return constant[0]
    if name == "__dict__":
        return {}
    if owner.base is not None:
        return owner.base.get(name)
    if name in ("train", "eval") and any(base.endswith(("Module", "Model")) for base in _bases(machine, owner.cls)):
        return Native(lambda args, kwargs: _switch(machine, owner, name == "train" and args[:1] != [False]))
    made = binder.named(machine, name, f"{owner.path}.{name}")
    if not isinstance(made, Unknown):
        owner.attributes[name] = made
    return made


def _bases(machine: Machine, cls: Class) -> list[str]:
    return [base for one in machine_mro(machine, cls) for base in one.bases]


def _switch(machine: Machine, owner: Object, training: bool) -> Value:
    """`self.train()` of a module that trains itself: the mode of what it holds, else of everything."""
    held = [one for one in owner.attributes.values() if isinstance(one, Model)]
    for model in held or machine.world.models:
        model.switch(training=training)
    return owner


def _constant(machine: Machine, cls: Class, name: str) -> tuple[Value] | None:
    from gradlint.verify.machine.targets import turned

    for one in machine_mro(machine, cls):
        if name in one.constants:
            return (turned(machine, name, machine.value(one.constants[name], machine.module)),)
    return None


def machine_mro(machine: Machine, cls: Class, depth: int = 8) -> list[Class]:
    """The class and its bases inside the file, nearest first."""
    found = [cls]
    for base in cls.bases:
        inner = machine.index.classes.get(base.rpartition(".")[2])
        if inner is not None and inner is not cls and depth:
            found += [one for one in machine_mro(machine, inner, depth - 1) if one not in found]
    return found


def _of_class(machine: Machine, owner: Class, name: str) -> Value:
    if any(base.rpartition(".")[2].endswith("Enum") for base in owner.bases) and name in owner.constants:
        return Unknown(f"{owner.name}.{name}")
    if name in owner.methods:
        return Closure(owner.methods[name], None, None, owner)
    constant = _constant(machine, owner, name)
    return constant[0] if constant is not None else Unknown(f"{owner.name}.{name}")


def _of_unknown(machine: Machine, owner: Unknown, name: str) -> Value:
    path = f"{owner.path}.{name}"
    if owner.data:
        return Unknown(path, data=True, size=owner.size, made=owner.made)
    return binder.named(machine, name, path)


def item(machine: Machine, owner: Unknown, key: Value) -> Value:
    """`owner[key]` of something unknown."""
    from gradlint.verify.machine import iterate

    name, key = owner.path.rpartition(".")[2], key_of(key)
    if not owner.data and isinstance(key, (str, int)):
        role = by_spelling(name)
        if role in ("optimizer", "scheduler", "model", "scaler"):
            return iterate.member(machine, owner, key, role)
        if isinstance(key, str):
            path = f"{owner.path}[{key!r}]"
            if path in machine.stored:
                return machine.stored[path]
            found = binder.named(machine, key, f"{owner.path}.{key}")
            return replace(found, made=owner.made) if isinstance(found, Unknown) else found
    return Unknown(f"{owner.path}[]", data=owner.data, size=owner.size, made=owner.made)

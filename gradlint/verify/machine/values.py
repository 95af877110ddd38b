"""What a name can stand for, beside plain numbers, strings, lists, tuples and dictionaries."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from gradlint.verify.machine.frame import Frame
    from gradlint.verify.slice.index import Class, Function

Value = object


class Ratio(float):
    """The quotient of two whole numbers: a weight like `1 / N`, unlike a constant such as 0.5."""


class Scale(float):
    """The loss scale, or a multiple of it: a limit made of it means as much less as the gradients are scaled."""


@dataclass(frozen=True)
class Unknown:
    """Nothing is known but where it came from.

    `data` says that it varies with the batch; `size` is its first length; `made` that a call nobody follows made it,
    so that a loss may be inside; `multiple` is a whole number that it is a multiple of.
    """

    path: str
    data: bool = False
    size: int | None = None
    made: bool = False
    multiple: int = 1


@dataclass(frozen=True)
class Ref:
    """Something imported or built in, by its full name: `torch.optim.SGD`."""

    name: str


@dataclass(eq=False)
class Closure:
    """A function of the file, with the names around it; `owner` is the object of a bound method."""

    node: Function | ast.Lambda
    around: Frame | None
    owner: Value = None
    home: Class | None = None


@dataclass(eq=False)
class Object:
    """An instance of a class of the file; `base` is the library object it derives from, if any."""

    cls: Class
    attributes: dict[str, Value] = field(default_factory=dict)
    base: Thing | None = None
    path: str = "self"


class Thing:
    """A library object the machine knows. `optional` names the question whether it is there at all."""

    optional: str = ""
    path: str = ""

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """Call the method `name`; `""` calls the object itself. Unknown methods give something unknown."""
        return Unknown(f"{self.path}.{name}()", data=True)

    def get(self, name: str) -> Value:
        """The attribute `name`; a `Method` where it is one."""
        return Method(self, name)

    def put(self, name: str, value: Value) -> None:
        """Set an attribute; nothing happens unless the world cares."""


@dataclass(frozen=True)
class Method:
    """A method of a thing that was named and not yet called."""

    owner: Thing
    name: str


@dataclass(eq=False)
class Native:
    """A function of the machine's own."""

    run: Callable[[list[Value], dict[str, Value]], Value]


class Stream:
    """An iterator: what was taken from it is gone. `whole`: all parameters of a model, nothing unknown among them."""

    def __init__(self, items: Iterator[Value], *, whole: bool = False) -> None:
        self._items = items
        self.whole = whole

    def __iter__(self) -> Iterator[Value]:
        return self._items


def argument(args: list[Value], kwargs: dict[str, Value], place: int, *names: str) -> Value:
    """The argument at a place or under one of its names, else None."""
    if len(args) > place:
        return args[place]
    for name in names:
        if name in kwargs:
            return kwargs[name]
    return None


def is_number(value: Value) -> TypeGuard[int | float]:
    """A plain int or float (a bool is none)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def key_of(value: Value) -> Value:
    """What a value is as a key of a dictionary: members of enumerations are told apart by name. None: it is none."""
    if isinstance(value, (str, int, float, Thing)):
        return value
    if isinstance(value, Ref) or (isinstance(value, Unknown) and not value.data):
        return f"<{label(value)}>"
    return None


def label(value: Value) -> str:
    """What the value is called in a question about it."""
    if isinstance(value, Unknown):
        return value.path
    if isinstance(value, Thing):
        return value.path or type(value).__name__.lower()
    if isinstance(value, Object):
        return value.path
    if isinstance(value, Ref):
        return value.name
    return repr(value)[:60] if isinstance(value, (int, float, str, bool, type(None))) else type(value).__name__

"""Data classes whose methods are written when they are first called: the standard library's, in less time.

What is seldom asked (the fields, how an object is shown, which of two is the lesser) is left to the standard library,
which is handed a class of the same fields when it is asked.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, dataclass
from dataclasses import replace as _replace
from functools import cache
from types import CodeType, FunctionType
from typing import Any

_OWN = "__record__"
_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")


def written(cls: type, *, eq: bool, order: bool, hashed: bool, slots: bool) -> type:
    """The class with methods that are written when they are first called, and with a slot for each field."""
    inside = dict(cls.__dict__)
    names = [name for name, kind in inside.get("__annotations__", {}).items() if not kind.startswith("ClassVar")]
    inherited = {name: given for base in reversed(cls.__mro__[1:]) for name, given in base.__dict__.get(_OWN, ())}
    fields = {**inherited, **{name: inside.get(name, MISSING) for name in names}}
    whose: list[type] = []
    inside[_OWN] = tuple(fields.items())
    inside["__match_args__"] = tuple(name for name, given in fields.items() if _is_placed(given))
    inside.update((name, _Asked(name, whose)) for name in ("__dataclass_fields__", "__dataclass_params__"))
    inside.setdefault("__init__", _later("__init__", whose, _making))
    inside.setdefault("__repr__", _later("__repr__", whose, _standards))
    if eq:
        inside.setdefault("__eq__", _later("__eq__", whose, _comparing))
    if eq and inside.get("__hash__") is None:
        inside["__hash__"] = _later("__hash__", whose, _hashing) if hashed else None
    inside.update((name, _later(name, whose, _standards)) for name in (_ORDERS if order else ()))
    whose.append(_slotted(cls, inside, names) if slots else _filled(cls, inside, names))
    return whose[0]


def _slotted(cls: type, inside: dict[str, Any], names: list[str]) -> type:
    """A class of the same name that has a slot for each field."""
    taken = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
    inside["__slots__"] = tuple(name for name in names if name not in taken)
    left = {name: value for name, value in inside.items() if name not in {*names, "__dict__", "__weakref__"}}
    made = type(cls)(cls.__name__, cls.__bases__, left)
    made.__qualname__ = cls.__qualname__
    return made


def _filled(cls: type, inside: dict[str, Any], names: list[str]) -> type:
    """The class itself, where the defaults of the fields stay."""
    before = dict(cls.__dict__)
    for name, value in inside.items():
        if before.get(name, MISSING) is not value:
            setattr(cls, name, value)
    for name in names:
        if isinstance(given := before.get(name), Field):
            setattr(cls, name, given.default) if given.default is not MISSING else delattr(cls, name)
    return cls


_CHANGES: dict[type, Callable[..., Any]] = {}


def replace(one: Any, /, **changes: object) -> Any:
    """Another object of the same class, with some fields changed: `dataclasses.replace`, written for each class."""
    change = _CHANGES.get(one.__class__)
    if change is None:
        change = _CHANGES[one.__class__] = _changing(one.__class__)
    return change(one, **changes)


def _changing(cls: type) -> Callable[..., Any]:
    fields = cls.__dict__.get(_OWN)
    if fields is None or hasattr(cls, "__post_init__"):
        return _replace
    if any(isinstance(given, Field) and not given.init for _, given in fields):
        return _replace
    names = [name for name, _ in fields]
    places = _places(names)
    rows = [f"new.{one} = self.{one} if {one} is MISSING else {one}" for one in places]
    words = ", ".join(["self", "/", *(["*"] if names else []), *places])
    known = {"MISSING": MISSING, "_new": cls.__new__, "_cls": cls}
    found: Callable[..., Any] = _function(
        cls, "replaced", words, ["new = _new(_cls)", *rows, "return new"], known, names
    )
    found.__kwdefaults__ = dict.fromkeys(names, MISSING)
    return found


def names_of(cls: type) -> tuple[str, ...]:
    """The names of the fields of such a class, in order; none of any other."""
    return tuple(name for name, _ in cls.__dict__.get(_OWN, ()))


def _is_placed(given: object) -> bool:
    """Whether a field is given by its place when an object is made."""
    return not isinstance(given, Field) or (given.init and given.kw_only is not True)


def _later(name: str, whose: list[type], write: Callable[[type, str], Any]) -> Callable[..., Any]:
    """A method that is written when it is first called."""

    def method(self: object, *args: object, **keywords: object) -> object:
        found = write(whose[0], name)
        setattr(whose[0], name, found)
        return found(self, *args, **keywords)

    method.__name__ = name
    return method


class _Asked:
    """What the standard library says of a class, once somebody asks."""

    def __init__(self, name: str, whose: list[type]) -> None:
        self._name = name
        self._whose = whose

    def __get__(self, _: object, asking: type) -> object:
        found = getattr(_standard(self._whose[0]), self._name)
        setattr(self._whose[0], self._name, found)
        return found


def _standard(cls: type) -> type:
    """What the standard library makes of the same fields."""
    fields: tuple[tuple[str, object], ...] = cls.__dict__[_OWN]
    kinds = {name: kind for one in reversed(cls.__mro__) for name, kind in getattr(one, "__annotations__", {}).items()}
    given = {name: default for name, default in fields if default is not MISSING}
    inside = {"__annotations__": {name: kinds[name] for name, _ in fields}, "__module__": cls.__module__, **given}
    plain = type(cls.__name__, (), {**inside, "__qualname__": cls.__qualname__})
    return dataclass(order="__lt__" in cls.__dict__)(plain)


def _standards(cls: type, name: str) -> Any:
    """A method that is the standard library's; it holds two objects against each other by their own class."""
    return _standard(cls).__dict__[name]


def _compared(cls: type) -> Iterator[str]:
    """The fields by which two objects of a class are compared."""
    return (name for name, given in cls.__dict__[_OWN] if not isinstance(given, Field) or given.compare)


def _comparing(cls: type, name: str) -> Any:
    names = list(_compared(cls))
    own, other = (f"({''.join(f'{whose}.{one},' for one in _places(names))})" for whose in ("self", "other"))
    rows = ["if other.__class__ is self.__class__:", f" return {own} == {other}", "return NotImplemented"]
    return _function(cls, name, "self, other", rows, {}, names)


def _hashing(cls: type, name: str) -> Any:
    names = list(_compared(cls))
    own = "".join(f"self.{one}," for one in _places(names))
    return _function(cls, name, "self", [f"return hash(({own}))"], {}, names)


def _making(cls: type, name: str) -> Any:
    """How an object is made: the fields in order, and those that are given by name alone after them."""
    placed, named, rows = ["self"], list[str](), list[str]()
    known: dict[str, Any] = {"MISSING": MISSING}
    defaults: list[Any] = []
    by_name: dict[str, Any] = {}
    names = [one for one, _ in cls.__dict__[_OWN]]
    for place, (one, given) in zip(_places(names), cls.__dict__[_OWN], strict=True):
        default = given.default if isinstance(given, Field) else given
        made = isinstance(given, Field) and given.default_factory is not MISSING
        known[f"_{one}"] = given.default_factory if made else default
        has_default = made or default is not MISSING
        if isinstance(given, Field) and not given.init:
            rows += [f"self.{place} = _{place}{'()' if made else ''}"] if has_default else []
            continue
        (placed if _is_placed(given) else named).append(place)
        if has_default and _is_placed(given):
            defaults.append(MISSING if made else default)
        elif has_default:
            by_name[one] = MISSING if made else default
        rows.append(f"self.{place} = " + (f"_{place}() if {place} is MISSING else {place}" if made else place))
    rows += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    words = [*placed, "*", *named] if named else placed
    found = _function(cls, name, ", ".join(words), rows or ["pass"], known, names)
    found.__defaults__, found.__kwdefaults__ = tuple(defaults), by_name
    return found


def _places(names: list[str]) -> list[str]:
    """What stands for the names of fields where a method is written: one is compiled for all classes of such fields."""
    return [f"field{number}" for number in range(len(names))]


def _function(cls: type, name: str, words: str, rows: list[str], known: dict[str, Any], names: list[str]) -> Any:
    """A function of these rows, in which names have taken their places."""
    told: dict[str, str] = {}
    for place, one in zip(_places(names), names, strict=True):
        told[place], told[f"_{place}"] = one, f"_{one}"
    code = _compiled(name, words, tuple(rows))
    code = code.replace(
        co_names=tuple(told.get(one, one) for one in code.co_names),
        co_varnames=tuple(told.get(one, one) for one in code.co_varnames),
    )
    found = FunctionType(code, {**known, "__builtins__": builtins}, name)
    found.__qualname__ = f"{cls.__qualname__}.{name}"
    return found


@cache
def _compiled(name: str, words: str, rows: tuple[str, ...]) -> CodeType:
    """What a function of these rows does."""
    text = "\n".join([f"def {name}({words}):", *(f" {row}" for row in rows)])
    known: dict[str, Any] = {}
    exec(text, known)  # noqa: S102  # of places alone
    code: CodeType = known[name].__code__
    return code

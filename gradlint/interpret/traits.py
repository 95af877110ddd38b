"""Traits: what can be asked of a value: its key, its number, its form."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache
from typing import TypeGuard

from gradlint.interpret.values import (
    Constructor,
    Form,
    Imported,
    Method,
    Routine,
    Series,
    SomeKey,
    Tracked,
    Unknown,
    Value,
)
from gradlint.libraries.packages import NO_SETTINGS
from gradlint.model.pattern import pattern
from gradlint.model.program import Class
from gradlint.model.roles import Role

CONSTANTS = frozenset({bool, int, float, str, Fraction, type(None)})
_NUMBERS = frozenset({int, float, Fraction})
"""The kinds of numbers there are; to ask whether something is an instance of `Fraction` takes ten times as long."""


def is_setting(value: Imported) -> bool:
    """True of what may be a value of another file of the project (`cfg.accum`, `ACCUM`), and is no class."""
    root, *_ = path = value.name.split(".")
    return root not in NO_SETTINGS and not _CLASS(path[-1])


def is_member(value: Imported) -> bool:
    """True of an attribute of a class of another file, which may be an enumeration (`Mode.TRAIN`)."""
    owner = value.name.split(".")[-2:-1]
    return bool(owner and _CLASS(owner[0]))


_CLASS = pattern(r"_*[A-Z]\w*[a-z]").match


def is_device(value: Unknown) -> bool:
    """True of `torch.device("cuda" if torch.cuda.is_available() else "cpu")`."""
    return _DEVICE(value.key) is not None


_DEVICE = pattern(r"torch\.device\([^()]*(\(\)[^()]*)?\)$").match


def is_number(value: Value) -> bool:
    """True for numbers, not for booleans."""
    return value.__class__ in _NUMBERS


def exact(value: Value) -> Fraction | None:
    """The number as a fraction (`0.1` is one tenth), or `None`."""
    if value.__class__ is int:
        return _fraction(value)
    if value.__class__ is Fraction:
        return value
    return _decimal(value) if value.__class__ is float and math.isfinite(value) else None


@lru_cache(maxsize=1024)
def _decimal(number: float) -> Fraction:
    """As it is written: `0.1` is one tenth."""
    return Fraction(repr(number))


@cache
def _fraction(number: int) -> Fraction:
    """The same few numbers are divided by all the time."""
    return Fraction(number)


def plain(value: Fraction) -> int | Fraction:
    """An integer where the fraction is one."""
    return value.numerator if value.denominator == 1 else value


def key_of(value: Value) -> str:
    """A text that is equal for equal values."""
    if value.__class__ is Unknown or value.__class__ is Tracked:
        return value.key
    if value.__class__ in CONSTANTS:
        return repr(value)
    if isinstance(value, Series):
        return "[" + ", ".join(key_of(item) for item in value.items[:8]) + "]"
    if isinstance(value, Imported):
        return value.name
    if isinstance(value, Method):
        return f"{key_of(value.receiver)}.{value.name}"
    if isinstance(value, Routine):
        return value.function.qualname
    if isinstance(value, Constructor):
        return value.cls.name
    return value.__class__.__name__


def may_be_none(tracked: Tracked) -> bool:
    """Whether a thing that was made out of sight may be missing: an argument, or a scaler that somebody else holds."""
    unseen = ("parameter", "free", "name") if tracked.role is Role.SCALER else ("parameter", "free")
    return tracked.origin in unseen and tracked.cls is None


def key_value(key: object) -> Value:
    """What a loop over a dictionary gets for a key."""
    if isinstance(key, SomeKey):
        return Unknown(key.name, varying=True)
    return key if isinstance(key, (str, int, bool)) else None


def is_attached(value: Value) -> TypeGuard[Unknown]:
    """Whether something has a graph that may be kept."""
    return isinstance(value, Unknown) and not value.detached and bool(value.graph.bases)


def is_own(value: Value) -> bool:
    """Whether it is an object of a class of the project that has no role, a meter of a library, or a list."""
    if not isinstance(value, Tracked):
        return isinstance(value, Series)
    return value.role is Role.METER or (value.role is None and value.cls is not None)


def varies(value: Value) -> bool:
    """Whether it may be another one in each iteration."""
    return isinstance(value, Unknown) and value.varying


def form_of(value: Value) -> Form | None:
    """What an unknown value is composed of, where that is known."""
    return value.form if isinstance(value, Unknown) else None


def is_loss(value: Value) -> bool:
    """Whether a gradient may come from it."""
    return isinstance(value, Unknown) and bool(value.graph.bases)


def loaded(callee: Imported, args: list[Value]) -> Imported | None:
    """The module that `importlib.import_module("engine")` loads."""
    name = args[0] if args and callee.name == "importlib.import_module" else None
    return Imported(name, callee.importer) if isinstance(name, str) else None


def on_class(cls: Class, name: str) -> str:
    """The key of what is set on a class from outside; two files may have classes of one name."""
    module = cls.span.module
    return f"{module}:{cls.name}.{name}" if module else f"{cls.name}.{name}"

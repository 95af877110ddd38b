"""Conditions, and the numbers that they ask about: what an unknown value is composed of.

They simplify themselves: `not not x` is `x`, what is sure falls out of `and` and `or` or decides them,
`(a and b) and c` is `a and b and c`, and nothing is asked twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from gradlint.interpret.traits import form_of, key_of
from gradlint.interpret.values import Unknown, Value, merge
from gradlint.model.pattern import pattern
from gradlint.model.record import record


@record(eq=False)
class Compare:
    """`left op right`, and what its `sides` are called: a count of turns by its name, not by its number now."""

    op: str
    left: Value
    right: Value
    sides: tuple[str, str]


@record(eq=False)
class And:
    """All of these."""

    parts: tuple[Value, ...]


@record(eq=False)
class Or:
    """One of these."""

    parts: tuple[Value, ...]


@record(eq=False)
class Not:
    """The other way round."""

    value: Value


@record(eq=False)
class IsNone:
    """`value is None`."""

    value: Value


@record(eq=False)
class Modulo:
    """`number % by`."""

    number: Value
    by: Value


@record(eq=False)
class Extreme:
    """The smallest of these, or the largest."""

    parts: tuple[Value, ...]


@record(eq=False)
class Moved:
    """A counter that has gone on from `before`, of which nobody knows where it began."""

    before: Value


@record(eq=False)
class Samples:
    """A counter that so many batches have added their samples to, each one `unit`."""

    times: int
    unit: Unknown


@record(eq=False)
class Typed:
    """A type of numbers that hangs on an option, the condition under which it is bfloat16, and what else it may be."""

    option: Value
    low: Value
    others: frozenset[str]


AnyCondition: TypeAlias = Compare | And | Or | Not | IsNone
AnyNumber: TypeAlias = Modulo | Extreme | Moved | Samples | Typed

JOINS: dict[str, type[And | Or]] = {"and": And, "or": Or}


def has_counted(value: Value) -> bool:
    """Whether a counter is above 0 because batches have added their sizes to it: `seen += len(x)`."""
    form = form_of(value)
    return isinstance(form, Samples) and (form.unit.data.measures is not None or bool(_SIZE.search(form.unit.key)))


_SIZE = pattern(r"^len\([^()]*\)$|\.size\(0\)$|\.shape\[0\]$|\.numel\(\)$")
"""How many samples, or elements, something has: never none of a batch that a loader hands out."""


def negation(value: Value) -> Value:
    """A condition the other way round."""
    if isinstance(value, bool):
        return not value
    form = form_of(value)
    if isinstance(form, Not):
        return form.value
    return Unknown(f"not {key_of(value)}", isinstance(value, Unknown) and value.varying, form=Not(value))


def joined(op: str, conditions: Iterable[Value]) -> Value:
    """Conditions that are joined by `and` or `or`."""
    kind, decides = JOINS[op], op == "or"
    parts: dict[str, Value] = {}
    for condition in conditions:
        form = form_of(condition)
        for part in form.parts if isinstance(form, kind) else (condition,):
            if part is decides:
                return decides
            if not isinstance(part, bool):
                parts.setdefault(key_of(part), part)
    if len(parts) < 2:
        return next(iter(parts.values()), not decides)
    result = merge(f"({f' {op} '.join(parts)})", [part for part in parts.values() if isinstance(part, Unknown)])
    result.form = kind(tuple(parts.values()))
    return result


def holds(value: Value, ask: Callable[[Value], bool | None]) -> bool | None:
    """Whether a condition is true, by what `ask` says of what it is composed of; `None` where that is not sure."""
    form = form_of(value)
    return _holds(value, ask, {}) if isinstance(form, (And, Or, Not)) else ask(value)


def _holds(value: Value, ask: Callable[[Value], bool | None], known: dict[int, bool | None]) -> bool | None:
    """The same, with what is `known` by now: a condition may be part of another one many times."""
    form = form_of(value)
    if not isinstance(form, (And, Or, Not)):
        return ask(value)
    if id(value) in known:
        return known[id(value)]
    if isinstance(form, Not):
        inner = _holds(form.value, ask, known)
        answer = None if inner is None else not inner
    else:
        decides = isinstance(form, Or)
        answers = [_holds(part, ask, known) for part in form.parts]
        answer = decides if decides in answers else None if None in answers else not decides
    known[id(value)] = answer
    return answer


def without_not(value: Value) -> tuple[Value, bool]:
    """What a condition asks, and whether it wants that to be true."""
    wants = True
    while isinstance(form := form_of(value), Not):
        value, wants = form.value, not wants
    return value, wants


def began(value: Value) -> Value:
    """A counter whose start is unknown, before it went on: it is on one side of every limit."""
    while isinstance(form := form_of(value), Moved):
        value = form.before
    return value


def parts_of(value: Value) -> Iterator[Value]:
    """A condition, all that it is composed of, and what is compared there; each once, however often it occurs.

    A condition that each turn of a loop is made of twice, `done = (a and done) or (b and done)`, would never end.
    """
    seen = set[int]()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        form = form_of(part)
        if form is not None and id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        match form:
            case And(parts) | Or(parts):
                waiting.extend(reversed(parts))
            case Not(inner) | IsNone(inner):
                waiting.append(inner)
            case Compare(_, left, right, _):
                waiting.extend((right, left))


def moduli(value: Value) -> Iterator[Modulo]:
    """What a test divides, and by what, to ask for the rest: `i` and `n` of `i % n == 0`."""
    for part in parts_of(value):
        if isinstance(form := form_of(part), Modulo):
            yield form


def comparisons(value: Value) -> Iterator[Compare]:
    """The comparisons in a condition."""
    for part in parts_of(value):
        if isinstance(form := form_of(part), Compare):
            yield form

"""Atoms: a condition's truth, its name, and what a scenario has decided of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.interpret.values import (
    Context,
    Module,
    Parameters,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    comparison,
    is_setting,
    key_of,
    may_be_none,
)
from gradlint.libraries.vocabulary import AMP_NAME, BF16_NAME, LAST_NAME
from gradlint.model.program import (
    Role,
)

if TYPE_CHECKING:
    from gradlint.interpret.machine import Machine


AMP = "mixed precision"


def truth(value: Value) -> bool | None:
    """The truth of a value, `None` when nobody can know it."""
    kind = value.__class__
    if kind is bool:
        return value  # type: ignore[return-value]  # its class says so
    if kind is Unknown:
        return None
    if isinstance(value, Tracked):
        return None if may_be_none(value) else True
    if isinstance(value, Series):
        return bool(value.items) if not value.once else True
    if isinstance(value, Table):
        return bool(value.items)
    if isinstance(value, Module):
        return None if is_setting(value) else True
    if isinstance(value, (Context, Parameters, Routine)):
        return True
    if value is None or isinstance(value, (bool, int, float, str)):
        return bool(value)
    return True if not hasattr(value, "numerator") else bool(value)


def atom(value: Value) -> tuple[str, bool]:
    """(key, polarity) of a condition that cannot be taken apart further."""
    if isinstance(value, Tracked):
        return (AMP, True) if value.role in (Role.SCALER, Role.SCALER_CALLABLE) else (value.key, True)
    if isinstance(value, Module) and is_setting(value):
        value = Unknown(value.name)
    if not isinstance(value, Unknown):
        return repr(value), True
    logic = value.logic
    if logic is not None:
        if logic[0] == "not":
            key, polarity = atom(logic[1])  # type: ignore[arg-type]  # logic tuples hold values
            return key, not polarity
        if logic[0] == "none":
            key, polarity = atom(logic[1])  # type: ignore[arg-type]  # logic tuples hold values
            return key, not polarity
        if logic[0] == "cmp":
            _, op, left, right = logic
            if op == "!=" and right != 0:
                return comparison(key_of(left), "==", key_of(right)), False  # type: ignore[arg-type]  # logic tuples hold values
            if right == 0 and not isinstance(right, bool) and op in (">", "!=", "=="):
                left = began(left) if op == ">" else left  # type: ignore[arg-type]  # logic tuples hold values
                key, polarity = atom(left)  # type: ignore[arg-type]  # logic tuples hold values
                return key, polarity if op != "==" else not polarity
    if _is_amp_switch(value):
        return AMP, True
    return value.key, True


def began(value: Value) -> Value:
    """A counter whose start is unknown, before it went on: it is on one side of every limit."""
    while isinstance(value, Unknown) and value.logic is not None and value.logic[0] == "moved":
        value = value.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    return value


def _is_amp_switch(value: Unknown) -> bool:
    """A flag named like mixed precision; a comparison with one of several backends is none."""
    if value.varying or BF16_NAME.search(value.key) or not AMP_NAME.search(value.key):
        return False
    return value.logic is None or value.logic[0] != "cmp" or value.logic[1] not in ("==", "!=")


def decide(machine: Machine, value: Value, want: bool, priority: int, missed: int = 0) -> bool:
    """The truth of a condition in this scenario; atoms not yet decided go the way that is wanted."""
    known = truth(value)
    if known is not None:
        return known
    if isinstance(value, Unknown) and value.logic is not None:
        kind = value.logic[0]
        if kind in ("and", "or"):
            parts: tuple[Value, ...] = value.logic[1]  # type: ignore[assignment]  # logic tuples hold values
            stop = kind == "or"
            for part in parts:
                if decide(machine, part, want, priority, missed) is stop:
                    return stop
            return not stop
        if kind == "not":
            return not decide(machine, value.logic[1], not want, priority, missed)  # type: ignore[arg-type]  # as above
    key, polarity = atom(value)
    if isinstance(value, Unknown) and LAST_NAME.search(value.key) and value.logic is None:
        return machine.is_last_iteration()
    return machine.assume(key, want is polarity, priority, missed) is polarity


def settled(machine: Machine, value: Value) -> bool | None:
    """What the decisions of this scenario so far say of a condition."""
    known = truth(value)
    if known is not None or not machine.log.decisions:
        return known
    if isinstance(value, Unknown) and value.logic is not None:
        kind = value.logic[0]
        if kind in ("and", "or"):
            parts = [settled(machine, part) for part in value.logic[1]]  # type: ignore[attr-defined]  # a tuple of values
            stop = kind == "or"
            return stop if stop in parts else None if None in parts else not stop
        if kind == "not":
            inner = settled(machine, value.logic[1])  # type: ignore[arg-type]  # logic tuples hold values
            return None if inner is None else not inner
    key, polarity = atom(value)
    found = machine.log.decisions.get(key)
    if found is None and _is_more(machine, value):
        found = False
    return None if found is None else found is polarity


def by_value(machine: Machine, value: Value) -> bool | None:
    """What a text says of a condition once an option is taken to equal it: it is there, and no other text."""
    logic = value.logic if isinstance(value, Unknown) else None
    if logic is not None and logic[0] == "not":
        inner = by_value(machine, logic[1])  # type: ignore[arg-type]  # logic tuples hold values
        return None if inner is None else not inner
    if logic is not None and logic[0] == "none":
        return False if _equal_to(machine, logic[1]) else None
    if logic is not None and logic[0] == "cmp" and logic[1] in ("==", "!=") and isinstance(logic[3], str):
        text = _equal_to(machine, logic[2])
        return None if text is None else (text == repr(logic[3])) is (logic[1] == "==")
    return None


def _equal_to(machine: Machine, option: object) -> str | None:
    """The text that an option equals in this scenario, in quotes, where that was decided."""
    if not isinstance(option, Unknown):
        return None
    start = f"{option.key}=='"
    return next(
        (key[len(start) - 1 :] for key, on in machine.log.decisions.items() if on and key.startswith(start)), None
    )


def asks(value: Value, option: Unknown) -> bool:
    """Whether a condition asks after an option."""
    if isinstance(value, Unknown) and value.key == option.key:
        return True
    return any(isinstance(part, Unknown) and part.key == option.key for logic in _parts(value) for part in logic[1:])


def _is_more(machine: Machine, value: Value) -> bool:
    """Whether a number is known to be more than the one that it is asked to equal: `n == 1` where `n > 1`."""
    logic = value.logic if isinstance(value, Unknown) else None
    if logic is None or logic[0] != "cmp" or logic[1] not in ("==", "!="):
        return False
    more = comparison(key_of(logic[2]), ">", key_of(logic[3]))  # type: ignore[arg-type]  # logic tuples hold values
    return machine.log.decisions.get(more) is True


def _parts(value: Value) -> Iterator[tuple[object, ...]]:
    if isinstance(value, Unknown) and value.logic is not None:
        logic = value.logic
        yield logic
        if logic[0] in ("and", "or"):
            for part in logic[1]:  # type: ignore[attr-defined]  # logic tuples hold values
                yield from _parts(part)
        elif logic[0] in ("not", "none"):
            yield from _parts(logic[1])  # type: ignore[arg-type]  # as above
        elif logic[0] == "cmp":
            yield from _parts(logic[2])  # type: ignore[arg-type]  # as above
            yield from _parts(logic[3])  # type: ignore[arg-type]  # as above


def moduli(value: Value) -> Iterator[tuple[Value, Value]]:
    """What a test divides, and by what, to ask for the rest: `i` and `n` of `i % n == 0`."""
    for logic in _parts(value):
        if logic[0] == "mod":
            yield logic[1], logic[2]  # type: ignore[misc]  # logic tuples hold values


def comparisons(value: Value) -> Iterator[tuple[str, Value, Value]]:
    """The comparisons in a condition: operator and sides."""
    for logic in _parts(value):
        if logic[0] == "cmp":
            yield logic[1], logic[2], logic[3]  # type: ignore[misc]  # logic tuples hold values

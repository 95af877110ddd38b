"""Atoms: a condition's truth, its name, and what a scenario has decided of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from gradlint.interpret.conditions import (
    And,
    Compare,
    IsNone,
    Not,
    Or,
    began,
    has_counted,
    holds,
    parts_of,
    without_not,
)
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.traits import form_of, is_setting, key_of, may_be_none, varies
from gradlint.interpret.values import (
    Context,
    Imported,
    Parameters,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    comparison,
)
from gradlint.libraries.conventions.switches import AMP_NAME, BF16_NAME, LAST_NAME
from gradlint.model.roles import Role

AMP = "mixed precision"


def truth(value: Value) -> bool | None:
    """The truth of a value, `None` when nobody can know it."""
    if value.__class__ is bool:
        return value
    if value.__class__ is Unknown:
        return True if has_counted(value) else None
    if isinstance(value, Tracked):
        return None if may_be_none(value) or value.role is Role.FOREIGN else True  # what it holds may be a switch
    if isinstance(value, Series):
        return bool(value.items) if not value.once else True
    if isinstance(value, Table):
        return bool(value.items)
    if isinstance(value, Imported):
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
    if isinstance(value, Imported) and is_setting(value):
        value = Unknown(value.name)
    if not isinstance(value, Unknown):
        return key_of(value), True
    form = value.form
    if isinstance(form, (Not, IsNone)):
        key, polarity = atom(form.value)
        return key, not polarity
    if isinstance(form, Compare):
        op, left, right = form.op, form.left, form.right
        plain = value.key == comparison(form.sides[0], op, form.sides[1])
        if plain and op in _MIRRORED and _stands_crosswise(form):
            return atom(_asked(_MIRRORED[op], Compare(op, right, left, form.sides[::-1])))
        if plain and op in _OTHERWISE:
            key, polarity = atom(_asked(_OTHERWISE[op], form))
            return key, not polarity
        if op == "!=" and right != 0:
            return comparison(key_of(left), "==", key_of(right)), False
        if op in (">", "!=", "==") and right == 0 and not isinstance(right, bool):
            key, polarity = atom(began(left) if op == ">" else left)
            return key, polarity if op != "==" else not polarity
    if _is_amp_switch(value):
        return AMP, True
    return value.key, True


_OTHERWISE = {"<=": ">", "<": ">="}
"""What one of two numbers is to the other where it is not this."""


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""How two numbers are compared when they change sides."""


def _stands_crosswise(form: Compare) -> bool:
    """Whether a plain number stands on the left, or a count of turns on the right: `1 < n`, `warm > epoch`."""
    (one, two), (left, right) = form.sides, (form.left, form.right)
    if type(left) in _NUMBERS:
        return one == key_of(left)
    return type(right) in _NUMBERS and two != key_of(right)


_NUMBERS = frozenset({int, float})


def _asked(op: str, form: Compare) -> Unknown:
    """A comparison asked in another way: where `n <= 1` is not, `n > 1` is."""
    other = Unknown(comparison(form.sides[0], op, form.sides[1]), varies(form.left) or varies(form.right))
    other.form = Compare(op, form.left, form.right, form.sides)
    return other


def _is_amp_switch(value: Unknown) -> bool:
    """A flag named like mixed precision; a comparison with one of several backends is none."""
    if value.varying or not AMP_NAME[value.key] or BF16_NAME[value.key]:
        return False
    return not (isinstance(value.form, Compare) and value.form.op in ("==", "!="))


def decide(machine: Machine, value: Value, want: bool, priority: int, missed: int = 0) -> bool:
    """The truth of a condition in this scenario; atoms not yet decided go the way that is wanted."""
    known = truth(value)
    if known is not None:
        return known
    match form_of(value):
        case And(parts):
            want = want or _turned(machine.scenario, parts, want, priority)
            return all(decide(machine, part, want, priority, missed) for part in parts)
        case Or(parts):
            want = want and not _turned(machine.scenario, parts, want, priority)
            return any(decide(machine, part, want, priority, missed) for part in parts)
        case Not(inner):
            return not decide(machine, inner, not want, priority, missed)
    key, polarity = atom(value)
    if isinstance(value, Unknown) and LAST_NAME.search(value.key) and value.form is None:
        return machine.course.is_last()
    return machine.scenario.assume(key, want is polarity, priority, missed) is polarity


def _turned(scenario: Scenario, parts: Iterable[Value], want: bool, priority: int) -> bool:
    """Whether a part of a condition was told to go the other way, which comes to something only with the rest of it.

    if "policy" not in options or options["policy"] == "constant":      where there is a policy, it is another one

    Of a way out nothing but accidents hangs on the rest, and it is not taken.
    """
    if priority <= 0 or not scenario.told:
        return False
    for part in parts:
        if truth(part) is None and not isinstance(form_of(part), (And, Or)):
            key, polarity = atom(part)
            if key in scenario.told and (scenario.told[key] is polarity) is not want:
                return True
    return False


def settled(scenario: Scenario, value: Value) -> bool | None:
    """What the decisions of this scenario so far say of a condition."""
    known = truth(value)
    if known is not None or not scenario.decisions:
        return known
    return holds(value, partial(_decided, scenario))


def _decided(scenario: Scenario, value: Value) -> bool | None:
    """What was decided of a condition that is composed of no others."""
    known = truth(value)
    if known is not None:
        return known
    key, polarity = atom(value)
    found = scenario.decisions.get(key)
    if found is None and _is_more(scenario, value):
        found = False
    return None if found is None else found is polarity


def by_value(scenario: Scenario, value: Value) -> bool | None:
    """What a text says of a condition once an option is taken to equal it: it is there, and no other text."""
    asked, wants = without_not(value)
    known = None
    match form_of(asked):
        case IsNone(option):
            known = False if _equal_to(scenario, option) else None
        case Compare("==" | "!=" as op, option, str() as other, _) if (text := _equal_to(scenario, option)) is not None:
            known = (text == repr(other)) is (op == "==")
    return None if known is None else known is wants


def _equal_to(scenario: Scenario, option: Value) -> str | None:
    """The text that an option equals in this scenario, in quotes, where that was decided."""
    if not isinstance(option, Unknown):
        return None
    start = f"{option.key}=='"
    return next((key[len(start) - 1 :] for key, on in scenario.decisions.items() if on and key.startswith(start)), None)


def asks(value: Value, option: Unknown) -> bool:
    """Whether a condition asks after an option."""
    return any(isinstance(part, Unknown) and part.key == option.key for part in parts_of(value))


def _is_more(scenario: Scenario, value: Value) -> bool:
    """Whether a number is known to be more than the one that it is asked to equal: `n == 1` where `n > 1`."""
    form = form_of(value)
    if not isinstance(form, Compare) or form.op not in ("==", "!="):
        return False
    more = comparison(key_of(form.left), ">", key_of(form.right))
    return scenario.decisions.get(more) is True

"""Expressions: names, displays, lambdas; those of other kinds stand in modules of their own."""

from __future__ import annotations

from gradlint.interpret.calls import call
from gradlint.interpret.comprehensions import COMPREHENSIONS
from gradlint.interpret.dispatch import HANDLERS, Handlers, evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.items import ITEM
from gradlint.interpret.machine import Machine
from gradlint.interpret.modules import filled
from gradlint.interpret.operators import OPERATORS
from gradlint.interpret.series import merge_into
from gradlint.interpret.told import told_value
from gradlint.interpret.tracked import attribute, named, starred
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import MISSING, Method, Routine, Series, Table, Tracked, Unknown, Value, merge
from gradlint.interpret.witnessing import of_attribute
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Attr, Bind, Call, Closure, Const, Dictionary, Display, Opaque, Read, Star, Told
from gradlint.model.record import replace


def _const(machine: Machine, frame: Frame, node: Const) -> Value:
    return node.value


def _read(machine: Machine, frame: Frame, node: Read) -> Value:
    name = node.name
    here: Frame | None = frame
    module = frame
    while here is not None:
        if name in here.values:
            if here.parent is None and machine.loading.waiting:
                filled(machine, name, here.values[name])
            return here.values[name]
        module = here
        here = here.parent
    if node.qualified is not None:
        return named(machine, module.function.span.module, node.qualified)
    if name == "__name__":
        return "__main__"
    brought = starred(machine, module, name)
    if brought is not MISSING:
        return brought
    value = machine.free(name, node.hint)
    if isinstance(value, Tracked):
        module.values[name] = value
    return value


def _attr(machine: Machine, frame: Frame, node: Attr) -> Value:
    base = HANDLERS[node.base.__class__](machine, frame, node.base)
    if base.__class__ is int and node.name not in _OF_NUMBERS:
        # what looked like the count of a loop is a record: `for step, batch in steps: step.number`
        record = node.base.name if isinstance(node.base, (Read, Attr)) else "record"
        return Unknown(f"{record}.{node.name}", varying=True)
    value = attribute(machine, base, node.name, node.hint, node.qualified)
    if value.__class__ is Method and isinstance(base, (Series, Table)):
        value = replace(value, written=node, frame=frame)
    return of_attribute(machine, base, node.name, value) if machine.witnessed.on else value


_OF_NUMBERS = frozenset(dir(int))


def _display(machine: Machine, frame: Frame, node: Display) -> Value:
    items: list[Value] = []
    for part in node.items:
        if isinstance(part, Star):
            inner = evaluate(machine, frame, part.value)
            items += inner.items if isinstance(inner, Series) else [inner]
        else:
            items.append(HANDLERS[part.__class__](machine, frame, part))
    return Series(items, node.kind, born=machine.course.stamp)


def _mapping(machine: Machine, frame: Frame, node: Dictionary) -> Value:
    table = Table({})
    for key, value in node.items:
        held = evaluate(machine, frame, value)
        if key is None:
            merge_into(machine, table, held, key_of(held))
            continue
        name = evaluate(machine, frame, key)
        table.items[name if isinstance(name, (str, int, bool)) or name is None else key_of(name)] = held
    return table


def _closure(machine: Machine, frame: Frame, node: Closure) -> Value:
    return Routine(node.function, frame)


def _star(machine: Machine, frame: Frame, node: Star) -> Value:
    return evaluate(machine, frame, node.value)


def _bind(machine: Machine, frame: Frame, node: Bind) -> Value:
    value = evaluate(machine, frame, node.value)
    frame.values[node.name] = value
    return value


def _opaque(machine: Machine, frame: Frame, node: Opaque) -> Value:
    values = [HANDLERS[part.__class__](machine, frame, part) for part in node.parts]
    known = [value for value in values if isinstance(value, Unknown)]
    result = merge(node.text, known)
    result.leaves = frozenset((node.text,))
    if any(value.factor.divided or value.factor.weight is None for value in known):
        result.factor = UNKNOWN_FACTOR
    return result


EXPRESSIONS: Handlers = {
    **ITEM,
    **OPERATORS,
    **COMPREHENSIONS,
    Const: _const,
    Read: _read,
    Attr: _attr,
    Call: call,
    Display: _display,
    Dictionary: _mapping,
    Closure: _closure,
    Star: _star,
    Bind: _bind,
    Told: told_value,
    Opaque: _opaque,
}

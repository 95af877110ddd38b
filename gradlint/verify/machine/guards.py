"""Guards: those that compute do; the others are asked once and answered the same way ever after.

The first configuration lets every guard go the way on which something happens to gradients. Each guard that gates
something is flipped in a configuration of its own. Guards on accidents (a NaN, an overflow) take the path on which
training goes on.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from gradlint.verify.machine.values import Object, Ref, Thing, Unknown, Value, label
from gradlint.verify.slice.words import ABNORMAL, FINITE, LAST, family
from gradlint.verify.world.live import Live

if TYPE_CHECKING:
    from gradlint.verify.machine.frame import Frame
    from gradlint.verify.machine.machine import Machine


PRECISION = re.compile(r"bf16|bfloat|precision|dtype", re.IGNORECASE)
DTYPES = frozenset(f"torch.{name}" for name in "float16 half bfloat16 float32 float float64 double".split())


def test(machine: Machine, node: ast.expr, frame: Frame, prefer: bool, gate: bool) -> bool:
    """Which way the guard goes; `prefer` is the way the loop wants, `gate` whether it matters to gradients."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not test(machine, node.operand, frame, not prefer, gate)
    if isinstance(node, ast.BoolOp):
        return _combined(machine, node, frame, prefer, gate)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(machine, node, frame, prefer, gate)
    return truth(machine, machine.value(node, frame), prefer, gate)


def _combined(machine: Machine, node: ast.BoolOp, frame: Frame, prefer: bool, gate: bool) -> bool:
    """`and`, `or`: beside something that computes, what does not is left out of the way."""
    conjunction = isinstance(node.op, ast.And)
    inner = prefer
    if not conjunction and prefer and any(_computes(machine, one, frame) for one in node.values):
        inner = False
    if conjunction and not prefer:
        inner = False
    for one in node.values:
        if test(machine, one, frame, inner, gate) is not conjunction:
            return not conjunction
    return conjunction


def _computes(machine: Machine, node: ast.expr, frame: Frame) -> bool:
    return any(isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod) for one in ast.walk(node)) or isinstance(
        machine.value(node, frame) if isinstance(node, ast.Name) else None, (bool, int)
    )


def _compared(machine: Machine, node: ast.Compare, frame: Frame, prefer: bool, gate: bool) -> bool:
    """Comparisons with None and 0 ask whether a thing is there or switched on."""
    operation = node.ops[0]
    left = machine.value(node.left, frame)
    right = machine.value(node.comparators[0], frame)
    if right is None and isinstance(operation, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        wanted = isinstance(operation, (ast.IsNot, ast.NotEq))
        return _there(machine, left, prefer is wanted, gate) is wanted
    if isinstance(left, Unknown) and isinstance(right, (int, float)) and right in (0, 1, True, False, -1):
        if right == 1 and isinstance(operation, (ast.Eq, ast.NotEq)) and label(left) in machine.several:
            return isinstance(operation, ast.NotEq)  # `n > 1` was answered with yes
        off = isinstance(operation, (ast.LtE, ast.Lt)) or (isinstance(operation, ast.Eq) and not right)
        on = isinstance(operation, (ast.Gt, ast.GtE, ast.NotEq)) or (isinstance(operation, ast.Eq) and bool(right))
        if off or on:
            there = truth(machine, left, prefer is on, gate)
            if there and right == 1 and isinstance(operation, (ast.Gt, ast.LtE)):
                machine.several.add(label(left))
            return there is on
    result = compare(operation, left, right)
    if isinstance(result, bool):
        return result
    text = f"{label(left)} {type(operation).__name__} {label(right)}"
    data = any(isinstance(one, Live) or (isinstance(one, Unknown) and one.data) for one in (left, right))
    if isinstance(operation, (ast.NotEq, ast.NotIn, ast.IsNot)):
        opposite = {"NotEq": "Eq", "NotIn": "In", "IsNot": "Is"}[type(operation).__name__]
        text = f"{label(left)} {opposite} {label(right)}"
        return not answer(machine, text, not prefer, gate=gate, data=data)
    if isinstance(operation, ast.Eq) and not data and text not in machine.plan.answers:
        start = f"{label(left)} Eq "
        if any(given and key.startswith(start) and key != text for key, given in machine.answers.items()):
            return False  # it is something else already
    return answer(machine, text, prefer, gate=gate, data=data)


def _there(machine: Machine, value: Value, prefer: bool, gate: bool) -> bool:
    if value is None:
        return False
    if isinstance(value, Thing) and value.optional:
        return answer(machine, value.optional, True, gate=gate, data=False)
    if isinstance(value, Unknown):
        return answer(machine, value.path, prefer or not value.data, gate=gate, data=value.data)
    return True


def truth(machine: Machine, value: Value, prefer: bool, gate: bool) -> bool:
    """The truth of a value."""
    if isinstance(value, Thing) and value.optional:
        return answer(machine, value.optional, True, gate=gate, data=False)
    if isinstance(value, Live):
        machine.guesses += 1
        question = f"line {machine.world.row}"
        if gate:
            machine.world.record.asked_of_data.setdefault(question, prefer)
        return machine.plan.answers.get(question, prefer)
    if isinstance(value, Unknown):
        return answer(machine, value.path, prefer, gate=gate, data=value.data)
    if isinstance(value, (bool, int, float, str, list, tuple, dict, type(None))):
        return bool(value)
    return not isinstance(value, Object) or True


def answer(machine: Machine, key: str, prefer: bool, *, gate: bool, data: bool) -> bool:
    """Ask once, answer alike."""
    if LAST.search(key):
        return machine.last
    machine.guesses += 1
    machine.world.record.precision_guessed |= bool(PRECISION.search(key))
    name = key if " Eq " in key else family(key)
    if name in machine.plan.answers:
        return machine.plan.answers[name]
    usual = prefer
    if ABNORMAL.search(key):
        usual = False
    elif FINITE.search(key):
        usual = True
    if data:
        machine.world.record.loose |= gate
        if gate:
            machine.world.record.asked_of_data.setdefault(name, usual)
        return usual
    if not gate and name not in machine.answers:
        return usual  # whatever it is, it decides nothing
    machine.answers.setdefault(name, usual)
    if gate:
        machine.world.record.asked.setdefault(name, machine.answers[name])
    return machine.answers[name]


def compare(operation: ast.cmpop, left: Value, right: Value) -> Value:
    """A comparison of plain values; None when it cannot be computed."""
    if isinstance(operation, (ast.Is, ast.IsNot)):
        plain = (bool, type(None))
        if isinstance(left, plain) and isinstance(right, plain):
            return (left is right) == isinstance(operation, ast.Is)
        if isinstance(left, (Unknown, Live)) or isinstance(right, (Unknown, Live)):
            return None
        return (left is right) == isinstance(operation, ast.Is)
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    texts = isinstance(left, str) and isinstance(right, str)
    types = isinstance(left, Ref) and isinstance(right, Ref) and {left.name, right.name} <= DTYPES
    if isinstance(operation, (ast.Eq, ast.NotEq)) and (types or numbers or texts or type(left) is type(right) is tuple):
        return (left == right) == isinstance(operation, ast.Eq)
    if isinstance(operation, (ast.In, ast.NotIn)) and isinstance(right, (list, tuple, dict, str)):
        if texts:
            return (str(left) in str(right)) == isinstance(operation, ast.In)
        if isinstance(left, (int, float, str)) and not isinstance(right, str):
            simple = all(isinstance(one, (int, float, str)) for one in right)
            return (left in right) == isinstance(operation, ast.In) if simple else None
        return None
    if numbers:
        x, y = float(left), float(right)  # type: ignore[arg-type]
        table = {ast.Lt: x < y, ast.LtE: x <= y, ast.Gt: x > y, ast.GtE: x >= y}
        return table.get(type(operation))
    return None

"""Paces: the counts behind which something is begun anew, now and then.

if step % args.log_every == 0:          total = 0.0         each `args.log_every` batches
if (step + 1) % 100: continue           total = 0.0         each 100, behind it
"""

from __future__ import annotations

from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import Numbers, last_name
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Unknown
from gradlint.model.events import Pace
from gradlint.model.program.expressions import Arith, Attr, Const, Expr, Item, Logic, Not, Read, Test
from gradlint.model.program.statements import If


def note_pace(machine: Machine, frame: Frame, node: If, *, taken: bool) -> None:
    """Note by what a guard counts, which is around what stands in the branch that is taken, or behind it."""
    paces = machine.scenario.paces
    period = _seldom(node.test, taken) if "%" in node.text and machine.course.working else None
    if period is None:
        paces.pop(node.span, None)  # it has gone the other way before
    else:
        paces[node.span] = Pace(node.span, node.text, _name_of(period), _number(machine, frame, period))


def note_begun(machine: Machine, name: str) -> None:
    """Note behind which count a name, or an attribute, is set anew."""
    scenario = machine.scenario
    pace = next((scenario.paces[one.span] for one in reversed(scenario.guards) if one.span in scenario.paces), None)
    if pace is not None:
        key = name, machine.course.stamp
        scenario.begun[key] = (*(one for one in scenario.begun.get(key, ()) if one.span != pace.span), pace)


def _seldom(test: Expr, taken: bool) -> Expr | None:
    """The same of any test: `i % n == 0`, `not i % n`, `i % n != 0` that is false, with others beside it.

    Of two ways to be true one may be a plain equality, as of the last batch; two counts tell nothing.
    """
    if isinstance(test, Not):
        return _seldom(test.value, not taken)
    if isinstance(test, Arith):
        return None if taken else _modulus(test)
    if isinstance(test, Test):
        period = _modulus(test.left) if isinstance(test.right, (Const, Arith)) else None
        return (period or _modulus(test.right)) if _is_one(test, taken) else None
    if not isinstance(test, Logic):
        return None
    found = [_seldom(part, taken) for part in test.parts]
    periods = [period for period in found if period is not None]
    if (test.op == "and") is taken:
        return periods[-1] if periods else None
    others = (part for part, period in zip(test.parts, found, strict=True) if period is None)
    return periods[0] if len(periods) == 1 and all(_is_one(part, taken) for part in others) else None


def _is_one(test: Expr, taken: bool) -> bool:
    """Whether a test asks for one number, and that is it."""
    return isinstance(test, Test) and test.op == ("==" if taken else "!=")


def _modulus(node: Expr) -> Expr | None:
    counts = isinstance(node, Arith) and node.op == "%" and isinstance(node.right, (Const, Read, Attr, Item))
    return node.right if isinstance(node, Arith) and counts else None


def _name_of(period: Expr) -> str:
    """What a period is called: `log_every` in `args.log_every` and in `cfg["log_every"]`; a number as it is written."""
    if isinstance(period, (Read, Attr)):
        return period.name
    key = period.index if isinstance(period, Item) else period
    return str(key.value) if isinstance(key, Const) else ""


def _number(machine: Machine, frame: Frame, period: Expr) -> int:
    """The number of a period, or its default; 0 where nobody knows it, or the dry run has chosen it."""
    value, numbers = evaluate(machine, frame, period), machine.plan.numbers
    if isinstance(value, Unknown):
        return numbers.default_of(key_of(value))
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if isinstance(period, Const) else _unless_chosen(numbers, _name_of(period), value)


def _unless_chosen(numbers: Numbers, name: str, value: int) -> int:
    return numbers.default_of(name) if any(last_name(key) == name for key in numbers.bindings) else value

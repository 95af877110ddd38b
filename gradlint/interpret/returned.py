"""What a method of the file divides by before it returns: a model may return a loss that is divided by its window."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from gradlint.interpret.plan import Plan
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Tracked, Value
from gradlint.model.program.expressions import Arith, Attr, Call, Const, Dictionary, Display, Expr, Read
from gradlint.model.program.statements import Assign, Augment, If, Return, Stmt
from gradlint.model.program.whole import SUITES, Function, assignments
from gradlint.model.roles import Role


def divides_by_window(plan: Plan, tracked: Tracked, method: Function) -> bool:
    """Whether what a method returns, or a part of it, is divided by an attribute that holds a window."""
    known = _DIVISORS.get(method)
    if known is None:
        known = _DIVISORS[method] = tuple(_divisors(method))
    for divisor in known:
        if not isinstance(divisor, Attr) or not isinstance(divisor.base, Read) or divisor.base.name != "self":
            continue
        value = tracked.attrs.get(divisor.name)
        whole = isinstance(value, int) and value > 1
        if whole or (plan.window > 1 and value is not None and key_of(value) in plan.numbers.windows):
            return True
    return False


def divisor_of_all(tracked: Tracked, method: Function) -> Value:
    """What the mean of a criterion that an object holds is divided by, where its method returns that and nothing else.

    def forward(self, guess, target):
        return self.error(guess, target) / self.window
    """
    values = list(returned(method.body))
    match values:
        case [
            Arith(op="/", left=Call(func=Attr(base=Read("self"), name=held)), right=Attr(base=Read("self"), name=by))
        ]:
            part = tracked.attrs.get(held)
            mean = isinstance(part, Tracked) and part.role is Role.CRITERION and part.make.kind == "mean"
            return tracked.attrs.get(by) if mean else None
    return None


_DIVISORS: WeakKeyDictionary[Function, tuple[Expr, ...]] = WeakKeyDictionary()
"""What the source of a method shows, which is asked at each forward."""


def _divisors(method: Function) -> Iterator[Expr]:
    """What divides a returned expression, or the variable that is returned."""
    names: set[str] = set()
    for value in returned(method.body):
        for part in _parts(value):
            if isinstance(part, Arith) and part.op == "/":
                yield part.right
            elif isinstance(part, Read):
                names.add(part.name)
    for node in assignments(method.body):
        if not isinstance(node.target, Read) or node.target.name not in names:
            continue
        if isinstance(node, Augment) and node.op == "/":
            yield node.value
        elif isinstance(node, Assign) and isinstance(node.value, Arith) and node.value.op == "/":
            yield node.value.right


def returned(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """What the statements of a function return."""
    for node in body:
        if isinstance(node, Return) and node.value is not None:
            yield node.value
        for name in SUITES:
            inner = getattr(node, name, None)
            if isinstance(inner, tuple):
                yield from returned(inner)


def _parts(value: Expr) -> Iterator[Expr]:
    """An expression, or the items of a tuple, a dictionary or a record that is made (`Output(loss=loss / n)`)."""
    if isinstance(value, Display):
        yield from value.items
    elif isinstance(value, Call) and value.effect is None:
        yield from (held for name, held in value.keywords if name is not None and "loss" in name)
    elif isinstance(value, Dictionary):
        yield from (held for _, held in value.items)
    else:
        yield value


def falls_out(function: Function) -> bool:
    """Whether a function that returned nothing ends in choices, each of which would have returned something.

    `if kind == "mse": return ...` and `elif kind == "huber": return ...`: one of the two is meant.
    """
    last = function.body[-1] if function.body else None
    choices = 0
    while isinstance(last, If):
        leaves = last.then[-1] if last.then else None
        if not isinstance(leaves, Return) or leaves.value in (None, Const(None)):
            return False
        choices += 1
        if not last.other:
            return choices > 1  # a single one may well be meant to return nothing
        last = last.other[0] if len(last.other) == 1 else None
    return False

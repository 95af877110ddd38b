"""Whether a step of the project's own clears gradients, or only reads them, and writes into what it read.

def step(self):
    for p in self.params:
        grad = p.grad.data                       reads
        grad.add_(p.data, alpha=self.decay)      writes, and clears nothing
        p.data.add_(grad, alpha=-self.lr)
    self.zero_grad()                             clears

What a network's own `forward` clears is kept apart from what it computes.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gradlint.model.effects import Gate
from gradlint.model.program import (
    Assign,
    Attr,
    Augment,
    Call,
    Do,
    Expr,
    For,
    Function,
    If,
    ParameterLoop,
    Read,
    Return,
    Stmt,
    Try,
    While,
    With,
)
from gradlint.model.program.whole import statements
from gradlint.model.record import replace


def always_clears(function: Function) -> bool:
    """Whether a step clears gradients, and asks nobody first."""
    return any(map(_clears, statements(tuple(node for node in function.body if not isinstance(node, If)))))


def may_clear(function: Function) -> bool:
    """Whether a step clears gradients on some way."""
    return any(map(_clears, statements(function.body)))


def clears_alone(function: Function) -> Function | None:
    """A function without all that it does beside clearing gradients; `None` where that is everything.

    What stands around a clear remains, and so do the ways out before the last one.
    """
    if Gate.ZERO not in function.gates or function.generator:
        return None
    if function not in _ALONE:
        inside = function.inside
        last = max((place for place, node in enumerate(inside.body, 1) if Gate.ZERO in node.gates), default=0)
        body = _clearing(inside.body[:last])
        _ALONE[function] = replace(function, look_inside=lambda: replace(inside, body=body)) if body else None
    return _ALONE[function]


_ALONE: WeakKeyDictionary[Function, Function | None] = WeakKeyDictionary()
"""What is asked at each forward."""


def _clearing(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements of a suite that clear gradients, or leave the function, with what stands around them."""
    kept: list[Stmt] = []
    for node in body:
        if isinstance(node, Return):
            kept.append(replace(node, value=None))
        elif isinstance(node, _AROUND):
            kept += _clearing_within(node)
        elif Gate.ZERO in node.gates:
            kept.append(node)
    return tuple(kept)


def _clearing_within(node: If | For | While | With | Try) -> list[Stmt]:
    body = _clearing(node.then if isinstance(node, If) else node.body)
    other = () if isinstance(node, With) else _clearing(node.other)
    final = _clearing(node.final) if isinstance(node, Try) else ()
    if not (body or other or final):
        return []
    if isinstance(node, If):
        return [replace(node, then=body, other=other)]
    if isinstance(node, With):
        return [replace(node, body=body)]
    if isinstance(node, Try):
        return [replace(node, body=body, other=other, final=final)]
    return [replace(node, body=body, other=other)]


_AROUND = (If, For, While, With, Try)

_IN_PLACE = frozenset({"zero_", "fill_", "copy_", "set_", "_foreach_zero_", "_foreach_copy_"})
"""What puts something else into a gradient, of all that works in place."""


def _clears(node: Stmt) -> bool:
    if Gate.ZERO not in node.gates or isinstance(node, _AROUND):
        return False
    if isinstance(node, ParameterLoop):
        return not node.keeps
    if isinstance(node, (Assign, Augment)) and isinstance(node.target, Read):
        return node.target.name != "grad" and isinstance(node.value, Call) and _replaces(node.value)
    return not isinstance(node, Do) or _replaces(node.value)


def _replaces(value: Expr) -> bool:
    """Whether a call is none that goes on with what a gradient holds: `grad.add_(weight, alpha=decay)`."""
    func = value.func if isinstance(value, Call) else None
    name = func.name if isinstance(func, (Read, Attr)) else ""
    return not name.endswith("_") or name in _IN_PLACE

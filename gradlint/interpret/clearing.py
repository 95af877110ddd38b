"""Whether a step of the project's own clears gradients, or only reads them, and writes into what it read.

def step(self):
    for p in self.params:
        grad = p.grad.data                       reads
        grad.add_(p.data, alpha=self.decay)      writes, and clears nothing
        p.data.add_(grad, alpha=-self.lr)
    self.zero_grad()                             clears
"""

from __future__ import annotations

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
    Stmt,
    Try,
    While,
    With,
)
from gradlint.model.program.whole import statements


def always_clears(function: Function) -> bool:
    """Whether a step clears gradients, and asks nobody first."""
    return any(map(_clears, statements(tuple(node for node in function.body if not isinstance(node, If)))))


def may_clear(function: Function) -> bool:
    """Whether a step clears gradients on some way."""
    return any(map(_clears, statements(function.body)))


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

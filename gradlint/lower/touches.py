"""What a statement or a call shows by itself: that it ends a run, scales a loss, changes gradients."""

from __future__ import annotations

import ast

from gradlint.libraries.conventions.numbers import GRADIENT_NAME, LOSS_NAME, WINDOW_NAME
from gradlint.libraries.tensors import SCALING
from gradlint.lower.names import last_name
from gradlint.model.effects import Gate
from gradlint.syntax.nodes import walk

_ENDINGS = frozenset({"exit", "_exit", "abort", "quit"})


def always_fails(node: ast.stmt) -> bool:
    """Whether it is `assert False`."""
    return isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value


def limits_window(test: ast.expr) -> bool:
    """Whether an assertion may be one of a window, or of what it divides: `batch % accum == 0`, `accum == 1`."""
    parts = list(walk(test))
    compared = any(isinstance(part, ast.Compare) for part in parts)
    words = (
        part.value if isinstance(part, ast.Constant) else last_name(part) for part in parts if isinstance(part, _NAMED)
    )
    named = compared and any(isinstance(word, str) and WINDOW_NAME.search(word) for word in words)
    return named or any(isinstance(part, ast.Mod) for part in parts)


def holds_still(test: ast.expr) -> bool:
    """Whether an assertion wants a network in evaluation mode: `not net.training`."""
    asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    return isinstance(asked, ast.Attribute) and asked.attr == "training"


_NAMED = (ast.Name, ast.Attribute, ast.Constant)


def ends_process(node: ast.expr) -> bool:
    """`sys.exit(...)` and its kin as a statement."""
    return isinstance(node, ast.Call) and last_name(node.func) in _ENDINGS


def reads_grad(node: ast.expr) -> bool:
    """Whether a gradient is asked for: `p.grad`."""
    if isinstance(node, ast.Name):  # as most are
        return False
    return any(isinstance(part, ast.Attribute) and part.attr == "grad" for part in walk(node))


def changes_gradients(func: ast.Attribute) -> Gate:
    """`p.grad.zero_()` and its kin, `grad.mul_(coef)`, `torch._foreach_mul_(grads, coef)`."""
    if func.attr.startswith("_foreach_") and func.attr.endswith("_"):
        return Gate.ZERO | Gate.CLIP
    if func.attr.endswith("_") and (reads_grad(func.value) or GRADIENT_NAME.search(last_name(func.value) or "")):
        return Gate.ZERO | Gate.CLIP
    return Gate.NOTHING


def scales_loss(node: ast.Call) -> bool:
    """`loss.div_(n)`, `torch.div(loss, n)`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr.rstrip("_") not in SCALING:
        return False
    return any(map(mentions_loss, (node.func.value, *node.args)))


def mentions_loss(node: ast.expr) -> bool:
    """Whether it is called like a loss, or computed from what is."""
    name = last_name(node)
    if isinstance(node, ast.Call):
        name = last_name(node.func)
    if isinstance(node, ast.BinOp):
        return mentions_loss(node.left) or mentions_loss(node.right)
    return bool(name and LOSS_NAME.search(name))


def keeps(node: ast.AST) -> bool:
    """Whether something is added to what an object, or a container, holds."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, (ast.Attribute, ast.Subscript))
    if isinstance(node, ast.Assign):
        held = isinstance(node.targets[0], (ast.Attribute, ast.Subscript))
        return held and isinstance(node.value, (ast.BinOp, ast.IfExp))
    called = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    return called in _ADDS


def calls_what_it_is_given(node: ast.AST) -> bool:
    """Whether a function calls one of its own parameters: a network, for all that its file shows."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    given = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    called = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(isinstance(func, ast.Name) and func.id in given for func in called)


_ADDS = frozenset({"append", "appendleft", "extend", "insert", "setdefault", "put"})


def is_super(node: ast.expr) -> bool:
    """Whether an expression is `super()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"

"""Attributes that are `None` because a guard says so, and not because somebody sets them later.

if low:
    self.scaler = None              told: beside it the same is made
else:
    self.scaler = GradScaler()

self.optimizer = None               not told: `compile()` will make it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.interpret.limits import nodes
from gradlint.model.program import Assign, Class, Const, If, Return, Stmt


def is_told_none(classes: Iterable[Class], name: str) -> bool:
    """Whether each `None` that an attribute is set to is one branch of a guard, and the other sets something else.

    Args:
        classes: the class of the object, and its bases.
        name: the attribute.
    """
    functions = [function for cls in classes for function in cls.methods.values()]
    nones = [(one, node) for one in functions for node in one.sets(name) if node.value == Const(None)]
    return bool(nones) and all(_stands_beside(one.body, node) for one, node in nones)


def _stands_beside(body: Iterable[Stmt], node: Assign) -> bool:
    """Whether an assignment is one branch of a guard that sets the same in the other, or leaves the function."""
    for own, other in _branches(body):
        if node in own:
            sets = (one for one in nodes(other) if isinstance(one, Assign) and one.target == node.target)
            return isinstance(own[-1], Return) or any(one.value != node.value for one in sets)
        if _stands_beside(own, node):
            return True
    return False


def _branches(body: Iterable[Stmt]) -> Iterator[tuple[tuple[Stmt, ...], tuple[Stmt, ...]]]:
    """The branches of the guards in a suite, each with the other one."""
    for statement in body:
        if isinstance(statement, If):
            yield statement.then, statement.other
            yield statement.other, statement.then

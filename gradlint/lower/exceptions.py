"""Exceptions of the project's own: what a statement raises, and what a handler catches."""

from __future__ import annotations

import ast

from gradlint.lower.names import Names, dotted
from gradlint.model.effects import Gate
from gradlint.model.program import If, Raise, Return, Stmt
from gradlint.model.record import replace


def caught(names: Names, node: ast.expr | None) -> frozenset[str]:
    """The names of exceptions that no library has, among those that a handler names."""
    every = node.elts if isinstance(node, ast.Tuple) else [node] if node is not None else []
    return frozenset(name for one in every if (name := _own_name(names, one)))


def thrown(names: Names, node: ast.expr | None) -> str:
    """The name of an exception that no library has and that is raised, else nothing."""
    return _own_name(names, node.func if isinstance(node, ast.Call) else node)


def refusing(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """What a function does, where all that it does behind its last question is to refuse: that is its other way.

    if kind == "a":             if kind == "a":
        return one(x)               return one(x)
    if kind == "b":             if kind == "b":
        return two(x)               return two(x)
    raise ValueError(kind)      else:
                                    raise ValueError(kind)
    """
    *before, asked, last = body if len(body) > 1 else (None, None)
    if not (isinstance(asked, If) and isinstance(last, Raise)) or asked.other:
        return body
    if not asked.then or not isinstance(asked.then[-1], Return):
        return body
    whole = replace(asked, other=(last,), gates=asked.gates | Gate.JUMP, other_gates=asked.other_gates | Gate.JUMP)
    return (*before, whole)


def _own_name(names: Names, node: ast.expr | None) -> str:
    name = None if node is None else dotted(node)
    if node is None or name is None:
        return ""
    qualified = names.qualified(node)
    own = name in names.defined or (qualified is not None and names.beyond.defines(qualified))
    return name.rpartition(".")[2] if own else ""

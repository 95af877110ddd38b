"""Syntax trees, walked quickly: what means nothing to gradlint is half of all nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

_DULL = frozenset(
    "ctx op ops id attr arg name asname module level kind type_comment simple is_async conversion rest".split()
)
"""Operators and contexts, which mean nothing here and are half of all nodes; and what is never a node."""
_MIXED = frozenset({"keys", "kw_defaults", "names", "kwd_attrs"})
"""Lists that may hold something else, too."""

LEAVES = frozenset({ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal})
"""What holds no node: more than half of those that mean something."""

_PARTS: dict[type[ast.AST], tuple[str, ...]] = dict.fromkeys(LEAVES, ())

_COMMON: dict[type[ast.AST], Callable[[Any], list[ast.AST]]] = {
    ast.Attribute: lambda node: [node.value],
    ast.Call: lambda node: [node.func, *node.args, *node.keywords],
    ast.keyword: lambda node: [node.value],
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.Assign: lambda node: [*node.targets, node.value],
    ast.Expr: lambda node: [node.value],
    ast.BinOp: lambda node: [node.left, node.right],
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.Tuple: lambda node: node.elts,
    ast.List: lambda node: node.elts,
    ast.If: lambda node: [node.test, *node.body, *node.orelse],
    ast.UnaryOp: lambda node: [node.operand],
    ast.BoolOp: lambda node: node.values,
    ast.JoinedStr: lambda node: node.values,
}
"""The nodes in those of the commonest kinds: nine of ten that hold any."""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, without operators and contexts; not to be changed."""
    common = _COMMON.get(node.__class__)
    return _of_any(node) if common is None else common(node)


def _of_any(node: ast.AST) -> list[ast.AST]:
    kind = type(node)
    parts = _PARTS.get(kind)
    if parts is None:
        parts = _PARTS[kind] = tuple(name for name in kind._fields if name not in _DULL)
    found: list[ast.AST] = []
    for name in parts:
        part = getattr(node, name, None)
        if part.__class__ is not list:
            if part is not None and isinstance(part, ast.AST):
                found.append(part)
        elif name in _MIXED:
            found += [item for item in part if isinstance(item, ast.AST)]
        else:
            found += part
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all nodes in it."""
    found = [node]
    for one in found:  # the list grows as it is read
        if one.__class__ not in LEAVES:
            found += children(one)
    return found


def each_yielded(node: ast.YieldFrom) -> ast.For:
    """`yield from batches`, as a loop that yields each of them."""
    part = "<each>"
    value = ast.Yield(ast.Name(part, ast.Load()))
    loop = ast.For(ast.Name(part, ast.Store()), node.value, [ast.Expr(value)], [])
    for one in (loop, loop.target, loop.body[0], value, value.value):
        if one is not None:
            ast.copy_location(one, node)
    return loop

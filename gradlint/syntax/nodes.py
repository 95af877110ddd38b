"""Syntax trees, walked quickly: what means nothing to gradlint is half of all nodes."""

from __future__ import annotations

import ast

_DULL = frozenset(
    "ctx op ops id attr arg name asname module level kind type_comment simple is_async conversion rest".split()
)
"""Operators and contexts, which mean nothing here and are half of all nodes; and what is never a node."""
_MIXED = frozenset({"keys", "kw_defaults", "names", "kwd_attrs"})
"""Lists that may hold something else, too."""

_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Constant: (),
    ast.Global: (),
    ast.Nonlocal: (),
}


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, without operators and contexts."""
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
        found += children(one)
    return found

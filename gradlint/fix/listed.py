"""Losses in a list that go back together: each of them is divided.

torch.autograd.backward([ce, kl])           torch.autograd.backward([ce / n, kl / n])
torch.autograd.backward(losses)             torch.autograd.backward([loss / n for loss in losses])
"""

from __future__ import annotations

import ast

from gradlint.fix.code import names_read, operand, values_of
from gradlint.fix.layout import Layout

_LISTS = (ast.List, ast.Tuple, ast.ListComp)


def each_of(layout: Layout, node: ast.expr, pattern: str) -> str | None:
    """The code of several losses, each put into a pattern; `None` where it is one, for all that can be seen."""
    if isinstance(node, (ast.List, ast.Tuple)):
        if not node.elts or any(isinstance(one, ast.Starred) for one in node.elts):
            return None
        parts = ", ".join(pattern.format(operand(layout, one)) for one in node.elts)
        return f"[{parts}]"
    if not _is_list(layout, node):
        return None
    taken = names_read([ast.parse(pattern.format(0), mode="eval"), node])
    name = next((name for name in ("loss", "each", "one") if name not in taken), "one_of_them")
    return f"[{pattern.format(name)} for {name} in {layout.code(node)}]"


def _is_list(layout: Layout, node: ast.expr) -> bool:
    """Whether an expression is a list, or a name that is nothing else in its function."""
    if isinstance(node, ast.ListComp):
        return True
    if not isinstance(node, ast.Name):
        return False
    values = values_of(layout, node)
    stores = [
        part
        for part in ast.walk(layout.function(node))
        if isinstance(part, ast.Name) and part.id == node.id and not isinstance(part.ctx, ast.Load)
    ]
    return bool(values) and len(stores) == len(values) and all(isinstance(one, _LISTS) for one in values)

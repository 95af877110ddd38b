"""What a name may hold at a place: something kept by its place, a loss that is read again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradlint.fix.bound import header_rows
from gradlint.fix.scopes import names_stored, own_nodes, scopes
from gradlint.syntax.nodes import walk


def kept_by_place(tree: ast.Module, row: int) -> list[str]:
    """What the loops in an epoch loop remember of each batch by its number, from one epoch to the next.

    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            seen.append(x) / seen[i]              `seen`
    """
    found: list[str] = []
    for epoch in (node for node in walk(tree) if isinstance(node, (ast.For, ast.While)) and node.lineno == row):
        filled = _filled(epoch)
        for loop in (node for node in walk(epoch) if isinstance(node, ast.For) and node is not epoch):
            numbers = _numbers(loop)
            asked = [node for node in walk(loop) if isinstance(node, ast.Subscript) and _names(node.slice) & numbers]
            read = [ast.unparse(node.value) for node in asked if isinstance(node.ctx, ast.Load)]
            found += [name for name in read if name in filled]
    return list(dict.fromkeys(found))


def _filled(epoch: ast.AST) -> set[str]:
    """What a loop appends to, or sets the items of, and does not make anew."""
    subscripts = [node for node in walk(epoch) if isinstance(node, ast.Subscript)]
    stored = [node.value for node in subscripts if isinstance(node.ctx, ast.Store)]
    calls = [node.func for node in walk(epoch) if isinstance(node, ast.Call)]
    appended = [func.value for func in calls if isinstance(func, ast.Attribute) and func.attr == "append"]
    made = {ast.unparse(target) for node in walk(epoch) if isinstance(node, ast.Assign) for target in node.targets}
    return {ast.unparse(one) for one in (*stored, *appended)} - made


def _numbers(loop: ast.For) -> set[str]:
    """The name that `enumerate` counts by."""
    counts = isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "enumerate"
    target = loop.target.elts[0] if counts and isinstance(loop.target, ast.Tuple) else None
    return {target.id} if isinstance(target, ast.Name) else set()


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def read_behind(tree: ast.Module, row: int, own: Iterable[int]) -> list[str]:
    """The names that a statement on a row sets and that are read behind it, on rows that are not its own."""
    rows = {row, *own}
    for scope, _ in scopes(tree):
        nodes = [node for node in own_nodes(scope) if isinstance(node, ast.stmt) and row in header_rows(node)]
        for node in nodes[-1:]:
            names = [part for part in ast.walk(scope) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
            later = {part.id for part in names if part.lineno > row and part.lineno not in rows}
            return sorted(names_stored(node) & later)
    return []


def asked_again(tree: ast.Module, row: int) -> Iterator[tuple[str, int]]:
    """Comparisons with a remainder on a row that stand on another row of the same function, too, each with that."""
    for scope, _ in scopes(tree):
        asked = [node for node in own_nodes(scope) if isinstance(node, ast.Compare) and _of_remainder(node.left)]
        here = {ast.unparse(node) for node in asked if node.lineno == row}
        yield from ((text, node.lineno) for node in asked if node.lineno != row and (text := ast.unparse(node)) in here)


def _of_remainder(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)

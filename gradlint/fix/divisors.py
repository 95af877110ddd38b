"""What a loss is divided by anew, and may be no number to divide by: the code asks whether it is one.

if accum == -1 or (i + 1) % accum == 0:     -1 says that each micro-batch is an update
    opt.step()
loss = loss / accum                          turns the gradient round then
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from gradlint.fix.scopes import own_nodes, scopes


def unfit(tree: ast.Module, rows: Collection[int]) -> Iterator[tuple[str, int]]:
    """What is divided by on some rows though its function asks for none, zero or less, with the row of the question.

    Args:
        tree: the repaired text.
        rows: those of its rows that are new.
    """
    for scope, _ in scopes(tree):
        nodes = list(own_nodes(scope))
        refused = _refused(nodes)
        for division in nodes:
            if not isinstance(division, ast.BinOp) or not isinstance(division.op, ast.Div):
                continue
            name = ast.unparse(division.right)
            if division.lineno in rows and isinstance(division.right, (ast.Name, ast.Attribute)):
                asked = (one for one in nodes if one not in refused and _asks(one, name))
                around = {id(part) for one in nodes for part in _guarding(one, division)}
                yield from ((name, one.lineno) for one in asked if isinstance(one, ast.expr) and id(one) not in around)


def _asks(node: ast.AST, name: str) -> bool:
    """Whether an expression asks if a name is none, zero or less: `n > 0`, `n == -1`, `n is None`, `not n`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ast.unparse(node.operand) == name
    if isinstance(node, ast.BoolOp):
        return any(ast.unparse(part) == name for part in node.values)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or ast.unparse(node.left) != name:
        return False
    op, limit = node.ops[0], _number(node.comparators[0])
    if limit is None:
        return isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None
    strict = isinstance(op, (ast.Gt, ast.LtE, ast.Eq, ast.NotEq))
    return limit <= 0 if strict else isinstance(op, (ast.GtE, ast.Lt)) and limit <= 1


def _number(node: ast.expr) -> float | None:
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    held = node.operand if isinstance(node, ast.UnaryOp) else node
    value = held.value if isinstance(held, ast.Constant) else None
    return sign * value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _refused(nodes: list[ast.AST]) -> set[ast.AST]:
    """The questions that let nothing go on: of an assertion, or of an `if` that raises."""
    found: set[ast.AST] = set()
    for node in nodes:
        raises = isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.If) and raises):
            found.update(ast.walk(node.test))
    return found


def _guarding(node: ast.AST, division: ast.BinOp) -> Iterator[ast.AST]:
    """The questions of what is around a division, on the way that is taken where they are true."""
    if isinstance(node, ast.If) and any(part is division for one in node.body for part in ast.walk(one)):
        yield from ast.walk(node.test)
    if isinstance(node, ast.IfExp) and any(part is division for part in ast.walk(node.body)):
        yield from ast.walk(node.test)

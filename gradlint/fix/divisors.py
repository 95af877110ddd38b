"""What a loss is divided by anew, and may be no number to divide by: the code asks whether it is one.

if accum == -1 or (i + 1) % accum == 0:     -1 says that each micro-batch is an update
    opt.step()
loss = loss / accum                          turns the gradient round then
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from gradlint.fix.code import last_name
from gradlint.syntax.nodes import walk


def unfit(tree: ast.Module, rows: Collection[int]) -> Iterator[tuple[str, int]]:
    """What is divided by on some rows though the file asks for none, zero or less of it, with the row of the question.

    Args:
        tree: the repaired text.
        rows: those of its rows that are new.
    """
    nodes = list(walk(tree))
    divisions = [one for one in nodes if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div)]
    new = [one for one in divisions if one.lineno in rows and isinstance(one.right, (ast.Name, ast.Attribute))]
    refused = _refused(nodes) if new else set()
    for division in new:
        name = last_name(division.right) or ""
        around = {id(part) for one in nodes for part in _guarding(one, division)}
        for one in nodes:
            if isinstance(one, ast.expr) and one not in refused and id(one) not in around and _asks(one, name):
                yield name, one.lineno


def of_rates(tree: ast.Module) -> Iterator[str]:
    """The names that a file multiplies a learning rate by: `lr=0.1 * accum` makes up for a division."""
    for node in walk(tree):
        if isinstance(node, ast.keyword) and node.arg in ("lr", "learning_rate"):
            for part in walk(node.value):
                if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult):
                    yield from (ast.unparse(one) for one in (part.left, part.right) if last_name(one))


def _asks(node: ast.AST, name: str) -> bool:
    """Whether an expression asks if a name is none, zero or less: `n > 0`, `n == -1`, `n is None`, `not n`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return last_name(node.operand) == name
    if isinstance(node, ast.BoolOp):
        return any(last_name(part) == name for part in node.values)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or last_name(node.left) != name:
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

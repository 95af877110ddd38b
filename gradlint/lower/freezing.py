"""Where a text may keep a network from getting gradients while something is trained.

for p in critic.parameters():           in the loop, or in a helper that it may call
    p.requires_grad = False

lpips = LPIPS().requires_grad_(False)   not before the loop, nor in a class's own `__init__`: it holds for good
# no need to freeze it                  not in a comment
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from gradlint.lower.outline import FunctionNode, Outline
from gradlint.model.pattern import pattern

FREEZES = pattern(
    r"(?i)freez|frozen|toggle|trainable|\.requires_grad\s*=(?!=)(?!\s*True)|requires_grad\((?!\))|requires_grad_\((?!\s*(?:True)?\s*\))"
)
"""What may keep a network from getting gradients of a loss that goes through it."""

_TRAINS = pattern(r"backward|step|train|fit")
"""What a loop has in it that trains, or calls what does."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def freezing(text: str, outline: Outline, functions: Sequence[tuple[str | None, FunctionNode]]) -> frozenset[int]:
    """The rows of a text that may hold a network still for a part of each iteration."""
    lines = text.splitlines()
    rows = [row for row, line in enumerate(lines, 1) if FREEZES.search(_code(line))]
    if not rows:
        return frozenset()
    scopes = [node for _, node in functions if isinstance(node, _FUNCTIONS)]
    classes = [node for node in outline.nodes if isinstance(node, ast.ClassDef)]
    told = {each for node in (outline.nodes[0], *scopes, *classes) for each in _docstring(node)}
    told |= {each for node in classes for one in node.decorator_list for each in _extent(one)}  # a record's
    loops = [node for node in outline.nodes if isinstance(node, _LOOPS) and _trains(node, lines)]
    return frozenset(row for row in rows if row not in told and _in_turn(row, scopes, loops))


def _code(line: str) -> str:
    """A row without its comment; with it, where that may stand in a string."""
    code, mark, _ = line.partition("#")
    return line if mark and ("'" in code or '"' in code) else code


def _docstring(node: ast.AST) -> Iterable[int]:
    first = getattr(node, "body", [None])[:1]
    said = first[0] if first else None
    if isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant) and isinstance(said.value.value, str):
        return _extent(said)
    return ()


def _trains(loop: ast.stmt, lines: Sequence[str]) -> bool:
    return any(_TRAINS.search(lines[row - 1]) for row in _extent(loop))


def _in_turn(row: int, scopes: Sequence[ast.stmt], loops: Sequence[ast.stmt]) -> bool:
    """Whether a row may run again and again: not what makes an object, nor what comes before all that trains."""
    around = [node for node in scopes if row in _extent(node)]
    inner = min(around, key=lambda node: len(_extent(node)), default=None)
    if isinstance(inner, _FUNCTIONS) and inner.name == "__init__":
        return False
    own = [loop for loop in loops if _scope(loop, scopes) is inner]
    return not own or row >= min(loop.lineno for loop in own)


def _scope(loop: ast.stmt, scopes: Sequence[ast.stmt]) -> ast.stmt | None:
    """The innermost function around a loop."""
    around = [node for node in scopes if loop.lineno in _extent(node)]
    return min(around, key=lambda node: len(_extent(node)), default=None)


def _extent(node: ast.AST) -> range:
    first = getattr(node, "lineno", 1)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)

"""Workers: the functions that can add to gradients or spend them, by their rows.

    rows with a call that works ──► functions around them ──► rows that call those by name ──► ...

What it says may be too much (a comment counts, and functions of one name are taken for one), never too
little. The gates of a worker say what it really does; nobody asks for those of the others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from gradlint.funnel import WORK
from gradlint.lower.outline import FunctionNode, Outline, between, extent


def workers(
    outline: Outline, functions: Iterable[tuple[str | None, FunctionNode]]
) -> Callable[[FunctionNode | ast.Module], bool]:
    """A test for workers; a function around a worker counts as one, and so does the module."""
    known: set[ast.AST] = set()
    rest = [(node, *extent(node)) for _, node in functions]
    rows = outline.rows(re.compile(WORK))
    some = bool(rows)
    while rows:
        found = [node for node, first, last in rest if between(rows, first, last)]
        known.update(found)
        rest = [entry for entry in rest if entry[0] not in known]
        rows = outline.rows(_calls(found)) if rest and found else []
    return lambda node: node in known if not isinstance(node, (ast.Module, ast.Lambda)) else some


def _calls(found: Iterable[FunctionNode]) -> re.Pattern[str]:
    """A pattern for the calls of some functions; any call may be that of an object that can be called."""
    names = sorted({node.name for node in found if not isinstance(node, ast.Lambda)})
    if "__call__" in names:
        return re.compile(r"\(")
    return re.compile(rf"(?<!def )\b(?:{'|'.join(map(re.escape, names))})[\s\\)]*\(")

"""Where parameters are held still for good: before the optimizer of those that are trained is made.

for p in net.parameters():
    p.requires_grad = False             says what is trained, and nothing of an evaluation
net.head = Linear(512, 10)
optimizer = SGD(net.head.parameters())
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gradlint.libraries.conventions.roles import OPTIMIZER_NAME
from gradlint.libraries.tables import OPTIMIZERS
from gradlint.lower.names import dotted
from gradlint.lower.outline import Outline

HOLDS = re.compile(r"\.requires_grad(?:\s*=\s*False\b|_\(\s*False\s*\))")
"""`p.requires_grad = False`, `net.backbone.requires_grad_(False)`."""


_AROUND = (ast.FunctionDef, ast.AsyncFunctionDef, ast.For, ast.AsyncFor, ast.While)


def held_for_good(outline: Outline, rows: Sequence[int]) -> frozenset[int]:
    """Those rows behind which an optimizer is made: by the same function, or the module, and in no loop around both.

    What a loop holds still may be held still for the evaluation in it, until the next optimizer is made.
    """
    made = sorted(_makes_optimizers(outline)) if rows else []
    around = [node for node in outline.nodes if isinstance(node, _AROUND)] if made else []
    return frozenset(row for row in rows if any(row < other and _once(around, row, other) for other in made))


def _makes_optimizers(outline: Outline) -> Iterator[int]:
    """The rows where an optimizer is made, by its class or by a function whose answer is called one."""
    for node in outline.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            targets = [part for target in node.targets for part in getattr(target, "elts", (target,))]
            if _tail(node.value.func) in OPTIMIZERS or any(OPTIMIZER_NAME.search(_tail(target)) for target in targets):
                yield node.lineno


def _tail(node: ast.expr) -> str:
    return (dotted(node) or "").rpartition(".")[2]


def _once(around: Sequence[ast.stmt], row: int, other: int) -> bool:
    """Whether two rows stand in the same function, and in no loop of it that is around both."""
    one, both = (
        {number for number, node in enumerate(around) if node.lineno <= at <= (node.end_lineno or 0)}
        for at in (row, other)
    )
    functions = {number for number, node in enumerate(around) if isinstance(node, _AROUND[:2])}
    return one & functions == both & functions and not (one & both) - functions

"""Where gradients may be unscaled already, by a guard that an option opens.

if cfg.unscale:
    scaler.unscale_(optimizer)
...                                 from here on, in this function
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradlint.lower.outline import FunctionNode
from gradlint.syntax.nodes import walk

_ENDS = frozenset({"step", "update"})
"""What uses gradients and ends with them: behind a guard that holds one, others are gathered."""


def unscaled_by_option(text: str, functions: Iterable[FunctionNode]) -> frozenset[int]:
    """The rows of functions behind an `if` of which one way unscales, and does not step."""
    found: set[int] = set()
    for function in functions if ".unscale_(" in text else ():
        end = function.end_lineno or 0
        for node in walk(function):
            if isinstance(node, ast.If) and _unscales(node):
                found |= set(range((node.end_lineno or end) + 1, end + 1))
    return frozenset(found)


def _unscales(node: ast.If) -> bool:
    called = {
        part.func.attr for part in walk(node) if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
    }
    return "unscale_" in called and not called & _ENDS

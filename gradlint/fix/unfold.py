"""Crowded lines, spread: one statement a line, and a guard where an expression stands for one.

step(); zero()                step()
                              zero()
step() if last else None      if last:
                                  step()
early or step()               if not early:
                                  step()
"""

from __future__ import annotations

import ast

from gradlint.fix.code import negated
from gradlint.fix.layout import Crowded, Cut, Layout, Refused, carry_out, stands_for_guard

_LOOSE = (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Lambda)
"""What needs brackets as an operand, which are not in its own place."""


def spread(layout: Layout, node: ast.stmt) -> str:
    """The text with the lines of a crowded statement spread.

    Raises:
        Refused: it cannot be.
    """
    if not isinstance(node, ast.Expr) or not stands_for_guard(node):
        return layout.spread(node)
    try:
        margin = layout.indent(node)
    except Crowded:
        return layout.spread(node)
    lines = _guard(layout, node.value, layout.newline + margin)
    return carry_out(layout.text, [Cut(layout.start(node), layout.end(node), lines)])


def _guard(layout: Layout, node: ast.expr, margin: str) -> str:
    inner = margin + layout.unit()
    if isinstance(node, ast.IfExp):
        lines = f"if {_code(layout, node.test)}:{inner}{_code(layout, node.body)}"
        idle = isinstance(node.orelse, (ast.Constant, ast.Name))
        return lines if idle else f"{lines}{margin}else:{inner}{_code(layout, node.orelse)}"
    assert isinstance(node, ast.BoolOp)
    test, *rest = node.values
    code = _code(layout, test)
    if isinstance(node.op, ast.And):
        return f"if {code}:{inner}{_joined(layout, rest, ' and ')}"
    return f"if {negated(code)}:{inner}{_joined(layout, rest, ' or ')}"


def _joined(layout: Layout, parts: list[ast.expr], word: str) -> str:
    codes = [_code(layout, part) for part in parts]
    if len(parts) == 1:
        return codes[0]
    return word.join(f"({code})" if isinstance(part, _LOOSE) else code for code, part in zip(codes, parts, strict=True))


def _code(layout: Layout, node: ast.expr) -> str:
    code = layout.code(node)
    if "\n" in code or "\r" in code:
        raise Refused("an expression that stands for a guard takes several lines")
    return f"({code})" if isinstance(node, ast.NamedExpr) else code

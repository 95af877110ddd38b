"""Crowded lines, spread: one statement a line, and a guard where an expression stands for one.

step(); zero()                step()
                              zero()
step() if last else None      if last:
                                  step()
early or step()               if not early:
                                  step()
with stream, autocast():      with stream:
    step()                        with autocast():
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
    if isinstance(node, ast.With) and len(node.items) > 1:
        return carry_out(layout.text, [_last_inside(layout, node)])
    if not isinstance(node, ast.Expr) or not stands_for_guard(node):
        return layout.spread(node)
    try:
        margin = layout.indent(node)
    except Crowded:
        return layout.spread(node)
    lines = _guard(layout, node.value, layout.newline + margin)
    return carry_out(layout.text, [Cut(layout.start(node), layout.end(node), lines)])


def _last_inside(layout: Layout, node: ast.With) -> Cut:
    """The cut that gives the last thing that a `with` opens a `with` of its own, inside.

    Raises:
        Refused: a comment stands in the header.
    """
    margin, inner = layout.indent(node), layout.indent(node.body[0])
    first, last = layout.rows(node.body)
    if "#" in layout.text[layout.end(node.items[-1].context_expr) : layout.starts[first - 1]]:
        raise Refused("a comment stands in the header of the `with`")
    *outer, own = (_item(layout, item) for item in node.items)
    header = f"{margin}with {', '.join(outer)}:{layout.newline}{inner}with {own}:{layout.newline}"
    start = layout.starts[layout.first_row(node, comments=False) - 1]
    return Cut(start, layout.starts[last], header + layout.block(node.body, inner + layout.unit()))


def _item(layout: Layout, item: ast.withitem) -> str:
    code = _code(layout, item.context_expr)
    return code if item.optional_vars is None else f"{code} as {layout.code(item.optional_vars)}"


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

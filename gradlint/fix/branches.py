"""A backward that is written in both branches of an `if`, once under `no_sync()`.

loss = criterion(model(x), y)            with model.no_sync() if i % n else nullcontext():
if i % n:                                    loss = criterion(model(x), y)
    with model.no_sync():                    loss.backward()
        loss.backward()          ──►     if not i % n:
else:                                        optimizer.step()
    loss.backward()
    optimizer.step()
"""

from __future__ import annotations

import ast

from gradlint.edits import Enter
from gradlint.fix import moves
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.fix.moves import Work
from gradlint.fix.windows import header, nullcontext

_OPPOSITES: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.GtE: "<",
    ast.Gt: "<=",
    ast.LtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
}


def enter(work: Work, edit: Enter) -> None:
    """Carry out an `Enter`."""
    layout = work.layout
    scope = moves.scope_around(layout, edit.inner)
    choice = layout.owner(scope)
    if not isinstance(choice, ast.If):
        moves.enter(work, edit)
        return
    quiet, loud = (choice.body, choice.orelse) if scope in choice.body else (choice.orelse, choice.body)
    shared = [layout.code(one) for one in scope.body]
    if quiet != [scope] or len(scope.items) != 1 or [layout.code(one) for one in loud[: len(shared)]] != shared:
        raise Refused("the two branches differ in more than `no_sync()`")
    stay, moved = moves.dividing(layout, edit.first, choice, [choice.test, scope.items[0].context_expr])
    margin, deeper = layout.indent(choice), layout.indent(choice) + layout.unit()
    silent, test, rest = layout.code(scope.items[0].context_expr), layout.code(choice.test), loud[len(shared) :]
    under = loud is choice.orelse
    arms = (silent, nullcontext(work)) if under else (nullcontext(work), silent)
    lines = [layout.block([one], margin) for one in stay]
    lines += [*_comments(layout, choice), margin, header(layout, margin, (arms[0], f"if {test}", f"else {arms[1]}"))]
    lines += [layout.newline, *(layout.block(run, deeper) for run in moved), layout.block(scope.body, deeper)]
    if rest:
        left = opposite(layout, choice.test) if under else test
        lines += [f"{margin}if {left}:{layout.newline}", layout.block(rest, deeper)]
    first = layout.rows(moved[0][:1])[0]
    work.cuts.append(Cut(layout.starts[first - 1], layout.starts[layout.span(choice).end_row], "".join(lines)))


def _comments(layout: Layout, node: ast.stmt) -> list[str]:
    return list(layout.lines[layout.first_row(node) - 1 : node.lineno - 1])


def opposite(layout: Layout, test: ast.expr) -> str:
    """A condition that is true where another is not."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
        return f"{layout.code(test.left)} {_OPPOSITES[type(test.ops[0])]} {layout.code(test.comparators[0])}"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return layout.code(test.operand)
    plain = all(isinstance(one, ast.Compare) for one in test.values) if isinstance(test, ast.BoolOp) else False
    if isinstance(test, ast.BoolOp) and plain:
        word = " or " if isinstance(test.op, ast.And) else " and "
        return word.join(opposite(layout, one) for one in test.values)
    simple = isinstance(test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    return f"not {layout.code(test)}" if simple else f"not ({layout.code(test)})"

"""Edits of statements under a header: put there, in and out of a `with`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import groupby, takewhile

from gradlint.fix.code import last_name, names_read, names_set
from gradlint.fix.computing import computes
from gradlint.fix.layout import Crowded, Cut, Layout, Refused
from gradlint.fix.leaving import compute_nothing, computed_between, reopen, together, with_clear
from gradlint.fix.work import Work
from gradlint.model.edits import Enclose, Enter, Leave
from gradlint.model.finding import Span


def enclose(work: Work, edit: Enclose) -> None:
    """Carry out an `Enclose`."""
    nodes = between(work.layout, edit.first, edit.last)
    under(work, nodes, edit.header)


def between(layout: Layout, first: Span, last: Span) -> list[ast.stmt]:
    """The neighbouring statements from one place to another, in the innermost suite that holds both.

    Raises:
        Refused: the places are in different functions.
    """
    one, two = layout.statement(first), layout.statement(last)
    if layout.function(one) is not layout.function(two):
        raise Refused("forward and backward stand in different functions")
    chain = [one, *(owner for owner in layout.owners(one) if isinstance(owner, ast.stmt))]
    while True:
        for candidate in chain:
            if layout.suite(candidate) is layout.suite(two):
                suite = layout.suite(two)
                return suite[suite.index(candidate) : suite.index(two) + 1]
        above = layout.owner(two)
        if not isinstance(above, ast.stmt):
            raise Refused("forward and backward share no block")
        two = above


def under(work: Work, nodes: list[ast.stmt], header: str) -> None:
    """Put neighbouring statements under a header."""
    layout = work.layout
    margin = layout.indent(nodes[0])
    first, last = layout.rows(nodes)
    block = layout.block(nodes, margin + layout.unit())
    work.cuts.append(Cut(layout.starts[first - 1], layout.starts[last], f"{margin}{header}{layout.newline}{block}"))


def leave(work: Work, edit: Leave) -> None:
    """Carry out a `Leave`."""
    layout = work.layout
    first = layout.simple(edit.first)
    owner = layout.owner(first)
    if not isinstance(owner, ast.With):
        raise Refused("the backward stands deeper than the `with`")
    if len(owner.items) > 1:
        if any("autocast" in layout.code(item.context_expr) for item in owner.items[:-1]):
            raise Refused("the `with` opens something else as well")
        raise Crowded(owner)
    suite = layout.suite(first)
    backs = together(layout, suite, first, [span for span in edit.also if span.module == 0])
    if edit.also:
        compute_nothing(work, backs, edit.also, edit.inner)
    start = with_clear(layout, suite, suite.index(backs[0]))
    if start == 0:
        raise Refused("nothing would be left in the `with`")
    if edit.also and not edit.split and computed_between(suite, backs) & names_read(backs):
        raise Refused("what is gone back from is computed behind another backward")
    if edit.split or (edit.also and any(computes(one) for one in suite[start:] if one not in backs)):
        reopen(work, owner, backs)
        return
    block = layout.block(suite[start:], layout.indent(owner))
    row, last = layout.rows(suite[start:])
    work.cuts.append(Cut(layout.starts[row - 1], layout.starts[last], block))


def enter(work: Work, edit: Enter) -> None:
    """Carry out an `Enter`."""
    layout = work.layout
    scope = scope_around(layout, edit.inner)
    opens = list(takewhile(_only_enters, scope.body))
    _, runs = dividing(layout, edit.first, scope, [*(item.context_expr for item in scope.items), *opens])
    after = scope.body[len(opens)]
    margin = layout.indent(after)
    work.cuts.append(layout.before(after, "".join(layout.block(run, margin) for run in runs)))
    work.cuts += [layout.remove(run) for run in runs]


def _only_enters(node: ast.stmt) -> bool:
    """`if not last: stack.enter_context(model.no_sync())`, with which a stack of scopes begins."""
    if isinstance(node, ast.If):
        return not node.orelse and all(map(_only_enters, node.body))
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and last_name(call.func) == "enter_context"


def scope_around(layout: Layout, inner: Span) -> ast.With:
    """The `with` that a backward stands in.

    Raises:
        Refused: there is none.
    """
    scope = next((owner for owner in layout.owners(layout.statement(inner)) if isinstance(owner, ast.With)), None)
    if scope is None:
        raise Refused("the backward stands in no `with` of the same function")
    return scope


def dividing(
    layout: Layout, first: Span, end: ast.stmt, asked: Sequence[ast.AST]
) -> tuple[list[ast.stmt], list[list[ast.stmt]]]:
    """The statements from a forward up to `end`: those that `asked` needs, and the rest in runs of neighbours.

    Raises:
        Refused: the forward is needed itself, or stands elsewhere.
    """
    if layout.function(end) is not layout.function(layout.statement(first)):
        raise Refused("the backward stands in no `with` of the same function")
    nodes = between(layout, first, layout.span(end))[:-1]
    if not nodes or layout.suite(nodes[0]) is not layout.suite(end):
        raise Refused("the forward does not stand before the `with`")
    needed, stay = list(asked), list[ast.stmt]()
    for node in reversed(nodes):
        if names_read(needed) & names_set([node]):
            needed.append(node)
            stay.insert(0, node)
    if nodes[0] in stay:
        raise Refused("the `with` reads what the forward computes")
    return stay, [list(run) for stays, run in groupby(nodes, key=stay.__contains__) if not stays]

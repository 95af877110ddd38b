"""Several backwards in one `with`: they leave it together, or each in its turn.

with autocast():                      with autocast():
    loss = model(x)                       loss = model(x)
    loss.backward()                   loss.backward()
    aux = model(z)           ──►      with autocast():
    aux.backward()                        aux = model(z)
    opt.step()                        aux.backward()
                                      opt.step()

What may compute behind a backward stays under the `with`, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gradlint.fix.code import names_set
from gradlint.fix.computing import computes, computes_as_well
from gradlint.fix.layout import Cut, Layout, Refused, suites
from gradlint.model.finding import Span

if TYPE_CHECKING:
    from gradlint.fix.work import Work

_STEPS = re.compile(r"[\w.\]]\.(?:step|update|unscale_|zero_grad)$")
_GATHERS = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "add_", "sub_", "mul_", "div_"})


def together(layout: Layout, suite: Sequence[ast.stmt], first: ast.stmt, also: Sequence[Span]) -> list[ast.stmt]:
    """The statements of a suite that go backward, where it is known which do; else only the first.

    Raises:
        Refused: one of them does more.
    """
    if not also:
        return [first]
    backs = [
        one for one in suite if one is first or _goes_back(one) or any(_within(layout, one, span) for span in also)
    ]
    if any(suites(one) and names_set([one]) for one in backs):
        raise Refused("another backward in the `with` stands deeper")
    return backs


def compute_nothing(work: Work, backs: Sequence[ast.stmt], also: Sequence[Span], inner: Sequence[Span]) -> None:
    """Nothing.

    Raises:
        Refused: with what goes back, or in the functions that it leads through, something is computed.
    """
    near = [(work.layout, back) for back in backs]
    for span in inner:
        layout = work.layout if span.module == 0 else work.beside(span.module)
        near += [(layout, one) for one in _function(layout, span).body]
    for layout, node in near:
        calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
        known = [call for call in calls if any(_same(layout, call, span) for span in (*also, *inner))]
        if computes_as_well(node, known):
            raise Refused("something is computed in the same statement")


def _same(layout: Layout, call: ast.Call, span: Span) -> bool:
    return call.lineno == span.row and layout.span(call)._replace(module=span.module) == span


def _function(layout: Layout, span: Span) -> ast.FunctionDef | ast.AsyncFunctionDef:
    """The innermost function around a place.

    Raises:
        Refused: there is none.
    """
    found = None
    for node in layout.statements():  # outer before inner
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _within(layout, node, span):
            found = node
    if found is None:
        raise Refused("the function that goes back cannot be found")
    return found


def _goes_back(node: ast.stmt) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "backward" for part in ast.walk(node))


def _within(layout: Layout, node: ast.stmt, span: Span) -> bool:
    whole = layout.span(node)
    starts = (whole.row, whole.column) <= (span.row, span.column)
    return starts and (span.end_row, span.end_column) <= (whole.end_row, whole.end_column)


def with_clear(layout: Layout, suite: Sequence[ast.stmt], at: int) -> int:
    """Where what belongs to a backward begins: gradients that are cleared before it go with it."""
    while at and layout.code(suite[at - 1]).rpartition("(")[0].endswith(".zero_grad"):
        at -= 1
    return at


def _with_step(layout: Layout, suite: Sequence[ast.stmt], at: int) -> range:
    """What belongs to a backward: what is cleared before it, the steps and clears behind it."""
    end = at + 1
    while end < len(suite) and _STEPS.search(layout.code(suite[end]).partition("(")[0]) and not computes(suite[end]):
        end += 1
    return range(with_clear(layout, suite, at), end)


def _between(suite: Sequence[ast.stmt], backs: Sequence[ast.stmt]) -> list[ast.stmt]:
    """What stands between the first and the last of some statements, and is none of them."""
    return [one for one in suite[suite.index(backs[0]) : suite.index(backs[-1])] if one not in backs]


def computed_between(suite: Sequence[ast.stmt], backs: Sequence[ast.stmt]) -> set[str]:
    """The names that are set between the backwards, or gathered in: `losses.append(...)`."""
    nodes = _between(suite, backs)
    calls = [part.func for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call)]
    held = [one.value for one in calls if isinstance(one, ast.Attribute) and one.attr in _GATHERS]
    return names_set(nodes) | {one.id for one in held if isinstance(one, ast.Name)}


def reopen(work: Work, owner: ast.With, backs: Sequence[ast.stmt]) -> None:
    """Take each backward out, and open the `with` again for what comes between them, or computes behind them.

    Raises:
        Refused: nothing does, or the `with` cannot be opened twice.
    """
    layout, suite = work.layout, owner.body
    context = owner.items[0]
    behind = [computes(one) for one in suite[suite.index(backs[-1]) + 1 :]]
    if not _between(suite, backs) and not any(behind):
        raise Refused("nothing comes between the backwards")
    if context.optional_vars is not None or not _made_anew(context.context_expr):
        raise Refused("what the `with` opens may be open once only")
    ends = suite.index(backs[-1])
    out = {number for back in backs for number in _with_step(layout, suite, suite.index(back))}
    out |= {number for number, stays in enumerate(behind, ends + 1) if not stays}
    runs: list[list[ast.stmt]] = []
    for number, node in enumerate(suite):
        if number and (number in out) == (number - 1 in out):
            runs[-1].append(node)
        else:
            runs.append([node])
    margin = layout.indent(owner)
    header = f"{margin}with {layout.code(context.context_expr)}:{layout.newline}"
    for number, (before, run) in enumerate(pairwise(runs)):
        start, (row, last) = layout.starts[layout.rows(before)[1]], layout.rows(run)
        gap = layout.text[start : layout.starts[row - 1]]
        stays = number % 2 == 1
        block = header + layout.block(run, layout.indent(run[0])) if stays else layout.block(run, margin)
        work.cuts.append(Cut(start, layout.starts[last], gap + block))


def _made_anew(context: ast.expr) -> bool:
    """Whether an expression makes its context each time: a call, or a choice of calls."""
    if isinstance(context, ast.IfExp):
        return _made_anew(context.body) and _made_anew(context.orelse)
    return isinstance(context, ast.Call) and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(context))

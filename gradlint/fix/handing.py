"""Code in the words of a helper, as those write it who call that.

def check(self, batches):       solver.check(hidden)        self.net.train()   ──►   solver.net.train()
    self.net.eval()
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from gradlint.fix.code import last_name, names_read, names_set
from gradlint.fix.layout import Layout, Refused
from gradlint.syntax.source import parse

if TYPE_CHECKING:
    from gradlint.fix.work import Work
    from gradlint.model.finding import Span

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def handed_in(work: Work, code: str, calls: Sequence[Span]) -> str:
    """Some code whose first line has the names of where the first of some calls stands; each leads to the next.

    What follows that line is in those words already.

    Raises:
        Refused: a helper knows something by a name that its caller cannot spell, or gives it to something else.
    """
    first, *more = code.split("\n")
    for span in reversed(calls):
        layout, call = call_at(work, span)
        first = _spelled(layout, first, call, _helper(work, call))
    return "\n".join((first, *more))


def call_at(work: Work, span: Span) -> tuple[Layout, ast.Call]:
    """A call, and the layout of its file.

    Raises:
        Refused: there is none at the place.
    """
    layout = work.beside(span.module) if span.module else work.layout
    at = span._replace(module=0)
    parts = (node for node in ast.walk(layout.statement(at)) if isinstance(node, ast.Call) and layout.span(node) == at)
    call = next(parts, None)
    if call is None:
        raise Refused("what calls the helper cannot be seen")
    return layout, call


def _helper(work: Work, call: ast.Call) -> _Function:
    """The one function that bears the name of what is called."""
    named = [
        node
        for layout in work.layouts()
        for node in ast.walk(layout.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == last_name(call.func)
    ]
    if len(named) != 1 or (named[0].decorator_list and _bends(named[0])):
        raise Refused("which helper is called cannot be seen")
    return named[0]


def _bends(function: _Function) -> bool:
    """Whether a decorator may give a function other arguments: those of torch that switch gradients off do not."""
    return not all(last_name(one) in ("no_grad", "inference_mode") for one in map(_called, function.decorator_list))


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _spelled(layout: Layout, code: str, call: ast.Call, helper: _Function) -> str:
    given = {name: value for name, value in handed(call, helper).items() if _is_name(layout, value)}
    names = names_read([parse(code)])
    if names - given.keys() or names & names_set(helper.body):
        raise Refused("its caller knows it by no name")
    tree = _Renamed(given).visit(parse(code))
    return ast.unparse(tree)


def handed(call: ast.Call, helper: ast.AST) -> dict[str, ast.expr]:
    """What the parameters of a function are given where it is called, `self` what the method is called on."""
    if not isinstance(helper, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {}
    parameters = [one.arg for one in (*helper.args.posonlyargs, *helper.args.args)]
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(call.func, ast.Attribute) and parameters[:1] == ["self"]:
        pairs.append((parameters.pop(0), call.func.value))
    if not any(isinstance(one, ast.Starred) for one in call.args):
        pairs += zip(parameters, call.args, strict=False)
    return dict(pairs) | {word.arg: word.value for word in call.keywords if word.arg}


def _is_name(layout: Layout, value: ast.expr) -> bool:
    return layout.code(value).replace(".", "").isidentifier()


class _Renamed(ast.NodeTransformer):
    """Puts what was handed in at the place of parameters."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The name, or what was handed in under it."""
        return self.given.get(node.id, node)

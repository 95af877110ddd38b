"""Whether helpers do what is meant, and prepare it, and no more.

    def limit(self):                              def after_batch(self, i, loss):
        norm = clip(self.net.parameters())            self.scheduler.step()
        return norm                                   self.log(i, loss)

Where it is only chosen in the run which of them is called, it may be each that is called so:

    for hook in hooks: hook.before_step()             `before_step` of every class that has one
    self.before_step()                                the same, for classes that inherit from each other
    self.call("before_step")                          the same, where `call` does `getattr(hook, event)(self)`
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gradlint.fix.code import last_name, names_set
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from gradlint.fix.work import Work
    from gradlint.model.finding import Span

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place on the way from a call to what is meant: its file, the statement around it, and the call that it is."""

    layout: Layout
    statement: ast.stmt
    call: ast.Call | None

    @property
    def function(self) -> ast.AST:
        """The function around it."""
        return self.layout.function(self.statement)


def does_only(work: Work, what: Sequence[Span], meant: Sequence[Span]) -> None:
    """Nothing, where calls do what is meant and no more.

    Args:
        work: where.
        what: the calls.
        meant: the places that they lead to: calls on the way, and what is done in the end.

    Raises:
        Refused: a helper logs, counts or saves, too, and would do so at other times.
    """
    calls, ends = [_place(work, span) for span in what], [_place(work, span) for span in meant]
    known = [one.statement for one in (*calls, *ends)]
    for helper in dict.fromkeys(one.function for one in ends):
        if isinstance(helper, (ast.FunctionDef, ast.AsyncFunctionDef)) and helper is not calls[0].function:
            for one in helper.body:
                _prepares(one, known)
    helpers = {getattr(one.function, "name", "") for one in ends}
    for name in _chosen([*calls, *ends]):
        for node in (node for each in work.layouts() for node in ast.walk(each.tree)) if name in helpers else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
                for one in node.body:
                    _prepares(one, known)


def _place(work: Work, span: Span) -> _Place:
    layout = work.beside(span.module) if span.module else work.layout
    at = span._replace(module=0)
    statement = layout.statement(at)
    calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call) and layout.span(node) == at)
    return _Place(layout, statement, next(calls, None))


def _prepares(node: ast.stmt, known: Sequence[ast.stmt]) -> None:
    plain = (ast.Return, ast.Pass, ast.Import, ast.ImportFrom, ast.Assert, ast.Raise, ast.Continue, ast.Break)
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    local = isinstance(node, (ast.Assign, ast.AnnAssign)) and all(name.isidentifier() for name in names_set([node]))
    if suites(node):
        for one in (one for suite in suites(node) for one in suite):
            _prepares(one, known)
    elif node not in known and not (text or local or isinstance(node, plain)):
        raise Refused("the helper does more than that")


def _chosen(places: Sequence[_Place]) -> Iterator[str]:
    """The names of what calls choose in the run: methods of several objects in turn, or such as are named by a text.

    Raises:
        Refused: nobody can say what that may be.
    """
    for place in places:
        func = place.call.func if place.call is not None else None
        if isinstance(func, ast.Call) and last_name(func.func) == "getattr" and len(func.args) > 1:
            yield _text(place, func.args[1], places)
        elif isinstance(func, (ast.Call, ast.Subscript)) or (isinstance(func, ast.Name) and _in_turn(place, func)):
            raise Refused("what it calls is only chosen when it runs")
        elif isinstance(func, ast.Attribute) and (_in_turn(place, func) or _of_self(func)):
            yield func.attr


def _of_self(node: ast.Attribute) -> bool:
    """Whether a method is one of `self`, which a subclass may have in other words."""
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _in_turn(place: _Place, node: ast.expr) -> bool:
    """Whether something is, or is of, an object that a loop or a comprehension around it takes in turn."""
    while isinstance(node, ast.Attribute):
        node = node.value
    around = list(place.layout.owners(node))
    turns = [one.target for one in around if isinstance(one, (ast.For, ast.AsyncFor))]
    turns += [turn.target for one in around if isinstance(one, _COMPREHENSIONS) for turn in one.generators]
    return isinstance(node, ast.Name) and node.id in names_set(turns)


def _text(place: _Place, node: ast.expr, places: Sequence[_Place]) -> str:
    """A text that is written there, or by the call that leads there.

    Raises:
        Refused: it is not.
    """
    found: ast.expr | None = node
    helper = place.function
    if isinstance(node, ast.Name) and isinstance(helper, (ast.FunctionDef, ast.AsyncFunctionDef)):
        given = [one.arg for one in (*helper.args.posonlyargs, *helper.args.args)]
        bound = isinstance(place.layout.parents.get(helper), ast.ClassDef) and not helper.decorator_list
        calls = [one.call for one in places if one.call is not None and last_name(one.call.func) == helper.name]
        at = given.index(node.id) - int(bound) if node.id in given else -1
        found = calls[0].args[at] if len(calls) == 1 and 0 <= at < len(calls[0].args) else None
    if isinstance(found, ast.Constant) and isinstance(found.value, str):
        return found.value
    raise Refused("what it calls is only chosen when it runs")

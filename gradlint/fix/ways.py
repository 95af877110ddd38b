"""The ways out between two places: guards that leave an iteration, so that what moves behind them is passed by.

opt.zero_grad()               cleared in each iteration
if odd(batch):
    continue                  a way out
opt.step()
opt.zero_grad()               only cleared where there is a step
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradlint.model.record import dataclass

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True, slots=True)
class Way:
    """A guard that may leave an iteration: its row, its test, and whether it clears gradients before it does.

    One is `apart` that stands in another function than what is moved.
    """

    row: int
    test: str
    clears: bool
    apart: bool = False


def ways_out(tree: ast.Module, old: int, new: int) -> tuple[list[Way], bool]:
    """The ways out that stand between two rows, and whether the second stands under a guard which the first does not.

    Where they stand in different functions, those are meant by which the second's own may be left in front of it.
    Nothing, where they stand in neither a loop nor a function together.
    """
    here, there = _around(tree, old), _around(tree, new)
    both = [one for one in here if one in there]
    function = max((number for number, one in enumerate(both) if isinstance(one, _FUNCTIONS)), default=-1)
    turns = [one for one in both[max(function, 0) :] if isinstance(one, (*_LOOPS, *_FUNCTIONS))]
    own = [one for one in (*here, *there) if one not in both]
    if any(isinstance(one, _DEFINED) for one in own):
        inner = next((one for one in reversed(there) if isinstance(one, _DEFINED) and one not in both), None)
        if inner is None:
            return [], False
        return [*_leaving_before(inner, there, new), *_swallowed(here, inner.name)], False
    if not turns or any(isinstance(one, _FUNCTIONS) for one in own):
        return [], False
    found: list[Way] = []
    for node in _own(turns[-1]):
        if isinstance(node, ast.If) and old < node.lineno < new and node not in both and _leaves(node):
            found.append(_way(node))
        elif node not in both and getattr(node, "lineno", 0) < new and (getattr(node, "end_lineno", 0) or 0) > old:
            found += [one for one in _ending_early(node, new) if one.row > old]
    return found, any(isinstance(one, ast.If) for one in there if one not in both)


def _way(node: ast.If, *, apart: bool = False) -> Way:
    return Way(node.lineno, ast.unparse(node.test), "zero_grad" in ast.unparse(node), apart)


def _leaving_before(function: ast.AST, around: list[ast.AST], new: int) -> Iterator[Way]:
    """The ways out of a function in front of a row.

    An `__exit__` is told what has broken its block: what stands under a guard that asks that is passed by, too. So is
    what a `try` does at its end, where a handler goes on.
    """
    told = _told(function)
    for node in _own(function):
        if isinstance(node, ast.If) and node.lineno < new:
            asks = any(isinstance(part, ast.Name) and part.id in told for part in ast.walk(node.test))
            if asks if node in around else _leaves(node):
                yield _way(node, apart=True)
        elif getattr(node, "lineno", new) < new:
            yield from _ending_early(node, new)


def _ending_early(node: ast.AST, new: int) -> Iterator[Way]:
    """The ways by which a row is passed by where something is raised, or a case of a `match` leaves."""
    if isinstance(node, ast.Try):
        yield from (_handled(one) for one in node.handlers if _passes(one, node, new))
    elif isinstance(node, (ast.With, ast.AsyncWith)) and any(_suppresses(item.context_expr) for item in node.items):
        yield from (_handled(node),) if any(_holds(one, new) for one in node.body) else ()
    elif isinstance(node, ast.Match):
        left = (case.body[0] for case in node.cases if any(True for one in case.body for _ in leaving(one)))
        yield from (_handled(one) for one in left)


def _swallowed(around: list[ast.AST], name: str) -> Iterator[Way]:
    """The handlers that go on where a function raises that is called by this name, in the function that is around."""
    own = next((one for one in reversed(around) if isinstance(one, _DEFINED)), None)
    for node in _own(own) if own is not None else ():
        calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
        rows = [part.lineno for part in calls if ast.unparse(part.func).rpartition(".")[2] == name]
        if rows:
            yield from _ending_early(node, rows[0])


def _suppresses(context: ast.expr) -> bool:
    return isinstance(context, ast.Call) and ast.unparse(context.func).rpartition(".")[2] == "suppress"


def _passes(handler: ast.ExceptHandler, node: ast.Try, new: int) -> bool:
    """Whether a row that stands in a `try`, or behind it, is passed by where a handler goes on without raising."""
    if isinstance(handler.body[-1], ast.Raise) or any(_holds(one, new) for one in (*node.finalbody, *handler.body)):
        return False
    inside = any(_holds(one, new) for one in (*node.body, *node.orelse))
    return inside or next(leaving(handler), None) is not None


def _holds(node: ast.stmt, row: int) -> bool:
    return node.lineno <= row <= (node.end_lineno or row)


def _handled(handler: ast.ExceptHandler | ast.stmt) -> Way:
    return Way(handler.lineno, "", "zero_grad" in ast.unparse(handler), apart=True)


def _told(function: ast.AST) -> set[str]:
    """What a context is told of an exception: the parameters of its `__exit__`."""
    if not isinstance(function, _DEFINED) or function.name not in ("__exit__", "__aexit__"):
        return set()
    given = [*function.args.posonlyargs, *function.args.args][1:]
    return {one.arg for one in (*given, function.args.vararg) if one is not None}


def left_by(tree: ast.Module, row: int) -> str:
    """The test of the guard that a row belongs to, where that leaves the iteration; nothing where it does not."""
    guards = [one for one in _around(tree, row) if isinstance(one, (ast.If, *_LOOPS, *_FUNCTIONS))]
    last = guards[-1] if guards else None
    return ast.unparse(last.test) if isinstance(last, ast.If) and _leaves(last) else ""


def leaving(node: ast.AST, *, inside: bool = False) -> Iterator[ast.stmt]:
    """The statements in another one that leave the iteration around it; those `inside` a loop leave only that.

    The `else` of a loop belongs to what is around that loop.
    """
    if isinstance(node, ast.Return) or (isinstance(node, (ast.Continue, ast.Break)) and not inside):
        yield node
    if not isinstance(node, _FUNCTIONS):
        for part in ast.iter_child_nodes(node):
            looped = isinstance(node, _LOOPS) and part not in node.orelse
            yield from leaving(part, inside=inside or looped)


def _leaves(node: ast.If) -> bool:
    return next(leaving(node), None) is not None


def _around(node: ast.AST, row: int) -> list[ast.AST]:
    """The statements that hold a row in one of their suites, from the outside."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, (ast.stmt, ast.ExceptHandler)) and part.lineno <= row <= (part.end_lineno or row):
            inner = _around(part, row)
            return [part, *inner] if hasattr(part, "body") else inner
    return []


def _own(loop: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a loop, but for what functions in it do."""
    for part in ast.iter_child_nodes(loop):
        if not isinstance(part, _FUNCTIONS):
            yield part
            yield from _own(part)

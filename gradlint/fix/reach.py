"""Which names a place knows, and how it gets to know one more.

    def flush(opt):                    def flush(opt, scaler):
        opt.step()             ──►         scaler.step(opt)
    ...                                ...
    flush(opt)                         flush(opt, scaler)

A helper is given another argument only where every call of it in the file can be seen and knows the name.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gradlint.fix.code import names_read
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.source import parse

if TYPE_CHECKING:
    from gradlint.fix.moves import Work

_BUILTINS = frozenset(dir(builtins))
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def at_hand(work: Work, code: str, node: ast.AST, named: Sequence[str] = ()) -> None:
    """Have every name of some code known where it is put: as it is, or handed in by the callers.

    Raises:
        Refused: the code uses a name that nothing at this place knows.
    """
    for name in sorted(names_read([parse(code)]) - _known(work.layout, node) - set(named)):
        _hand_in(work, name, node)


def _known(layout: Layout, node: ast.AST) -> set[str]:
    known = set(_BUILTINS)
    scopes: list[ast.AST] = [layout.tree]
    scopes += [owner for owner in layout.owners(node) if isinstance(owner, _SCOPES)]
    for part in (part for scope in scopes for part in _of_scope(scope)):
        if isinstance(part, ast.Name):
            known.add(part.id)
        elif isinstance(part, ast.arg):
            known.add(part.arg)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            known |= {(name.asname or name.name).split(".")[0] for name in part.names}
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            known.add(part.name)
    return known


def _of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """What a scope holds, not what the functions inside it hold."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*_SCOPES, ast.ClassDef)):
            yield child
        else:
            yield from _of_scope(child)


def _hand_in(work: Work, name: str, node: ast.AST) -> None:
    """Make a name the last argument of the function around a place."""
    layout = work.layout
    function, missing = layout.function(node), Refused(f"`{name}` is not at hand there")
    if not isinstance(function, ast.FunctionDef) or isinstance(layout.owner(function), ast.ClassDef):
        raise missing
    given = function.args
    if not given.args or given.defaults or given.vararg or given.kwonlyargs or given.kwarg or function.decorator_list:
        raise missing
    used = [one for one in ast.walk(layout.tree) if isinstance(one, ast.Name) and one.id == function.name]
    calls = [call for one in used if isinstance(call := layout.parents[one], ast.Call) and call.func is one]
    if not calls or len(calls) != len(used) or _exported(layout, function.name):
        raise missing
    cuts = [_behind(layout.located_end(given.args[-1]), name)]
    for call in calls:
        plain = call.args and not call.keywords and not any(isinstance(one, ast.Starred) for one in call.args)
        if not plain or name not in _known(layout, call):
            raise missing
        cuts.append(_behind(layout.end(call.args[-1]), name))
    work.cuts += [cut for cut in cuts if cut not in work.cuts]


def _exported(layout: Layout, name: str) -> bool:
    """Whether other files are told of a name."""
    return any(
        isinstance(node, ast.Assign) and layout.code(node.targets[0]) == "__all__" and name in layout.code(node.value)
        for node in layout.tree.body
    )


def _behind(end: int, name: str) -> Cut:
    return Cut(end, end, f", {name}")

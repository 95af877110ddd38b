"""Gathering: functions that a file puts into lists and dictionaries, and the variables that go through these.

STEPS["plain"] = plain                    STEPS    ──► plain
self._steps[event].append(function)       _steps   ──► function
for step in self._steps.get(event, ()):   step     ──► _steps
@listens("batch") above `def learn`       function ──► learn, where `def listens(event)` holds `def keep(function)`
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gradlint.lower.outline import FunctionNode, Outline

PUTS = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update"})
_ROUND = frozenset({"enumerate", "iter", "list", "reversed", "set", "sorted", "tuple", "zip"})
"""What of Python's own goes through what it is given."""


def gathered(nodes: Iterable[ast.AST], mentioned: Callable[[ast.expr], Iterable[str]]) -> Iterator[tuple[str, str]]:
    """The names of what some statements put something into, or of what goes through that, each with what it may mean.

    Args:
        nodes: the statements.
        mentioned: the names in what is put there.
    """
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript):
                    yield from _each(_plain(target), mentioned(node.value))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            if isinstance(call.func, ast.Attribute) and call.func.attr in PUTS:
                put = [name for arg in (*call.args, *(word.value for word in call.keywords)) for name in mentioned(arg)]
                yield from _each(_plain(call.func.value), put)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            names = [part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)]
            yield from _each(names, list(_holders(node.iter)))


def filled(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names of what some statements put something into: other files may, too, by what they call here."""
    found = gathered((node for node in nodes if not isinstance(node, (ast.For, ast.AsyncFor))), lambda _: ("",))
    return frozenset(name for name, _ in found)


def _each(names: Iterable[str], meant: Iterable[str]) -> Iterator[tuple[str, str]]:
    found = list(meant)
    return ((name, one) for name in names for one in found)


PART = "."
"""Before the name of an attribute that is gone through: no function of the file is called like that."""


def _plain(node: ast.expr) -> Iterator[str]:
    """The names of what an expression gives the items of, attributes like variables."""
    return (name.removeprefix(PART) for name in _holders(node))


def _holders(node: ast.expr) -> Iterator[str]:
    """The variables and attributes whose items an expression gives, or which is one of their items."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield f"{PART}{node.attr}"
    elif isinstance(node, (ast.Subscript, ast.Starred)):
        yield from _holders(node.value)
    else:
        for part in _parts(node):
            yield from _holders(part)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield f"{node.func.id}()"


def _parts(node: ast.expr) -> Sequence[ast.expr]:
    """What an expression is put together from."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ROUND:
        return node.args
    if isinstance(node, (ast.Tuple, ast.List)):
        return node.elts
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else []


def decorated(outline: Outline, functions: Sequence[tuple[str | None, FunctionNode]]) -> Iterator[tuple[str, str]]:
    """The parameters under which decorators of the file get the functions below them, with these."""
    takers = _takers(functions)
    for node in outline.nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                made = isinstance(decorator, ast.Call)
                func = decorator.func if isinstance(decorator, ast.Call) else decorator
                name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
                yield from ((parameter, node.name) for parameter in takers.get((name, made), ()))


def _takers(functions: Sequence[tuple[str | None, FunctionNode]]) -> Mapping[tuple[str, bool], list[str]]:
    """The first parameters of functions by name, and of those in them that they hand out: `register(name)(hook)`."""
    found: dict[tuple[str, bool], list[str]] = {}
    for owner, node in functions:
        if not isinstance(node, ast.Lambda):
            inner = [one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
            for one, made in ((node, False), *((one, True) for one in inner)):
                places = [arg.arg for arg in (*one.args.posonlyargs, *one.args.args)]
                first = places[1:2] if owner and not made and places[:1] in (["self"], ["cls"]) else places[:1]
                found.setdefault((node.name, made), []).extend(first)
    return found

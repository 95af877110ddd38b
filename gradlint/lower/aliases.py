"""Functions under other names: kept in a variable, a dictionary or an attribute, or handed out by a factory.

step = partial(train_step, model)          step     ──► train_step
STEPS = {"plain": plain, "amp": amp}       STEPS    ──► plain, amp
def make(): def run(): ...; return run     make()   ──► run
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gradlint.lower.outline import FunctionNode, own
from gradlint.syntax.nodes import walk


def aliases(nodes: Iterable[ast.AST], functions: Sequence[tuple[str | None, FunctionNode]]) -> Mapping[str, set[str]]:
    """The functions of a file that a name may mean; `make()` what the call of `make` may hand out."""
    names = {node.name for _, node in functions if not isinstance(node, ast.Lambda)}
    meant: dict[str, set[str]] = {}
    for _, function in functions:
        if isinstance(function, ast.FunctionDef):
            for part in own(function.body):
                if isinstance(part, ast.Return) and part.value is not None:
                    meant.setdefault(f"{function.name}()", set()).update(_mentioned(part.value))
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            found = set(_mentioned(node.value))
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in _names(target) if found else ():
                    meant.setdefault(name, set()).update(found)
    return {name: found for name in meant if (found := _resolved(name, meant, names))}


def _resolved(name: str, meant: Mapping[str, set[str]], names: set[str]) -> set[str]:
    found: set[str] = set()
    seen, todo = {name}, list(meant[name])
    while todo:
        one = todo.pop()
        if one in names:
            found.add(one)
        if one not in seen:
            seen.add(one)
            todo += meant.get(one, ())
    return found


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _names(part)


def _mentioned(value: ast.expr) -> Iterator[str]:
    """Names that are not called, and calls by name."""
    if isinstance(value, ast.Constant):
        return
    parts = walk(value)
    called = {id(node.func) for node in parts if isinstance(node, ast.Call)}
    for node in parts:
        if isinstance(node, ast.Name):
            yield f"{node.id}()" if id(node) in called else node.id

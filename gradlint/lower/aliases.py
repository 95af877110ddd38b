"""Functions under other names: kept in a variable, a dictionary or an attribute, handed out, or handed over.

step = partial(train_step, model)          step     ──► train_step
STEPS = {"plain": plain, "amp": amp}       STEPS    ──► plain, amp
def make(): def run(): ...; return run     make()   ──► run
run_epoch(train_step, loader)              step     ──► train_step, where `def run_epoch(step, loader)`
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from gradlint.lower.outline import FunctionNode, Outline, own
from gradlint.syntax.nodes import walk


def aliases(outline: Outline, functions: Sequence[tuple[str | None, FunctionNode]]) -> Mapping[str, set[str]]:
    """The functions of a file that a name may mean; `make()` what the call of `make` may hand out."""
    names = {node.name for _, node in functions if not isinstance(node, ast.Lambda)}
    meant: dict[str, set[str]] = {}
    for _, function in functions:
        if isinstance(function, ast.FunctionDef):
            for part in own(function.body):
                if isinstance(part, ast.Return) and part.value is not None:
                    meant.setdefault(f"{function.name}()", set()).update(_mentioned(part.value))
    for node in outline.nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            found = set(_mentioned(node.value))
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in _names(target) if found else ():
                    meant.setdefault(name, set()).update(found)
    for parameter, given in _handed_over(outline, functions, names):
        meant.setdefault(parameter, set()).add(given)
    return {name: found for name in meant if (found := _resolved(name, meant, names))}


def _handed_over(
    outline: Outline, functions: Sequence[tuple[str | None, FunctionNode]], names: set[str]
) -> Iterator[tuple[str, str]]:
    """The parameters that functions of the file are handed to in a call of another, with these."""
    takers: dict[str, list[list[str]]] = {}
    for owner, taker in functions:
        if not isinstance(taker, ast.Lambda):
            places = [arg.arg for arg in (*taker.args.posonlyargs, *taker.args.args)]
            takers.setdefault(taker.name, []).append(places[1:] if owner and places[:1] == ["self"] else places)
    wanted = {name.encode() for name in names}
    found = (match.end() for match in _GIVEN.finditer(outline.data) if match.group() in wanted) if wanted else ()
    for node in outline.within(outline.rows(found)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for places in takers.get(called, ()):
            given = (*zip(places, node.args, strict=False), *((word.arg, word.value) for word in node.keywords))
            yield from ((name, one) for name, arg in given if name for one in _mentioned(arg) if one in names)


_GIVEN = re.compile(rb"(?<![\w.])[A-Za-z_\x80-\xff][\w\x80-\xff]*(?![\w\x80-\xff])(?!\s*[(.])")
"""A name that is no attribute, is not called, and has none that is asked for."""


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

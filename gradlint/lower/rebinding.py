"""Rebinding: what a module's statements leave under a name that several of them bind. It is what the last one binds.

def scale(n): ...        the function
from one import scale    one.scale
from two import *        two.scale, where `two` has one

Only what stands in the module itself counts: of the branches of a `try` or an `if` nobody knows which one runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from gradlint.lower.names import imports_of, star_of
from gradlint.lower.outline import own
from gradlint.model.record import dataclass

Exports: TypeAlias = Callable[[str], Mapping[str, str]]
"""The names that a star import brings, each with what it is: by the beginning of their qualified names, `two.`."""


@dataclass(frozen=True, slots=True)
class Rebound:
    """The names that an import takes over.

    Attributes:
        imports: What they are elsewhere, in the end.
        freed: The names of the module's own that go where an import stands.
        lost: Those that do not come back behind it.
    """

    imports: Mapping[str, str] = field(default_factory=dict)
    freed: Mapping[ast.stmt, tuple[str, ...]] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()


def rebound(body: Sequence[ast.stmt], exports: Exports) -> Rebound:
    """Go through a module's statements in their order."""
    named: dict[str, bool] = {}
    imports: dict[str, str] = {}
    freed: dict[ast.stmt, tuple[str, ...]] = {}
    for node in body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in _bound(node):
                named[name] = True
                imports.pop(name, None)
            for name, kept in _perhaps(node):
                named.setdefault(name, kept)
            continue
        star = star_of(node)
        brought = imports_of([node])
        if star:
            brought = {name: what for name, what in exports(star).items() if name in named} if named else {}
        taken = tuple(name for name in brought if named.get(name))
        if taken:
            freed[node] = taken
        imports.update({name: brought[name] for name in (brought if star else taken)})
        named.update(dict.fromkeys(brought, False))
    return Rebound(imports, freed, frozenset(name for name in imports if not named[name]) if freed else frozenset())


def _perhaps(node: ast.stmt) -> Iterator[tuple[str, bool]]:
    """The names that statements inside of one may bind, each with whether it is the module's own then."""
    if isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
        inner = [one for one in own([node]) if one is not node]
        yield from ((name, True) for one in inner if isinstance(one, ast.stmt) for name in _bound(one))
        yield from ((name, False) for name in imports_of(inner))


def binds(tree: ast.Module) -> frozenset[str]:
    """The names that a module has for others, those of its star imports aside; `__all__` says which, if it is there."""
    told = shown(tree)
    if told is not None:
        return told
    found = {name for node in own(tree.body) if isinstance(node, ast.stmt) for name in _bound(node)}
    found |= imports_of(own(tree.body)).keys()
    return frozenset(name for name in found if not name.startswith("_") and name != "*")


def shown(tree: ast.Module) -> frozenset[str] | None:
    """What a module itself says that it has for star imports: `__all__ = ["fit"]`, and nothing is added to that."""
    about = [node for node in tree.body if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and _on_all(node)]
    value = about[0].value if len(about) == 1 and isinstance(about[0], ast.Assign) else None
    if not isinstance(value, (ast.List, ast.Tuple)):
        return None
    items = [one.value for one in value.elts if isinstance(one, ast.Constant)]
    return frozenset(one for one in items if isinstance(one, str)) if len(items) == len(value.elts) else None


def _on_all(node: ast.Assign | ast.AugAssign | ast.Expr) -> bool:
    """Whether a statement makes `__all__`, or adds to it."""
    if isinstance(node, ast.Expr):
        func = node.value.func if isinstance(node.value, ast.Call) else None
        targets = [func.value] if isinstance(func, ast.Attribute) else []
    else:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement by itself binds, imports aside."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from _names(node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from _names([node.target])


def _names(targets: Iterable[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, (ast.Tuple, ast.List)):
            yield from _names(target.elts)

"""Scopes of names: what a function binds, and what its statements read and set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from gradlint.syntax.nodes import LEAVES, children, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


_BINDING = frozenset(
    {ast.Name, ast.Import, ast.ImportFrom, *FUNCTIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar}
)


NONE: frozenset[str] = frozenset()


Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache(maxsize=16)
def scopes(tree: ast.Module) -> tuple[tuple[Scope, frozenset[str]], ...]:
    """Every scope that has statements, with the names of the scopes around it."""
    return tuple(_scopes(tree))


def _scopes(tree: ast.Module) -> Iterator[tuple[Scope, frozenset[str]]]:
    todo: list[tuple[ast.AST, frozenset[str]]] = [(tree, NONE)]
    while todo:
        node, known = todo.pop()
        if isinstance(node, (ast.Module, *FUNCTIONS)):
            yield node, known
            known = known | bound_in(node)
        todo += [(child, known) for child in children(node)]


def parameters(scope: Scope) -> frozenset[str]:
    """The parameters of a scope."""
    if isinstance(scope, ast.Module):
        return NONE
    return frozenset(node.arg for node in walk(scope.args) if isinstance(node, ast.arg))


@lru_cache(maxsize=512)
def bound_in(scope: Scope) -> frozenset[str]:
    """All names that a scope binds somewhere."""
    own = list(own_nodes(scope))
    shared = {name for node in own if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return (parameters(scope) | {name for node in own for name in binds(node)}) - shared


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a scope itself."""
    todo = children(scope)[::-1]
    while todo:
        node = todo.pop()
        yield node
        if node.__class__ not in LEAVES and not isinstance(node, _SCOPES):
            todo += reversed(children(node))


def binds(node: ast.AST) -> list[str]:
    """The names that a node binds by itself."""
    if node.__class__ not in _BINDING:
        return []
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return [node.name]
    return [node.name] if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name else []


@lru_cache(maxsize=4096)
def names_stored(node: ast.AST) -> frozenset[str]:
    """The names that a simple statement, a target or a pattern binds."""
    return frozenset(name for part in (node, *own_nodes(node)) for name in binds(part))


@lru_cache(maxsize=4096)
def names_read(node: ast.stmt) -> frozenset[str]:
    """The names that a statement, or the header of a compound one, reads."""
    return NONE.union(*map(names_loaded, header(node)))


@lru_cache(maxsize=4096)
def names_used(node: ast.stmt) -> frozenset[str]:
    """The names of which it asks an attribute, so that they cannot be `None`."""
    parts = (part for one in header(node) for part in walk(one) if isinstance(part, ast.Attribute))
    return frozenset(part.value.id for part in parts if isinstance(part.value, ast.Name))


def words(node: ast.stmt) -> str:
    """A simple statement, or the header of a compound one, as text that knows no place."""
    return " ".join(ast.unparse(part) for part in header(node))


def header(node: ast.stmt) -> list[ast.AST]:
    """What a statement evaluates before its suites run, if it has any."""
    if isinstance(node, (ast.If, ast.While)):
        return [node.test]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    if isinstance(node, ast.Match):
        return [node.subject]
    return [] if isinstance(node, (ast.Try, *_SCOPES)) else [node]


def names_loaded(node: ast.AST) -> frozenset[str]:
    """Names read in an expression, those that it binds itself left out."""
    if isinstance(node, ast.Lambda):
        return NONE
    if isinstance(node, _COMPREHENSIONS):
        own = {name for part in walk(node) for name in binds(part)}
        return frozenset(part.id for part in walk(node) if isinstance(part, ast.Name)) - own
    if isinstance(node, ast.Name):
        return frozenset({node.id}) if isinstance(node.ctx, ast.Load) else NONE
    grown = node.target if isinstance(node, ast.AugAssign) else None
    found = frozenset({grown.id}) if isinstance(grown, ast.Name) else NONE
    return found.union(*map(names_loaded, children(node)))


def suites(node: ast.AST) -> list[list[ast.stmt]]:
    """The suites of a statement."""
    found = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    return [suite for suite in found if isinstance(suite, list) and suite]

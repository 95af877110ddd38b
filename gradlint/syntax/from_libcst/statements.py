"""Statements: from LibCST's classes to Python's."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import libcst as cst

from gradlint.syntax.from_libcst import operators
from gradlint.syntax.from_libcst.expressions import (
    expression,
    keywords,
    optional,
    parameters,
    positional,
    single,
    target,
)
from gradlint.syntax.from_libcst.patterns import pattern
from gradlint.syntax.from_libcst.places import Places


def module(node: cst.Module) -> ast.Module:
    """Convert a whole file.

    Raises:
        ValueError: something in it is of a kind that only later Pythons have.
    """
    return ast.Module(_block(node.body, Places(node)), type_ignores=[])


@singledispatch
def statement(node: cst.CSTNode, at: Places) -> ast.stmt:
    """Convert one statement.

    Raises:
        ValueError: it is of a kind that only later Pythons have.
    """
    raise ValueError(f"{type(node).__name__} at line {at.of(node)['lineno']} is unknown")


def _block(nodes: Sequence[cst.CSTNode], at: Places) -> list[ast.stmt]:
    """Convert statements, several of which may share a line."""
    found: list[ast.stmt] = []
    for node in nodes:
        small = node.body if isinstance(node, cst.SimpleStatementLine) else [node]
        found += [statement(item, at) for item in small]
    return found


def _body(node: cst.Else | cst.Finally | cst.BaseSuite | None, at: Places) -> list[ast.stmt]:
    """Convert the suite of a compound statement, or of a clause that may be missing."""
    if node is None:
        return []
    return _block(node.body, at) if isinstance(node, cst.BaseSuite) else _body(node.body, at)


# ------------------------------------------------------------------------- simple statements


@statement.register
def _expression(node: cst.Expr, at: Places) -> ast.stmt:
    return ast.Expr(expression(node.value, at), **at.of(node))


@statement.register
def _assign(node: cst.Assign, at: Places) -> ast.stmt:
    targets = [target(item.target, at) for item in node.targets]
    return ast.Assign(targets, expression(node.value, at), **at.of(node))


@statement.register
def _annotated(node: cst.AnnAssign, at: Places) -> ast.stmt:
    return ast.AnnAssign(
        target=single(node.target, at),
        annotation=expression(node.annotation.annotation, at),
        value=optional(node.value, at),
        simple=int(isinstance(node.target, cst.Name) and not node.target.lpar),
        **at.of(node),
    )


@statement.register
def _augmented(node: cst.AugAssign, at: Places) -> ast.stmt:
    return ast.AugAssign(
        target=single(node.target, at),
        op=operators.binary(node.operator),
        value=expression(node.value, at),
        **at.of(node),
    )


@statement.register
def _delete(node: cst.Del, at: Places) -> ast.stmt:
    found = target(node.target, at, ast.Del)
    if isinstance(found, ast.Tuple) and not node.target.lpar:
        return ast.Delete(found.elts, **at.of(node))
    return ast.Delete([found], **at.of(node))


@statement.register
def _return(node: cst.Return, at: Places) -> ast.stmt:
    return ast.Return(optional(node.value, at), **at.of(node))


@statement.register
def _raise(node: cst.Raise, at: Places) -> ast.stmt:
    cause = None if node.cause is None else expression(node.cause.item, at)
    return ast.Raise(optional(node.exc, at), cause, **at.of(node))


@statement.register
def _assert(node: cst.Assert, at: Places) -> ast.stmt:
    return ast.Assert(expression(node.test, at), optional(node.msg, at), **at.of(node))


@statement.register
def _global(node: cst.Global, at: Places) -> ast.stmt:
    return ast.Global([item.name.value for item in node.names], **at.of(node))


@statement.register
def _nonlocal(node: cst.Nonlocal, at: Places) -> ast.stmt:
    return ast.Nonlocal([item.name.value for item in node.names], **at.of(node))


@statement.register(cst.Pass)
@statement.register(cst.TypeAlias)
def _pass(node: cst.CSTNode, at: Places) -> ast.stmt:
    return ast.Pass(**at.of(node))


@statement.register
def _break(node: cst.Break, at: Places) -> ast.stmt:
    return ast.Break(**at.of(node))


@statement.register
def _continue(node: cst.Continue, at: Places) -> ast.stmt:
    return ast.Continue(**at.of(node))


@statement.register
def _import(node: cst.Import, at: Places) -> ast.stmt:
    return ast.Import([_alias(item, at) for item in node.names], **at.of(node))


@statement.register
def _import_from(node: cst.ImportFrom, at: Places) -> ast.stmt:
    if isinstance(node.names, cst.ImportStar):
        names = [ast.alias("*", None, **at.of(node.names))]
    else:
        names = [_alias(item, at) for item in node.names]
    source = None if node.module is None else _dotted(node.module)
    return ast.ImportFrom(source, names, len(node.relative), **at.of(node))


def _alias(node: cst.ImportAlias, at: Places) -> ast.alias:
    if node.asname is None:
        return ast.alias(_dotted(node.name), None, **at.of(node.name))
    place = at.between(at.start(node.name), at.end(node.asname.name))
    return ast.alias(_dotted(node.name), _bound(node.asname), **place)


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    assert isinstance(node, cst.Name)
    return node.value


def _bound(node: cst.AsName | None) -> str | None:
    """`e` of `import d as e` and of `except E as e`."""
    return None if node is None else _dotted(node.name)


# ----------------------------------------------------------------------- compound statements


@statement.register
def _if(node: cst.If, at: Places) -> ast.stmt:
    orelse = [_if(node.orelse, at)] if isinstance(node.orelse, cst.If) else _body(node.orelse, at)
    return ast.If(expression(node.test, at), _body(node.body, at), orelse, **at.block(node))


@statement.register
def _for(node: cst.For, at: Places) -> ast.stmt:
    kind = ast.For if node.asynchronous is None else ast.AsyncFor
    return kind(
        target=target(node.target, at),
        iter=expression(node.iter, at),
        body=_body(node.body, at),
        orelse=_body(node.orelse, at),
        **at.block(node),
    )


@statement.register
def _while(node: cst.While, at: Places) -> ast.stmt:
    body, orelse = _body(node.body, at), _body(node.orelse, at)
    return ast.While(expression(node.test, at), body, orelse, **at.block(node))


@statement.register
def _with(node: cst.With, at: Places) -> ast.stmt:
    kind = ast.With if node.asynchronous is None else ast.AsyncWith
    items = []
    for item in node.items:
        bound = None if item.asname is None else target(item.asname.name, at)
        items.append(ast.withitem(expression(item.item, at), bound))
    return kind(items, _body(node.body, at), **at.block(node))


@statement.register(cst.Try)
@statement.register(cst.TryStar)
def _try(node: cst.Try | cst.TryStar, at: Places) -> ast.stmt:
    kind: type[ast.Try] = getattr(ast, type(node).__name__, ast.Try)
    return kind(
        body=_body(node.body, at),
        handlers=[_handler(item, at) for item in node.handlers],
        orelse=_body(node.orelse, at),
        finalbody=_body(node.finalbody, at),
        **at.block(node),
    )


def _handler(node: cst.ExceptHandler | cst.ExceptStarHandler, at: Places) -> ast.ExceptHandler:
    caught = optional(node.type, at)
    return ast.ExceptHandler(caught, _bound(node.name), _body(node.body, at), **at.block(node))


@statement.register
def _match(node: cst.Match, at: Places) -> ast.stmt:
    cases = [
        ast.match_case(pattern(case.pattern, at), optional(case.guard, at), _body(case.body, at)) for case in node.cases
    ]
    return ast.Match(expression(node.subject, at), cases, **at.block(node))


@statement.register
def _function(node: cst.FunctionDef, at: Places) -> ast.stmt:
    kind = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
    return kind(
        name=node.name.value,
        args=parameters(node.params, at),
        body=_body(node.body, at),
        decorator_list=[expression(item.decorator, at) for item in node.decorators],
        returns=None if node.returns is None else expression(node.returns.annotation, at),
        **_generic(),
        **at.block(node),
    )


@statement.register
def _class(node: cst.ClassDef, at: Places) -> ast.stmt:
    args = [*node.bases, *node.keywords]
    return ast.ClassDef(
        name=node.name.value,
        bases=positional(args, at),
        keywords=keywords(args, at),
        body=_body(node.body, at),
        decorator_list=[expression(item.decorator, at) for item in node.decorators],
        **_generic(),
        **at.block(node),
    )


def _generic() -> dict[str, Any]:
    """No type parameters, where the running Python's definitions have a field for them."""
    return {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}

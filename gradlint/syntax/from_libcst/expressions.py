"""Expressions: from LibCST's classes to Python's."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import TypeAlias

import libcst as cst

from gradlint.syntax.from_libcst import operators
from gradlint.syntax.from_libcst.places import Places

_Literal: TypeAlias = cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString
_Interpolation: TypeAlias = cst.FormattedStringExpression | cst.TemplatedStringExpression
_SINGLETONS = {"None": None, "True": True, "False": False}


@singledispatch
def expression(node: cst.CSTNode, at: Places) -> ast.expr:
    """Convert one expression.

    Raises:
        ValueError: it is of a kind that only later Pythons have.
    """
    raise ValueError(f"{type(node).__name__} at line {at.of(node)['lineno']} is unknown")


def optional(node: cst.BaseExpression | None, at: Places) -> ast.expr | None:
    """Convert an expression that may be missing."""
    return None if node is None else expression(node, at)


def single(node: cst.BaseExpression, at: Places) -> ast.Name | ast.Attribute | ast.Subscript:
    """Convert what `+=` or an annotation is written for."""
    found = target(node, at)
    assert isinstance(found, (ast.Name, ast.Attribute, ast.Subscript))
    return found


def target(node: cst.BaseExpression, at: Places, context: type[ast.expr_context] = ast.Store) -> ast.expr:
    """Convert what is assigned to or deleted."""
    found = expression(node, at)
    _mark(found, context)
    return found


def _mark(node: ast.expr, context: type[ast.expr_context]) -> None:
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Starred, ast.Tuple, ast.List)):
        node.ctx = context()
    if isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            _mark(item, context)
    elif isinstance(node, ast.Starred):
        _mark(node.value, context)


# ------------------------------------------------------------------------ names and literals


@expression.register
def _name(node: cst.Name, at: Places) -> ast.expr:
    if node.value in _SINGLETONS:
        return ast.Constant(_SINGLETONS[node.value], **at.of(node))
    return ast.Name(node.value, ast.Load(), **at.of(node))


@expression.register
def _ellipsis(node: cst.Ellipsis, at: Places) -> ast.expr:
    return ast.Constant(..., **at.of(node))


@expression.register(cst.Integer)
@expression.register(cst.Float)
@expression.register(cst.Imaginary)
@expression.register(cst.SimpleString)
def _literal(node: _Literal, at: Places) -> ast.expr:
    return ast.Constant(ast.literal_eval(node.value), **at.of(node))


@expression.register
def _concatenated(node: cst.ConcatenatedString, at: Places) -> ast.expr:
    pieces = [expression(piece, at) for piece in _pieces(node)]
    if all(isinstance(piece, ast.Constant) for piece in pieces):
        text = " ".join(piece.value for piece in _pieces(node) if isinstance(piece, cst.SimpleString))
        return ast.Constant(ast.literal_eval(text), **at.of(node))
    found = [piece.values for piece in pieces if isinstance(piece, ast.JoinedStr)]
    return ast.JoinedStr([value for values in found for value in values], **at.of(node))


def _pieces(node: cst.BaseString) -> list[cst.BaseString]:
    if isinstance(node, cst.ConcatenatedString):
        return [*_pieces(node.left), *_pieces(node.right)]
    return [node]


@expression.register(cst.FormattedString)
@expression.register(cst.TemplatedString)
def _formatted(node: cst.FormattedString | cst.TemplatedString, at: Places) -> ast.expr:
    return ast.JoinedStr(_expressions(node.parts, at), **at.of(node))


def _expressions(
    parts: Iterable[cst.BaseFormattedStringContent | cst.BaseTemplatedStringContent], at: Places
) -> list[ast.expr]:
    """The parts of an f-string that are no text."""
    return [_interpolation(part, at) for part in parts if isinstance(part, _Interpolation)]


def _interpolation(node: _Interpolation, at: Places) -> ast.expr:
    spec: ast.expr | None = None
    if node.format_spec is not None:
        spec = ast.JoinedStr(_expressions(node.format_spec, at), **at.of(node))
    return ast.FormattedValue(expression(node.expression, at), -1, spec, **at.of(node))


# ------------------------------------------------------------------------------- collections


@expression.register
def _tuple(node: cst.Tuple, at: Places) -> ast.expr:
    elements = [expression(element, at) for element in node.elements]
    place = at.parentheses(node) if node.lpar else at.items(node.elements)
    return ast.Tuple(elements, ast.Load(), **place)


@expression.register
def _list(node: cst.List, at: Places) -> ast.expr:
    return ast.List([expression(item, at) for item in node.elements], ast.Load(), **at.of(node))


@expression.register
def _set(node: cst.Set, at: Places) -> ast.expr:
    return ast.Set([expression(item, at) for item in node.elements], **at.of(node))


@expression.register
def _element(node: cst.Element, at: Places) -> ast.expr:
    return expression(node.value, at)


@expression.register
def _starred(node: cst.StarredElement, at: Places) -> ast.expr:
    return ast.Starred(expression(node.value, at), ast.Load(), **at.of(node))


@expression.register
def _dict(node: cst.Dict, at: Places) -> ast.expr:
    keys = [expression(item.key, at) if isinstance(item, cst.DictElement) else None for item in node.elements]
    values = [expression(item.value, at) for item in node.elements]
    return ast.Dict(keys, values, **at.of(node))


@expression.register
def _list_comprehension(node: cst.ListComp, at: Places) -> ast.expr:
    return ast.ListComp(expression(node.elt, at), _clauses(node.for_in, at), **at.of(node))


@expression.register
def _set_comprehension(node: cst.SetComp, at: Places) -> ast.expr:
    return ast.SetComp(expression(node.elt, at), _clauses(node.for_in, at), **at.of(node))


@expression.register
def _dict_comprehension(node: cst.DictComp, at: Places) -> ast.expr:
    key, value = expression(node.key, at), expression(node.value, at)
    return ast.DictComp(key, value, _clauses(node.for_in, at), **at.of(node))


@expression.register
def _generator(node: cst.GeneratorExp, at: Places) -> ast.expr:
    place = at.parentheses(node) if node.lpar else at.of(node)
    return ast.GeneratorExp(expression(node.elt, at), _clauses(node.for_in, at), **place)


def _clauses(node: cst.CompFor | None, at: Places) -> list[ast.comprehension]:
    clauses = []
    while node is not None:
        tests = [expression(test.test, at) for test in node.ifs]
        is_async = int(node.asynchronous is not None)
        over = expression(node.iter, at)
        clauses.append(ast.comprehension(target(node.target, at), over, tests, is_async))
        node = node.inner_for_in
    return clauses


# --------------------------------------------------------------------------------- operators


@expression.register
def _unary(node: cst.UnaryOperation, at: Places) -> ast.expr:
    operand = expression(node.expression, at)
    return ast.UnaryOp(operators.unary(node.operator), operand, **at.of(node))


@expression.register
def _binary(node: cst.BinaryOperation, at: Places) -> ast.expr:
    left, right = expression(node.left, at), expression(node.right, at)
    return ast.BinOp(left, operators.binary(node.operator), right, **at.of(node))


@expression.register
def _boolean(node: cst.BooleanOperation, at: Places) -> ast.expr:
    values = [expression(value, at) for value in _operands(node)]
    return ast.BoolOp(operators.boolean(node.operator), values, **at.of(node))


def _operands(node: cst.BooleanOperation) -> list[cst.BaseExpression]:
    """`a, b, c` of `a and b and c`, which LibCST nests to the left."""
    found = [node.right]
    left = node.left
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator) and not left.lpar:
        found.append(left.right)
        left = left.left
    return [left, *reversed(found)]


@expression.register
def _comparison(node: cst.Comparison, at: Places) -> ast.expr:
    compared = [operators.comparison(item.operator) for item in node.comparisons]
    comparators = [expression(item.comparator, at) for item in node.comparisons]
    return ast.Compare(expression(node.left, at), compared, comparators, **at.of(node))


@expression.register
def _choice(node: cst.IfExp, at: Places) -> ast.expr:
    body, orelse = expression(node.body, at), expression(node.orelse, at)
    return ast.IfExp(expression(node.test, at), body, orelse, **at.of(node))


@expression.register
def _walrus(node: cst.NamedExpr, at: Places) -> ast.expr:
    name = target(node.target, at)
    assert isinstance(name, ast.Name)
    return ast.NamedExpr(name, expression(node.value, at), **at.of(node))


# -------------------------------------------------------------------- attributes, items, calls


@expression.register
def _attribute(node: cst.Attribute, at: Places) -> ast.expr:
    return ast.Attribute(expression(node.value, at), node.attr.value, ast.Load(), **at.of(node))


@expression.register
def _subscript(node: cst.Subscript, at: Places) -> ast.expr:
    items = [expression(item.slice, at) for item in node.slice]
    index = items[0]
    trailing = isinstance(node.slice[-1].comma, cst.Comma)
    if len(items) > 1 or trailing or isinstance(index, ast.Starred):
        index = ast.Tuple(items, ast.Load(), **at.items(node.slice))
    return ast.Subscript(expression(node.value, at), index, ast.Load(), **at.of(node))


@expression.register
def _index(node: cst.Index, at: Places) -> ast.expr:
    value = expression(node.value, at)
    return ast.Starred(value, ast.Load(), **at.of(node)) if node.star else value


@expression.register
def _slice(node: cst.Slice, at: Places) -> ast.expr:
    lower, upper, step = (optional(part, at) for part in (node.lower, node.upper, node.step))
    return ast.Slice(lower, upper, step, **at.between(at.start(node), at.end(node)))


@expression.register
def _call(node: cst.Call, at: Places) -> ast.expr:
    args = positional(node.args, at)
    if args and isinstance(args[0], ast.GeneratorExp) and not node.args[0].value.lpar:
        start, end = at.span(node.whitespace_after_func)[1], at.span(node)[1]
        args[0] = ast.GeneratorExp(args[0].elt, args[0].generators, **at.between(start, end))
    return ast.Call(expression(node.func, at), args, keywords(node.args, at), **at.of(node))


def positional(args: Sequence[cst.Arg], at: Places) -> list[ast.expr]:
    """`a, *b` of `f(a, *b, c=d, **e)`."""
    found: list[ast.expr] = []
    for arg in args:
        if arg.keyword is None and arg.star != "**":
            value = expression(arg.value, at)
            found.append(ast.Starred(value, ast.Load(), **at.of(arg)) if arg.star else value)
    return found


def keywords(args: Sequence[cst.Arg], at: Places) -> list[ast.keyword]:
    """`c=d, **e` of `f(a, *b, c=d, **e)`."""
    found = []
    for arg in args:
        if arg.keyword is not None or arg.star == "**":
            name = None if arg.keyword is None else arg.keyword.value
            found.append(ast.keyword(name, expression(arg.value, at), **at.of(arg)))
    return found


@expression.register
def _await(node: cst.Await, at: Places) -> ast.expr:
    return ast.Await(expression(node.expression, at), **at.of(node))


@expression.register
def _yield(node: cst.Yield, at: Places) -> ast.expr:
    if isinstance(node.value, cst.From):
        return ast.YieldFrom(expression(node.value.item, at), **at.of(node))
    return ast.Yield(optional(node.value, at), **at.of(node))


@expression.register
def _lambda(node: cst.Lambda, at: Places) -> ast.expr:
    return ast.Lambda(parameters(node.params, at), expression(node.body, at), **at.of(node))


def parameters(node: cst.Parameters, at: Places) -> ast.arguments:
    """What a function or lambda takes."""
    plain = [*node.posonly_params, *node.params]
    return ast.arguments(
        posonlyargs=[_parameter(item, at) for item in node.posonly_params],
        args=[_parameter(item, at) for item in node.params],
        vararg=_parameter(node.star_arg, at) if isinstance(node.star_arg, cst.Param) else None,
        kwonlyargs=[_parameter(item, at) for item in node.kwonly_params],
        kw_defaults=[optional(item.default, at) for item in node.kwonly_params],
        kwarg=None if node.star_kwarg is None else _parameter(node.star_kwarg, at),
        defaults=[expression(item.default, at) for item in plain if item.default is not None],
    )


def _parameter(node: cst.Param, at: Places) -> ast.arg:
    annotation = None if node.annotation is None else node.annotation.annotation
    place = at.between(at.start(node.name), at.end(annotation or node.name))
    return ast.arg(node.name.value, optional(annotation, at), **place)

"""Patterns of `match`: from LibCST's classes to Python's."""

from __future__ import annotations

import ast
from functools import singledispatch

import libcst as cst

from gradlint.syntax.from_libcst.expressions import expression
from gradlint.syntax.from_libcst.places import Places


@singledispatch
def pattern(node: cst.CSTNode, at: Places) -> ast.pattern:
    """Convert one pattern.

    Raises:
        ValueError: it is of a kind that only later Pythons have.
    """
    raise ValueError(f"{type(node).__name__} at line {at.of(node)['lineno']} is unknown")


@pattern.register
def _value(node: cst.MatchValue, at: Places) -> ast.pattern:
    return ast.MatchValue(expression(node.value, at), **at.of(node.value))


@pattern.register
def _singleton(node: cst.MatchSingleton, at: Places) -> ast.pattern:
    value = ast.literal_eval(node.value.value)
    return ast.MatchSingleton(value, **at.of(node.value))


@pattern.register
def _list(node: cst.MatchList, at: Places) -> ast.pattern:
    patterns = [pattern(item, at) for item in node.patterns]
    return ast.MatchSequence(patterns, **(at.of(node) if node.lbracket else at.items(node.patterns)))


@pattern.register
def _tuple(node: cst.MatchTuple, at: Places) -> ast.pattern:
    place = at.parentheses(node) if node.lpar else at.items(node.patterns)
    return ast.MatchSequence([pattern(item, at) for item in node.patterns], **place)


@pattern.register
def _element(node: cst.MatchSequenceElement, at: Places) -> ast.pattern:
    return pattern(node.value, at)


@pattern.register
def _star(node: cst.MatchStar, at: Places) -> ast.pattern:
    end = at.end(node.whitespace_before_name) + 1 if node.name is None else at.end(node.name)
    name = None if node.name is None else node.name.value
    return ast.MatchStar(name, **at.between(at.start(node), end))


@pattern.register
def _mapping(node: cst.MatchMapping, at: Places) -> ast.pattern:
    keys = [expression(item.key, at) for item in node.elements]
    patterns = [pattern(item.pattern, at) for item in node.elements]
    rest = None if node.rest is None else node.rest.value
    return ast.MatchMapping(keys, patterns, rest, **at.of(node))


@pattern.register
def _class(node: cst.MatchClass, at: Places) -> ast.pattern:
    return ast.MatchClass(
        cls=expression(node.cls, at),
        patterns=[pattern(item, at) for item in node.patterns],
        kwd_attrs=[item.key.value for item in node.kwds],
        kwd_patterns=[pattern(item.pattern, at) for item in node.kwds],
        **at.of(node),
    )


@pattern.register
def _as(node: cst.MatchAs, at: Places) -> ast.pattern:
    inner = None if node.pattern is None else pattern(node.pattern, at)
    return ast.MatchAs(inner, None if node.name is None else node.name.value, **at.of(node))


@pattern.register
def _or(node: cst.MatchOr, at: Places) -> ast.pattern:
    return ast.MatchOr([pattern(item.pattern, at) for item in node.patterns], **at.of(node))

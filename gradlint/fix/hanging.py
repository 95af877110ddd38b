"""What a statement hangs on: those ahead of it that work out what it is given, or whether it runs.

sizes.append(length(params))
limit = median(sizes)               clip(params, limit)     hangs on both
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gradlint.fix.code import last_name
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.fix.rates import functions_named
from gradlint.model.finding import Span

_SCALE = re.compile(r"(?i)scale")
_BY_SCALE = re.compile(r"(?i)/[^/\n]*scale")
_LOOPS = (ast.For, ast.AsyncFor)


def hangs_on(layout: Layout, node: ast.stmt) -> list[ast.stmt]:
    """The statements ahead of one in its function that it hangs on, with the guards around it; in their order."""
    function = layout.function(node)
    guards = [one for one in layout.owners(node) if isinstance(one, ast.If) and layout.function(one) is function]
    needed = things_read(node).union(*(things_read(one.test) for one in guards))
    ahead = [
        one
        for one in layout.statements()
        if layout.function(one) is function and layout.start(one) < layout.start(node) and one is not function
    ]
    found: list[ast.stmt] = list(guards)
    for one in sorted(ahead, key=layout.start, reverse=True):
        if one not in guards and (isinstance(one, _LOOPS) or not suites(one)) and things_changed(one) & needed:
            found.append(one)
            needed |= things_read(one.iter if isinstance(one, _LOOPS) else one)
    return sorted(found, key=layout.start)


def first_behind(layout: Layout, node: ast.stmt, behind: Span) -> ast.stmt:
    """The first statement that another one hangs on, behind a place in its function, or, where that is its own, of all.

    Ahead of it both see the same.

    Raises:
        Refused: there is none, it is another function, or a scale is asked for on the way, which may be taken out.
    """
    start = layout.statement(behind)
    if layout.function(start) is not layout.function(node):
        raise Refused("it stands in another function")
    done = -1 if start is node else layout.end(start)
    found = [one for one in hangs_on(layout, node) if layout.start(one) > done]
    if not found or any(asks_for_scale(layout, one) for one in found):
        raise Refused("nothing ahead of it has to come behind")
    first, around = found[0], {node, *layout.owners(node)}
    while not around.intersection(layout.suite(first)):
        owner = layout.owner(first)
        if not isinstance(owner, ast.stmt):
            raise Refused("what it hangs on stands elsewhere")
        first = owner
    if layout.start(first) < done:
        raise Refused("what it hangs on is worked out around it")
    return first


def asks_for_scale(layout: Layout, node: ast.stmt) -> bool:
    """Whether a statement, or a function of the file that it calls, names a scale."""
    return any(_SCALE.search(code) for code in _codes(layout, node))


def divides_by_scale(layout: Layout, node: ast.stmt) -> bool:
    """Whether a statement, or a function of the file that it calls, divides by a scale."""
    return any(_BY_SCALE.search(code) for code in _codes(layout, node))


def _codes(layout: Layout, node: ast.stmt) -> Iterator[str]:
    part: ast.AST = node.test if isinstance(node, ast.If) else node
    yield ast.unparse(part)
    for call in (one for one in ast.walk(part) if isinstance(one, ast.Call)):
        yield from map(ast.unparse, functions_named(layout, last_name(call.func)))


def things_read(node: ast.AST) -> set[str]:
    """The names that are read, and the attributes of `self`."""
    names = (one for one in ast.walk(node) if isinstance(one, (ast.Name, ast.Attribute)))
    return {_thing(one) for one in names if isinstance(one.ctx, ast.Load)} - {"self"}


def things_changed(node: ast.AST) -> set[str]:
    """The names that a statement sets, and those of what it tells something: `sizes.append(norm)`."""
    parts = list(ast.walk(node.target if isinstance(node, _LOOPS) else node))
    found = {
        _thing(one)
        for one in parts
        if isinstance(one, (ast.Name, ast.Attribute, ast.Subscript)) and not isinstance(one.ctx, ast.Load)
    }
    calls = (one for one in parts if isinstance(one, ast.Call) and (one.args or one.keywords))
    return (found | {_thing(one.func.value) for one in calls if isinstance(one.func, ast.Attribute)}) - {"self"}


def _thing(node: ast.expr) -> str:
    """`norms` of `norms.last[0]`, `self.norms` of `self.norms.last`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return f"self.{node.attr}"
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""

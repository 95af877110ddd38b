"""What goes ahead with a statement: the plain numbers that it needs, and that are computed on the way.

opt.step()                                          limit = 0.5 * statistics.median(sizes)
limit = 0.5 * statistics.median(sizes)      ──►     norm = clip(params, limit)
norm = clip(params, limit)                          opt.step()
sizes.append(norm.item())                           sizes.append(norm.item())
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradlint.fix.code import chains_read, names_read, names_set
from gradlint.fix.layout import Layout, suites
from gradlint.fix.pure import counting, is_arithmetic, may_count, of_objects

_KINDS = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.operator, ast.unaryop, ast.expr_context)
_OF_LISTS = (*_KINDS, ast.Call, ast.Attribute, ast.Subscript, ast.Slice)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def with_their_values(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> list[ast.stmt]:
    """Statements that go ahead of a target, with the plain assignments in between that they need."""
    suite = layout.suite(nodes[0])
    start, end = layout.start(target), layout.start(nodes[0])
    between = [one for one in layout.statements() if start <= layout.start(one) < end and not suites(one)]
    needed, taken = names_read(nodes), list[ast.stmt]()
    for one in reversed(between):
        if one in suite and _is_plain(layout, one) and names_set([one]) & needed:
            taken.insert(0, one)
            needed |= names_read([one])
    rest = [one for one in between if one not in taken]
    asked = names_read(taken) - set[str]().union(*map(of_objects, taken))
    chains = set[str]().union(*map(chains_read, taken))
    if (names_read(rest) | names_set(rest)) & (names_set(taken) | asked) or names_set(rest) & chains:
        return nodes
    counts = any(isinstance(part, ast.Name) and part.id == "self" for one in taken for part in ast.walk(one))
    return nodes if counts and may_count(layout, rest) else [*taken, *nodes]


def _is_plain(layout: Layout, node: ast.stmt) -> bool:
    """Whether a statement gives one name what numbers make, as far as names show, which nothing else can change."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return False
    known = counting(layout)
    if not _of_numbers(layout, node.value, known) or names_read([node.value]) & names_set([node]):
        return False
    used = names_read([node.value]) | names_set([node])
    shared = {name for part in ast.walk(layout.tree) if isinstance(part, ast.Global) for name in part.names}
    given = (part for part in ast.walk(layout.tree) if isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign)))
    others = (part for part in given if part.value and not _is_counted(part.value, known))
    return not used & (shared | names_set(others))


def _of_numbers(layout: Layout, value: ast.expr, counting: frozenset[str]) -> bool:
    """Whether an expression is arithmetic, with functions of numbers, and with lists of them that are filled here."""
    parts = list(ast.walk(value))
    if all(isinstance(part, _KINDS) for part in parts) or is_arithmetic(layout, value, counting):
        return True
    calls = [part for part in parts if isinstance(part, ast.Call)]
    functions = {id(inner) for call in calls for inner in ast.walk(call.func)}
    named = [part for part in parts if isinstance(part, ast.Name) and id(part) not in functions]
    if not all(isinstance(part, _OF_LISTS) for part in parts) or not _is_counted(value, counting):
        return False
    if any(call.keywords or any(isinstance(one, ast.Starred) for one in call.args) for call in calls):
        return False
    if any(isinstance(part, ast.Attribute) and id(part) not in functions for part in parts):
        return False
    return all(_holds_numbers(layout, part, counting) for part in named)


def _is_counted(value: ast.expr, counting: frozenset[str]) -> bool:
    """Whether only numbers are called for: a name of anything else may stand for a tensor that a step changes."""
    calls = (part for part in ast.walk(value) if isinstance(part, ast.Call))
    return all(ast.unparse(call.func) in counting for call in calls)


def _holds_numbers(layout: Layout, name: ast.Name, counting: frozenset[str]) -> bool:
    """Whether a name stands for a number that is written down, or a list of them that nobody else can get hold of."""
    function = layout.function(name)
    every = [part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == name.id]
    stores = [part for part in every if not isinstance(part.ctx, ast.Load)]
    inner = (one for one in ast.walk(function) if isinstance(one, _FUNCTIONS) and one is not function)
    if not stores or any(part in every for one in inner for part in ast.walk(one)):
        return False
    loads = (part for part in every if isinstance(part.ctx, ast.Load))
    return all(map(_is_set_plain, _set_to(layout, stores))) and all(
        _only_asks(layout, part, counting) for part in loads
    )


def _set_to(layout: Layout, stores: list[ast.Name]) -> Iterator[ast.expr | None]:
    for part in stores:
        above = layout.parents.get(part)
        yield above.value if isinstance(above, ast.Assign) else None


def _is_set_plain(value: ast.expr | None) -> bool:
    """Whether a value is a number that is written down, or a list of such."""
    if isinstance(value, ast.List):
        return all(isinstance(one, ast.Constant) for one in value.elts)
    return isinstance(value, ast.Constant)


def _only_asks(layout: Layout, part: ast.Name, counting: frozenset[str]) -> bool:
    """Whether a place asks a list for a number or adds one, and hands it to nobody."""
    above = layout.parents.get(part)
    if isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Load):
        user = layout.parents.get(above)
        asks = isinstance(user, ast.Call) and ast.unparse(user.func) in (counting | {"print"})
        return asks or not isinstance(above.slice, ast.Slice)
    if isinstance(above, ast.Attribute):
        call = layout.parents.get(above)
        adds = above.attr == "append" and isinstance(call, ast.Call) and call.func is above
        return adds and isinstance(call, ast.Call) and all(map(_is_number, call.args))
    if isinstance(above, ast.Call):
        return ast.unparse(above.func) in (counting | {"print"})
    return isinstance(above, (ast.Return, ast.BinOp, ast.Compare, ast.FormattedValue))


def _is_number(value: ast.expr) -> bool:
    """`1.0`, `norm.item()`, `float(norm)`."""
    if isinstance(value, ast.Call):
        func = value.func
        return (isinstance(func, ast.Attribute) and func.attr == "item") or ast.unparse(func) in ("float", "int", "len")
    return isinstance(value, ast.Constant)

"""What is inside a function: the names it assigns and calls, and what it does to a loss."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.libraries.tensors import is_mean_loss
from gradlint.lower.names import Names, dotted
from gradlint.lower.outline import FunctionNode
from gradlint.syntax.nodes import LEAVES, children


def is_sum(word: ast.keyword) -> bool:
    """`reduction="sum"`, `size_average=False`."""
    value = word.value.value if isinstance(word.value, ast.Constant) else None
    return (word.arg, value) in (("reduction", "sum"), ("size_average", False))


def divides(kinds: Mapping[type[ast.AST], Sequence[Any]]) -> bool:
    """Whether something is divided by a number that its object was told."""
    return any(_by_own_number(part) for kind in (ast.BinOp, ast.AugAssign) for part in kinds.get(kind, ()))


def averages(names: Names, kinds: Mapping[type[ast.AST], Sequence[Any]]) -> bool:
    """Whether a function reduces by the mean, as far as it shows, and nothing in it by the method `sum`."""
    calls = [part.func for part in kinds.get(ast.Call, ())]
    methods = {func.attr for func in calls if isinstance(func, ast.Attribute)}
    if "sum" in methods:
        return False
    if "mean" not in methods and not any(is_mean_loss(names.qualified(func) or "") for func in calls):
        return False
    return not divides(kinds)


def _by_own_number(node: ast.BinOp | ast.AugAssign) -> bool:
    """`loss / self.n`: by something that the object was told."""
    by = node.right if isinstance(node, ast.BinOp) else node.value
    return isinstance(node.op, ast.Div) and (dotted(by) or "").startswith("self.")


def by_window(node: ast.BinOp | ast.AugAssign) -> bool:
    """`nll / self.accum_steps`, `loss /= accum`."""
    if not isinstance(node.op, ast.Div):
        return False
    name = dotted(node.right if isinstance(node, ast.BinOp) else node.value)
    return name is not None and bool(WINDOW_NAME.search(name.rsplit(".", 1)[-1]))


def walk_own(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """All nodes of a suite, without those of nested functions and classes."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        found.append(node)
        if node.__class__ not in _DEFINES:
            todo += children(node)
    return found


def by_kind(body: Sequence[ast.stmt]) -> dict[type[ast.AST], list[Any]]:
    """All nodes of a suite by their class, without those of nested functions and classes."""
    kinds: dict[type[ast.AST], list[Any]] = {}
    todo: list[ast.AST] = list(body)
    for node in todo:  # the list grows as it is read
        kind = node.__class__
        if kind in kinds:
            kinds[kind].append(node)
        else:
            kinds[kind] = [node]
        if kind not in LEAVES and kind not in _DEFINES:
            todo += children(node)
    return kinds


_DEFINES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda})


def drains(node: ast.While) -> bool:
    """Whether a loop ends where an iterator does: `except StopIteration: break`, `if batch is None: break`."""
    for part in walk_own(node.body):
        ends = isinstance(part, (ast.ExceptHandler, ast.If)) and any(
            isinstance(one, (ast.Break, ast.Return)) for one in part.body
        )
        if ends and isinstance(part, ast.ExceptHandler) and part.type is not None:
            return (dotted(part.type) or "").endswith("StopIteration")
        if ends and isinstance(part, ast.If) and isinstance(part.test, ast.Compare):
            held = part.test.comparators[0]
            if isinstance(part.test.ops[0], ast.Is) and isinstance(held, ast.Constant) and held.value is None:
                return True
    return False


def never_ends(node: ast.While) -> bool:
    """`while True: yield ...`, whatever stands around the `yield`."""
    always = isinstance(node.test, ast.Constant) and bool(node.test.value)
    return always and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk_own(node.body))


def called_names(calls: Iterable[ast.Call]) -> frozenset[str]:
    """The last names of what is called, and of what is passed on; a string may name what is looked up by it."""
    places = [place for call in calls for place in (call.func, *call.args)]
    texts = (place.value for place in places if isinstance(place, ast.Constant) and isinstance(place.value, str))
    return frozenset(
        place.id if isinstance(place, ast.Name) else place.attr
        for place in places
        if isinstance(place, (ast.Name, ast.Attribute))
    ).union(text for text in texts if text.isidentifier())


def assigned_names(kinds: Mapping[type[ast.AST], Sequence[Any]]) -> frozenset[str]:
    """The names that some statements bind in the function they stand in."""
    found = {node.id for node in kinds.get(ast.Name, ()) if node.ctx.__class__ is not ast.Load}
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        found.update(node.name for node in kinds.get(kind, ()))
    outer = {name for kind in (ast.Global, ast.Nonlocal) for node in kinds.get(kind, ()) for name in node.names}
    return frozenset(found - outer)


def stops_in(node: ast.With) -> bool:
    """Whether a generator stops in there: what it has entered stays open until it is asked for more."""
    return any(isinstance(one, ast.Yield) for one in walk_own(node.body))


def tells(kinds: Mapping[type[ast.AST], Sequence[Any]]) -> bool:
    """Whether a generator yields with its items whether something is so, or a number that it counts by itself.

    yield batch, (i + 1) % n == 0
    number += 1; yield number, batch
    for number in range(first, last): yield number, made(number)
    """
    tests = [node for node in kinds.get(ast.Assign, ()) if _is_test(node.value)]
    named = {target.id for node in tests for target in node.targets if isinstance(target, ast.Name)}
    named |= {node.target.id for node in kinds.get(ast.AugAssign, ()) if _counts(node)}
    named |= _numbers(kinds)
    for node in kinds.get(ast.Yield, ()):
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else ()
        if any(_is_test(part) or (isinstance(part, ast.Name) and part.id in named) for part in parts):
            return True
    return False


def _numbers(kinds: Mapping[type[ast.AST], Sequence[Any]]) -> set[str]:
    """The name by which the only loop of a function counts."""
    loops = [*kinds.get(ast.For, ()), *kinds.get(ast.While, ())]
    loop = loops[0] if len(loops) == 1 else None
    called = loop.iter if isinstance(loop, ast.For) else None
    if loop is None or not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
        return set()
    target = loop.target
    if called.func.id == "enumerate" and isinstance(target, ast.Tuple):
        target = target.elts[0]
    counts = called.func.id in ("range", "enumerate") and isinstance(target, ast.Name)
    return {target.id} if counts else set()


def _counts(node: ast.AugAssign) -> bool:
    """`number += 1`."""
    by_number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
    return isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add) and by_number


def _is_test(node: ast.expr) -> bool:
    return isinstance(node, (ast.Compare, ast.BoolOp)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def at_the_end(node: ast.Try) -> list[ast.stmt]:
    """What is done where `next` has nothing left, if that is to begin something again."""
    for handler in node.handlers:
        names = {one.id for one in ast.walk(handler) if isinstance(one, ast.Name)}
        if "StopIteration" in names or "iter" in names:
            return handler.body
    return []


def is_unwritten(node: FunctionNode) -> bool:
    """Whether a function is left to others to write, and gives something: `...`, or nothing and the type of that.

    def train_step(self, batch) -> torch.Tensor:
        ...
    """
    if isinstance(node, ast.Lambda) or not all(isinstance(one, ast.Pass) or _is_constant(one) for one in node.body):
        return False
    given = node.returns
    if given is not None:
        return not (isinstance(given, ast.Constant) and given.value is None)
    return any(isinstance(one, ast.Expr) and getattr(one.value, "value", None) is ... for one in node.body)


def _is_constant(node: ast.stmt) -> bool:
    """Whether a statement is `...`, or a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

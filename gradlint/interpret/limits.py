"""Limits: the names up to which the loops of a function count, as its source shows them.

for i in range(steps): ...                     steps
for i, batch in enumerate(loader):
    if i == steps_per_epoch - 1: break         steps_per_epoch
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from gradlint.model.effects import Gate
from gradlint.model.program.expressions import Arith, Attr, Call, Closure, Const, Display, Read, Test
from gradlint.model.program.statements import Augment, Break, Define, For, If, LoopKind, Stmt, While, With
from gradlint.model.program.whole import Class, Function

BUILT_IN = frozenset(dir(builtins))
"""The names that Python has itself."""

KEPT = 256
"""Of so many functions is remembered what they hold."""


@lru_cache(maxsize=KEPT)
def limits(function: Function) -> frozenset[str]:
    """The names up to which a function counts its micro-batches: `range(name)`, or a counter is held against them."""
    if not function.gates & Gate.BACKWARD:
        return frozenset()
    loops = [node for node in parts_of_function(function) if isinstance(node, (For, While)) and _is_innermost(node)]
    found = {name for loop in loops if isinstance(loop, For) for name in _range_of(loop)}
    counters = {name_of(node.target) for loop in loops for node in _plain(loop.body) if _moves_on(node)}
    for node in parts_of_function(function):
        if isinstance(node, Test) and not counters.isdisjoint({name_of(node.left), name_of(node.right)} - {""}):
            found |= {name_of(node.left), name_of(node.right)}
    for loop in parts_of_function(function):
        if isinstance(loop, For) and loop.gates & Gate.BACKWARD and (_is_innermost(loop) or _numbers(loop)):
            found |= set(_left_at(loop))
    return frozenset(found - {""})


@lru_cache(maxsize=KEPT)
def epoch_limits(function: Function) -> frozenset[str]:
    """The names up to which a function counts its epochs: `range(name)` of a loop around those over micro-batches."""
    if not function.gates & (Gate.BACKWARD | Gate.LOOP_BACKWARD):
        return frozenset()
    loops = [node for node in parts_of_function(function) if isinstance(node, For) and not _is_innermost(node)]
    outer = [loop for loop in loops if loop.gates & Gate.BACKWARD or any(_loops(node) for node in loop.body)]
    return frozenset({name for loop in outer for name in _range_of(loop)} - {""})


def _numbers(loop: For) -> bool:
    """`for i, batch in enumerate(loader)`."""
    return name_of(getattr(loop.iterable, "func", None)) == "enumerate"


def _left_at(loop: For) -> Iterator[str]:
    """The names at which a numbered loop is left: `if i == steps - 1: break`."""
    index = loop.target.items[0] if isinstance(loop.target, Display) and loop.target.items else loop.target
    for node in _plain(loop.body):
        ends = isinstance(node, If) and bool(node.then) and isinstance(node.then[-1], Break)
        if ends and isinstance(node.test, Test) and name_of(node.test.left) == name_of(index):
            right = node.test.right
            yield name_of(right.left if isinstance(right, Arith) and isinstance(right.right, Const) else right)


def asks_for_last(loop: For) -> bool:
    """Whether a loop over numbers does something else at its end: `if i < turns - 1` or `if i + 1 == turns`."""
    index, ends = name_of(loop.target), set(_range_of(loop))
    tests = (one for one in nodes(loop.body) if isinstance(one, Test)) if index and ends else ()
    return any(is_before_last(one, index) and name_of(_end(one)) in ends for one in tests)


def is_before_last(test: Test, index: str) -> bool:
    """Whether a test holds an index against a last number, `i < n - 1`, or the number behind it against how many."""
    moved, fewer = test.left, test.right
    if isinstance(moved, Arith):
        counted = moved.op == "+" and moved.right == Const(1) and name_of(moved.left) == index
        return test.op in LASTS and counted and not isinstance(fewer, Arith)
    before = isinstance(fewer, Arith) and fewer.op == "-" and fewer.right == Const(1)
    return test.op in LASTS and before and name_of(moved) == index


LASTS = {"<": False, "!=": False, "==": True, ">=": True}
"""What such a test says in the last iteration."""


def _end(test: Test) -> object:
    return test.right.left if isinstance(test.right, Arith) else test.right


def name_of(node: object) -> str:
    """The name of a variable or an attribute; empty for anything else."""
    return node.name if isinstance(node, (Read, Attr)) else ""


def _range_of(loop: For) -> list[str]:
    """The names in `range(...)`."""
    called = _range(loop)
    return [name_of(part) for part in called.args] if called is not None else []


def start_of(loop: For) -> str:
    """The name of the number that a range begins with: `for epoch in range(args.start_epoch, args.epochs)`."""
    called = _range(loop)
    return name_of(called.args[0]) if called is not None and len(called.args) > 1 else ""


def _range(loop: For) -> Call | None:
    """What a loop counts by, behind a progress bar, too: `tqdm(range(iters))`, `trange(iters)`."""
    called = loop.iterable
    if isinstance(called, Call) and called.args and isinstance(called.args[0], Call):
        called = called.args[0]
    return called if isinstance(called, Call) and name_of(called.func) in ("range", "trange") else None


def is_counting(loop: For | While) -> bool:
    """Whether a loop counts its turns: `for epoch in range(epochs)`, `in count()`, and no `for name in names`."""
    return isinstance(loop, For) and (
        _range(loop) is not None or (isinstance(loop.iterable, Call) and name_of(loop.iterable.func) == "count")
    )


def _is_innermost(loop: For | While) -> bool:
    """Whether each iteration of a loop goes backward, and no loop in it does."""
    if not loop.gates & Gate.BACKWARD or any(_loops(node) for node in loop.body):
        return False
    within = (node for node in nodes(loop.body) if isinstance(node, (For, While)) and node.gates & Gate.BACKWARD)
    return all(node.kind is LoopKind.OTHER for node in within)


def _loops(node: Stmt) -> bool:
    """Whether a statement calls a function that loops over micro-batches itself."""
    return Gate.LOOP_BACKWARD in node.gates


def _plain(body: tuple[Stmt, ...]) -> Iterator[Any]:
    """The statements of a suite that run in every iteration."""
    for node in body:
        yield from _plain(node.body) if isinstance(node, With) else (node,)


def _moves_on(node: object) -> bool:
    return isinstance(node, Augment) and node.op == "+" and node.value == Const(1)


@lru_cache(maxsize=KEPT)
def parts_of_function(function: Function) -> tuple[Any, ...]:
    """`nodes` of a function's body."""
    return tuple(nodes(function.body))


def whole(function: Function) -> Iterator[Function]:
    """A function, and the functions inside it, those of inner classes, too."""
    yield function
    for part in parts_of_function(function):
        inner = part.function if isinstance(part, Closure) else part.value if isinstance(part, Define) else None
        if isinstance(inner, Function):
            yield from whole(inner)
        elif isinstance(inner, Class):
            yield from (one for method in inner.methods.values() for one in whole(method))


def parts_of_whole(function: Function) -> tuple[Any, ...]:
    """`nodes` of a function's body and of what its parameters are where nobody gives them."""
    given = tuple(one.default for one in function.parameters if one.default is not None)
    return (*parts_of_function(function), *nodes(given)) if given else parts_of_function(function)


def dotted(part: object) -> str:
    """The text of a dotted name, `nn.Linear`; empty for anything else."""
    names: list[str] = []
    while isinstance(part, Attr):
        names.append(part.name)
        part = part.base
    return ".".join([part.name, *reversed(names)]) if isinstance(part, Read) else ""


_PLAIN = frozenset({type(None), str, bool, int, float})
_NO_PARTS = frozenset({"span", "gates", "effect", "methods", "text", "hint", "qualified"})


def nodes(part: object) -> Iterator[Any]:
    """Every statement and expression in something, itself among them; not what nested functions hold."""
    todo = [part]
    while todo:
        one: Any = todo.pop()
        kind: Any = one.__class__
        if kind is tuple:
            todo += reversed(one)
        elif (parts := _parts_of(kind)) is not None:
            yield one
            held = [getattr(one, name, None) for name in parts]
            todo += [part for part in held if part.__class__ not in _PLAIN]


@cache
def _parts_of(kind: Any) -> tuple[str, ...] | None:
    """The fields of a kind of node that may hold others, the last first; `None` for what is no node."""
    if not hasattr(kind, "__slots__") or issubclass(kind, Function):
        return None
    return tuple(name for name in reversed(kind.__slots__) if name not in _NO_PARTS)

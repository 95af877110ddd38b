"""Generators of the file: those that put batches together to windows, and those that make so many of them.

for batch in loader:                        for _ in range(24):
    group.append(batch)                         yield make_batch()
    if len(group) == size:
        yield group
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gradlint.interpret.limits import nodes
from gradlint.interpret.values import Value
from gradlint.model.effects import Action
from gradlint.model.finding import Span
from gradlint.model.program import (
    Assign,
    Attr,
    Augment,
    Break,
    Call,
    Continue,
    Do,
    Expr,
    For,
    Function,
    If,
    Read,
    Return,
    Test,
    While,
)


def group_size(function: Function, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """How long a group is before a generator yields it: the argument that its length is held against."""
    names = [parameter.name for parameter in function.parameters if not parameter.star]
    if function.owner is not None and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    given = {**dict(zip(names, args, strict=False)), **keywords}
    for part in nodes(function.body):
        size = _held_against(part.test) if isinstance(part, If) else ""
        if size in given and any(_yields(inner) for inner in nodes(part.then)):
            return given[size]
    return None


def counted_by(function: Function) -> Call | None:
    """The `range(...)` for each number of which a generator yields once, and nothing else."""
    loops = [part for part in function.body if isinstance(part, For)]
    if len(loops) != 1 or sum(map(is_yield, nodes(function.body))) != 1:
        return None
    loop, called = loops[0], loops[0].iterable
    plain = any(isinstance(part, Do) and is_yield(part.value) for part in loop.body)
    ends = any(isinstance(part, (Break, Continue, Return)) for part in nodes(function.body))
    ranged = isinstance(called, Call) and isinstance(called.func, Read) and called.func.name == "range"
    return called if plain and ranged and not ends and isinstance(called, Call) else None


def walked(function: Function) -> tuple[Expr, Span] | None:
    """What a generator goes through time and again, and the loop around: `while True: for x in loader: yield x`."""
    ways = [part for part in function.body if isinstance(part, While)]
    loops = [part for part in ways[0].body if isinstance(part, For)] if len(ways) == 1 else []
    plain = len(loops) == 1 and any(map(is_yield, nodes(loops[0].body)))
    named = plain and isinstance(loops[0].iterable, (Read, Attr))
    return (loops[0].iterable, ways[0].span) if named else None


def tells_epochs(function: Function) -> bool:
    """Whether a generator tells a sampler the epoch: `sampler.set_epoch(epoch)`, or `sampler.epoch = epoch`."""
    written = (part.target for part in nodes(function.body) if isinstance(part, (Assign, Augment)))
    return "set_epoch" in function.inside.calls or any(isinstance(one, Attr) and one.name == "epoch" for one in written)


def handed_on(function: Function) -> Expr | None:
    """What a generator hands on and does nothing else: `yield from enumerate(batches, start=1)`."""
    loop = function.body[0] if len(function.body) == 1 else None
    if not function.generator or not isinstance(loop, For) or loop.other or len(loop.body) != 1:
        return None
    only = loop.body[0]
    if not isinstance(only, Do) or not isinstance(only.value, Call) or not is_yield(only.value):
        return None
    return loop.iterable if list(only.value.args) == [loop.target] else None


def is_yield(part: object) -> bool:
    """Whether a part of a program is a `yield`."""
    return isinstance(part, Call) and part.effect is not None and part.effect.action is Action.YIELD


def _held_against(test: object) -> str:
    """`size` in `len(group) == size`."""
    if not isinstance(test, Test) or test.op not in ("==", ">=") or not isinstance(test.right, Read):
        return ""
    counts = isinstance(test.left, Call) and isinstance(test.left.func, Read) and test.left.func.name == "len"
    return test.right.name if counts else ""


def _yields(part: object) -> bool:
    """`yield group`."""
    return isinstance(part, Call) and is_yield(part) and [type(one) for one in part.args] == [Read]

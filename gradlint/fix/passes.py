"""Passes over a loader, numbered: by the counters of the loops around them, or by a name that counts them.

for number in range(rounds):
    for epoch in range(epochs):
        sampler.set_epoch(number * epochs + epoch)        each pass has a number of its own

epoch = 0
while not done:
    sampler.set_epoch(epoch)                              nothing here counts
    epoch += 1
    for batch in loader: ...
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from gradlint.fix.code import is_number, last_name, names_set, values_of
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.model.finding import Span
from gradlint.model.record import dataclass

Loop: TypeAlias = "ast.For | ast.AsyncFor | ast.While"
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_FREE = ("epoch", "epoch_number", "epoch_index")
"""Names for a counter that has none; the first that its function does not use."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """The code of a number; `cuts` make the `names` in it, which are not there yet, and `rows` follow its use."""

    code: str
    cuts: tuple[Cut, ...] = ()
    names: tuple[str, ...] = ()
    rows: str = ""


def numbered(layout: Layout, over: Sequence[Span]) -> Numbered:
    """The number of a pass by the counters of the loops around it, of which each turn of the innermost has one.

    Raises:
        Refused: one of them does not count, or two passes may have one number.
    """
    loops = _loops(layout, over)
    found = counter(layout, loops[0])
    code, cuts, names = found.code, found.cuts, found.names
    if len(loops) > 1 and not code.isidentifier():
        raise Refused("what counts the outer loop may be set by anybody")
    for outer, loop in pairwise(loops):
        code = _within(layout, code, outer, loop)
        own = counter(layout, loop, names)
        if not isinstance(loop, ast.For) or own.code in _words(code) or not own.code.isidentifier():
            raise Refused("the loop around each pass does not count from anew")
        size = _size(layout, loop, loops[0])
        code = f"{code} * {size} + {own.code}" if code.isidentifier() else f"({code}) * {size} + {own.code}"
        cuts, names = (*cuts, *own.cuts), (*names, *own.names)
    return Numbered(code, cuts, names)


def counted(layout: Layout, over: Sequence[Span]) -> Numbered:
    """A name that counts the passes, from before the outermost loop on.

    Raises:
        Refused: what counts would be lost in between.
    """
    loops = _loops(layout, over)
    for outer, loop in pairwise(loops):
        if layout.function(outer) is not layout.function(loop):
            raise Refused("the loops stand in several functions")
        _directly_in(layout, loop, outer)
        if isinstance(loop, ast.For):
            counter(layout, loop)  # what is gone through for each of some things may be meant to be one order
    function = layout.function(loops[0])
    if _yields(layout, function):
        _called_once(layout, function)
    name = _free(layout, loops[0], ())
    first = loops[0]
    margin = layout.indent(first)
    cut = layout.before(first, f"{margin}{name} = 0{layout.newline}")
    return Numbered(name, (cut,), (name,), f"\n{name} += 1")


def counter(layout: Layout, loop: ast.AST, taken: Sequence[str] = ()) -> Numbered:
    """What a loop counts its turns by; one that is called `_` gets a name.

    Raises:
        Refused: nothing that could be seen counts them.
    """
    if isinstance(loop, ast.While):
        return Numbered(_raised(layout, loop))
    target = loop.target if isinstance(loop, ast.For) else None
    if isinstance(loop, ast.For) and isinstance(target, ast.Tuple) and _enumerated(loop.iter):
        target = target.elts[0]
    named = isinstance(target, (ast.Name, ast.Attribute))
    if not named or not isinstance(loop, ast.For) or target is None or not _is_number(layout, loop):
        raise Refused("the epoch loop has no variable")
    if not isinstance(target, ast.Name) or target.id != "_":
        return Numbered(layout.code(target))
    name = _free(layout, loop, taken)
    return Numbered(name, (layout.over(target, name),), (name,))


def _is_number(layout: Layout, loop: ast.For) -> bool:
    """Whether a loop goes through numbers, or its variable is called like one: no `for rate in (0.1, 0.01)`."""
    if isinstance(loop.target, ast.Tuple):
        return True
    value = _unwrapped(layout, loop)
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        numbers = [one.value if isinstance(one, ast.Constant) else None for one in value.elts]
        return all(type(one) is int for one in numbers) and len(set(numbers)) == len(numbers)
    counts = isinstance(value, ast.Call) and last_name(value.func) in _COUNTS
    return counts or "epoch" in last_name(loop.target).lower()


_COUNTS = frozenset("range trange count".split())
_SHOWS = frozenset("tqdm track progress_bar".split())


def _unwrapped(layout: Layout, loop: ast.For) -> ast.expr:
    """What a loop goes through, without the bar that shows how far it is: by its making, where it has a name."""
    value = loop.iter
    for _ in range(4):
        made = values_of(layout, value) if isinstance(value, ast.Name) else []
        if len(made) == 1:
            value = made[0]
        elif isinstance(value, ast.Call) and last_name(value.func) in _SHOWS and value.args:
            value = value.args[0]
    return value


def _enumerated(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and last_name(value.func) == "enumerate"


def _raised(layout: Layout, loop: ast.While) -> str:
    """The counter that a `while epoch < epochs` raises by one at each turn."""
    asked = [node for node in ast.walk(loop.test) if isinstance(node, (ast.Name, ast.Attribute))]
    names = {layout.code(node) for node in asked}
    for node in loop.body:
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and is_number(node.value, 1):
            name = layout.code(node.target)
            if name in names:
                return name
    raise Refused("the epoch loop has no variable")


def _free(layout: Layout, loop: ast.stmt, taken: Sequence[str]) -> str:
    parts = list(ast.walk(layout.function(loop)))
    used = {part.id for part in parts if isinstance(part, ast.Name)} | {*taken}
    used |= {part.arg for part in parts if isinstance(part, ast.arg)}
    name = next((one for one in _FREE if one not in used), "")
    if not name:
        raise Refused("the epoch loop has no variable")
    return name


def _loops(layout: Layout, over: Sequence[Span]) -> list[Loop]:
    """The loops at some places.

    Raises:
        Refused: one of them stands in another file, or is none.
    """
    found: list[Loop] = []
    for span in over:
        node = layout.statement(span) if span.module == 0 else None
        if not isinstance(node, _LOOPS):
            raise Refused("the loop is in another file, or begins in another way")
        found.append(node)
    return found


def _directly_in(layout: Layout, node: ast.AST, loop: Loop) -> None:
    """Nothing, where a loop is the next one around something.

    Raises:
        Refused: another one is.
    """
    if next((owner for owner in layout.owners(node) if isinstance(owner, _LOOPS)), None) is not loop:
        raise Refused("another loop stands in between")


def _within(layout: Layout, code: str, outer: Loop, loop: Loop) -> str:
    """A number that an outer loop has as it is known in an inner one: what a function is handed, or the same.

    Raises:
        Refused: it is not known there.
    """
    function = layout.function(loop)
    if function is layout.function(outer):
        _directly_in(layout, loop, outer)
        _check_stays(layout, code, outer, loop)
        return code
    call = _called_once(layout, function)
    _directly_in(layout, call, outer)
    _check_stays(layout, code, outer, call)
    for name, value in _handed(layout, function, call):
        if layout.code(value) == code and name not in names_set(ast.iter_child_nodes(function)):
            return name
    raise Refused("the number of the outer loop's turn is not at hand in the inner one")


def _check_stays(layout: Layout, code: str, outer: Loop, inner: ast.AST) -> None:
    """Nothing, where the number of a loop's turn stays what it is while the turn lasts; a `while` raises it at an end.

    Raises:
        Refused: it may be set in between.
    """
    stored = [part for node in outer.body for part in ast.walk(node) if isinstance(part, ast.Name)]
    stored = [part for part in stored if part.id in _words(code) and not isinstance(part.ctx, ast.Load)]
    raised = isinstance(outer, ast.While) and len(stored) == 1 and layout.parents.get(stored[0]) in outer.body
    known = isinstance(outer, ast.For) or code.isidentifier()
    if not known or (stored and not raised) or any(part in set(ast.walk(inner)) for part in stored):
        raise Refused("the variable of the outer loop is set in it, too")


def _called_once(layout: Layout, function: ast.AST) -> ast.Call:
    """The only call of a function, which nothing else in the file names; a generator that goes on is made once.

    Raises:
        Refused: there is none, or others.
    """
    refused = Refused("the loop is in a function that is not called once")
    if not isinstance(function, _FUNCTIONS) or function.decorator_list:
        raise refused
    method = isinstance(layout.parents.get(function), ast.ClassDef)
    named = (part for part in ast.walk(layout.tree) if isinstance(part, (ast.Name, ast.Attribute)))
    uses = [part for part in named if last_name(part) == function.name]
    uses = [part for part in uses if isinstance(part, ast.Attribute) or not method]
    call = layout.parents.get(uses[0]) if len(uses) == 1 else None
    if not isinstance(call, ast.Call) or call.func is not uses[0]:
        raise refused
    if _yields(layout, function) and _is_made_anew(layout, call):
        raise refused
    return call


def _is_made_anew(layout: Layout, call: ast.Call, deep: int = 4) -> bool:
    """Whether a loop may come to a call time and again, here or around a call of its function, or nobody can see."""
    if any(_turns(owner, call) for owner in layout.owners(call)):
        return True
    function = layout.function(call)
    if not isinstance(function, _FUNCTIONS):
        return False
    named = (part for part in ast.walk(layout.tree) if isinstance(part, (ast.Name, ast.Attribute)))
    above = [layout.parents.get(part) for part in named if last_name(part) == function.name]
    calls = [one for one in above if isinstance(one, ast.Call) and last_name(one.func) == function.name]
    return deep == 0 or len(calls) < len(above) or any(_is_made_anew(layout, one, deep - 1) for one in calls)


def _turns(owner: ast.AST, call: ast.Call) -> bool:
    """Whether something is called anew in each turn of a loop."""
    if isinstance(owner, (ast.For, ast.AsyncFor)):
        return call not in set(ast.walk(owner.iter))
    return isinstance(owner, (ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))


def _yields(layout: Layout, function: ast.AST) -> bool:
    found = (part for part in ast.walk(function) if isinstance(part, (ast.Yield, ast.YieldFrom)))
    return isinstance(function, _FUNCTIONS) and any(layout.function(part) is function for part in found)


def _handed(layout: Layout, function: ast.AST, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of a function, with what a call hands in for each."""
    assert isinstance(function, _FUNCTIONS)
    if any(isinstance(one, ast.Starred) for one in call.args):
        return
    given = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    bound = isinstance(layout.parents.get(function), ast.ClassDef)
    yield from zip(given[int(bound) :], call.args, strict=False)
    yield from ((word.arg, word.value) for word in call.keywords if word.arg)


def _size(layout: Layout, loop: ast.For, outermost: Loop) -> str:
    """How many turns a loop has, each time the same number of them.

    Raises:
        Refused: that is not sure.
    """
    value = _unwrapped(layout, loop)
    if not isinstance(value, ast.Call) or last_name(value.func) not in ("range", "trange") or value.keywords:
        raise Refused("how often the inner loop turns is not seen")
    start, stop = _limits(value.args)
    ends = [one.value for one in (start, stop) if isinstance(one, ast.Constant)]
    if len(ends) == 2 and type(ends[0]) is type(ends[1]) is int:
        return str(ends[1] - ends[0])
    if start is not None and is_number(start, 1) and isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add):
        start, stop = (None, stop.left) if is_number(stop.right, 1) else (start, stop)
    if (start is not None and not is_number(start, 0)) or not _is_steady(layout, stop, loop, outermost):
        raise Refused("the inner loop may turn more often at one time than at another")
    return layout.code(stop)


def _limits(args: Sequence[ast.expr]) -> tuple[ast.expr | None, ast.expr]:
    if not args or len(args) > 2 or any(isinstance(one, ast.Starred) for one in args):
        raise Refused("how often the inner loop turns is not seen")
    return (None, args[0]) if len(args) == 1 else (args[0], args[1])


def _is_steady(layout: Layout, value: ast.expr, place: ast.stmt | ast.expr, outermost: Loop) -> bool:
    """Whether a name, an attribute or a number is the same in all turns of a loop."""
    if isinstance(value, ast.Constant):
        return type(value.value) is int
    if isinstance(value, ast.Attribute):
        return _kept(layout, value, outermost) and _is_steady_owner(layout, value.value, place, outermost)
    if not isinstance(value, ast.Name):
        return False
    shared = (part for part in ast.walk(layout.tree) if isinstance(part, (ast.Global, ast.Nonlocal)))
    if any(value.id in part.names for part in shared):
        return False
    function = layout.function(place)
    if value.id in names_set([outermost]):
        return False
    if function is layout.function(outermost) or value.id not in _bound(function):
        return _is_settled(layout, value.id, function)
    if value.id in names_set(getattr(function, "body", ())):
        return False
    call = _called_once(layout, function)
    handed = [one for name, one in _handed(layout, function, call) if name == value.id]
    return len(handed) == 1 and _is_steady(layout, handed[0], call, outermost)


def _is_settled(layout: Layout, name: str, function: ast.AST) -> bool:
    """Whether a name of the module is set there once; one of the function was set before its loops."""
    if name in _bound(function):
        return True
    named = (part for part in ast.walk(layout.tree) if isinstance(part, ast.Name) and part.id == name)
    stored = [part for part in named if not isinstance(part.ctx, ast.Load)]
    return sum(isinstance(layout.function(part), ast.Module) for part in stored) < 2


def _is_steady_owner(layout: Layout, value: ast.expr, place: ast.stmt | ast.expr, outermost: Loop) -> bool:
    """Whether what has an attribute is the same object throughout: so is that whose method has the outermost loop."""
    function = layout.function(place)
    if not isinstance(value, ast.Name) or value.id != "self" or function is layout.function(outermost):
        return _is_steady(layout, value, place, outermost)
    call = _called_once(layout, function)
    return isinstance(call.func, ast.Attribute) and _is_steady(layout, call.func.value, call, outermost)


def _kept(layout: Layout, value: ast.Attribute, outermost: Loop) -> bool:
    """Whether an attribute of that name is only set where an object is made, or ahead of a loop in its function."""
    for part in ast.walk(layout.tree):
        if isinstance(part, ast.Attribute) and part.attr == value.attr and not isinstance(part.ctx, ast.Load):
            function = layout.function(part)
            makes = isinstance(function, _FUNCTIONS) and function.name == "__init__"
            ahead = function is layout.function(outermost) and layout.start(part) < layout.start(outermost)
            if not makes and not ahead:
                return False
    return True


def _bound(function: ast.AST) -> set[str]:
    """The names of a function: its parameters, and what it sets."""
    return {part.arg for part in ast.walk(function) if isinstance(part, ast.arg)} | names_set([function])


def _words(code: str) -> set[str]:
    return {part.id for part in ast.walk(ast.parse(code, mode="eval")) if isinstance(part, ast.Name)}


def restarts(tree: ast.Module, rows: Sequence[int]) -> Iterator[str]:
    """What loops on some rows begin anew in each turn, outside of the others: all passes may be meant to be alike.

    for rate in rates:
        net.load_state_dict(start)
        for epoch in range(epochs): ...
    """
    loops = [one for one in ast.walk(tree) if isinstance(one, _LOOPS) and one.lineno in rows]
    inner = {part for one in loops[1:] for part in ast.walk(one)}
    for loop in loops[:1]:
        for part in ast.walk(loop):
            if part not in inner and isinstance(part, ast.Call) and last_name(part.func) in _RESTARTS:
                yield ast.unparse(part)


_RESTARTS = frozenset(
    "load_state_dict reset_parameters apply manual_seed manual_seed_all seed seed_everything set_seed".split()
)

"""Where the rate of a schedule is noted for each iteration of a loop, and which functions return what they have noted.

rates.append(sched.get_last_lr()[0])      each iteration has its own, which a move of the schedule would change
print(sched.get_last_lr()[0])             told, and used by nobody
return rates[best] / 2                    a search for a rate
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradlint.lower.outline import FunctionNode, Outline, between
from gradlint.model.pattern import pattern
from gradlint.syntax.nodes import walk

_SAID = pattern(rb"get_last_lr|get_lr|param_groups")
_RATES = frozenset({"get_last_lr", "get_lr", "param_groups"})
_PUTS = frozenset({"append", "extend", "appendleft"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_UPDATES = pattern(r"(?i)%|zero_grad|(?:opt\w*|scaler)\.step\(")


def noted(outline: Outline) -> frozenset[int]:
    """The rows of loops, without those of loops inside, that note a rate each time, and not only with an update.

    Those of a function, too, that has no loop and notes or returns one each time it is called.
    """
    said = _said(outline)
    found: set[int] = set()
    for node in outline.nodes if said else ():
        if not isinstance(node, (*_LOOPS, *_FUNCTIONS)) or not between(said, node.lineno, node.end_lineno or 0):
            continue
        if isinstance(node, _LOOPS) or not _holds_loop(node):
            own = list(_each_iteration(node.body))
            rates = _rates(own)
            if any(_notes(part, rates) for part in own):
                found |= _rows(node).difference(
                    *(_rows(loop) for loop in walk(node) if loop is not node and isinstance(loop, _LOOPS))
                )
    return frozenset(found)


def searches(outline: Outline, functions: Iterable[FunctionNode]) -> frozenset[int]:
    """The rows of functions that note rates in a loop and return them, or what they make of them."""
    said = _said(outline)
    found: set[int] = set()
    for function in functions if said else ():
        if isinstance(function, ast.Lambda) or not between(said, function.lineno, function.end_lineno or 0):
            continue
        parts = list(_own(function))
        kept: set[str] = set()
        for loop in (part for part in parts if isinstance(part, _LOOPS)):
            own = list(_each_iteration(loop.body))
            rates = _rates(own)
            kept |= {name for part in own if _notes(part, rates) and (name := _list_of(part))}
        made = _made_of(parts, kept)
        if kept and any(isinstance(part, ast.Return) and part.value and made & _names(part.value) for part in parts):
            found |= _rows(function)
    return frozenset(found)


def from_one(outline: Outline) -> frozenset[int]:
    """The rows of loops over `range(1, ...)`, or `range(start, epochs + 1)`: they count from one, and to the last."""
    loops = (node for node in outline.nodes if isinstance(node, ast.For) and _counts_from_one(node.iter))
    return frozenset().union(*map(_rows, loops))


def _counts_from_one(over: ast.expr) -> bool:
    if not (isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"):
        return False
    first, last = (over.args[0], over.args[1]) if len(over.args) > 1 else (None, None)
    if isinstance(first, ast.Constant):
        return first.value == 1
    return isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add) and _is_one(last.right)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _said(outline: Outline) -> list[int]:
    """The rows that speak of a rate."""
    return outline.rows(match.end() for match in _SAID.finditer(outline.data))


def _each_iteration(suite: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run each time, or call: not those in loops and functions inside, or beside an update."""
    for node in suite:
        if isinstance(node, (*_LOOPS, *_FUNCTIONS, ast.ClassDef)):
            continue
        yield node
        if isinstance(node, ast.If) and _UPDATES.search(ast.unparse(node)):
            continue
        for name in ("body", "orelse", "finalbody"):
            yield from _each_iteration(getattr(node, name, ()))


def _notes(node: ast.stmt, rates: set[str]) -> bool:
    """Whether a statement puts a rate into a list or a dictionary, or hands it on."""
    if isinstance(node, (ast.Return, ast.Expr)) and isinstance(node.value, ast.Call):
        call = node.value
        puts = isinstance(call.func, ast.Attribute) and call.func.attr in _PUTS
        if puts or isinstance(node, ast.Return):
            return any(_tells(one, rates) for one in (*call.args, *(word.value for word in call.keywords)))
    if isinstance(node, ast.Return) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)):
        value = node.value.value if isinstance(node.value, ast.Yield) else node.value
        return value is not None and _tells(value, rates)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.value, ast.List) and _tells(node.value, rates)
    into = isinstance(node, ast.Assign) and any(isinstance(target, ast.Subscript) for target in node.targets)
    return into and isinstance(node, ast.Assign) and _tells(node.value, rates)


def _list_of(node: ast.stmt) -> str:
    """What is it called that a rate is put into."""
    place: ast.AST | None = None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        place = node.value.func.value
    elif isinstance(node, ast.Assign):
        place = node.targets[0]
    elif isinstance(node, ast.AugAssign):
        place = node.target
    while isinstance(place, (ast.Subscript, ast.Attribute)):
        place = place.value
    return place.id if isinstance(place, ast.Name) and place.id != "self" else ""


def _tells(node: ast.AST, rates: set[str]) -> bool:
    for part in walk(node):
        if (isinstance(part, ast.Attribute) and part.attr in _RATES) or (
            isinstance(part, ast.Name) and part.id in rates
        ):
            return True
    return False


def _rates(suite: Iterable[ast.stmt]) -> set[str]:
    """The names of rates, and of records that hold one."""
    found: set[str] = set()
    for node in suite:
        if isinstance(node, ast.Assign) and _tells(node.value, found):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def _made_of(parts: Iterable[ast.AST], names: set[str]) -> set[str]:
    """Some names, and those of what is made of them."""
    found = set(names)
    for node in parts:
        if isinstance(node, ast.Assign) and found & _names(node.value):
            found |= _names_set(node.targets)
    return found


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _names_set(targets: Iterable[ast.AST]) -> set[str]:
    return {part.id for target in targets for part in walk(target) if isinstance(part, ast.Name)}


def _own(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function, in order, without those of functions inside."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(function, name, ()):
            yield node
            if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                yield from _own(node)


def _holds_loop(node: ast.AST) -> bool:
    return any(isinstance(part, _LOOPS) for part in walk(node))


def _rows(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))

"""What is made of a rate: code that computes with it, itself or in a function of the file, and code that only tells it.

shrink(model.weight, 0.2 * optimizer.param_groups[0]["lr"])       the second half of the update, with the step's rate
logger.info("rate %.6f", sched.get_last_lr()[0])                  a word about it
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from gradlint.fix.code import last_name, names_read, names_set
from gradlint.fix.layout import Layout

_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TOLD = re.compile(r"get_last_lr|get_lr|param_groups")
_RATE = re.compile(r"get_last_lr|get_lr|param_groups.*\[['\"]lr['\"]\]")
_MAX_DEPTH = 4


def computes(layout: Layout, node: ast.stmt, rates: set[str]) -> bool:
    """Whether a statement computes with a rate, itself or in what it calls: noise as large as the step.

    Args:
        layout: the text.
        node: the statement.
        rates: names that stand for a rate.
    """
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    functions = [one for call in calls for one in functions_named(layout, last_name(call.func))]
    own = not isinstance(node, ast.Expr) and _reckons(layout, node, rates)
    if own or any(_reckons(layout, one, set()) for one in functions):
        return True
    return _hands_on(layout, node, rates, 0) or any(_hands_on(layout, one, set(), 1) for one in functions)


def tells(layout: Layout, node: ast.stmt | ast.expr) -> bool:
    """Whether a rate is asked for in a piece of code, or a function of the file that gives one back is called."""
    if _TOLD.search(layout.code(node)) or _of_group(layout, node):
        return True
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    functions = (one for call in calls for one in functions_named(layout, last_name(call.func)))
    ends = (part for one in functions for part in ast.walk(one) if isinstance(part, ast.Return))
    return any(_TOLD.search(layout.code(end)) for end in ends)


def named_so(layout: Layout, nodes: Iterable[ast.AST], rates: set[str]) -> set[str]:
    """The names of rates, with those that a piece of code gives to one, or to what it makes of one.

    rate = sched.get_last_lr()[0]; size = max(rate, 1e-6)         both; `text = f"rate {rate}"` is only told
    """
    pairs = [(target, value) for node in nodes for target, value in _assigned(node)]
    found = rates | {name for target, value in pairs if tells(layout, value) for name in names_set([target])}
    while True:
        made = [target for target, value in pairs if _is_made(value) and not found.isdisjoint(names_read([value]))]
        if (more := names_set(made)) <= found:
            return found
        found |= more


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is set in a piece of code, each with what it is set to."""
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            yield from ((target, part.value) for target in part.targets)
        elif isinstance(part, (ast.AnnAssign, ast.NamedExpr)) and part.value is not None:
            yield part.target, part.value


def _is_made(value: ast.expr) -> bool:
    """Whether what is made of a rate may be one: no text, and no row of several things."""
    if isinstance(value, ast.Call):
        return last_name(value.func) not in _TEXTS and not _TELLS.search(last_name(value.func))
    if isinstance(value, ast.BinOp):
        return not _formats(value)
    return isinstance(value, (ast.Name, ast.UnaryOp, ast.IfExp, ast.NamedExpr))


def _of_group(layout: Layout, node: ast.AST) -> bool:
    """`group["lr"]`, where the file has `group = optimizer.param_groups[0]`, or that of one of several."""
    groups = _groups(layout)
    return bool(groups) and any(
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Constant)
        and part.slice.value == "lr"
        and not groups.isdisjoint({ast.unparse(part.value), ast.unparse(getattr(part.value, "value", part.value))})
        for part in ast.walk(node)
    )


@lru_cache(maxsize=8)
def _groups(layout: Layout) -> frozenset[str]:
    """The names that a file gives to groups of an optimizer's."""
    pairs = _assigned(layout.tree)
    return frozenset(
        name
        for target, value in pairs
        if "param_groups" in (code := layout.code(value)) and not _RATE.search(code)
        for name in names_set([target])
    )


def functions_named(layout: Layout, name: str) -> list[_Function]:
    """The functions and methods of the file that are called so."""
    return layout.functions.get(name, [])


def arguments(function: _Function, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of a function, with what a call gives for each as far as it can be told."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    bound = isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"])
    yield from zip(names[int(bound) :], call.args, strict=False)
    yield from ((word.arg or "", word.value) for word in call.keywords)
    rest = [one.arg for one in (function.args.vararg, function.args.kwarg) if one is not None]
    yield from ((name, value) for name in rest for value in call.args)


def _reckons(layout: Layout, node: ast.AST, rates: set[str]) -> bool:
    """Whether there is arithmetic on a rate, or on a name that stands for one, in a piece of code, or a comparison."""
    rates = named_so(layout, [node], rates)
    groups = {
        name
        for part in ast.walk(node)
        if isinstance(part, (ast.For, ast.comprehension)) and _gives_groups(layout, part.iter)
        for name in (one.id for one in ast.walk(part.target) if isinstance(one, ast.Name))
    }
    parts = list(_untold(layout, node))
    asked = [part for part in parts if isinstance(part, ast.Compare)]
    if any(_asks(layout, part, rates) for part in asked):
        return True
    return any(
        tells(layout, part)
        or not rates.isdisjoint(read := names_read([part]))
        or ("lr" in layout.code(part) and not groups.isdisjoint(read))
        for part in parts
        if isinstance(part, (ast.BinOp, ast.AugAssign)) and not _formats(part)
    )


def _gives_groups(layout: Layout, node: ast.expr) -> bool:
    return "param_groups" in layout.code(node) or ast.unparse(node) in _groups(layout)


def _asks(layout: Layout, part: ast.Compare, rates: set[str]) -> bool:
    """`sched.get_last_lr()[0] < least`, `group["lr"] < least`."""
    return bool(_RATE.search(layout.code(part))) or _of_group(layout, part) or not rates.isdisjoint(names_read([part]))


def _untold(layout: Layout, node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a piece of code, but for what is only told: `print(1000 * rate)`."""
    stack = [node]
    while stack:
        part = stack.pop()
        if not (isinstance(part, ast.Call) and _only_tells(layout, part)):
            yield part
            stack += ast.iter_child_nodes(part)


def _only_tells(layout: Layout, call: ast.Call) -> bool:
    """Whether a call is one of those that tell, by its name, and none of a function of the file: that can be read."""
    name = last_name(call.func)
    own = isinstance(call.func, ast.Name) or layout.code(call.func) == f"self.{name}"
    return bool(_TELLS.search(name)) and not (own and functions_named(layout, name))


def _formats(part: ast.BinOp | ast.AugAssign) -> bool:
    """`"rate %.6f" % rate`."""
    return isinstance(part, ast.BinOp) and isinstance(part.left, ast.Constant) and isinstance(part.left.value, str)


def _hands_on(layout: Layout, node: ast.AST, rates: set[str], deep: int) -> bool:
    """Whether a rate is given to a call that does something with it, other than to tell it: `weight.sub_(rate)`."""
    rates = named_so(layout, [node], rates)
    return any(_works(layout, call, done, rates, deep) for call, done in _calls(layout, node))


def _works(layout: Layout, call: ast.Call, done: bool, rates: set[str], deep: int) -> bool:
    """Whether a call works with a rate that it is given; what nobody sees does so where the call is all that is `done`.

    A function of the file does what it does, whatever it is called.
    """
    given = [*call.args, *(word.value for word in call.keywords)]
    if not any(_reads(layout, one, rates) for one in given):
        return False
    functions = functions_named(layout, last_name(call.func))
    for function in functions if deep < _MAX_DEPTH else ():
        held = {name for name, value in arguments(function, call) if _reads(layout, value, rates)}
        if held and (_reckons(layout, function, held) or _hands_on(layout, function, held, deep + 1)):
            return True
    return done and not functions


def _reads(layout: Layout, node: ast.expr, rates: set[str]) -> bool:
    return not rates.isdisjoint(names_read([node])) or tells(layout, node)


def _calls(layout: Layout, node: ast.AST) -> Iterator[tuple[ast.Call, bool]]:
    """The calls in a piece of code, but for what is told, and whether each is a whole statement, or sets weights."""
    stack: list[tuple[ast.AST, bool]] = [(node, False)]
    while stack:
        part, done = stack.pop()
        if isinstance(part, ast.Call):
            if _only_tells(layout, part):
                continue
            yield part, done
        whole = isinstance(part, ast.Expr) or (isinstance(part, ast.Assign) and any(map(_is_data, part.targets)))
        inner = (child for child in ast.iter_child_nodes(part) if part is node or not isinstance(child, _DEFINED))
        stack += [(child, whole) for child in inner]


def _is_data(target: ast.expr) -> bool:
    """`weight.data`, `weight[:]`."""
    whole = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice)
    return whole or (isinstance(target, ast.Attribute) and target.attr == "data")


_TELLS = re.compile(
    r"(?i)print|log|tell|show|report|record|writ|note|track|metric|meter|stat|progress|postfix|descri|scalar|display"
    r"|monitor|info|debug|warn|message|format|append|extend|update|save|dump|plot|callback|echo|history|summary|emit"
    r"|send|push|put|add_(?:text|row|column)|^add$|^set(?:default)?$|^insert$|^observe$|^assert"
)
"""Names of calls that tell what they are given, or keep it to be told."""

_TEXTS = frozenset({"str", "repr", "dict", "list", "tuple"})
"""Calls that make a text of a rate, or put it beside other things."""

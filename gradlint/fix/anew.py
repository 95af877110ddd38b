"""A filter of parameters that is made anew where they are clipped: it lets through what is trained by then.

trainable = filter(lambda p: p.requires_grad, net.parameters())      used up by the first clip
opt = SGD(net.parameters())                                          whatever thaws is the optimizer's
...
clip_grad_norm_(filter(lambda p: p.requires_grad, net.parameters()), 1.0)
"""

from __future__ import annotations

import ast
import builtins
import re

from gradlint.fix.code import last_name, names_read, names_set
from gradlint.fix.lasting import bound, gets_more, optimizers
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.reach import of_module
from gradlint.fix.work import Work

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BUILTINS = frozenset(dir(builtins))


def named_anew(layout: Layout, work: Work, used: ast.expr, value: ast.expr, made: ast.stmt) -> None:
    """Have a filter of parameters made anew where it is used, as it reads where it was made.

    Raises:
        Refused: it is no filter, is made elsewhere, or what it reads may be another thing by then; or what it lets
            through later is no parameter of the optimizer.
    """
    function = layout.function(made)
    if _source(value) is None or not isinstance(function, _FUNCTIONS):
        raise Refused("the iterator is no filter, or is made elsewhere")
    if not gets_more(work) and not _has_all(layout, value, made):
        raise Refused("what thaws later may be no parameter of the optimizer")
    there = layout.function(used)
    if there is function or function in layout.owners(there):
        _check_same(layout, value, made, there)
        code = layout.code(value)
    else:
        code = _by_attributes(layout, value, made, there)
    work.cuts.append(layout.over(used, code))


def _source(value: ast.expr) -> ast.expr | None:
    """What a filter goes through."""
    if isinstance(value, ast.GeneratorExp):
        return value.generators[0].iter if len(value.generators) == 1 else None
    called = isinstance(value, ast.Call) and last_name(value.func) == "filter" and len(value.args) == 2
    return value.args[1] if called and isinstance(value, ast.Call) else None


def _has_all(layout: Layout, value: ast.expr, made: ast.stmt) -> bool:
    """Whether the only optimizer is made, in the same function, of all that the filter goes through."""
    found, source, function = optimizers(layout), _source(value), layout.function(made)
    if len(found) != 1 or source is None or layout.function(found[0]) is not function:
        return False
    given = found[0].value.args[0] if isinstance(found[0].value, ast.Call) else None
    first, last = (layout.start(one) for one in sorted((found[0], made), key=layout.start))
    inside = [one for one in layout.statements() if layout.function(one) is function]
    changed = names_set(one for one in inside if first <= layout.start(one) <= last)
    return given is not None and ast.unparse(given) == ast.unparse(source) and not names_read([source]) & changed


def _check_same(layout: Layout, value: ast.expr, made: ast.stmt, there: ast.AST) -> None:
    """Nothing, where what a filter reads is the same in its function later on, or in one within that.

    Raises:
        Refused: it may be another thing.
    """
    function, read = layout.function(made), names_read([value]) - bound(value)
    later = [one for one in layout.statements() if one is not made and layout.start(one) > layout.end(made)]
    changed = names_set(one for one in later if layout.function(one) is function)
    shared = (part for part in ast.walk(function) if isinstance(part, ast.Nonlocal))
    changed = changed.union(*(part.names for part in shared))
    if there is not function:
        changed |= names_set(ast.iter_child_nodes(there)) | _arguments(there)
    if read & changed:
        raise Refused("what the filter reads may be another thing by then")


def _arguments(function: ast.AST) -> set[str]:
    parts = ast.walk(function.args) if isinstance(function, _FUNCTIONS) else ()
    return {part.arg for part in parts if isinstance(part, ast.arg)}


def _by_attributes(layout: Layout, value: ast.expr, made: ast.stmt, there: ast.AST) -> str:
    """A filter of `__init__` as another method writes it: `net` is `self.net`, which is set once.

    Raises:
        Refused: it is made elsewhere, or reads what only that function knows.
    """
    function, elsewhere = layout.function(made), Refused("the iterator is no filter, or is made elsewhere")
    owner = layout.parents.get(function)
    begins = isinstance(function, _FUNCTIONS) and function.name == "__init__"
    if not begins or not isinstance(owner, ast.ClassDef) or layout.parents.get(there) is not owner:
        raise elsewhere
    code, own = layout.code(value), _arguments(function) | names_set(ast.iter_child_nodes(function))
    others, known = _arguments(there) | names_set(ast.iter_child_nodes(there)), of_module(layout) | _BUILTINS
    for name in sorted(names_read([value]) - bound(value)):
        if name == "self":
            continue
        if name in own:
            code = re.sub(rf"(?<![\w.]){name}\b", _attribute(layout, function, name), code)
        elif name in others or name not in known:
            raise elsewhere
    chains = {ast.unparse(part) for part in ast.walk(ast.parse(code)) if isinstance(part, ast.Attribute)}
    if any(_stores(layout, chain) > 1 for chain in chains if chain.startswith("self.")):
        raise Refused("what the filter reads may be another thing by then")
    return code


def _attribute(layout: Layout, function: ast.AST, name: str) -> str:
    """The attribute that keeps a parameter of a function, which is never set again.

    Raises:
        Refused: there is none.
    """
    if name in names_set(ast.iter_child_nodes(function)):
        raise Refused("what the filter reads may be another thing by then")
    for node in (part for part in ast.walk(function) if isinstance(part, ast.Assign)):
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for one, given in pairs:
            if isinstance(one, ast.Attribute) and ast.unparse(given) == name and ast.unparse(one.value) == "self":
                return layout.code(one)
    raise Refused("the iterator is no filter, or is made elsewhere")


def _stores(layout: Layout, chain: str) -> int:
    parts = (part for part in ast.walk(layout.tree) if isinstance(part, ast.Attribute))
    return sum(not isinstance(part.ctx, ast.Load) and ast.unparse(part) == chain for part in parts)

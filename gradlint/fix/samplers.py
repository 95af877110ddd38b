"""Samplers that are made now and then: whether a call is asked first, and whether what is asked tells all there is.

sampler = make_sampler(data)             None, or a `DistributedSampler`: by what the file's function returns
for epoch in range(epochs):
    if sampler is not None:              asked: on the other way nothing is called
        sampler.set_epoch(epoch)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TypeAlias

from gradlint.fix.code import last_name
from gradlint.syntax.nodes import walk

_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

_DEEP = 3
"""Functions in functions that hand a sampler on."""


def none_or_sampler(tree: ast.Module, name: str, row: int) -> bool:
    """Whether all that a name can be at some row is `None`, perhaps, or a `DistributedSampler`.

    Args:
        tree: the file.
        name: a variable or an attribute as it is written: `self.sampler`.
        row: where it is read.
    """
    around = [node for node in _functions(tree) if _holds(node, row)]
    taken = {arg.arg for node in around for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    if name in taken:
        return False
    values = [
        node.value
        for node in walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and name in _targets(node)
        if "." in name or _is_in(tree, node, around)
    ]
    return _bindings(tree, name, around) == len(values) and {
        kind for value in values for kind in _kinds(tree, value)
    } == {"none", "sampler"}


def _bindings(tree: ast.Module, name: str, around: list[_Function]) -> int:
    """How often a name is bound there, in whatever way: `sampler, size = build(data)` may give it anything."""
    stored = (node for node in walk(tree) if isinstance(node, (ast.Name, ast.Attribute)))
    found = [node for node in stored if not isinstance(node.ctx, ast.Load) and ast.unparse(node) == name]
    return sum("." in name or _is_in(tree, node, around) for node in found)


def _is_in(tree: ast.Module, node: ast.expr | ast.stmt, around: list[_Function]) -> bool:
    """Whether the functions around a place are these, and no others."""
    return all(_holds(one, node.lineno) == (one in around) for one in _functions(tree))


def _functions(tree: ast.Module) -> list[_Function]:
    return [node for node in walk(tree) if isinstance(node, _FUNCTIONS)]


def _holds(node: ast.expr | ast.stmt, row: int) -> bool:
    return node.lineno <= row <= (node.end_lineno or node.lineno)


def asked_first(tree: ast.Module, rows: Collection[int]) -> bool:
    """Whether each `set_epoch` on some rows is called under `is not None` of what is nothing else but a sampler."""
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.lineno in rows]
    told = [node.func.value for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "set_epoch"]
    asked = {
        (ast.unparse(node.test), row)
        for node in walk(tree)
        if isinstance(node, ast.If)
        for one in node.body
        for row in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    }
    names = [ast.unparse(one) for one in told]
    guarded = all((f"{name} is not None", one.lineno) in asked for name, one in zip(names, told, strict=True))
    every = (none_or_sampler(tree, name, one.lineno) for name, one in zip(names, told, strict=True))
    return bool(told) and guarded and all(every)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    return [ast.unparse(one) for one in (node.targets if isinstance(node, ast.Assign) else [node.target])]


def _kinds(tree: ast.Module, value: ast.expr, deep: int = _DEEP) -> Iterator[str]:
    """What a value may be: `none`, `sampler`, or something `else`."""
    if isinstance(value, ast.Constant) and value.value is None:
        yield "none"
    elif isinstance(value, ast.IfExp):
        yield from _kinds(tree, value.body, deep)
        yield from _kinds(tree, value.orelse, deep)
    elif isinstance(value, ast.Call) and last_name(value.func) == "DistributedSampler":
        yield "sampler"
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and deep:
        yield from _returned(tree, value.func.id, deep - 1)
    else:
        yield "else"


def _returned(tree: ast.Module, name: str, deep: int) -> Iterator[str]:
    """What a function of the file hands out; one that can reach its end hands out `None`."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(found) != 1 or found[0].decorator_list:
        yield "else"
        return
    yield from () if isinstance(found[0].body[-1], (ast.Return, ast.Raise)) else ("none",)
    nested = (node for node in walk(found[0]) if node is not found[0] and isinstance(node, _FUNCTIONS))
    inner = {part for node in nested for part in walk(node)}
    for node in walk(found[0]):
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            yield "else"
        if isinstance(node, ast.Return) and node not in inner:
            yield from ("none",) if node.value is None else _kinds(tree, node.value, deep)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

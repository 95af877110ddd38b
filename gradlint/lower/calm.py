"""Calm functions: nothing that they change outlives them, and what they return does not depend on a guard.

def plot(mel, title):                calm: a list of its own, one `return` at the end
    lines = []
    lines.append(draw(mel))
    return lines[0]

def due(self, step):                 not calm: what it returns, and what it counts, tells of the course of things
    self.seen += 1
    if step % 4: return False
    return True
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gradlint.model.roles import IDLE_METHODS

_CHANGES = frozenset(
    "add append appendleft clear discard extend extendleft insert pop popitem popleft put remove reverse setdefault "
    "sort update send".split()
)
"""Methods that change a container, and so whatever else holds it."""
_MOVES = frozenset({"next", "setattr", "delattr", "exec", "eval"})
"""Functions that do so."""
_STIRS = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.Delete, ast.Raise)
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def is_calm(body: Sequence[ast.stmt], kinds: Mapping[type[ast.AST], list[Any]]) -> bool:
    """Whether a function is calm, what it calls aside.

    Args:
        body: its statements.
        kinds: all nodes in these by their class.
    """
    if any(kind in kinds for kind in _STIRS):
        return False
    if _calls_each(kinds) or _names_only(kinds):
        return False
    returns = kinds.get(ast.Return, ())
    if len(returns) > 1 or (returns and body[-1] is not returns[0]):
        return False
    changed = list(_changed(kinds))
    if not changed:
        return True
    own = _own(kinds)
    return all(isinstance(node, ast.Name) and node.id in own for node in changed)


def _calls_each(kinds: Mapping[type[ast.AST], list[Any]]) -> bool:
    """Whether it calls what it finds somewhere: `for hook in self.hooks: hook(model)`; there may be more soon."""
    found = {node.target.id for node in kinds.get(ast.For, ()) if isinstance(node.target, ast.Name)}
    return any(isinstance(call.func, ast.Name) and call.func.id in found for call in kinds.get(ast.Call, ()))


def _names_only(kinds: Mapping[type[ast.AST], list[Any]]) -> bool:
    """Whether it may name a method that it should call, now and then: `if epoch % 10 == 0: self.rates.step`."""
    named = (node.value for node in kinds.get(ast.Expr, ()) if isinstance(node.value, ast.Attribute))
    return any(node.attr in IDLE_METHODS for node in named)


def _changed(kinds: Mapping[type[ast.AST], list[Any]]) -> Iterator[ast.AST]:
    """What is changed without being bound anew."""
    for kind in (ast.Attribute, ast.Subscript):
        yield from (node.value for node in kinds.get(kind, ()) if isinstance(node.ctx, ast.Store))
    for call in kinds.get(ast.Call, ()):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGES:
            yield call.func.value
        elif isinstance(call.func, ast.Name) and call.func.id in _MOVES:
            yield call


def _own(kinds: Mapping[type[ast.AST], list[Any]]) -> frozenset[str]:
    """The names whose every value is a container made here."""
    stored = Counter(node.id for node in kinds.get(ast.Name, ()) if isinstance(node.ctx, ast.Store))
    for node in kinds.get(ast.Assign, ()):
        if isinstance(node.value, _FRESH) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            stored[node.targets[0].id] -= 1
    return frozenset(name for name, others in stored.items() if not others)

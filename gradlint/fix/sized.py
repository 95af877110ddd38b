"""What has a length: before a repair asks for the last turn of a loop, something in sight must say that it can.

len(loader)                                asked elsewhere in the function already
loader = DataLoader(data, batch_size=8)    made here, or where the function is called, and no data set is a stream
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradlint.syntax.nodes import walk

_DEEP = 4
"""So many names are followed."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_STREAMS = frozenset({"IterableDataset", "IterDataPipe", "islice", "streaming", "WebDataset", "WebLoader"})
_LISTS = frozenset({"list", "tuple", "sorted", "range"})


def unsized(tree: ast.Module, rows: Iterable[int]) -> list[str]:
    """What `len` is asked of on some rows of a repaired text, without anything in sight that says it has one."""
    new = set(rows)
    asked = [one for one in walk(tree) if isinstance(one, ast.Call) and one.lineno in new and _asks(one)]
    known = _Known(tree, new)
    return list(dict.fromkeys(ast.unparse(one.args[0]) for one in asked if not known.sized(one.args[0], one)))


def is_stream(tree: ast.Module, value: ast.expr) -> bool:
    """Whether a value is what a generator of this file makes, as far as can be seen, and so has no length."""
    return _Known(tree, set()).streams_from(value, value)


def _asks(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1


class _Known:
    """What a text says of lengths on the rows that are not new."""

    def __init__(self, tree: ast.Module, new: set[int]) -> None:
        self.tree, self.new = tree, new
        self.scopes: dict[ast.AST, ast.AST] = {}
        for scope in (tree, *(node for node in walk(tree) if isinstance(node, _FUNCTIONS))):
            self.scopes |= {node: scope for node in walk(scope) if node is not scope}  # the innermost comes last
        words = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
        words |= {node.attr for node in walk(tree) if isinstance(node, ast.Attribute)}
        words |= {node.arg or "" for node in walk(tree) if isinstance(node, ast.keyword)}
        self.streams = not words.isdisjoint(_STREAMS)

    def sized(self, value: ast.expr, at: ast.AST, deep: int = _DEEP) -> bool:
        """Whether a value at a place has a length."""
        if isinstance(value, (ast.List, ast.Tuple, ast.ListComp)):
            return True
        if isinstance(value, ast.Call):
            name = ast.unparse(value.func).rpartition(".")[2]
            return name in _LISTS or (name == "DataLoader" and not self.streams)
        if isinstance(value, ast.IfExp):
            return self.sized(value.body, at, deep) and self.sized(value.orelse, at, deep)
        if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
            return True
        return isinstance(value, (ast.Name, ast.Attribute)) and deep > 0 and self._named(value, at, deep - 1)

    def streams_from(self, value: ast.expr, at: ast.AST, deep: int = _DEEP) -> bool:
        """Whether a value at a place can only be what a generator makes."""
        if isinstance(value, ast.Call):
            name = ast.unparse(value.func).rpartition(".")[2]
            made = [one for one in walk(self.tree) if isinstance(one, _FUNCTIONS) and one.name == name]
            return bool(made) and all(self._yields(one) for one in made)
        if not isinstance(value, ast.Name) or deep == 0:
            return False
        scope = self.scopes.get(at, self.tree)
        given = (one for one in walk(scope) if isinstance(one, ast.Assign))
        stored = [one for one in given if value.id in map(ast.unparse, one.targets)]
        values = [*((one.value, one) for one in stored), *self._given(scope, value.id)]
        return bool(values) and all(
            one is not None and self.streams_from(one, place, deep - 1) for one, place in values
        )

    def _yields(self, function: ast.AST) -> bool:
        """Whether a function is a generator by itself, and nothing wraps what it makes."""
        yields = (one for one in walk(function) if isinstance(one, (ast.Yield, ast.YieldFrom)))
        bare = not getattr(function, "decorator_list", ())
        return bare and any(self.scopes.get(one) is function for one in yields)

    def _named(self, value: ast.Name | ast.Attribute, at: ast.AST, deep: int) -> bool:
        scope, code = self.scopes.get(at, self.tree), ast.unparse(value)
        inside = list(walk(scope))
        calls = [one for one in inside if isinstance(one, ast.Call) and one.lineno not in self.new]
        if any(_asks(one) and ast.unparse(one.args[0]) == code for one in calls):
            return True
        where = walk(self.tree) if isinstance(value, ast.Attribute) else inside
        made = [one for one in where if isinstance(one, ast.Assign) and code in map(ast.unparse, one.targets)]
        given = list(self._given(scope, code))
        if made or given:
            values = [*((one.value, one) for one in made), *given]
            return all(one is not None and self.sized(one, place, deep) for one, place in values)
        outer = self.scopes.get(scope)
        return outer is not None and self._named(value, scope, deep)

    def _given(self, scope: ast.AST, name: str) -> Iterator[tuple[ast.expr | None, ast.AST]]:
        """What a function of the file is given for a parameter, call by call; nothing where it isn't one."""
        if not isinstance(scope, _FUNCTIONS):
            return
        names = [one.arg for one in (*scope.args.posonlyargs, *scope.args.args)]
        if name not in (*names, *(one.arg for one in scope.args.kwonlyargs)):
            return
        names = names[1:] if names[:1] == ["self"] else names
        calls = [one for one in walk(self.tree) if isinstance(one, ast.Call)]
        found = [one for one in calls if ast.unparse(one.func).rpartition(".")[2] == scope.name]
        for call in found:
            words = {one.arg: one.value for one in call.keywords}
            placed = dict(zip(names, call.args, strict=False))
            yield words.get(name, placed.get(name)), call
        if not found:
            yield None, scope

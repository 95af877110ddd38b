"""Functions under other names: kept in a variable, a dictionary or an attribute, handed out, or handed over.

step = partial(train_step, model)          step     ──► train_step
STEPS = {"plain": plain, "amp": amp}       STEPS    ──► plain, amp
def make(): def run(): ...; return run     make()   ──► run
run_epoch(train_step, loader)              step     ──► train_step, where `def run_epoch(step, loader)`
self._each(loader, self.train_batch)       work     ──► self.train_batch, where `def _each(self, loader, work)`
act = self.step if last else self.skip     act      ──► the methods of these names (`chosen`)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from gradlint.lower.gathering import PART, decorated, gathered
from gradlint.lower.outline import FunctionNode, Outline, own
from gradlint.model.pattern import pattern
from gradlint.syntax.nodes import walk


def aliases(
    outline: Outline,
    functions: Sequence[tuple[str | None, FunctionNode]],
    imported: Collection[str] = (),
    filled: Collection[str] = (),
) -> Mapping[str, set[str]]:
    """The functions of a file that a name may mean; `make()` what the call of `make` may hand out.

    A variable may mean what is `imported`, too: it is given it whole or in part (`partial(run_epoch, net)`), or chosen
    from what another file keeps (`STEPS[name]`); and what is `filled` in this one, maybe for others.
    """
    names = {node.name for _, node in functions if not isinstance(node, ast.Lambda)}
    meant: dict[str, set[str]] = {}
    for _, function in functions:
        if isinstance(function, ast.FunctionDef):
            for part in own(function.body):
                if isinstance(part, ast.Return) and part.value is not None:
                    meant.setdefault(f"{function.name}()", set()).update(_mentioned(part.value))
    for node in outline.nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            found = set(_mentioned(node.value))
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in _names(target) if found else ():
                    meant.setdefault(name, set()).update(found)
    put = gathered(outline.nodes, lambda value: _put(value, names))
    for name, given in (*_handed_over(outline, functions, names), *put, *decorated(outline, functions)):
        meant.setdefault(name, set()).add(given)
    return _resolved(meant, names | set(imported), filled)


def chosen(outline: Outline, methods: Collection[str]) -> Mapping[str, frozenset[str]]:
    """The methods that a variable may mean which is given nothing but methods of `self`, wherever it is bound."""
    found: dict[str, set[str]] = {}
    for node in outline.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, set()).update(_methods_of_self(node.value, methods) or {""})
    kept = {name: frozenset(meant) for name, meant in found.items() if "" not in meant}
    for name in _bound_otherwise(outline) if kept else ():
        kept.pop(name, None)
    return kept


def _methods_of_self(value: ast.expr, methods: Collection[str]) -> set[str]:
    """The methods of which one is a value; empty where it may be anything else."""
    if isinstance(value, ast.IfExp):
        one, other = _methods_of_self(value.body, methods), _methods_of_self(value.orelse, methods)
        return one | other if one and other else set()
    own = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id in ("self", "cls")
    return {value.attr} if isinstance(value, ast.Attribute) and own and value.attr in methods else set()


def _bound_otherwise(outline: Outline) -> Iterator[str]:
    """The names that are bound by anything but `name = value`."""
    for node in outline.nodes:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = [] if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) else node.targets
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.AnnAssign, ast.AugAssign)):
            targets = [node.target]
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name
            yield from (arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
        for target in targets:
            yield from _names(target)


def _handed_over(
    outline: Outline, functions: Sequence[tuple[str | None, FunctionNode]], names: set[str]
) -> Iterator[tuple[str, str]]:
    """The parameters that functions of the file are handed to in a call of another, with these."""
    takers: dict[str, list[list[str]]] = {}
    for owner, taker in functions:
        if not isinstance(taker, ast.Lambda):
            places = [arg.arg for arg in (*taker.args.posonlyargs, *taker.args.args)]
            takers.setdefault(taker.name, []).append(places[1:] if owner and places[:1] == ["self"] else places)
    for node in outline.within(outline.rows(_given(outline.data, names))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for places in takers.get(called, ()):
            given = (*zip(places, node.args, strict=False), *((word.arg, word.value) for word in node.keywords))
            yield from ((name, one) for name, arg in given if name for one in _mentioned(arg) if one in names)
            yield from ((name, f"{OWN}{arg.attr}") for name, arg in given if name and _is_own(arg, names))


OWN = "self."
"""Before the name of a method that is handed over."""


def _put(value: ast.expr, names: set[str]) -> list[str]:
    """What may be meant by what is put somewhere: names, and methods of the object itself."""
    return [*_mentioned(value), *(f"{OWN}{part.attr}" for part in walk(value) if _is_own(part, names))]


def _is_own(arg: ast.AST, names: set[str]) -> TypeGuard[ast.Attribute]:
    """Whether it is a method of the object itself."""
    return (
        isinstance(arg, ast.Attribute)
        and isinstance(arg.value, ast.Name)
        and arg.value.id == "self"
        and arg.attr in names
    )


def _given(data: bytes, names: Iterable[str]) -> Iterator[int]:
    """Where some names end that are no attributes but an object's own, and of which nothing is called or asked."""
    for word in (name.encode() for name in names):
        at = data.find(word)
        while at >= 0:
            end = at + len(word)
            begins = at == 0 or data[at - 1] not in _GOES_ON or data.endswith(_OWN, 0, at)
            if begins and _IS_USED.match(data, end) is None:
                yield end
            at = data.find(word, end)


_GOES_ON = frozenset(b".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") | frozenset(range(128, 256))
_OWN = OWN.encode()
_IS_USED = pattern(rb"[\w\x80-\xff]|\s*[(.]")


def _resolved(meant: Mapping[str, set[str]], names: set[str], filled: Collection[str]) -> dict[str, set[str]]:
    """The functions that each name leads to, by way of others: looked for from these, for few names lead to any."""
    users: dict[str, list[str]] = {}
    for name, ways in meant.items():
        for way in ways:
            users.setdefault(way, []).append(name)
    found: dict[str, set[str]] = {}
    for one in [way for way in users if way.removeprefix(OWN) in names or way.removeprefix(PART) in filled]:
        todo, seen = list(users[one]), set[str]()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                found.setdefault(name, set()).add(one.removeprefix(PART))
                todo += (*users.get(name, ()), *users.get(f"{PART}{name}", ()))
    return found


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _names(part)


def _mentioned(value: ast.expr) -> Iterator[str]:
    """Names that are not called, and calls by name; what a lambda calls is called when it is."""
    if isinstance(value, ast.Constant):
        return
    parts = walk(value)
    called = {id(node.func) for node in parts if isinstance(node, ast.Call)}
    later = {id(node) for one in parts if isinstance(one, ast.Lambda) for node in walk(one.body)}
    for node in parts:
        if isinstance(node, ast.Name):
            if id(node) in later or id(node) not in called:
                yield node.id
            if id(node) in called:
                yield f"{node.id}()"

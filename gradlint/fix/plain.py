"""What may be a plain number where it is detached: a name that is set to one somewhere, or that runs over a collection.

for name, value in terms.items():          book[name] += value                          `value`, whatever `terms` holds
for name in ("fit", "penalty"):            book[name] += terms[name]                    `terms[name]`
for part in (fit, penalty):                total += part                                nothing, if both are tensors
loss.backward()                            total += loss                                nothing: only a tensor goes back
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from gradlint.fix.scopes import FUNCTIONS, NONE, Scope, binds, names_stored, own_nodes, scopes, suites

_PLAIN_CALLS = frozenset("float int len round item tolist".split())
"""Calls that give a plain number; of `sum` nobody knows."""

_WITH_DEFAULT = {"get": 1, "pop": 1, "getattr": 2, "next": 1}
"""Calls that may give what they were handed, and at which place that stands."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def detached_plain(tree: ast.Module, rows: Collection[int]) -> Iterator[str]:
    """What is detached on some rows, `value.detach()`, without being asked first, and may be a plain number."""
    for scope, _ in scopes(tree):
        for node in own_nodes(scope):
            if not isinstance(node, ast.stmt) or suites(node) or node.lineno > max(rows, default=0):
                continue
            for part in ast.walk(node):
                detaches = isinstance(part, ast.Attribute) and part.attr == "detach" and part.lineno in rows
                if detaches and isinstance(part, ast.Attribute) and not _asked(node, part.value):
                    yield from map(ast.unparse, may_be_plain(tree, part.value))


def _asked(node: ast.stmt, value: ast.expr) -> bool:
    """Whether a value stands in `value.detach() if isinstance(value, torch.Tensor) else value`."""
    words = ast.unparse(value)
    for choice in (part for part in ast.walk(node) if isinstance(part, ast.IfExp)):
        test = choice.test
        if any(part is value for part in ast.walk(choice.body)) and isinstance(test, ast.Call) and test.args:
            return ast.unparse(test.args[0]) == words and ast.unparse(test.func) in ("isinstance", "torch.is_tensor")
    return False


def may_be_plain(tree: ast.Module, value: ast.expr) -> list[ast.expr]:
    """The names and items in a value that may be plain numbers, each as it stands there."""
    for scope, _ in scopes(tree):
        for node in own_nodes(scope):
            if isinstance(node, ast.stmt) and not suites(node) and any(part is value for part in ast.walk(node)):
                return list(_Names(tree, scope, node).plain(value))
    return []


class _Names:
    """What the names of one function may hold at one of its statements."""

    def __init__(self, tree: ast.Module, scope: Scope, node: ast.stmt) -> None:
        self._nodes = list(own_nodes(scope))
        self._sure = _gone_back(scope, node)
        self._functions = {one.name: one for one in ast.walk(tree) if isinstance(one, FUNCTIONS)}
        self._seen: set[str] = set()
        own = [one for part in ast.walk(node) if isinstance(part, _COMPREHENSIONS) for one in part.generators]
        loops = [one for one in self._nodes if isinstance(one, (ast.For, ast.AsyncFor))]
        self._loops: list[ast.comprehension | ast.For | ast.AsyncFor] = [*own, *loops]

    def plain(self, value: ast.expr) -> Iterator[ast.expr]:
        """The parts of an expression that may be plain numbers, so that it may be one or is made with one."""
        if isinstance(value, ast.Name):
            if value.id not in self._sure and self._named(value.id):
                yield value
        elif isinstance(value, ast.Subscript):
            if any(isinstance(part, ast.Name) and self._runs(part.id) for part in ast.walk(value.slice)):
                yield value
        elif isinstance(value, ast.Call):
            if _defaults(value):
                yield value
            else:
                yield from (part for part in _handed(value) if self._set_plain(part.id) and part.id not in self._sure)
        elif isinstance(value, (ast.BinOp, ast.UnaryOp, ast.IfExp)):
            for part in ast.iter_child_nodes(value):
                if isinstance(part, ast.expr):
                    yield from self.plain(part)

    def _runs(self, name: str) -> bool:
        """Whether a name runs over something."""
        return any(name in names_stored(loop.target) for loop in self._loops)

    def _named(self, name: str) -> bool:
        """Whether a name may hold a plain number somewhere."""
        if name in self._seen:
            return False
        self._seen.add(name)
        try:
            over = [loop.iter for loop in self._loops if name in names_stored(loop.target)]
            return self._set_plain(name) or any(self._over(one) for one in over)
        finally:
            self._seen.discard(name)

    def _set_plain(self, name: str) -> bool:
        return any(map(self._is_plain, self._given(name)))

    def _given(self, name: str) -> Iterator[ast.expr]:
        """What a name is set to; of a function of this file what it returns."""
        for node in self._nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    yield from self._taken(target, node.value, name)

    def _taken(self, target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
        if isinstance(target, ast.Name) and target.id == name:
            yield from self._answers(value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for answer in (arm for one in self._answers(value) for arm in _arms(one)):
                items = answer.elts if isinstance(answer, (ast.Tuple, ast.List)) else []
                if len(items) == len(target.elts):
                    for one, item in zip(target.elts, items, strict=True):
                        yield from self._taken(one, item, name)

    def _answers(self, value: ast.expr) -> list[ast.expr]:
        called = value.func if isinstance(value, ast.Call) else None
        label = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        made = self._functions.get(label)
        if made is None:
            return [value]
        return [node.value for node in own_nodes(made) if isinstance(node, ast.Return) and node.value is not None]

    def _is_plain(self, value: ast.expr) -> bool:
        """Whether a value may be a plain number by its own words."""
        if isinstance(value, (ast.Constant, ast.IfExp)):
            return True
        if isinstance(value, ast.Name):
            return self._named(value.id)
        if isinstance(value, ast.BinOp):
            return self._is_plain(value.left) and self._is_plain(value.right)
        if isinstance(value, ast.UnaryOp):
            return self._is_plain(value.operand)
        if isinstance(value, ast.Call):
            called = value.func
            label = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            return label in _PLAIN_CALLS or _defaults(value)
        return isinstance(value, ast.Subscript) and bool(list(self.plain(value)))

    def _over(self, over: ast.expr) -> bool:
        """Whether what a loop runs over may hold a plain number: unless each item is seen to be something else."""
        items = self._items(over)
        return items is None or any(map(self._is_plain, items))

    def _items(self, over: ast.expr) -> Sequence[ast.expr] | None:
        """The items of what is written down, or filled, in this function; nothing where they are not seen."""
        if isinstance(over, (ast.List, ast.Tuple)):
            return None if any(isinstance(item, ast.Starred) for item in over.elts) else over.elts
        if isinstance(over, (ast.ListComp, ast.GeneratorExp)):
            return [over.elt] if isinstance(over.elt, ast.Call) else None
        if not isinstance(over, ast.Name) or over.id in self._seen:
            return None
        given = [one for node in self._nodes for one in _set_to(node, over.id)]
        binding = sum(over.id in binds(node) for node in self._nodes)
        made = [self._items(one) for one in given]
        if not made or binding != len(given) or any(items is None for items in made):
            return None
        added = self._added(over.id)
        return None if added is None else [*(item for items in made for item in items or ()), *added]

    def _added(self, name: str) -> list[ast.expr] | None:
        """What is appended to a list; nothing where something else may come into it."""
        found: list[ast.expr] = []
        for node in self._nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is(node.func.value, name):
                if node.func.attr != "append" or len(node.args) != 1:
                    return None
                found += node.args
            elif isinstance(node, ast.Call) and any(_is(part, name) for part in node.args):
                if ast.unparse(node.func) not in ("sum", "len", "enumerate", "zip", "torch.stack", "range"):
                    return None
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _is(node.value, name):
                return None
        return found


def _arms(value: ast.expr) -> list[ast.expr]:
    return [*_arms(value.body), *_arms(value.orelse)] if isinstance(value, ast.IfExp) else [value]


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _set_to(node: ast.AST, name: str) -> list[ast.expr]:
    return [node.value for target in node.targets if _is(target, name)] if isinstance(node, ast.Assign) else []


def _handed(call: ast.Call) -> Iterator[ast.Name]:
    """The names in a call, that of the function left out."""
    given = [*call.args, *(word.value for word in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        given.append(call.func.value)
    yield from (part for one in given for part in ast.walk(one) if isinstance(part, ast.Name))


def _defaults(call: ast.Call) -> bool:
    """Whether a call may give a constant that it was handed: `terms.get("aux", 0.0)`."""
    func = call.func
    label = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    place = _WITH_DEFAULT.get(label, len(call.args))
    return any(isinstance(one, ast.Constant) for one in call.args[place:])


def _gone_back(scope: Scope, node: ast.stmt) -> frozenset[str]:
    """The names that every way to a statement has gone back from, `loss.backward()`, and not set since."""
    names: frozenset[str] = NONE
    suite: Sequence[ast.stmt] = scope.body
    while True:
        for one in suite:
            if one is node:
                return names
            if any(part is node for part in own_nodes(one)):
                break
            names = (names - names_stored(one)) | _went_back(one)
        else:
            return NONE
        if not isinstance(one, (ast.If, ast.With, ast.AsyncWith)):
            names -= names_stored(one)
        within = [
            suite for suite in suites(one) if any(part is node for top in suite for part in (top, *own_nodes(top)))
        ]
        if not within:
            return NONE
        suite = within[0]


def _went_back(node: ast.stmt) -> frozenset[str]:
    """The name in `loss.backward()` or `scaler.scale(loss).backward()`, where that is a statement."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "backward":
        return NONE
    loss = call.func.value
    if isinstance(loss, ast.Call) and isinstance(loss.func, ast.Attribute) and loss.func.attr == "scale" and loss.args:
        loss = loss.args[0]
    return frozenset({loss.id}) if isinstance(loss, ast.Name) else NONE

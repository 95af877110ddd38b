"""Bodies: the functions of one file by name, and what is plain to see in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from gradlint.lower.names import MOVES, last_name
from gradlint.lower.outline import FunctionNode, own
from gradlint.lower.solving import Key
from gradlint.model.once import cached_property
from gradlint.syntax.nodes import walk


class Bodies:
    """The functions of a file by name; methods also by the name of their class."""

    def __init__(self, functions: Iterable[tuple[str | None, FunctionNode]]) -> None:
        self.by_key: dict[Key, list[FunctionNode]] = {}
        for owner, node in functions:
            if not isinstance(node, ast.Lambda):
                self.by_key.setdefault((bool(owner), node.name), []).append(node)
                if owner:
                    self.by_key.setdefault((owner, node.name), []).append(node)
        self._calls: dict[Key, set[Key]] = {}

    def without(self, key: Key) -> Bodies:
        """The others."""
        rest = Bodies(())
        rest.by_key = {name: bodies for name, bodies in self.by_key.items() if name != key}
        return rest

    def key_of(self, node: FunctionNode) -> Key | None:
        """By what key a function is found."""
        return next((key for key, bodies in self.by_key.items() if any(body is node for body in bodies)), None)

    def fits(self, node: ast.Call, name: str) -> bool:
        """Whether a call has arguments enough for a method of the file: `x.backward()` is no `backward(self, y)`."""
        return any(_takes(body, node) for body in self.by_key.get((True, name), ()))

    def taking(self, node: ast.Call, name: str, *, apart: bool) -> list[str]:
        """The classes of the file with a method of that name for which a call has arguments enough.

        Where the call is of this file, it is `apart` from that in which it stands: `self.record(loss)` in a `__call__`
        calls another object.
        """
        owners = {owner: self.by_key[owner, name] for owner in self._owners.get(name, ())}
        return [
            owner
            for owner, bodies in owners.items()
            if any(_takes(one, node) and not (apart and _holds(one, node)) for one in bodies)
        ]

    @cached_property
    def _owners(self) -> Mapping[str, list[str]]:
        """The classes that have a method, by its name."""
        found: dict[str, list[str]] = {}
        for owner, name in self.by_key:
            if isinstance(owner, str):
                found.setdefault(name, []).append(owner)
        return found

    def calls_itself(self, key: Key) -> bool:
        """Whether a function calls itself by name, or what it calls does."""
        seen: set[Key] = set()
        todo = [key]
        while todo:
            called = self._calls_in(todo.pop())
            if key in called:
                return True
            todo += [one for one in called if one not in seen]
            seen |= called
        return False

    def _calls_in(self, key: Key) -> set[Key]:
        """The functions, or methods, that those of one name call."""
        if key not in self._calls:
            calls = [part for body in self.by_key[key] for part in walk(body) if isinstance(part, ast.Call)]
            called: set[Key] = {(isinstance(call.func, ast.Attribute), last_name(call.func) or "") for call in calls}
            self._calls[key] = called & self.by_key.keys()
        return self._calls[key]

    @cached_property
    def texts(self) -> frozenset[object]:
        """The constants that stand in the functions."""
        nodes = [node for bodies in self.by_key.values() for node in bodies]
        return frozenset(part.value for node in nodes for part in ast.walk(node) if isinstance(part, ast.Constant))

    @cached_property
    def made_by(self) -> Mapping[str, list[ast.expr]]:
        """What is called to make what a variable holds: `update = make_update(model)`, `learner = Learner().cuda()`."""
        found: dict[str, list[ast.expr]] = {}
        for node, call in self._made():
            for target in node.targets:
                found.setdefault(last_name(target) or "", []).append(_before_moves(call).func)
        return found

    @cached_property
    def unpacked_from(self) -> Mapping[str, list[ast.expr]]:
        """What is called to make one of what several variables hold: `update, advance = make_updates(model)`."""
        found: dict[str, list[ast.expr]] = {}
        for node, call in self._made():
            for part in (
                part for target in node.targets if isinstance(target, (ast.Tuple, ast.List)) for part in target.elts
            ):
                found.setdefault(last_name(part) or "", []).append(call.func)
        return found

    @cached_property
    def copied_from(self) -> Mapping[str, list[ast.expr]]:
        """What a variable is another name of: `builtin_print = builtins.print`."""
        found: dict[str, list[ast.expr]] = {}
        for node in self._assigned():
            if isinstance(node.value, ast.Attribute):
                for target in node.targets:
                    found.setdefault(last_name(target) or "", []).append(node.value)
        return found

    def only_made_by(self, name: str) -> list[ast.expr]:
        """What is called to make what a variable holds, where nothing else gives it a value."""
        others = (self.parameters, self.looped, self.copied_from, self.unpacked_from)
        return [] if any(name in other for other in others) else self.made_by.get(name, [])

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of all parameters in the file."""
        nodes = [body.args for bodies in self.by_key.values() for body in bodies]
        return frozenset(arg.arg for args in nodes for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs))

    @cached_property
    def fetched(self) -> frozenset[str]:
        """The variables that hold what was looked up by its name: `handler = getattr(hook, event)`."""
        found = [node for node, call in self._made() if last_name(call.func) == "getattr"]
        return frozenset(name for node in found for target in node.targets if (name := last_name(target)))

    @cached_property
    def looped(self) -> frozenset[str]:
        """The variables that go through something: `for listener in self._listeners`."""
        found: set[str] = set()
        for bodies in self.by_key.values():
            for body in bodies:
                for node in own(body.body) if not isinstance(body, ast.Lambda) else ():
                    if isinstance(node, (ast.For, ast.AsyncFor)):
                        found.update(part.id for part in ast.walk(node.target) if isinstance(part, ast.Name))
        return frozenset(found)

    @cached_property
    def written_out(self) -> frozenset[str]:
        """The variables that hold nothing but a dictionary, a list or a set that is written out: `told = {"a": 1}`."""
        filled, others = set[str](), set(self.parameters | self.looped)
        functions = [body for bodies in self.by_key.values() for body in bodies if not isinstance(body, ast.Lambda)]
        for node in (node for body in functions for node in own(body.body)):
            for place, value in _bindings(node):
                names = {part.id for part in walk(place) if isinstance(part, ast.Name)}
                plain = isinstance(place, ast.Name) and isinstance(value, _WRITTEN_OUT)
                (filled if plain else others).update(names)
        return frozenset(filled - others)

    def _made(self) -> Iterator[tuple[ast.Assign, ast.Call]]:
        """The assignments of what a call returns."""
        yield from ((node, node.value) for node in self._assigned() if isinstance(node.value, ast.Call))

    def _assigned(self) -> Iterator[ast.Assign]:
        """The assignments in the functions."""
        for bodies in self.by_key.values():
            for body in bodies:
                for node in own(body.body) if not isinstance(body, ast.Lambda) else ():
                    if isinstance(node, ast.Assign):
                        yield node


_WRITTEN_OUT = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Set, ast.SetComp)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """What a statement gives a value, with that value where it stands there."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign):
        yield node.target, node.value
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from ((one.optional_vars, None) for one in node.items if one.optional_vars is not None)


def _holds(body: FunctionNode, node: ast.Call) -> bool:
    """Whether a call stands in a function, by their rows."""
    return body.lineno <= node.lineno <= (body.end_lineno or body.lineno)


def _takes(body: FunctionNode, node: ast.Call) -> bool:
    """Whether a call has arguments enough for a method."""
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return True
    return _required(body) <= len(node.args) + len(node.keywords)


def _before_moves(call: ast.Call) -> ast.Call:
    """The call that makes what others only move."""
    while isinstance(call.func, ast.Attribute) and call.func.attr in MOVES and isinstance(call.func.value, ast.Call):
        call = call.func.value
    return call


def _required(node: FunctionNode) -> int:
    """How many arguments a method cannot do without, its object aside."""
    if isinstance(node, ast.Lambda) or node.decorator_list:
        return 0
    return max(0, len(node.args.posonlyargs) + len(node.args.args) - 1 - len(node.args.defaults))

"""Gates: what a statement can do to the books, with everything it calls in the module.

A guard that gates nothing is never asked about, a loop's kind follows from what its body gates,
and functions that gate nothing need not be followed. Computed bottom-up with a fixpoint over the
calls inside the file; an over-approximation by names, never an under-approximation.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush
from types import MappingProxyType
from typing import TypeAlias

from gradlint.libraries.conventions.numbers import GRADIENT_NAME, LOSS_NAME
from gradlint.libraries.own import own_words
from gradlint.libraries.packages import of_other_library
from gradlint.libraries.tables import ANYWHERE, BUILTINS, CALLS, METHODS
from gradlint.libraries.tensors import SCALING
from gradlint.lower.iterations import over_parts
from gradlint.lower.names import Names, dotted, last_name
from gradlint.lower.outline import FunctionNode, own
from gradlint.model.custom import current
from gradlint.model.effects import Action, Effect, Gate
from gradlint.model.roles import Role
from gradlint.model.told import NOTHING
from gradlint.syntax.nodes import children, walk

_BY_METHOD = {
    **{name: effect.gate for name, effect in ANYWHERE.items() if effect.gate},
    "no_backward_sync": METHODS[Role.FABRIC]["no_backward_sync"].gate,
    "register_hook": Gate.WEIGHT,
}
"""What methods can do, whatever has them."""

_HELD = (Role.OPTIMIZER, Role.SCALER)
_ENDINGS = frozenset({"exit", "_exit", "abort", "quit"})
_FOLLOWED_ANYHOW = frozenset({"train", "eval", "step", "update", "zero_grad", "backward"})


def always_fails(node: ast.stmt) -> bool:
    """Whether it is `assert False`."""
    return isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value


def ends_process(node: ast.expr) -> bool:
    """`sys.exit(...)` and its kin as a statement."""
    return isinstance(node, ast.Call) and last_name(node.func) in _ENDINGS


def effect_of(names: Names, func: ast.expr) -> Effect | None:
    """What a callee means by its qualified name, or by its last component where no import shows."""
    qualified = names.qualified(func)
    name = last_name(func)
    if name is None:
        return None
    if names.told is not NOTHING:
        told = names.told_effect(func)
        if told is not None:
            return told
    own = _own(own_words(current()), qualified, name)
    if own is not None or (isinstance(func, ast.Name) and name in names.defined):
        return own or names.wrappers.get(name)
    if qualified is not None and names.beyond.defines(qualified):
        return None
    if isinstance(func, ast.Name) and qualified is None and name in BUILTINS:
        return BUILTINS[name]
    if of_other_library(qualified):
        return _OTHERS
    if qualified is not None and qualified in CALLS:
        return CALLS[qualified]
    if qualified is None and isinstance(func, ast.Attribute) and names.role_of(func.value):
        return None
    bare = name if qualified is None else qualified.rsplit(".", 1)[-1]
    starred = f"*.{bare}"
    if starred in CALLS and _plausible(qualified, bare, func):
        return CALLS[starred]
    return CALLS.get(f"{last_name(func.value)}.{name}") if isinstance(func, ast.Attribute) else None


_OTHERS = Effect(Action.FOREIGN)
"""What a library does that is not torch."""


def own_scalers(names: Names, nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names of what the project's own scalers are assigned to, whatever they are called."""
    if not current().scaler_callables:
        return frozenset()
    return frozenset(
        name
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for effect in (effect_of(names, node.value.func),)
        if effect is not None and effect.role is Role.SCALER_CALLABLE
        for target in node.targets
        if (name := last_name(target))
    )


def own_wrappers(names: Names, nodes: Iterable[ast.AST]) -> Mapping[str, Effect]:
    """The classes of a file that are distributed wrappers by what they derive from, with what making one means."""
    found: dict[str, Effect] = {}
    for node in nodes:
        if not isinstance(node, ast.ClassDef):
            continue
        for base in node.bases:
            name = last_name(base) or ""
            effect = found.get(name) if name in names.defined else effect_of(names, base)
            if effect is not None and effect.wrapper:
                found[node.name] = effect
    return found


def _own(words: Mapping[str, Effect], qualified: str | None, name: str) -> Effect | None:
    """What the project's configuration says of a callee; a relative import counts by its end."""
    if not words:
        return None
    if qualified is not None and qualified.startswith("."):
        end = "." + qualified.lstrip(".")
        found = next((effect for key, effect in words.items() if f".{key}".endswith(end)), None)
    else:
        found = words.get(qualified or "")
    return found or words.get(f"*.{name}")


def _plausible(qualified: str | None, name: str, func: ast.expr) -> bool:
    """A bare last component counts unless the import shows a package it cannot come from."""
    if name == "optimizer_step":
        return qualified is not None and "xla" in qualified
    if isinstance(func, ast.Attribute) and qualified is None:
        return not isinstance(func.value, ast.Name) or func.value.id not in ("self", "cls")
    return True


_Key: TypeAlias = "tuple[bool | str, str]"
"""Whether a method is meant, or that of which class, and its name: functions of one name are taken for one."""


MAX_BASES = 8
"""Bases of bases, and modules that hand a class on, one behind the other."""


class Solving:
    """What is being found out of the functions of all files that lead to each other.

    Every function begins with nothing and is computed again whenever one that it calls has grown. `user` is the one
    that is computed just now; how many `guesses` were used tells what may not be remembered yet.
    """

    def __init__(self) -> None:
        self.draft: dict[tuple[Gates, _Key], Gate] = {}
        self.users: dict[tuple[Gates, _Key], set[tuple[Gates, _Key]]] = {}
        self.fresh: list[tuple[Gates, _Key]] = []
        self.user: tuple[Gates, _Key] | None = None
        self.guesses = 0

    def called(self, gates: Gates, key: _Key) -> Gate:
        """All that the functions of a key can do, which may be provisional."""
        if key in gates.final:
            return gates.final[key]
        one = (gates, key)
        if self.user is None:
            self._solve(one)
            return gates.final[key]
        self.guesses += 1
        self.users.setdefault(one, set()).add(self.user)
        if one not in self.draft:
            self.draft[one] = Gate.NOTHING
            self.fresh.append(one)
        return self.draft[one]

    def _solve(self, first: tuple[Gates, _Key]) -> None:
        """What is called is found out first, as far as it is seen; who calls what has grown comes again."""
        self.draft, self.users, self.fresh = {first: Gate.NOTHING}, {}, [first]
        ranks: dict[tuple[Gates, _Key], int] = {}
        again: list[int] = []
        waiting: set[int] = set()
        every: list[tuple[Gates, _Key]] = []
        while self.fresh or again:
            if self.fresh:
                self.user = self.fresh.pop()
                ranks[self.user] = len(every)
                every.append(self.user)
            else:
                rank = -heappop(again)
                waiting.discard(rank)
                self.user = every[rank]
            gates, key = self.user
            gate = self.draft[self.user] | gates.of_bodies(key)
            if gate != self.draft[self.user]:
                self.draft[self.user] = gate
                for user in self.users.get(self.user, ()):
                    if ranks[user] not in waiting:
                        waiting.add(ranks[user])
                        heappush(again, -ranks[user])
        self.user = None
        for (gates, key), gate in self.draft.items():
            gates.final[key] = gate


class Gates:
    """Gates of the nodes of one file, computed when they are asked for.

    A call needs the gates of what it calls, in this file or in others. These are solved together with all that they
    call in turn. Until then a gate is provisional, and no node that depends on it is remembered.
    """

    def __init__(
        self,
        names: Names,
        functions: Iterable[tuple[str | None, FunctionNode]],
        aliases: Mapping[str, set[str]] = MappingProxyType({}),
        solving: Solving | None = None,
        tops: Mapping[str, ast.stmt] = MappingProxyType({}),
    ) -> None:
        self.names = names
        self._tops = tops
        self.aliases = aliases
        self.final: dict[_Key, Gate] = {}
        self._solving = Solving() if solving is None else solving
        self._bodies: dict[_Key, list[FunctionNode]] = {}
        for owner, node in functions:
            if not isinstance(node, ast.Lambda):
                self._bodies.setdefault((bool(owner), node.name), []).append(node)
                if owner:
                    self._bodies.setdefault((owner, node.name), []).append(node)
        self._memo: dict[ast.AST, Gate] = {}
        self._others: dict[_Key, Gates] = {}
        self._calls: dict[_Key, set[_Key]] = {}
        self._effects: dict[str, Effect | None] = {}

    def apart(self, node: FunctionNode) -> Gates:
        """The gates of a file in which nothing calls that function: those of these where it does not call itself."""
        key = next((key for key, bodies in self._bodies.items() if any(body is node for body in bodies)), None)
        if key is None or not self._calls_itself(key):
            return self
        if key not in self._others:
            other = Gates(self.names, (), self.aliases)
            other._bodies = {name: bodies for name, bodies in self._bodies.items() if name != key}
            self._others[key] = other
        return self._others[key]

    def _calls_itself(self, key: _Key) -> bool:
        """Whether a function calls itself by name, or what it calls does."""
        seen: set[_Key] = set()
        todo = [key]
        while todo:
            called = self._calls_in(todo.pop())
            if key in called:
                return True
            todo += [one for one in called if one not in seen]
            seen |= called
        return False

    def _calls_in(self, key: _Key) -> set[_Key]:
        """The functions, or methods, that those of one name call."""
        if key not in self._calls:
            calls = [part for body in self._bodies[key] for part in walk(body) if isinstance(part, ast.Call)]
            called: set[_Key] = {(isinstance(call.func, ast.Attribute), last_name(call.func) or "") for call in calls}
            self._calls[key] = called & self._bodies.keys()
        return self._calls[key]

    def of(self, node: ast.AST) -> Gate:
        """All that `node` can do."""
        if node.__class__ in _LEAVES:
            return _NOTHING
        found = self._memo.get(node)
        if found is not None:
            return found
        solving = self._solving
        before = solving.guesses
        gate = self._compute(node)
        if solving.guesses == before:
            self._memo[node] = gate
        return gate

    def effect(self, func: ast.expr) -> Effect | None:
        """What a callee means."""
        name = dotted(func)
        if name is None:
            return effect_of(self.names, func)
        if name not in self._effects:
            self._effects[name] = effect_of(self.names, func)
        return self._effects[name]

    def has(self, method: bool | str, name: str) -> bool:
        """Whether the file has a function, or a method, of that name."""
        return (method, name) in self._bodies

    def called(self, method: bool | str, name: str) -> Gate:
        """All that the functions, or methods, of that name in this file can do."""
        key = (method, name)
        return self._solving.called(self, key) if key in self._bodies else Gate.NOTHING

    def _called(self, method: bool, name: str) -> Gate:
        """All that those of that name can do; of methods, those of other files that are in reach, too."""
        gate = self.called(method, name)
        for other in self.names.beyond.methods(name) if method else ():
            gate |= other.called(True, name)
        return gate

    def of_class(self, name: str, method: str, deep: int = MAX_BASES) -> Gate | None:
        """All that a method of a class can do, by the class itself or a base; nothing is known of what is no class."""
        node = self._tops.get(name)
        if not isinstance(node, ast.ClassDef):
            qualified = self.names.brought(name.partition(".")[0])
            rest = name.partition(".")[2]
            whole = f"{qualified}.{rest}" if qualified and rest else qualified
            found = None if whole is None or not deep else self.names.beyond.class_of(whole)
            return None if found is None else found[0].of_class(found[1], method, deep - 1)
        if self.has(name, method):
            return self.called(name, method)
        gate = Gate.NOTHING
        for base in node.bases if deep else ():
            gate |= self.of_class(dotted(base) or "", method, deep - 1) or Gate.NOTHING
        return gate

    def _of_object(self, name: str, method: str) -> Gate | None:
        """All that a method can do of what a variable holds, where only classes of the project make that."""
        gate = Gate.NOTHING
        for func in self._made_by.get(name, (None,)):
            found = None if func is None else self.of_class(dotted(func) or "", method)
            if found is None:
                return None
            gate |= found
        return gate

    def _beyond(self, func: ast.expr) -> Gate | None:
        """All that a function or class of another file can do, where that is the project's."""
        qualified = self.names.qualified(func)
        found = None if qualified is None else self.names.beyond.gates_of(qualified)
        return None if found is None else found[0].called(*found[1:])

    def of_bodies(self, key: _Key) -> Gate:
        """What the functions of a key do, by what is known so far."""
        gate = Gate.NOTHING
        for node in self._bodies[key]:
            assert not isinstance(node, ast.Lambda)
            gate |= self._union(node.body) & ~Gate.JUMP
        return gate

    def of_all(self, nodes: Iterable[ast.AST]) -> Gate:
        """The union over several nodes."""
        return self._union(nodes)

    def _union(self, nodes: Iterable[ast.AST]) -> Gate:
        gate = _NOTHING
        for node in nodes:
            found = self.of(node)
            if found is not _NOTHING:
                gate |= found
        return gate

    def _compute(self, node: ast.AST) -> Gate:
        if isinstance(node, ast.Call):
            below, own = self._within(children(node)), self._call(node)
            return own if below is _NOTHING else below | own
        if isinstance(node, ast.stmt):
            return self._statement(node)
        return self._parts(node) if isinstance(node, _OF_SUITES) else self._within([node])

    def _parts(self, node: ast.AST) -> Gate:
        """All that the statements and the expressions in a node can do."""
        suites: list[ast.AST] = []
        rest: list[ast.AST] = []
        for child in children(node):
            (suites if isinstance(child, _OF_SUITES) else rest).append(child)
        gate = self._within(rest)
        return gate | self._union(suites) if suites else gate

    def _within(self, parts: list[ast.AST]) -> Gate:
        """All that some expressions, and what they hold, can do."""
        gate = _NOTHING
        todo = list(parts)
        for part in todo:  # the list grows as it is read
            kind = part.__class__
            if kind in _LEAVES:
                continue
            if kind is ast.Call:
                found = self.of(part)
                if found is not _NOTHING:
                    gate |= found
                continue
            if isinstance(part, ast.Attribute):
                if part.attr == "no_sync":
                    gate |= Gate.SYNC
            elif isinstance(part, ast.BinOp) and _scales(part):
                gate |= Gate.WEIGHT
            todo += children(part)
        return gate

    def _statement(self, node: ast.stmt) -> Gate:
        """What a statement can do."""
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            gate, own = self._within(children(node)), self._assignment(node)
            return gate if own is _NOTHING else gate | own
        if isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Raise)) or always_fails(node):
            return Gate.JUMP | self._within(children(node))
        if isinstance(node, (ast.If, ast.Match)):
            return self._parts(node) & ~Gate.JUMP
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node)
        if isinstance(node, ast.Try):
            gate = self._union([*node.body, *node.orelse, *node.finalbody])
            return gate | (self._union(node.handlers) & ~Gate.JUMP)
        gate = self._parts(node)
        if isinstance(node, ast.With):
            gate |= self._managers(node)
        return gate | Gate.JUMP if isinstance(node, ast.Expr) and ends_process(node.value) else gate

    def _managers(self, node: ast.With) -> Gate:
        """What objects of the file or the project do where they are entered and left."""
        held = [item.context_expr for item in node.items]
        if all(isinstance(one, ast.Call) and self.effect(one.func) is not None for one in held):
            return Gate.NOTHING
        return self._called(True, "__enter__") | self._called(True, "__exit__")

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> Gate:
        gate = self._parts(node) & ~Gate.JUMP
        if Gate.BACKWARD in gate and not over_parts(node):
            gate |= Gate.LOOP_BACKWARD
            if Gate.STEP in gate:
                gate |= Gate.LOOP_STEP
        return gate

    def _assignment(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Gate:
        gate = Gate.NOTHING
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            name = last_name(target) or ""
            if name == "require_backward_grad_sync":
                gate |= Gate.SYNC
            elif name == "training" and isinstance(target, ast.Attribute):
                gate |= Gate.MODE
            elif name == "grad" or _reads_grad(target):
                gate |= Gate.ZERO | Gate.CLIP
            elif (
                isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Div, ast.Mult)) and LOSS_NAME.search(name)
            ):
                gate |= Gate.WEIGHT
            elif (
                isinstance(node.value, ast.Constant) and node.value.value is None and self.names.hint(name) in _OPTIONAL
            ):
                gate |= Gate.ROLE | Gate.MAKES
            elif isinstance(node.value, (ast.Name, ast.Attribute)) and self._renames(name, node.value):
                gate |= Gate.ROLE
        return gate

    def _renames(self, name: str, value: ast.expr) -> bool:
        """Whether a network, an optimizer or the like gets another one's name: `if share: model = teacher`."""
        role = self.names.hint(name)
        return (
            role in (Role.MODEL, Role.OPTIMIZER)
            and self.names.hint(last_name(value) or "") is role
            and last_name(value) != name
        )

    def _call(self, node: ast.Call) -> Gate:
        func = node.func
        if _scales_loss(node):
            return Gate.WEIGHT
        effect = self.effect(func)
        if effect is not None:
            return effect.gate
        beyond = self._beyond(func)
        if beyond is not None:
            return beyond | self._as_call(self.names.hint(last_name(func) or ""))
        held = any(self.names.role_of(arg) in _HELD for arg in node.args)
        if held and isinstance(func, (ast.Name, ast.Attribute)) and (last_name(func) or "") not in self.names.defined:
            return self._named(node) | Gate.OPAQUE
        written = (last_name(func) or "").endswith("_") and any(map(_reads_grad, node.args))  # torch._foreach_div_(...)
        return self._named(node) | self._closures(node) | (Gate.CLIP if written else Gate.NOTHING)

    def _closures(self, node: ast.Call) -> Gate:
        """What `optimizer.step(closure)` has its closure do."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "step":
            return Gate.NOTHING
        names = [arg.id for arg in (*node.args, *(word.value for word in node.keywords)) if isinstance(arg, ast.Name)]
        return self._called_all(names)

    def _called_all(self, names: Iterable[str]) -> Gate:
        gate = Gate.NOTHING
        for name in names:
            gate |= self._called(False, name)
        return gate

    def _named(self, node: ast.Call) -> Gate:
        func = node.func
        if isinstance(func, ast.Name):
            gate = self._called(False, func.id) | self._by_method_of_class(func.id) | self._kept(func.id)
            gate |= self._handed(func.id) if func.id in self._parameters else Gate.NOTHING
            gate |= self._looked_up() if func.id in self._fetched else Gate.NOTHING
            role = self.names.hint(func.id)
            return gate | self._as_call(role)
        if isinstance(func, ast.Attribute):
            return self._method(node, func)
        if isinstance(func, ast.Call) and last_name(func.func) == "getattr":
            return self._looked_up()
        if isinstance(func, ast.Call) and isinstance(func.func, ast.Name):
            return self._kept(f"{func.func.id}()")
        return self._kept(last_name(func.value) or "") if isinstance(func, ast.Subscript) else Gate.NOTHING

    def _kept(self, name: str) -> Gate:
        """What a function can do that is kept under a name."""
        gate = self.kept(name)
        for func in self._made_by.get(name, ()):
            qualified = self.names.qualified(func)
            found = None if qualified is None else self.names.beyond.gates_of(qualified)
            if found is not None:
                gate |= found[0].kept(f"{found[2]}()")
        return gate

    def kept(self, name: str) -> Gate:
        """What a function of this file can do that is kept under a name, or handed out by the call of another."""
        return self._called_all(sorted(self.aliases[name])) if name in self.aliases else Gate.NOTHING

    @cached_property
    def _made_by(self) -> Mapping[str, list[ast.expr]]:
        """What is called to make what a variable holds: `update = make_update(model)`."""
        found: dict[str, list[ast.expr]] = {}
        for bodies in self._bodies.values():
            for body in bodies:
                for node in own(body.body) if not isinstance(body, ast.Lambda) else ():
                    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                        for target in node.targets:
                            found.setdefault(last_name(target) or "", []).append(node.value.func)
        return found

    def _looked_up(self) -> Gate:
        """What a method can do that is looked up by its name: any whose name stands somewhere as a string."""
        gate = Gate.NOTHING
        for name in self._spelled:
            gate |= self._called(True, name)
        return gate & ~(Gate.LOOP_BACKWARD | Gate.LOOP_STEP)

    @cached_property
    def _spelled(self) -> list[str]:
        """The methods whose names stand in some function, or in a file that runs with this one, as strings."""
        nodes = [node for bodies in self._bodies.values() for node in bodies]
        texts = {part.value for node in nodes for part in walk(node) if isinstance(part, ast.Constant)}
        texts |= self.names.beyond.quoted()
        own = [name for method, name in self._bodies if method and name in texts]
        return [*own, *(name for name in self.names.beyond.named_methods() if name in texts and name not in own)]

    def _handed(self, name: str) -> Gate:
        """What a function of that name in another file can do: who hands one over often calls it like the parameter."""
        gate = Gate.NOTHING
        for other in self.names.beyond.functions(name):
            gate |= other.called(False, name)
        return gate

    @cached_property
    def _parameters(self) -> frozenset[str]:
        """The names of all parameters in the file."""
        nodes = [body.args for bodies in self._bodies.values() for body in bodies]
        return frozenset(arg.arg for args in nodes for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs))

    @cached_property
    def _fetched(self) -> frozenset[str]:
        """The variables that hold what was looked up by its name: `handler = getattr(hook, event)`."""
        nodes = [
            part
            for bodies in self._bodies.values()
            for body in bodies
            if not isinstance(body, ast.Lambda)
            for part in own(body.body)
        ]
        made = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)]
        made = [node for node in made if isinstance(node.value, ast.Call) and last_name(node.value.func) == "getattr"]
        return frozenset(name for node in made for target in node.targets if (name := last_name(target)))

    def _as_call(self, role: Role | None) -> Gate:
        if role in (Role.MODEL, Role.CRITERION, Role.ENGINE):
            return Gate.FORWARD
        return Gate.STEP | Gate.BACKWARD if role is Role.SCALER_CALLABLE else Gate.NOTHING

    def _by_method_of_class(self, name: str) -> Gate:
        """A call of an object or class by its name; what has a role is none of another file's."""
        if name in self.names.defined:
            return Gate.NOTHING
        exact = self._of_object(name, "__call__")
        if exact is not None:
            return exact
        plain = self.names.hint(name) or name in _OF_PYTHON or self.names.brought(name) is not None
        return self.called(True, "__call__") if plain else self._called(True, "__call__")

    def _fits(self, node: ast.Call, name: str) -> bool:
        """Whether a call has arguments enough for a method of the file: `x.backward()` is no `backward(self, y)`."""
        if name not in _BY_METHOD or any(isinstance(arg, ast.Starred) for arg in node.args):
            return True
        given = len(node.args) + len(node.keywords)
        return any(_required(body) <= given for body in self._bodies.get((True, name), ()))

    def _method(self, node: ast.Call, func: ast.Attribute) -> Gate:
        receiver = last_name(func.value)
        role = self.names.role_of(func.value)
        gate = Gate.NOTHING
        open_ended = isinstance(func.value, ast.Call) or receiver in ("self", "cls") or role is None
        exact = self._of_object(receiver or "", func.attr) if receiver not in ("self", "cls") else None
        if exact is not None and role is None:
            return exact
        if open_ended and self.names.qualified(func) is None:  # what an import brought is no function of this file
            gate |= self._called(True, func.attr) if self._fits(node, func.attr) else Gate.NOTHING
            gate |= self._called(False, func.attr) if receiver not in ("self", "cls") else self._kept(func.attr)
        if role is not None:
            effect = METHODS.get(role, {}).get(func.attr)
            if effect is not None:
                gate |= effect.gate
                gate |= self._called(True, func.attr) & Gate.MODE if effect.action is Action.GENERATE else Gate.NOTHING
            elif func.attr not in _FOLLOWED_ANYHOW:
                gate |= self._called(True, func.attr)
                if role is Role.OPTIMIZER and func.attr.startswith(("step", "zero")):  # `step_and_update_lr()`
                    gate |= METHODS[role]["step" if func.attr.startswith("step") else "zero_grad"].gate
        elif func.attr in ("train", "eval"):
            gate |= Gate.MODE
        hint = self.names.hint(func.attr)
        gate |= self._as_call(hint) | (self._kept(func.attr) if func.attr in self._made_by else Gate.NOTHING)
        if hint in (None, Role.SCALER) and receiver in ("self", "cls") and not self.has(True, func.attr):
            made = self._of_object(func.attr, "__call__") if func.attr in self._made_by else None
            handed = func.attr not in self._made_by
            gate |= made or (self._called(True, "__call__") if handed else Gate.NOTHING)
        return gate | _BY_METHOD.get(func.attr, Gate.NOTHING) | _grad_call(func)


_OF_PYTHON = frozenset(dir(builtins))
_NOTHING = Gate.NOTHING
_LEAVES = frozenset(
    {
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Name,
        ast.Constant,
        ast.alias,
        ast.Pass,
        ast.Global,
        ast.Nonlocal,
        ast.Import,
        ast.ImportFrom,
    }
)
"""What can do nothing, and holds nothing that could: half of all nodes."""
_OF_SUITES = (ast.stmt, ast.ExceptHandler, ast.match_case)
_SCALES = (ast.Div, ast.Mult)
_OPTIONAL = (Role.SCALER, Role.SCHEDULER, Role.EMA, Role.SAMPLER)


def _required(node: FunctionNode) -> int:
    """How many arguments a method cannot do without, its object aside."""
    if isinstance(node, ast.Lambda) or node.decorator_list:
        return 0
    return max(0, len(node.args.posonlyargs) + len(node.args.args) - 1 - len(node.args.defaults))


def _reads_grad(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "grad" for part in walk(node))


def _grad_call(func: ast.Attribute) -> Gate:
    """`p.grad.zero_()` and its kin, `grad.mul_(coef)`, `torch._foreach_mul_(grads, coef)`."""
    if func.attr.startswith("_foreach_") and func.attr.endswith("_"):
        return Gate.ZERO | Gate.CLIP
    if func.attr.endswith("_") and (_reads_grad(func.value) or GRADIENT_NAME.search(last_name(func.value) or "")):
        return Gate.ZERO | Gate.CLIP
    return Gate.NOTHING


def _scales_loss(node: ast.Call) -> bool:
    """`loss.div_(n)`, `torch.div(loss, n)`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr.rstrip("_") not in SCALING:
        return False
    return any(map(_mentions_loss, (node.func.value, *node.args)))


def _scales(node: ast.BinOp) -> bool:
    """`loss / n`, `weight * loss`."""
    return isinstance(node.op, _SCALES) and (_mentions_loss(node.left) or _mentions_loss(node.right))


def _mentions_loss(node: ast.expr) -> bool:
    name = last_name(node)
    if isinstance(node, ast.Call):
        name = last_name(node.func)
    if isinstance(node, ast.BinOp):
        return _mentions_loss(node.left) or _mentions_loss(node.right)
    return bool(name and LOSS_NAME.search(name))

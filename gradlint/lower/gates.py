"""Gates: what a statement can do to the books, with everything it calls in the module.

A guard that gates nothing is never asked about, a loop's kind follows from what its body gates,
and functions that gate nothing need not be followed. Computed bottom-up with a fixpoint over the
calls inside the file; an over-approximation by names, never an under-approximation.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gradlint.libraries.conventions.numbers import LOSS_NAME
from gradlint.libraries.tables import ANYWHERE, METHODS
from gradlint.libraries.tensors import GRADIENT_HOOKS
from gradlint.lower.bodies import Bodies
from gradlint.lower.callees import as_call, effect_of, launched, put_off, sets_no_mode
from gradlint.lower.choosing import MAX_BASES, choice
from gradlint.lower.iterations import over_parts, over_workers
from gradlint.lower.keeping import Keeping
from gradlint.lower.names import Names, dotted, last_name
from gradlint.lower.outline import FunctionNode
from gradlint.lower.solving import Key, Solving, Together
from gradlint.lower.touches import (
    always_fails,
    changes_gradients,
    ends_process,
    is_super,
    mentions_loss,
    reads_grad,
    scales_loss,
)
from gradlint.model.effects import Action, Effect, Gate
from gradlint.model.once import cached_property
from gradlint.model.roles import Role
from gradlint.syntax.nodes import LEAVES, children

_BY_METHOD = {
    **{name: effect.gate for name, effect in ANYWHERE.items() if effect.gate},
    "no_backward_sync": METHODS[Role.FABRIC]["no_backward_sync"].gate,
    **dict.fromkeys(GRADIENT_HOOKS, Gate.WEIGHT),
}
"""What methods can do, whatever has them."""

_HELD = (Role.OPTIMIZER, Role.SCALER)
_FOLLOWED_ANYHOW = frozenset({"train", "eval", "step", "update", "zero_grad", "backward"})


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
        chosen: Mapping[str, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        self.names = names
        self._tops = tops
        self._chosen = chosen
        self.aliases = aliases
        self.final: dict[Key, Gate] = {}
        self._solving = Solving() if solving is None else solving
        self.bodies = Bodies(functions)
        self._memo: dict[ast.AST, Gate] = {}
        self._others: dict[Key, Gates] = {}
        self._effects: dict[str | ast.expr, Effect | None] = {}
        self.keeping = Keeping(self, tops)
        self._methods = Together(self._of_methods)

    def apart(self, node: FunctionNode) -> Gates:
        """The gates of a file in which nothing calls that function: those of these where it does not call itself."""
        key = self.bodies.key_of(node)
        if key is None or not self.bodies.calls_itself(key):
            return self
        if key not in self._others:
            other = Gates(self.names, (), self.aliases, chosen=self._chosen)
            other.bodies = self.bodies.without(key)
            self._others[key] = other
        return self._others[key]

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
        effects = self._effects
        if func not in effects:  # it is asked for when it is lowered, and for each gate that depends on it
            name = dotted(func) or func
            if name not in effects:
                effects[name] = effect_of(self.names, func)
            effects[func] = effects[name]
        return effects[func]

    def has(self, method: bool | str, name: str) -> bool:
        """Whether the file has a function, or a method, of that name."""
        return (method, name) in self.bodies.by_key

    def called(self, method: bool | str, name: str) -> Gate:
        """All that the functions, or methods, of that name in this file can do."""
        key = (method, name)
        return self._solving.called(self, key) if key in self.bodies.by_key else Gate.NOTHING

    def every(self) -> dict[Key, Gate]:
        """All that each function and each method of the file can do, by its key."""
        return {key: self._solving.called(self, key) for key in self.bodies.by_key}

    def in_reach(self, method: bool, name: str) -> Gate:
        """All that those of that name can do; of methods, those of other files that are in reach, too."""
        return self.together(self._methods, name) if method else self.called(False, name)

    def together(self, several: Together, name: str) -> Gate:
        """All that several functions can do, by what is known so far."""
        return self._solving.called(several, (True, name))

    def _of_methods(self, name: str) -> Gate:
        """What the methods of a name do, of this file and of those in reach, by what is known so far."""
        gate = self.called(True, name)
        for other in self.names.beyond.methods(name):
            gate |= other.called(True, name)
        return gate

    def call_of_object(self, node: ast.Call, *, beyond: bool = True) -> Gate:
        """All that the call of an object can do that nobody knows: the `__call__` of what takes such arguments."""
        files = (self, *(self.names.beyond.methods("__call__") if beyond else ()))
        gate = Gate.NOTHING
        for one in files:
            for owner in one.bodies.taking(node, "__call__", apart=one is self):
                gate |= one.called(owner, "__call__")
        return gate

    def class_at(self, name: str, deep: int = MAX_BASES) -> tuple[Gates, ast.ClassDef] | None:
        """The class of the project that a name stands for, with the gates of its file."""
        node = self._tops.get(name)
        if isinstance(node, ast.ClassDef):
            return self, node
        qualified = self.names.brought(name.partition(".")[0])
        rest = name.partition(".")[2]
        whole = f"{qualified}.{rest}" if qualified and rest else qualified
        found = None if whole is None or not deep else self.names.beyond.class_of(whole)
        return None if found is None else found[0].class_at(found[1], deep - 1)

    def of_class(self, name: str, method: str, deep: int = MAX_BASES) -> Gate | None:
        """All that a method of a class can do, by the class itself or a base; nothing is known of what is no class."""
        found = self.class_at(name, deep)
        if found is None:
            return None
        home, node = found
        if home is not self:
            return home.of_class(node.name, method, deep - 1)
        if self.has(name, method):
            return self.called(name, method)
        gate = Gate.NOTHING
        for base in node.bases if deep else ():
            gate |= self.of_class(dotted(base) or "", method, deep - 1) or Gate.NOTHING
        return gate

    @cached_property
    def _bases(self) -> frozenset[str] | None:
        """The bases of the classes of this file; of none where one has no base: it may stand in front of any other."""
        classes = [node for node in self._tops.values() if isinstance(node, ast.ClassDef)]
        names = [[dotted(base) or "object" for base in node.bases] or ["object"] for node in classes]
        found = frozenset(name for each in names for name in each)
        return found if classes and "object" not in found else None

    @property
    def _constructors_above(self) -> Gate | None:
        """All that `super().__init__()` can do in this file; nothing is known where any class may come next."""
        if self._bases is None:
            return None
        gate = Gate.NOTHING
        for name in sorted(self._bases):
            gate |= self.of_class(name, "__init__") or Gate.NOTHING
        return gate

    def _of_object(self, name: str, method: str) -> Gate | None:
        """All that a method can do of what a variable holds, where only classes of the project make that."""
        gate = Gate.NOTHING
        for func in self.bodies.made_by.get(name, (None,)):
            effect = None if func is None else self.effect(func)
            if effect is not None and effect.role is Role.CRITERION:
                continue
            found = None if func is None else self.of_class(dotted(func) or "", method)
            if found is None:
                return None
            gate |= found
        return gate

    def _of_call(self, name: str) -> Gate | None:
        """All that the call of what a variable holds can do: its class's `__call__`, or a `forward` that trains."""
        gate = self._of_object(name, "__call__")
        forward = None if gate is None else self._of_object(name, "forward")
        return gate if forward is None or not forward & _TRAINS else (gate or Gate.NOTHING) | forward

    def beyond(self, func: ast.expr) -> Gate | None:
        """All that a function or class of another file can do, where that is the project's."""
        qualified = self.names.qualified(func)
        found = None if qualified is None else self.names.beyond.gates_of(qualified)
        return None if found is None else found[0].called(*found[1:])

    def of_bodies(self, key: Key) -> Gate:
        """What the functions of a key do, by what is known so far."""
        gate = Gate.NOTHING
        for node in self.bodies.by_key[key]:
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
            if kind in _COMPREHENSIONS:
                gate |= self._looped(self._within(children(part)))
                continue
            if isinstance(part, ast.BinOp):
                if isinstance(part.op, _SCALES) and (mentions_loss(part.left) or mentions_loss(part.right)):
                    gate |= Gate.WEIGHT
            elif isinstance(part, ast.Attribute) and part.attr == "no_sync":
                gate |= Gate.SYNC
            todo += children(part)
        return gate

    @staticmethod
    def _looped(gate: Gate) -> Gate:
        """What a comprehension can do: one whose items are trained on is a loop like any other."""
        trains = Gate.BACKWARD | Gate.STEP
        return gate | Gate.LOOP_BACKWARD | Gate.LOOP_STEP if trains in gate else gate

    def _statement(self, node: ast.stmt) -> Gate:
        """What a statement can do."""
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            gate, own = self._within(children(node)), self._assignment(node)
            return gate if own is _NOTHING else gate | own
        if isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Raise)) or always_fails(node):
            return Gate.JUMP | self._within(children(node))
        if isinstance(node, (ast.If, ast.Match)):
            gate = self._parts(node) & ~Gate.JUMP
            return gate | choice(self, node) if isinstance(node, ast.If) else gate
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
        return self.in_reach(True, "__enter__") | self.in_reach(True, "__exit__")

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> Gate:
        gate = self._parts(node) & ~Gate.JUMP
        if Gate.BACKWARD in gate and not self.over_parts(node, gate):
            gate |= Gate.LOOP_BACKWARD
            if Gate.STEP in gate:
                gate |= Gate.LOOP_STEP
        return gate

    def over_parts(self, node: ast.For | ast.AsyncFor | ast.While, gate: Gate) -> bool:
        """Whether the iterations of a loop whose body can do that are parts of a batch's work."""
        parts = over_parts(node, steps=Gate.STEP in gate, goes_around=Gate.LOOP_BACKWARD in gate)
        return parts or over_workers(node, self._call)

    def _assignment(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Gate:
        gate = Gate.NOTHING
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            name = last_name(target) or ""
            if name == "require_backward_grad_sync":
                gate |= Gate.SYNC
            elif name == "training" and isinstance(target, ast.Attribute):
                gate |= Gate.MODE
            elif name == "grad" or reads_grad(target):
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
        role, other = self.names.hint(name), last_name(value) or ""
        return role in (Role.MODEL, Role.OPTIMIZER) and self.names.hint(other) is role and other != name

    def _call(self, node: ast.Call) -> Gate:
        later = put_off(node)
        return self._called(node) | (self._call(later) if later is not None else Gate.NOTHING)

    def _called(self, node: ast.Call) -> Gate:
        func = node.func
        if scales_loss(node):
            return Gate.WEIGHT
        effect = self.effect(func)
        if effect is not None:
            own = self._of_call(last_name(func) or "") if effect.action is Action.FORWARD else None
            started = launched(node, effect)
            return effect.gate | (own or Gate.NOTHING) | (self._call(started) if started is not None else Gate.NOTHING)
        beyond = self.beyond(func)
        if beyond is not None:
            return beyond | as_call(self.names.hint(last_name(func) or ""))
        foreign = isinstance(func, (ast.Name, ast.Attribute)) and (last_name(func) or "") not in self.names.defined
        if foreign and any(self.names.role_of(arg) in _HELD for arg in node.args):
            return self._named(node) | Gate.OPAQUE
        written = (last_name(func) or "").endswith("_") and any(map(reads_grad, node.args))  # torch._foreach_div_(...)
        return self._named(node) | self.keeping.closures(node) | (Gate.CLIP if written else Gate.NOTHING)

    def _named(self, node: ast.Call) -> Gate:
        func = node.func
        if isinstance(func, ast.Name) and func.id in self._chosen:
            return self._union_of_methods(func.id)
        if isinstance(func, ast.Name):
            gate = self.in_reach(False, func.id) | self._by_method_of_class(node, func.id) | self.keeping.whole(func.id)
            gate |= self.keeping.handed(func.id) if func.id in self.bodies.parameters else Gate.NOTHING
            gate |= self.keeping.looked_up() if func.id in self.bodies.fetched else Gate.NOTHING
            gate |= self.keeping.listened if func.id in self.bodies.looped else Gate.NOTHING
            role = self.names.hint(func.id)
            return gate | as_call(role)
        if isinstance(func, ast.Attribute):
            return self._method(node, func)
        if isinstance(func, ast.Call) and last_name(func.func) == "getattr":
            return Gate.NOTHING if self._initialises(func) else self.keeping.looked_up()
        if isinstance(func, ast.Call) and isinstance(func.func, ast.Name):
            return self.keeping.whole(f"{func.func.id}()")
        return self.keeping.whole(last_name(func.value) or "") if isinstance(func, ast.Subscript) else Gate.NOTHING

    def _initialises(self, asked: ast.Call) -> bool:
        """Whether what is looked up fills weights, and is no method of the project's: `getattr(nn.init, name)`."""
        return bool(asked.args) and self.names.qualified(asked.args[0]) == "torch.nn.init"

    def _union_of_methods(self, name: str) -> Gate:
        """What the methods can do of which a variable holds one."""
        gate = Gate.NOTHING
        for method in sorted(self._chosen[name]):
            gate |= self.in_reach(True, method)
        return gate

    def _by_method_of_class(self, node: ast.Call, name: str) -> Gate:
        """A call of an object or class by its name; what has a role is none of another file's."""
        if name in self.names.defined or self._is_foreign(name) or self._is_layer(name):
            return Gate.NOTHING
        exact = self._of_call(name)
        if exact is not None:
            return exact
        if self.names.hint(name):
            return self.call_of_object(node, beyond=False)
        foreign = name in _OF_PYTHON or self.names.brought(name) is not None
        return Gate.NOTHING if foreign else self.call_of_object(node)

    def is_guessed(self, node: ast.Call) -> bool:
        """Whether a call is one of an object that nobody in sight makes: it may be any that takes such arguments."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        seen = not name or name in self.names.defined or self._is_foreign(name)
        return not seen and self._of_call(name) is None and self.names.brought(name) is None

    def _is_foreign(self, name: str) -> bool:
        """Whether a variable is another name of what a library has: `builtin_print = builtins.print`."""
        copied = self.bodies.copied_from.get(name, ())
        if not copied or name in self.bodies.made_by or name in self.bodies.parameters:
            return False
        qualified = [self.names.qualified(one) for one in copied]
        return all(one is not None and self.names.beyond.gates_of(one) is None for one in qualified)

    def _is_layer(self, name: str) -> bool:
        """Whether a variable holds a layer of torch's own, and nothing else: `norm = nn.LayerNorm(8).cuda()`."""
        brought = [(self.names.qualified(one) or "").rpartition(".") for one in self.bodies.only_made_by(name)]
        return bool(brought) and all(home == "torch.nn" and last not in _AROUND_OTHERS for home, _, last in brought)

    def _method(self, node: ast.Call, func: ast.Attribute) -> Gate:
        receiver = last_name(func.value)
        role = self.names.role_of(func.value)
        gate = Gate.NOTHING
        if func.attr == "__init__" and is_super(func.value) and (above := self._constructors_above) is not None:
            return above
        written_out = isinstance(func.value, ast.Name) and receiver in self.bodies.written_out
        open_ended = not written_out and (
            isinstance(func.value, ast.Call) or receiver in ("self", "cls") or role is None
        )
        exact = self._of_object(receiver or "", func.attr) if receiver not in ("self", "cls") else None
        if exact is not None and role is None:
            return exact or (Gate.MODE if func.attr in ("train", "eval") else exact)  # torch's own of a network
        if open_ended and not self.keeping.is_brought(func):  # what an import brought is no function of this file
            gate |= (
                self.in_reach(True, func.attr)
                if (func.attr not in _BY_METHOD or self.bodies.fits(node, func.attr))
                else Gate.NOTHING
            )
            own = receiver in ("self", "cls")
            gate |= self.keeping.whole(func.attr) if own else self.in_reach(False, func.attr)
        if role is not None:
            effect = METHODS.get(role, {}).get(func.attr)
            if effect is not None:
                gate |= Gate.NOTHING if effect.action is Action.PLAIN else effect.gate
                gate |= exact or Gate.NOTHING  # `student.update(batches)`, of a class that trains
                gate |= self.in_reach(True, func.attr) if sets_no_mode(self.names, effect, node) else Gate.NOTHING
                gate |= self.in_reach(True, func.attr) & _BEHIND.get(effect.action, Gate.NOTHING)
            elif exact is not None:
                gate |= exact  # called like an engine, of a class of the project
            elif func.attr not in _FOLLOWED_ANYHOW:
                gate |= self.in_reach(True, func.attr)
                if role is Role.OPTIMIZER and func.attr.startswith(("step", "zero")):  # `step_and_update_lr()`
                    gate |= METHODS[role]["step" if func.attr.startswith("step") else "zero_grad"].gate
            if role is Role.MODEL and effect is None and func.attr.startswith("forward"):  # `net.forward_eval(x)`
                gate |= Gate.FORWARD
        elif func.attr in ("train", "eval"):
            gate |= Gate.MODE
        hint = self.names.hint(func.attr)
        gate |= as_call(hint)
        gate |= self.keeping.whole(func.attr) if func.attr in self.bodies.made_by else Gate.NOTHING
        if hint in (None, Role.SCALER) and receiver in ("self", "cls") and not self.has(True, func.attr):
            made = self._of_call(func.attr) if func.attr in self.bodies.made_by else None
            handed = func.attr not in self.bodies.made_by
            gate |= made or (self.call_of_object(node) if handed else Gate.NOTHING)
        return gate | _BY_METHOD.get(func.attr, Gate.NOTHING) | changes_gradients(func)


_OF_PYTHON = frozenset(dir(builtins))
_AROUND_OTHERS = frozenset({"Module", "Sequential", "ModuleList", "ModuleDict", "DataParallel"})
"""What of `torch.nn` calls what it was given, and that may be the project's."""
_TRAINS = Gate.BACKWARD | Gate.STEP
_BEHIND = {Action.GENERATE: Gate.MODE, Action.FORWARD: _TRAINS | Gate.ZERO | Gate.CLIP | Gate.MODE}
"""What a project's own method may do besides that is called like one of a library: `net.train_step(x, y)`."""
_NOTHING = Gate.NOTHING
_DEFINES = {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias, ast.Import, ast.ImportFrom}
_LEAVES = (LEAVES - {ast.Break, ast.Continue}) | _DEFINES
"""What can do nothing, and holds nothing that could: half of all nodes."""
_COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp})
_OF_SUITES = (ast.stmt, ast.ExceptHandler, ast.match_case)
_SCALES = (ast.Div, ast.Mult)
_OPTIONAL = (Role.SCALER, Role.SCHEDULER, Role.EMA, Role.SAMPLER)

"""Keeping: what a call of a variable can do, by the functions that are kept under its name here or in other files.

run = STEPS[name]                      STEPS      what is kept there, by this file, by others, by decorators
def __init__(self): self.run = train   run        train
for listener in self._listeners: ...   listener   what somebody hands over uncalled: `events.on("batch", schedule.step)`
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gradlint.libraries.tables import METHODS
from gradlint.lower.aliases import OWN
from gradlint.lower.names import spelled_role
from gradlint.lower.solving import Together
from gradlint.model.effects import Gate
from gradlint.model.once import cached_property
from gradlint.model.roles import Role

_LISTENING = (Role.OPTIMIZER, Role.SCHEDULER, Role.SCALER, Role.SAMPLER)

if TYPE_CHECKING:
    from gradlint.lower.gates import Gates


class Keeping:
    """The functions that the variables of a file may hold."""

    def __init__(self, gates: Gates, tops: Mapping[str, ast.stmt]) -> None:
        self._gates = gates
        self._tops = tops
        self._lookups = Together(self._spelled)

    def all_of(self, names: Iterable[str]) -> Gate:
        """What the functions of these names can do, of this file or brought to it."""
        gate = Gate.NOTHING
        for name in names:
            if name.startswith(OWN):
                gate |= self._gates.in_reach(True, name.removeprefix(OWN))
            else:
                gate |= self._gates.in_reach(False, name) if self._gates.has(False, name) else self.imported(name)
        return gate

    def closures(self, node: ast.Call) -> Gate:
        """What `optimizer.step(closure)` has its closure do: a function, a method, or an object that can be called."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "step":
            return Gate.NOTHING
        given = [*node.args, *(word.value for word in node.keywords)]
        gate = self.all_of(arg.id for arg in given if isinstance(arg, ast.Name))
        for arg in given:
            if isinstance(arg, ast.Attribute):
                gate |= self._gates.in_reach(True, arg.attr)
            elif isinstance(arg, ast.Name) and arg.id not in self._gates.names.defined:
                gate |= self._gates.call_of_object(ast.copy_location(ast.Call(func=arg, args=[], keywords=[]), node))
        return gate

    def imported(self, name: str) -> Gate:
        """What a function of another file can do, or one that a variable keeps, of another file or filled by one."""
        gate = self._gates.beyond(ast.Name(name))
        if gate is None and name in self._gates.names.imports:
            return self._gates.names.beyond.kept(self._gates.names.imports[name])
        return self._gates.names.beyond.given(name) if gate is None else gate

    def is_brought(self, func: ast.Attribute) -> bool:
        """Whether an import brought a function; a method of an object that another file made is one of a class."""
        names = self._gates.names
        return names.qualified(func) is not None and not names.beyond.is_object(names.qualified(func.value) or "")

    def whole(self, name: str) -> Gate:
        """What a function can do that is kept under a name."""
        gate = self.under(name)
        if name in self._gates.names.imports:
            gate |= self._gates.names.beyond.kept(self._gates.names.imports[name])
        bodies = self._gates.bodies
        for func in (*bodies.made_by.get(name, ()), *bodies.unpacked_from.get(name, ())):
            qualified = self._gates.names.qualified(func)
            found = None if qualified is None else self._gates.names.beyond.gates_of(qualified)
            if found is not None:
                gate |= found[0].keeping.under(f"{found[2]}()")
        return gate

    def under(self, name: str) -> Gate:
        """What a function of this file can do that is kept under a name, or handed out by the call of another."""
        return self.all_of(sorted(self._gates.aliases[name])) if name in self._gates.aliases else Gate.NOTHING

    def decorated(self) -> Gate:
        """What the functions and the constructors of this file can do that are handed to a decorator."""
        gate = Gate.NOTHING
        for name, node in self._tops.items():
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.decorator_list:
                made = isinstance(node, ast.ClassDef)
                gate |= self._gates.called(name, "__init__") if made else self._gates.called(False, name)
        return gate

    def looked_up(self) -> Gate:
        """What a method can do that is looked up by its name: any whose name stands somewhere as a string."""
        return self._gates.together(self._lookups, "getattr")

    def _spelled(self, _: str) -> Gate:
        gate = Gate.NOTHING
        for name in self._in_quotes:
            gate |= self._gates.in_reach(True, name)
        return gate & ~(Gate.LOOP_BACKWARD | Gate.LOOP_STEP)

    @cached_property
    def _in_quotes(self) -> list[str]:
        """The methods whose names stand in some function, or in a file that runs with this one, as strings."""
        texts = self._gates.bodies.texts | self._gates.names.beyond.quoted()
        own = [name for method, name in self._gates.bodies.by_key if method and name in texts]
        return [*own, *(name for name in self._gates.names.beyond.named_methods() if name in texts and name not in own)]

    @cached_property
    def listened(self) -> Gate:
        """What methods of torch's can do that somebody hands over uncalled: who goes through a list may call them."""
        gate = Gate.NOTHING
        for owner, name in self._gates.names.beyond.handed_over():
            role = spelled_role(owner)
            effect = METHODS[role].get(name) if role in _LISTENING else None
            gate |= Gate.NOTHING if effect is None else effect.gate
        return gate

    def handed(self, name: str) -> Gate:
        """What a function can do that another file has, or keeps, under that name: who hands one over calls it so."""
        gate = Gate.NOTHING
        for other in self._gates.names.beyond.functions(name):
            gate |= other.called(False, name)
        for other in self._gates.names.beyond.wrapping(name):
            gate |= other.keeping.under(name)
        return gate

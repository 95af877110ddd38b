"""Steps of what is around an optimizer: an object of the project with a `step` of its own, which a scaler is given.

class Lookahead:
    def step(self):
        self.base.step()            scaler.step(lookahead)      divides what `base` has, and may step
        self.synchronise()
"""

from __future__ import annotations

from gradlint.interpret.contents import things_in
from gradlint.interpret.effects.use import Use
from gradlint.interpret.functions import invoke_method
from gradlint.interpret.lineage import method_of
from gradlint.interpret.values import Context, Tracked, Value
from gradlint.model.roles import Role

_THROUGH = "through a scaler"


def held_within(use: Use, outer: Value) -> tuple[Tracked, ...]:
    """The optimizers that an object holds which is none by its class, and steps by a method of its own."""
    if not isinstance(outer, Tracked) or outer.cls is None or outer.role is Role.OPTIMIZER:
        return ()
    if method_of(use.machine.program, outer.cls, "step") is None:
        return ()
    held = (one for value in outer.attrs.values() for one in things_in(value))
    return tuple({one.key: one for one in held if one.role is Role.OPTIMIZER}.values())


def step_of(use: Use, outer: Tracked, scaler: Tracked, *, on: bool) -> Value:
    """Call the `step` of an object around an optimizer as a scaler does."""
    found = method_of(use.machine.program, outer.cls, "step") if outer.cls is not None else None
    if found is None:
        return None
    with use.machine.contexts.inside(Context(_THROUGH, target=scaler, active=on)):
        return invoke_method(use.machine, found[0], outer, use.args[1:], use.keywords, use.node.span)


def scaler_around(use: Use) -> str | None:
    """The scaler through which a step runs by whose it is called: the key of that."""
    context = use.machine.contexts.active(_THROUGH)
    return context.target.key if context is not None and context.target is not None else None

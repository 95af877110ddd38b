"""Calls: of functions in the file (followed), of library functions (effects), of the unknown."""

from __future__ import annotations

from gradlint.interpret.calling import call_value, site_of
from gradlint.interpret.dispatch import HANDLERS, evaluate
from gradlint.interpret.effects.use import apply
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.methods import method_call
from gradlint.interpret.state.contexts import Yielded
from gradlint.interpret.values import Tracked, Unknown, Value
from gradlint.interpret.windows_in import name_windows
from gradlint.libraries.tables import METHODS
from gradlint.model.effects import Action
from gradlint.model.program import Attr, Call, Read


def call(machine: Machine, frame: Frame, node: Call) -> Value:
    """The value of a call, with all that it does."""
    func, effect = node.func, node.effect
    if effect is not None:
        action = effect.action
        if action is Action.YIELD:
            return _yield(machine, frame, node)
        if action is Action.CLIP and isinstance(func, Attr) and (clipper := _clipper(machine, frame, func)) is not None:
            return method_call(machine, frame, node, clipper, func.name)
        return apply(site_of(machine, frame, node), effect, None)
    if func.__class__ is Attr:
        held = func.base
        return method_call(machine, frame, node, HANDLERS[held.__class__](machine, frame, held), func.name)
    callee = HANDLERS[func.__class__](machine, frame, func)
    return call_value(site_of(machine, frame, node), callee)


def _clipper(machine: Machine, frame: Frame, func: Attr) -> Tracked | None:
    """An object that has a clip of its own, whatever it is called here: `acc.clip_grad_norm_(...)` of Accelerate."""
    if not isinstance(func.base, (Attr, Read)):
        return None  # a call would be run twice
    base = HANDLERS[func.base.__class__](machine, frame, func.base)
    if not isinstance(base, Tracked) or base.role is None:
        return None
    return base if func.name in METHODS.get(base.role, {}) else None


def _yield(machine: Machine, frame: Frame, node: Call) -> Value:
    contexts, stack = machine.contexts, machine.stack
    if contexts.consumers and contexts.consumers[-1].function is frame.function:
        taker = contexts.consumers[-1]
        if node.args:
            name_windows(machine, frame, node.args[0], taker.item)
        taker.take(evaluate(machine, frame, node.args[0]) if node.args else None)
        return None
    if contexts.capturing:
        contexts.yielded = evaluate(machine, frame, node.args[0]) if node.args else None
        contexts.captured = list(contexts.entered)
        raise Yielded
    if contexts.resuming:
        contexts.resuming -= 1
        stack.preparing -= 1
    return Unknown("yield", True)

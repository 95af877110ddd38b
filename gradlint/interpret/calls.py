"""Calls: of functions in the file (followed), of library functions (effects), of the unknown."""

from __future__ import annotations

from gradlint.interpret.calling import arguments, call_value
from gradlint.interpret.dispatch import HANDLERS, evaluate
from gradlint.interpret.effects.use import apply
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine, Yielded
from gradlint.interpret.methods import method_call
from gradlint.interpret.values import (
    Unknown,
    Value,
)
from gradlint.model.effects import Action
from gradlint.model.program import (
    Attr,
    Call,
)


def call(machine: Machine, frame: Frame, node: Call) -> Value:
    """The value of a call, with all that it does."""
    if node.effect is not None:
        if node.effect.action is Action.YIELD:
            return _yield(machine)
        args, keywords = arguments(machine, frame, node)
        return apply(machine, frame, node, node.effect, None, args, keywords)
    if isinstance(node.func, Attr):
        held = node.func.base
        return method_call(machine, frame, node, HANDLERS[held.__class__](machine, frame, held), node.func.name)
    callee = evaluate(machine, frame, node.func)
    args, keywords = arguments(machine, frame, node)
    return call_value(machine, frame, node, callee, args, keywords)


def _yield(machine: Machine) -> Value:
    if machine.capturing:
        machine.captured = list(machine.contexts)
        raise Yielded
    if machine.resuming:
        machine.resuming -= 1
        machine.preparing -= 1
    return Unknown("yield", True)

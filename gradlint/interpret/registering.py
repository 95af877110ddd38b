"""Registering: what a decorator of the project does with the function or class that stands under it.

@HOOKS.register("ema")
class EMAHook: ...              HOOKS["ema"] makes one later, in whichever file that stands
"""

from __future__ import annotations

from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import Constructor, Routine
from gradlint.model.program import Call, Class, Define, Expr


def register(machine: Machine, frame: Frame, node: Define) -> None:
    """Call the decorators of a definition that are in sight; what they return is taken for what they were given."""
    inner = node.value.decorated if isinstance(node.value, Class) else ()
    with machine.stack.silently():
        for call in (*inner, *reversed(node.decorated)):
            if _in_sight(machine, frame, call.func):
                evaluate(machine, frame, call)


def _in_sight(machine: Machine, frame: Frame, func: Expr) -> bool:
    while isinstance(func, Call):
        func = func.func
    return isinstance(evaluate(machine, frame, func), (Routine, Constructor))

"""Registering: what a decorator of the project does with the function or class that stands under it.

@HOOKS.register("ema")
class EMAHook: ...              HOOKS["ema"] makes one later, in whichever file that stands
"""

from __future__ import annotations

from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import Constructor, Partial, Routine
from gradlint.model.program import Call, Class, Define, Expr


def register(machine: Machine, frame: Frame, node: Define) -> None:
    """Call the decorators of a definition that are in sight, the innermost first: a function is what they return."""
    inner = node.value.decorated if isinstance(node.value, Class) else ()
    if not inner and not node.decorated:
        return
    budget, before = machine.budget, machine.budget.statements
    with machine.stack.silently(), machine.loading.filling():
        for call in (*inner, *reversed(node.decorated)):
            if budget.registering < MOST and _in_sight(machine, frame, call.func):
                made = evaluate(machine, frame, call)
                if call not in inner and isinstance(made, (Routine, Partial)):
                    frame.values[node.name] = made
    budget.registering += budget.statements - before


MOST = 2_000
"""Statements of a run that register something: a project of hundreds of decorated classes has no more to tell."""


def _in_sight(machine: Machine, frame: Frame, func: Expr) -> bool:
    while isinstance(func, Call):
        func = func.func
    return isinstance(evaluate(machine, frame, func), (Routine, Constructor))

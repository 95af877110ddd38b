"""Who evaluates which expression. A module of its own, so that calls and expressions can use each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from gradlint.model.program import If

if TYPE_CHECKING:
    from gradlint.interpret.effects.use import Site
    from gradlint.interpret.frame import Frame
    from gradlint.interpret.machine import Machine
    from gradlint.interpret.values import Value
    from gradlint.model.program import Expr, Module, Stmt

Handlers: TypeAlias = "dict[type, Callable[[Machine, Frame, Any], Value]]"

HANDLERS: Handlers = {}
"""By the class of the expression; `evaluate` fills it in. What is evaluated most looks here itself."""


def evaluate(machine: Machine, frame: Frame, node: Expr) -> Value:
    """The value of an expression, with all its events."""
    return HANDLERS[node.__class__](machine, frame, node)


Preparing: TypeAlias = "Callable[[Machine, Module], Frame]"

PREPARING: list[Preparing] = []
"""Who runs a module that something leads to; `modules` fills it in."""

Gathering: TypeAlias = "Callable[[Site, Any, str], Value]"

GATHERING: list[Gathering] = []
"""Who calls a method of a list or a dictionary; `series` fills it in."""

Statements: TypeAlias = "dict[type, Callable[[Machine, Frame, Any], int]]"

STATEMENTS: Statements = {}
"""The same of statements; `execute` fills it in. Each says how its suite goes on."""

NEXT, BREAK, CONTINUE, RETURN, STOP = range(5)


def run(machine: Machine, frame: Frame, body: Sequence[Stmt]) -> int:
    """Execute a suite."""
    scenario, budget = machine.scenario, machine.budget
    depth = len(scenario.guards)
    try:
        for statement in body:
            budget.statements += 1
            if budget.statements > budget.limit:
                budget.stop()
            kind = statement.__class__
            ended = STATEMENTS[kind](machine, frame, statement)
            if ended:
                return ended
            if kind is If and scenario.passed is not None:
                scenario.guards.append(scenario.passed)
    finally:
        del scenario.guards[depth:]
    return NEXT

"""The language: which function carries out which statement, which expression and which action of a library."""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret import dispatch
from gradlint.interpret.effects import table, use
from gradlint.interpret.evaluate import EXPRESSIONS
from gradlint.interpret.execute import SUITES
from gradlint.interpret.machine import Machine
from gradlint.model.program import Stmt

dispatch.HANDLERS |= EXPRESSIONS
dispatch.STATEMENTS |= SUITES
use.ACTIONS |= table.ALL


def run(machine: Machine, body: Sequence[Stmt]) -> int:
    """Execute a suite of the module."""
    return dispatch.run(machine, machine.enter(machine.program.main), body)

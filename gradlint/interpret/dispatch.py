"""Who evaluates which expression. A module of its own, so that calls and expressions can use each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradlint.interpret.frame import Frame
    from gradlint.interpret.machine import Machine
    from gradlint.interpret.values import Value
    from gradlint.model.program import Expr

HANDLERS: dict[type, Callable[[Machine, Frame, Any], Value]] = {}
"""By the class of the expression; `evaluate` fills it in. What is evaluated most looks here itself."""


def evaluate(machine: Machine, frame: Frame, node: Expr) -> Value:
    """The value of an expression, with all its events."""
    return HANDLERS[node.__class__](machine, frame, node)

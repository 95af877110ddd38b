"""Budget: how much one run may do."""

from __future__ import annotations

from dataclasses import dataclass

from gradlint.interpret.values import Unknown, Value
from gradlint.model.events import EventLog

MAX_STATEMENTS = 30_000

LONG = 64
"""A value made of so many things counts as one more statement: sums of thousands of losses grow with every term."""


class Truncated(Exception):
    """The run grew past its bound."""


class Infeasible(Exception):
    """This scenario contradicts itself (a call on `None`): it says nothing."""


@dataclass(slots=True)
class Budget:
    """The statements that were run."""

    log: EventLog
    statements: int = 0

    def tick(self) -> None:
        """Count a statement.

        Raises:
            Truncated: the bound is reached.
        """
        self.statements += 1
        if self.statements > MAX_STATEMENTS:
            self.cut()

    def weigh(self, value: Value) -> None:
        """Count what a large value costs.

        Raises:
            Truncated: the bound is reached.
        """
        if value.__class__ is Unknown and len(value.leaves) >= LONG:
            self.statements += len(value.leaves) // LONG
            self.tick()

    def cut(self) -> None:
        """End the run before its end, and note that.

        Raises:
            Truncated: always.
        """
        self.log.truncated = True
        raise Truncated

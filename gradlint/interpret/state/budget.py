"""Budget: how much one run may do."""

from __future__ import annotations

from gradlint.interpret.values import Unknown, Value
from gradlint.model.events import EventLog, Kind
from gradlint.model.record import dataclass

MAX_STATEMENTS = 30_000
BARREN = 5_000
"""Statements of a run through several files that has come to no backward and no update: nor will it soon.

Of 492 regions of 60 repositories and 60 projects 99 in 100 come to the first one within 910, the last one in 2,821.
"""
MAX_ASIDE = 400
"""Statements of a call, or a loop, that neither works on gradients nor leads to a forward."""

LONG = 64
"""A value made of so many things counts as one more statement: sums of thousands of losses grow with every term."""


class Truncated(Exception):
    """The run grew past its bound."""


class Infeasible(Exception):
    """This scenario contradicts itself (a call on `None`): it says nothing."""


class Forbidden(Infeasible):
    """An option that is on refuses the sizes of this scenario."""


class Abandoned(Exception):
    """A call, or a loop, that only makes something has run long enough for that."""


_FRUITS = frozenset({Kind.BACKWARD, Kind.STEP})


@dataclass(slots=True)
class Budget:
    """The statements that were run, those of them that were `registering`, and the `limit` of what is running.

    It is lower at first where `several` files are run.
    """

    log: EventLog
    statements: int = 0
    limit: int = MAX_STATEMENTS
    registering: int = 0
    several: bool = False

    @classmethod
    def of_several(cls, log: EventLog) -> Budget:
        """That of a run through several files, which has to come to something soon."""
        return cls(log, limit=BARREN, several=True)

    @property
    def barren(self) -> bool:
        """Whether the run has come to no backward and no update."""
        return not any(event.kind in _FRUITS for event in self.log.events)

    def begin(self) -> int:
        """A call or a loop begins that only makes something of its arguments, and may take so long.

        Returns:
            The limit before, to be set again behind it.
        """
        before = self.limit
        self.limit = min(before, self.statements + MAX_ASIDE)
        return before

    def stop(self) -> None:
        """End what has reached its limit.

        Raises:
            Truncated: that is the run.
            Abandoned: that is a call.
        """
        if self.statements > MAX_STATEMENTS:
            self.cut()
        if not (self.several and self.limit == BARREN):
            raise Abandoned
        if self.barren:
            self.cut()
        self.limit = MAX_STATEMENTS

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

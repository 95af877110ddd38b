"""Stack: the calls that led here, and what is run only to prepare others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from gradlint.model.effects import EVENTS
from gradlint.model.finding import Span
from gradlint.model.program import Call, Expr, Function

MAX_DEPTH = 12
MAX_AGAIN = 4
"""So deep a function is followed into itself that only makes something of its arguments."""


@dataclass(slots=True)
class Stack:
    """The running functions, and the sites that called them.

    Nothing is written while objects are `preparing`. `covered` are functions that were run otherwise, `written` is the
    call by which each was called last. `looked_in` names the function that looked at gradients last. `doing` is the
    expression that is a statement of its own, whose result nobody wants; `entering` what a `with` enters.
    """

    calls: list[Span] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    preparing: int = 0
    covered: set[Span] = field(default_factory=set)
    written: dict[Function, Call] = field(default_factory=dict)
    looked_in: str = ""
    doing: Expr | None = None
    entering: Expr | None = None

    @property
    def running(self) -> Function | None:
        """The running function."""
        return self.functions[-1] if self.functions else None

    @property
    def function(self) -> str:
        """The name of the running function."""
        return self.functions[-1].qualname if self.functions else "<module>"

    def is_deep(self, function: Function) -> bool:
        """Whether a function runs too often, or too deep, to be run once more."""
        again = 2 if function.gates & EVENTS else MAX_AGAIN
        return len(self.functions) >= MAX_DEPTH or self.functions.count(function) >= again

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Run something for what it makes, not for what it does."""
        before = self.preparing
        self.preparing += 1
        try:
            yield
        finally:
            self.preparing = before

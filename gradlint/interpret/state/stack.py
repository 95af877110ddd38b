"""Stack: the calls that led here, and what is run only to prepare others."""

from __future__ import annotations

from dataclasses import field

from gradlint.interpret.values import Unknown
from gradlint.model.effects import EVENTS
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.finding import Span
from gradlint.model.program import Call, Expr, Function
from gradlint.model.record import dataclass

MAX_DEPTH = 12
MAX_AGAIN = 4
"""So deep a function is followed into itself that only makes something of its arguments."""
MAX_TIMES = 400
"""So often in one run a function is followed that only makes something of its arguments."""
MANY = 60
"""So often in all it is followed into itself."""


@dataclass(frozen=True, slots=True)
class Calm:
    """How often calls that are alike changed nothing, whether they return something, and whether its weight is open."""

    times: int
    returns: bool
    unweighed: bool

    def again(self, some: Unknown) -> Unknown | None:
        """What such a call returns, which makes this of its arguments."""
        if self.unweighed:
            some.factor = UNKNOWN_FACTOR
        return some if self.returns else None


@dataclass(slots=True)
class Followed:
    """How often each function was followed into itself, and how often at all."""

    again: dict[Function, int] = field(default_factory=dict)
    times: dict[Function, int] = field(default_factory=dict)

    def is_worn(self, function: Function) -> bool:
        """Whether a function was called so often that once more would teach nothing."""
        self.times[function] = self.times.get(function, 0) + 1
        return self.times[function] > MAX_TIMES

    def is_tired(self, function: Function) -> bool:
        """Whether a function was followed into itself so often that once more would teach nothing."""
        self.again[function] = self.again.get(function, 0) + 1
        return self.again[function] > MANY


@dataclass(slots=True)
class Stack:
    """The running functions, and the sites that called them.

    Nothing is written while objects are `preparing`. `covered` are functions that were run otherwise, `written` is the
    call by which each was called last. `looked_in` names the function that looked at gradients last. `doing` is the
    expression that is a statement of its own, whose result nobody wants; `entering` what a `with` enters. `stirred`
    counts the calls that may have changed what outlives them, and `calm` tells of those that did not. `loops` says how
    many loops ran when a function was called, by how many were running.
    """

    calls: list[Span] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    preparing: int = 0
    covered: set[Span] = field(default_factory=set)
    written: dict[Function, Call] = field(default_factory=dict)
    looked_in: str = ""
    followed: Followed = field(default_factory=Followed)
    stirred: int = 0
    calm: dict[object, Calm] = field(default_factory=dict)
    doing: Expr | None = None
    entering: Expr | None = None
    loops: dict[int, int] = field(default_factory=dict)

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
        if len(self.functions) >= MAX_DEPTH:
            return True
        depth = self.functions.count(function)
        if depth < 2:
            return False
        return self.followed.is_tired(function) or depth >= MAX_AGAIN or bool(function.gates & EVENTS)

    def silently(self) -> Silence:
        """Run something for what it makes, not for what it does."""
        return Silence(self)


@dataclass(slots=True)
class Silence:
    """A block in which objects are prepared; a class, for a generator takes three times as long to enter."""

    stack: Stack
    before: int = 0

    def __enter__(self) -> None:
        self.before = self.stack.preparing
        self.stack.preparing += 1

    def __exit__(self, *_: object) -> None:
        self.stack.preparing = self.before

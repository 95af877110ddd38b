"""Course: the loops a run is in, and the numbers that decided on the way."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import field

from gradlint.interpret.plan import Stride
from gradlint.interpret.values import Context, Partial, Unknown, Value
from gradlint.model.events import Iteration, Stamp
from gradlint.model.finding import Span
from gradlint.model.record import dataclass

_CALLS = frozenset({"call"})
_BATCHES = frozenset({"batch", "micro"})


@dataclass(slots=True)
class Course:
    """The current iteration of every enclosing loop (the `stamp`), whether each is its last, and where the loops stand.

    It is `looping` inside a loop that repeats work (what a call returns there varies), and `working` inside one over
    batches or over parts of one.
    `numbers` are what decided something: where they are others in each iteration, none stands for the next. `cuts` are
    loops through the samples of a batch, `within` the contexts in which a generator stops with each item, `acting` the
    calls of generators that do more. A `streaming` loop takes its batches from a stream that has no epochs; some
    sampler was made where it is `sampled`; a comprehension of several forwards is `repeating`.
    """

    stamp: Stamp = ()
    looping: bool = False
    working: bool = False
    last: list[bool] = field(default_factory=list)
    heads: list[Span] = field(default_factory=list)
    numbers: list[object] = field(default_factory=list)
    cuts: list[Stride] = field(default_factory=list)
    within: dict[Unknown, list[Context]] = field(default_factory=dict)
    acting: dict[Unknown, Partial] = field(default_factory=dict)
    repeating: int = 0
    streaming: bool = False
    sampled: bool = False

    @property
    def innermost(self) -> Iteration | None:
        """The iteration of the innermost loop."""
        return self.stamp[-1] if self.stamp else None

    @property
    def in_epoch(self) -> bool:
        """Whether the innermost loop is one over epochs: what is asked there counts these, of which few are run."""
        return bool(self.stamp) and self.stamp[-1].kind == "epoch"

    @property
    def in_pieces(self) -> bool:
        """Whether it may go through the parts of a batch, be they some of its samples or a stretch of each."""
        return any(iteration.kind == "micro" for iteration in self.stamp)

    def going_on(self, made: Stamp, passed: Stamp, counting: Container[int]) -> tuple[Span, int]:
        """Where the loop around stands that goes through once more what was `made` and first `passed` then; how deep.

        It is the outermost in which it was not made anew, if that is `counting` its turns (`for epoch in range(epochs)`
        around `for name in names`); else the outermost that has gone on since then (`for task in tasks` around epochs).
        """
        loops = [iteration for iteration in self.stamp if iteration.kind != "call"]
        if len(loops) != len(self.heads):
            return self.heads[0], 1
        around = list(enumerate(zip(loops, self.heads, strict=True), 1))
        apart = [(number, pair) for number, pair in around if pair[0] not in made]
        if apart and apart[0][1][0].loop in counting:
            return apart[0][1][1], apart[0][0]
        gone_on = ((head, number) for number, (iteration, head) in around if iteration not in passed)
        return next(gone_on, (self.heads[0], 1))

    def around(self, made: Stamp) -> tuple[Span, ...]:
        """Where the loops around stand in which what was `made` then is not made anew, the outermost first."""
        loops = [iteration for iteration in self.stamp if iteration.kind != "call"]
        if len(loops) != len(self.heads):
            return ()
        return tuple(head for iteration, head in zip(loops, self.heads, strict=True) if iteration not in made)

    def enter(self, iteration: Iteration, last: bool) -> None:
        """An iteration begins."""
        self.stand((*self.stamp, iteration))
        self.last.append(last)

    def leave(self) -> None:
        """An iteration ends."""
        self.stand(self.stamp[:-1])
        self.last.pop()

    def stand(self, stamp: Stamp) -> None:
        """Go on in these iterations."""
        self.stamp = stamp
        kinds = {iteration.kind for iteration in stamp}
        self.looping = bool(kinds - _CALLS)
        self.working = bool(kinds & _BATCHES)

    def is_last(self) -> bool:
        """Whether the innermost loop is in its last iteration. Who asks may get another answer in each iteration."""
        self.numbers.append(self.innermost)
        return bool(self.last) and self.last[-1]

    def decides(self, value: Value) -> None:
        """Note a number that something hangs on: whether it is 0, or what stands at its place in a list."""
        if value.__class__ is int:
            self.numbers.append(value)

    def draws(self) -> None:
        """Note that a loop over batches takes them from a stream: it is no epoch."""
        if self.stamp and self.stamp[-1].kind == "batch":
            self.streaming = True

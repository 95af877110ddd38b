"""The books: for each optimizer, every update with what it consumed.

Plain data, made by `gradlint.dryrun.fold` from a trail, read by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from gradlint.finding import Span
from gradlint.trail import Backward, Clipping, Event, Guard, Stamp, Step

_REAL = ("call", "epoch", "batch", "micro")


@dataclass(slots=True, eq=False)
class Contribution:
    """One micro-batch's gradient in one optimizer's books."""

    event: Event
    detail: Backward
    batch: Stamp
    epoch: Stamp
    sure: bool
    scaled: bool
    order: int

    @property
    def weight(self) -> Fraction | None:
        """The factor on the micro-batch's own gradient, the loss scale left out; `None` when nobody can compute it."""
        return self.detail.factor.weight


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """One clip as it found the books: what was live, what of it was still `scaled`."""

    event: Event
    detail: Clipping
    live: tuple[Contribution, ...]
    spent: int
    scaled: tuple[Contribution, ...]


@dataclass(slots=True, eq=False)
class Update:
    """One step of one optimizer and everything since the step before.

    `foreign` is what other optimizers' backwards left in the gradients that this one consumes, after these had stepped.
    """

    optimizer: str
    number: int
    step: Event
    detail: Step
    previous: Event | None
    consumed: tuple[Contribution, ...]
    stale: tuple[Contribution, ...]
    wiped: tuple[tuple[Contribution, Event], ...]
    zeros: tuple[Event, ...]
    clips: tuple[Clip, ...]
    unscales: tuple[Event, ...]
    scaler_updates: tuple[Event, ...]
    schedules: tuple[Event, ...]
    writes: tuple[Event, ...]
    opaques: tuple[Event, ...]
    unsure: bool
    foreign: tuple[Contribution, ...] = ()

    @property
    def batches(self) -> tuple[Stamp, ...]:
        """The distinct micro-batches since the last step, consumed or wiped, in order."""
        everything = sorted([*self.consumed, *(item for item, _ in self.wiped)], key=lambda item: item.order)
        return tuple(dict.fromkeys(item.batch for item in everything))

    @property
    def consumed_batches(self) -> tuple[Stamp, ...]:
        """The distinct micro-batches it consumed."""
        return tuple(dict.fromkeys(item.batch for item in self.consumed))

    @property
    def sure(self) -> bool:
        """True when every contribution certainly belongs to this optimizer and the boundary is known."""
        return not self.unsure and all(item.sure for item in (*self.consumed, *self.stale))

    @property
    def epoch(self) -> Stamp:
        """The turn of the outer loops at the step."""
        return epoch_of(self.step.stamp)

    @property
    def guard(self) -> Guard | None:
        """The innermost guard around the step that is not around every backward, and went the same way."""
        inside = [{(guard.span, guard.taken) for guard in item.event.guards} for item in self.consumed]
        own = [
            one for one in self.step.guards if not inside or any((one.span, one.taken) not in held for held in inside)
        ]
        known = [guard for guard in own if guard.known]
        chosen = known or [guard for guard in own if guard.counts] or own
        return chosen[-1] if chosen else None

    @property
    def windowed(self) -> bool:
        """True when the source plainly steps less often than it runs backward."""
        guard = self.guard
        if guard is not None and guard.plain:
            return True
        if any(item.detail.framework == "accelerate" for item in self.consumed):
            return True
        depth = len(real(self.step.stamp))
        inner = any(len(item.batch) > depth for item in self.consumed)
        return inner or any(item.event.span == self.step.span for item in self.consumed)


def _around_all(guard: Guard, inside: list[set[tuple[Span, bool]]]) -> bool:
    return bool(inside) and all((guard.span, guard.taken) in held for held in inside)


@dataclass(slots=True, eq=False)
class Book:
    """All updates of one optimizer in one world, and what was never consumed.

    `reads` are the places in time at which code looks at gradients, with whether there were any.
    """

    optimizer: str
    updates: list[Update] = field(default_factory=list)
    leftover: tuple[Contribution, ...] = ()
    tail_wiped: list[tuple[Contribution, Event]] = field(default_factory=list)
    trailing: list[Clip] = field(default_factory=list)
    reads: list[tuple[Stamp, bool]] = field(default_factory=list)
    _window: tuple[int, int | None] = (0, None)

    @property
    def window(self) -> int | None:
        """Micro-batches in a steady update: the most common number, ragged ends aside."""
        if self._window[0] != len(self.updates):
            self._window = (len(self.updates), self._usual())
        return self._window[1]

    def _usual(self) -> int | None:
        sizes = [len(update.batches) for update in self.updates if update.batches]
        if not sizes:
            return None
        middle = sizes[1:] if len(sizes) > 2 else sizes
        return max(set(middle), key=lambda size: (middle.count(size), size))

    def cut_short(self, update: Update, size: int) -> bool:
        """Whether the epoch ends before the window of `size` micro-batches is full."""
        last = [other for other in self.updates if other.epoch == update.epoch][-1]
        loops = [turn.kind for turn in update.consumed_batches[0][-1:]]
        return update is last and len(update.consumed_batches) < size and loops == ["batch"]


def real(stamp: Stamp) -> Stamp:
    """The turns that make micro-batches: loops over objects and losses are left out."""
    return tuple(turn for turn in stamp if turn.kind in _REAL)


def epoch_of(stamp: Stamp) -> Stamp:
    """The turns of the epoch loops and calls."""
    return tuple(turn for turn in stamp if turn.kind in ("call", "epoch"))

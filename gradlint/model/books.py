"""The books: for each optimizer, every update with what it consumed.

Plain data, made by `gradlint.account.fold` from an event log, read by the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from gradlint.model.events import Backward, Clipping, Event, Guard, Stamp, Step
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor
from gradlint.model.finding import Span
from gradlint.model.once import cached_property
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass

_REAL = ("call", "epoch", "batch", "micro")


@dataclass(slots=True, eq=False)
class Contribution:
    """One micro-batch's gradient in one optimizer's books.

    `written` is what has multiplied it since its backward, for each model whose parameters the optimizer owns.
    """

    event: Event
    detail: Backward
    batch: Stamp
    epoch: Stamp
    sure: bool
    scaled: bool
    order: int
    written: Mapping[str, Factor] = field(default_factory=dict)

    @property
    def factor(self) -> Factor:
        """All that multiplies the micro-batch's own gradient, as `gradlint.account.weights` has it."""
        return self.detail.factor.times(self.afterwards) if self.written else self.detail.factor

    @property
    def afterwards(self) -> Factor:
        """What has multiplied all of it since its backward; unknown when that is not the same for all models."""
        first, *others = self.written.values() or (ONE,)
        return first if all(other.weight == first.weight for other in others) else UNKNOWN_FACTOR

    @property
    def weight(self) -> Fraction | None:
        """The factor on the micro-batch's own gradient, the loss scale left out; `None` when nobody can compute it."""
        return self.factor.weight


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """One clip as it found the books: what was live, what of it was still `scaled`."""

    event: Event
    detail: Clipping
    live: tuple[Contribution, ...]
    spent: int
    scaled: tuple[Contribution, ...]


@dataclass(frozen=True, eq=False)
class Update:
    """One step of one optimizer and everything since the step before.

    `foreign` is what other optimizers' backwards left in the gradients that this one consumes, after these had stepped;
    `crossing` what they added on their way to networks that none of this one's own losses reaches, whenever they step.
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
    crossing: tuple[Contribution, ...] = ()

    @property
    def others(self) -> tuple[Contribution, ...]:
        """All that other optimizers' backwards have added that was not meant for this one, in order."""
        return tuple(sorted({*self.foreign, *self.crossing}, key=lambda item: item.order))

    @property
    def is_mean(self) -> bool:
        """Whether the weights of the micro-batches are known, and add up to 1."""
        weights = [item.weight for item in self.consumed]
        return None not in weights and sum(weight for weight in weights if weight is not None) == 1

    @cached_property
    def batches(self) -> tuple[Stamp, ...]:
        """The distinct micro-batches since the last step, consumed or wiped, in order."""
        everything = sorted([*self.consumed, *(item for item, _ in self.wiped)], key=lambda item: item.order)
        return tuple(dict.fromkeys(item.batch for item in everything))

    @cached_property
    def consumed_batches(self) -> tuple[Stamp, ...]:
        """The distinct micro-batches it consumed."""
        return tuple(dict.fromkeys(item.batch for item in self.consumed))

    @property
    def unevenly_written(self) -> bool:
        """True when gradients are rewritten before all of them are there: some more often than others."""
        return any(write.number < item.order for write in self.writes for item in self.consumed[-1:])

    @property
    def sure(self) -> bool:
        """True when every contribution certainly belongs to this optimizer and the boundary is known."""
        return not self.unsure and all(item.sure for item in (*self.consumed, *self.stale))

    @property
    def epoch(self) -> Stamp:
        """The iterations of the outer loops at the step."""
        return epoch_of(self.step.stamp)

    @property
    def own_guards(self) -> list[Guard]:
        """The guards around the step that are not around every backward, or went another way; the innermost last."""
        inside = [{(guard.span, guard.taken) for guard in item.event.guards} for item in self.consumed]
        return [
            one for one in self.step.guards if not inside or any((one.span, one.taken) not in held for held in inside)
        ]

    @property
    def guard(self) -> Guard | None:
        """The innermost guard around the step that is not around every backward, and went the same way.

        One that only asks whether something is there (`scaler is not None`) closes no window, where another may do so;
        nor does what a helper was told (`if update:`), where one around the call of it counts.
        """
        own = self.own_guards
        known = [guard for guard in own if guard.known]
        counting = [guard for guard in known if not _PRESENCE.search(guard.text)]
        chosen = counting or known or [guard for guard in own if guard.counts] or own
        chosen = [guard for guard in chosen if guard.counted] or chosen
        return chosen[-1] if chosen else None

    @property
    def place(self) -> Span:
        """Where its window ends: at the guard, else at the step."""
        return self.guard.span if self.guard else self.step.span

    @property
    def windowed(self) -> bool:
        """True when the source plainly steps less often than it runs backward."""
        guard = self.guard
        if guard is not None and guard.plain:
            return True
        if any(item.detail.framework == "accelerate" for item in self.consumed):
            return True
        depth = len(real(self.step.stamp))
        items = self.consumed or [item for item, _ in self.wiped if not self.writes]
        inner = any(len(item.batch) > depth for item in items)
        return inner or self._parted or self._shared or any(item.event.span == self.step.span for item in items)

    @property
    def _shared(self) -> bool:
        """Whether each loss is divided by as many as there are, under a name: who else would hold the step back?"""
        share = Fraction(1, max(1, len(self.batches)))
        items = (*self.consumed, *(item for item, _ in self.wiped))
        return all(
            any(part.divides and part.number == share and not part.bare for part in item.detail.factor.parts)
            for item in items
        )

    @property
    def _parted(self) -> bool:
        """`if last: backward(); step() else: backward()`: a count asks which, and what went the other way was wiped."""
        others = {(guard.span, not guard.taken) for guard in self.step.guards if guard.plain}
        return any((guard.span, guard.taken) in others for item, _ in self.wiped for guard in item.event.guards)


_PRESENCE = pattern(r"(?i)\bis (not )?None$|^(not )?[\w.]*scaler$")
"""Questions after something that may be missing."""

Site: TypeAlias = tuple[Span, tuple[Span, ...], tuple[int, ...]]
"""Where a step stands: its place, the calls that lead there, the loops around it."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What comes behind the last update: what is still `live` at the end, what was `wiped`, and the `clips`."""

    live: tuple[Contribution, ...] = ()
    wiped: tuple[tuple[Contribution, Event], ...] = ()
    clips: tuple[Clip, ...] = ()


@dataclass(slots=True, eq=False)
class Book:
    """All updates of one optimizer in one scenario, and the `rest` that was never consumed.

    `tail_wiped` is what an epoch has left. `names` are what windows are called in this region, `size` is the one it was
    run for. `reads` are the places in time at which code looks at gradients, with whether there were any. `open_loops`
    took a number that was guessed.
    """

    optimizer: str
    updates: list[Update] = field(default_factory=list)
    rest: Rest = field(default_factory=Rest)
    tail_wiped: list[tuple[Contribution, Event]] = field(default_factory=list)
    reads: list[tuple[Stamp, bool]] = field(default_factory=list)
    names: frozenset[str] = frozenset()
    size: int = 0
    open_loops: frozenset[int] = frozenset()
    _homes: dict[int, Site] = field(default_factory=dict)
    _lengths: dict[Site, int | None] = field(default_factory=dict)
    _last: dict[object, int] = field(default_factory=dict)

    def open_ended(self, update: Update) -> bool:
        """Whether the number of its micro-batches was guessed."""
        return any(iteration.loop in self.open_loops for item in update.consumed for iteration in item.batch)

    def gathered(self) -> Iterator[Contribution]:
        """Everything that backwards have given this optimizer: used, cleared, or left over."""
        for update in self.updates:
            yield from (*update.consumed, *(item for item, _ in update.wiped))
        yield from (*self.rest.live, *(item for item, _ in (*self.rest.wiped, *self.tail_wiped)))

    @property
    def windows(self) -> tuple[int, ...]:
        """Micro-batches in the steady updates of each step site, in the order of the sites."""
        found = (self.window_of(update) for update in self.updates)
        return tuple(dict.fromkeys(window for window in found if window is not None))

    def window_of(self, update: Update) -> int | None:
        """Micro-batches in a steady update at a step's site: the most common number, ragged ends aside.

        A step that flushes what a loop has left ends a window of that loop.
        """
        home = self.site_of(update)
        if home not in self._lengths:
            own = [other for other in self.updates if _site(other) == home]
            usual, inside = _usual(_sizes(own)), _sizes(other for other in own if not self.closes(other))
            ragged = usual not in (None, self.size) and bool(inside) and usual < min(inside)  # one window, and a rest
            self._lengths[home] = _usual(inside) if ragged else usual
        return self._lengths[home]

    def site_of(self, update: Update) -> Site:
        """The site whose window an update ends: its own, or that of the loop whose rest it takes."""
        if len(self._homes) != len(self.updates):
            self._homes, self._lengths = _homes(self.updates), {}
        return self._homes[update.number]

    def closes(self, update: Update) -> bool:
        """Whether an update is the last that takes something of its run through the loader."""
        if self._last.get(None) != len(self.updates):
            self._last = {_run(other): other.number for other in self.updates}
            self._last[None] = len(self.updates)
        return self._last[_run(update)] == update.number

    def whole(self, update: Update) -> list[int]:
        """The windows that an update may be the rest of: its own and, where no epoch fills one, that of the run."""
        home = self.site_of(update)
        never = all(self.closes(other) for other in self.updates if self.site_of(other) == home)
        return [self.window_of(update) or 1, *([self.size] if never else [])]

    def tail(self, update: Update) -> bool:
        """Whether the epoch ends before the window of an update is full."""
        return self._ends_within(update, max(self.whole(update)))

    def cut_short(self, update: Update) -> bool:
        """Whether the epoch ends before a window as long as the one that the loop was run for."""
        return self._ends_within(update, self.size)

    def _ends_within(self, update: Update, size: int) -> bool:
        return 0 < len(update.consumed_batches) < size and _of_batches(update) and self.closes(update)


def _usual(sizes: list[int]) -> int | None:
    """The most common number, the first aside, which may be ragged, unless that decides; else the largest."""
    middle = sizes[1:] if len(sizes) > 2 else sizes
    return max(set(middle), key=lambda size: (middle.count(size), sizes.count(size), size)) if middle else None


def _of_batches(update: Update) -> bool:
    """Whether what an update consumed are batches of a loader."""
    return [iteration.kind for iteration in update.consumed_batches[0][-1:]] == ["batch"] if update.consumed else False


def _run(update: Update) -> object:
    """The run through a loader that an update takes its last micro-batch from."""
    last = update.consumed_batches[-1:]
    return (last[0][:-1], last[0][-1].loop) if last and last[0] else update.epoch


def _loops(stamp: Stamp) -> tuple[int, ...]:
    return tuple(iteration.loop for iteration in real(stamp))


def _site(update: Update) -> Site:
    return update.step.span, update.step.calls, _loops(update.step.stamp)


def _homes(updates: list[Update]) -> dict[int, Site]:
    """The site whose window each update ends, by its number: a site in the loop whose rest it takes, else its own."""
    own = {update.number: _site(update) for update in updates}
    sites = {site: [update for update in updates if own[update.number] == site] for site in own.values()}
    if len(sites) == 1:
        return own
    ends = {site for site in sites if _ends(site, sites)}
    homes: dict[int, Site] = {}
    for update in updates:
        site = own[update.number]
        inside = _loops(update.batches[-1]) if update.batches else site[2]
        flushes = site in ends or len(inside) > len(site[2])
        others = [one for one in updates if own[one.number][2] == inside and own[one.number] not in {site, *ends}]
        before = [one for one in others if one.number < update.number]
        near = (before[-1:] or others[:1]) if flushes else []
        homes[update.number] = own[near[0].number] if near else site
    return homes


def _ends(site: Site, sites: dict[Site, list[Update]]) -> bool:
    """Whether a site only takes what another one in its loop has left at the end: `elif last: step()`."""
    last: dict[object, int] = {}
    for update in (update for updates in sites.values() for update in updates):
        last[_run(update)] = max(update.number, last.get(_run(update), 0))
    most = max(len(update.batches) for update in sites[site])
    return all(last[_run(update)] == update.number for update in sites[site]) and any(
        other != site and other[2] == site[2] and (_usual(_sizes(group)) or 0) > most for other, group in sites.items()
    )


def _sizes(updates: Iterable[Update]) -> list[int]:
    return [len(update.batches) for update in updates if update.batches]


def real(stamp: Stamp) -> Stamp:
    """The iterations that make micro-batches: loops over objects and losses are left out."""
    return tuple([iteration for iteration in stamp if iteration.kind in _REAL])


Place: TypeAlias = "tuple[tuple[str, int], ...]"
"""The turns that make a micro-batch, known by what their loops are: two texts have their loops in other rows."""


def place_of(stamp: Stamp) -> Place:
    """Where a micro-batch runs, in a form that two texts have in common."""
    return tuple((iteration.kind, iteration.number) for iteration in real(stamp))


def epoch_of(stamp: Stamp) -> Stamp:
    """The iterations of the epoch loops and calls."""
    return tuple([iteration for iteration in stamp if iteration.kind in ("call", "epoch")])

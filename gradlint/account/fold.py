"""The fold: from an event log to one book of updates for each optimizer.

zero  backward  backward  unscale  clip  step        backward ...
|     |         |                  |     |
|     +---------+-- contributions  |     +-- an Update consumes what is live;
|                   become live    |         what it consumed is spent, and stale when
+-- live contributions are wiped   +-- sees  a later update consumes it again
                                       what is live now
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from gradlint.account.owners import MADE, Owner, owners
from gradlint.model.books import Book, Clip, Contribution, Rest, Update, epoch_of, real
from gradlint.model.events import (
    Backward,
    Clipping,
    Event,
    EventLog,
    Forward,
    Kind,
    Opaque,
    Schedule,
    Stamp,
    Step,
    Write,
    Zero,
)
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor
from gradlint.model.record import dataclass, replace
from gradlint.model.roots import overlaps, within


@dataclass(slots=True)
class _Since:
    """What has come since an optimizer's last step."""

    wiped: list[tuple[Contribution, Event]] = field(default_factory=list)
    zeros: list[Event] = field(default_factory=list)
    clips: list[Clip] = field(default_factory=list)
    unscales: list[Event] = field(default_factory=list)
    scaler_updates: list[Event] = field(default_factory=list)
    schedules: list[Event] = field(default_factory=list)
    writes: list[Event] = field(default_factory=list)
    opaques: list[Event] = field(default_factory=list)


_NOBODYS = frozenset[str]()


@dataclass(frozen=True, slots=True)
class _Scenario:
    """What all optimizers of a scenario share.

    `feeds` are the optimizers that a backward feeds, by its number, `steps` the numbers of the steps of each optimizer;
    `owned` is all that belongs to one in sight, `params` what belongs to each.
    """

    events: Sequence[Event]
    feeds: Mapping[int, tuple[Owner, ...]]
    steps: Mapping[str, Sequence[int]]
    owned: frozenset[str]
    params: Mapping[str, frozenset[str] | None]
    unsure_guards: frozenset[object]
    batches: dict[int, Stamp] = field(default_factory=dict)

    def batch_of(self, event: Event, detail: Backward) -> Stamp:
        """The micro-batch that a backward belongs to."""
        if event.number not in self.batches:
            self.batches[event.number] = micro_batch(event, detail, self.events)
        return self.batches[event.number]

    def next_step(self, number: int) -> int:
        """When the optimizers that a backward means have used it."""
        feeding = self.feeds.get(number, ())
        later = [step for owner in feeding for step in self.steps.get(owner.optimizer, ()) if step > number]
        return min(later, default=sys.maxsize)

    def meant(self, event: Event, detail: Backward) -> frozenset[str]:
        """The parameters that a backward surely goes through and is for; none where nobody can see."""
        feeding = self.feeds.get(event.number, ())
        held = [self.params.get(owner.optimizer) for owner in feeding if owner.sure]
        meant = _NOBODYS.union(*[one or _NOBODYS for one in held])
        known = len(held) == len(feeding) and all(held)
        return meant if known and overlaps(detail.models, meant) else frozenset()

    def goes_through(self, detail: Backward, params: frozenset[str]) -> bool:
        """Whether a loss goes back through these networks to others, which have made what they are given.

        A trunk that runs first learns from the losses of all its heads.
        """
        forwards = [self.events[number] for number in detail.forwards if number < len(self.events)]
        own = [one.number for one in forwards if overlaps({one.subject}, params)]
        others = [one.number for one in forwards if not overlaps({one.subject}, params)]
        return bool(own and others) and min(others) < min(own)


@dataclass(frozen=True, slots=True)
class _Foreign:
    """What another optimizer's backward added here: when it is `spent`, and for whose parameters it was `meant`."""

    item: Contribution
    spent: int
    meant: frozenset[str]

    def crosses(self, params: frozenset[str] | None, reached: Iterable[frozenset[str]]) -> bool:
        """Whether it was meant for what is none of these parameters, and what none of these losses has reached."""
        if not (self.meant and params and self.spent < sys.maxsize) or overlaps(self.meant, params) is not False:
            return False
        return all(overlaps(models, self.meant) is False for models in reached)


class _Fold:
    """The books of one optimizer while they are kept: what is live, what is spent, what others have left there.

    `cleared` are the models whose gradients alone were cleared since the last backward, `since` is what has come since
    the `previous` step.
    """

    def __init__(self, book: Book, first: Step, shared: _Scenario) -> None:
        self.book = book
        self.params = first.params
        self.anew = first.origin in MADE and "#" in book.optimizer
        self.shared = shared
        self.live: list[Contribution] = []
        self.spent: list[Contribution] = []
        self.foreign: list[_Foreign] = []
        self.cleared: set[str] = set()
        self.since = _Since()
        self.previous: Event | None = None

    def note(self, event: Event, *, alone: bool) -> None:
        """One thing more has happened; the optimizer may be `alone` in its scenario."""
        detail, key = event.detail, self.book.optimizer
        if isinstance(detail, Backward):
            owner = next((one for one in self.shared.feeds.get(event.number, ()) if one.optimizer == key), None)
            batch = self.shared.batch_of(event, detail)
            if owner is not None:
                self.backward(event, detail, owner, batch)
            else:
                self.beside(event, detail, batch)
        elif isinstance(detail, Zero):
            self.zero(event, detail)
        elif isinstance(detail, Clipping):
            self.clip(event, detail)
        elif isinstance(detail, Write):
            self.write(event, detail, alone=alone)
        elif isinstance(detail, Step) and event.subject == key:
            self.step(event, detail)
        elif isinstance(detail, Step) and self.succeeds(event.subject, detail):
            self.begin()
        else:
            self.note_beside(event, key)

    def note_beside(self, event: Event, key: str) -> None:
        """What goes with an update, and adds or takes away nothing."""
        detail, since = event.detail, self.since
        if isinstance(detail, Schedule) and detail.optimizer in (None, key):
            since.schedules.append(event)
        elif isinstance(detail, Opaque) and (detail.optimizers is None or key in detail.optimizers):
            since.opaques.append(event)
        elif event.kind is Kind.UNSCALE and event.subject in (key, "*"):
            self.unscale(event)
        elif event.kind is Kind.UPDATE:
            since.scaler_updates.append(event)
        elif event.kind is Kind.READ:
            self.book.reads.append((event.stamp, bool(self.live or self.spent or self.foreign)))

    def backward(self, event: Event, detail: Backward, owner: Owner, batch: Stamp) -> None:
        """A gradient is added."""
        self.cleared.clear()
        self.live.append(_contribution(event, detail, batch, owner.sure))

    def beside(self, event: Event, detail: Backward, batch: Stamp) -> None:
        """A backward that means another optimizer goes through this one's parameters, too."""
        through = overlaps(detail.models or None, self.params)
        if through is not False:
            item = _contribution(event, detail, batch, sure=through is True)
            spent, meant = self.shared.next_step(event.number), self.shared.meant(event, detail)
            self.foreign.append(_Foreign(item, spent, meant))

    def zero(self, event: Event, detail: Zero) -> None:
        """Gradients are cleared, when they are this optimizer's."""
        if not self.covers(detail) or self._freezes(event, detail):
            return
        self.since.zeros.append(event)
        if self._in_part(detail):
            return
        for item in () if self.newborn else self.live:
            if (item.epoch != epoch_of(event.stamp) and self.previous is not None) or _starts_over(item, event):
                self.book.tail_wiped.append((item, event))
            else:
                self.since.wiped.append((item, event))
        self.live.clear()
        self.spent.clear()
        self.foreign.clear()

    def _freezes(self, event: Event, detail: Zero) -> bool:
        """Whether a part alone is cleared behind a backward in its iteration: it is held still, the rest learns."""
        around = real(event.stamp)
        behind = bool(self.live) and real(self.live[-1].event.stamp)[: len(around)] == around
        return behind and not _starts_over(self.live[-1], event) and self._spares(detail, self.live)

    def _spares(self, detail: Zero, items: Iterable[Contribution]) -> bool:
        """Whether a zero leaves some of what backwards have added: it names parts of what the optimizer owns."""
        cleared = detail.cleared
        owned = self.params or frozenset().union(*(item.detail.models for item in items))
        left = frozenset(root for root in owned if not any(within(root, whole) for whole in cleared))
        known = any(within(part, root) for part in cleared for root in owned)
        return known and bool(left) and any(overlaps(item.detail.models, left) is not False for item in items)

    def _in_part(self, detail: Zero) -> bool:
        """Whether a zero, and those since the last backward, clear some models of a loss only."""
        if detail.root is None or len(self.params or ()) < 2:
            return False
        self.cleared.add(detail.root)
        left = frozenset(root for root in self.params or () if not overlaps(self.cleared, frozenset((root,))))
        return any(overlaps(item.detail.models, left) for item in (*self.live, *self.spent))

    def _left_by_others(self, step: Event) -> tuple[Contribution, ...]:
        """What other optimizers had used already when this one's own gradients came: it was not meant for this one."""
        begun = min((item.order for item in self.live), default=step.number)
        return tuple(one.item for one in self.foreign if one.spent < begun)

    def _crossing(self) -> tuple[Contribution, ...]:
        """What other backwards sent through here on their way to networks that this one's own losses are cut from.

        A critic's loss takes what the generator has made detached, the generator's goes through the critic.
        """
        reached = [item.detail.models for item in self.live]
        found = [one.item for one in self.foreign if reached and one.crosses(self.params, reached)]
        return tuple(item for item in found if self.shared.goes_through(item.detail, self.params or frozenset()))

    def succeeds(self, other: str, detail: Step) -> bool:
        """Whether this optimizer is made anew, under the name of one that steps now, for the same parameters."""
        name = self.book.optimizer.partition("#")[0]
        if not self.newborn or detail.origin not in MADE or other.partition("#")[0] != name:
            return False
        return self.params is None or detail.params is None or overlaps(self.params, detail.params) is not False

    @property
    def newborn(self) -> bool:
        """True of one that is made anew and has not stepped: what it finds may be another one's."""
        return self.anew and self.previous is None

    def begin(self) -> None:
        """Its life begins after this: what came before is not its own."""
        self.live.clear()
        self.foreign.clear()
        self.since = _Since()

    def covers(self, detail: Zero) -> bool:
        """Whether a zero clears this optimizer's gradients (when in doubt, it does)."""
        if detail.optimizer is not None:
            key = self.book.optimizer
            star = detail.optimizer.endswith("[*]") and key.startswith(detail.optimizer[:-3])
            inner = key.startswith(f"{detail.optimizer}.")  # SAM's `zero_grad` is that of its base optimizer, too
            whole = key.endswith("[*]") and detail.optimizer.startswith(key[:-3])
            return key == detail.optimizer or star or inner or whole
        cleared = detail.cleared
        if not cleared or not self.params or overlaps(cleared, self.params) is not False:
            return True
        # a part of what somebody else's optimizer owns is none of this one's
        return detail.root is None and not all(any(within(part, one) for one in self.shared.owned) for part in cleared)

    def clip(self, event: Event, detail: Clipping) -> None:
        """Gradients are clipped, when they are this optimizer's."""
        if detail.roots and self.params and overlaps(detail.roots, self.params) is False:
            return
        if detail.unscales:
            self.unscale(event, note=False)
        scaled = tuple(item for item in self.live if item.scaled or _in_one_context(item, event, detail))
        if detail.scaled:
            scaled = ()  # the limit is multiplied by as much
        self.since.clips.append(Clip(event, detail, tuple(self.live), len(self.spent), scaled))

    def unscale(self, event: Event, note: bool = True) -> None:
        """Gradients are brought back to scale 1."""
        if note:
            self.since.unscales.append(event)
        for item in self.live:
            item.scaled = False

    def write(self, event: Event, detail: Write, *, alone: bool) -> None:
        """Gradients are rewritten by hand, when they are this optimizer's; what earlier updates consumed stays told.

        Where nobody knows whose they are, an optimizer that is not `alone` has weights that nobody knows either.
        """
        self.since.writes.append(event)
        if detail.moved:
            self.spent.clear()
        own = overlaps(detail.roots, self.params) if detail.roots and self.params else None
        if own is False:
            return
        factor = detail.factor if own or alone else UNKNOWN_FACTOR
        if own and detail.roots:
            factors = {root: _of_one(root, detail.roots, factor) for root in self.params or ()}
        else:
            factors = dict.fromkeys(self.params or detail.roots or ("",), factor)
        for item in self.live:
            item.written = _multiplied(item.written, factors)
        self.spent = [replace(item, written=_multiplied(item.written, factors)) for item in self.spent]

    def step(self, event: Event, detail: Step) -> None:
        """Everything live is consumed; of one made anew, nothing from before this epoch."""
        if self.newborn:
            self.live = [item for item in self.live if item.epoch == epoch_of(event.stamp)]
        self._recover(event)
        since, doubted = self.since, self.shared.unsure_guards
        unsure = event.span in doubted or any(guard.span in doubted for guard in event.guards)
        update = Update(
            optimizer=self.book.optimizer,
            number=len(self.book.updates),
            step=event,
            detail=detail,
            previous=self.previous,
            consumed=tuple(self.live),
            stale=tuple(self.spent),
            wiped=tuple(since.wiped),
            zeros=tuple(since.zeros),
            clips=tuple(since.clips),
            unscales=tuple(since.unscales),
            scaler_updates=tuple(since.scaler_updates),
            schedules=tuple(since.schedules),
            writes=tuple(since.writes),
            opaques=tuple(since.opaques),
            unsure=unsure,
            foreign=self._left_by_others(event),
            crossing=self._crossing(),
        )
        self.book.updates.append(update)
        self.spent += self.live
        self.live = []
        self.previous = event
        self.since = _Since()

    def _recover(self, step: Event) -> None:
        """What a clear behind the loop has taken away, where the only step there is stands behind that clear.

        It was no rest of an epoch: the step was to use it.
        """
        start = self.previous.number if self.previous is not None else -1
        gone = [one for one in self.book.tail_wiped if start < one[1].number and one[1].stamp == step.stamp]
        alone = all(update.step.span == step.span for update in self.book.updates)
        if gone and alone and not (self.live or self.since.wiped):
            for item, zero in gone:
                if isinstance(zero.detail, Zero) and self._spares(zero.detail, [item]):
                    self.live.append(item)
                else:
                    self.since.wiped.append((item, zero))
            self.book.tail_wiped = [one for one in self.book.tail_wiped if one not in gone]


def _of_one(root: str, roots: frozenset[str], factor: Factor) -> Factor:
    """What multiplies the gradients of one model when those of some are rewritten."""
    if any(root == other or root.startswith((f"{other}.", f"{other}[")) for other in roots):
        return factor
    return UNKNOWN_FACTOR if any(other.startswith((f"{root}.", f"{root}[")) for other in roots) else ONE


def _multiplied(written: Mapping[str, Factor], factors: Mapping[str, Factor]) -> Mapping[str, Factor]:
    return {**written, **{root: written.get(root, ONE).times(factor) for root, factor in factors.items()}}


def _contribution(event: Event, detail: Backward, batch: Stamp, sure: bool) -> Contribution:
    scaled = detail.scaled_by is not None or detail.inside
    return Contribution(event, detail, batch, epoch_of(event.stamp), sure, scaled, event.number)


def _in_one_context(item: Contribution, event: Event, detail: Clipping) -> bool:
    """Whether a backward and a clip stand in one `scale_loss` of Apex, whose end has not yet divided."""
    return detail.enclosed and item.detail.enclosed and item.event.stamp == event.stamp


def _starts_over(item: Contribution, event: Event) -> bool:
    """A zero outside of the batch loop clears what the loop has left: at the start of an epoch, or at its end.

    What guards the backward as well says nothing, and what could be computed (`if i % n != n - 1`) says it is meant.
    """
    if len(real(event.stamp)) >= len(item.batch):
        return False
    own = [guard for guard in event.guards if guard not in item.event.guards]
    return not own or (
        all(guard.known for guard in own) and not any(iteration.kind == "batch" for iteration in event.stamp)
    )


def micro_batch(event: Event, detail: Backward, events: Sequence[Event]) -> Stamp:
    """The micro-batch a backward belongs to: that of its forward, where that lies further out."""
    stamp = real(event.stamp)
    if detail.forwards:
        last = events[detail.forwards[-1]]
        if isinstance(last.detail, Forward):
            outer = real(last.stamp)
            if len(outer) < len(stamp) and stamp[: len(outer)] == outer:
                return outer
    return stamp


def fold(log: EventLog, names: Iterable[str] = (), size: int = 0) -> list[Book]:
    """The books of all optimizers that plainly step in this scenario.

    Args:
        log: what happened.
        names: what windows are called there.
        size: the window that the region was run for.
    """
    windows, open_loops, shared = frozenset(names), frozenset(log.open_loops), _shared(log)
    folds: dict[str, _Fold] = {}
    steps = [(event, event.detail) for event in log.events if isinstance(event.detail, Step)]
    params = {event.subject: detail.params for event, detail in steps}
    for event, detail in steps:
        if detail.via not in ("engine", "wrapper") and event.subject not in folds:
            book = Book(event.subject, names=windows, size=size, open_loops=open_loops)
            folds[event.subject] = _Fold(book, replace(detail, params=params[event.subject]), shared)
    noted = [event for event in log.events if event.kind not in _ASIDE]
    for one in folds.values():
        for event in noted:
            one.note(event, alone=len(folds) == 1)
    for one in folds.values():
        one.book.rest = Rest(tuple(one.live), tuple(one.since.wiped), tuple(one.since.clips))
    return [one.book for one in folds.values()]


_ASIDE = frozenset({Kind.FORWARD, Kind.TRAIN, Kind.EVAL, Kind.KEEP, Kind.EMA, Kind.EPOCH, Kind.SET_EPOCH})
"""What no book notes."""


def _shared(log: EventLog) -> _Scenario:
    params = {event.subject: event.detail.params for event in log.events if isinstance(event.detail, Step)}
    steps: dict[str, list[int]] = {}
    for event in log.events:
        if event.kind is Kind.STEP:
            steps.setdefault(event.subject, []).append(event.number)
    owned = frozenset[str]().union(*(held for held in params.values() if held))
    doubted = frozenset[object](log.unsure_guards)
    return _Scenario(log.events, owners(log.events, params), steps, owned, params, doubted)

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
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gradlint.account.owners import MADE, Owner, owners
from gradlint.model.books import Book, Clip, Contribution, Update, epoch_of, real
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
from gradlint.model.roots import overlaps, within


class _Books:
    """Folding state of one optimizer."""

    def __init__(
        self,
        book: Book,
        first: Step,
        params: frozenset[str] | None,
        unsure: frozenset[object],
        owned: frozenset[str] = frozenset(),
    ) -> None:
        self.book = book
        key = book.optimizer
        self.anew = first.origin in MADE and "#" in key
        self.params = params
        self.owned = owned
        self.unsure_guards = unsure
        self.live: list[Contribution] = []
        self.spent: list[Contribution] = []
        self.foreign: list[tuple[Contribution, int]] = []
        self.cleared: set[str] = set()
        self.clear()
        self.previous: Event | None = None

    def clear(self) -> None:
        """Forget what belongs to one update."""
        self.wiped: list[tuple[Contribution, Event]] = []
        self.zeros: list[Event] = []
        self.clips: list[Clip] = []
        self.unscales: list[Event] = []
        self.scaler_updates: list[Event] = []
        self.schedules: list[Event] = []
        self.writes: list[Event] = []
        self.opaques: list[Event] = []

    def backward(self, event: Event, detail: Backward, owner: Owner, batch: Stamp) -> None:
        """A gradient is added."""
        self.cleared.clear()
        self.live.append(_contribution(event, detail, batch, owner.sure))

    def beside(self, event: Event, detail: Backward, batch: Stamp, spent: int) -> None:
        """A backward that means another optimizer, which steps at `spent`, goes through this one's parameters, too."""
        through = overlaps(detail.models or None, self.params)
        if through is not False:
            self.foreign.append((_contribution(event, detail, batch, sure=through is True), spent))

    def zero(self, event: Event, detail: Zero) -> None:
        """Gradients are cleared, when they are this optimizer's."""
        if not self.covers(detail) or self._freezes(event, detail):
            return
        self.zeros.append(event)
        if self._in_part(detail):
            return
        for item in () if self.newborn else self.live:
            if (item.epoch != epoch_of(event.stamp) and self.previous is not None) or _starts_over(item, event):
                self.book.tail_wiped.append((item, event))
            else:
                self.wiped.append((item, event))
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
        cleared = detail.roots or (frozenset((detail.root,)) if detail.root is not None else frozenset())
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
        return tuple(item for item, spent in self.foreign if spent < begun)

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
        self.clear()

    def covers(self, detail: Zero) -> bool:
        """Whether a zero clears this optimizer's gradients (when in doubt, it does)."""
        if detail.optimizer is not None:
            key = self.book.optimizer
            star = detail.optimizer.endswith("[*]") and key.startswith(detail.optimizer[:-3])
            inner = key.startswith(f"{detail.optimizer}.")  # SAM's `zero_grad` is that of its base optimizer, too
            whole = key.endswith("[*]") and detail.optimizer.startswith(key[:-3])
            return key == detail.optimizer or star or inner or whole
        cleared = detail.roots or (frozenset((detail.root,)) if detail.root is not None else frozenset())
        if not cleared or not self.params or overlaps(cleared, self.params) is not False:
            return True
        # a part of what somebody else's optimizer owns is none of this one's
        return detail.root is None and not all(any(within(part, one) for one in self.owned) for part in cleared)

    def clip(self, event: Event, detail: Clipping) -> None:
        """Gradients are clipped, when they are this optimizer's."""
        if detail.roots and self.params and overlaps(detail.roots, self.params) is False:
            return
        if detail.unscales:
            self.unscale(event, note=False)
        scaled = tuple(item for item in self.live if item.scaled or _in_one_context(item, event, detail))
        if detail.scaled:
            scaled = ()  # the limit is multiplied by as much
        self.clips.append(Clip(event, detail, tuple(self.live), len(self.spent), scaled))

    def unscale(self, event: Event, note: bool = True) -> None:
        """Gradients are brought back to scale 1."""
        if note:
            self.unscales.append(event)
        for item in self.live:
            item.scaled = False

    def write(self, event: Event, detail: Write, *, alone: bool) -> None:
        """Gradients are rewritten by hand, when they are this optimizer's; what earlier updates consumed stays told.

        Where nobody knows whose they are, an optimizer that is not `alone` has weights that nobody knows either.
        """
        self.writes.append(event)
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
        unsure = any(guard.span in self.unsure_guards for guard in event.guards) or event.span in self.unsure_guards
        update = Update(
            optimizer=self.book.optimizer,
            number=len(self.book.updates),
            step=event,
            detail=detail,
            previous=self.previous,
            consumed=tuple(self.live),
            stale=tuple(self.spent),
            wiped=tuple(self.wiped),
            zeros=tuple(self.zeros),
            clips=tuple(self.clips),
            unscales=tuple(self.unscales),
            scaler_updates=tuple(self.scaler_updates),
            schedules=tuple(self.schedules),
            writes=tuple(self.writes),
            opaques=tuple(self.opaques),
            unsure=unsure,
            foreign=self._left_by_others(event),
        )
        self.book.updates.append(update)
        self.spent += self.live
        self.live = []
        self.previous = event
        self.clear()

    def _recover(self, step: Event) -> None:
        """What a clear behind the loop has taken away, where the only step there is stands behind that clear.

        It was no rest of an epoch: the step was to use it.
        """
        start = self.previous.number if self.previous is not None else -1
        gone = [one for one in self.book.tail_wiped if start < one[1].number and one[1].stamp == step.stamp]
        alone = all(update.step.span == step.span for update in self.book.updates)
        if gone and alone and not (self.live or self.wiped):
            for item, zero in gone:
                if isinstance(zero.detail, Zero) and self._spares(zero.detail, [item]):
                    self.live.append(item)
                else:
                    self.wiped.append((item, zero))
            self.book.tail_wiped = [one for one in self.book.tail_wiped if one not in gone]


def _next_step(number: int, feeding: tuple[Owner, ...], steps: Mapping[str, list[int]]) -> int:
    """When the optimizers that a backward means have used it."""
    later = [step for owner in feeding for step in steps.get(owner.optimizer, ()) if step > number]
    return min(later, default=sys.maxsize)


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


def micro_batch(event: Event, detail: Backward, events: list[Event]) -> Stamp:
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
    events = log.events
    params = {event.subject: event.detail.params for event in events if isinstance(event.detail, Step)}
    feeds = owners(events, params)
    unsure = frozenset[object](log.unsure_guards)
    owned = frozenset[str]().union(*(held for held in params.values() if held))
    books: dict[str, _Books] = {}
    for event in events:
        detail = event.detail
        if isinstance(detail, Step) and detail.via not in ("engine", "wrapper"):
            book = Book(event.subject, names=frozenset(names), size=size, open_loops=frozenset(log.open_loops))
            books.setdefault(event.subject, _Books(book, detail, params.get(event.subject), unsure, owned))
    steps: dict[str, list[int]] = {}
    for event in events:
        if event.kind is Kind.STEP:
            steps.setdefault(event.subject, []).append(event.number)
    for event in events:
        for books_of in books.values():
            if isinstance(event.detail, Write):
                books_of.write(event, event.detail, alone=len(books) == 1)
            else:
                _note(books_of, event, feeds, events, steps)
    found = []
    for books_of in books.values():
        books_of.book.leftover = tuple(books_of.live)
        books_of.book.trailing = list(books_of.clips)
        found.append(books_of.book)
    return found


def _note(
    books: _Books,
    event: Event,
    feeds: Mapping[int, tuple[Owner, ...]],
    events: list[Event],
    steps: Mapping[str, list[int]],
) -> None:
    detail = event.detail
    key = books.book.optimizer
    if isinstance(detail, Backward):
        batch = micro_batch(event, detail, events)
        owner = next((one for one in feeds.get(event.number, ()) if one.optimizer == key), None)
        if owner is not None:
            books.backward(event, detail, owner, batch)
        else:
            books.beside(event, detail, batch, _next_step(event.number, feeds.get(event.number, ()), steps))
    elif isinstance(detail, Zero):
        books.zero(event, detail)
    elif isinstance(detail, Clipping):
        books.clip(event, detail)
    elif isinstance(detail, Step) and event.subject == key:
        books.step(event, detail)
    elif isinstance(detail, Step) and books.succeeds(event.subject, detail):
        books.begin()
    elif isinstance(detail, Schedule) and detail.optimizer in (None, key):
        books.schedules.append(event)
    elif isinstance(detail, Opaque) and (detail.optimizers is None or key in detail.optimizers):
        books.opaques.append(event)
    elif event.kind is Kind.UNSCALE and event.subject in (key, "*"):
        books.unscale(event)
    elif event.kind is Kind.UPDATE:
        books.scaler_updates.append(event)
    elif event.kind is Kind.READ:
        books.book.reads.append((event.stamp, bool(books.live or books.spent or books.foreign)))

"""The account of one scenario: all that an update's row can say, in a form that two texts can be compared in.

    before   window {(0,), (1,), (2,)}  weight {1, 1, 1}        clip right   all-reduces 3
    after    window {(0,), (1,), (2,)}  weight {1/3, 1/3, 1/3}  clip right   all-reduces 3     changes: weight

Micro-batches are known by the iterations of the loops they ran in, so that nothing depends on rows of the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from gradlint.account.case import Case
from gradlint.account.faults import faults
from gradlint.account.ledgers import clip_state, leaked
from gradlint.account.names import called
from gradlint.model.books import Book, Contribution, Place, Update, place_of
from gradlint.model.events import Backward, Forward, Kind, Schedule
from gradlint.model.ledger import Clip as ClipState
from gradlint.model.ledger import Field
from gradlint.model.roots import comprises, inside, related_parts

Account: TypeAlias = "Mapping[Field, object]"
"""For each field something that is equal where the same happens."""


KEPT = 64
"""Of so many scenarios the account is remembered."""


@lru_cache(maxsize=KEPT)
def account_of(case: Case) -> Account:
    """What happens in one scenario; each repair of a text is compared with the same few."""
    return {field: tell(case) for field, tell in _FIELDS.items()}


def seen_from_inside(case: Case) -> object:
    """All that happens in a scenario, step by step; equal where another caller has it done in loops of its own.

    Objects are known by the order in which they come, for each caller has names of its own.
    """
    order: dict[str, int] = {}
    events = tuple(
        (one.kind, one.span, order.setdefault(one.subject, len(order)), place_of(one.stamp)[-1:]) for one in case.events
    )
    books = tuple((order.get(book.optimizer), tuple(map(_row, book.updates))) for book in case.books)
    exits = tuple((site, tuple(times)) for site, times in case.scenario.log.exits.items())
    return events, books, exits, case.scenario.size


def _row(update: Update) -> object:
    """What an update uses, by the lines that it comes from."""
    used = tuple((item.event.span, item.event.number, item.weight, item.detail.synced) for item in update.consumed)
    left = tuple((item.event.span, item.event.number) for item in (*update.stale, *update.others))
    return used, left, _scale(update), clip_state(update)


def differing(one: Account, other: Account, spoken: frozenset[Field]) -> list[Field]:
    """The fields, other than those that are spoken of, in which two accounts differ.

    Where a repair speaks of the windows, updates can be more or fewer: what is told of each is not compared.
    """
    left_out = spoken | {Field.FAULT}
    if Field.WINDOW in spoken:
        left_out |= _OF_MICRO_BATCHES
        if _steps(one) != _steps(other):
            left_out |= _OF_STEPS
    return [field for field in Field if field not in left_out and one[field] != other[field]]


_OF_MICRO_BATCHES = frozenset({Field.WEIGHT, Field.OLD, Field.OTHERS, Field.CLIP, Field.SYNC, Field.SCALE})


_OF_STEPS = frozenset({Field.SCHEDULE, Field.WRITES, Field.AVERAGE})


def _steps(account: Account) -> object:
    """How many updates each optimizer makes."""
    windows = account[Field.WINDOW]
    assert isinstance(windows, tuple)
    return tuple((name, len(updates)) for name, updates in windows)


def unmeant(case: Case, optimizer: str, spoken: frozenset[Field], *, scales: bool) -> list[Field]:
    """The fields that are spoken of and are still not what they mean, in some update of an optimizer.

    A clip that stays scaled is the mistake of another rule, unless that is the one that speaks (`scales`).
    """
    books = [book for book in case.books if book.optimizer == optimizer]
    updates = [update for book in books for update in book.updates]
    if not scales:
        updates = [update for update in updates if clip_state(update) is not ClipState.SCALED]
    found = [field for field, wrong in _WRONG.items() if field in spoken and any(map(wrong, updates))]
    late = Field.OLD in spoken and Field.OLD not in found and any(_takes_from_elsewhere(book) for book in books)
    return [Field.OLD, *found] if late else found


def _takes_from_elsewhere(book: Book) -> bool:
    """Whether an update takes along what another loop has left in an earlier epoch: a validation that goes backward."""
    for update in book.updates:
        late = leaked(update, book)
        own = {item.event.span for item in update.consumed if item.batch not in late}
        if any(item.event.span not in own for item in update.consumed if item.batch in late):
            return True
    return False


def resized(before: Case, after: Case) -> Iterator[str]:
    """What is said where the steady windows of an optimizer have another size than they had, or than the loop means."""
    was, now = ({called(book.optimizer): book.windows for book in case.books} for case in (before, after))
    for name, sizes in was.items():
        if not set(now.get(name, ())) <= {after.scenario.size, *sizes}:
            yield f"the windows of `{name}` would have another size"


def worse(before: Case, after: Case, spoken: frozenset[Field]) -> list[Field]:
    """The fields that are spoken of and are right in some update before, and wrong in it after."""
    was, now = ({called(book.optimizer): book.updates for book in case.books} for case in (before, after))
    return [
        field
        for field, wrong in _WRONG.items()
        if field in spoken
        for name, updates in now.items()
        if any(wrong(new) and not wrong(old) for old, new in zip(was.get(name, ()), updates, strict=False))
    ]


def _each(case: Case, tell: Callable[[Update], object]) -> object:
    return tuple((called(book.optimizer), tuple(tell(update) for update in book.updates)) for book in case.books)


def _batches(items: Iterable[Contribution]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place_of(item.batch) for item in items))


def _weights(update: Update) -> object:
    return tuple((place_of(item.batch), item.weight, item.detail.summed) for item in update.consumed)


def _scale(update: Update) -> object:
    through = update.detail.via == "scaler"
    return through, tuple(item.detail.scaled_by if through else item.scaled and _own(item) for item in update.consumed)


def _clips(update: Update) -> object:
    limits = tuple((clip.detail.by, clip.detail.infinite, _batches(clip.live)) for clip in update.clips)
    return clip_state(update), limits


def _sync(update: Update) -> object:
    return tuple((place_of(item.batch), item.detail.synced) for item in update.consumed)


def _schedule(case: Case) -> object:
    """How far each scheduler had moved at each step."""
    moved: dict[str, int] = {}
    found: list[object] = []
    for event in case.of(Kind.SCHEDULE, Kind.STEP):
        if event.kind is Kind.STEP:
            found.append(tuple(sorted(moved.items())))
        elif isinstance(event.detail, Schedule):
            moved[called(event.subject)] = moved.get(called(event.subject), 0) + 1
    return (*found, tuple(sorted(moved.items())))


def _modes(case: Case, *, evaluated: bool = False) -> object:
    """In which mode the forwards run that a backward goes through; or those behind an `eval()`, up to the next such."""
    modes, found = dict[str, bool](), list[object]()
    off: set[str] = set()
    for event in case.of(Kind.TRAIN, Kind.EVAL, Kind.FORWARD):
        subject = event.subject
        if event.kind is not Kind.FORWARD:
            modes[subject] = event.kind is Kind.TRAIN
            off |= {subject} if event.kind is Kind.EVAL else set()
        elif event.number in case.used_forwards:
            off = {root for root in off if not related_parts(root, subject)}
            found += [] if evaluated else [(subject, _mode(subject, modes))]
        elif evaluated and any(related_parts(root, subject) for root in off):
            found.append((subject, _mode(subject, modes)))
    return tuple(found)


def _mode(root: str, modes: Mapping[str, bool]) -> tuple[object, ...]:
    """The mode of a model and of its parts, as far as it was set."""
    above = [on for name, on in modes.items() if comprises(name, root)]
    parts = tuple((name, on) for name, on in modes.items() if inside(name, root))
    return above[-1] if above else None, parts


def _told(case: Case) -> object:
    return tuple((event.subject, place_of(event.stamp)) for event in case.of(Kind.SET_EPOCH))


def _forwards(case: Case) -> object:
    return tuple(
        (called(event.subject), place_of(event.stamp), event.detail.autocast)
        for event in case.of(Kind.FORWARD)
        if isinstance(event.detail, Forward) and event.detail.attached
    )


def _backwards(case: Case) -> object:
    return tuple(
        (place_of(event.stamp), len(event.detail.forwards), event.detail.autocast)
        for event in case.of(Kind.BACKWARD)
        if isinstance(event.detail, Backward)
    )


def _averages(case: Case) -> object:
    return tuple(event.kind.value for event in case.of(Kind.EMA, Kind.STEP))


def _kept(case: Case) -> object:
    return tuple(place_of(event.stamp) for event in case.of(Kind.KEEP))


def _reads(book: Book) -> object:
    return tuple((place_of(stamp), found) for stamp, found in book.reads)


def _writes(update: Update) -> object:
    return tuple((event.text, place_of(event.stamp)) for event in update.writes)


_FIELDS: Mapping[Field, Callable[[Case], object]] = {
    Field.WINDOW: lambda case: _each(case, lambda update: _batches(update.consumed)),
    Field.WEIGHT: lambda case: _each(case, _weights),
    Field.OLD: lambda case: _each(case, lambda update: _batches(update.stale)),
    Field.OTHERS: lambda case: _each(case, lambda update: _batches(update.others)),
    Field.SCALE: lambda case: _each(case, _scale),
    Field.CLIP: lambda case: _each(case, _clips),
    Field.SYNC: lambda case: _each(case, _sync),
    Field.SCHEDULE: _schedule,
    Field.WRITES: lambda case: _each(case, _writes),
    Field.READS: lambda case: tuple((called(book.optimizer), _reads(book)) for book in case.books),
    Field.MODE: _modes,
    Field.EVALUATED: lambda case: _modes(case, evaluated=True),
    Field.EPOCHS: _told,
    Field.FORWARD: _forwards,
    Field.BACKWARD: _backwards,
    Field.AVERAGE: _averages,
    Field.KEPT: _kept,
    Field.FAULT: lambda case: frozenset(faults(case)),
}


def _spent_scaled(update: Update) -> bool:
    through = update.detail.via == "scaler"
    own = [item for item in update.consumed if _own(item)]
    return any(_divided_wrongly(update, item) if through else item.scaled for item in own)


def _divided_wrongly(update: Update, item: Contribution) -> bool:
    """Whether the scaler divides what is not scaled, or leaves what is: behind `unscale_` it divides nothing."""
    if any(mark.number < item.event.number for mark in update.unscales):
        return item.scaled
    return item.detail.scaled_by is None or item.detail.rescaled


def _own(item: Contribution) -> bool:
    """Whether no library scales in its backward and divides in its step."""
    return not item.detail.inside and not item.detail.framework


def _not_shared(update: Update) -> bool:
    """Whether ranks step with gradients of their own: what the last backward reduces holds all before it."""
    return bool(update.consumed) and update.consumed[-1].detail.synced is False


_WRONG: Mapping[Field, Callable[[Update], bool]] = {
    Field.OLD: lambda update: bool(update.stale),
    Field.OTHERS: lambda update: bool(update.others),
    Field.SCALE: _spent_scaled,
    Field.CLIP: lambda update: clip_state(update) not in (ClipState.NONE, ClipState.RIGHT),
    Field.SYNC: _not_shared,
}
"""For the fields of which one update alone can say that they are not what is meant."""

"""The account of one scenario: all that an update's row can say, in a form that two texts can be compared in.

    before   window {(0,), (1,), (2,)}  weight {1, 1, 1}        clip right   all-reduces 3
    after    window {(0,), (1,), (2,)}  weight {1/3, 1/3, 1/3}  clip right   all-reduces 3     changes: weight

Micro-batches are known by the iterations of the loops they ran in, so that nothing depends on rows of the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from gradlint.account.case import Case, called, used_forwards
from gradlint.account.ledgers import clip_state
from gradlint.model.books import Book, Contribution, Update, real, related_parts
from gradlint.model.events import Backward, Event, Forward, Kind, Schedule, Stamp, Step
from gradlint.model.ledger import Clip as ClipState
from gradlint.model.ledger import Field

Account: TypeAlias = "Mapping[Field, object]"
"""For each field something that is equal where the same happens."""

KEPT = 64
"""Of so many scenarios the account is remembered."""

_Iterations: TypeAlias = "tuple[tuple[str, int], ...]"


@lru_cache(maxsize=KEPT)
def account_of(case: Case) -> Account:
    """What happens in one scenario; each repair of a text is compared with the same few."""
    return {field: tell(case) for field, tell in _FIELDS.items()}


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
    updates = [update for book in case.books if book.optimizer == optimizer for update in book.updates]
    if not scales:
        updates = [update for update in updates if clip_state(update) is not ClipState.SCALED]
    return [field for field, wrong in _WRONG.items() if field in spoken and any(map(wrong, updates))]


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


# --------------------------------------------------------------------------------- one field each


def _each(case: Case, tell: Callable[[Update], object]) -> object:
    return tuple((called(book.optimizer), tuple(tell(update) for update in book.updates)) for book in case.books)


def _iterations(stamp: Stamp) -> _Iterations:
    return tuple((iteration.kind, iteration.number) for iteration in real(stamp))


def _batches(items: Iterable[Contribution]) -> tuple[_Iterations, ...]:
    return tuple(dict.fromkeys(_iterations(item.batch) for item in items))


def _weights(update: Update) -> object:
    return tuple((_iterations(item.batch), item.weight, item.detail.summed) for item in update.consumed)


def _scale(update: Update) -> object:
    through = update.detail.via == "scaler"
    return through, tuple(item.detail.scaled_by if through else item.scaled and _own(item) for item in update.consumed)


def _clips(update: Update) -> object:
    limits = tuple((clip.detail.by, clip.detail.infinite, _batches(clip.live)) for clip in update.clips)
    return clip_state(update), limits


def _sync(update: Update) -> object:
    return tuple((_iterations(item.batch), item.detail.synced) for item in update.consumed)


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


def _modes(case: Case) -> object:
    """In which mode the forwards run that a backward goes through."""
    used, modes, found = used_forwards(case), dict[str, bool](), list[object]()
    for event in case.events:
        if event.kind in (Kind.TRAIN, Kind.EVAL):
            modes[event.subject] = event.kind is Kind.TRAIN
        elif event.number in used:
            found.append((event.subject, _mode(event.subject, modes)))
    return tuple(found)


def _evaluated(case: Case) -> object:
    """In which mode the forwards run that follow an `eval()`, up to the next one that a backward goes through."""
    used, modes, found = used_forwards(case), dict[str, bool](), list[object]()
    evaluated: set[str] = set()
    for event in case.events:
        if event.kind in (Kind.TRAIN, Kind.EVAL):
            modes[event.subject] = event.kind is Kind.TRAIN
            evaluated |= {event.subject} if event.kind is Kind.EVAL else set()
        elif event.number in used:
            evaluated = {root for root in evaluated if not related_parts(root, event.subject)}
        elif event.kind is Kind.FORWARD and any(related_parts(root, event.subject) for root in evaluated):
            found.append((event.subject, _mode(event.subject, modes)))
    return tuple(found)


def _mode(root: str, modes: Mapping[str, bool]) -> tuple[object, ...]:
    """The mode of a model and of its parts, as far as it was set."""
    above = [on for name, on in modes.items() if root == name or root.startswith(f"{name}.")]
    parts = tuple((name, on) for name, on in modes.items() if name.startswith(f"{root}."))
    return above[-1] if above else None, parts


def _told(case: Case) -> object:
    return tuple((event.subject, _iterations(event.stamp)) for event in case.of(Kind.SET_EPOCH))


def _forwards(case: Case) -> object:
    return tuple(
        (called(event.subject), _iterations(event.stamp), event.detail.autocast)
        for event in case.of(Kind.FORWARD)
        if isinstance(event.detail, Forward) and event.detail.attached
    )


def _backwards(case: Case) -> object:
    return tuple(
        (_iterations(event.stamp), len(event.detail.forwards), event.detail.autocast)
        for event in case.of(Kind.BACKWARD)
        if isinstance(event.detail, Backward)
    )


def _averages(case: Case) -> object:
    return tuple(event.kind.value for event in case.of(Kind.EMA, Kind.STEP))


def _kept(case: Case) -> object:
    return tuple(_iterations(event.stamp) for event in case.of(Kind.KEEP))


def _reads(book: Book) -> object:
    return tuple((_iterations(stamp), found) for stamp, found in book.reads)


def _writes(update: Update) -> object:
    return tuple((event.text, _iterations(event.stamp)) for event in update.writes)


_FIELDS: Mapping[Field, Callable[[Case], object]] = {
    Field.WINDOW: lambda case: _each(case, lambda update: _batches(update.consumed)),
    Field.WEIGHT: lambda case: _each(case, _weights),
    Field.OLD: lambda case: _each(case, lambda update: _batches(update.stale)),
    Field.OTHERS: lambda case: _each(case, lambda update: _batches(update.foreign)),
    Field.SCALE: lambda case: _each(case, _scale),
    Field.CLIP: lambda case: _each(case, _clips),
    Field.SYNC: lambda case: _each(case, _sync),
    Field.SCHEDULE: _schedule,
    Field.WRITES: lambda case: _each(case, _writes),
    Field.READS: lambda case: tuple((called(book.optimizer), _reads(book)) for book in case.books),
    Field.MODE: _modes,
    Field.EVALUATED: _evaluated,
    Field.EPOCHS: _told,
    Field.FORWARD: _forwards,
    Field.BACKWARD: _backwards,
    Field.AVERAGE: _averages,
    Field.KEPT: _kept,
    Field.FAULT: lambda case: frozenset(faults(case)),
}


def _spent_scaled(update: Update) -> bool:
    through = update.detail.via == "scaler"
    wrong = [
        item.detail.scaled_by is None or item.detail.rescaled if through else item.scaled
        for item in update.consumed
        if _own(item)
    ]
    return any(wrong)


def _own(item: Contribution) -> bool:
    """Whether no library scales in its backward and divides in its step."""
    return not item.detail.inside and not item.detail.framework


def _not_shared(update: Update) -> bool:
    """Whether ranks step with gradients of their own: what the last backward reduces holds all before it."""
    return bool(update.consumed) and update.consumed[-1].detail.synced is False


_WRONG: Mapping[Field, Callable[[Update], bool]] = {
    Field.OLD: lambda update: bool(update.stale),
    Field.OTHERS: lambda update: bool(update.foreign),
    Field.SCALE: _spent_scaled,
    Field.CLIP: lambda update: clip_state(update) not in (ClipState.NONE, ClipState.RIGHT),
    Field.SYNC: _not_shared,
}
"""For the fields of which one update alone can say that they are not what is meant."""


# ----------------------------------------------------------------------- what PyTorch refuses, or makes no sense of


def faults(case: Case) -> Iterator[str]:
    """Calls that raise: methods of `None`, and what a `GradScaler` refuses in its state of that moment."""
    yield from case.faults
    yield from _mixed(case)
    yield from _outlived(case)
    scalers = {event.subject for event in case.of(Kind.UPDATE)}
    scalers |= {event.detail.scaler or "" for event in case.of(Kind.STEP) if isinstance(event.detail, Step)} - {""}
    if len(scalers) <= 1:
        yield from _refused(case)


def _mixed(case: Case) -> Iterator[str]:
    """Clips of several optimizers' gradients, of which some are still scaled and others are not: no norm is of both."""
    found: dict[int, set[bool]] = {}
    texts: dict[int, str] = {}
    for clip in (clip for book in case.books for update in book.updates for clip in update.clips):
        if clip.live and not clip.detail.infinite:
            found.setdefault(clip.event.number, set()).add(bool(clip.scaled))
            texts[clip.event.number] = clip.event.text
    yield from dict.fromkeys(
        f"`{texts[at]}` holds scaled gradients beside others" for at in found if len(found[at]) > 1
    )


def _outlived(case: Case) -> Iterator[str]:
    """Steps through a scaler whose update stands between them and a backward: it may divide by another scale."""
    renewed = [(event.number, event.subject) for event in case.of(Kind.UPDATE)]
    through = (update for book in case.books for update in book.updates if update.detail.via == "scaler")
    for step, item in ((update.step, item) for update in through for item in update.consumed):
        if any(item.order < at < step.number and scaler == item.detail.scaled_by for at, scaler in renewed):
            yield f"`{step.text}` divides by a scale that `update` may have changed"


def _refused(case: Case) -> Iterator[str]:
    """What one scaler refuses: `unscale_` twice, or after the step; a second step before its `update`."""
    unscaled: set[str] = set()
    stepped: set[str] = set()
    for event in case.of(Kind.UNSCALE, Kind.STEP, Kind.UPDATE):
        if event.kind is Kind.UPDATE:
            if not (unscaled or stepped):
                yield f"`{event.text}` finds nothing checked"
            unscaled.clear()
            stepped.clear()
        elif event.kind is Kind.UNSCALE:
            if event.subject in unscaled | stepped:
                yield f"`{event.text}` comes a second time"
            unscaled.add(event.subject)
        elif isinstance(event.detail, Step) and event.detail.via == "scaler":
            if event.subject in stepped:
                yield f"`{event.text}` comes a second time"
            stepped.add(event.subject)


def disputed(case: Case) -> frozenset[tuple[str, int, _Iterations, str]]:
    """What updates use of which nobody knows that it is theirs, where another optimizer uses it, too."""
    users = Counter(
        item.event.number for book in case.books for update in book.updates for item in set(update.consumed)
    )
    return frozenset(
        (called(book.optimizer), update.number, _iterations(item.event.stamp), item.event.text)
        for book in case.books
        for update in book.updates
        for item in update.consumed
        if not item.sure and users[item.event.number] > 1
    )


def spoiled(case: Case) -> tuple[tuple[str, int], ...]:
    """Which updates use the gradient of a micro-batch that went wrong: (optimizer, update) of each."""
    if case.accident is None:
        return ()
    number, stamp = case.accident
    where = real(stamp)

    def bad(event: Event, batch: Stamp) -> bool:
        return event.number < number and batch == where

    return tuple(
        (called(book.optimizer), update.number)
        for book in case.books
        for update in book.updates
        if any(bad(item.event, item.batch) for item in (*update.consumed, *update.stale, *update.foreign))
    )

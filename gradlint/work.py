"""What a loop does, counted; and whether a repair leaves all of it there.

    before   backward x7  step x3  clip x7  schedule x3        the clip was to move
    after    backward x3  step x3  clip x3  schedule x3        four micro-batches are gone: no repair

Judging a repaired text again says that its mistake is gone. A loop that does not train has no mistakes
either, so what was counted before must be there afterwards, save what the repair is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gradlint.books import Book, real
from gradlint.rule import Case, called
from gradlint.trail import Event, Forward, Kind, Schedule

_IDLE = frozenset({Kind.KEEP, Kind.EPOCH, Kind.OPAQUE})
"""What is noted on the way and is no work on gradients."""

_MICRO = frozenset({Kind.FORWARD, Kind.BACKWARD, Kind.SET_EPOCH})
"""What there is as much of, however many steps there are."""

_WORLDS = 8
"""Worlds that a region is run in at most: of so many, others may have been left out before and after."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one world of a region does; `again` in a second look with a longer loop, of windows of one `size`.

    `counts` has every kind of event with its subject; `turns` how often the micro-batches go backward;
    `windows` the micro-batches since the last step, for each update of each optimizer; `moves` the moves
    of each scheduler from one update to the next; `wiped` the gradients that no step ever saw, `clipped`
    the updates that found a clip.
    """

    region: str
    again: bool
    size: int
    counts: tuple[tuple[Kind, str, int], ...]
    turns: tuple[int, ...]
    windows: tuple[tuple[str, tuple[int, ...]], ...]
    moves: tuple[tuple[str, str, tuple[int, ...]], ...]
    wiped: int
    clipped: int
    truncated: bool = False


def work_of(case: Case, *, again: bool = False) -> Work:
    """What happens in one world."""
    counts = Counter((event.kind, _subject(event)) for event in case.events if _works(event))
    turns = Counter(real(event.stamp) for event in case.of(Kind.BACKWARD))
    return Work(
        region=case.function,
        again=again,
        size=case.size,
        counts=tuple((kind, subject, number) for (kind, subject), number in sorted(counts.items(), key=str)),
        turns=tuple(sorted(turns.values())),
        windows=tuple(sorted((called(book.optimizer), _windows(book)) for book in case.books)),
        moves=tuple(sorted(move for book in case.books for move in _moves(book))),
        wiped=sum(len(update.wiped) for book in case.books for update in book.updates),
        clipped=sum(_clipped(book) for book in case.books),
        truncated=case.truncated,
    )


def _clipped(book: Book) -> int:
    """Updates that have a clip, be it in the wrong place."""
    times = [*(update.clips for update in book.updates), book.trailing]
    return min(len(book.updates), sum(bool(clips) for clips in times))


def _works(event: Event) -> bool:
    if isinstance(event.detail, Forward):
        return event.detail.attached
    return event.kind not in _IDLE


def _subject(event: Event) -> str:
    """Whose event it is; a backward is known by its loss, which repairs rewrite."""
    return "" if event.kind is Kind.BACKWARD else called(event.subject)


def _windows(book: Book) -> tuple[int, ...]:
    return tuple(len(update.batches) for update in book.updates)


def _moves(book: Book) -> Iterable[tuple[str, str, tuple[int, ...]]]:
    """How often each scheduler moves from one update to the next, the time before the first left out."""
    later = book.updates[1:]
    names = {called(event.subject) for update in book.updates for event in _counting(update.schedules)}
    for name in names:
        found = ([event for event in _counting(one.schedules) if called(event.subject) == name] for one in later)
        yield called(book.optimizer), name, tuple(len(events) for events in found)


def _counting(events: Iterable[Event]) -> list[Event]:
    """Moves by one, not those to a place that is given."""
    return [event for event in events if not (isinstance(event.detail, Schedule) and event.detail.positional)]


def lost(before: Sequence[Work], after: Sequence[Work], mends: frozenset[Kind]) -> str:
    """What a repair takes away, or does twice, without being about it; empty when everything is there.

    Args:
        before: the worlds of the text as it was.
        after: the worlds of the repaired text.
        mends: the kinds of events that the repair may add and take away.
    """
    if {work.region for work in before} != {work.region for work in after}:
        return "the repair loses or makes a loop"
    for look in dict.fromkeys((work.region, work.again) for work in before):
        was, now = ([work for work in works if (work.region, work.again) == look] for works in (before, after))
        found = _lost(was, now, mends) if now else ""  # only one of the texts may ask for a second look
        if found:
            return f"the repair {found} in `{look[0]}`"
    return ""


def _lost(was: Sequence[Work], now: Sequence[Work], mends: frozenset[Kind]) -> str:
    if any(work.truncated for work in (*was, *now)):
        return ""
    if was[0].size != now[0].size:
        return "changes what a window is"
    changed = _changed(was, now, mends)
    if changed:
        return f"changes {changed}"
    gone = _present(was) - _present(now) - (mends & {Kind.UNSCALE, Kind.UPDATE})
    if gone:
        return f"leaves no {', '.join(sorted(kind.value for kind in gone))}"
    unasked = {kind for kind in mends if _sometimes(was, kind) and not _sometimes(now, kind)}
    if unasked:
        return f"no longer asks whether to {', '.join(sorted(kind.value for kind in unasked))}"
    if max(work.wiped for work in now) > max(work.wiped for work in was):
        return "throws gradients away"
    if not mends & {Kind.STEP} and max(work.clipped for work in now) < max(work.clipped for work in was):
        return "leaves updates unclipped"
    if Kind.STEP in mends and _busiest(now) > _busiest(was):
        return "moves the schedule more often"
    if Kind.SCHEDULE in mends and not _once_each(was, now):
        return "does not move the schedule once for each update"
    return ""


def _changed(was: Sequence[Work], now: Sequence[Work], mends: frozenset[Kind]) -> str:
    """What differs in the main world, or in another that is the same in all else; empty when nothing does."""
    old, new = [_kept(work, mends) for work in was], [_kept(work, mends) for work in now]
    if old[0] != new[0]:
        return _differing(old[0], new[0])
    full = max(len(old), len(new)) >= _WORLDS
    return "" if full or set(old) == set(new) else "what happens on another way through the loop"


def _kept(work: Work, mends: frozenset[Kind]) -> _Kept:
    """What must be the same before and after."""
    steps, backward, zeros = (kind in mends for kind in (Kind.STEP, Kind.BACKWARD, Kind.ZERO))
    moves = tuple((name, max(found, default=0)) for _, name, found in work.moves)
    return _Kept(
        frozenset(one for one in work.counts if one[0] not in mends and (not steps or one[0] in _MICRO)),
        () if backward else work.turns,
        () if steps or backward or zeros else work.windows,
        () if steps or Kind.SCHEDULE in mends else moves,
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    counts: frozenset[tuple[Kind, str, int]]
    turns: tuple[int, ...]
    windows: tuple[tuple[str, tuple[int, ...]], ...]
    moves: tuple[tuple[str, int], ...]


def _differing(one: _Kept, two: _Kept) -> str:
    """In words, the first thing that two worlds differ in."""
    if one.counts != two.counts:
        return "the number of: " + ", ".join(sorted({kind.value for kind, _, _ in one.counts ^ two.counts}))
    if one.turns != two.turns:
        return "the micro-batches that go backward"
    return "the windows" if one.windows != two.windows else "the schedule"


def _busiest(worlds: Sequence[Work]) -> int:
    """The most moves of a scheduler for one update."""
    return max((number for work in worlds for _, _, found in work.moves for number in found), default=0)


def _present(worlds: Sequence[Work]) -> set[Kind]:
    return {kind for work in worlds for kind, _, _ in work.counts}


def _sometimes(worlds: Sequence[Work], kind: Kind) -> bool:
    """Whether something happens in some worlds only: under a condition, which a repair must keep."""
    return len({any(one is kind for one, _, _ in work.counts) for work in worlds}) == 2


def _once_each(was: Sequence[Work], now: Sequence[Work]) -> bool:
    """Whether each scheduler whose moves were changed moves exactly once for each update."""
    known = {move for work in was for move in work.moves}
    changed = [move[-1] for work in now for move in work.moves if move not in known]
    left = {(book, name) for work in now for book, name, _ in work.moves}
    return {(book, name) for book, name, _ in known} <= left and all(set(found) <= {1} for found in changed)

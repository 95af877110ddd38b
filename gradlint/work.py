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

_WITH_STEPS = frozenset({Kind.ZERO, Kind.CLIP, Kind.UNSCALE, Kind.UPDATE, Kind.SCHEDULE, Kind.EMA, Kind.WRITE})
"""What there is more of when there are more steps."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one world of a region does.

    `counts` has every kind of event with its subject; `turns` how often the micro-batches go backward;
    `windows` the micro-batches since the last step, for each update of each optimizer; `moves` the moves
    of each scheduler from one update to the next; `wiped` the gradients that no step ever saw, `clipped`
    the updates that found a clip.
    """

    region: str
    size: int
    counts: tuple[tuple[Kind, str, int], ...]
    turns: tuple[int, ...]
    windows: tuple[tuple[str, tuple[int, ...]], ...]
    moves: tuple[tuple[str, str, tuple[int, ...]], ...]
    wiped: int
    clipped: int
    truncated: bool = False


def work_of(case: Case) -> Work:
    """What happens in one world."""
    counts = Counter((event.kind, _subject(event)) for event in case.events if _works(event))
    turns = Counter(real(event.stamp) for event in case.of(Kind.BACKWARD))
    updates = [update for book in case.books for update in book.updates]
    return Work(
        region=case.function,
        size=case.size,
        counts=tuple((kind, subject, number) for (kind, subject), number in sorted(counts.items(), key=str)),
        turns=tuple(sorted(turns.values())),
        windows=tuple(sorted((called(book.optimizer), _windows(book)) for book in case.books)),
        moves=tuple(sorted(move for book in case.books for move in _moves(book))),
        wiped=sum(len(update.wiped) for update in updates),
        clipped=sum(any(clip.live for clip in update.clips) for update in updates),
        truncated=case.truncated,
    )


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
    for region, size in dict.fromkeys((work.region, work.size) for work in before):
        was = [work for work in before if (work.region, work.size) == (region, size)]
        now = [work for work in after if (work.region, work.size) == (region, size)]
        found = _lost(was, now, mends) if now and not any(work.truncated for work in (*was, *now)) else ""
        if found:
            return f"the repair {found} in `{region}`"
    return ""


def _lost(was: Sequence[Work], now: Sequence[Work], mends: frozenset[Kind]) -> str:
    if {_kept(work, mends) for work in was} != {_kept(work, mends) for work in now}:
        return f"changes {_differing(was, now, mends)}"
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
    if Kind.SCHEDULE in mends and not _once_each(was, now):
        return "does not move the schedule once for each update"
    return ""


def _kept(work: Work, mends: frozenset[Kind]) -> tuple[object, ...]:
    """What must be the same in some world before and after."""
    free = mends | _WITH_STEPS if Kind.STEP in mends else mends
    counts = frozenset(found for found in work.counts if found[0] not in free)
    moves = tuple((name, max(found, default=0)) for _, name, found in work.moves)
    return (
        counts,
        () if Kind.BACKWARD in mends else work.turns,
        () if mends & {Kind.STEP, Kind.BACKWARD} else work.windows,
        () if Kind.SCHEDULE in mends else moves,
    )


def _present(worlds: Sequence[Work]) -> set[Kind]:
    return {kind for work in worlds for kind, _, _ in work.counts}


def _sometimes(worlds: Sequence[Work], kind: Kind) -> bool:
    """Whether something happens in some worlds only: under a condition, which a repair must keep."""
    return len({any(one is kind for one, _, _ in work.counts) for work in worlds}) == 2


def _differing(was: Sequence[Work], now: Sequence[Work], mends: frozenset[Kind]) -> str:
    """In words, what the main worlds differ in."""
    one, two = _kept(was[0], mends), _kept(now[0], mends)
    names = (_kinds(one[0], two[0]), "the backward passes", "the windows", "the schedule")
    for name, left, right in zip(names, one, two, strict=True):
        if left != right:
            return name
    return "another way through the loop"


def _kinds(one: object, two: object) -> str:
    """The kinds of events that are counted differently."""
    left, right = (found if isinstance(found, frozenset) else frozenset() for found in (one, two))
    return ", ".join(sorted({kind.value for kind, _, _ in left ^ right}))


def _once_each(was: Sequence[Work], now: Sequence[Work]) -> bool:
    """Whether each scheduler whose moves were changed moves exactly once for each update."""
    known = {move for work in was for move in work.moves}
    changed = [move[-1] for work in now for move in work.moves if move not in known]
    left = {(book, name) for work in now for book, name, _ in work.moves}
    return {(book, name) for book, name, _ in known} <= left and all(set(found) <= {1} for found in changed)

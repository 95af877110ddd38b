"""What a loop does, counted; and whether a repair leaves all of it there.

    before   backward x7  step x3  clip x7  schedule x3        the clip was to move
    after    backward x3  step x3  clip x3  schedule x3        four micro-batches are gone: no repair

Judging a repaired text again says that its mistake is gone. A loop that does not train has no mistakes
either, so what was counted before must be there afterwards, save what the repair is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.books import Book, real
from gradlint.model.events import MAX_SCENARIOS, Clipping, Event, Forward, Kind, Schedule
from gradlint.model.record import dataclass

_IDLE = frozenset({Kind.KEEP, Kind.EPOCH, Kind.OPAQUE, Kind.READ})
"""What is noted on the way and is no work on gradients."""

_MICRO = frozenset({Kind.FORWARD, Kind.BACKWARD, Kind.SET_EPOCH})
"""What there is as much of, however many steps there are."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one scenario of a region does; `again` in a second look with a longer loop, of windows of one `size`.

    `counts` has every kind of event with its subject; `turns` how often the micro-batches go backward;
    `windows` the micro-batches since the last step, for each update of each optimizer; `moves` the moves
    of each scheduler from one update to the next; `wiped` the gradients that no step ever saw, `clipped`
    the updates that have a clip, `at_once` the most clips in one micro-batch, `idle`
    the updates that find nothing, `used` the forwards that a backward goes through.
    """

    region: str
    again: bool
    size: int
    counts: tuple[tuple[Kind, str, int], ...]
    iterations: tuple[int, ...]
    windows: tuple[tuple[str, tuple[int, ...]], ...]
    moves: tuple[tuple[str, str, tuple[int, ...]], ...]
    wiped: int
    clipped: int
    at_once: int
    idle: int
    used: int
    truncated: bool = False


def work_of(case: Case, *, again: bool = False) -> Work:
    """What happens in one scenario."""
    counts = Counter((event.kind, _subject(event)) for event in case.events if _works(event))
    iterations = Counter(real(event.stamp) for event in case.of(Kind.BACKWARD))
    updates = [update for book in case.books for update in book.updates]
    return Work(
        region=case.scenario.region,
        again=again,
        size=case.scenario.size,
        counts=tuple((kind, subject, number) for (kind, subject), number in sorted(counts.items(), key=str)),
        iterations=tuple(sorted(iterations.values())),
        windows=tuple(sorted((called(book.optimizer), _windows(book)) for book in case.books)),
        moves=tuple(sorted(move for book in case.books for move in _moves(book))),
        wiped=sum(len(update.wiped) for update in updates),
        clipped=sum(_clipped(book) for book in case.books),
        at_once=max(Counter(real(event.stamp) for event in case.of(Kind.CLIP) if _limits(event)).values(), default=0),
        idle=sum(not (update.consumed or update.stale or update.opaques) for update in updates),
        used=len(case.used_forwards),
        truncated=case.scenario.truncated,
    )


def _clipped(book: Book) -> int:
    """Updates that have a clip which does not only measure, be it in the wrong place."""
    times = [*(update.clips for update in book.updates), book.rest.clips]
    return min(len(book.updates), sum(any(_limits(clip.event) for clip in clips) for clips in times))


def _limits(clip: Event) -> bool:
    """Whether a clip has a limit, and does not only measure."""
    return not (isinstance(clip.detail, Clipping) and clip.detail.infinite)


def _works(event: Event) -> bool:
    if isinstance(event.detail, Forward):
        return event.detail.attached
    return event.kind not in _IDLE


def _subject(event: Event) -> str:
    """Whose event it is, and a forward's precision; a backward is known by its loss, which repairs rewrite."""
    if isinstance(event.detail, Forward):
        return f"{called(event.subject)} {event.detail.autocast}".strip()
    return "" if event.kind is Kind.BACKWARD else called(event.subject)


def _windows(book: Book) -> tuple[int, ...]:
    return tuple(len(update.batches) for update in book.updates)


def _moves(book: Book) -> Iterable[tuple[str, str, tuple[int, ...]]]:
    """How often each scheduler moves from one update to the next, the time before the first left out."""
    later = book.updates[1:]
    for subject in {event.subject for update in book.updates for event in _counting(update.schedules)}:
        found = ([event for event in _counting(one.schedules) if event.subject == subject] for one in later)
        yield called(book.optimizer), called(subject), tuple(len(events) for events in found)


def _counting(events: Iterable[Event]) -> list[Event]:
    """Moves by one, not those to a place that is given."""
    return [event for event in events if not (isinstance(event.detail, Schedule) and event.detail.positional)]


def lost(before: Sequence[Work], after: Sequence[Work], mends: frozenset[Kind]) -> str:
    """What a repair takes away, or does twice, without being about it; empty when everything is there.

    Args:
        before: the scenarios of the text as it was.
        after: the scenarios of the repaired text.
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
    return next((text for wrong, text in _wrongs(was, now, mends) if wrong), "")


def _wrongs(was: Sequence[Work], now: Sequence[Work], mends: frozenset[Kind]) -> Iterator[tuple[bool, str]]:
    """What a repair may not do to the kinds of events that it mends."""
    gone = _everywhere(was) - _everywhere(now) - (mends & {Kind.UNSCALE, Kind.UPDATE})
    yield bool(gone), f"leaves no {_listed(gone)}"
    unasked = {kind for kind, _ in _sometimes(was) - _sometimes(now) if kind in mends}
    yield bool(unasked), f"no longer asks whether to {_listed(unasked)}"
    yield _most(now, lambda work: work.at_once) > _most(was, lambda work: work.at_once), "clips twice in a micro-batch"
    yield _most(now, lambda work: work.wiped) > _most(was, lambda work: work.wiped), "throws gradients away"
    yield _most(now, lambda work: work.idle) > _most(was, lambda work: work.idle), "steps where nothing was computed"
    if Kind.FORWARD in mends:
        yield _most(now, lambda work: work.used) < _most(was, lambda work: work.used), "cuts the graph of a backward"
    if Kind.STEP in mends:
        yield _busiest(now) > _busiest(was), "moves the schedule more often"
    else:
        yield _most(now, lambda work: work.clipped) < _most(was, lambda work: work.clipped), "leaves updates unclipped"
    if Kind.SCHEDULE in mends:
        yield not _once_each(was, now), "does not move the schedule once for each update"


def _listed(kinds: Iterable[Kind]) -> str:
    return ", ".join(sorted(kind.value for kind in kinds))


def _most(scenarios: Sequence[Work], what: Callable[[Work], int]) -> int:
    return max(map(what, scenarios))


def _changed(was: Sequence[Work], now: Sequence[Work], mends: frozenset[Kind]) -> str:
    """What differs in the main scenario, or in another that is the same in all else; empty when nothing does."""
    old, new = [_kept(work, mends) for work in was], [_kept(work, mends) for work in now]
    if old[0] != new[0]:
        return _differing(old[0], new[0])
    full = max(len(old), len(new)) >= MAX_SCENARIOS
    return "" if full or set(old) == set(new) else "what happens on another way through the loop"


def _kept(work: Work, mends: frozenset[Kind]) -> _Kept:
    """What must be the same before and after."""
    steps, backward, zeros = (kind in mends for kind in (Kind.STEP, Kind.BACKWARD, Kind.ZERO))
    moves = tuple((name, max(found, default=0)) for _, name, found in work.moves)
    return _Kept(
        frozenset(one for one in work.counts if one[0] not in mends and (not steps or one[0] in _MICRO)),
        () if backward else work.iterations,
        () if steps or backward or zeros else work.windows,
        () if steps or Kind.SCHEDULE in mends else moves,
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    counts: frozenset[tuple[Kind, str, int]]
    iterations: tuple[int, ...]
    windows: tuple[tuple[str, tuple[int, ...]], ...]
    moves: tuple[tuple[str, int], ...]


def _differing(one: _Kept, two: _Kept) -> str:
    """In words, the first thing that two scenarios differ in."""
    if one.counts != two.counts:
        return "the number of: " + _listed({kind for kind, _, _ in one.counts ^ two.counts})
    if one.iterations != two.iterations:
        return "the micro-batches that go backward"
    return "the windows" if one.windows != two.windows else "the schedule"


def _busiest(scenarios: Sequence[Work]) -> int:
    """The most moves of a scheduler for one update."""
    return max((number for work in scenarios for _, _, found in work.moves for number in found), default=0)


def _everywhere(scenarios: Sequence[Work]) -> set[Kind]:
    """What happens in every scenario that makes updates; what happens in some of them, another set tells."""
    found = [{kind for kind, _, _ in work.counts} for work in scenarios]
    return set.intersection(*[kinds for kinds in found if Kind.STEP in kinds] or found)


def _sometimes(scenarios: Sequence[Work]) -> set[tuple[Kind, str]]:
    """What happens in some scenarios only: it stands under a condition, which a repair must keep."""
    found = Counter((kind, name) for work in scenarios for kind, name, _ in work.counts)
    return {one for one, number in found.items() if number < len(scenarios)}


def _once_each(was: Sequence[Work], now: Sequence[Work]) -> bool:
    """Whether each scheduler whose moves were changed moves exactly once for each update.

    Of one update alone nothing is told: its move stands before it, or behind.
    """
    known = {move for work in was for move in work.moves}
    changed = [move[-1] for work in now for move in work.moves if move not in known]
    left = {(book, name) for work in now for book, name, _ in work.moves}
    told = {(book, name) for book, name, found in known if found}
    return told <= left and all(set(found) <= {1} for found in changed)

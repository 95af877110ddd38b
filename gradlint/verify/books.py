"""What a run did in plain numbers, and which of them a repair may change.

                     as written   repaired     a repair by
    turns            2 2 2 2      2 2 2 2      whatever: as before; of the windows: N each
    moves            3 4 4 4      1 1 1 1      scheduler-per-micro-batch: one an update
    backwards        8            8            whatever

Rules tell what shows; the books tell what is still there. A repair that loses work shows nothing and is none.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from gradlint.verify.observables import BACKWARDS, MOVES, OBSERVABLES, TURNS
from gradlint.verify.record import TAIL, Record
from gradlint.verify.windows import Window, fold

Row = tuple[str, tuple[int, ...]]
MOST = 8


@dataclass(frozen=True)
class Books:
    """One run, counted. Rows are an optimizer's (or a scheduler's), one number for each of its updates.

    `edges` are the updates at which an epoch ends or begins; `unpaid` counts micro-batches that no update consumed,
    `stale` updates that consumed spent ones; `raised` says that torch ended the run.
    """

    window: int | None = None
    turns: tuple[Row, ...] = ()
    edges: tuple[Row, ...] = ()
    clips: tuple[Row, ...] = ()
    moves: tuple[Row, ...] = ()
    epochs: tuple[int, ...] = ()
    backwards: int = 0
    forwards: int = 0
    unpaid: int = 0
    stale: int = 0
    raised: bool = False

    @staticmethod
    def from_plain(data: dict[str, object]) -> Books:
        """From lists, on the way between processes."""
        return Books(**{key: _tuples(value) for key, value in data.items()})  # type: ignore[arg-type]


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def books(record: Record) -> Books:
    """The books of one run."""
    windows = fold(record)
    batches = {(column.epoch, column.turn) for column in record.columns}
    spent = {number for update in record.updates for number in update.weights}
    return Books(
        window=record.window,
        turns=_rows(windows, [len({record.columns[n].turn for n in one.update.feeds}) for one in windows]),
        edges=_rows(windows, [int(one.closes_epoch or one.crosses) for one in windows]),
        clips=_rows(windows, [int(_clipped(one)) for one in windows]),
        moves=tuple((name, _moves(record, name)) for name in dict.fromkeys(name for name, _ in record.moves)),
        epochs=tuple(Counter(epoch for epoch, _ in batches).values()),
        backwards=record.backwards,
        forwards=record.train_forwards + record.eval_forwards,
        unpaid=len(record.columns) - len(spent),
        stale=sum(bool(one.stale) for one in windows),
        raised=bool(record.error),
    )


def _rows(windows: list[Window], numbers: list[int]) -> tuple[Row, ...]:
    names = dict.fromkeys(one.update.optimizer for one in windows)
    pairs = list(zip(windows, numbers, strict=True))
    return tuple((name, tuple(n for one, n in pairs if one.update.optimizer == name)) for name in names)


def _clipped(window: Window) -> bool:
    return any(math.isfinite(clip.limit) and clip.parameters for clip in window.update.clips)


def _moves(record: Record, name: str) -> tuple[int, ...]:
    """Moves of one scheduler after none, one, two, ... updates."""
    places = Counter(place for one, place in record.moves if one == name)
    return tuple(places[place] for place in range(max(places) + 1))


# ---------------------------------------------------------------------- before and after


def may_change(rules: frozenset[str]) -> frozenset[str]:
    """The numbers that the repairs of these rules are about."""
    return frozenset[str]().union(*(one.changes for one in OBSERVABLES if one.rule in rules))


def lost(old: Books, new: Books, rules: frozenset[str], regime: str) -> str:
    """What a repair of these rules broke in one regime, or nothing."""
    changes = may_change(rules)
    checks = (
        *(_windows(old, new, name, changes) for name, _ in old.turns),
        _named(old.window, new.window),
        _fewer("backwards", old.backwards, new.backwards, old.raised or BACKWARDS in changes),
        _fewer("forwards", old.forwards, new.forwards, old.raised),
        *(_schedule(old, new, name, changes, regime) for name in dict.fromkeys(n for n, _ in (*old.moves, *new.moves))),
        *(_unclipped(old, new, name) for name, _ in old.clips),
        _gone(old, new, regime, changes),
    )
    return next((text for text in checks if text), "")


def _named(old: int | None, new: int | None) -> str:
    return (
        "" if old == new else f"the runs are not alike: a window of {old or 'no length'}, now of {new or 'no length'}"
    )


def _fewer(what: str, old: int, new: int, more: bool) -> str:
    """As many as before; where the loop as written ended early, or never called some, there may be more."""
    return f"{old} {what} became {new}" if new < old or (new > old and not more) else ""


def _row(rows: tuple[Row, ...], name: str) -> tuple[int, ...]:
    return dict(rows).get(name, ())


def _windows(old: Books, new: Books, name: str, changes: frozenset[str]) -> str:
    """The micro-batches of each update: as before, or whole windows where the repair is about windows."""
    before, after = _row(old.turns, name), _row(new.turns, name)
    told = f"micro-batches of the updates of `{name}`: {_listed(before)} became {_listed(after)}"
    if old.raised or BACKWARDS in changes:
        return told if after[: len(before) - 1] != before[: len(before) - 1] or len(after) < len(before) else ""
    if before == after:
        return ""
    if TURNS not in changes:
        return told
    if new.window is None:
        return f"{told}, and no number says what a window is"
    edges = _row(new.edges, name)
    odd = any(turns != new.window and not (edge and turns) for turns, edge in zip(after, edges, strict=True))
    fewest = sum(batches // new.window for batches in new.epochs)
    return f"{told}; a window has {new.window}" if odd or len(after) < min(fewest, len(before)) else ""


def _schedule(old: Books, new: Books, name: str, changes: frozenset[str], regime: str) -> str:
    """A scheduler moves as often as before; where that was too often, once an update; never more than that anew."""
    before, after = _row(old.moves, name), _row(new.moves, name)
    told = f"moves of `{name}` around the updates: {_listed(before)} became {_listed(after)}"
    updates = max((len(row) for _, row in new.turns), default=0)
    once = max(after, default=0) <= 1 and updates - (regime == TAIL) * len(new.epochs) <= sum(after) <= updates
    if sum(before) == sum(after) and max(after, default=0) <= max(1, *before, 1):
        return ""
    if old.raised and sum(after) >= sum(before):
        return ""
    return "" if once and changes & {MOVES, TURNS} else told


def _unclipped(old: Books, new: Books, name: str) -> str:
    """A clip that was there still is."""
    before, after = sum(_row(old.clips, name)), sum(_row(new.clips, name))
    fewest = min(before, len(_row(new.turns, name)))
    return f"{before} updates of `{name}` had a clip, now {after}" if after < fewest else ""


def _gone(old: Books, new: Books, regime: str, changes: frozenset[str]) -> str:
    """No micro-batch is lost that was not, no spent one is spent again."""
    if old.raised:
        return ""
    if new.stale > old.stale:
        return f"{new.stale - old.stale} more updates consume micro-batches that were spent before"
    if new.unpaid > old.unpaid and not (regime == TAIL and TURNS in changes):
        return f"{new.unpaid - old.unpaid} more micro-batches reach no update"
    return ""


def _listed(numbers: tuple[int, ...]) -> str:
    shown = " ".join(map(str, numbers[:MOST])) or "none"
    return f"{shown} ..." if len(numbers) > MOST else shown

"""gradlint's dry run of a source, told in the words of `accounts`."""

from __future__ import annotations

from gradlint.account.fold import fold, micro_batch
from gradlint.interpret.explore import Region, regions
from gradlint.lower import lower
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.events import Backward, Event, EventLog, Forward, Kind, Stamp
from interpret.accounts import Accounts, Clipped, Deed, Share, Spent

KINDS = frozenset(
    {
        Kind.ZERO,
        Kind.FORWARD,
        Kind.BACKWARD,
        Kind.UNSCALE,
        Kind.CLIP,
        Kind.STEP,
        Kind.UPDATE,
        Kind.SCHEDULE,
        Kind.TRAIN,
    }
)
"""The events that reality can see."""


def explored(source: str) -> list[Region]:
    """Every region of a source, all turns of its loops run, as in reality."""
    return list(regions(lower(source, "loop.py"), every_iteration=True))


def only(source: str) -> Region:
    """The one region of a source."""
    found = explored(source)
    assert len(found) == 1, [region.entry.name for region in found]
    return found[0]


def log_of(source: str) -> EventLog:
    """The trail of the one region in its first world."""
    return only(source).scenarios[0]


def events_of(source: str, *kinds: Kind) -> list[Event]:
    """Events of some kinds (all, when none is named) of the one region in its first world."""
    return [event for event in log_of(source).events if not kinds or event.kind in kinds]


def books_of(source: str) -> list[Book]:
    """The books of the one region in its first world."""
    return fold(log_of(source))


def accounts(log: EventLog) -> Accounts:
    """What a trail and its fold say happened."""
    events = [event for event in log.events if event.kind in KINDS]
    order: dict[Stamp, int] = {}
    for event in events:
        if isinstance(event.detail, Backward):
            order.setdefault(micro_batch(event, event.detail, log.events), len(order))
    seen = [event for event in events if not _assumed(event)]
    books = fold(log)
    return Accounts(
        tuple(Deed(event.kind.value, event.span.row, event.subject) for event in seen),
        tuple(tuple(_spent(update, book, order) for update in book.updates) for book in books),
        tuple(tuple(order.get(item.batch, -1) for item in book.rest.live) for book in books),
    )


def _assumed(event: Event) -> bool:
    """A forward that only might have happened inside a call that nobody can follow."""
    return isinstance(event.detail, Forward) and event.detail.assumed


def _spent(update: Update, book: Book, order: dict[Stamp, int]) -> Spent:
    since = -1 if update.previous is None else update.previous.number
    tail = [(item, zero) for item, zero in book.tail_wiped if since < zero.number < update.step.number]
    wiped = sorted([*update.wiped, *tail], key=lambda pair: pair[0].order)
    return Spent(
        update.step.span.row,
        tuple(_share(item, order) for item in update.consumed),
        tuple((order.get(item.batch, -1), item.event.span.row) for item in update.stale),
        tuple((order.get(item.batch, -1), item.event.span.row) for item, _ in wiped),
        tuple(
            Clipped(clip.event.span.row, tuple(order.get(item.batch, -1) for item in clip.live), bool(clip.scaled))
            for clip in update.clips
        ),
        tuple(event.span.row for event in update.zeros),
        tuple(event.span.row for event in update.unscales),
        tuple(event.span.row for event in update.scaler_updates),
        tuple(event.span.row for event in update.schedules),
    )


def _share(item: Contribution, order: dict[Stamp, int]) -> Share:
    synced = item.detail.synced if item.detail.wrapper else None
    row = item.event.span.row
    return Share(order.get(item.batch, -1), row, item.weight, item.scaled, synced)

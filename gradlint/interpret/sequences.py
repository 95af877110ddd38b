"""Sequences that nobody can list: ranges, numbered and zipped ones, pieces of a batch. What is known is a `Series`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gradlint.interpret.plan import MAX_WINDOW
from gradlint.interpret.traits import exact, form_of
from gradlint.interpret.values import Series, Tracked, Unknown, Value
from gradlint.model.finding import Span
from gradlint.model.program import Expr
from gradlint.model.record import dataclass, record, replace

_LONG = 4096
"""So many numbers of a range are listed."""


@record(eq=False)
class Range:
    """`range(start, stop, step)`."""

    start: Value
    stop: Value
    step: Value


@record(eq=False)
class Backwards:
    """`reversed(source)`, `range(n - 1, -1, -1)`: from the last to the first."""

    source: Value


@record(eq=False)
class Enumerate:
    """`enumerate(source, start)`."""

    source: Value
    start: Value


@dataclass(slots=True, eq=False)
class Count:
    """`itertools.count(start)`, of which some numbers may be `taken`."""

    start: Value
    taken: int = 0


@record(eq=False)
class Zip:
    """`zip(*sources)`."""

    sources: tuple[Value, ...]


@record(eq=False)
class Slice:
    """The first items of a source, up to `stop`, which is `written` so in the call of `islice`."""

    source: Value
    stop: Value
    written: Expr | None = None


@record(eq=False)
class Listed:
    """A list with something for each item of a source."""

    source: Value


@record(eq=False)
class Sized:
    """Data of a known size; each piece has so `many` samples, where it was cut."""

    size: int
    many: int = 0


@record(eq=False)
class Stream:
    """The items of a source for ever; of no source that is known, where a generator of the file makes them.

    It may go through a `loader` time and again, in a loop that stands `there`.
    """

    source: Value = None
    loader: Value = None
    there: Span | None = None


@record(eq=False)
class Pieces:
    """So many pieces of a batch."""

    number: Value


@record(eq=False)
class Groups:
    """Groups of so many batches."""

    size: Value


@record(eq=False)
class Yields:
    """What a generator yields, once for each of some numbers."""

    numbers: Series


@record(eq=False)
class Entries:
    """The losses in a dictionary that nobody can list, each with its name (`items()`) or alone (`values()`)."""

    named: bool


AnySequence: TypeAlias = (
    Range | Backwards | Enumerate | Count | Zip | Slice | Listed | Sized | Stream | Pieces | Groups | Yields | Entries
)


def ranged(text: str, args: Sequence[Value]) -> Value:
    """`range(...)`."""
    numbers = [exact(value) for value in args[:3]]
    whole = [int(number) for number in numbers if number is not None]
    if whole and len(whole) == len(numbers) and (len(whole) < 3 or whole[2]):
        return Series(list(range(*whole)[:_LONG]), "list")
    given: list[Value] = [0, *args] if len(args) < 2 else [*args]
    start, stop, step = [*given, None, None][:3]
    if step == -1 and (last := exact(stop)) is not None:
        return Unknown(text, form=Backwards(Unknown(text, form=Range(int(last) + 1, None, None))))
    return Unknown(text, form=Range(start, stop, step))


def reversed_items(text: str, source: Value) -> Value:
    """`reversed(source)`, `source[::-1]`, `sorted(numbers, reverse=True)`."""
    if isinstance(source, Series):
        return source if source.drawn is not None else replace(source, items=source.items[::-1])
    return Unknown(text, form=Backwards(source)) if isinstance(source, Unknown) and source.form is not None else source


def enumerated(text: str, source: Value, start: Value) -> Value:
    """`enumerate(source, start)`."""
    first = exact(start)
    if isinstance(source, Series) and source.drawn is None and first is not None:
        return Series([Series([int(first) + number, item], "tuple") for number, item in enumerate(source.items)])
    return Unknown(text, form=Enumerate(source, start))


def zipped(text: str, sources: Sequence[Value]) -> Value:
    """`zip(*sources)`; `zip(count(1), source)` numbers a source."""
    columns = [source.items for source in sources if isinstance(source, Series) and source.drawn is None]
    if columns and len(columns) == len(sources):
        return Series([Series(list(row), "tuple") for row in zip(*columns, strict=False)])
    if len(sources) == 2 and isinstance(form_of(sources[0]), Count):
        return Unknown(text, form=Enumerate(sources[1], sources[0]))
    return Unknown(text, form=Zip(tuple(sources)))


def first_items(text: str, source: Value, stop: int | Unknown, written: Expr) -> Value:
    """`islice(source, stop)`."""
    if isinstance(source, Series):
        return Series(source.items[:stop], source.kind) if isinstance(stop, int) else source
    return Unknown(text, form=Slice(source, stop, written))


def without_numbers(source: Value) -> Value:
    """What `enumerate` goes over, however often it stands around it."""
    while isinstance(form := form_of(source), (Enumerate, Backwards)):
        source = form.source
    return source


def size_of(value: Value) -> int | None:
    """How many samples some data has, where that is seen where it is made."""
    form = form_of(value)
    return form.size if isinstance(form, Sized) else None


def batches_in(source: Value) -> int | None:
    """How many batches a loader has, rows a tensor, pieces a tensor that is cut, or pairs a `zip` of such.

    What is paired with it there, and cannot be seen, is as long.
    """
    if isinstance(source, Tracked):
        number = source.make.extra.get("batches")
        return number if isinstance(number, int) else None
    match form_of(source):
        case Sized(size):
            return size
        case Pieces(int() as number):
            return number
        case Zip(sources):
            other = unseen(sources)
            seen = (part for part in sources if part not in other and not isinstance(form_of(part), Count))
            columns = [batches_in(part) for part in seen]
            known = [column for column in columns if column is not None]
            return min(known, default=None) if len(known) == len(columns) else None
    return None


def unseen(sources: Iterable[Value]) -> list[Unknown]:
    """What a `zip` pairs and nobody can see the length of."""
    return [part for part in sources if isinstance(part, Unknown) and part.form is None]


def samples_each(source: Tracked | Unknown) -> int:
    """How many samples a batch of it has, where that is known; else 0."""
    if isinstance(source, Tracked):
        size = source.make.extra.get("batch_size")
        return size if isinstance(size, int) else 0
    return source.form.many if isinstance(source.form, Sized) else 0


def pieces_in(value: Value) -> int | None:
    """How many pieces `batch.chunk(4)` has, alone or with those of others in a `zip`, where the number is known."""
    match form_of(value):
        case Pieces(count):
            number = exact(count)
            return int(number) if number is not None and 1 <= number <= MAX_WINDOW else None
        case Zip(sources):
            cut = (part for part in sources if not isinstance(form_of(part), Count))
            return pieces_in(next(cut, None))
        case Enumerate(source):
            return pieces_in(source)
    return None

"""What a training loop did, told the same way whoever watched it.

Micro-batches are numbered in the order in which their gradients first appeared, optimizers in the
order of their first step, and everything else is a row of the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Deed:
    """One thing that happened: `kind` in the alphabet of the trail, on which row, to whom."""

    kind: str
    row: int
    subject: str


@dataclass(frozen=True)
class Share:
    """What one backward left in the gradients: of which micro-batch, with which weight.

    `weight` is `None` where the terms of a sum carry different ones, `synced` where nothing is
    distributed.
    """

    batch: int
    row: int
    weight: Fraction | None
    scaled: bool
    synced: bool | None


@dataclass(frozen=True)
class Clipped:
    """A clip: the micro-batches it found unspent, and whether their gradients were still scaled."""

    row: int
    batches: tuple[int, ...]
    scaled: bool


@dataclass(frozen=True)
class Spent:
    """One update, with everything since the update before. Rows, unless said otherwise."""

    row: int
    consumed: tuple[Share, ...]
    stale: tuple[tuple[int, int], ...]
    wiped: tuple[tuple[int, int], ...]
    clips: tuple[Clipped, ...]
    zeros: tuple[int, ...]
    unscales: tuple[int, ...]
    scaler_updates: tuple[int, ...]
    schedules: tuple[int, ...]


@dataclass(frozen=True)
class Accounts:
    """A whole run: every deed in order, the updates of every optimizer, what was left unspent."""

    deeds: tuple[Deed, ...]
    updates: tuple[tuple[Spent, ...], ...]
    leftover: tuple[tuple[int, ...], ...]


def canonical(told: Accounts) -> Accounts:
    """The same story of a source whose lines stand elsewhere and whose names are others.

    Rows and subjects are numbered in the order in which they appear.
    """
    rows = {row: number for number, row in enumerate(dict.fromkeys(d.row for d in told.deeds))}
    names = {name: str(number) for number, name in enumerate(dict.fromkeys(d.subject for d in told.deeds))}
    deeds = tuple(Deed(deed.kind, rows[deed.row], names[deed.subject]) for deed in told.deeds)
    updates = tuple(tuple(_renumbered(item, rows) for item in book) for book in told.updates)
    return Accounts(deeds, updates, told.leftover)


def _renumbered(spent: Spent, rows: dict[int, int]) -> Spent:
    return Spent(
        rows[spent.row],
        tuple(replace(share, row=rows[share.row]) for share in spent.consumed),
        tuple((batch, rows[row]) for batch, row in spent.stale),
        tuple((batch, rows[row]) for batch, row in spent.wiped),
        tuple(replace(clip, row=rows[clip.row]) for clip in spent.clips),
        tuple(rows[row] for row in spent.zeros),
        tuple(rows[row] for row in spent.unscales),
        tuple(rows[row] for row in spent.scaler_updates),
        tuple(rows[row] for row in spent.schedules),
    )


def differences(expected: Accounts, got: Accounts) -> list[str]:
    """Every disagreement in words; empty when both tell the same."""
    return [*_deeds(expected.deeds, got.deeds), *_optimizers(expected, got)]


def _deeds(expected: tuple[Deed, ...], got: tuple[Deed, ...]) -> Iterator[str]:
    names: dict[tuple[str, str], str] = {}
    owners: dict[tuple[str, str], str] = {}
    for number, (one, two) in enumerate(zip_longest(expected, got)):
        if one is None or two is None or (one.kind, one.row) != (two.kind, two.row):
            yield f"event {number}: expected {one}, got {two}"
            return
        if one.kind == "backward":
            continue  # a loss has no name
        kind = "optimizer" if one.kind in ("step", "unscale") else one.kind
        if two.subject != names.setdefault((kind, one.subject), two.subject):
            yield f"event {number}: {one} is said to be about {two.subject!r}"
        if one.subject != owners.setdefault((kind, two.subject), one.subject):
            yield f"event {number}: {two.subject!r} is two things, one of them in {one}"


def _optimizers(expected: Accounts, got: Accounts) -> Iterator[str]:
    if len(expected.updates) != len(got.updates):
        yield f"expected {len(expected.updates)} optimizers, got {len(got.updates)}"
        return
    for number, (one, two) in enumerate(zip(expected.updates, got.updates, strict=True)):
        yield from _updates(number, one, two)
    if expected.leftover != got.leftover:
        yield f"left over: expected {expected.leftover}, got {got.leftover}"


def _updates(number: int, expected: tuple[Spent, ...], got: tuple[Spent, ...]) -> Iterator[str]:
    for index, (one, two) in enumerate(zip_longest(expected, got)):
        place = f"optimizer {number}, update {index}"
        if one is None or two is None:
            yield f"{place}: expected {one}, got {two}"
            return
        for item in fields(Spent):
            left, right = getattr(one, item.name), getattr(two, item.name)
            if left != right:
                yield f"{place}, {item.name}: expected {left}, got {right}"

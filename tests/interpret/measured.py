"""Paper's ledger beside the one that a witness with torch measures, in one and the same run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gradlint.account.fold import fold
from gradlint.account.ledgers import by_batch, executed_row
from gradlint.account.names import window_names
from gradlint.interpret.explore import Region, witnessed
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.events import EventLog, Kind
from gradlint.model.program import Program
from interpret.witness_objects import SCALE, Refused, Uncarried
from interpret.witness_torch import Step, TorchWitness

SMALL, TOLERANCE = 1e-5, 1e-4


@dataclass(frozen=True)
class Compared:
    """One scenario: where both differ, how many weights were compared, what was not carried, what torch refused."""

    differences: tuple[str, ...] = ()
    weights: int = 0
    updates: int = 0
    uncarried: str = ""
    refused: str = ""


def compared(program: Program, region: Region, log: EventLog, seed: int = 0) -> Compared:
    """Run one scenario with a witness, and compare."""
    witness = TorchWitness(seed)
    try:
        beside = witnessed(program, region, log, witness)
    except Uncarried as reason:
        return Compared(uncarried=str(reason))
    except Refused as reason:
        return Compared(refused=str(reason))
    if witness.varies:
        return Compared(uncarried="a number of each batch weighs a loss")
    return held_against(region, beside, witness)


def held_against(region: Region, log: EventLog, witness: TorchWitness) -> Compared:
    """Every update of paper beside the step that was measured."""
    names = window_names((*region.plan.numbers.windows, *region.plan.numbers.named))
    books = fold(log, names, region.plan.window)
    backwards = [event.number for event in log.events if event.kind is Kind.BACKWARD]
    order = {number: place for place, number in enumerate(backwards)}
    steps = sorted(((update.step.number, book, update) for book in books for update in book.updates), key=_number)
    if len(backwards) != len(witness.backwards):
        return Compared((f"{len(witness.backwards)} backwards measured, {len(backwards)} on paper",))
    if len(steps) != len(witness.steps):
        return Compared((f"{len(witness.steps)} steps measured, {len(steps)} on paper",))
    found: list[str] = []
    pairs: dict[str, list[Pair]] = {}
    for (_, book, update), step in zip(steps, witness.steps, strict=True):
        place = f"{book.optimizer}, update {update.number + 1}"
        pairs.setdefault(book.optimizer, []).extend(_weights(place, update, book, order, step, witness))
        if others := _others(update, order, step, witness):
            found.append(f"{place}: losses {others} are consumed, too")
    for each in pairs.values():
        found += _unequal(each, witness.open)
    return Compared(tuple(found), sum(map(len, pairs.values())), len(steps))


def _number(one: tuple[int, Book, Update]) -> int:
    return one[0]


def _unequal(pairs: list[Pair], drawn: bool) -> Iterator[str]:
    """Where measured weights are others than those on paper.

    All may share a number that nobody knows, or what the largest of several terms is weighed with against the others:
    which of them is the objective's own nobody can measure.
    """
    ratios = [one.measured / float(one.paper) for one in pairs if one.paper and one.measured > SMALL]
    common = ratios[0] if ratios and (drawn or any(one.several for one in pairs)) else 1.0
    for one in pairs:
        if not (one.is_like(1.0) or one.is_like(common)):
            yield f"{one.place} is {Fraction(one.measured).limit_denominator(1000)} measured, {one.paper} on paper"


@dataclass(frozen=True)
class Pair:
    """One weight: as measured, and on paper; whether several losses ran backward together."""

    place: str
    measured: float
    paper: Fraction
    several: bool

    def is_like(self, times: float) -> bool:
        """Whether both are the same, up to a number that all share."""
        return abs(self.measured - times * float(self.paper)) <= TOLERANCE * max(1e-3, self.measured)


def _weights(
    place: str, update: Update, book: Book, order: dict[int, int], step: Step, witness: TorchWitness
) -> Iterator[Pair]:
    """Each weight of an update that paper knows, as measured."""
    row = executed_row(update, book)
    for weight, items in zip(row.weights, _groups(update), strict=True):
        losses = _losses(items, order, witness)
        if weight.value is not None and losses:
            scale = _scale_left(update, items, scaled=row.scaled)
            measured = [step.weights.get(loss, 0.0) / scale for loss in losses]
            value = _nearest(measured, weight.value)
            yield Pair(f"{place}: {weight.label}", value, weight.value, len(losses) > 1)


def _scale_left(update: Update, items: list[Contribution], *, scaled: bool) -> float:
    """How many times the weight a gradient has, by the scaler: one that nobody has scaled is divided all the same."""
    if any(item.detail.scaled_by for item in items):
        return SCALE if scaled else 1.0
    return 1 / SCALE if update.detail.via == "scaler" or update.unscales else 1.0


def _nearest(measured: list[float], value: Fraction) -> float:
    """The weight of what runs backward together: that of one of its terms, of all, or the largest."""
    candidates = [*map(abs, measured), abs(sum(measured))]
    near = min(candidates, key=lambda one: abs(one - float(value)))
    return near if abs(near - float(value)) <= TOLERANCE else max(map(abs, measured))


def _others(update: Update, order: dict[int, int], step: Step, witness: TorchWitness) -> list[int]:
    """Losses that are consumed, and are not on paper."""
    told = _losses([*(item for group in _groups(update) for item in group), *update.foreign], order, witness)
    return sorted(loss for loss, value in step.weights.items() if abs(value) > SMALL and loss not in told)


def _losses(items: list[Contribution], order: dict[int, int], witness: TorchWitness) -> set[int]:
    return {loss for item in items for loss in witness.backwards[order[item.event.number]]}


def _groups(update: Update) -> list[list[Contribution]]:
    own = by_batch([*(item for item, _ in update.wiped), *update.consumed])
    return [*by_batch(update.stale), *own]

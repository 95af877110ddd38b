"""What a run did, as plain data, and how two runs differ."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Floats = tuple[float, ...]
Modes = tuple[tuple[int, bool], ...]  # (module by order of construction, training) within one outermost forward

NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)\b")
NODE = re.compile(r", (?:grad_fn=<\w+>|requires_grad=True)")
GRAPH_SLACK = 1  # one loss more may live until the next one takes its name


@dataclass(frozen=True)
class Update:
    """One optimizer step that was carried out."""

    optimizer: int  # by order of construction
    gradient: Floats
    rates: Floats
    all_reduces: int  # since the run began


@dataclass(frozen=True)
class RankOutcome:
    """What one process did.

    Attributes:
        state: parameters and buffers of the returned modules, by module and name.
        error: type and first line; empty when `main()` returned.
        updates: the optimizer steps in their order.
        rates: the learning rates in the end, by optimizer.
        scales: the scales in the end, by scaler.
        modes: for each forward that a backward went through, the mode of every module in it.
        unused: forwards with a graph that no backward went through.
        graphs: the largest number of forwards whose graph was alive at one time.
        printed: standard output.
        orders: what each walk over a `DistributedSampler` gave.
        double: every returned parameter is a double.
    """

    state: dict[str, Floats] = field(default_factory=dict)
    error: str = ""
    updates: tuple[Update, ...] = ()
    rates: tuple[Floats, ...] = ()
    scales: Floats = ()
    modes: tuple[Modes, ...] = ()
    unused: int = 0
    graphs: int = 0
    printed: str = ""
    orders: tuple[tuple[int, ...], ...] = ()
    double: bool = True


@dataclass(frozen=True)
class Outcome:
    """What a text did: one entry a rank."""

    ranks: tuple[RankOutcome, ...]

    @property
    def error(self) -> str:
        """The first error of any rank."""
        return next((rank.error for rank in self.ranks if rank.error), "")


def differences(ours: Outcome, reference: Outcome) -> list[str]:
    """Where `ours` is neither as the reference nor cheaper; empty when it may stand in for it.

    Training must be equal: state, each consumed gradient, rates, scales, modes, errors, orders and what is printed.
    All-reduces, forwards for nothing and live graphs may be fewer, not more.
    """
    if len(ours.ranks) != len(reference.ranks):
        return [f"{len(ours.ranks)} ranks, not {len(reference.ranks)}"]
    found = []
    for number, (mine, theirs) in enumerate(zip(ours.ranks, reference.ranks, strict=True)):
        where = f"rank {number}: " if len(ours.ranks) > 1 else ""
        found += [where + text for text in _of_rank(mine, theirs)]
    return found


def same(ours: Outcome, reference: Outcome) -> bool:
    """True when `ours` may stand in for the reference."""
    return not differences(ours, reference)


def _of_rank(ours: RankOutcome, reference: RankOutcome) -> list[str]:
    tolerance = 1e-6 if ours.double and reference.double else 1e-4
    found = []
    if ours.error != reference.error:
        found.append(f"ends with {ours.error or 'no error'}, not {reference.error or 'no error'}")
    found += _of_updates(ours.updates, reference.updates, tolerance)
    if ours.state.keys() != reference.state.keys():
        found.append("other parameters are returned")
    else:
        found += [
            f"{name} differs" for name in ours.state if not near(ours.state[name], reference.state[name], tolerance)
        ]
    if not _near_each(ours.rates, reference.rates, tolerance):
        found.append(f"learning rates end at {ours.rates}, not {reference.rates}")
    if not near(ours.scales, reference.scales, tolerance):
        found.append(f"loss scales end at {ours.scales}, not {reference.scales}")
    if ours.modes != reference.modes:
        found.append("modules are in another mode in forwards that train")
    if not _same_print(ours.printed, reference.printed, tolerance):
        found.append("something else is printed")
    if ours.orders != reference.orders:
        found.append("samplers give another order")
    return found + _of_cost(ours, reference)


def _of_updates(ours: Sequence[Update], reference: Sequence[Update], tolerance: float) -> list[str]:
    if [update.optimizer for update in ours] != [update.optimizer for update in reference]:
        return [f"{len(ours)} updates, not {len(reference)}, or of other optimizers"]
    found = []
    for number, (mine, theirs) in enumerate(zip(ours, reference, strict=True)):
        if not near(mine.gradient, theirs.gradient, tolerance):
            found.append(f"update {number} consumes another gradient")
        if not near(mine.rates, theirs.rates, tolerance):
            found.append(f"update {number} has rates {mine.rates}, not {theirs.rates}")
    return found[:3]


def _of_cost(ours: RankOutcome, reference: RankOutcome) -> list[str]:
    found = []
    mine, theirs = all_reduces(ours), all_reduces(reference)
    if len(mine) == len(theirs) and any(a > b for a, b in zip(mine, theirs, strict=True)):
        found.append(f"all-reduces per update {mine}, not {theirs}")
    if ours.unused > reference.unused:
        found.append(f"{ours.unused} forwards keep a graph for nothing, not {reference.unused}")
    if ours.graphs > reference.graphs + GRAPH_SLACK:
        found.append(f"{ours.graphs} graphs live at one time, not {reference.graphs}")
    return found


def all_reduces(rank: RankOutcome) -> list[int]:
    """The number of all-reduces for each update."""
    return [after - before for before, after in pairwise([0, *(update.all_reduces for update in rank.updates)])]


def near(ours: Sequence[float], reference: Sequence[float], tolerance: float) -> bool:
    """Equal up to the tolerance, relative to the largest finite number; NaN equals NaN."""
    if len(ours) != len(reference):
        return False
    size = max((abs(x) for x in (*ours, *reference) if math.isfinite(x)), default=0.0)
    return all(_close(a, b, tolerance * size) for a, b in zip(ours, reference, strict=True))


def _close(ours: float, reference: float, limit: float) -> bool:
    if math.isfinite(ours) and math.isfinite(reference):
        return abs(ours - reference) <= limit
    return ours == reference or (math.isnan(ours) and math.isnan(reference))


def _near_each(ours: Sequence[Floats], reference: Sequence[Floats], tolerance: float) -> bool:
    return len(ours) == len(reference) and all(near(a, b, tolerance) for a, b in zip(ours, reference, strict=True))


def _same_print(ours: str, reference: str, tolerance: float) -> bool:
    """The same words, and numbers that are equal up to the tolerance or the last digit that is shown."""
    ours, reference = NODE.sub("", ours), NODE.sub("", reference)
    if ours == reference:
        return True
    if NUMBER.sub("#", ours) != NUMBER.sub("#", reference):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(reference), strict=True)
    return all(_close(float(a), float(b), max(tolerance * abs(float(b)), _last_digit(b))) for a, b in pairs)


def _last_digit(number: str) -> float:
    """What one step of the last digit shown is worth, if there is a decimal point; whole numbers are exact."""
    digits, _, power = number.partition("e")
    _, point, decimals = digits.partition(".")
    return 1.01 * 10.0 ** (int(power or 0) - len(decimals)) if point else 0.0

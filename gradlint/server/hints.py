"""The ledger as inlay hints: behind each step, what its update consumed.

optimizer.step()   4 x 1, meant 4 x 1/4
scaler.step(opt)   1 · clip scaled, meant clipped
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from lsprotocol.types import InlayHint, MarkupContent, MarkupKind

from gradlint.model.ledger import Clip
from gradlint.report.books import books
from gradlint.report.style import TIMES, Style

if TYPE_CHECKING:
    from gradlint.model.ledger import Row, Weight
    from gradlint.model.trace import LedgerPair, RegionTrace, ScenarioTrace
    from gradlint.server.units import Unit


@dataclass(frozen=True, slots=True)
class _Step:
    """One update, where it is written, and the books it stands in."""

    row: int
    executed: Row
    meant: Row
    pair: LedgerPair


def hints(unit: Unit, regions: Sequence[RegionTrace], uri: str, rows: tuple[int, int]) -> list[InlayHint]:
    """A hint at the end of every line with a step, for one optimizer after the other.

    Args:
        unit: the program as it is now.
        regions: its trace.
        uri: the text that the hints are for.
        rows: the first and last of the unit's rows that are shown.
    """
    steps = [
        step
        for region in regions
        for scenario in region.scenarios
        for step in _steps(scenario, "" if region.path == unit.path else unit.path)
    ]
    out: list[InlayHint] = []
    for (row, name), group in groupby(sorted(steps, key=_place), key=_place):
        part = unit.part(row)
        if part.uri == uri and rows[0] <= row <= rows[1]:
            step = _telling(list(group))
            several = len({other.pair.executed.optimizer for other in steps if other.row == row}) > 1
            label = f"{name}: {_label(step)}" if several else _label(step)
            end = part.lines.position(row - part.start, len(part.lines.rows[row - part.start - 1]) + 1)
            out.append(InlayHint(end, label, tooltip=_tooltip(step), padding_left=True))
    return out


def _place(step: _Step) -> tuple[int, str]:
    return step.row, step.pair.executed.optimizer


def _steps(scenario: ScenarioTrace, path: str) -> Iterator[_Step]:
    """The updates of a scenario in one file; each belongs to the step event of its optimizer with the same number."""
    for pair in scenario.ledgers:
        at = [
            (event.path, event.row)
            for event in scenario.events
            if event.kind == "step" and event.subject == pair.executed.optimizer
        ]
        if len(at) == len(pair.executed.rows) == len(pair.meant.rows):
            for (file, row), executed, meant in zip(at, pair.executed.rows, pair.meant.rows, strict=True):
                if file == path:
                    yield _Step(row, executed, meant, pair)


def _telling(steps: Sequence[_Step]) -> _Step:
    """The update to show of all at one place: the first that is wrong and whole, else the first that is wrong."""
    wrong = [step for step in steps if step.executed != step.meant]
    whole = [step for step in wrong if len(step.executed.weights) == len(step.meant.weights)]
    return (whole or wrong or list(steps))[0]


def _label(step: _Step) -> str:
    return " · ".join(
        f"{name}{was}" if was == meant else f"{name}{was}, meant {meant}"
        for name, was, meant in _facts(step.executed, step.meant)
    )


def _weights(weights: Sequence[Weight]) -> str:
    """`1`, `4 x 1/4`, or `1 + 3 x 1/4` where they differ; a gradient of another window is marked."""
    terms: list[str] = []
    for (text, extra), run in groupby((weight.text(), weight.extra) for weight in weights):
        count = len(list(run))
        terms.append((f"{count} {TIMES} {text}" if count > 1 else text) + (" stale" if extra else ""))
    return " + ".join(terms) or "nothing"


def _facts(executed: Row, meant: Row) -> Iterator[tuple[str, str, str]]:
    """What there is to tell of an update: a name, as executed, as meant."""
    yield "", _weights(executed.weights), _weights(meant.weights)
    if executed.scaled or meant.scaled:
        yield "", _yes("scaled", executed.scaled), _yes("scaled", meant.scaled)
    if executed.clip is not Clip.NONE or meant.clip is not Clip.NONE:
        yield "clip ", executed.clip.value, meant.clip.value
    if executed.all_reduces is not None:
        yield "all-reduce ", _count(executed.all_reduces), _count(meant.all_reduces)
    if executed.scheduler_moves is not None:
        yield "scheduler ", _count(executed.scheduler_moves), _count(meant.scheduler_moves)


def _yes(word: str, holds: bool) -> str:
    return word if holds else f"not {word}"


def _count(number: int | None) -> str:
    return "-" if number is None else str(number)


def _tooltip(step: _Step) -> MarkupContent:
    table = "\n".join(books(step.pair, Style()))
    return MarkupContent(MarkupKind.Markdown, f"```text\n{table}\n```")

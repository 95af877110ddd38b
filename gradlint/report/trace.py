"""A loop as the dry run saw it: its events in order, iteration by iteration, then its books.

train.py:9-21  train
  accumulation_steps = 3 (chosen)

├─ epoch 0
│  ├─ batch 0
│  │  14  forward   model      model(x)
│  │  15  backward             loss.backward()   weight 1
│  ├─ … 2 more like this (batch 1 to 2)
│  └─ batch 3
│     14  forward   model      model(x)
│     15  backward             loss.backward()   weight 1
│     18  step      optimizer  optimizer.step()
└─ … 1 more like this (epoch 1)

An event tells its function unless that is the one in which most of the region happens, and its file unless that is
the one of this function.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from gradlint.model.placed import tail
from gradlint.model.record import dataclass
from gradlint.report.books import books
from gradlint.report.style import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gradlint.model.trace import RegionTrace, ScenarioTrace, TraceEvent
    from gradlint.report.style import Style

_MODULE = "<module>"
_LONGEST = 44
_SHORTEST = 12
_SUBJECT = 24
_BRANCH = 3


@dataclass(frozen=True, slots=True)
class _Iteration:
    """One turn of a loop, and what happened in it."""

    loop: str
    index: int
    body: tuple[_Iteration | TraceEvent, ...]


def render(region: RegionTrace, style: Style) -> str:
    """Draw one region with all its scenarios."""
    head = f"{printable(region.path)}:{_rows(region)}"
    lines = [f"{style.paint(head, 'bold')}  {style.paint(_called(region.name).removesuffix('()'), 'cyan')}"]
    lines += [f"  {name} = {value} (chosen)" for name, value in region.bindings]
    home = _home(region)
    if home.function != region.name or home.path:
        place = f"  in {_called(home.function)}" + (f" of {home.named(home.path)}" if home.path else "")
        lines.append(place + ("" if home.alone else " where nothing else is said"))
    for note in region.notes:
        lines += wrap(f"note: {printable(note)}", style.width, initial_indent="  ", subsequent_indent="        ")
    for number, scenario in enumerate(region.scenarios, 1):
        lines += ["", *_scenario(scenario, number, len(region.scenarios), home, style)]
    return "\n".join(lines) + "\n"


def _rows(region: RegionTrace) -> str:
    """`9-21`, and in a notebook `cell 3:9-21`."""
    if region.cell is None:
        return f"{region.row}-{region.end_row}"
    end = f"cell {region.end_cell}:" if region.end_cell != region.cell else ""
    return f"cell {region.cell}:{region.row}-{end}{region.end_row}"


@dataclass(frozen=True, slots=True)
class _Home:
    """The function in which most events happen, its file if that is not the region's, and whether all do.

    `paths` are all files in which anything happens.
    """

    function: str
    path: str
    alone: bool
    paths: tuple[str, ...]

    def named(self, path: str) -> str:
        """A file's name, as short as it is clear."""
        return printable(tail(path or self.paths[0], *self.paths))

    def row(self, event: TraceEvent) -> str:
        """Where an event happens: its row, in another file than this with that."""
        if event.path != self.path:
            return f"{self.named(event.path)}:{event.row}"
        return str(event.row) if event.cell is None else f"{event.cell}:{event.row}"


def _home(region: RegionTrace) -> _Home:
    """Where most of a region happens."""
    events = [event for scenario in region.scenarios for event in scenario.events]
    functions = Counter((event.function or region.name, event.path) for event in events)
    function, path = max(functions, key=lambda one: functions[one], default=(region.name, ""))
    paths = dict.fromkeys([region.path, *(event.path for event in events if event.path)])
    return _Home(function, path, len(functions) < 2, tuple(paths))


def _called(function: str) -> str:
    return "module body" if function == _MODULE else f"{function}()"


def _scenario(scenario: ScenarioTrace, number: int, total: int, home: _Home, style: Style) -> Iterator[str]:
    assumed = ", ".join(f"{guard} = {str(value).lower()}" for guard, value in scenario.decisions)
    name = f"scenario {number} of {total}" if total > 1 else ""
    if name or assumed:
        assuming = f"assuming {assumed}" if assumed else ""
        whole = printable(": ".join(filter(None, (name, assuming))))
        yield from (style.paint(line, "bold") for line in wrap(whole, style.width, subsequent_indent="  "))
    yield from _tree(_nest(scenario.events, 0), "", _Columns.of(scenario.events, home, style.width), style)
    for pair in scenario.ledgers:
        yield ""
        yield from books(pair, style)


def _nest(events: Sequence[TraceEvent], depth: int) -> tuple[_Iteration | TraceEvent, ...]:
    """Group consecutive events by the iteration of the loop at `depth`."""
    out: list[_Iteration | TraceEvent] = []
    for iteration, group in groupby(events, key=lambda e: e.stamp[depth : depth + 1]):
        if iteration:
            loop, index = iteration[0]
            out.append(_Iteration(loop, index, _nest(tuple(group), depth + 1)))
        else:
            out += group
    return tuple(out)


def _likeness(node: _Iteration | TraceEvent) -> tuple[object, ...]:
    """Equal for two iterations that do the same."""
    if isinstance(node, _Iteration):
        return (node.loop, *map(_likeness, node.body))
    return (node.kind, node.path, node.cell, node.row, node.column, node.subject, node.detail, node.function)


def _tree(nodes: Sequence[_Iteration | TraceEvent], lead: str, columns: _Columns, style: Style) -> Iterator[str]:
    """The lines of `nodes`; equal turns of a loop that follow each other are shown once."""
    runs = [tuple(run) for _, run in groupby(nodes, key=_likeness)]
    for position, run in enumerate(runs):
        first, last = run[0], position == len(runs) - 1
        if not isinstance(first, _Iteration):
            yield from (columns.line(e, lead, style) for e in run if not isinstance(e, _Iteration))
            continue
        end = "└─ " if last else "├─ "
        branch, below = (end, "   ") if last and len(run) == 1 else ("├─ ", "│  ")
        yield style.glyphs(lead + branch) + style.paint(f"{_loop(first)} {first.index}", "bold")
        yield from _tree(first.body, lead + below, columns, style)
        if len(run) > 1:
            yield style.glyphs(lead + end) + style.paint(style.glyphs(_more(run)), "dim")


def _loop(iteration: _Iteration) -> str:
    """What a loop is called; one that is neither of epochs nor of batches is just a loop."""
    return "loop" if iteration.loop == "other" else iteration.loop


def _more(run: Sequence[_Iteration | TraceEvent]) -> str:
    """What stands for all iterations of `run` but the first."""
    iterations = [node for node in run if isinstance(node, _Iteration)]
    last = f" to {iterations[-1].index}" if len(iterations) > 2 else ""
    return f"… {len(iterations) - 1} more like this ({_loop(iterations[0])} {iterations[1].index}{last})"


@dataclass(frozen=True, slots=True)
class _Columns:
    """How wide the columns of a scenario's events are, and the function that need not be told."""

    row: int
    kind: int
    subject: int
    source: int
    home: _Home

    @classmethod
    def of(cls, events: Sequence[TraceEvent], home: _Home, width: int) -> _Columns:
        """Columns for `events`; the source gets what a page of `width` leaves it."""
        row = _widest(map(home.row, events), 9 if len(home.paths) < 2 else width // 4)
        kind = _widest((event.kind for event in events), 20)
        subject = _widest((_subject(event) for event in events), min(_SUBJECT, width // 5))
        lead = _BRANCH * max((len(event.stamp) for event in events), default=0)
        remark = _widest((_remark(event, home) for event in events), width)
        room = width - lead - row - kind - subject - remark - 8
        source = _widest((_snippet(event) for event in events), max(_SHORTEST, min(_LONGEST, room)))
        return cls(row, kind, subject, source, home)

    def line(self, event: TraceEvent, lead: str, style: Style) -> str:
        """One event: row, kind, subject, source, remark."""
        snippet = _short(_snippet(event), self.source)
        remark = _remark(event, self.home)
        cells = [
            style.paint(f"{self.home.row(event):>{self.row}}", "blue"),
            style.paint(f"{event.kind:{self.kind}}", "bold"),
            f"{_short(_subject(event), self.subject):{self.subject}}",
            style.paint(f"{snippet:{self.source}}" if remark else snippet, "dim"),
        ]
        cells += [style.paint(remark, "yellow")] if remark else []
        return style.glyphs(lead + "  ".join(cells))


def _widest(texts: Iterable[str], most: int) -> int:
    return min(most, max(map(len, texts), default=0))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _subject(event: TraceEvent) -> str:
    """What the event acts on; nothing where that is the whole source once more."""
    subject = printable(" ".join(event.subject.split()))
    return "" if subject == _snippet(event) else subject


def _remark(event: TraceEvent, home: _Home) -> str:
    elsewhere = event.function not in ("", home.function)
    place = f"in {_called(event.function)}" if elsewhere else ""
    return ", ".join(filter(None, (event.detail, place)))


def _snippet(event: TraceEvent) -> str:
    return printable(" ".join(event.source.split()))

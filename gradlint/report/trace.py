"""A loop as the dry run saw it: its events in order, iteration by iteration, then its books.

train.py:9-21  train()
  accumulation_steps = 3 (chosen)

epoch 0
├─ batch 0
│  14  forward   model      logits = model(x)
│  15  backward  loss       loss.backward()    weight 1
├─ … 2 more like this (batch 1 to 2)
└─ batch 3
   14  forward   model      logits = model(x)
   15  backward  loss       loss.backward()    weight 1
   18  step      optimizer  optimizer.step()
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from gradlint.report.books import books
from gradlint.report.style import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.report.style import Style
    from gradlint.trace import RegionTrace, TraceEvent, WorldTrace


@dataclass(frozen=True, slots=True)
class _Iteration:
    """One turn of a loop, and what happened in it."""

    loop: str
    index: int
    body: tuple[_Iteration | TraceEvent, ...]


def render(region: RegionTrace, style: Style) -> str:
    """Draw one region with all its worlds."""
    head = f"{printable(region.path)}:{region.row}-{region.end_row}"
    lines = [f"{style.paint(head, 'bold')}  {style.paint(region.name, 'cyan')}"]
    lines += [f"  {name} = {value} (chosen)" for name, value in region.bindings]
    lines += [f"  note: {note}" for note in region.notes]
    for number, world in enumerate(region.worlds, 1):
        lines += ["", *_world(world, number, len(region.worlds), style)]
    return "\n".join(lines) + "\n"


def _world(world: WorldTrace, number: int, total: int, style: Style) -> Iterator[str]:
    assumed = ", ".join(f"{guard} = {str(value).lower()}" for guard, value in world.decisions)
    name = f"world {number} of {total}" if total > 1 else ""
    if name or assumed:
        assuming = f"assuming {assumed}" if assumed else ""
        yield style.paint(": ".join(filter(None, (name, assuming))), "bold")
    yield from _tree(_nest(world.events, 0), "", _Columns.of(world.events), style)
    for pair in world.ledgers:
        yield ""
        yield from books(pair, style)


def _nest(events: Sequence[TraceEvent], depth: int) -> tuple[_Iteration | TraceEvent, ...]:
    """Group consecutive events by the iteration of the loop at `depth`."""
    out: list[_Iteration | TraceEvent] = []
    for turn, group in groupby(events, key=lambda e: e.stamp[depth : depth + 1]):
        if turn:
            loop, index = turn[0]
            out.append(_Iteration(loop, index, _nest(tuple(group), depth + 1)))
        else:
            out += group
    return tuple(out)


def _likeness(node: _Iteration | TraceEvent) -> tuple[object, ...]:
    """Equal for two iterations that do the same."""
    if isinstance(node, _Iteration):
        return (node.loop, *map(_likeness, node.body))
    return (node.kind, node.row, node.column, node.subject, node.detail, node.function)


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
        yield style.glyphs(lead + branch) + style.paint(f"{first.loop} {first.index}", "bold")
        yield from _tree(first.body, lead + below, columns, style)
        if len(run) > 1:
            yield style.glyphs(lead + end) + style.paint(style.glyphs(_more(run)), "dim")


def _more(run: Sequence[_Iteration | TraceEvent]) -> str:
    """What stands for all turns of `run` but the first."""
    turns = [node for node in run if isinstance(node, _Iteration)]
    last = f" to {turns[-1].index}" if len(turns) > 2 else ""
    return f"… {len(turns) - 1} more like this ({turns[0].loop} {turns[1].index}{last})"


@dataclass(frozen=True, slots=True)
class _Columns:
    """How wide the columns of a world's events are."""

    row: int
    kind: int
    subject: int
    source: int

    @classmethod
    def of(cls, events: Sequence[TraceEvent]) -> _Columns:
        def widest(texts: list[str], most: int) -> int:
            return min(most, max(map(len, texts), default=0))

        return cls(
            widest([str(event.row) for event in events], 6),
            widest([event.kind for event in events], 20),
            widest([event.subject for event in events], 24),
            widest([_snippet(event) for event in events], 44),
        )

    def line(self, event: TraceEvent, lead: str, style: Style) -> str:
        """One event: row, kind, subject, source, remark."""
        snippet = _snippet(event)
        if len(snippet) > self.source:
            snippet = snippet[: self.source - 1] + "…"
        remarks = [event.detail, f"in {event.function}()" if event.function else ""]
        remark = ", ".join(filter(None, remarks))
        cells = [
            style.paint(f"{event.row:>{self.row}}", "blue"),
            style.paint(f"{event.kind:{self.kind}}", "bold"),
            f"{event.subject:{self.subject}}",
            style.paint(f"{snippet:{self.source}}" if remark else snippet, "dim"),
        ]
        cells += [style.paint(remark, "yellow")] if remark else []
        return style.glyphs(lead + "  ".join(cells))


def _snippet(event: TraceEvent) -> str:
    return printable(" ".join(event.source.split()))

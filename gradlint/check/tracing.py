"""Turns a region's event logs into the plain data that `gradlint trace` draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from gradlint.account.fold import fold
from gradlint.account.ledgers import ledgers
from gradlint.account.names import called, window_names
from gradlint.interpret.explore import Region
from gradlint.model.events import Backward, Clipping, Event, EventLog, Forward, Kind, Opaque, Schedule, Step, Write
from gradlint.model.factor import Factor
from gradlint.model.finding import Span
from gradlint.model.program import Program
from gradlint.model.record import dataclass
from gradlint.model.trace import LedgerPair, RegionTrace, ScenarioTrace, TraceCall, TraceEvent
from gradlint.syntax.source import split_lines

_LONGEST = 60


@dataclass(slots=True)
class Files:
    """The files of a program: what they are called, and their lines."""

    program: Program
    read: Callable[[str], str]
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def path(self, span: Span) -> str:
        """The file of a place, where that is not the main one."""
        return "" if span.module == self.program.main.number else self.program.module(span.module).path

    def several(self, log: EventLog) -> bool:
        """Whether anything happens in another file than the main one."""
        return any(event.span.module != self.program.main.number for event in log.events)

    def call(self, span: Span) -> TraceCall:
        """A call, as the source has it."""
        path = self.program.module(span.module).path
        if path not in self._lines:
            self._lines[path] = split_lines(self.read(path))
        rows = self._lines[path][span.row - 1 : span.row]
        code = rows[0][span.column - 1 : span.end_column - 1 if span.end_row == span.row else None] if rows else ""
        callee, called, _ = code.strip().partition("(")
        return TraceCall(path, span.row, span.column, f"{callee[:_LONGEST]}(...)" if called else callee[:_LONGEST])


def trace_region(region: Region, files: Files) -> RegionTrace:
    """The trace of one region."""
    plan = region.plan
    span = region.entry.function.span
    notes = sorted(
        {f"cannot follow {event.text}" for log in region.scenarios for event in log.events if event.kind is Kind.OPAQUE}
    )
    bindings = tuple(
        sorted((key, value) for key, value in plan.numbers.bindings.items() if key not in plan.numbers.starts)
    )
    return RegionTrace(
        files.program.path,
        region.entry.name,
        span.row,
        span.end_row,
        bindings,
        tuple(_scenario(log, region, files) for log in region.scenarios if log.events),
        tuple(notes[:8]),
    )


def _scenario(log: EventLog, region: Region, files: Files) -> ScenarioTrace:
    names = window_names((*region.plan.numbers.windows, *region.plan.numbers.named))
    pairs = tuple(LedgerPair(*ledgers(book)) for book in fold(log, names, region.plan.window))
    several = files.several(log)
    events = tuple(
        _event(event, files, several=several) for event in log.events if event.kind not in (Kind.KEEP, Kind.EPOCH)
    )
    return ScenarioTrace(tuple(sorted(log.decisions.items())), events, pairs)


def _event(event: Event, files: Files, *, several: bool) -> TraceEvent:
    stamp = tuple((iteration.kind, iteration.number) for iteration in event.stamp)
    return TraceEvent(
        event.kind.value,
        event.span.row,
        event.span.column,
        "" if isinstance(event.detail, Write) else event.text,
        called(event.subject) if event.kind is not Kind.BACKWARD else "",
        _detail(event),
        stamp,
        event.function,
        path=files.path(event.span),
        calls=tuple(map(files.call, event.calls)) if several else (),
    )


def _detail(event: Event) -> str:
    detail = event.detail
    if isinstance(detail, Backward):
        return _of_backward(detail)
    if isinstance(detail, Step):
        return "" if detail.via == "plain" else f"via {detail.via}"
    if isinstance(detail, Clipping):
        parts = ["only measures"] if detail.infinite else []
        parts += ["nothing left in the iterator"] if detail.exhausted else []
        return ", ".join(parts)
    if isinstance(detail, Forward):
        parts = [detail.autocast] if detail.autocast else []
        parts += ["no_sync"] if detail.no_sync else []
        parts += [] if detail.attached else ["no_grad"]
        return ", ".join(parts)
    if isinstance(detail, Schedule):
        return "to a given position" if detail.positional else ""
    if isinstance(detail, Write):
        return f"gradients times {_number(detail.factor)}"
    if isinstance(detail, Opaque):
        return "may touch gradients"
    return ""


def _number(factor: Factor) -> str:
    return "?" if factor.weight is None else str(factor.weight)


def _of_backward(detail: Backward) -> str:
    parts = [f"weight {_number(detail.factor)}"]
    if detail.scaled_by:
        parts.append("scaled")
    if detail.synced is True:
        parts.append("all-reduce")
    elif detail.synced is False:
        parts.append("no all-reduce")
    return ", ".join(parts)

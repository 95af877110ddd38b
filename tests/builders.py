"""Small findings, rows and traces for the tests of whatever shows them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gradlint.model.finding import (
    Confidence,
    Edit,
    Evidence,
    Finding,
    Fix,
    Related,
    Report,
    Safety,
    Severity,
    Span,
)
from gradlint.model.ledger import Clip, Ledger, Row, Weight
from gradlint.model.trace import LedgerPair, RegionTrace, ScenarioTrace, TraceEvent

LOOP = """\
for batch in loader:
    optimizer.zero_grad()
    loss = model(batch)
    loss.backward()
    optimizer.step()
    clip_grad_norm_(model.parameters(), 1.0)
    log(loss)
"""


def span(source: str, piece: str) -> Span:
    """Where `piece` first stands in `source`."""
    before, _, _ = source.partition(piece)
    row, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Span(row, column, row, column + len(piece))


def weights(*values: str | int | None, first: int = 1) -> tuple[Weight, ...]:
    """Weights of micro-batches `g<first>`, `g<first + 1>`, ..."""
    return tuple(
        Weight(f"g{number}", None if value is None else Fraction(value)) for number, value in enumerate(values, first)
    )


def finding(**changes: Any) -> Finding:
    """A clip after the step of `LOOP`, with everything that a finding can carry."""
    clip, step = (
        span(LOOP, "clip_grad_norm_(model.parameters(), 1.0)"),
        span(LOOP, "optimizer.step()"),
    )
    values: dict[str, Any] = {
        "rule": "clip-after-step",
        "category": "clipping",
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "path": "train.py",
        "span": clip,
        "message": "The gradient is clipped after `optimizer.step()` on line 5 has consumed it.",
        "why": "The step reads `.grad` before the clip changes it.",
        "impact": "Every update is unclipped: one bad batch can move the weights without bound.",
        "evidence": Evidence(
            "optimizer",
            1,
            Row(1, weights(1), clip=Clip.LATE, scheduler_moves=1),
            Row(1, weights(1), clip=Clip.RIGHT, scheduler_moves=1),
        ),
        "related": (Related(step, "spends the gradient"),),
        "fix": Fix(Safety.SAFE, "move the clip before the step", (Edit(clip, ""),)),
    }
    return Finding(**(values | changes))


def report(*findings: Finding, **changes: Any) -> Report:
    """A report on one file with one loop."""
    values: dict[str, Any] = {"problems": (), "files": 1, "regions": 1}
    return Report(findings=findings, **(values | changes))


def read(path: str, cell: int | None) -> str:
    """The text of every file: `LOOP`."""
    return LOOP


def event(kind: str, piece: str, *stamp: tuple[str, int], detail: str = "") -> TraceEvent:
    """An event at `piece` of `LOOP`."""
    place = span(LOOP, piece)
    subject = {"backward": "loss", "forward": "model"}.get(kind, "optimizer")
    return TraceEvent(kind, place.row, place.column, piece, subject, detail, stamp)


def region(**changes: Any) -> RegionTrace:
    """Two epochs of three batches; the third differs."""
    events = []
    for epoch in range(2):
        for batch in range(3):
            stamp = (("epoch", epoch), ("batch", batch))
            events += [
                event("forward", "model(batch)", *stamp),
                event("backward", "loss.backward()", *stamp, detail="weight 1"),
            ]
        events.append(event("step", "optimizer.step()", ("epoch", epoch), ("batch", 2)))
    executed = (
        Row(1, weights(1, 1, 1), clip=Clip.LATE),
        Row(2, weights("1/3", "1/3", "1/3", first=4), clip=Clip.RIGHT),
    )
    third = ("1/3", "1/3", "1/3")
    meant = (
        Row(1, weights(*third), clip=Clip.RIGHT),
        Row(2, weights(*third, first=4), clip=Clip.RIGHT),
    )
    pair = LedgerPair(Ledger("optimizer", (3,), executed), Ledger("optimizer", (3,), meant))
    values: dict[str, Any] = {
        "path": "train.py",
        "name": "train",
        "row": 1,
        "end_row": 7,
        "bindings": (("accumulation_steps", 3),),
        "scenarios": (ScenarioTrace((("use_amp", True),), tuple(events), (pair,)),),
        "notes": (),
    }
    return RegionTrace(**(values | changes))

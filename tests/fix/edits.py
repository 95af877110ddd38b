"""Edits carried out on small texts, named by the pieces they are about.

    done("a()\\nb()\\n", Move((at("a()"),), at("b()"), after=True))

`at` stands for the place of the first (or a later) copy of a piece; it becomes a `Span` once the text
is known.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import pytest

from gradlint.fix.layout import Crowded, Layout, Refused, carry_out
from gradlint.fix.realise import realise
from gradlint.fix.unfold import spread
from gradlint.fix.work import Work
from gradlint.model.edits import Change, Repair
from gradlint.model.finding import Edit, Span
from gradlint.syntax.source import split_lines


@dataclass(frozen=True)
class At:
    """The place of a piece of the text; `number` counts its copies from 0."""

    piece: str
    number: int = 0


def at(piece: str, number: int = 0) -> Any:
    return At(piece, number)


def place(text: str, piece: At) -> Span:
    start = -1
    for _ in range(piece.number + 1):
        start = text.index(piece.piece, start + 1)
    return Span(*_position(text, start), *_position(text, start + len(piece.piece)))


def _position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset].replace("\r\n", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _placed(text: str, change: Change) -> Change:
    """The edit with spans for pieces."""
    given: dict[str, Any] = {field.name: getattr(change, field.name) for field in fields(change)}
    for name, value in given.items():
        if isinstance(value, At):
            given[name] = place(text, value)
        elif isinstance(value, tuple):
            given[name] = tuple(place(text, one) if isinstance(one, At) else one for one in value)
        elif is_dataclass(value):
            given[name] = _placed(text, value)  # type: ignore[arg-type]
    return replace(change, **given)


def done(text: str, *changes: Change) -> str:
    """The text after the edits of one repair; crowded lines are spread as often as it takes."""
    for _ in range(9):
        layout = Layout(text)
        repair = Repair("Mend it", tuple(_placed(text, change) for change in changes))
        try:
            after = carry_out(text, realise(Work(layout), repair))
        except Crowded as crowded:
            text = spread(layout, crowded.statement)
            continue
        Layout(after)  # it still parses
        return after
    raise AssertionError("spreading does not end")


def refused(text: str, *changes: Change) -> str:
    """Why the edits cannot be carried out."""
    with pytest.raises(Refused) as refusal:
        done(text, *changes)
    return str(refusal.value)


def carried_out(text: str, edits: tuple[Edit, ...]) -> str:
    """What an editor makes of a fix."""
    lines = split_lines(text)
    starts = [sum(map(len, lines[:row])) for row in range(len(lines) + 1)]
    for edit in reversed(edits):
        span = edit.span
        start, end = starts[span.row - 1] + span.column - 1, starts[span.end_row - 1] + span.end_column - 1
        text = text[:start] + edit.content + text[end:]
    return text

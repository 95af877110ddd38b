"""Texts for the editor."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol.types import Position, Range, TextEdit

HEAD = """\
import torch
from torch.nn.utils import clip_grad_norm_


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
"""
LATE = HEAD + "        optimizer.step()\n        clip_grad_norm_(model.parameters(), 1.0)\n"
"""The clip comes after the step, on line 11."""

RIGHT = HEAD + "        clip_grad_norm_(model.parameters(), 1.0)\n        optimizer.step()\n"

WINDOW = """\
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    for i, batch in enumerate(loader):
        model(batch).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
"""Four gradients are added and never divided; the tail is dropped, which is another mistake."""


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after an editor has applied edits, counting as UTF-16 does."""
    data = text.encode("utf-16-le")
    lines = text.split("\n")

    def at(position: Position) -> int:
        before = "".join(f"{line}\n" for line in lines[: position.line])
        line = lines[position.line].encode("utf-16-le") if position.line < len(lines) else b""
        return len(before.encode("utf-16-le")) + min(2 * position.character, len(line))

    def start(edit: TextEdit) -> int:
        return at(edit.range.start)

    for edit in sorted(edits, key=start, reverse=True):
        data = data[: at(edit.range.start)] + edit.new_text.encode("utf-16-le") + data[at(edit.range.end) :]
    return data.decode("utf-16-le")


def line(number: int) -> Range:
    """The beginning of a 0-based line, where a cursor stands."""
    return Range(Position(number, 0), Position(number, 80))


EVERYWHERE = Range(Position(0, 0), Position(999, 0))

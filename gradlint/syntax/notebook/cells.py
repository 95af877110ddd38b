"""From the text of a notebook to its code cells, each with the place of its source in the text."""

from __future__ import annotations

import json
import re
from json.decoder import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any

from gradlint.model.record import dataclass
from gradlint.syntax.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

_PYTHON = {"python", "ipython", "python3", "ipython3"}
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """One string of a cell's source: what it says, and where its quotes are in the file's text."""

    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One code cell: its number among all cells, from 1, its first row in the program, and its source in the file."""

    number: int
    row: int
    start: int
    end: int
    pieces: tuple[Piece, ...]
    listed: bool

    @property
    def source(self) -> str:
        """What the cell says."""
        return "".join(piece.value for piece in self.pieces)


def code_cells(text: str) -> Iterator[Cell]:
    """The code cells of a notebook; none of one in another language."""
    whole = _loaded(text)
    if not _speaks_python(whole):
        return
    for number, (kind, start, end, pieces) in enumerate(_Reader(text).cells(), 1):
        if kind == "code":
            yield Cell(number, 0, start, end, tuple(pieces), text[start] == "[")


def _loaded(text: str) -> dict[str, Any]:
    """The notebook as JSON has it.

    Raises:
        SourceError: it is none.
    """
    if not text.strip():
        raise SourceError("is empty, and not a notebook; save it once with Jupyter")
    try:
        whole = json.loads(text)
    except JSONDecodeError as error:
        raise SourceError(
            f"is not a notebook: not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise SourceError("is not a notebook: its JSON nests too deeply") from None
    if isinstance(whole, dict) and "worksheets" in whole:
        raise SourceError("is a notebook of an old format (3); open it with Jupyter and save it")
    if not isinstance(whole, dict) or not isinstance(whole.get("cells"), list):
        raise SourceError("is not a notebook: it has no list of cells")
    for number, cell in enumerate(whole["cells"], 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise SourceError(f"is not a notebook: cell {number} has no type")
        source = cell.get("source", "")
        if not isinstance(source, str) and not (isinstance(source, list) and all(isinstance(s, str) for s in source)):
            raise SourceError(f"is not a notebook: the source of cell {number} is no text")
    return whole


def _speaks_python(whole: dict[str, Any]) -> bool:
    """Whether the kernel is Python's, as it is where nothing is said."""
    metadata = whole.get("metadata")
    if not isinstance(metadata, dict):
        return True
    said = (metadata.get("language_info"), "name"), (metadata.get("kernelspec"), "language")
    names = [str(part.get(key) or "").lower() for part, key in said if isinstance(part, dict)]
    return not any(names) or any(name in _PYTHON for name in names)


class _Reader:
    """Finds the sources of cells in the text of a notebook that is known to be one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.decoder = JSONDecoder()

    def cells(self) -> Iterator[tuple[str, int, int, list[Piece]]]:
        """(type, start, end, pieces) of each cell's source."""
        for key, start in self._members(self._skip(0)):
            if key == "cells":
                yield from (self._cell(at) for at in self._items(start))

    def _cell(self, at: int) -> tuple[str, int, int, list[Piece]]:
        kind, place, pieces = "", (at, at), list[Piece]()
        for key, start in self._members(at):
            if key == "cell_type":
                kind = self.decoder.raw_decode(self.text, start)[0]
            elif key == "source":
                place = (start, self._end(start))
                pieces = (
                    [self._piece(one) for one in self._items(start)]
                    if self.text[start] == "["
                    else [self._piece(start)]
                )
        return kind, *place, pieces

    def _piece(self, at: int) -> Piece:
        value, end = self.decoder.raw_decode(self.text, at)
        return Piece(value, at, end)

    def _end(self, at: int) -> int:
        return self.decoder.raw_decode(self.text, at)[1]

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def _members(self, at: int) -> Iterator[tuple[str, int]]:
        """(key, start of its value) of an object at `at`."""
        for start in self._items(at):
            key, end = self.decoder.raw_decode(self.text, start)
            yield key, self._skip(self._skip(end) + 1)

    def _items(self, at: int) -> Iterator[int]:
        """Where the items of a list, or the keys of an object, begin."""
        closing, members = "]}"[self.text[at] == "{"], self.text[at] == "{"
        at = self._skip(at + 1)
        while self.text[at] != closing:
            yield at
            at = self._skip(self._end(at))
            if members:
                at = self._skip(self._end(self._skip(at + 1)))
            at = self._skip(at + 1) if self.text[at] == "," else at


def escaped(quoted: str, length: int) -> str:
    """The first `length` characters of a JSON string, as they are escaped in it."""
    at = 1
    for _ in range(length):
        if at >= len(quoted) - 1:
            break
        step = (6 if quoted[at + 1] == "u" else 2) if quoted[at] == "\\" else 1
        pair = quoted[at : at + 12]
        at += 12 if re.fullmatch(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..", pair) else step
    return quoted[1:at]

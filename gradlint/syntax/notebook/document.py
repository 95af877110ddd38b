"""Notebooks: the code cells of a `.ipynb` file as one program, and that program's changes back into the file.

    bytes ──► cells, each with the place of its source in the file ──► program ──► rows back to cells

The program has every row that the code cells have, in order. Magics and shell lines become statements
that do nothing, with a number by which they are found again; a cell in another language becomes as many
comments. Outside the source of a changed cell no byte of the file changes, and inside of it no line that
did not change.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from gradlint.model.finding import Span
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass
from gradlint.syntax.notebook.cells import Cell, code_cells, escaped
from gradlint.syntax.notebook.magics import numbers, program_of, restored
from gradlint.syntax.source import DepthError, SourceError, parse, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE = re.compile(r"`[^`]*`|\bline (?P<row>\d+)\b")


@dataclass(frozen=True)
class Notebook:
    """A notebook's text, its code cells, their program, and the lines that were replaced in it, by number."""

    text: str
    cells: tuple[Cell, ...]
    program: str
    magics: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Notebook:
        """Read a notebook.

        Raises:
            SourceError: it is no notebook.
        """
        cells: list[Cell] = []
        programs: list[str] = []
        magics: list[str] = []
        row = 1
        for cell in code_cells(text):
            program = program_of(cell.source, magics)
            cells.append(replace(cell, row=row))
            programs.append(program)
            row += len(split_lines(program))
        return cls(text, tuple(cells), "".join(programs), tuple(magics))

    def cell_at(self, row: int) -> Cell | None:
        """The cell that a row of the program is in; the last one for what comes after."""
        return self.cells[max(0, bisect_right(self._rows, row) - 1)] if self.cells else None

    def locate(self, span: Span) -> tuple[int | None, Span]:
        """The number of the cell that a span of the program begins in, and the span in that cell."""
        cell = self.cell_at(span.row)
        if cell is None:
            return None, span
        above = cell.row - 1
        return cell.number, span._replace(row=span.row - above, end_row=span.end_row - above)

    def told(self, text: str, here: int | None) -> str:
        """A message with rows of cells: `line 3`, or `line 3 of cell 5` for another cell than `here`."""

        def row(match: re.Match[str]) -> str:
            cell = self.cell_at(int(match["row"])) if match["row"] else None
            if cell is None:
                return match[0]
            inside = f"line {int(match['row']) - cell.row + 1}"
            return inside if cell.number == here else f"{inside} of cell {cell.number}"

        return _LINE.sub(row, text)

    def row(self, row: int) -> tuple[int | None, int]:
        """The cell of a row of the program, and the row in it."""
        cell = self.cell_at(row)
        return (None, row) if cell is None else (cell.number, row - cell.row + 1)

    def in_program(self, number: int | None, span: Span) -> Span:
        """The span in the program, of one in a cell."""
        above = self.cell(number).row - 1
        return span._replace(row=span.row + above, end_row=span.end_row + above)

    def in_file(self, number: int | None, span: Span) -> Span:
        """The span in the file itself, of one in a cell."""
        cell = self.cell(number)
        start = self._position(self._offset(cell, span.row, span.column))
        end = self._position(self._offset(cell, span.end_row, span.end_column))
        return Span(*start, *max(start, end))

    def cell(self, number: int | None) -> Cell:
        """The code cell of that number."""
        return next(cell for cell in self.cells if cell.number == number)

    def replaced(self, program: str) -> str:
        """The notebook's text with another program.

        Raises:
            SourceError: a change does not keep to one cell, or touches a magic.
        """
        text = self.text
        for cell, source in reversed(list(zip(self.cells, self._sources(program), strict=True))):
            if source != cell.source:
                text = text[: cell.start] + self._written(cell, source) + text[cell.end :]
        return text

    def broken(self) -> str:
        """Which cell is not Python, and why; empty where all are."""
        for cell in self.cells:
            try:
                parse(self._own(cell))
            except DepthError:
                continue
            except SourceError as error:
                return f"cell {cell.number} {error.message}"
        return ""

    @cached_property
    def _rows(self) -> list[int]:
        return [cell.row for cell in self.cells]

    @cached_property
    def _numbers(self) -> list[int]:
        return [cell.number for cell in self.cells]

    @cached_property
    def _lines(self) -> list[str]:
        return split_lines(self.program)

    @cached_property
    def _breaks(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def _position(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self._breaks, offset)
        return row, offset - self._breaks[row - 1] + 1

    def _offset(self, cell: Cell, row: int, column: int) -> int:
        """Where a character of a cell stands in the file's text."""
        lines = split_lines(cell.source)
        at = sum(len(line) for line in lines[: row - 1]) + column - 1
        for piece in cell.pieces:
            if at < len(piece.value) or piece is cell.pieces[-1]:
                return piece.start + 1 + len(escaped(self.text[piece.start : piece.end], at))
            at -= len(piece.value)
        return cell.start

    def _sources(self, program: str) -> list[str]:
        """The cells' sources in a changed program."""
        old, new = self._lines, split_lines(program)
        parts: list[list[str]] = [[] for _ in self.cells]
        index = {cell.number: number for number, cell in enumerate(self.cells)}
        for first, last, start, end in _hunks(old, new):
            if old[first:last] == new[start:end]:
                for row in range(first, last):
                    parts[index[self._number(row + 1)]].append(old[row])
            else:
                parts[index[self._changed(first, last, new[start:end])]] += new[start:end]
        return [self._with_magics(cell, "".join(lines)) for cell, lines in zip(self.cells, parts, strict=True)]

    def _number(self, row: int) -> int:
        cell = self.cell_at(row)
        assert cell is not None
        return cell.number

    def _changed(self, first: int, last: int, lines: Sequence[str]) -> int:
        """The cell in which rows `first` to `last`, counted from 0, become `lines`."""
        if first == last:  # between two cells an indented line goes on with the first
            indented = any(line[:1] in (" ", "\t") for line in lines[:1])
            return self._number(max(1, first)) if indented or first >= len(self._lines) else self._number(first + 1)
        numbers = {self._number(row + 1) for row in range(first, last)}
        if len(numbers) > 1:
            raise SourceError("not repaired: the repair would change two cells as one; repair it by hand")
        return numbers.pop()

    def _with_magics(self, cell: Cell, program: str) -> str:
        """A cell's source, of its program: magics are themselves again, and no line end is added at the end."""
        if numbers(program) != numbers(self._own(cell)):
            raise SourceError("not repaired: the repair would move a magic; repair it by hand")
        source = restored(program, self.magics)
        return source if cell.source.endswith("\n") or not source.endswith("\n") else source[:-1]

    def _own(self, cell: Cell) -> str:
        """The part of the program that is a cell's."""
        after = bisect_right(self._numbers, cell.number)
        end = self.cells[after].row - 1 if after < len(self.cells) else len(self._lines)
        return "".join(self._lines[cell.row - 1 : end])

    def _written(self, cell: Cell, source: str) -> str:
        """A changed source as JSON, in the form that the cell has."""
        text = self.text
        plain = "\\u" not in text
        if not cell.listed:
            return json.dumps(source, ensure_ascii=not plain)
        known = {piece.value: text[piece.start : piece.end] for piece in cell.pieces}
        lines = split_lines(source)
        values = [known.get(line) or json.dumps(line, ensure_ascii=not plain) for line in lines]
        if not values or not cell.pieces:
            return f"[{', '.join(values)}]"
        head = text[cell.start : cell.pieces[0].start]
        between = text[cell.pieces[0].end : cell.pieces[1].start] if len(cell.pieces) > 1 else f",{head[1:] or ' '}"
        return head + between.join(values) + text[cell.pieces[-1].end : cell.end]


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """(first, last, start, end): what becomes of stretches of lines; equal beginnings and ends are never searched."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    yield 0, head, 0, head
    between = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    for _, first, last, start, end in between.get_opcodes():
        yield first + head, last + head, start + head, end + head
    yield len(old) - tail, len(old), len(new) - tail, len(new)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """With how many equal lines both begin."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(old), len(new)))

"""Columns of the protocol: code units of UTF-16, UTF-8 or UTF-32, where gradlint counts characters."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol.types import Position, PositionEncodingKind

from gradlint.syntax.source import split_lines

Encoding = PositionEncodingKind
_UNITS = {Encoding.Utf8: ("utf-8", 1), Encoding.Utf16: ("utf-16-le", 2), Encoding.Utf32: ("utf-32-le", 4)}


def width(text: str, encoding: Encoding) -> int:
    """How many code units `text` takes."""
    if text.isascii():
        return len(text)
    codec, size = _UNITS[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def index(line: str, units: int, encoding: Encoding) -> int:
    """How many characters of `line` stand before a column in code units.

    A column within a character is taken for its beginning, one past the end for the end.
    """
    if line.isascii():
        return min(units, len(line))
    room = units
    for number, char in enumerate(line):
        room -= width(char, encoding)
        if room < 0:
            return number
    return len(line)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text without their ends, and the encoding that columns are counted in.

    A text that ends in a line feed has an empty last line, as every editor shows it.
    """

    rows: tuple[str, ...]
    encoding: Encoding

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> Lines:
        """The lines of `text`: what Python and the protocol take for one, which is less than `splitlines` does."""
        rows = split_lines(text)
        if not rows or rows[-1].endswith(("\n", "\r")):
            rows.append("")
        return cls(tuple(row.rstrip("\r\n") for row in rows), encoding)

    def position(self, row: int, column: int) -> Position:
        """The protocol's position of a 1-based place.

        A place past the end is the end; one past a line's end, so behind its line feed, is the next line.
        """
        if row <= len(self.rows) and column > len(self.rows[row - 1]) + 1:
            row, column = row + 1, 1
        if row > len(self.rows):
            return self.end()
        return Position(row - 1, width(self.rows[row - 1][: column - 1], self.encoding))

    def place(self, position: Position) -> tuple[int, int]:
        """The 1-based row and column, in characters, of a protocol's position."""
        if position.line >= len(self.rows):
            return len(self.rows), len(self.rows[-1]) + 1
        return position.line + 1, index(self.rows[position.line], position.character, self.encoding) + 1

    def end(self) -> Position:
        """The position behind the last character."""
        return Position(len(self.rows) - 1, width(self.rows[-1], self.encoding))

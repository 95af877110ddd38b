"""What is checked as one program: a file, or the code cells of a notebook one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lsprotocol.types import Location, NotebookCellKind, Position, Range
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from gradlint.model.finding import Span
from gradlint.server.documents import Document
from gradlint.server.lines import Encoding, Lines
from gradlint.syntax.notebook import as_python
from gradlint.syntax.source import split_lines

PYTHON = ("python", "", None)


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a unit; its first row is the unit's row `start` + 1."""

    uri: str
    version: int | None
    start: int
    lines: Lines

    @property
    def end(self) -> int:
        """The unit's row of the last line."""
        return self.start + len(self.lines.rows)


@dataclass(frozen=True, slots=True)
class Unit:
    """One program.

    Attributes:
        uri: what the editor calls the file or notebook.
        path: the name that findings carry.
        text: the program.
        parts: where it stands; more than one in a notebook.
        magic: the rows that are not as the editor has them, for they are no Python.
    """

    uri: str
    path: str
    text: str
    parts: tuple[Part, ...]
    magic: frozenset[int] = frozenset()

    @property
    def is_file(self) -> bool:
        """Whether it is a file of Python, as a project has them."""
        return self.uri.startswith("file:") and self.path.endswith(".py")

    def part(self, row: int) -> Part:
        """The part that holds a row; the last one for a row past the end."""
        return next((part for part in self.parts if row <= part.end), self.parts[-1])

    def location(self, span: Span) -> Location:
        """Where the editor has a span; one that leaves its part ends with it."""
        part = self.part(span.row)
        start = part.lines.position(span.row - part.start, span.column)
        inside = span.end_row <= part.end
        end = part.lines.position(span.end_row - part.start, span.end_column) if inside else part.lines.end()
        return Location(part.uri, Range(start, end))

    def place(self, uri: str, position: Position) -> tuple[int, int] | None:
        """The unit's row and column of a position in one of its parts."""
        part = next((part for part in self.parts if part.uri == uri), None)
        if part is None:
            return None
        row, column = part.lines.place(position)
        return part.start + row, column


def unit_of(documents: Workspace, uri: str) -> Unit | None:
    """The program to which an open text belongs; `None` where it is none of Python.

    Args:
        documents: what the editor holds.
        uri: a file, a notebook or one of its cells.
    """
    notebook = documents.get_notebook_document(notebook_uri=uri) or documents.get_notebook_document(cell_uri=uri)
    if notebook is not None:
        code = (cell.document for cell in notebook.cells if cell.kind is NotebookCellKind.Code)
        return _of_cells(notebook.uri, [cell for cell in map(documents.get_text_document, code) if _is_python(cell)])
    document = documents.text_documents.get(unquote(uri))
    if document is None or not _is_python(document):
        return None
    text = document.source
    part = Part(document.uri, document.version, 0, Lines.of(text, _encoding(document)))
    return Unit(document.uri, path_of(document.uri), text, (part,))


def units(documents: Workspace) -> Iterator[Unit]:
    """Every open program, each once."""
    seen: set[str] = set()
    for uri in [*documents.notebook_documents, *documents.text_documents]:
        unit = unit_of(documents, uri)
        if unit is not None and unit.uri not in seen:
            seen.add(unit.uri)
            yield unit


def path_of(uri: str) -> str:
    """The file of a URI; the name of one that was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return path or unquote(uri.rpartition("/")[2].rpartition(":")[2]) or "<untitled>"


def _of_cells(uri: str, cells: Sequence[TextDocument]) -> Unit | None:
    parts: list[Part] = []
    rows: list[str] = []
    magic: set[int] = set()
    for cell in cells:
        part = Part(cell.uri, cell.version, len(rows), Lines.of(cell.source, _encoding(cell)))
        code = _plain(part.lines.rows)
        pairs = zip(code, part.lines.rows, strict=True)
        magic |= {part.start + number for number, (new, old) in enumerate(pairs, 1) if new != old}
        rows += code
        parts.append(part)
    return Unit(uri, path_of(uri), "\n".join(rows), tuple(parts), frozenset(magic)) if parts else None


def _plain(rows: Sequence[str]) -> list[str]:
    """The rows of a cell, with a harmless one in place of each that is no Python."""
    code = split_lines(as_python("".join(f"{row}\n" for row in rows)))
    return [row.rstrip("\r\n") for row in code]


def _is_python(document: TextDocument) -> bool:
    return document.language_id in PYTHON


def _encoding(document: TextDocument) -> Encoding:
    assert isinstance(document, Document)
    return document.encoding

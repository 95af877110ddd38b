"""Places in files beside the one that is shown: as the editor holds them, else as the disk does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol.types import Location, Range
from pygls.uris import from_fs_path

from gradlint.server.lines import Encoding, Lines
from gradlint.server.units import path_of

if TYPE_CHECKING:
    from pygls.workspace import TextDocument, Workspace

    from gradlint.model.finding import Span


@dataclass(frozen=True, slots=True)
class Others:
    """All files but one."""

    documents: Workspace

    def location(self, path: str, span: Span) -> Location:
        """Where the editor has a span of a file."""
        open_one = self._open(path)
        encoding = Encoding(self.documents.position_encoding or Encoding.Utf16)
        lines = Lines.of(_on_disk(path) if open_one is None else open_one.source, encoding)
        where = Range(lines.position(span.row, span.column), lines.position(span.end_row, span.end_column))
        return Location(open_one.uri if open_one is not None else from_fs_path(path) or path, where)

    def holds(self, path: str) -> bool:
        """Whether a file is open."""
        return self._open(path) is not None

    def _open(self, path: str) -> TextDocument | None:
        return next((one for one in self.documents.text_documents.values() if path_of(one.uri) == path), None)


def _on_disk(path: str) -> str:
    from gradlint.syntax.source import SourceError, read_text

    try:
        return read_text(Path(path))
    except SourceError:
        return ""

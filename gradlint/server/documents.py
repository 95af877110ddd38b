"""The texts that the editor holds, changed as the protocol says.

pygls counts a form feed and the Unicode separators as line ends and lets an edit past the end of the
last line eat a character. Here a line ends where Python and the protocol say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import PositionEncodingKind
from pygls.protocol import LanguageServerProtocol
from pygls.workspace import TextDocument, Workspace

from gradlint.server.lines import index
from gradlint.syntax.source import split_lines

if TYPE_CHECKING:
    from lsprotocol.types import Position, TextDocumentContentChangePartial


def offset(text: str, position: Position, encoding: PositionEncodingKind) -> int:
    """How many characters of `text` stand before a position."""
    rows = split_lines(text)
    if position.line >= len(rows):
        return len(text)
    line = rows[position.line].rstrip("\r\n")
    return sum(map(len, rows[: position.line])) + index(line, position.character, encoding)


class Document(TextDocument):
    """One open text."""

    @property
    def encoding(self) -> PositionEncodingKind:
        """What the editor counts columns in."""
        return PositionEncodingKind(self.position_codec.encoding or PositionEncodingKind.Utf16)

    def _apply_incremental_change(self, change: TextDocumentContentChangePartial) -> None:
        text = self.source
        start = offset(text, change.range.start, self.encoding)
        end = offset(text, change.range.end, self.encoding)
        self._source = text[:start] + change.text + text[end:]


class Documents(Workspace):
    """All open texts and notebooks."""

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> Document:
        return Document(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self.position_codec,
        )


class Protocol(LanguageServerProtocol):
    """The protocol over `Documents`."""

    @property
    def workspace(self) -> Workspace:
        """The editor's texts."""
        found = super().workspace
        if not isinstance(found, Documents):
            folders = list(found.folders.values())
            found = Documents(found.root_uri, found._sync_kind, folders, found.position_encoding)  # noqa: SLF001
            self._workspace = found
        return found

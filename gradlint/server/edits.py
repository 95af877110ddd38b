"""Repairs as edits of the editor's texts."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from lsprotocol.types import (
    OptionalVersionedTextDocumentIdentifier,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)

from gradlint.model.finding import Edit, Span
from gradlint.syntax.source import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gradlint.server.client import Client
    from gradlint.server.units import Unit


def workspace_edit(unit: Unit, edits: Iterable[Edit], client: Client) -> WorkspaceEdit | None:
    """All edits together, or `None` where one cannot be made.

    Such a one would take a magic with it, or reach from one cell into the next.

    Args:
        unit: what the edits are for, as the editor has it now.
        edits: replacements of stretches of the unit's text.
        client: what the editor understands.
    """
    by_part: dict[str, list[TextEdit]] = {}
    for edit in edits:
        found = _text_edit(unit, edit)
        if found is None:
            return None
        by_part.setdefault(found[0], []).append(found[1])
    if not client.versions:
        return WorkspaceEdit(changes=dict(by_part))
    versions = {part.uri: part.version for part in unit.parts}
    return WorkspaceEdit(
        document_changes=[
            TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), list(changes))
            for uri, changes in by_part.items()
        ]
    )


def between(before: str, after: str) -> tuple[Edit, ...]:
    """The whole lines in which two texts differ, as edits of the first."""
    old, new = split_lines(before), split_lines(after)
    return tuple(
        Edit(Span(first + 1, 1, last + 1, 1), "".join(new[start:end]))
        for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    )


def _text_edit(unit: Unit, edit: Edit) -> tuple[str, TextEdit] | None:
    """The edit of one part, and the part's URI."""
    span, content = edit.span, edit.content
    part = unit.part(span.row)
    last = span.end_row - (span.end_column == 1 and span.end_row > span.row)
    if last > part.end or unit.magic.intersection(range(span.row, last + 1)):
        return None
    start = part.lines.position(span.row - part.start, span.column)
    if span.end_row <= part.end:
        return part.uri, TextEdit(
            Range(start, part.lines.position(span.end_row - part.start, span.end_column)), content
        )
    if part is not unit.parts[-1]:  # the line's end is the join of two cells, which neither of them has
        content = content.removesuffix("\n")
    return part.uri, TextEdit(Range(start, part.lines.end()), content)

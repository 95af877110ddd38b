"""Where a report's reader looks for a file: its name there, and its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradlint.model.finding import Finding, Span
    from gradlint.model.trace import RegionTrace


def _same(path: str) -> str:
    return path


def _as_given(_path: str, _cell: int | None, span: Span) -> Span:
    return span


def _unread(_path: str, _cell: int | None) -> str:
    return ""


def _untraced(_path: str) -> tuple[RegionTrace, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Where:
    """How the files of a report are seen by whoever reads it.

    Attributes:
        name_of: a file's name there, with slashes.
        read: the text of a file, or of one cell of a notebook; empty if it is gone.
        span_of: a place in the file itself, for one that is given in a notebook's cell.
        traces: what the dry run saw in a file.
    """

    name_of: Callable[[str], str] = _same
    read: Callable[[str, int | None], str] = _unread
    span_of: Callable[[str, int | None, Span], Span] = _as_given
    traces: Callable[[str], tuple[RegionTrace, ...]] = _untraced


def elsewhere(finding: Finding, where: Where) -> list[str]:
    """The lines of other files that take part, as the reader knows these: `engine.py:19: scales the loss`."""
    return [f"{where.name_of(one.path)}:{one.span.row}: {one.message}" for one in finding.related if one.path]

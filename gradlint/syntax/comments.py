"""Comments that address gradlint: `# gradlint: ...`, wherever Python sees a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "gradlint:"


def addressed(text: str) -> Iterator[tuple[int, str]]:
    """(row, text) of the comments that address gradlint; of all such lines in a broken file."""
    import tokenize

    rows = rows_of(text)
    try:
        tokens = list(tokenize.generate_tokens(iter(rows).__next__))
    except (tokenize.TokenError, SyntaxError, ValueError):
        lines = list(enumerate(rows, 1))
    else:
        lines = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    yield from ((row, line) for row, line in lines if _speaks(line))


def rows_of(text: str) -> list[str]:
    """The rows of a text, every line end as a line feed."""
    import io

    return list(io.StringIO(text.removeprefix("\ufeff"), newline=None))


def _speaks(text: str) -> bool:
    """Whether a comment speaks to gradlint, rather than about it."""
    import re

    return re.search(rf"#\s*{MARK}", text) is not None

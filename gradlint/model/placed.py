"""Lines in the words of a rule, which knows no file by name: `line 12`, with a mark of its module at first."""

from __future__ import annotations

import os

from gradlint.model.finding import Span
from gradlint.model.pattern import pattern

LINE_MARK = "\x1f"
PLACED = pattern(rf"(?P<line>line \d+){LINE_MARK}(?P<module>\d+){LINE_MARK}")


def line_of(span: Span) -> str:
    """`line 12`; of a module among several, with its mark."""
    mark = f"{LINE_MARK}{span.module}{LINE_MARK}" if span.module else ""
    return f"line {span.row}{mark}"


_PACKAGES = ("__init__.py", "__main__.py")


def tail(path: str, *others: str) -> str:
    """The end of a path, as short as it tells the file from others: `engine.py`, `speech/engine.py`.

    A package's own file is never named without its package.
    """
    parts = path.replace(os.sep, "/").split("/")
    length = 2 if parts[-1] in _PACKAGES else 1
    different = [other.replace(os.sep, "/").split("/") for other in others if other != path]
    while length < len(parts) and any(other[-length:] == parts[-length:] for other in different):
        length += 1
    return "/".join(parts[-length:])

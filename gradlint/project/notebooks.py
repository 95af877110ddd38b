"""The code of a notebook, as far as imports in it are concerned, without reading the pictures beside it."""

from __future__ import annotations

import re

from gradlint.model.pattern import pattern
from gradlint.syntax.notebook.kind import is_notebook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_KIND, _SOURCE = b'"cell_type"', b'"source"'
_CODE = pattern(rb'\s*:\s*"code"')
_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_VALUE = pattern(rb"\s*:\s*(\[(?:\s*%s\s*,)*(?:\s*%s)?\s*\]|%s)" % (_STRING, _STRING, _STRING), re.DOTALL)
_KEEPING = {"%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%mprun", "%%lprun"}
"""Magics of a cell that is Python all the same."""

__all__ = ["code_of", "is_notebook"]


def code_of(data: bytes) -> bytes:
    """The code cells of a notebook, one after the other; nothing of what is no notebook."""
    import json

    try:
        sources = list(_searched(data, json.loads) or _loaded(json.loads(data)))
    except (ValueError, LookupError, TypeError, RecursionError):
        return b""
    return "\n".join(source for source in sources if _python(source)).encode("utf-8", "surrogatepass")


def _searched(data: bytes, loads: Any) -> list[str]:
    """The sources of code cells, if each has one after it is said that it is code; else nothing."""
    kinds = list(_places(data, _KIND))
    found = []
    for at, end in zip(kinds, [*kinds[1:], len(data)], strict=True):
        sources = list(_places(data, _SOURCE, at, end))
        value = _VALUE.match(data, sources[0] + len(_SOURCE), end) if len(sources) == 1 else None
        if value is None:
            return []
        if _CODE.match(data, at + len(_KIND)):
            found.append("".join(loads(value.group(1))))
    return found


def _loaded(whole: Any) -> list[str]:
    return ["".join(cell["source"]) for cell in whole["cells"] if cell["cell_type"] == "code"]


def _places(data: bytes, word: bytes, start: int = 0, end: int | None = None) -> Iterator[int]:
    end = len(data) if end is None else end
    at = data.find(word, start, end)
    while at >= 0:
        yield at
        at = data.find(word, at + 1, end)


def _python(source: str) -> bool:
    first = source.split(None, 1)[:1]
    return not first or not first[0].startswith("%%") or first[0] in _KEEPING

"""Cells as plain Python: magics and shell lines give way to `pass`, row for row."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MAGIC = re.compile(r"\s*(?:%{1,2}[A-Za-z_]|!|\?|[\w.]+\?{1,2}\s*$)")
"""`%magic`, `!command`, `?name` and `name?`; a row that begins with `% ` goes on with a remainder."""

_PYTHON = ("%%time", "%%timeit", "%%capture", "%%prun")
"""Cell magics whose cell is Python all the same."""


def plain(rows: Sequence[str]) -> list[str]:
    """The rows of a cell, with a harmless one in place of each that is no Python."""
    first = next((row for row in rows if row.strip()), "")
    if first.startswith("%%") and not first.startswith(_PYTHON):
        return ["" for _ in rows]
    return [_plain(row) for row in rows]


def _plain(row: str) -> str:
    """The row, or `pass` under the same indentation."""
    if not _MAGIC.match(row):
        return row
    return f"{row[: len(row) - len(row.lstrip())]}pass"

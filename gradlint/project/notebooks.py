"""The code of a notebook, as far as imports in it are concerned, without reading the pictures beside it."""

from __future__ import annotations

from typing import Any

KEEPING = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%mprun", "%%lprun")
"""Magics of a cell that is Python all the same."""


def code_of(data: bytes) -> bytes:
    """The code cells of a notebook, one after the other; nothing of what is no notebook."""
    import json

    try:
        whole: Any = json.loads(data)
        cells = [cell for cell in whole["cells"] if cell["cell_type"] == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, LookupError, TypeError, RecursionError):
        return b""
    return "\n".join(source for source in sources if _python(source)).encode("utf-8", "surrogatepass")


def _python(source: str) -> bool:
    first = source.lstrip()
    return not first.startswith("%%") or first.split(None, 1)[0] in KEEPING

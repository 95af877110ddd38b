"""Which files are notebooks."""

from __future__ import annotations

SUFFIX = ".ipynb"


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook by its name."""
    return path.lower().endswith(SUFFIX)

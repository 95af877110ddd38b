"""Failures of gradlint itself, told like any other problem of a file."""

from __future__ import annotations

import os


def internal(error: Exception) -> str:
    """The message for a failure that is gradlint's own fault.

    Raises:
        Exception: `error` itself, where GRADLINT_DEBUG is set in the environment.
    """
    if os.environ.get("GRADLINT_DEBUG"):
        raise error
    detail = str(error).strip().split("\n", 1)[0]
    return f"internal: {type(error).__name__}" + (f": {detail}" if detail else "")

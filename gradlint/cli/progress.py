"""How far a long run has come: one line on a terminal, which is gone in the end."""

from __future__ import annotations

import sys
import time

PATIENCE = 1.0
"""Seconds after which somebody may wonder."""

PAUSE = 0.1
_WIPE = "\r\x1b[2K"


class Progress:
    """Shows how many of how many files were checked; silent where standard error is no terminal."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def tell(self, done: int, total: int) -> None:
        """So many files have been checked."""
        now = time.monotonic()
        if now < self._next or not sys.stderr.isatty():
            return
        self._next = now + PAUSE
        self._shown = True
        self._write(f"{_WIPE}checking loops: {done} of {total} files")

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write(_WIPE)

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

"""Words: patterns over names, compiled when first asked, that remember what they said.

The dry run asks the same few dozen questions about the same few hundred names, once for every turn of
every loop in every world.
"""

from __future__ import annotations

import re

MAX_KNOWN = 20_000


class Words:
    """A regular expression that is only ever searched for."""

    __slots__ = ("_compiled", "_known", "_pattern")

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._compiled: re.Pattern[str] | None = None
        self._known: dict[str, bool] = {}

    def search(self, text: str) -> bool:
        """Whether the pattern is found in `text`."""
        known = self._known.get(text)
        return self._look(text) if known is None else known

    def _look(self, text: str) -> bool:
        if self._compiled is None:
            self._compiled = re.compile(self._pattern)
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        found = self._known[text] = self._compiled.search(text) is not None
        return found

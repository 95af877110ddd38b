"""Words: patterns over names, compiled when first asked, that remember what they said.

The dry run asks the same few dozen questions about the same few hundred names, once for every iteration of
every loop in every scenario.
"""

from __future__ import annotations

import re

MAX_KNOWN = 20_000


class Words(dict[str, bool]):
    """A regular expression that is only ever searched for; `words[text]` is what `words.search(text)` says."""

    __slots__ = ("_compiled", "_pattern")

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self._pattern = pattern
        self._compiled: re.Pattern[str] | None = None

    def search(self, text: str) -> bool:
        """Whether the pattern is found in `text`."""
        return self[text]

    def __missing__(self, text: str) -> bool:
        """Look, and remember."""
        if self._compiled is None:
            self._compiled = re.compile(self._pattern)
        if len(self) >= MAX_KNOWN:
            self.clear()
        found = self[text] = self._compiled.search(text) is not None
        return found

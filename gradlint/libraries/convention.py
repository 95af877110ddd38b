"""A convention: a pattern over names, which is the weakest evidence, with what speaks for it."""

from __future__ import annotations

import re
from functools import cache

from gradlint.model.record import dataclass

MAX_KNOWN = 20_000


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@dataclass(frozen=True, slots=True, eq=False)
class Convention(dict[str, bool]):
    """A regular expression that is only ever searched for, compiled when first asked; it remembers its answers.

    The machine asks the same few dozen questions about the same few hundred names, once for every iteration of
    every loop in every scenario: `convention[text]` is what `convention.search(text)` says.

    Attributes:
        pattern: what is searched for.
        meaning: what is called like that.
        evidence: where such names come from.
        yes: names that are, with a blank between them.
        no: names that are not, though some look like it.
    """

    pattern: str
    meaning: str
    evidence: str
    yes: str
    no: str

    def search(self, text: str) -> bool:
        """Whether the pattern is found in `text`."""
        return self[text]

    def __missing__(self, text: str) -> bool:
        """Look, and remember."""
        if len(self) >= MAX_KNOWN:
            self.clear()
        found = self[text] = _compiled(self.pattern).search(text) is not None
        return found

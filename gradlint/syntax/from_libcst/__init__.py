"""Source that is newer than the running Python, read through LibCST into the same `ast`.

    text --LibCST--> concrete tree --places, expressions, patterns, statements--> ast.Module

LibCST knows every grammar, whichever Python runs it; importing it costs 200 ms, so it happens only
for a text that `ast.parse` refuses. Nodes, fields and positions are those that `ast.parse` of a
newer Python gives, except for what no rule asks about:

* a `type` statement becomes `pass`, type parameters are left out;
* an f-string or t-string becomes a `JoinedStr` of its expressions, without text and conversions;
* `except*` becomes `Try` where the running Python has no `TryStar`.
"""

from __future__ import annotations

import ast
from itertools import accumulate

from gradlint.syntax.quiet import quiet

_DEEPEST = 200
"""Python refuses deeper brackets, in every version; LibCST's parser would overflow its stack."""


def parse_newer(text: str) -> ast.Module | None:
    """The tree of `text` by LibCST's grammar, or `None` when LibCST cannot read it either."""
    if "\0" in text or _depth(text) > _DEEPEST:
        return None
    import libcst

    from gradlint.syntax.from_libcst.statements import module

    try:
        with quiet():
            return module(libcst.parse_module(text))
    except Exception:  # noqa: BLE001  # LibCST stumbles in many ways over text that nobody means
        return None


def _depth(text: str) -> int:
    """How deep brackets nest at most, those in strings and comments counted too."""
    steps = ((char in "([{") - (char in ")]}") for char in text)
    return max(accumulate(steps), default=0)

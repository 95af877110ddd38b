"""Patterns that are compiled when they are first asked: a program has hundreds, and one file asks half of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["pattern"]

if TYPE_CHECKING:
    from re import compile as pattern
else:

    def pattern(text: str | bytes, flags: int = 0) -> _Pattern:
        """A regular expression, compiled when it is first asked."""
        return _Pattern(text, flags)


_ASKED = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._given: Any = (text, flags)

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._given)
        for asked in _ASKED:
            setattr(self, asked, getattr(compiled, asked))
        return getattr(compiled, name)

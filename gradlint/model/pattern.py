"""Patterns that are compiled when they are first asked: a program has hundreds, and one file asks half of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["pattern"]

if TYPE_CHECKING:
    from re import compile as pattern
else:

    class pattern:  # noqa: N801  # it stands where `re.compile` would
        """A regular expression, compiled when it is first asked."""

        def __init__(self, text: str | bytes, flags: int = 0) -> None:
            self._given = (text, flags)

        def __getattr__(self, name: str) -> Any:
            compiled = re.compile(*self._given)
            for asked in ("search", "match", "fullmatch", "finditer", "findall", "sub", "split"):
                setattr(self, asked, getattr(compiled, asked))
            return getattr(compiled, name)

"""The nearest known name, for every message about an unknown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The member of `known` that `name` most likely means, if any is close."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, sorted(known), n=1, cutoff=0.5)), None)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """A message for an unknown name: `unknown rule 'x'; did you mean 'y'?`."""
    guess = nearest(name, known)
    return f"unknown {what} {name!r}" + (f"; did you mean {guess!r}?" if guess else "")

"""Members of enumerations, made cheap to reach.

Up to Python 3.11, `Role.MODEL` runs Python code that looks the member up, five times as slow as a plain
attribute of a class, and its hash is that of its name, computed anew each time. The dry run names roles and
gates all the time, and looks things up by them.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

_Kind = TypeVar("_Kind", bound=Enum)


def at_hand(kind: type[_Kind]) -> type[_Kind]:
    """Let the members of an enumeration be plain attributes of their class, hashed by what they are."""
    for name, member in kind.__members__.items():
        type.__setattr__(kind, name, member)
    type.__setattr__(kind, "__hash__", object.__hash__)
    return kind

"""What objects and windows are called in the source, from the keys that the machine gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable


def tail(name: str) -> str:
    """The last component of a name or key."""
    return re.split(r"[.\[]", name)[-1].strip("'\"]")


def window_names(windows: Iterable[str]) -> frozenset[str]:
    """What windows are called in a loop: the keys they have, and the last components of these."""
    names = frozenset(windows)
    return names | {tail(name) for name in names}


def called(name: str) -> str:
    """An object's name as the source has it.

    `optimizer` for `optimizer#1`, `Adam` for an unnamed one, `self.optimizer` for what an unnamed
    object of the file's own class holds, `optimizer` for `make(args)['optimizer']`.
    """
    if ")[" in name:
        return tail(name)
    owner, dot, attribute = name.partition(".")
    if dot and owner.startswith("new:"):
        name = f"self.{attribute}"
    return name.removeprefix("new:").split("@")[0].split("#")[0]

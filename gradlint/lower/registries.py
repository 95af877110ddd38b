"""Registries: which names a file fills where it is run, as its text and that of the files around it show it.

hooks/ema.py      @HOOKS.register("ema")       HOOKS, and what any `def register` in reach speaks of
optim/lamb.py     register_optimizer("lamb")   what `def register_optimizer` speaks of: OPTIMIZERS
heads.py          @lru_cache                   nothing: nobody in reach defines that

It says too much now and then, which costs time; never too little, for what is spelled out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.model.pattern import pattern

if TYPE_CHECKING:
    from gradlint.lower.scan import Scan

DEEP = 3
"""A registering function may leave it to another one, and that to a third."""

_REGISTERS = pattern(
    r"^@(?P<decorator>\w[\w.]*)"
    r"|^(?P<filled>\w+)\[[^\]\n]+\][ \t]*="
    r"|^(?P<called>(?:\w+\.)*\w*register\w*)\(",
    re.MULTILINE,
)
"""At the beginning of a line: a decorator, an item that is set, a call that registers."""

_RENAMED = pattern(r"\b(\w+)(?=[ \t]+as[ \t]+(\w+)\b)")
"""What an import calls otherwise: `from registry import register_model as register`."""


def fills(path: str, near: Mapping[str, Scan]) -> frozenset[str]:
    """The names of what a file may fill, or by which that is reached.

    Args:
        path: the file, one of those near.
        near: what is seen at a glance of the files that may define what it registers with.
    """
    ways = ways_of(near[path].text)
    places = {part for one in near for part in one.removesuffix(".py").split(os.sep)} if ways else set()
    found: set[str] = set()
    for names in ways:
        if names[0] in places or any(scan.binds(names[0]) for scan in near.values()):
            found.update(names, *(scan.reached(names, DEEP) for scan in near.values()))
    return frozenset(found)


@lru_cache(maxsize=512)
def ways_of(text: str) -> frozenset[tuple[str, ...]]:
    """The dotted names by which a text may register something, the first part by what an import calls it there."""
    found = {match[match.lastgroup or 0] for match in _REGISTERS.finditer(text)}
    meant: dict[str, str] = {}
    for match in _RENAMED.finditer(text) if found else ():
        meant.setdefault(match[2], match[1])
    parts = (way.split(".") for way in found)
    return frozenset((meant.get(first, first), *rest) for first, *rest in parts)

"""Registries: which names a file fills where it is run, as its text and that of the files around it show it.

hooks/ema.py      @HOOKS.register("ema")       HOOKS, and what any `def register` in reach speaks of
optim/lamb.py     register_optimizer("lamb")   what `def register_optimizer` speaks of: OPTIMIZERS
heads.py          @lru_cache                   nothing: nobody in reach defines that

It says too much now and then, which costs time; never too little, for what is spelled out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradlint.lower.scan import Scan

DEEP = 3
"""A registering function may leave it to another one, and that to a third."""

_REGISTERS = re.compile(
    r"^@(?P<decorator>\w[\w.]*)"
    r"|^(?P<filled>\w+)\[[^\]\n]+\][ \t]*="
    r"|^(?P<called>(?:\w+\.)*\w*register\w*)\(",
    re.MULTILINE,
)
"""At the beginning of a line: a decorator, an item that is set, a call that registers."""


def fills(path: str, near: Mapping[str, Scan]) -> frozenset[str]:
    """The names of what a file may fill, or by which that is reached.

    Args:
        path: the file, one of those near.
        near: what is seen at a glance of the files that may define what it registers with.
    """
    text = near[path].text
    ways = {match[match.lastgroup or 0] for match in _REGISTERS.finditer(text)}
    places = {part for one in near for part in one.removesuffix(".py").split(os.sep)} if ways else set()
    found: set[str] = set()
    for way in ways:
        first, *rest = way.split(".")
        root = _meant(first, text)
        if root in places or any(scan.binds(root) for scan in near.values()):
            found |= {root, *rest}.union(*(_spoken((root, *rest), scan) for scan in near.values()))
    return frozenset(found)


def _meant(name: str, text: str) -> str:
    """What an import calls otherwise: `from registry import register_model as register`."""
    match = re.search(rf"\b(\w+)[ \t]+as[ \t]+{name}\b", text)
    return name if match is None else match[1]


def _spoken(names: tuple[str, ...], scan: Scan) -> Iterator[str]:
    """The words of what a file defines under some names, and of what that calls of the same file."""
    seen, todo = set[str](), set(names)
    for _ in range(DEEP):
        todo = {name for name in todo - seen if scan.defines(name)}
        seen |= todo
        words = frozenset().union(*map(scan.spoken, todo))
        yield from words
        todo = set(words)

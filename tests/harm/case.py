"""A loop in two texts: as somebody wrote it, and as a careful engineer would have it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass

from harm import skeletons


@dataclass(frozen=True)
class Case:
    """One loop. Each text is a script of its own that defines `main()`.

    Attributes:
        name: unique within its skeleton.
        skeleton: the loop that it is a variant of.
        written: the text that is given to the tool.
        careful: every text that a repair may be equal to in its outcome; `(written,)` where nothing is to be mended.
        ranks: how many processes run it.
        tempts: the rules that may be tempted to speak, right or wrong.
        raises: the type of the error that `written` ends with, if it is meant to.
    """

    name: str
    skeleton: str
    written: str
    careful: tuple[str, ...]
    ranks: int = 1
    tempts: tuple[str, ...] = ()
    raises: str = ""

    @property
    def id(self) -> str:
        """What a report calls it."""
        return f"{self.skeleton}/{self.name}"

    @property
    def sound(self) -> bool:
        """True where nothing is to be mended."""
        return self.careful == (self.written,)


@dataclass(frozen=True)
class Skeleton:
    """Makes the cases of one skeleton.

    >>> loops = Skeleton("plain")
    >>> loops.right("as-it-is", "def main(): ...", "clip-after-step").id
    'plain/as-it-is'
    """

    name: str
    ranks: int = 1

    def right(self, name: str, text: str, *tempts: str, raises: str = "") -> Case:
        """A loop to be left as it is: it is right, or only its author can say what was meant."""
        return Case(name, self.name, text, (text,), self.ranks, tempts, raises)

    def wrong(self, name: str, written: str, *careful: str, tempts: tuple[str, ...], raises: str = "") -> Case:
        """A loop with a mistake, and every text that mends it (or some of it) and harms nothing."""
        return Case(name, self.name, written, careful, self.ranks, tempts, raises)


def swap(text: str, old: str, new: str, *more: str) -> str:
    """Replace what occurs exactly once; further pairs may follow.

    >>> swap("a = 1; b = 2", "1", "3", "b", "c")
    'a = 3; c = 2'

    Raises:
        ValueError: `old` is not there, or not once.
    """
    pairs = (old, new, *more)
    for before, after in zip(pairs[::2], pairs[1::2], strict=True):
        if text.count(before) != 1:
            raise ValueError(f"{text.count(before)} times in the text: {before!r}")
        text = text.replace(before, after)
    return text


def drop(text: str, *lines: str) -> str:
    """Take away whole lines, each of which is there exactly once; indentation is not looked at.

    Raises:
        ValueError: A line is not there, or not once.
    """
    rows = text.split("\n")
    for line in lines:
        found = [number for number, row in enumerate(rows) if row.strip() == line.strip()]
        if len(found) != 1:
            raise ValueError(f"{len(found)} such lines in the text: {line!r}")
        del rows[found[0]]
    return "\n".join(rows)


def discover() -> list[Case]:
    """The cases of every module in `skeletons/`."""
    return [case for module in _modules() for case in module]


def _modules() -> Iterator[list[Case]]:
    for info in sorted(pkgutil.iter_modules(skeletons.__path__), key=lambda info: info.name):
        yield list(importlib.import_module(f"{skeletons.__name__}.{info.name}").cases())

"""What somebody has told of names, where nothing in the source shows it.

    roles = {"self.solver" = "optimizer"}       in the configuration
    # gradlint: assume self.solver=optimizer    the same in a comment, for its file
    # gradlint: assume n_critic=2               a name stands for a number
    # gradlint: assume window=args.accum        a name is how many micro-batches an update takes; at an `if`, the
                                                test says where the window ends
    # gradlint: assume after=forward            the function around is called after that one, each time
    # gradlint: assume not-a-loop               what the function around does with gradients is no training loop

A comment with code before it is about its own line, one on a line of its own about the next line of code. A name
counts for everything that ends in it: `opt` for `self.opt`, too.
"""

from __future__ import annotations

import re

from gradlint.model.custom import ROLES, Custom
from gradlint.model.nearest import unknown
from gradlint.model.pattern import pattern
from gradlint.model.told import NOTHING, Told
from gradlint.syntax.comments import MARK, addressed, rows_of

WINDOW, AFTER, APART = "window", "after", "not-a-loop"
"""Words of a comment that are no names of the source."""
_SMALLEST, _LARGEST = 2, 64

_HEAD = pattern(rf"#\s*{MARK}\s*assume\b(?P<rest>.*)", re.DOTALL)
_NAME = pattern(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def assumes(comment: str) -> bool:
    """Whether a comment for gradlint tells something."""
    return _HEAD.search(comment) is not None


def told(text: str, custom: Custom) -> Told:
    """What the configuration and a file's comments tell of it; what is malformed in a comment tells nothing."""
    found = _comments(text) if MARK in text else ()
    if not found and not custom.roles:
        return NOTHING
    reading = _Reading(dict(custom.roles))
    for row, about, items in found:
        for item in items:
            reading.take(row, about, item)
    return reading.told()


def tokens(text: str) -> tuple[str, ...]:
    """Words that a training loop of this text may hold instead of `backward`, by its comments."""
    if MARK not in text:
        return ()
    return Custom(roles=tuple(told(text, Custom()).roles.items())).tokens


def faults(text: str) -> list[tuple[int, str]]:
    """What is wrong with the comments of a file that tell something: (row, message), in order."""
    reading = _Reading({})
    for row, about, items in _comments(text):
        if not items:
            reading.faults.append((row, f"`assume` tells nothing; {_WRITE}"))
        for item in items:
            reading.take(row, about, item)
            name, _, value = (part.strip() for part in item.partition("="))
            called = value.rpartition(".")[2]
            if name == AFTER and called.isidentifier() and not re.search(rf"\bdef\s+{called}\b", text):
                reading.faults.append((row, f"`assume after={value}`: no function of this file is called so"))
    return reading.faults


_WRITE = "write `assume NAME=ROLE`, `NAME=NUMBER`, `window=NAME`, `after=FUNCTION` or `not-a-loop`, with commas between"


class _Reading:
    """What was read so far, and what was wrong with it."""

    def __init__(self, roles: dict[str, str]) -> None:
        self.roles = roles
        self.faults: list[tuple[int, str]] = []
        self._numbers: dict[str, int] = {}
        self._windows: set[str] = set()
        self._size = 0
        self._ends: dict[int, str] = {}
        self._after: dict[int, str] = {}
        self._apart: set[int] = set()

    def told(self) -> Told:
        return Told(
            self.roles,
            self._numbers,
            frozenset(self._windows),
            self._size,
            self._ends,
            self._after,
            frozenset(self._apart),
        )

    def take(self, row: int, about: int, item: str) -> None:
        """Read one item of a comment on `row` that is about the code on another."""
        name, equals, value = (part.strip() for part in item.partition("="))
        if item.strip() == APART:
            self._apart.add(about)
        elif not equals or not _NAME.fullmatch(name) or not value:
            self.faults.append((row, f"`assume {item.strip()}` is not understood; {_WRITE}"))
        elif name == WINDOW:
            self._window(row, about, value)
        elif name == AFTER:
            self._follows(row, about, value)
        elif value.isdecimal():
            self._numbers[name] = int(value)
        elif value in ROLES:
            self.roles[name] = value
        else:
            self.faults.append((row, f"`assume {name}={value}`: {unknown('role', value, ROLES)}"))

    def _window(self, row: int, about: int, value: str) -> None:
        if value.isdecimal():
            if not _SMALLEST <= int(value) <= _LARGEST:
                self.faults.append(
                    (row, f"`assume window={value}`: a window has {_SMALLEST} to {_LARGEST} micro-batches")
                )
                return
            self._size = int(value)
        elif _NAME.fullmatch(value):
            self._windows.add(value)
        else:
            self.faults.append((row, f"`assume window={value}`: a window is a name or a number"))
            return
        self._ends[about] = value

    def _follows(self, row: int, about: int, value: str) -> None:
        if _NAME.fullmatch(value):
            self._after[about] = value.rpartition(".")[2]
        else:
            self.faults.append((row, f"`assume after={value}`: write the name of the function that is called before"))


def _comments(text: str) -> tuple[tuple[int, int, list[str]], ...]:
    """(row, row of the code that is meant, items) of every comment that tells something."""
    found = []
    lines: list[str] = []
    for row, comment in addressed(text):
        match = _HEAD.search(comment)
        if match is None:
            continue
        lines = lines or rows_of(text)
        items = [item for item in match["rest"].strip().split(",") if item.strip()]
        found.append((row, _about(lines, row), items))
    return tuple(found)


def _about(lines: list[str], row: int) -> int:
    """The row of the code that a comment is about: its own, or where it stands alone the next that holds any."""
    if row <= len(lines) and not lines[row - 1].lstrip().startswith("#"):
        return row
    for number, line in enumerate(lines[row:], row + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return number
    return row

"""Importers: who imports a file.

Asked for one file, only those statements are looked at that hold its name; asked for many, all of them, once.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from gradlint.model.pattern import pattern
from gradlint.project.modules import INIT, prefixes
from gradlint.project.statements import BETWEEN, mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gradlint.project.modules import Modules
    from gradlint.project.shelf import Entries

_MANY = 100
"""After so many files it is cheaper to look at all statements."""
_EDGES = frozenset(f" .,{BETWEEN}")
_RELATIVE = pattern(r"from +\.")


class Importers:
    """Who imports the files of a project, as its files are on the disk."""

    def __init__(self, entries: Entries, modules: Modules) -> None:
        self._files = list(entries)
        self._modules = modules
        texts = [text for _, text, _ in entries.values()]
        self._starts = list(accumulate((len(text) + 1 for text in texts), initial=1))[:-1]
        self._text = BETWEEN.join(["", *texts, ""])
        self._known: dict[str, list[str]] = {}
        self._all: dict[str, list[str]] | None = None

    def of(self, path: str) -> list[str]:
        """The files that import a file."""
        if self._all is not None:
            return self._all.get(path, [])
        if path not in self._known:
            if len(self._known) >= _MANY:
                self._all = self._turned()
                return self.of(path)
            self._known[path] = self._searched(path)
        return self._known[path]

    def _searched(self, path: str) -> list[str]:
        """The files that import one, of those that have a statement with its name."""
        folder, name = os.path.split(path)
        module = folder if name == INIT else path.removesuffix(".py")
        likely: dict[int, list[str]] = {}
        for number, statement in self._naming(*os.path.split(module)):
            likely.setdefault(number, []).append(statement)
        if name == INIT:
            for number, statement in self._relative(folder + os.sep):
                likely.setdefault(number, []).append(statement)
        return [
            self._files[number]
            for number, statements in likely.items()
            if self._files[number] != path and path in imported(self._files[number], statements, self._modules)
        ]

    def _naming(self, folder: str, word: str) -> Iterator[tuple[int, str]]:
        """The statements that may name a module of a folder, each with the number of its file."""
        text, length, package = self._text, len(word), os.path.basename(folder)
        at = text.find(word)
        while at >= 0:
            if text[at - 1] in _EDGES and text[at + length] in _EDGES:
                start, end = text.rfind(BETWEEN, 0, at) + 1, text.find(BETWEEN, at)
                if _fits(text[start:at], package):
                    yield bisect_right(self._starts, at) - 1, text[start:end]
                    at = end
            at = text.find(word, at + 1)

    def _relative(self, folder: str) -> Iterator[tuple[int, str]]:
        """The statements in the files of a package for which dots are enough to name it."""
        for number, file in enumerate(self._files):
            if file.startswith(folder):
                for statement in self._statements(number):
                    if _RELATIVE.match(statement):
                        yield number, statement

    def _statements(self, number: int) -> list[str]:
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[number] : end - 1].split(BETWEEN)

    def _turned(self) -> dict[str, list[str]]:
        """Path -> the files that import it."""
        found: dict[str, list[str]] = {}
        folder = ""
        known: dict[str, set[str]] = {}
        for number, file in enumerate(self._files):
            if os.path.dirname(file) != folder:
                folder, known = os.path.dirname(file), {}
            targets: set[str] = set()
            for statement in self._statements(number):
                if statement not in known:
                    known[statement] = imported(os.path.join(folder, ""), (statement,), self._modules)
                targets |= known[statement]
            if file in targets:
                targets = imported(file, self._statements(number), self._modules) - {file}
            for path in targets:
                found.setdefault(path, []).append(file)
        return found


def _fits(before: str, package: str) -> bool:
    """Whether a name may be a module of a package, by what stands before it in its statement."""
    if before.endswith("."):  # import pkg.NAME, from .NAME
        return before.endswith((f"{package}.", "..", " ."))
    module, found, _ = before.partition(" import ")
    return not found or module.endswith((package, "."))  # from pkg import NAME, from . import NAME


def imported(file: str, statements: Iterable[str], modules: Modules) -> set[str]:
    """The files that some statements of a file import: of `import a.b` those of both.

    Of a module also its package's, which may bind the name itself.
    """
    found = set()
    for mention in mentions(statements):
        for name in prefixes(mention):
            one = modules.find(file, name)
            if one is not None:
                found.add(one.path)
                found.add(one.package)
    return found - {""}

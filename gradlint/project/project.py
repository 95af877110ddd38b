"""One project: which modules it has, what an import in one of its files names, and who imports whom.

It is cheap to make, and looks at the disk when it is asked; what it has seen once it does not look at again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from gradlint.files.globs import inside, matcher
from gradlint.project.index import Index, Targets
from gradlint.project.modules import LIBRARIES, Modules
from gradlint.project.roots import root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from gradlint.model.settings import Settings

TESTS = ("**/tests/**", "test_*.py", "*_test.py", "conftest.py")
"""Globs of files that are tests."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a name means that was imported.

    Attributes:
        path: The project's file, spelled as the importer's path is.
        rest: What is left of the dotted name after the module; empty for the module itself.
        package: Where a module of a package is meant: the package's own file. If that binds the name itself, the name
            means what it binds.
    """

    path: str
    rest: str
    package: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """How a project is looked at.

    Attributes:
        settings_of: The settings of a folder, for what a walk leaves out; `None` where there are none.
        libraries: Packages that are never the project's, unless an import is relative.
        tests: Globs of files that are tests, from the root where they have a slash.
    """

    settings_of: Callable[[str], Settings | None] = lambda _: None
    libraries: Collection[str] = LIBRARIES
    tests: tuple[str, ...] = TESTS


DEFAULT = Options()
MAX_DATA = 100_000
"""Bytes of a file of settings that is read."""
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class Project:
    """One project; `root` is the folder that it begins in."""

    def __init__(self, root: str, *, texts: Mapping[str, str] = _NO_TEXTS, options: Options = DEFAULT) -> None:
        self.root = os.path.abspath(root)
        self._here = os.getcwd()
        self._options = options
        self._texts = {self._whole(path): text for path, text in texts.items()}
        self._modules = Modules(self.root, self._texts, options.libraries)
        self._targets: Targets | None = None

    @classmethod
    def around(cls, path: str, *, texts: Mapping[str, str] = _NO_TEXTS, options: Options = DEFAULT) -> Project:
        """The project that a file belongs to; neither it nor its folder has to exist.

        Args:
            path: the file.
            texts: what is in files that have not been saved, by their paths.
            options: how it is looked at.
        """
        return cls(root_of(os.path.abspath(path)), texts=texts, options=options)

    def with_text(self, path: str, text: str) -> Project:
        """The same project with another text in one file."""
        whole = self._whole(path)
        other = object.__new__(Project)
        other.root, other._here, other._options = self.root, self._here, self._options
        other._texts = {**self._texts, whole: text}
        other._modules = self._modules.with_file(whole)
        other._targets = None
        if self._targets is not None:
            index = self._targets.index.with_text(whole, text)
            other._targets = self._targets.sharing(index, other._modules)
        return other

    def text(self, path: str) -> str | None:
        """The text of a file; `None` where it cannot be read, is no text, or is too large."""
        from pathlib import Path

        from gradlint.syntax.source import SourceError, read_text

        whole = self._whole(path)
        if whole in self._texts:
            return self._texts[whole]
        try:
            return read_text(Path(whole))
        except (SourceError, ValueError):
            return None

    def named(self, importer: str, qualified: str) -> Named | None:
        """What a name means that a file imports; `None` for what is not of this project.

        Args:
            importer: the file.
            qualified: the name, as `from a.b import c` makes it: `a.b.c`; `.c` for `from . import c`.
        """
        found = self._modules.find(self._whole(importer), qualified)
        if found is None:
            return None
        path, used = found
        parts = qualified.lstrip(".").split(".")
        rest = ".".join(parts[used:])
        package = self._modules.package(path) if not rest and used else ""
        return Named(self._spelled(path, importer), rest, package and self._spelled(package, importer))

    def importers(self, path: str) -> tuple[str, ...]:
        """The files that import a file, nearest first, then by path; spelled as its path is."""
        whole = self._whole(path)
        found = sorted((_steps(one, whole), one) for one in self._imported().importers(whole))
        return tuple(self._spelled(one, path) for _, one in found)

    def data(self, path: str, name: str) -> str | None:
        """What is in a small file of settings that a file names, beside it or in a folder above it in the project."""
        folder = os.path.dirname(self._whole(path))
        while folder == self.root or folder.startswith(self.root + os.sep):
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    data = file.read(MAX_DATA + 1)
            except (OSError, ValueError):
                if folder == self.root:
                    return None
                folder = os.path.dirname(folder)
                continue
            return data.decode("utf-8", "replace") if len(data) <= MAX_DATA else None
        return None

    def is_test(self, path: str) -> bool:
        """Whether a file is called as tests are."""
        return matcher(self._options.tests, self.root)(self._whole(path))

    @property
    def limited(self) -> bool:
        """Whether there are more files than are looked at to know who imports whom."""
        return self._imported().index.limited

    def _imported(self) -> Targets:
        """Who imports what; made when it is asked for first."""
        if self._targets is None:
            index = Index.of(self.root, self._options.settings_of)
            for path, text in self._texts.items():
                index = index.with_text(path, text)
            self._targets = Targets(index, self._modules)
        return self._targets

    def _whole(self, path: str) -> str:
        return os.path.normpath(os.path.join(self._here, path))

    def _spelled(self, path: str, like: str) -> str:
        """An absolute path, spelled like another."""
        if os.path.isabs(like):
            return path
        folder = os.path.dirname(like)
        return os.path.normpath(os.path.join(folder, os.path.relpath(path, os.path.join(self._here, folder))))


def _steps(one: str, other: str) -> int:
    """How many steps lead from a file's folder to another's."""
    way = inside(os.path.dirname(one), os.path.dirname(other))
    return 0 if way == os.curdir else way.count("/") + 1

"""What a project has on the disk, looked at once: texts and their digests, and the index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.files.cache import digest_of
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass
from gradlint.model.settings import TESTS
from gradlint.project.index import imports, look
from gradlint.project.modules import LIBRARIES
from gradlint.project.shelf import Shelf
from gradlint.syntax.source import SourceError, decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from gradlint.model.settings import Settings
    from gradlint.project.index import Index
    from gradlint.project.shelf import Entries

MAX_DATA = 100_000
"""Bytes of a file of settings that is read."""
_KEPT = 256
"""So many texts are kept: a file is asked for by those who check it, and those who follow imports."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a project is looked at.

    Attributes:
        settings_of: The settings of a folder, for what a walk leaves out; `None` where there are none.
        libraries: Packages that are never the project's, unless an import is relative.
        tests: Globs of files that are tests, from the root where they have a slash.
        cache: The folder of the cache; empty for none.
    """

    settings_of: Callable[[str], Settings | None] = lambda _: None
    libraries: Collection[str] = LIBRARIES
    tests: tuple[str, ...] = TESTS
    cache: str = ""


DEFAULT = Options()


class Disk:
    """The files of one project as they were when they were first looked at."""

    def __init__(self, root: str, options: Options, known: Entries | None = None) -> None:
        self.options = options
        self._root = root
        self._known = known
        self._texts: dict[str, str | None] = {}
        self._data: dict[str, str | None] = {}
        self._told: dict[str, tuple[str, str]] = {}

    @cached_property
    def index(self) -> Index:
        """What all files import."""
        shelf = Shelf(self.options.cache, self._root)
        return look(self._root, self.options.settings_of, shelf, self._known)

    def renewed(self) -> Disk:
        """The same, as it is now."""
        looked = "index" in self.__dict__
        return Disk(self._root, self.options, self.index.entries if looked else self._known)

    def text(self, path: str) -> str | None:
        """The text of a file (absolute); `None` where it cannot be read, is no text, or is too large."""
        if path not in self._texts:
            if len(self._texts) >= _KEPT:
                self._texts.clear()
            self._texts[path] = self._decoded(path)
        return self._texts[path]

    def _decoded(self, path: str) -> str | None:
        data = self._bytes(path)
        try:
            return None if data is None else decode(data)
        except SourceError:
            return None

    def digest(self, path: str) -> tuple[str, str]:
        """A digest of a file as it was when it was read first, and its import statements."""
        if path not in self._told:
            self._bytes(path)
        return self._told[path]

    def data(self, path: str) -> str | None:
        """The text of a file of settings (absolute): `None` if there is none, nothing of one that is too large."""
        if path not in self._data:
            try:
                with open(path, "rb") as file:
                    found = file.read(MAX_DATA + 1)
            except (OSError, ValueError):
                self._data[path] = None
            else:
                self._data[path] = found.decode("utf-8", "replace") if len(found) <= MAX_DATA else ""
        return self._data[path]

    def _bytes(self, path: str) -> bytes | None:
        try:
            data = read_bytes(Path(path))
        except (SourceError, ValueError):
            self._told.setdefault(path, ("", ""))
            return None
        if path not in self._told:
            self._told[path] = (digest_of(data), imports(path, data))
        return data

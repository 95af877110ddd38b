"""The index: what every file of a project imports, and so who imports a file."""

from __future__ import annotations

import os

from gradlint.files.walk import walk
from gradlint.model.limits import MAX_BYTES
from gradlint.project.mentions import mentions
from gradlint.project.modules import INIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gradlint.model.settings import Settings
    from gradlint.project.modules import Modules

MAX_FILES = 20_000
"""Of larger projects the files that a walk finds first are looked at."""


class Index:
    """What the files of a project mention, by their absolute paths: the text of `joined`."""

    def __init__(self, mentioned: Mapping[str, str], *, limited: bool) -> None:
        self._mentioned = mentioned
        self.limited = limited

    @classmethod
    def of(cls, root: str, settings_of: Callable[[str], Settings | None]) -> Index:
        """Look at all files of a project."""
        mentioned: dict[str, str] = {}
        limited = False
        for path in walk(root, settings_of, lambda *_: None):
            if len(mentioned) == MAX_FILES:
                limited = True
                break
            mentioned[path] = joined(path, _held(path))
        return cls(mentioned, limited=limited)

    def with_text(self, path: str, text: str) -> Index:
        """The same index with another text for a file."""
        own = joined(path, text.encode("utf-8", "surrogatepass"))
        if self._mentioned.get(path) == own:
            return self
        return Index({**self._mentioned, path: own}, limited=self.limited)

    def mentioned(self, path: str) -> str:
        """What a file mentions, as `joined` has it; nothing of a file that is not looked at."""
        return self._mentioned.get(path, "")

    def files(self) -> Iterator[str]:
        """The files that are looked at."""
        return iter(self._mentioned)

    def likely(self, path: str) -> Iterator[str]:
        """The files that may import a file."""
        folder, name = os.path.split(path)
        if name == INIT:
            word, package = os.path.basename(folder), folder + os.sep
        else:
            word, package = name.removesuffix(".py"), ""
        for file, mentioned in self._mentioned.items():
            if word in mentioned or (package and "\n." in mentioned and file.startswith(package)):
                yield file


class Targets:
    """Which files each file imports, looked up once."""

    def __init__(self, index: Index, modules: Modules) -> None:
        self.index = index
        self.modules = modules
        self._of: dict[str, frozenset[str]] = {}
        self._read: dict[str, str] = {}

    def importers(self, path: str) -> Iterator[str]:
        """The files that import a file."""
        return (file for file in self.index.likely(path) if file != path and path in self.of(file))

    def of(self, file: str) -> frozenset[str]:
        """The files that a file imports."""
        mentioned = self.index.mentioned(file)
        if self._read.get(file) != mentioned:
            names = mentioned.split("\n")[1:]
            self._of[file] = frozenset(one for name in names for one in _meant(file, name, self.modules))
            self._read[file] = mentioned
        return self._of[file]

    def sharing(self, index: Index, modules: Modules) -> Targets:
        """The same for another index of the project; what is known for its modules stays known."""
        other = Targets(index, modules)
        if modules is self.modules:
            other._of, other._read = self._of.copy(), self._read.copy()
        return other


def joined(path: str, data: bytes) -> str:
    """The mentions of a file as one text, each after a line feed."""
    from gradlint.syntax.notebook.kind import is_notebook

    if is_notebook(path):
        from gradlint.project.notebooks import code_of

        data = code_of(data)
    found = mentions(data)
    return "\n" + "\n".join(found) if found else ""


def _meant(file: str, name: str, modules: Modules) -> Iterator[str]:
    """All files that an import means: of `import a.b` both; of a module also its package's, which may bind the name."""
    prefixes = [name]
    if name.endswith(".") and name.strip("."):
        parts = name[:-1].split(".")
        prefixes = [".".join(parts[:number]) for number in range(1, len(parts) + 1)]
    for prefix in prefixes:
        found = modules.find(file, prefix)
        if found is not None:
            yield found[0]
            if found[1] == len(prefix.lstrip(".").split(".")):
                yield modules.package(found[0])


def _held(path: str) -> bytes:
    """The bytes of a file; none of one that cannot be read or is too large."""
    try:
        file = os.open(path, _READING)
    except OSError:
        return b""
    try:
        data = os.read(file, MAX_BYTES + 1)
    except OSError:
        return b""
    finally:
        os.close(file)
    return data if len(data) <= MAX_BYTES else b""


_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)

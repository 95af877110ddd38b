"""The index: which import statements every file of a project holds."""

from __future__ import annotations

import os

from gradlint.files.cache import digest_of, settled, stamp_of
from gradlint.files.prefilter import MARK, promising
from gradlint.files.walk import SUFFIXES, walk
from gradlint.model.limits import MAX_BYTES
from gradlint.project.notebooks import code_of, is_notebook
from gradlint.project.statements import statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gradlint.model.settings import Settings
    from gradlint.project.shelf import Entries, Shelf

MAX_FILES = 20_000
"""Of a larger project those files are looked at that a walk finds first."""
SETTINGS = (".json", ".yaml", ".yml", ".toml")
"""How files of settings end."""
MAX_SETTINGS = 2_000
"""With more such files than that, a project has them for data."""
MAX_NOTEBOOK = 64_000_000


class Index:
    """The import statements of a project's files, by absolute paths.

    Attributes:
        root: Where the project begins.
        entries: With the stamp of each file.
        settings: The files of settings, each with its stamp; none where there are too many.
        limited: Whether there are more files than are looked at.
    """

    def __init__(self, root: str, entries: Entries, settings: Mapping[str, str], *, limited: bool) -> None:
        self.root = root
        self.entries = entries
        self.settings = settings if len(settings) <= MAX_SETTINGS else {}
        self.limited = limited

    @property
    def holders(self) -> Iterator[str]:
        """The files that may hold a training loop."""
        return (path for path, entry in self.entries.items() if entry[2])

    def stamp(self) -> str:
        """What changes with every change of a file, without reading any.

        It is empty where that cannot be told: where a file was written just now, or where there are more files than are
        looked at.
        """
        stamps = {**{path: entry[0] for path, entry in self.entries.items()}, **self.settings}
        if self.limited or not all(stamps.values()):
            return ""
        lines = (f"{path.removeprefix(self.root)}\0{stamp}" for path, stamp in stamps.items())
        return digest_of("\0".join(lines).encode("utf-8", "surrogateescape"))


def look(root: str, settings_of: Callable[[str], Settings | None], shelf: Shelf, known: Entries | None = None) -> Index:
    """Look at all files of a project; those are read that have changed since they were seen.

    Args:
        root: where it begins.
        settings_of: the settings of a folder, for what they leave out.
        shelf: where it is kept what was seen.
        known: what was seen, if that is at hand.
    """
    before = shelf.read() if known is None else known
    now: Entries = {}
    settings: dict[str, str] = {}
    limited = changed = False
    for path in walk(root, settings_of, lambda *_: None, (*SUFFIXES, *SETTINGS)):
        if path.endswith(SETTINGS):
            if len(settings) <= MAX_SETTINGS:
                settings[path] = _stamp(path)
            continue
        if len(now) == MAX_FILES:
            limited = True
            break
        stat = _stat(path)
        entry = before.get(path)
        stamp = stamp_of(stat) if stat is not None else ""
        if entry is None or entry[0] != stamp:
            data = held(path)
            entry = (stamp if stat is not None and settled(stat) else "", imports(path, data), holds(path, data))
            changed = True
        now[path] = entry
    if changed or len(now) != len(before):
        shelf.write(now)
    return Index(root, now, settings, limited=limited)


def _stamp(path: str) -> str:
    """What changes with a file; empty where that was just now."""
    stat = _stat(path)
    return stamp_of(stat) if stat is not None and settled(stat) else ""


def imports(path: str, data: bytes) -> str:
    """The import statements of a file."""
    return statements(code_of(data) if is_notebook(path) else data)


def holds(path: str, data: bytes) -> bool:
    """Whether a file may hold a training loop, by what libraries call that, or by its own comments."""
    return path.endswith(".py") and (promising(data) or MARK in data)


def held(path: str) -> bytes:
    """The bytes of a file; none of one that cannot be read or is too large."""
    most = MAX_NOTEBOOK if is_notebook(path) else MAX_BYTES
    try:
        file = os.open(path, _READING)
    except (OSError, ValueError):
        return b""
    try:
        data = os.read(file, _AT_ONCE)
        if len(data) == _AT_ONCE:
            data += os.read(file, most)
    except OSError:
        return b""
    finally:
        os.close(file)
    return data if len(data) <= most else b""


_AT_ONCE = 65_536
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None

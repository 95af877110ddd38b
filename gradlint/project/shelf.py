"""The shelf: the imports of a project's files, kept in the cache from one run to the next.

    <key>.imports   a line for each file: stamp, path from the root, import statements

The key stands for the root, and for the code that reads imports. An entry is good as long as the file's stamp is the
same, as in `files/cache.py`, where it is also told how files of the cache are written.
"""

from __future__ import annotations

import os

from gradlint.files.cache import digest_of, prepared, read_whole, write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FORMAT = "1"

Entries = dict[str, tuple[str, str]]
"""Path -> stamp, import statements."""


class Shelf:
    """Where the imports of one project's files are kept; nowhere if there is no folder for it."""

    def __init__(self, folder: str, root: str) -> None:
        self._folder = folder
        self._root = root
        self._file = os.path.join(folder, f"{_key(root)}.imports") if folder else ""

    def read(self) -> Entries:
        """What is known of the files."""
        if not self._file:
            return {}
        found, prefix = {}, self._root.rstrip(os.sep) + os.sep
        for line in read_whole(self._file).decode("utf-8", "surrogateescape").split("\n")[:-1]:
            parts = line.split("\t", 2)
            if len(parts) == 3:
                found[prefix + parts[1]] = (parts[0], parts[2])
        return found

    def write(self, entries: Mapping[str, tuple[str, str]]) -> None:
        """Keep what is known of the files; those without a stamp are left out."""
        if not self._file or not prepared(self._folder):
            return
        start = len(self._root.rstrip(os.sep)) + 1
        lines = [
            f"{stamp}\t{path[start:]}\t{statements}\n"
            for path, (stamp, statements) in entries.items()
            if stamp and "\n" not in path and "\t" not in path
        ]
        write_whole(self._file, "".join(lines).encode("utf-8", "surrogateescape"))


def _key(root: str) -> str:
    parts = [_FORMAT, root]
    with os.scandir(os.path.dirname(os.path.abspath(__file__))) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.name.endswith(".py"):
                stat = entry.stat()
                parts.append(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}")
    return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))

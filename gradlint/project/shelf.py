"""The shelf: the imports of a project's files, kept in the cache from one run to the next.

    <key>.imports   a line for each file: stamp, path from the root, whether it may hold a loop, import statements

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

Entries = dict[str, tuple[str, str, bool]]
"""Path -> stamp, import statements, whether it may hold a training loop."""


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
            parts = line.split("\t", 3)
            if len(parts) == 4:
                found[prefix + parts[1]] = (parts[0], parts[3], parts[2] == "1")
        return found

    def write(self, entries: Mapping[str, tuple[str, str, bool]]) -> None:
        """Keep what is known of the files; those without a stamp are left out."""
        if not self._file or not prepared(self._folder):
            return
        start = len(self._root.rstrip(os.sep)) + 1
        lines = [
            f"{stamp}\t{path[start:]}\t{int(holds)}\t{statements}\n"
            for path, (stamp, statements, holds) in entries.items()
            if stamp and "\n" not in path and "\t" not in path
        ]
        write_whole(self._file, "".join(lines).encode("utf-8", "surrogateescape"))


def _key(root: str) -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    with os.scandir(here) as entries:
        code = sorted(entry.path for entry in entries if entry.name.endswith(".py"))
    parts = [_FORMAT, root]
    for file in (*code, os.path.join(os.path.dirname(here), "files", "prefilter.py")):
        stat = os.stat(file)
        parts.append(f"{os.path.basename(file)} {stat.st_size} {stat.st_mtime_ns}")
    return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))

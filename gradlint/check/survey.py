"""The survey of many files: which need no second look, and which must be checked in full.

    a file ──as the cache knows it──► nothing to say, or what there was to say
           └─its bytes──► no loop ──parsed, while there are few──► nothing to say
                       └► a loop, a comment for gradlint, or trouble ──► to be checked

Everything here is cheap and done in one process, in the order of the files.
"""

from __future__ import annotations

import os

from gradlint.files.prefilter import MARK, PARSED, promising
from gradlint.model.limits import MAX_BYTES
from gradlint.syntax.parses import parses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.files.cache import Cache, Entry
    from gradlint.model.finding import Report


def _held(path: str, size: int) -> bytes:
    """What a file holds, by a third of the calls that a stream makes: a large tree is mostly this."""
    file = os.open(path, _READING)
    try:
        data = os.read(file, size + 1)
        if len(data) == size:
            return data
        parts = [data]
        while parts[-1]:
            parts.append(os.read(file, MAX_BYTES))
        return b"".join(parts)
    finally:
        os.close(file)


_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


glanced: dict[str, tuple[int, int]] = {}
"""Files in which a glance has seen that there is no loop, by when they were written and their size.

The command that runs after it, in the same process, need not read them again.
"""


class Survey:
    """What a look at the files of one run has shown so far.

    With `parse_all`, every file without a loop is parsed, however many there are, so that each broken one is told.

    Attributes:
        loops: By number, how many training loops a file has about which there is nothing to say.
        known: By number, what the cache has to say.
        open: By number, the files that must be checked in full, with their size in bytes.
        stats: By number, what the file system said of these before they were read.
        seen: Without a cache, the files without a loop: when they were written, and their size.
        entries: By number, what settled a file, if the cache did.
    """

    def __init__(self, *, parse_all: bool = False) -> None:
        self._enough = float("inf") if parse_all else PARSED
        self.loops: dict[int, int] = {}
        self.known: dict[int, Report] = {}
        self.open: dict[int, int] = {}
        self.stats: dict[int, os.stat_result] = {}
        self.seen: dict[str, tuple[int, int]] = {}
        self.entries: dict[int, Entry] = {}
        self._parsed = 0
        self._settled_before = glanced.copy()
        glanced.clear()

    def look(self, number: int, path: str, cache: Cache | None, words: Sequence[str] = ()) -> None:
        """Look at one file.

        Args:
            number: its place among the files.
            path: its name.
            cache: what is known of files with its settings.
            words: names that its project has for what works on gradients.
        """
        try:
            stat = os.stat(path)
            entry = None if cache is None else cache.by_stamp(path, stat)
            if entry is not None and self._settled(number, path, stat.st_size, entry, cache):
                return
            if cache is None and not words and self._settled_before.get(path) == (stat.st_mtime_ns, stat.st_size):
                self._parsed += stat.st_size
                self.loops[number] = 0
                return
            if path.endswith(".ipynb"):
                self._open(number, stat)
                return
            if stat.st_size > MAX_BYTES:
                self.open[number] = 0
                return
            data = _held(path, stat.st_size)
        except (OSError, ValueError):
            self.open[number] = 0
            return
        self._read(number, path, data, stat, cache, words)

    def _settled(self, number: int, path: str, size: int, entry: Entry, cache: Cache | None) -> bool:
        """Whether an entry of the cache says all there is to say."""
        if not entry.digest:
            if self._parsed < self._enough and not entry.loops:
                return False
            self._parsed += size
            self.loops[number] = 0
        elif not entry.told:
            self.loops[number] = entry.loops
        else:
            report = None if cache is None else cache.report(path, entry)
            if report is None:
                return False
            self.known[number] = report
        self.entries[number] = entry
        return True

    def _read(
        self, number: int, path: str, data: bytes, stat: os.stat_result, cache: Cache | None, words: Sequence[str]
    ) -> None:
        if promising(data, words) or MARK in data:
            if cache is not None:
                from gradlint.files.cache import digest_of

                entry = cache.by_digest(path, digest_of(data), stat)
                if entry is not None and self._settled(number, path, 0, entry, cache):
                    return
            self._open(number, stat)
            return
        looked = self._parsed < self._enough
        self._parsed += len(data)
        if looked and not parses(data):
            self._open(number, stat)
            return
        self.loops[number] = 0
        if cache is None:
            self.seen[path] = (stat.st_mtime_ns, len(data))
        else:
            cache.learn(path, stat, "", int(looked), None, told=False)

    def reopen(self, number: int, path: str) -> None:
        """Have a file checked in full that seemed to be settled."""
        self.loops.pop(number, None)
        self.known.pop(number, None)
        self.entries.pop(number, None)
        try:
            self._open(number, os.stat(path))
        except (OSError, ValueError):
            self.open[number] = 0

    def _open(self, number: int, stat: os.stat_result) -> None:
        self.open[number] = stat.st_size
        self.stats[number] = stat

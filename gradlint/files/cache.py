"""The cache: what was found in a file whose content, settings and gradlint are the same.

    .gradlint_cache/  .gitignore   git sees nothing of the folder
                      <key>.index  a line for each file: stamp, digest, loops, state of its project
                      <key>.found  what there is to say about the files where there is something
                      <key>.imports  which import statements the files of a project hold: see `project/shelf.py`

The key stands for the settings, for gradlint (its version and its own source) and for the Python that runs
it. An entry is good when the file's digest is the same, or its stamp (size and times, the one that nobody can
set included): a stamp is only written down when the file had been left alone for a while, because a second
change in the same instant would not show in it.

Files are replaced whole, so that runs may overlap or be killed. What cannot be read, fails its checksum or
holds anything but findings is taken for empty; a folder that cannot be written is done without.
"""

from __future__ import annotations

import os
import sys
from binascii import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gradlint.model.finding import Report
    from gradlint.model.settings import Settings

FOLDER = ".gradlint_cache"
VARIABLE = "GRADLINT_CACHE_DIR"
_ROOTS = (".git", "gradlint.toml", "pyproject.toml")
_FORMAT = "2"
_QUIET_NS = 1_000_000_000
_SPARE = 10_000
_KEPT_S = 7 * 24 * 3600
_TRUSTED = {
    "gradlint.model.finding": (
        "Report Finding Problem Span Related Evidence Edit Fix Severity Confidence Safety Unjudged Cure"
    ),
    "gradlint.model.ledger": "Row Weight Clip",
    "fractions": "Fraction",
}


class Entry:
    """What is known of one file.

    `digest` is empty where its bytes alone rule out a loop; `loops` is 1 there if it was parsed, too. `state` is that
    of its project, empty for a file by itself.
    """

    __slots__ = ("digest", "loops", "stamp", "state", "told")

    def __init__(self, stamp: str, digest: str, loops: int, *, told: bool, state: str = "") -> None:
        self.stamp = stamp
        self.digest = digest
        self.loops = loops
        self.told = told  # there is something to say: findings, problems or warnings
        self.state = state

    def line(self, path: str) -> str:
        """The entry as a line of the index."""
        return f"{self.stamp}\t{self.digest}\t{self.loops}\t{int(self.told)}\t{self.state}\t{path}\n"


class Cache:
    """The entries of one key."""

    def __init__(self, folder: str, key: str) -> None:
        self._folder = folder
        self._base = os.path.join(folder, key)
        self._here = os.getcwd() + os.sep
        self._index = _read_index(f"{self._base}.index")
        self._found: dict[str, tuple[str, str, Report]] | None = None
        self._used: set[str] = set()
        self._changed = False
        self._changed_found = False

    def by_stamp(self, path: str, stat: os.stat_result) -> Entry | None:
        """The entry of a file that has not been touched since."""
        entry = self._index.get(self._whole(path))
        if entry is None or not entry.stamp or entry.stamp != stamp_of(stat):
            return None
        self._used.add(self._whole(path))
        return entry

    def by_digest(self, path: str, digest: str, stat: os.stat_result) -> Entry | None:
        """The entry of a file with that content; its stamp is brought up to date."""
        entry = self._index.get(self._whole(path))
        if entry is None or entry.digest != digest:
            return None
        self.learn(path, stat, digest, entry.loops, None, told=entry.told, state=entry.state)
        return entry

    def report(self, path: str, entry: Entry) -> Report | None:
        """What there was to say about a file, under the name it has now."""
        if self._found is None:
            self._found = _read_found(f"{self._base}.found")
        digest, name, report = self._found.get(self._whole(path), ("", "", None))
        return report if (digest, name) == (entry.digest, path) else None

    def learn(
        self,
        path: str,
        stat: os.stat_result,
        digest: str,
        loops: int,
        report: Report | None,
        *,
        told: bool,
        state: str = "",
    ) -> None:
        """Remember what was found in a file.

        Args:
            path: the file's name as it is reported.
            stat: the file before it was read.
            digest: of what was read; empty for a file that its bytes alone rule out.
            loops: how many training loops it has.
            report: what there is to say, if that is new.
            told: whether there is something to say.
            state: of the project in which that holds.
        """
        whole = self._whole(path)
        stamp = stamp_of(stat) if settled(stat) else ""
        if "\n" in whole or not (stamp or digest):
            return
        self._used.add(whole)
        self._index[whole] = Entry(stamp, digest, loops, told=told, state=state)
        self._changed = True
        if report is not None:
            if self._found is None:
                self._found = _read_found(f"{self._base}.found")
            self._found[whole] = (digest, path, report)
            self._changed_found = True

    def agree(self, path: str, state: str) -> None:
        """What is known of a file holds in that state of its project, too."""
        entry = self._index.get(self._whole(path))
        if entry is not None and entry.state != state:
            entry.state = state
            self._changed = True

    def save(self) -> None:
        """Write what was learned; entries of files that are long gone are dropped."""
        if not self._changed or not prepared(self._folder):
            return
        if len(self._index) > 2 * len(self._used) + _SPARE:
            self._index = {path: entry for path, entry in self._index.items() if path in self._used}
        if self._changed_found and self._found is not None:
            told = {path for path, entry in self._index.items() if entry.told}
            _write_found(f"{self._base}.found", {path: one for path, one in self._found.items() if path in told})
        body = "".join([entry.line(path) for path, entry in self._index.items()])
        write_whole(f"{self._base}.index", body.encode("utf-8", "surrogateescape"))
        _sweep(self._folder)

    def _whole(self, path: str) -> str:
        return path if os.path.isabs(path) else self._here + path


def open_cache(settings: Settings | None) -> Cache:
    """The cache for files with these settings; `None` stands for the settings of a project without any."""
    return Cache(location(), _key("" if settings is None or plain(settings) else repr(settings)))


def plain(settings: Settings) -> bool:
    """Whether nothing in these settings differs from those that nobody has set."""
    from dataclasses import replace

    from gradlint.model.settings import Settings

    own = replace(settings, root="", file="", beneath=None)
    return own == Settings() and (settings.beneath is None or plain(settings.beneath))


def location() -> str:
    """The cache's folder: at the root of the project that the current folder is in."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return chosen
    here = folder = os.getcwd()
    while not any(os.path.exists(os.path.join(folder, name)) for name in _ROOTS):
        parent = os.path.dirname(folder)
        if parent == folder:
            return os.path.join(here, FOLDER)
        folder = parent
    return os.path.join(folder, FOLDER)


def clean(folder: str) -> bool:
    """Remove a cache, and its folder if nothing else is in it; false if there is none.

    Raises:
        OSError: something in it cannot be removed.
    """
    if not os.path.isdir(folder):
        return False
    for name in os.listdir(folder):
        if name == ".gitignore" or _ours(name):
            os.unlink(os.path.join(folder, name))
    if not os.listdir(folder):
        os.rmdir(folder)
    return True


def _ours(name: str) -> bool:
    """Whether a file is the cache's, or a draft that a killed run has left."""
    key, _, rest = name.partition(".")
    return len(key) == 32 and rest.startswith(("index", "found", "imports"))


def digest_of(data: bytes) -> str:
    """The digest of a file's content."""
    try:
        from _blake2 import blake2b  # `hashlib` loads all of OpenSSL first
    except ImportError:
        from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()


def _key(settings: str) -> str:
    import gradlint

    parts = (_FORMAT, gradlint.__version__, sys.version, settings, *_own_source())
    return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))


def _own_source() -> list[str]:
    """Name, size and time of gradlint's own files: one that is being worked on has no use for its old findings."""
    found, waiting = [], [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                if entry.name.endswith(".py"):
                    stat = entry.stat()
                    found.append(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}")
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    waiting.append(entry.path)
    return found


def stamp_of(stat: os.stat_result) -> str:
    """What changes with every change of a file, short of one in the same instant."""
    return f"{stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}"


def settled(stat: os.stat_result) -> bool:
    """Whether a file was last changed so long ago that a further change must show in its times."""
    from time import time_ns

    return max(stat.st_mtime_ns, stat.st_ctime_ns) < time_ns() - _QUIET_NS


def prepared(folder: str) -> bool:
    """Make the folder, and hide it from git; false where that cannot be done."""
    marker = os.path.join(folder, ".gitignore")
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(marker):
            with open(marker, "w", encoding="ascii") as stream:
                stream.write("# Made by gradlint.\n*\n")
    except OSError:
        return False
    return True


def write_whole(file: str, body: bytes) -> None:
    """Write a checksum and `body` as a whole file, or nothing."""
    draft = f"{file}.{os.getpid()}.tmp"
    try:
        with open(draft, "wb") as stream:
            stream.write(b"%08x\n" % crc32(body))
            stream.write(body)
        os.replace(draft, file)
    except OSError:
        if os.path.exists(draft):
            os.unlink(draft)


def _sweep(folder: str) -> None:
    """Remove what nobody has written for a week: old keys, and drafts of runs that were killed."""
    from contextlib import suppress
    from time import time

    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _ours(entry.name) and entry.stat().st_mtime < time() - _KEPT_S:
                os.unlink(entry.path)


def read_whole(file: str) -> bytes:
    """The body of a file that was written by `write_whole`; empty if it is not whole."""
    try:
        with open(file, "rb") as stream:
            head, body = stream.read(9), stream.read()
    except OSError:
        return b""
    return body if head == b"%08x\n" % crc32(body) else b""


def _read_index(file: str) -> dict[str, Entry]:
    found = {}
    for line in read_whole(file).decode("utf-8", "surrogateescape").split("\n")[:-1]:
        stamp, digest, loops, told, state, path = line.split("\t", 5)
        found[path] = Entry(stamp, digest, int(loops), told=told == "1", state=state)
    return found


def _read_found(file: str) -> dict[str, tuple[str, str, Report]]:
    body = read_whole(file)
    if not body:
        return {}
    import io
    import pickle

    class Findings(pickle.Unpickler):
        """Makes findings and nothing else: a folder that came with a project is not to be trusted."""

        def find_class(self, module: str, name: str) -> object:
            """One of the few classes that findings are made of."""
            if name not in _TRUSTED.get(module, "").split():
                raise pickle.UnpicklingError(f"{module}.{name} is no part of a finding")
            return super().find_class(module, name)

    try:
        found: dict[str, tuple[str, str, Report]] = Findings(io.BytesIO(body)).load()
    except Exception:  # noqa: BLE001  # unpickling fails in every way there is
        return {}
    return found


def _write_found(file: str, found: dict[str, tuple[str, str, Report]]) -> None:
    import pickle

    write_whole(file, pickle.dumps(found, protocol=4))

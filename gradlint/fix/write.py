"""Files in, repaired files out: old or new, never between.

A repaired file is written to a temporary one in the same folder and put in place by one rename, which
the file system does whole or not at all. Mode, owner (where the system lets us) and extended attributes
are kept; a link stays, its target is replaced. A hard link is broken: the file's other names keep the
old text. A run that is killed leaves a `.gradlint-*.tmp` behind at worst; no command reads it and it
can be deleted. Of several files that belong together all are new or all are old, unless it is killed
between two renames.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from gradlint.model.record import dataclass
from gradlint.syntax.source import DepthError, SourceError, decode, encoding_of, parse, read_bytes

PREFIX, SUFFIX = ".gradlint-", ".tmp"

_ADVICE = {
    errno.ENOSPC: "no space is left on the device; free some and run again",
    errno.EDQUOT: "your quota is used up; free some space and run again",
    errno.EFBIG: "it would exceed the limit on file sizes (ulimit -f)",
    errno.EROFS: "its file system is read-only",
    errno.EACCES: "permission denied; check the owner of the file and its folder",
    errno.EPERM: "permission denied; check the owner of the file and its folder",
    errno.ENOENT: "it is gone",
}


class WriteError(Exception):
    """A repaired text that was not written; `message` says why and what to do. The file is as it was.

    Where several were to be written, `path` is that of the one that could not be.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was read: its bytes, their encoding, and their text."""

    path: Path
    data: bytes
    encoding: str
    text: str

    @classmethod
    def read(cls, path: Path) -> Original:
        """Read a file.

        Raises:
            SourceError: it cannot be opened, is too large, or is not text.
        """
        return cls.of(path, read_bytes(path))

    @classmethod
    def of(cls, path: Path, data: bytes) -> Original:
        """What `read` would give for a file with these bytes.

        Raises:
            SourceError: they are not text.
        """
        return cls(path, data, encoding_of(data), decode(data))

    def encode(self, text: str) -> bytes:
        """The bytes of a repaired text, in the file's own encoding, with its BOM if it has one.

        Raises:
            WriteError: what was not repaired would change too, or the result is not the text.
        """
        if self.text.encode(self.encoding, "replace") != self.data:
            raise WriteError(f"not repaired: parts of it would change when written as {self.encoding}; {_SAVE}")
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError:
            raise WriteError(f"not repaired: {self.encoding} lacks a character of the repair; {_SAVE}") from None
        try:
            same = decode(data) == text
            with suppress(DepthError):
                parse(self._program(text))
        except SourceError as error:
            raise WriteError(f"not repaired: internal: the repaired text {error.message}") from None
        if not same:
            raise WriteError("not repaired: internal: the repair would change the file's encoding")
        return data

    def _program(self, text: str) -> str:
        from gradlint.syntax.notebook import Notebook, is_notebook

        return Notebook.parse(text).program if is_notebook(self.path.name) else text


_SAVE = "save it as UTF-8 first"


def write(original: Original, data: bytes) -> None:
    """Put `data` in the place of `original`, unless the file has changed since it was read.

    Raises:
        WriteError: it could not be done; the file is as it was, and no temporary file is left.
    """
    write_all([(original, data)])


def write_all(files: Sequence[tuple[Original, bytes]]) -> None:
    """Put all of some data in the places of their originals, or none.

    All are written to temporary files first, then put in place one by one; if that fails in the middle, those that were
    put in place give way to what was there.

    Raises:
        WriteError: it could not be done; the files are as they were, and no temporary file is left.
    """
    swaps: list[_Swap] = []
    done = False
    try:
        for original, data in files:
            with _told(original):
                swaps.append(_Swap.prepared(original, data, kept=len(files) > 1))
        for (original, _), swap in zip(files, swaps, strict=True):
            with _told(original):
                swap.put(original.data)
        done = True
    finally:
        for swap in reversed(swaps):
            swap.settle(done=done)


@contextmanager
def _told(original: Original) -> Iterator[None]:
    """What goes wrong with a file, in words."""
    try:
        yield
    except OSError as error:
        reason = _ADVICE.get(error.errno or 0) or error.strerror or str(error)
        raise WriteError(f"not written: {reason}", str(original.path)) from None
    except WriteError as error:
        raise WriteError(error.message, str(original.path)) from None


@dataclass(slots=True)
class _Swap:
    """A file that is about to be replaced: what is there, what comes, and what was there while others are to follow."""

    target: str
    temporary: str
    backup: str = ""
    put_in_place: bool = False

    @classmethod
    def prepared(cls, original: Original, data: bytes, *, kept: bool) -> _Swap:
        """With its new content in a temporary file; what is there is `kept` until all is done."""
        target = os.path.realpath(original.path)
        _permit(target)
        swap = cls(target, _filled(target, data))
        if kept:
            try:
                swap.backup = _filled(target, original.data)
            except BaseException:
                swap.settle(done=False)
                raise
        return swap

    def put(self, before: bytes) -> None:
        """Put the new content in place, unless somebody has changed what was there."""
        _unchanged(self.target, before)
        os.replace(self.temporary, self.target)
        self.put_in_place = True

    def settle(self, *, done: bool) -> None:
        """Leave no temporary file behind; if not all was `done`, put back what was there."""
        if self.put_in_place and not done and self.backup:
            with suppress(OSError):
                os.replace(self.backup, self.target)
        for path in filter(None, (self.temporary, self.backup)):
            with suppress(OSError):
                os.unlink(path)
        if self.put_in_place:
            _settle(os.path.dirname(self.target))


def _permit(target: str) -> None:
    """Refuse what a rename would silently override: a file or folder that is marked as read-only."""
    if not stat.S_ISREG(os.stat(target).st_mode):
        raise WriteError("not written: it is no regular file")
    if not _writable(target):
        raise WriteError("not written: it is read-only; make it writable (chmod u+w) and run again")
    folder = os.path.dirname(target)
    if not _writable(folder):
        raise WriteError(f"not written: its folder {folder} is read-only; make it writable (chmod u+w) and run again")


def _writable(path: str) -> bool:
    """Whether somebody may write to `path`, and we are one of them; root is held to the first, too."""
    return bool(os.stat(path).st_mode & 0o222) and os.access(path, os.W_OK)


def _filled(target: str, data: bytes) -> str:
    """A temporary file beside a target, like it in all but its content."""
    handle, temporary = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=os.path.dirname(target))
    try:
        try:
            _fill(handle, data)
            _dress(handle, temporary, target)
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary


def _unchanged(target: str, before: bytes) -> None:
    """Refuse to overwrite what somebody has written since; equal bytes are no change."""
    if Path(target).read_bytes() != before:
        raise WriteError("not written: it was changed while gradlint was at work; run again")


def _fill(handle: int, data: bytes) -> None:
    """Write all of `data`, however little the system takes at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _dress(handle: int, temporary: str, target: str) -> None:
    """Give the temporary file the owner, mode and attributes of its target, and the present time."""
    wanted, own = os.stat(target), os.fstat(handle)
    if (wanted.st_uid, wanted.st_gid) != (own.st_uid, own.st_gid):
        for owner in (wanted.st_uid, -1):
            with suppress(OSError):
                os.chown(temporary, owner, wanted.st_gid)
                break
    shutil.copystat(target, temporary)
    os.utime(temporary)


def _settle(folder: str) -> None:
    """Make the rename itself survive a loss of power, where folders can be synchronised."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

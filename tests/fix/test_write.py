"""Writing: what is kept, what is refused, and that a file is never left half written."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gradlint.fix.write import PREFIX, SUFFIX, Original, WriteError, write
from gradlint.syntax.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

OLD = "x = 1\nloss.backward()\n"
NEW = "x = 1\nloss.backward()\noptimizer.step()\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(OLD)
    return path


def repair(path: Path, old: str = OLD, new: str = NEW) -> None:
    """Read, replace `old` by `new` in the text, write."""
    original = Original.read(path)
    assert original.text == old
    write(original, original.encode(new))


def left(folder: Path) -> list[str]:
    """Temporary files."""
    return [name for name in os.listdir(folder) if name.startswith(PREFIX) or name.endswith(SUFFIX)]


def refused(path: Path, original: Original | None = None) -> str:
    """The message of a repair that is refused; the file and its folder are as they were."""
    before = path.read_bytes() if path.is_file() else None
    names = sorted(os.listdir(path.parent))
    original = original or Original.read(path)
    with pytest.raises(WriteError) as error:
        write(original, NEW.encode())
    assert (path.read_bytes() if path.is_file() else None) == before
    assert sorted(os.listdir(path.parent)) == names
    return error.value.message


# What is kept


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("", "utf-8"),
        ("# -*- coding: utf-8 -*-\n", "utf-8"),
        ("", "utf-8-sig"),
        ("# coding: utf-8\n", "utf-8-sig"),
        ("# -*- coding: latin-1 -*-\n", "latin-1"),
        ("#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n", "cp1252"),
        ("# coding: gb18030\n", "gb18030"),
        ("# coding: shift_jis\n", "shift_jis"),
        ("# coding: koi8-r\n", "koi8-r"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encoding_bom_and_line_ends(tmp_path: Path, head: str, encoding: str, end: str) -> None:
    words = {"gb18030": "梯度", "shift_jis": "勾配", "koi8-r": "градиент"}
    text = f"{head}# {words.get(encoding, 'grün')}\nx = 1\n".replace("\n", end)
    path = tmp_path / "a.py"
    path.write_bytes(text.encode(encoding))
    repair(path, text, text.replace("x = 1", "x = 2"))
    assert path.read_bytes() == text.replace("x = 1", "x = 2").encode(encoding)


def test_mixed_line_ends_and_no_line_break_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    text = "a = 1\r\nb = 2\nc = 3\rd = 4\r\n\x0ce = 5"
    path.write_bytes(text.encode())
    repair(path, text, text.replace("2", "9"))
    assert path.read_bytes() == text.replace("2", "9").encode()


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664, 0o2755, 0o4755])
def test_mode(file: Path, mode: int) -> None:
    file.chmod(mode)
    repair(file)
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (NEW, mode)


def test_owner(file: Path) -> None:
    try:
        os.chown(file, 1234, 2345)
    except (PermissionError, AttributeError):
        pytest.skip("only root may give files away")
    file.chmod(0o640)
    repair(file)
    found = file.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 2345, 0o640)


def test_an_owner_that_cannot_be_kept_is_no_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no(path: str, uid: int, gid: int) -> None:
        raise PermissionError(errno.EPERM, "no")

    monkeypatch.setattr(os, "chown", no)
    real = os.fstat
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat_result([*real(handle)[:4], 4321, *real(handle)[5:]]))
    repair(file)
    assert file.read_text() == NEW


def test_extended_attributes(file: Path) -> None:
    try:
        os.setxattr(file, "user.note", b"kept")
    except (OSError, AttributeError):
        pytest.skip("no extended attributes here")
    repair(file)
    assert os.getxattr(file, "user.note") == b"kept"


def test_the_time_of_change_is_now(file: Path) -> None:
    os.utime(file, (1, 1))
    repair(file)
    assert file.stat().st_mtime > 1


@pytest.mark.parametrize("relative", [True, False])
def test_a_link_stays_and_its_target_is_repaired(tmp_path: Path, relative: bool) -> None:
    (tmp_path / "real").mkdir()
    target, link, chain = tmp_path / "real" / "a.py", tmp_path / "link.py", tmp_path / "chain.py"
    target.write_text(OLD)
    link.symlink_to("real/a.py" if relative else target)
    chain.symlink_to(link)
    repair(chain)
    assert (link.is_symlink(), chain.is_symlink(), target.is_symlink()) == (True, True, False)
    assert target.read_text() == NEW
    assert left(tmp_path) == left(tmp_path / "real") == []


def test_a_link_in_a_folder_that_is_read_only(tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    target, link = tmp_path / "a.py", tmp_path / "links" / "link.py"
    target.write_text(OLD)
    link.symlink_to(target)
    (tmp_path / "links").chmod(0o555)
    repair(link)
    (tmp_path / "links").chmod(0o755)
    assert target.read_text() == NEW


def test_a_hard_link_is_broken(file: Path, tmp_path: Path) -> None:
    """As documented: the other name keeps the old text."""
    os.link(file, tmp_path / "other.py")
    repair(file)
    assert (file.read_text(), (tmp_path / "other.py").read_text()) == (NEW, OLD)


def test_a_name_in_the_current_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    repair(Path("train.py"))
    assert file.read_text() == NEW


# What is refused


def test_a_read_only_file(file: Path) -> None:
    file.chmod(0o444)
    assert refused(file) == "not written: it is read-only; make it writable (chmod u+w) and run again"


def test_a_file_in_a_read_only_folder(file: Path) -> None:
    file.parent.chmod(0o555)
    try:
        message = refused(file)
    finally:
        file.parent.chmod(0o755)
    assert message.startswith(f"not written: its folder {os.path.realpath(file.parent)} is read-only; make it")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    original = Original.of(tmp_path / "pipe.py", OLD.encode())
    with pytest.raises(WriteError, match="it is no regular file"):
        write(original, NEW.encode())


@pytest.mark.parametrize("change", [OLD + "# mine\n", OLD.replace("1", "2"), ""])
def test_a_file_that_was_changed_meanwhile(file: Path, change: str) -> None:
    original = Original.read(file)
    stamp = file.stat()
    file.write_text(change)
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert refused(file, original) == "not written: it was changed while gradlint was at work; run again"


def test_a_file_that_was_changed_while_it_was_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(handle: int) -> None:
        file.write_text("mine\n")
        real(handle)

    original = Original.read(file)
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(WriteError, match="changed while gradlint was at work"):
        write(original, NEW.encode())
    assert (file.read_text(), left(file.parent)) == ("mine\n", [])


def test_a_file_that_was_touched_or_saved_again_is_written(file: Path) -> None:
    original = Original.read(file)
    file.unlink()
    file.write_text(OLD)
    write(original, NEW.encode())
    assert file.read_text() == NEW


def test_a_file_that_is_gone(file: Path) -> None:
    original = Original.read(file)
    file.unlink()
    assert refused(file, original) == "not written: it is gone"


# Bytes


def test_bytes_that_would_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: utf-7\n# +AEE-\nx = 1\n")
    original = Original.read(path)
    with pytest.raises(WriteError, match="would change when written as utf-7; save it as UTF-8 first"):
        original.encode(original.text.replace("1", "2"))


def test_a_character_that_the_encoding_lacks() -> None:
    original = Original.of(Path("a.py"), b"# coding: latin-1\nx = 1\n")
    with pytest.raises(WriteError, match="iso-8859-1 lacks a character of the repair; save it as UTF-8 first"):
        original.encode(original.text + "# \u4e2d\n")


def test_a_repair_that_does_not_parse_is_never_written() -> None:
    original = Original.of(Path("a.py"), b"x = 1\n")
    with pytest.raises(WriteError, match="internal: the repaired text cannot be parsed at line 1"):
        original.encode("x = (1\n")


def test_a_repair_that_moves_the_encoding_comment_out_of_sight() -> None:
    original = Original.of(Path("a.py"), b"# coding: latin-1\nx = '\xfc'\n")
    with pytest.raises(WriteError, match="internal: "):
        original.encode("import a\nimport b\n" + original.text)


def test_what_is_no_text() -> None:
    with pytest.raises(SourceError, match="cannot be decoded as utf-8"):
        Original.of(Path("a.py"), b"\xff\n")


# Disks that are full, and other trouble


@pytest.mark.parametrize("call", ["write", "fsync", "close", "replace"])
@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "no space is left on the device; free some and run again"),
        (errno.EDQUOT, "your quota is used up; free some space and run again"),
        (errno.EROFS, "its file system is read-only"),
        (errno.EPERM, "permission denied; check the owner of the file and its folder"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_call_that_fails(file: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, advice: str) -> None:
    real: Callable[..., object] = getattr(os, call)

    def fail(*words: object) -> None:
        if call == "close":
            real(*words)
        raise OSError(number, os.strerror(number))

    original = Original.read(file)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(WriteError) as error:
            write(original, NEW.encode())
    assert error.value.message == f"not written: {advice}"
    assert (file.read_text(), left(file.parent)) == (OLD, [])


def test_a_disk_that_is_full_half_way(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, room = os.write, [10]

    def some(handle: int, data: bytes) -> int:
        taken = real(handle, data[: min(4, room[0])])
        room[0] -= taken
        if not taken:
            raise OSError(errno.ENOSPC, "full")
        return taken

    original = Original.read(file)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", some)
        with pytest.raises(WriteError, match="no space is left"):
            write(original, NEW.encode())
    assert (file.read_text(), left(file.parent)) == (OLD, [])


def test_a_system_that_takes_little_at_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:3]))
    repair(file)
    assert file.read_text() == NEW


def test_a_folder_that_cannot_be_synchronised_is_no_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_DIRECTORY")
    repair(file)
    assert file.read_text() == NEW


def test_an_interrupt_leaves_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    original = Original.read(file)
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(original, NEW.encode())
    assert (file.read_text(), left(file.parent)) == (OLD, [])


WRITE = """
import resource, signal, sys
from pathlib import Path
from gradlint.fix.write import Original, WriteError, write

original = Original.read(Path(sys.argv[1]))
data = original.encode(original.text + "# more\\n" * 10_000)
if "limit" in sys.argv:
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    write(original, data)
except WriteError as error:
    print(error.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_limit_on_file_sizes(file: Path) -> None:
    command = [sys.executable, "-c", WRITE, str(file), "limit"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == "not written: it would exceed the limit on file sizes (ulimit -f)\n"
    assert (file.read_text(), left(file.parent)) == (OLD, [])


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs a file system of its own")
def test_a_file_system_that_is_really_full(tmp_path: Path) -> None:
    shell = f"""
mount -t tmpfs -o size=64k tmpfs {tmp_path} || exit 77
printf 'x = 1\\n' > {tmp_path}/train.py
"$0" -c "$1" {tmp_path}/train.py
ls -A {tmp_path}; cat {tmp_path}/train.py
"""
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", shell, sys.executable, WRITE]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode and not ran.stdout:
        pytest.skip("may not mount here")
    assert ran.stdout == "not written: no space is left on the device; free some and run again\ntrain.py\nx = 1\n"


# Leftovers


def test_leftovers_of_a_killed_run_are_not_checked(file: Path) -> None:
    from gradlint.files.discovery import discover
    from gradlint.model.settings import Settings

    file.with_name(".gradlint-abc123.tmp").write_text("half a fi")
    found = discover([str(file.parent)], lambda _: Settings())
    assert [path.name for path in found.files] == ["train.py"]

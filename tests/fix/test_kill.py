"""A run of `fix --apply` that is killed: every file is old or new, never between.

The engine is replaced by one that is quick, so that nearly all the time is spent in writing; the
command, the reading and the writing are real, in a process of their own.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from gradlint.fix.write import PREFIX, SUFFIX

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")

FILES = 60
LINES = 300

QUICK = """
import os, signal, sys
import gradlint.check.engine
import gradlint.cli.fix
from gradlint.fix.result import FixResult

def fix_text(text, path, settings, *, unsafe=False, across=False):
    return FixResult(path, text, text.replace("old", "new"))

gradlint.check.engine.fix_text = fix_text
"""

RUN = """
from gradlint.cli import main
print("ready", flush=True)
sys.exit(main(["fix", "--apply", sys.argv[1]]))
"""

DIE = """
at = int(sys.argv[2])
calls = 0

def deadly(name):
    real = getattr(os, name)

    def call(*words, **more):
        global calls
        calls += 1
        if calls == at and name == "write":
            real(words[0], words[1][:len(words[1]) // 2])
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*words, **more)

    setattr(os, name, call)

for name in ("open", "write", "chmod", "utime", "fsync", "close", "replace", "unlink"):
    deadly(name)
"""


@dataclass(frozen=True)
class Tree:
    """Files that say `old` on every line, and that a run makes say `new`."""

    folder: Path
    old: dict[str, bytes]

    @classmethod
    def make(cls, folder: Path, files: int = FILES, lines: int = LINES) -> Tree:
        texts = {f"{number % 7}/loop_{number}.py": f"x = {number}  # old\n".encode() * lines for number in range(files)}
        tree = cls(folder, texts)
        for name in texts:
            (folder / name).parent.mkdir(exist_ok=True)
        tree.renew()
        return tree

    def renew(self) -> None:
        """Make everything old again."""
        for name, data in self.old.items():
            (self.folder / name).write_bytes(data)
        for path in self.folder.rglob(f"{PREFIX}*{SUFFIX}"):
            path.unlink()

    def repaired(self) -> int:
        """How many files are new; the others are old, and nothing else lies there but known leftovers."""
        number = 0
        for name, old in self.old.items():
            data = (self.folder / name).read_bytes()
            assert data in {old, old.replace(b"old", b"new")}, f"{name} is neither old nor new: {len(data)} bytes"
            number += data != old
        others = {path.name for path in self.folder.rglob("*") if path.is_file() and path.suffix != ".py"}
        assert all(name.startswith(PREFIX) and name.endswith(SUFFIX) for name in others)
        assert len(others) <= 1
        return number


def start(tree: Tree, script: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", script, str(tree.folder), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def killed_after(tree: Tree, seconds: float) -> int:
    """Kill a run so long after it began to look for files; how many files it had repaired."""
    process = start(tree, QUICK + RUN)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(seconds)
    process.kill()
    process.communicate()
    return tree.repaired()


def duration(tree: Tree) -> float:
    """How long a whole run takes; it repairs everything."""
    process = start(tree, QUICK + RUN)
    assert process.stdout is not None
    process.stdout.readline()
    began = time.perf_counter()
    process.communicate()
    took = time.perf_counter() - began
    assert (process.returncode, tree.repaired()) == (0, len(tree.old))
    return took


def kill_at_random(folder: Path, rounds: int) -> None:
    tree = Tree.make(folder)
    took = duration(tree)
    tree.renew()
    took = min(took, duration(tree))  # the first one may have read everything from a disk
    chance = random.Random(rounds)
    done = between = 0
    while done < rounds or (between < rounds // 4 and done < 5 * rounds):  # a busy machine shifts the moments
        tree.renew()
        between += 0 < killed_after(tree, chance.uniform(0, took)) < FILES
        done += 1
    assert between >= rounds // 4, "too few were killed while they were writing to prove anything"
    duration(tree)


def test_killed_at_random_moments(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 15)


@pytest.mark.long
def test_killed_at_a_hundred_random_moments(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 100)


def test_killed_before_every_call_that_touches_a_file(tmp_path: Path) -> None:
    """Not by chance: the process kills itself before its first such call, its second, ..."""
    tree = Tree.make(tmp_path, files=2, lines=3)
    seen = set()
    for at in range(1, 100):
        tree.renew()
        process = start(tree, QUICK + DIE + RUN, str(at))
        process.communicate()
        seen.add(tree.repaired())
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert seen == {0, 1, 2}
    assert at > 15


def test_what_a_killed_run_left_does_not_disturb_the_next(tmp_path: Path) -> None:
    tree = Tree.make(tmp_path, files=2, lines=3)
    (tmp_path / "0" / f"{PREFIX}abc{SUFFIX}").write_text("x = 1  # o")
    duration(tree)
    assert os.listdir(tmp_path / "0").count(f"{PREFIX}abc{SUFFIX}") == 1

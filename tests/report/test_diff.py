"""The diff: what git makes of it decides, and what a reader sees."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from gradlint.report.diff import draw, patch
from gradlint.report.style import Style

PAGE = Style()
BEFORE = "def train():\n    a\n    b\n    c\n    d\n    step()\n    clip()\n    e\n    f\n    g\n    h\n"
AFTER = "def train():\n    a\n    b\n    c\n    d\n    clip()\n    step()\n    e\n    f\n    g\n    h\n"


def git(*words: str, cwd: Path, data: bytes = b"") -> str:
    ran = subprocess.run(["git", *words], cwd=cwd, input=data, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git("init", "--quiet", ".", cwd=tmp_path)
    git("config", "core.autocrlf", "false", cwd=tmp_path)
    git("config", "apply.whitespace", "nowarn", cwd=tmp_path)
    return tmp_path


def test_the_form() -> None:
    assert draw(BEFORE, AFTER, "train.py", PAGE) == (
        "--- a/train.py\n"
        "+++ b/train.py\n"
        "@@ -3,8 +3,8 @@ def train():\n"
        "     b\n"
        "     c\n"
        "     d\n"
        "+    clip()\n"
        "     step()\n"
        "-    clip()\n"
        "     e\n"
        "     f\n"
        "     g\n"
    )


def test_on_plain_text_both_forms_are_one() -> None:
    assert patch(BEFORE.encode(), AFTER.encode(), "train.py").decode() == draw(BEFORE, AFTER, "train.py", PAGE)


def test_nothing_changed() -> None:
    assert (patch(b"x\n", b"x\n", "a.py"), draw("x\n", "x\n", "a.py", PAGE)) == (b"", "")


def test_changes_far_apart_are_two_hunks() -> None:
    lines = [f"x{number}\n" for number in range(30)]
    out = draw("".join(lines), "".join(["new\n", *lines[:-1]]), "a.py", PAGE)
    assert re.findall(r"^@@ .*", out, re.MULTILINE) == ["@@ -1,3 +1,4 @@", "@@ -27,4 +28,3 @@"]


def test_the_end_without_a_line_break() -> None:
    assert draw("a\nb", "a\nc\n", "a.py", PAGE).endswith("-b\n\\ No newline at end of file\n+c\n")
    assert draw("a\nb\n", "a\nc", "a.py", PAGE).endswith("-b\n+c\n\\ No newline at end of file\n")
    assert draw("a\nb", "c\nb", "a.py", PAGE).endswith("-a\n+c\n b\n\\ No newline at end of file\n")


def test_windows_line_ends_are_kept_in_the_patch_and_not_shown() -> None:
    before, after = BEFORE.replace("\n", "\r\n"), AFTER.replace("\n", "\r\n")
    assert b"+    clip()\r\n" in patch(before.encode(), after.encode(), "a.py")
    assert draw(before, after, "train.py", PAGE) == draw(BEFORE, AFTER, "train.py", PAGE)


def test_mixed_line_ends_are_shown_as_git_shows_them() -> None:
    out = draw("a\r\nb\n", "a\r\nc\n", "a.py", PAGE)
    assert " a^M\n-b\n+c\n" in out


def test_what_would_steer_the_terminal_is_not_shown() -> None:
    out = draw("a\x1b[2J\tb\n", "c\x1b[2J\tb\n", "a\x1b.py", PAGE)
    assert "\x1b" not in out
    assert "-a?[2J\tb\n" in out


def test_colour_changes_nothing_but_the_colour() -> None:
    out = draw(BEFORE, AFTER, "train.py", Style(colour=True))
    assert out.startswith("\x1b[1m--- a/train.py\x1b[0m\n\x1b[1m+++ b/train.py\x1b[0m\n\x1b[36m@@ ")
    assert re.search(r"^\x1b\[32m\+.*\x1b\[0m$", out, re.MULTILINE)
    assert re.search(r"^\x1b\[31m-.*\x1b\[0m$", out, re.MULTILINE)
    assert re.sub(r"\x1b\[[\d;]*m", "", out) == draw(BEFORE, AFTER, "train.py", PAGE)


def test_a_line_that_looks_like_a_header_is_none() -> None:
    out = draw("-- a\nx\n", "y\nx\n", "a.py", Style(colour=True))
    assert "\x1b[31m--- a\x1b[0m\n" in out


@pytest.mark.parametrize(
    "name", ["a.py", "sub/with space.py", 'q"uote.py', "back\\slash.py", "tab\tin.py", "line\nin.py", "ümlaut.py"]
)
def test_git_finds_the_file(repository: Path, name: str) -> None:
    file = repository / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(BEFORE)
    git("apply", "-", cwd=repository, data=patch(BEFORE.encode(), AFTER.encode(), name))
    assert file.read_text() == AFTER


def test_git_finds_the_file_from_a_folder_below(repository: Path) -> None:
    (repository / "sub").mkdir()
    (repository / "sub" / "a.py").write_text(BEFORE)
    git("apply", "-", cwd=repository / "sub", data=patch(BEFORE.encode(), AFTER.encode(), "a.py"))
    assert (repository / "sub" / "a.py").read_text() == AFTER


ENDS = (b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\x0c\n", b"\x85\n", b"\xe2\x80\xa8\n")


def noise(chance: random.Random) -> tuple[bytes, bytes]:
    """A text and what some edits make of it."""
    words = [b"x", b"", b"    y", b"\tz", b"-- a", b"@@", b"\\", b"\xff\xfe", b"def f():"]
    lines = [chance.choice(words) + chance.choice(ENDS) for _ in range(chance.randrange(1, 40))]
    after = list(lines)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(after) + 1)
        after[at : at + chance.randrange(3)] = [chance.choice(words) + b"\n"] * chance.randrange(3)
    before, changed = b"".join(lines), b"".join(after)
    cut, trim = chance.choice([(0, 0), (1, 0), (0, 1), (1, 1)])
    return before[: len(before) - cut], changed[: len(changed) - trim]


def test_git_applies_whatever_the_texts(repository: Path) -> None:
    chance = random.Random(0)
    pairs = [pair for pair in (noise(chance) for _ in range(500)) if pair[0] and pair[1] and pair[0] != pair[1]]
    assert len(pairs) > 400
    patches = []
    for number, (before, after) in enumerate(pairs):
        (repository / f"{number}.py").write_bytes(before)
        patches.append(patch(before, after, f"{number}.py"))
    git("apply", "-", cwd=repository, data=b"".join(patches))
    wrong = [n for n, (_, after) in enumerate(pairs) if (repository / f"{n}.py").read_bytes() != after]
    assert wrong == []


def test_a_huge_file_is_compared_in_time(repository: Path) -> None:
    lines = [f"x = {number % 7}\n" if number % 2 else "\n" for number in range(60_000)]
    before = "".join(lines).encode()
    after = "".join(["import a\n", *lines[:30_000], "y = 1\n", *lines[30_000:-1], "z = 1\n"]).encode()
    (repository / "a.py").write_bytes(before)
    git("apply", "-", cwd=repository, data=patch(before, after, "a.py"))
    assert (repository / "a.py").read_bytes() == after

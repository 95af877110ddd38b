"""`gradlint fix` on the engine of paper: what it shows, what it writes, what it says, how it ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradlint.model.settings import Settings

SLIP = "a = 1\nSLIP\n"
MENDED = "a = 1\nmended\n"
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n a = 1\n-SLIP\n+mended\n"
REPAIR = "a.py:2: clip-after-step: Mend the slip (safe: nothing else is touched)\n    Every update counts.\n"


def put(**files: str) -> None:
    for name, text in files.items():
        Path(f"{name}.py").write_text(text)


# What would change


def test_a_diff_and_its_reasons(run: Callable) -> None:
    put(a=SLIP)
    ran = run("fix")
    assert (ran.status, ran.out) == (1, DIFF)
    assert ran.err == f"\n{REPAIR}\nWould fix 1 problem in 1 file.\n"
    assert Path("a.py").read_text() == SLIP


def test_nothing_would_change(run: Callable) -> None:
    put(a="x = 1\n", b="x = 2\n")
    ran = run("fix")
    assert (ran.status, ran.out, ran.err) == (0, "", "Nothing to fix in 2 files.\n")


def test_what_remains_does_not_count_as_a_change(run: Callable) -> None:
    put(a="HARD\nRISK\nRISK\n")
    ran = run("fix")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "Nothing to fix in 1 file; 3 problems remain (2 fixable with --unsafe-fixes).\n"


def test_counts(run: Callable) -> None:
    put(a="SLIP\nSLIP\nRISK\n", b="HARD\n", c="SLIP\n", d="x = 1\n")
    last = run("fix").err.splitlines()[-1]
    assert last == "Would fix 3 problems in 2 files; 2 remain (1 fixable with --unsafe-fixes)."
    last = run("fix", "--unsafe-fixes").err.splitlines()[-1]
    assert last == "Would fix 4 problems in 2 files; 1 remains."


def test_unsafe_fixes_are_marked(run: Callable) -> None:
    put(a="RISK\n")
    ran = run("fix", "--unsafe-fixes")
    assert ran.status == 1
    assert "a.py:1: clip-after-step: Take the risk (unsafe: another repair would be right, too)\n" in ran.err
    assert "+mended\n" in ran.out


def test_a_repair_that_keeps_no_promise_is_told(run: Callable) -> None:
    put(a="LIE\n")
    ran = run("fix")
    assert (ran.status, ran.out) == (0, "")
    line = "a.py:1:1: clip-after-step: no repair that keeps its promise was found (it brings another)\n"
    assert ran.err.startswith(line)


def test_git_applies_the_output(run_bytes: Callable, tmp_path: Path) -> None:
    Path("sub dir").mkdir()
    texts = {
        "a.py": b"SLIP",
        "sub dir/b.py": "\ufeffx = 'ü'\r\nSLIP\r\n".encode(),
        "c.py": "# coding: latin-1\nx = 'ü'\nSLIP\n".encode("latin-1"),
        "d.py": b"x = 1\n",
    }
    for name, data in texts.items():
        Path(name).write_bytes(data)
    ran = run_bytes("fix")
    assert ran.status == 1
    subprocess.run(["git", "init", "--quiet", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=ran.out, check=True)
    for name, data in texts.items():
        assert Path(name).read_bytes() == data.replace(b"SLIP", b"mended")


def test_a_patch_names_where_the_file_is(run: Callable, tmp_path: Path) -> None:
    Path("sub").mkdir()
    put(a=SLIP)
    Path("sub/link.py").symlink_to("../a.py")
    assert run("fix", "sub/link.py").out == DIFF
    assert run("fix", str(tmp_path / "a.py")).out == DIFF
    assert run("fix", "./sub/../a.py").out == DIFF


def test_a_patch_for_a_file_elsewhere(run: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put(a=SLIP)
    Path("here").mkdir()
    monkeypatch.chdir("here")
    true = os.path.realpath(tmp_path / "a.py")
    assert run("fix", "../a.py").out.startswith(f"--- a{true}\n+++ b{true}\n")


def test_a_file_and_a_link_to_it_are_one(run: Callable) -> None:
    put(b=SLIP)
    Path("a.py").symlink_to("b.py")
    ran = run("fix")
    assert ran.out.count("+++ b/b.py") == 1
    assert ran.err.endswith("Would fix 1 problem in 1 file.\n")
    assert "b.py:2: clip-after-step" in ran.err


# Colour


@pytest.mark.parametrize(
    ("environment", "terminal", "coloured"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
    ],
)
def test_colour(
    run: Callable, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, coloured: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    put(a="a = 1\r\nSLIP\r\n")
    out = run("fix").out
    assert ("\x1b[32m+mended\x1b[0m\n" in out) is coloured
    assert ("\x1b" in out) is coloured
    assert ("\r" in out) is not (coloured or terminal)


# Writing


def test_apply(run: Callable) -> None:
    put(a=SLIP, b="x = 1\n")
    ran = run("fix", "--apply")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{REPAIR}\nFixed 1 problem in 1 file.\n"
    assert Path("a.py").read_text() == MENDED


def test_apply_twice_is_apply_once(run: Callable) -> None:
    put(a=SLIP)
    run("fix", "--apply")
    stamp = Path("a.py").stat()
    ran = run("fix", "--apply")
    assert (ran.status, ran.out) == (0, "Nothing to fix in 1 file.\n")
    assert Path("a.py").stat() == stamp


def test_what_remains_is_told_with_its_reason(run: Callable) -> None:
    put(a="SLIP\nHARD\nRISK\nLIE\n")
    ran = run("fix", "--apply")
    assert ran.status == 1
    assert "a.py:2:1: clip-after-step A HARD. (no automatic fix)\n" in ran.out
    assert "a.py:3:1: clip-after-step A RISK. (unsafe fix: use --unsafe-fixes)\n" in ran.out
    assert "a.py:4:1: clip-after-step A LIE. (no repair that keeps its promise was found)\n" in ran.out
    assert ran.out.endswith("\nFixed 1 problem in 1 file; 3 remain (1 fixable with --unsafe-fixes).\n")
    assert Path("a.py").read_text() == "mended\nHARD\nRISK\nLIE\n"


def test_apply_unsafe_fixes(run: Callable) -> None:
    put(a="SLIP\nRISK\n")
    assert run("fix", "--apply", "--unsafe-fixes").status == 0
    assert Path("a.py").read_text() == "mended\nmended\n"


def test_selection(run: Callable) -> None:
    put(a=SLIP)
    assert run("fix", "--ignore", "clip-after-step", "--apply").out == "Nothing to fix in 1 file.\n"
    assert run("fix", "--select", "distributed").status == 0
    assert run("fix", "--select", "clipping").status == 1
    Path("gradlint.toml").write_text('ignore = ["clipping"]\n')
    assert run("fix").status == 0
    assert run("fix", "--extend-select", "clip-after-step").status == 1


def test_a_read_only_file_is_told_and_the_rest_is_written(run: Callable) -> None:
    put(a=SLIP, b=SLIP)
    Path("a.py").chmod(0o444)
    ran = run("fix", "--apply")
    assert ran.status == 3
    assert ran.err == "a.py: not written: it is read-only; make it writable (chmod u+w) and run again\n"
    assert "a.py:2:1: clip-after-step A SLIP. (its file was not written)\n" in ran.out
    assert ran.out.endswith("Fixed 1 problem in 1 file; 1 remains; 1 file could not be fixed.\n")
    assert (Path("a.py").read_text(), Path("b.py").read_text()) == (SLIP, MENDED)


def test_a_file_that_changes_meanwhile_is_left_alone(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = sys.modules["gradlint.check.engine"]
    real = engine.fix_text

    def slow(text: str, path: str, *rest: object, **more: object) -> object:
        if path == "a.py":
            Path(path).write_text("mine\n")
        return real(text, path, *rest, **more)

    monkeypatch.setattr(engine, "fix_text", slow)
    put(a=SLIP, b=SLIP)
    ran = run("fix", "--apply")
    assert ran.status == 3
    assert ran.err == "a.py: not written: it was changed while gradlint was at work; run again\n"
    assert (Path("a.py").read_text(), Path("b.py").read_text()) == ("mine\n", MENDED)


# What cannot be repaired is told, and the rest is repaired all the same.


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.py", b"def f(:\n", "a.py: cannot be parsed at line 1"),
        ("a.py", b"x = '\xff'\n", "a.py: cannot be decoded"),
        ("a.py", b"CRASH\n", "a.py: internal: RuntimeError: planted"),
        ("a.py", b"SLIP = BREAK\n", "a.py: not repaired: internal: the repaired text cannot be parsed at line 1"),
        ("a.py", None, "a.py: no such file or folder"),
    ],
)
@pytest.mark.parametrize("words", [(), ("--apply",)])
def test_a_bad_file_is_one_line_and_the_rest_is_repaired(
    run: Callable, name: str, data: bytes | None, message: str, words: tuple[str, ...]
) -> None:
    put(b=SLIP)
    if data is not None:
        Path(name).write_bytes(data)
    ran = run("fix", *words, name, "b.py")
    assert ran.status == 3
    assert [line for line in ran.err.splitlines() if line.startswith(message)]
    assert (ran.out if words else ran.err).endswith("; 1 file could not be fixed.\n")
    assert Path("b.py").read_text() == (MENDED if words else SLIP)
    assert data is None or Path(name).read_bytes() == data


def test_bad_usage(run: Callable) -> None:
    put(a=SLIP)
    assert run("fix", "--aply").status == 2
    assert run("fix", "-", "a.py").status == 2
    ran = run("fix", "--select", "nonsense", "--apply")
    assert (ran.status, Path("a.py").read_text()) == (2, SLIP)


def test_bad_configuration_anywhere_is_told_before_anything_is_written(run: Callable) -> None:
    Path("sub").mkdir()
    put(a=SLIP)
    Path("sub/b.py").write_text(SLIP)
    Path("sub/gradlint.toml").write_text("selct = []\n")
    ran = run("fix", "--apply", "a.py", "sub/b.py")
    assert (ran.status, ran.out) == (2, "")
    assert "unknown key 'selct'" in ran.err
    assert Path("a.py").read_text() == SLIP


def test_folder_without_python_is_a_warning(run: Callable) -> None:
    Path("docs").mkdir()
    ran = run("fix", "docs")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "warning: docs: no Python files here\nNo Python files were checked.\n"


# Standard input


@pytest.mark.parametrize("words", [("-",), ("--stdin-filename", "a.py"), ("-", "--apply", "--stdin-filename", "a.py")])
def test_standard_input(run: Callable, words: tuple[str, ...]) -> None:
    ran = run("fix", *words, stdin=SLIP.encode())
    assert (ran.status, ran.out) == (0, MENDED)
    name = "a.py" if len(words) > 1 else "<stdin>"
    assert ran.err == f"{REPAIR.replace('a.py', name)}\nFixed 1 problem in 1 file.\n"


def test_standard_input_keeps_its_bytes(run_bytes: Callable) -> None:
    data = "\ufeffx = 'ü'\r\nSLIP".encode()
    assert run_bytes("fix", "-", stdin=data).out == data.replace(b"SLIP", b"mended")
    data = "# coding: latin-1\nx = 'ü'\nSLIP\n".encode("latin-1")
    assert run_bytes("fix", "-", stdin=data).out == data.replace(b"SLIP", b"mended")


def test_standard_input_of_which_something_remains(run: Callable) -> None:
    ran = run("fix", "-", stdin=b"SLIP\nHARD\n")
    assert (ran.status, ran.out) == (1, "mended\nHARD\n")
    assert "<stdin>:2:1: clip-after-step A HARD. (no automatic fix)\n" in ran.err


@pytest.mark.parametrize("data", [b"x = 1\r\n", b"", b"\xff\n", b"f(\n", b"CRASH", b"SLIP = BREAK\n"])
def test_standard_input_that_is_not_repaired_comes_back(run_bytes: Callable, data: bytes) -> None:
    ran = run_bytes("fix", "-", stdin=data)
    assert ran.out == data
    assert ran.status == (3 if data.strip() and data != b"x = 1\r\n" else 0)


def test_standard_input_has_the_settings_of_its_name(run: Callable) -> None:
    Path("sub").mkdir()
    Path("sub/gradlint.toml").write_text('ignore = ["clipping"]\n')
    assert run("fix", "-", "--stdin-filename", "sub/a.py", stdin=SLIP.encode()).out == SLIP


# The wet run


def test_verify_without_the_wet_run(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    put(a=SLIP)
    ran = run("fix", "--verify", "--apply")
    assert (ran.status, ran.out, Path("a.py").read_text()) == (2, "", SLIP)
    assert 'the wet run needs torch: pip install "torch-gradlint[verify]"' in ran.err


def test_verify_keeps_what_the_wet_run_does_not_confirm(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    def confirm(before: str, after: str, path: str, settings: Settings) -> str:
        return "the ledgers differ" if path == "a.py" else ""

    monkeypatch.setattr("gradlint.cli.fix._confirmer", lambda: confirm)
    put(a=SLIP, b=SLIP)
    ran = run("fix", "--verify", "--apply")
    assert (ran.status, ran.err) == (1, "a.py: not confirmed by the wet run: the ledgers differ\n")
    assert (Path("a.py").read_text(), Path("b.py").read_text()) == (SLIP, MENDED)


# The reader


def test_a_reader_that_has_gone_away_is_no_error(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = f"{sys.executable} -m gradlint fix fixtures/clip-* 2>/dev/null | head -n 1; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=root, check=False)
    assert (ran.returncode, re.match("--- a/", ran.stdout) is not None, ran.stderr) == (1, True, "")

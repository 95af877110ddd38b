"""What reaches a terminal, a pipe, and a pipe that nobody reads."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gradlint.cli.console import emit, screen
from gradlint.report.style import wants_colour

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("environ", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_wants_colour(environ: dict[str, str], terminal: bool, expected: bool) -> None:
    assert wants_colour(environ, terminal) is expected


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("300", 100), ("10", 40)])
def test_width(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert screen().width == width


def test_a_page_that_cannot_show_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    assert screen().unicode is False
    emit("naïve\n")
    assert stream.buffer.getvalue() == b"na\\xefve\n"


def test_a_reader_that_has_gone_away_is_no_error() -> None:
    program = "import sys; from gradlint.cli import main; sys.exit(main(['--help']))"
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert ran.stderr == b""
    assert ran.returncode in {0, 1}


def test_explain_into_a_pipe_that_closes() -> None:
    program = "import sys; from gradlint.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "explain", "clip-after-step"]
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_python_m_gradlint(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "gradlint", "--version"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert ran.stdout.endswith("(torch-gradlint)\n")


def test_importing_gradlint_imports_nothing_else() -> None:
    program = """
import sys
before = set(sys.modules)
import gradlint
gradlint.__version__
print(sorted(set(sys.modules) - before - {"__future__"}))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "['gradlint']\n"


@pytest.mark.parametrize("words", [["--version"], ["explain", "clip-after-step"], ["check", "--help"]])
def test_light_commands_import_neither_engine_nor_libcst(words: list[str]) -> None:
    program = """
import sys
from gradlint.cli import main
main(sys.argv[1:])
heavy = {"libcst", "torch", "gradlint.check.engine", "tomllib", "json"}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""
    ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    assert ran.stderr == "[]\n"

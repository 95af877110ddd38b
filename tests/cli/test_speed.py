"""What of speed the command line shows: options, a progress line, `clean`, and a glance that changes nothing."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gradlint.cli import main
from gradlint.cli.glance import glance
from gradlint.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = "for x in y:\n    pass\n"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("gradlint.cli.progress.time.monotonic", lambda: now[0])
    return now


def test_progress_is_silent_for_a_second(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    progress = Progress()
    progress.tell(1, 9)
    assert screen.getvalue() == ""
    clock[0] += 1.1
    progress.tell(2, 9)
    progress.tell(3, 9)
    clock[0] += 0.2
    progress.tell(4, 9)
    progress.close()
    shown = screen.getvalue().split("\r\x1b[2K")
    assert shown == ["", "checking loops: 2 of 9 files", "checking loops: 4 of 9 files", ""]


def test_progress_is_for_terminals(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    progress = Progress()
    clock[0] += 5
    progress.tell(2, 9)
    progress.close()
    assert stream.getvalue() == ""


def test_check_remembers_and_clean_forgets(run: Callable) -> None:
    Path("gradlint.toml").write_text("")
    Path("a.py").write_text(GOOD)
    run("check")
    assert Path(".gradlint_cache").is_dir()
    ran = run("clean")
    assert (ran.status, ran.out, ran.err) == (0, f"Removed {Path.cwd() / '.gradlint_cache'}.\n", "")
    assert not Path(".gradlint_cache").exists()
    assert run("clean").out.startswith("There is no cache: ")


def test_no_cache_is_no_cache(run: Callable) -> None:
    Path("gradlint.toml").write_text("")
    Path("a.py").write_text(GOOD)
    run("check", "--no-cache")
    assert not Path(".gradlint_cache").exists()


def test_workers_are_at_least_one(run: Callable) -> None:
    assert run("check", "--workers", "0").status == 2
    Path("a.py").write_text(GOOD)
    assert run("check", "--workers", "1").status == 0


# A glance says what the command would say, or nothing.


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real funnel: a file that says `backward` has a loop."""
    monkeypatch.setattr("gradlint.check.survey.promising", lambda data, words: b"backward" in data)
    for name in ("a.py", "sub/b.py", "sub/deep/c.py", "build/d.py", "text.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x = 1\n")


@pytest.mark.parametrize(
    "words",
    [(), (".",), ("sub",), ("sub", "a.py"), ("a.py", "./a.py"), ("a.py", "."), ("text.txt",), ("--exit-zero", "a.py")],
)
def test_it_says_what_the_command_says(
    run: Callable, plain: None, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert glance(("check", *words)) == 0
    seen = capsys.readouterr().out
    monkeypatch.setattr("gradlint.cli.glance.glance", lambda words: None)
    ran = run("check", *words)
    assert (ran.status, ran.out, ran.err) == (0, seen, "")


@pytest.mark.parametrize(
    "words",
    [
        ("check", "loop.py"),
        ("check", "note.py"),
        ("check", "broken.py"),
        ("check", "gone.py"),
        ("check", "empty"),
        ("check", "-"),
        ("check", "--pedantc", "a.py"),
        ("check", "--select", "clipping", "a.py"),
        ("check", "--output-format", "json", "a.py"),
        ("check", "configured/a.py"),
        ("check", "configured"),
        ("check", "above/below"),
        ("check", "."),
        ("fix", "a.py"),
        (),
    ],
)
def test_it_steps_aside(plain: None, words: tuple[str, ...], capsys: pytest.CaptureFixture) -> None:
    Path("loop.py").write_text("loss.backward()\n")
    Path("note.py").write_text("x = 1  # gradlint: ignore\n")
    Path("broken.py").write_text("def f(:\n")
    for folder in ("empty", "configured", "above/below"):
        Path(folder).mkdir(parents=True)
    Path("configured/pyproject.toml").write_text("[tool.gradlint]\n")
    Path("configured/a.py").write_text("x = 1\n")
    Path("above/gradlint.toml").write_text("")
    Path("above/below/a.py").write_text("x = 1\n")
    assert glance(words) is None
    assert capsys.readouterr() == ("", "")


def test_the_pyproject_of_other_tools_says_nothing(plain: None) -> None:
    Path("pyproject.toml").write_text("[tool.ruff]\n")
    assert glance(("check", ".")) == 0


def test_what_goes_wrong_in_a_glance_is_left_to_the_command(
    plain: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def fail(words: object) -> None:
        raise OSError

    monkeypatch.setattr("gradlint.cli.glance.glance", fail)
    assert main(("check", "a.py")) == 0
    assert capsys.readouterr().out == "No training loop found: 1 file.\n"

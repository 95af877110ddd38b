"""The commands beside `check`, and what all of them share."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gradlint
from gradlint.cli.app import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable


def test_version(run: Callable) -> None:
    ran = run("--version")
    assert (ran.status, ran.out) == (0, f"gradlint {gradlint.__version__} (torch-gradlint)\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(run: Callable, command: str) -> None:
    ran = run(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert f"Usage: gradlint {command}" in ran.out
    assert f"Examples:\n    gradlint {command}" in ran.out


def test_top_level_help_lists_the_commands_and_exit_statuses(run: Callable) -> None:
    ran = run("--help")
    assert ran.status == 0
    assert all(f"\n  {command} " in ran.out for command in COMMANDS)
    assert "3  a file could not be read, parsed or written (wins over 1)" in ran.out


def test_unknown_command_names_the_nearest(run: Callable) -> None:
    ran = run("chekc")
    assert (ran.status, ran.out) == (2, "")
    assert "Error: unknown command 'chekc'; did you mean 'check'?" in ran.err


def test_unknown_option_exits_2(run: Callable) -> None:
    assert run("check", "--selct", "x").status == 2


def test_no_command_shows_the_help(run: Callable) -> None:
    ran = run()
    assert "Usage: gradlint" in ran.out + ran.err


def test_a_failure_of_gradlint_is_one_line(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradlint.files.discovery.discover", lambda *_: 1 / 0)
    ran = run("check")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == "error: internal: ZeroDivisionError: division by zero\n"
    monkeypatch.setenv("GRADLINT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("check")


def test_an_interrupt_is_silent(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gradlint.files.discovery.discover", interrupt)
    ran = run("check")
    assert (ran.status, ran.out, ran.err.strip()) == (130, "", "")


# trace


def test_trace_draws_the_regions(run: Callable) -> None:
    Path("train.py").write_text("for x in y: pass\n")
    ran = run("trace", "train.py")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("train.py:1-7  train\n")


def test_trace_of_a_line(run: Callable) -> None:
    Path("train.py").write_text("for x in y: pass\n")
    assert run("trace", "train.py:1").out.startswith("train.py:1-7  train\n")
    assert run("trace", "train.py:99").out == "No training loop at line 99 of train.py.\n"


def test_trace_without_a_loop(run: Callable) -> None:
    Path("a.py").write_text("x = 1\n")
    ran = run("trace", "a.py")
    assert (ran.status, ran.out) == (0, "No training loop in a.py.\n")


def test_trace_of_a_file_whose_name_ends_like_a_line(run: Callable) -> None:
    Path("odd:12").write_text("x = 1\n")
    assert run("trace", "odd:12").out == "No training loop in odd:12.\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "a.py: cannot be read: No such file or directory\n"),
        ("f(", "a.py: cannot be parsed at line 1: '(' was never closed\n"),
        ("CRASH", "a.py: internal: RuntimeError: planted\n"),
    ],
)
def test_trace_of_what_cannot_be_read(run: Callable, text: str | None, message: str) -> None:
    if text is not None:
        Path("a.py").write_text(text)
    ran = run("trace", "a.py")
    assert (ran.status, ran.out, ran.err) == (3, "", message)


# explain and rules


def test_explain_prints_the_page(run: Callable) -> None:
    ran = run("explain", "clip-after-step")
    page = Path(gradlint.__file__).parents[1] / "rules" / "clip-after-step.md"
    assert (ran.status, ran.out) == (0, page.read_text(encoding="utf-8"))


def test_explain_of_an_unknown_rule_names_the_nearest(run: Callable) -> None:
    ran = run("explain", "clip-aftr-step")
    assert (ran.status, ran.out) == (2, "")
    assert "unknown rule 'clip-aftr-step'; did you mean 'clip-after-step'?" in ran.err


def test_rules_as_text(run: Callable) -> None:
    out = run("rules").out
    first, second, third = out.splitlines()[:3]
    assert (first, third) == ("clipping", "      summary of clip-after-step")
    assert re.fullmatch(
        r"  clip-after-step  error    on   fix: safe    right: \d+ % of \d+(, now \d+ % of \d+)?", second
    )
    assert "\n\nadvice\n  tiny-max-norm    error    off" in out


def test_rules_as_json(run: Callable) -> None:
    rows = json.loads(run("rules", "--output-format", "json").out)
    measured = rows[0].pop("measured")
    assert (measured["share"], rows[-1]["measured"]) == (
        round(measured["right"] / (measured["right"] + measured["wrong"]), 3),
        None,
    )
    assert rows[0] == {
        "name": "clip-after-step",
        "category": "clipping",
        "severity": "error",
        "default": True,
        "fix": "safe",
        "summary": "summary of clip-after-step",
    }
    assert len(rows) == 4


def test_rules_as_markdown(run: Callable) -> None:
    lines = run("rules", "--output-format", "markdown").out.splitlines()
    assert lines[0] == "| rule | category | severity | default | fix | right | finds |"
    assert lines[-1] == (
        "| [tiny-max-norm](rules/tiny-max-norm.md) | advice | error | off | safe | not measured yet |"
        " summary of tiny-max-norm |"
    )
